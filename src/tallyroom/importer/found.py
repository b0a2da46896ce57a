"""What the cells of one row count, before it is known how the row ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyroom.exact import COUNT_LIMIT, DELEGATES_LIMIT
from tallyroom.importer import words as w
from tallyroom.importer.counts import BLANKS, Doubtful, NoCount, looks_like_number, read_count, read_value
from tallyroom.importer.decisions import LEAVE_OUT, YES
from tallyroom.importer.gathered import Number
from tallyroom.importer.outcomes import Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallyroom.importer.columns import Column
    from tallyroom.importer.desk import Desk
    from tallyroom.importer.gathered import Key
    from tallyroom.importer.sheet import Row


@dataclass(slots=True)
class Found:
    """What was found in a row.

    Attributes:
        counts: numbers of known places.
        numbers: every number that can be read, of known places and of others (unit empty): what totals are held to.
        totals: sums over groups that stand in the row, by unit and measure.
        questions: what must be answered before anything of the row is taken.
        refusals: what cannot be read at all, each with what to do.
        units: places that the row speaks of.
        aside: why nothing is to be read from it; empty if something is.
    """

    counts: list[tuple[Key, Number]] = field(default_factory=list["tuple[Key, Number]"])
    numbers: list[tuple[Key, Number]] = field(default_factory=list["tuple[Key, Number]"])
    totals: list[tuple[str, str, Number]] = field(default_factory=list["tuple[str, str, Number]"])
    questions: list[Question] = field(default_factory=list[Question])
    refusals: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    units: list[str] = field(default_factory=list[str])
    aside: str = ""


def number_in(measure: str, text: str) -> Number | Doubtful | NoCount | None:
    """Read a cell as a number of what is measured."""
    if measure == w.VALUE:
        return read_value(text)
    return read_count(text, DELEGATES_LIMIT if measure == w.DELEGATES else COUNT_LIMIT)


class Cells:
    """Takes the cells of a row.

    Args:
        desk: what rows are read with.
        unit: the place of the row; empty if it is not known, or stands above the columns.
        stage: the count that the row is of, where its columns do not say.
        group: the group that the row is of, where its columns do not say, as a heading would name it.
    """

    def __init__(self, desk: Desk, unit: str, stage: str, group: Column, found: Found) -> None:
        self._desk, self._unit, self._stage, self._group, self._found = desk, unit, stage, group, found

    def take(self, row: Row, columns: Sequence[tuple[int, Column]]) -> None:
        """Take every cell that is not blank."""
        for place, column in columns:
            text = row.cells[place] if place < len(row.cells) else ""
            if not text.strip() or column.role in ("percent", "aside", "name"):
                continue
            if column.role == "unknown" or place in row.hidden_columns:
                self._unknown(column, text, hidden=place in row.hidden_columns)
            elif "total" in (column.role, self._group.role):
                self._total(column, text)
            else:
                self._count(column, text)

    def _count(self, column: Column, text: str) -> None:
        if column.question is not None:
            self._found.questions.append(column.question)
        group, unit = column.group or self._group.group, column.unit or self._unit
        measure = column.measure or self._group.measure or self._stage
        if measure in w.WITHOUT_GROUP:
            group = ""
        elif not group:
            told = f"column {column.header!r} counts people of no group"
            self._found.refusals.append((told, "Name the group above it."))
            return
        if not measure:
            measure = self._asked(column)
        if measure:
            self._number((unit, measure, group), text, column)

    def _asked(self, column: Column) -> str:
        """Ask which count a column holds; give the answer if there is one."""
        stages = self._desk.plan.stages
        told = " or the ".join(stage.name.lower() for stage in stages)
        asks = f"Which count stands in column {column.header!r}: the {told}?"
        question = Question("stage", "", column.header, asks, choices=tuple(stage.id for stage in stages))
        answer = self._desk.decisions.answer(question)
        if answer in question.choices:
            return answer
        self._found.questions.append(question)
        return ""

    def _number(self, key: Key, text: str, column: Column) -> None:
        unit, measure, _ = key
        number, told = number_in(measure, text), column.header or measure
        if isinstance(number, Doubtful):
            asks = f"{told}: is {text.strip()[:40]!r} {number.proposal}? ({number.why})"
            question = Question("count", " ".join(part for part in key if part), text.strip(), asks, number.proposal)
            answer = self._desk.decisions.answer(question)
            number = None if answer == LEAVE_OUT else number_in(measure, answer) if answer else number
            if isinstance(number, Doubtful | NoCount):
                self._found.questions.append(question)
        elif isinstance(number, NoCount):
            self._found.refusals.append((f"{told}: {number.reason}", number.remedy))
        if column.unit:
            self._found.units.append(column.unit)
        if isinstance(number, int | Fraction):
            self._found.numbers.append((key, number))
            if unit:
                self._found.counts.append((key, number))

    def _total(self, column: Column, text: str) -> None:
        measure = column.measure or self._group.measure or self._stage
        number = number_in(measure, text)
        if isinstance(number, int | Fraction):
            self._found.totals.append((column.unit or self._unit, measure, number))
        elif number is not None:
            why = number.reason if isinstance(number, NoCount) else number.why
            self._found.refusals.append((f"{column.header}: {why}", "Correct the total, or leave its column out."))

    def _unknown(self, column: Column, text: str, *, hidden: bool) -> None:
        if column.question is not None:
            if text.strip().casefold() not in BLANKS:
                self._found.questions.append(column.question)
            return
        if not looks_like_number(text) and isinstance(read_count(text, COUNT_LIMIT), NoCount | None):
            return
        told = "stands hidden" if hidden else "holds numbers"
        asks = f"What is column {column.header!r}? It {told}, such as {text.strip()[:20]!r}"
        question = Question("column", "", column.header, asks, choices=(LEAVE_OUT,))
        if self._desk.decisions.answer(question) != LEAVE_OUT:
            self._found.questions.append(question)


def check_row_totals(desk: Desk, meant: str, found: Found) -> None:
    """Hold the totals over groups that stand in a row against its counts."""
    sums = dict[str, Number]()
    for (_, measure, group), number in found.numbers:
        if group:
            sums[measure] = sums.get(measure, 0) + number
    for unit, measure, total in found.totals:
        candidates = [added for counted, added in sums.items() if measure in ("", counted)]
        if not candidates or total in candidates:
            continue
        added = " or ".join(str(number) for number in candidates)
        asks = f"The row's total is {total}, and its counts add up to {added}: are the counts right?"
        question = Question("row-total", unit or meant, f"{measure} {total}", asks, choices=(YES,))
        if desk.decisions.answer(question) != YES:
            found.questions.append(question)
