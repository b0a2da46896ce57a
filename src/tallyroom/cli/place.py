"""All there is to know about one place: as written, by rule, what was found, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.award import viability_number
from tallyroom.checks.finding import Severity
from tallyroom.exact import fixed, printed
from tallyroom.tabulate import Basis
from tallyroom.tabulate.findings import findings
from tallyroom.tabulate.wire import finding_object, time

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tallyroom.checks.finding import Finding
    from tallyroom.plan.types import Plan, Unit
    from tallyroom.report.record import Report
    from tallyroom.tabulate import Tabulation
    from tallyroom.tabulate.filed import Filing
    from tallyroom.tabulate.ruled import Ruled

SEVEREST_FIRST = tuple(Severity)
"""The order in which a person looks at findings."""


@dataclass(frozen=True, slots=True)
class Change:
    """One figure that a correction changed: `None` is a blank."""

    column: str
    group: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a place's history, and what it changed; the first report changes nothing."""

    filing: Filing
    release: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """One place at one moment.

    Attributes:
        report: the report in force; None before the first.
        ruled: what the rule makes of it; None before the first report.
        delegates: delegates it elects; None where they follow from an attendance that nobody knows.
        number: the viability number; None where there is none, or nobody is known to be present.
        written, by_rule: value by group on the official yardstick, printed; None where there is none.
        provisional: its worth depends on places of its pool that are still out.
        found: findings, the most severe first.
        unsettled: reports that did not take effect, and where they differ from the one in force.
        repeats: reports that said the same as the one then in force.
    """

    unit: Unit
    report: Report | None
    ruled: Ruled | None
    delegates: int | None
    number: int | None
    written: Mapping[str, str] | None
    by_rule: Mapping[str, str] | None
    provisional: bool
    found: tuple[Finding, ...]
    history: tuple[Line, ...]
    unsettled: tuple[Line, ...]
    repeats: tuple[Filing, ...]


def account(tabulation: Tabulation, unit: str) -> Account:
    """Gather what is on file about a unit at the moment tabulated."""
    plan, filings = tabulation.plan, tabulation.filed.filings.get(unit, [])
    ruled = tabulation.ruled.get(unit)
    delegates = plan.units[unit].delegates if ruled is None else ruled.delegates
    number = None
    if ruled is not None and delegates and ruled.attendance.people:
        number = viability_number(tabulation.rule, delegates, ruled.attendance.people)
    return Account(
        unit=plan.units[unit],
        report=filings[-1].report if filings else None,
        ruled=ruled,
        delegates=delegates,
        number=number,
        written=_official(tabulation, unit, Basis.AS_WRITTEN),
        by_rule=_official(tabulation, unit, Basis.BY_RULE),
        provisional=bool(tabulation.of_unit(unit, Basis.AS_WRITTEN).provisional),
        found=severest_first(findings(tabulation, within=unit)),
        history=_history(plan, filings),
        unsettled=tuple(_line(plan, filing, filings[-1].report) for filing in tabulation.filed.unsettled.get(unit, ())),
        repeats=tuple(tabulation.filed.repeats.get(unit, ())),
    )


