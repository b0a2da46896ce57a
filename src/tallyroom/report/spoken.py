"""A report as its sheet is said: numbered lines, a check digit each, and a code for the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.faults import Fault, InputError, refuse
from tallyroom.report.check_digits import LINES_LIMIT, SPOKEN_LIMIT, line_check, sheet_code
from tallyroom.report.fits import misfits
from tallyroom.report.record import Report

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tallyroom.plan.types import Plan

DELEGATES = "delegates"
ATTENDANCE = "attendance"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a worksheet, in sheet order.

    Attributes:
        number: from 1.
        column: `attendance`, `delegates`, or empty where `stage` says which.
        stage: id of the stage it counts; empty for attendance and delegates.
        group: id of the group; empty for attendance.
        title: what stands before the number on the sheet.
    """

    number: int
    column: str
    stage: str
    group: str
    title: str


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A line as it is said: its count, None if blank, and its check digit."""

    line: Line
    count: int | None
    check: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """A whole sheet as it is said.

    Attributes:
        code: two digits over all lines.
        left_out: fields of the report that no line says (lots, picture ...): they need another way.
    """

    unit: str
    lines: tuple[SpokenLine, ...]
    code: str
    left_out: tuple[str, ...]


def worksheet(plan: Plan) -> tuple[Line, ...]:
    """Give the lines of a contest's sheet: attendance, every stage by group, delegates by group where they are elected.

    Raises:
        InputError: more than `LINES_LIMIT` lines.
    """
    columns = [("", stage.id, stage.name) for stage in plan.stages]
    if plan.elects:
        columns.append((DELEGATES, "", "Delegates"))
    rows = [(ATTENDANCE, "", "", "Attendance")] + [
        (column, stage, group.id, f"{name}, {group.name}")
        for column, stage, name in columns
        for group in plan.groups.values()
    ]
    if len(rows) > LINES_LIMIT:
        what = f"the sheet of {plan.contest} has {len(rows):,} lines and cannot be spoken"
        raise InputError(Fault(what, "File its reports by another channel."))
    return tuple(Line(number, *row) for number, row in enumerate(rows, start=1))


def counts_of(report: Report, plan: Plan) -> tuple[int | None, ...]:
    """Give the counts of a report in sheet order; a blank is None.

    Raises:
        InputError: the report is not one of this plan, or a count is too large to be said.
    """
    refuse(misfits(report, plan))
    lines = worksheet(plan)
    counts = tuple(_count(report, line) for line in lines)
    refuse(
        Fault(f"{line.title}: {count:,} is larger than can be said", "Correct the count on the sheet's record.")
        for line, count in zip(lines, counts, strict=True)
        if count is not None and count >= SPOKEN_LIMIT
    )
    return counts


def report_of(unit: str, counts: Sequence[int | None], plan: Plan) -> Report:
    """Give the report that counts in sheet order make. A column without any count is not on record."""
    attendance: int | None = None
    alignments: dict[str, dict[str, int]] = {}
    delegates: dict[str, int] = {}
    for line, count in zip(worksheet(plan), counts, strict=True):
        if count is None:
            continue
        if line.column == ATTENDANCE:
            attendance = count
        elif line.column == DELEGATES:
            delegates[line.group] = count
        else:
            alignments.setdefault(line.stage, {})[line.group] = count
    return Report(unit, alignments, attendance, delegates=delegates or None)


def spoken(report: Report, plan: Plan) -> Spoken:
    """Give every line of a report with its check digit, and the sheet's code.

    Raises:
        InputError: see `counts_of`.
    """
    counts = counts_of(report, plan)
    lines = tuple(
        SpokenLine(line, count, line_check(line.number, count))
        for line, count in zip(worksheet(plan), counts, strict=True)
    )
    return Spoken(report.unit, lines, sheet_code(counts), tuple(_left_out(report, plan)))


def _count(report: Report, line: Line) -> int | None:
    if line.column == ATTENDANCE:
        return report.attendance
    people: Mapping[str, int] = report.alignments.get(line.stage, {})
    if line.column == DELEGATES:
        people = report.delegates or {}
    return people.get(line.group)


def _left_out(report: Report, plan: Plan) -> Iterator[str]:
    """Name the fields that hold something and have no line."""
    if report.delegates and not plan.elects:
        yield "delegates"
    if report.viability_number is not None:
        yield "viability_number"
    if report.values is not None:
        yield "values"
    for name in ("lots", "other_attendance", "signed", "photo", "components"):
        if getattr(report, name):
            yield name
