"""Reports that were read from files, as entries of a ledger: new ones, and corrections that somebody confirmed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from tallyroom.importer.decisions import LEAVE_OUT, YES
from tallyroom.importer.outcomes import Question
from tallyroom.ledger.entry import Author, Draft
from tallyroom.report.wire import VERSION, to_wire
from tallyroom.tabulate.filed import Filed, figures, fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallyroom.importer.decisions import Decisions
    from tallyroom.importer.reading import Reading
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report
    from tallyroom.tabulate.filed import Filing

AUTHOR = Author("file", "importer")
"""Nobody is named: the file's digest says where the figures come from."""
CORRECTED = "file-correction"


@dataclass(frozen=True, slots=True)
class Filings:
    """What an import adds to a ledger.

    Attributes:
        drafts: entries to be made, without their time.
        standing: units whose numbers stand in the ledger already.
        questions: units that stand there with other numbers.
    """

    drafts: tuple[Draft, ...] = ()
    standing: tuple[str, ...] = ()
    questions: tuple[Question, ...] = field(default_factory=tuple)


def filings(
    filed: Filed, reading: Reading, digests: Mapping[str, str], decisions: Decisions, at: datetime | None = None
) -> Filings:
    """Say what would be filed, at a time (only a dry run has none)."""
    drafts, standing, questions = list[Draft](), list[str](), list[Question]()
    for report in reading.reports:
        papers = [digests[name] for name in reading.files[report.unit]]
        before = filed.filings.get(report.unit, ())
        whole = _over(before[-1].report, report) if before else report
        if before and figures(before[-1].report) == figures(whole):
            standing.append(report.unit)
        elif not before:
            drafts.append(_draft(filed.plan, whole, papers, None, at))
        else:
            question = _asks(filed.plan, before[-1], whole)
            answer = decisions.answer(question)
            if answer == YES:
                drafts.append(_draft(filed.plan, whole, papers, before[-1].seq, at))
            elif answer != LEAVE_OUT:
                questions.append(question)
    return Filings(tuple(drafts), tuple(standing), tuple(questions))


def file_reports(
    plan: Plan, ledger: str, reading: Reading, digests: Mapping[str, str], decisions: Decisions
) -> dict[str, int]:
    """File the reports in one commit, and give the number of each unit's entry; what stands there is asked again."""
    from tallyroom.ledger.address import open_ledger  # noqa: PLC0415 - a dry run needs no store

    with open_ledger(ledger, plan.contest, create=True) as stored:
        filed = fold(stored.entries(), plan, file=ledger)
        drafts = filings(filed, reading, digests, decisions, datetime.now(UTC)).drafts
        receipts = stored.append(drafts)
    return {str(draft.body["unit"]): receipt.seq for draft, receipt in zip(drafts, receipts, strict=True)}


def _over(standing: Report, report: Report) -> Report:
    """Lay the numbers of a file over a report that stands: what the file leaves blank is not lost."""
    stages = {*standing.alignments, *report.alignments}
    return replace(
        standing,
        alignments={
            stage: {**standing.alignments.get(stage, {}), **report.alignments.get(stage, {})} for stage in stages
        },
        attendance=standing.attendance if report.attendance is None else report.attendance,
        viability_number=standing.viability_number if report.viability_number is None else report.viability_number,
        delegates=standing.delegates
        if report.delegates is None
        else {**(standing.delegates or {}), **report.delegates},
        values=standing.values if report.values is None else {**(standing.values or {}), **report.values},
    )


def _draft(plan: Plan, report: Report, papers: Sequence[str], replaces: int | None, at: datetime | None) -> Draft:
    paper = papers[0] if len(papers) == 1 else sha256("".join(papers).encode()).hexdigest()
    said = msgspec.json.encode([paper, replaces, to_wire(report)], order="sorted")
    return Draft(
        kind="report",
        version=VERSION,
        contest=plan.contest,
        at=at or datetime.min.replace(tzinfo=UTC),
        key=f"import/{report.unit[:100]}/{sha256(said).hexdigest()}",
        author=AUTHOR,
        channel="file",
        body=to_wire(report),
        replaces=replaces,
        reason="" if replaces is None else CORRECTED,
        paper=paper,
    )


def _asks(plan: Plan, standing: Filing, report: Report) -> Question:
    """Ask whether a file corrects what stands; the digest of its numbers is what the answer is found by."""
    told = "; ".join(_differences(standing.report, report)[:5])
    name = plan.units[report.unit].name
    asks = f"{name} stands in entry {standing.seq} with other numbers ({told}): does the file correct it?"
    digest = sha256(msgspec.json.encode(to_wire(report), order="sorted")).hexdigest()[:16]
    return Question("filed", report.unit, digest, asks, choices=(YES, LEAVE_OUT))


def _differences(one: Report, other: Report) -> list[str]:
    """Each number that differs, as it stands and as the file has it."""
    numbers = (_numbers(one), _numbers(other))
    return [
        f"{name} {numbers[0].get(name, 'blank')}, in the file {numbers[1].get(name, 'blank')}"
        for name in sorted({*numbers[0], *numbers[1]})
        if numbers[0].get(name) != numbers[1].get(name)
    ]


def _numbers(report: Report) -> dict[str, str]:
    found = {
        f"{stage} {group}": str(number)
        for stage, counts in report.alignments.items()
        for group, number in counts.items()
    }
    found |= {f"delegates {group}": str(number) for group, number in (report.delegates or {}).items()}
    found |= {f"value {group}": str(number) for group, number in (report.values or {}).items()}
    if report.attendance is not None:
        found["attendance"] = str(report.attendance)
    return found