def severest_first(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Order findings by how much they ask of a person; the same by the order they came in."""
    return tuple(sorted(found, key=severity_rank))


def severity_rank(finding: Finding) -> int:
    """Give the place of a finding's severity, 0 for the most severe."""
    return SEVEREST_FIRST.index(finding.severity)


def _official(tabulation: Tabulation, unit: str, basis: Basis) -> Mapping[str, str] | None:
    """Give the official yardstick by group; None before the first report, or where it has no value on record."""
    standing = tabulation.of_unit(unit, basis).on(tabulation.plan.official.id)
    if unit not in tabulation.ruled or standing.units_without_value:
        return None
    report = tabulation.filed.filings[unit][-1].report
    there = report.delegates if report.delegates is not None else report.values
    blank = tabulation.plan.groups.keys() - there.keys() if there is not None and basis is Basis.AS_WRITTEN else ()
    if tabulation.plan.official.counts == "people":
        blank = ()
    decimals = standing.yardstick.decimals
    return {group.group: fixed(group.printed, decimals) for group in standing.groups if group.group not in blank}


def _history(plan: Plan, filings: Sequence[Filing]) -> tuple[Line, ...]:
    before = [None, *(filing.report for filing in filings)]
    return tuple(_line(plan, filing, was) for was, filing in zip(before, filings, strict=False))


def _line(plan: Plan, filing: Filing, before: Report | None) -> Line:
    """Give one entry, with the figures in which it differs from another report of the place."""
    release = next((release.id for release in plan.releases.values() if release.at == filing.at), "")
    return Line(filing, release, () if before is None else tuple(_changes(plan, before, filing.report)))


def _changes(plan: Plan, before: Report, after: Report) -> list[Change]:
    """Give the figures that differ between two reports of a place, in sheet order."""
    was, now = _figures(plan, before), _figures(plan, after)
    keys = dict.fromkeys([*was, *now])
    return [Change(*key, was.get(key), now.get(key)) for key in keys if was.get(key) != now.get(key)]


def _figures(plan: Plan, report: Report) -> dict[tuple[str, str], str]:
    """Give every figure of a report as text, by column and group."""
    columns: dict[str, Mapping[str, object]] = {
        stage.name: report.alignments.get(stage.id, {}) for stage in plan.stages
    }
    values = {group: printed(value, plan.official.decimals) for group, value in (report.values or {}).items()}
    columns |= {"Delegates": report.delegates or {}, plan.official.name: values}
    figures = {
        (column, group): str(values[group])
        for column, values in columns.items()
        for group in plan.groups
        if group in values
    }
    alone = {
        "Present": report.attendance,
        "Viable with": report.viability_number,
        **{f"Present by {way}": count for way, count in report.other_attendance.items()},
        "Signed": ", ".join(report.signed) or None,
        "Photo": report.photo or None,
    }
    for component, stages in report.components.items():
        for stage, people in stages.items():
            alone |= {f"{component}, {stage}, {group}": count for group, count in people.items()}
    figures |= {(column, ""): str(value) for column, value in alone.items() if value is not None}
    return figures | {("Lot", lot.tie): "+".join(lot.drawn) for lot in report.lots}


def account_object(plan: Plan, told: Account, papers: Mapping[str, str]) -> dict[str, object]:
    """Give the account of a place as JSON; keys are added, never renamed.

    Args:
        plan: the plan in force.
        told: the account.
        papers: what the codes of papers mean.
    """
    report, ruled = told.report, told.ruled
    return {
        "id": told.unit.id,
        "county": told.unit.area,
        "name": told.unit.name,
        "kind": told.unit.kind,
        "delegates": told.delegates,
        "attendance": ruled and {"people": ruled.attendance.people, "from": ruled.attendance.taken_from},
        "viability_number": told.number,
        "people": report and {stage.id: report.alignments.get(stage.id) for stage in plan.stages},
        "as_written": report and {"delegates": report.delegates, "value": told.written},
        "by_rule": ruled and {"delegates": ruled.awarded, "value": told.by_rule},
        "undetermined": ruled and ruled.undetermined and str(ruled.undetermined),
        "provisional": told.provisional,
        "findings": [finding_object(finding, plan) for finding in told.found],
        "history": [_line_object(line, papers) for line in told.history],
        "unsettled": [_line_object(line, papers) for line in told.unsettled],
        "repeats": [filing.seq for filing in told.repeats],
        "sheet": report and _sheet_object(report),
    }


def _sheet_object(report: Report) -> dict[str, object]:
    """Give what the sheet says besides people and delegates; a blank is null."""
    return {
        "attendance": report.attendance,
        "other_attendance": dict(report.other_attendance),
        "viability_number": report.viability_number,
        "lots": [{"tie": lot.tie, "drawn": list(lot.drawn)} for lot in report.lots],
        "signed": list(report.signed),
        "photo": report.photo or None,
    }


def _line_object(line: Line, papers: Mapping[str, str]) -> dict[str, object]:
    filing = line.filing
    return {
        "seq": filing.seq,
        "at": time(filing.at),
        "release": line.release or None,
        "replaces": filing.replaces,
        "reason": filing.reason or None,
        "paper": filing.basis,
        "paper_text": papers.get(filing.basis),
        "changes": [
            {"column": change.column, "group": change.group or None, "before": change.before, "after": change.after}
            for change in line.changes
        ],
    }
