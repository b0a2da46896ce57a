"""An import for people and for programs: what was read, what is asked, what was refused, what was filed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.cli.layout import prose
from tallyroom.importer.outcomes import Furniture, Questioned, Read, Refused, Where
from tallyroom.report.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallyroom.cli.import_files import Imported
    from tallyroom.cli.terminal import Terminal
    from tallyroom.importer.outcomes import Outcome, Question
    from tallyroom.plan.types import Plan

_LINES = 6
"""So many places of a question are named; JSON has them all."""


def show_import(page: Terminal, done: Imported) -> None:
    """Print an import."""
    page.line(done.plan.name)
    for file, sheet, form in done.reading.forms:
        prose(page, f"{file}{f', sheet {sheet}' if sheet else ''}: {form}", hang="  ")
    page.line()
    rows = done.reading.rows
    told = {"read": "read", "questioned": "questioned", "refused": "refused", "furniture": "titles, blanks and totals"}
    page.table(["Rows", ""], [[words, f"{rows[name]:,}"] for name, words in told.items()], right={1})
    _show_questions(page, done)
    _show_refused(page, done)
    _show_rest(page, done)
    _show_places(page, done)


def _show_questions(page: Terminal, done: Imported) -> None:
    asked = dict[tuple[str, str, str], list[Where]]()
    for outcome in done.reading.outcomes:
        for question in outcome.questions if isinstance(outcome, Questioned) else ():
            asked.setdefault(question.key, []).append(outcome.where)
    if done.questions:
        page.heading("Questions")
    for question in done.questions:
        answer = f" Proposed: {question.proposal}." if question.proposal else ""
        choices = f" Answers: {', '.join(question.choices)}." if question.choices and not answer else ""
        where = f" {_places(asked[question.key])}" if question.key in asked else ""
        prose(page, f"{question.asks}{answer}{choices}{where}", "  ", hang="    ")


def _show_refused(page: Terminal, done: Imported) -> None:
    refused = [outcome for outcome in done.reading.outcomes if isinstance(outcome, Refused)]
    if refused:
        page.heading("Refused")
    for outcome in refused:
        where = outcome.where
        prose(page, f"{where.file}, {where}: {outcome.reason}. {outcome.remedy}", "  ", hang="    ")


def _show_rest(page: Terminal, done: Imported) -> None:
    noted = [outcome for outcome in done.reading.outcomes if isinstance(outcome, Read) and outcome.note]
    if noted:
        page.heading("Noted")
    for outcome in noted:
        prose(page, f"{outcome.where.file}, {outcome.where}: {outcome.note}", "  ", hang="    ")


def _show_places(page: Terminal, done: Imported) -> None:
    reading, plan = done.reading, done.plan
    page.line()
    for unit, where in reading.held.items():
        prose(page, f"{_name(plan, unit)} is held: settle {where.file}, {where} first", hang="  ")
    if reading.broken:
        prose(page, f"Nothing was filed: {', '.join(reading.broken)} could not be read to the end.")
    drafts, standing = len(done.filings.drafts), len(done.filings.standing)
    if done.dry:
        prose(
            page,
            f"{_number(drafts)} would be filed, and {_number(standing)} in the ledger already. This was a dry run.",
        )
    else:
        prose(page, f"{_number(len(done.entries))} filed, and {_number(standing)} in the ledger already.")


def _number(count: int) -> str:
    return f"{count:,} place{'' if count == 1 else 's'}"


def _name(plan: Plan, unit: str) -> str:
    place = plan.units[unit]
    return f"{plan.areas[place.area].name}, {place.name} ({unit})"


def _places(places: Iterable[Where]) -> str:
    told = [f"{where.file}, {where}" for where in places]
    more = f" and {len(told) - _LINES:,} more" if len(told) > _LINES else ""
    return f"({'; '.join(told[:_LINES])}{more})"


def import_object(done: Imported) -> dict[str, object]:
    """Give an import as JSON."""
    reading, plan = done.reading, done.plan
    return {
        "schema": 1,
        "contest": plan.contest,
        "plan": plan.digest,
        "dry_run": done.dry,
        "files": [
            {
                "name": name,
                "sha256": digest,
                "whole": name not in reading.broken,
                "sheets": [{"name": sheet, "form": form} for file, sheet, form in reading.forms if file == name],
            }
            for name, digest in done.digests.items()
        ],
        "rows": dict(reading.rows),
        "outcomes": [_outcome(outcome) for outcome in reading.outcomes],
        "questions": [_question(question) for question in done.questions],
        "reports": [to_wire(report) for report in reading.reports],
        "held": [{"unit": _unit(plan, unit), **_where(where)} for unit, where in reading.held.items()],
        "filed": [{"unit": _unit(plan, unit), "entry": seq} for unit, seq in done.entries.items()],
        "to_file": [str(draft.body["unit"]) for draft in done.filings.drafts] if done.dry else [],
        "standing": list(done.filings.standing),
    }


def _unit(plan: Plan, unit: str) -> dict[str, str]:
    place = plan.units[unit]
    return {"id": unit, "county": place.area, "name": place.name}


def _where(where: Where) -> dict[str, object]:
    return {
        "file": where.file,
        "sheet": where.sheet or None,
        "line": where.first,
        "last": where.last,
        "rows": where.rows,
    }


def _outcome(outcome: Outcome) -> dict[str, object]:
    where = _where(outcome.where)
    match outcome:
        case Read():
            return {"outcome": "read", **where, "units": list(outcome.units), "note": outcome.note or None}
        case Questioned():
            asked = [list(question.key) for question in outcome.questions]
            return {"outcome": "questioned", **where, "questions": asked, "shown": outcome.shown}
        case Refused():
            return {
                "outcome": "refused",
                **where,
                "reason": outcome.reason,
                "remedy": outcome.remedy,
                "shown": outcome.shown,
            }
        case Furniture():
            return {"outcome": "furniture", **where, "what": outcome.what}


def _question(question: Question) -> dict[str, object]:
    return {
        "question": question.kind,
        "where": question.where,
        "text": question.text,
        "key": list(question.key),
        "asks": question.asks,
        "proposal": question.proposal or None,
        "choices": list(question.choices),
    }
