"""Files of a county read to their ends: what each row said, what is asked, and the reports that can be filed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from tallyroom.faults import Fault
from tallyroom.importer.decisions import Decisions
from tallyroom.importer.desk import Context, Desk
from tallyroom.importer.outcomes import LEFT_OUT, Furniture, Question, Questioned, Read, Refused, Where, counted
from tallyroom.importer.page import Page
from tallyroom.importer.sheet import LIMITS, Limits, UnreadableError, sheets

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tallyroom.importer.outcomes import Outcome
    from tallyroom.importer.sheet import Sheet
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of a county's files.

    Attributes:
        outcomes: how each row ended, in the order of files and rows, every row in exactly one.
        reports: what the places said, as far as nothing about them is open, in the order of the plan.
        held: places that are not among the reports, each with the first row that must be settled.
        files: the files that each place's counts came from.
        forms: how each file was read, by file and sheet.
        broken: files that could not be read to their ends; nothing is filed while there is one.
    """

    outcomes: tuple[Outcome, ...]
    reports: tuple[Report, ...]
    held: Mapping[str, Where]
    files: Mapping[str, tuple[str, ...]]
    forms: tuple[tuple[str, str, str], ...]
    broken: tuple[str, ...]

    @property
    def rows(self) -> Mapping[str, int]:
        """Rows by how they ended: `read`, `questioned`, `refused`, `furniture`."""
        kinds = {"read": Read, "questioned": Questioned, "refused": Refused, "furniture": Furniture}
        return {name: counted(self.outcomes, kind) for name, kind in kinds.items()}

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every question once, in the order they came up."""
        found = dict[tuple[str, str, str], Question]()
        for outcome in self.outcomes:
            for question in outcome.questions if isinstance(outcome, Questioned) else ():
                found.setdefault(question.key, question)
        return tuple(found.values())

    @property
    def clean(self) -> bool:
        """Whether nothing is questioned and nothing refused."""
        return not any(isinstance(outcome, Questioned | Refused) for outcome in self.outcomes)


class Reader:
    """Reads the files of one county, or of all, one after another.

    Args:
        plan: the contest.
        decisions: answers given before.
        area: the area that the files are of, where they do not say so themselves.
        limits: what a file may hold at most.
    """

    def __init__(
        self, plan: Plan, decisions: Decisions | None = None, *, area: str = "", limits: Limits = LIMITS
    ) -> None:
        self._desk = Desk(plan, decisions or Decisions(), limits)
        self._context = Context(area)
        self._forms: list[tuple[str, str, str]] = []
        self._broken: list[str] = []

    def read(self, stream: BinaryIO, file: str) -> None:
        """Read a file; whatever it holds, it ends as outcomes."""
        self._desk.file, self._desk.tables, before = file, 0, len(self._desk.log.outcomes)
        sheet, line = "", 0
        try:
            for opened in sheets(stream, file, self._desk.limits):
                sheet, line = opened.name, 0
                self._forms.append((file, sheet, opened.form))
                for line in self._sheet(opened):  # noqa: B007 - told where the file breaks
                    self._hold_to_limits(file)
            self._hold_to_tables(file, before)
        except UnreadableError as error:
            self._broken.append(file)
            fault = error.faults[0]
            where = Where(file, sheet, line + 1, line + 1, 0)
            reason = (
                fault.what
                if not line or not self._desk.tables
                else f"from here on the file cannot be read: {fault.what}"
            )
            self._desk.log.add(Refused(where, reason, fault.remedy))

    def finish(self) -> Reading:
        """Give what came of all files."""
        gathered = self._desk.gathered
        reports = () if self._broken else gathered.reports()
        forms, broken = tuple(self._forms), tuple(self._broken)
        return Reading(tuple(self._desk.log.outcomes), reports, gathered.held, gathered.files(), forms, broken)

    def _sheet(self, sheet: Sheet) -> Iterator[int]:
        """Read a sheet and give the line after each row, so that the file can be stopped."""
        page = Page(self._desk, sheet.name, self._context, ragged=not sheet.form.startswith("text"))
        try:
            for row in sheet.rows:
                page.row(row)
                yield row.line
        finally:
            page.end()

    def _hold_to_tables(self, file: str, before: int) -> None:
        """A file that says nothing must not pass for one that was read; `before` it, so many outcomes were there."""
        remedy = "Name the place and the groups in a row above the counts."
        if not self._desk.tables:
            raise UnreadableError(Fault("there is no table with a header of this contest", remedy, file))
        said = self._desk.log.outcomes[before:]
        if all(isinstance(outcome, Furniture) and outcome.what != LEFT_OUT for outcome in said):
            raise UnreadableError(Fault("there is no row of counts below a header", remedy, file))

    def _hold_to_limits(self, file: str) -> None:
        limit = self._desk.limits.outcomes
        if self._desk.log.others > limit:
            what = f"more than {limit:,} lines have something of their own to say: no file of this contest has"
            raise UnreadableError(Fault(what, "Import only the rows of this contest.", file))


def read_files(plan: Plan, files: Mapping[str, BinaryIO], decisions: Decisions | None = None) -> Reading:
    """Read files by name, in order, and give what came of them."""
    reader = Reader(plan, decisions)
    for name, stream in files.items():
        reader.read(stream, name)
    return reader.finish()
