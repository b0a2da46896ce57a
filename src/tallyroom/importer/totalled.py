"""Rows of totals: held against the sums of what was read, never imported."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyroom.importer import words as w
from tallyroom.importer.decisions import LEAVE_OUT, YES
from tallyroom.importer.found import number_in
from tallyroom.importer.gathered import Number
from tallyroom.importer.outcomes import LEFT_OUT, Furniture, Question, Questioned
from tallyroom.importer.totals import What

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tallyroom.importer.columns import Column
    from tallyroom.importer.desk import Desk
    from tallyroom.importer.gathered import Key
    from tallyroom.importer.outcomes import Where
    from tallyroom.importer.sheet import Row


@dataclass(frozen=True, slots=True)
class _Late:
    """A total that agreed with nothing yet: it may stand above what it is the sum of."""

    place: int
    totals: Mapping[What, Number]
    area: str


class Totals:
    """The totals of one table."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._late: list[_Late] = []
        self._of_places: list[tuple[int, str, str, Number]] = []
        self._place_sums = defaultdict[tuple[str, str], Number](int)
        desk.sums.table_begins()

    def add(self, numbers: Iterable[tuple[Key, Number]], area: str, *, by_column: bool) -> None:
        """Add the numbers of a row to the sums; `by_column` if its columns are places, and totals run down them."""
        desk = self._desk
        for (unit, measure, group), number in numbers:
            fresh = not unit or desk.gathered.new((unit, measure, group))
            lowest = desk.plan.units[unit].area if unit else area
            desk.sums.add(lowest, (measure, group, ""), number, fresh=fresh)
            if unit and group and fresh:
                self._place_sums[unit, measure] += number
            if by_column and unit:
                desk.sums.add("", (measure, "", unit), number, fresh=fresh)

    def agrees(self, totals: Mapping[What, Number], area: str) -> str:
        """Say of what these are the sum, so far; empty if of nothing, or if there are none."""
        return self._desk.sums.agrees(totals, self._known(area)) if totals else ""

    def row(self, where: Where, shown: str, totals: Mapping[What, Number], area: str) -> None:
        """Log a row of totals: as furniture if it agrees, as a question if not."""
        log, area = self._desk.log, self._known(area)
        if told := self.agrees(totals, area):
            log.add(Furniture(where, f"a total, the sum {told}"))
        elif self._desk.decisions.given("total", where.sheet, shown) in (YES, LEAVE_OUT):
            log.add(Furniture(where, LEFT_OUT))
        else:
            question = Question("total", where.sheet, shown, self._asks(totals, area), choices=(LEAVE_OUT,))
            place = log.add(Questioned(where, (question,), shown))
            self._late.append(_Late(place, totals, area))
        self._desk.sums.total_stands()

    def of_place(self, where: Where, totals: Sequence[tuple[str, str, Number]]) -> None:
        """Log a row that is the total of its place; it is looked at when all rows of the place were seen."""
        place = self._desk.log.add(Furniture(where, "a total over the groups of its place"))
        self._of_places += [(place, *total) for total in totals]

    def end(self) -> None:
        """Hold the totals that stood above their rows against what came after."""
        for late in self._late:
            if late.totals and (told := self._desk.sums.agrees(late.totals, late.area)):
                self._desk.log.settle(late.place, f"a total, the sum {told}")
        self._late.clear()
        for place, unit, measure, total in self._of_places:
            added = self._place_sums.get((unit, measure), 0)
            if unit and added != total:
                self._question(place, unit, measure, (total, added))
        self._of_places.clear()

    def _question(self, place: int, unit: str, measure: str, differing: tuple[Number, Number]) -> None:
        stands, added = differing
        asks = f"The total of {measure} of {unit} is {stands}, and its rows add up to {added}: are the counts right?"
        question = Question("row-total", unit, f"{measure} {stands}", asks, choices=(YES,))
        if self._desk.decisions.answer(question) != YES:
            self._desk.log.question(place, question)
            self._desk.gathered.hold(unit, self._desk.log.outcomes[place].where)

    def _known(self, area: str) -> str:
        return "" if area == self._desk.plan.top.id else area

    def _asks(self, totals: Mapping[What, Number], area: str) -> str:
        found = self._desk.sums.difference(totals, area)
        if found is None:
            return "This total has no number that can be checked: may it be left out?"
        (measure, group, unit), stands, added = found
        told = " ".join(part for part in (measure, group, unit) if part)
        return f"The total of {told} is {stands}, and the rows add up to {added}: may the total be left out?"


def totals_in(row: Row, columns: Sequence[tuple[int, Column]], stage: str, key: Column) -> dict[What, Number]:
    """Give the numbers of a row of totals: by group, or by place where places stand above the columns."""
    found = dict[What, Number]()
    for place, column in columns:
        text = row.cells[place] if place < len(row.cells) else ""
        measure, group = column.measure or key.measure or stage, column.group or key.group
        if column.role != "count" or not text.strip():
            continue
        number = number_in(measure, text)
        if isinstance(number, int | Fraction) and (group or column.unit or measure in w.WITHOUT_GROUP):
            group = "" if column.unit or measure in w.WITHOUT_GROUP else group
            found[measure, group, column.unit] = number
    return found
