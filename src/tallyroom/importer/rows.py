"""The rows of one table, read by its columns: each ends read, questioned, refused, or known for something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.importer import words as w
from tallyroom.importer.columns import ROLES, Column
from tallyroom.importer.counts import looks_like_number
from tallyroom.importer.decisions import LEAVE_OUT, YES
from tallyroom.importer.fold import tokens
from tallyroom.importer.found import Cells, Found, check_row_totals
from tallyroom.importer.outcomes import LEFT_OUT, Furniture, Question, Questioned, Refused
from tallyroom.importer.placed import Placed, area_of, placed
from tallyroom.importer.totalled import Totals, totals_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from tallyroom.importer.desk import Context, Desk
    from tallyroom.importer.outcomes import Outcome
    from tallyroom.importer.sheet import Row


class Table:
    """A table that was opened by a header.

    Args:
        desk: what rows are read with.
        sheet: name of the sheet.
        columns: what its columns hold.
        context: what titles and the sheet's name say.
        ragged: rows shorter than the header are usual: workbooks leave blank cells out.
    """

    def __init__(self, desk: Desk, sheet: str, columns: Sequence[Column], context: Context, *, ragged: bool) -> None:
        self._desk, self._sheet, self._columns, self._context, self._ragged = desk, sheet, columns, context, ragged
        self._by_role = {role: [place for place, column in enumerate(columns) if column.role == role] for role in ROLES}
        self._counting = [(place, column) for place, column in enumerate(columns) if column.role not in ROLES]
        self._grouped, self._staged = bool(self._by_role["group"]), bool(self._by_role["stage"])
        self._by_column = any(column.unit for column in columns)
        self._beside = any(
            _twice([columns[place].header for place in self._by_role[role]]) for role in ("place", "group")
        )
        self._above = Placed()
        self._area_trouble: Question | tuple[str, str] | None = None
        self._stage_trouble: Question | None = None
        self._area_above = self._stage_above = self._group_above = ""
        self._totals = Totals(desk)

    def row(self, row: Row) -> None:
        """Read one row and log how it ends."""
        if (odd := self._odd(row) or self._furniture(row)) is not None:
            self._desk.log.add(odd)
        elif heard := self._section(row):
            self._context = self._context.then(heard)
            self._desk.sums.section_begins()
            self._above, self._area_above, self._stage_above = Placed(), "", ""
            self._area_trouble = self._stage_trouble = None
            named = " ".join(part for part in (heard.area, heard.stage) if part)
            self._log(row, f"a heading: {named}")
        elif (area := self._total_of(row)) is not None:
            where = self._desk.where(self._sheet, row.line)
            self._totals.row(where, _shown(row), self._totals_in(row), area)
        else:
            self._counts(row)

    def end(self) -> None:
        """End the table."""
        self._totals.end()

    def _log(self, row: Row, what: str) -> None:
        self._desk.log.add(Furniture(self._desk.where(self._sheet, row.line), what))

    def _odd(self, row: Row) -> Outcome | None:
        """Rows that are not to be read before somebody has looked: hidden, cut off, or wider than the header."""
        where, shown = self._desk.where(self._sheet, row.line), _shown(row)
        beyond = [cell for cell in row.cells[len(self._columns) :] if cell.strip()]
        if beyond and (len(beyond) > 1 or self._numbers(row)):
            what = f"the row has cells beyond the header, such as {beyond[0][:40]!r}: its columns may be shifted"
            self._hold(row)
            return Refused(where, what, "Put a cell that holds a comma in quotation marks, or name the column.", shown)
        if self._beside and self._numbers(row):
            what = "two tables stand side by side: nobody can say which place a count belongs to"
            return Refused(where, what, "Put the tables below each other, or on sheets of their own.", shown)
        asks = ""
        if row.hidden:
            asks = "The row is hidden in the workbook: does it count?"
        elif not self._ragged and 1 < len(row.cells) < len(self._columns) and self._numbers(row):
            asks = f"The row has {len(row.cells)} of {len(self._columns)} cells: is it whole?"
        if not asks:
            return None
        question = Question("row", self._sheet, shown, asks, choices=(YES, LEAVE_OUT))
        answer = self._desk.decisions.answer(question)
        if answer == LEAVE_OUT:
            return Furniture(where, LEFT_OUT)
        if answer == YES:
            return None
        self._hold(row)
        return Questioned(where, (question,), shown)

    def _hold(self, row: Row) -> None:
        """Hold back the places of a row that is not read."""
        meant = self._place(row).meant
        for unit in {meant, *(column.unit for _, column in self._counting)} - {""}:
            self._desk.gathered.hold(unit, self._desk.where(self._sheet, row.line))

    def _furniture(self, row: Row) -> Furniture | None:
        """Rows that count nothing: the header again, percentages, a footnote."""
        where = self._desk.where(self._sheet, row.line)
        told = [(" ".join(cell.split()), column) for cell, column in zip(row.cells, self._columns, strict=False)]
        told = [(cell, column) for cell, column in told if cell]
        if len(told) > 1 and all(column.header.endswith(cell) for cell, column in told):
            return Furniture(where, "the header again")
        counting = [row.cells[place].strip() for place, _ in self._counting if place < len(row.cells)]
        counting = [cell for cell in counting if cell]
        if counting and all(cell.endswith("%") for cell in counting) and not self._cell(row, "place"):
            return Furniture(where, "percentages")
        texts = [cell.strip() for cell in row.cells if cell.strip()]
        if len(texts) == 1 and not looks_like_number(texts[0]) and not self._names_unit(texts[0]):
            return None if self._desk.heard(texts[0]) else Furniture(where, f"a note: {texts[0][:80]!r}")
        return None

    def _cell(self, row: Row, role: str) -> str:
        """The first cell of that role that is not blank."""
        texts = (row.cells[place].strip() for place in self._by_role[role] if place < len(row.cells))
        return next((text for text in texts if text), "")

    def _numbers(self, row: Row) -> bool:
        return any(place < len(row.cells) and looks_like_number(row.cells[place]) for place, _ in self._counting)

    def _names_unit(self, text: str) -> bool:
        return bool(self._desk.places.certain(text, self._desk.within(self._context.area)))

    def _section(self, row: Row) -> Context | None:
        """What a row says that has no counts and names only an area or a stage."""
        texts = [cell for cell in row.cells if cell.strip()]
        if len(texts) > 2 or self._numbers(row) or (len(texts) == 1 and self._names_unit(texts[0])):
            return None
        return self._desk.heard(" ".join(texts))

    def _total_of(self, row: Row) -> str | None:
        """The area that a row is the total of; empty for all above, None if it is no total."""
        roles = ("group",) if self._by_column else ("place", "area", "code")
        texts = [text for role in roles if (text := self._cell(row, role))]
        told = [text for text in texts if _says_total(text) and not self._names_unit(text)]
        if not told or not self._numbers(row):
            return None
        spoken = (word for text in dict.fromkeys(texts) for word in tokens(text))
        return self._desk.area_in(tuple(word for word in spoken if word not in w.TOTAL))

    def _totals_in(self, row: Row) -> dict[tuple[str, str, str], int | Fraction]:
        named = self._cell(row, "group") if self._grouped and not self._by_column else ""
        key = self._desk.headings.read((named,)) if named else Column("", "count")
        return totals_in(row, self._counting, self._stage(row)[0], key)

    def _place(self, row: Row) -> Placed:
        """Which place the row reports on, with its area."""
        if self._by_column:
            return Placed(area=self._context.area)
        area, trouble = self._area(row)
        if trouble is not None:
            asked = trouble if isinstance(trouble, Question) else None
            self._above = Placed(area=area, question=asked, refusal=None if isinstance(trouble, Question) else trouble)
            return self._above
        name, code = self._name(row, area), self._cell(row, "code")
        below = self._cell(row, "group") or self._cell(row, "stage")
        if not name and not code and below and self._above != Placed():
            return self._above
        self._above = placed(self._desk, name, code, area)
        return self._above

    def _name(self, row: Row, area: str) -> str:
        """The cell that names the place: of several (a precinct, and where it met), the one that the plan knows."""
        texts = [row.cells[place].strip() for place in self._by_role["place"] if place < len(row.cells)]
        texts = [text for text in texts if text]
        within = self._desk.within(area)
        known = [text for text in texts if len(texts) > 1 and self._desk.places.certain(text, within)]
        return (known or texts or [""])[0]

    def _area(self, row: Row) -> tuple[str, Question | tuple[str, str] | None]:
        """The area that the row names; where its cell is blank, the one above it."""
        area = self._context.area
        for place in self._by_role["area"]:
            text = row.cells[place].strip() if place < len(row.cells) else ""
            if not text:
                continue
            found, trouble = area_of(self._desk, text, deepest=self._columns[place].measure == "deepest")
            self._area_trouble = trouble
            if trouble is not None:
                return area, trouble
            area = found or area
            self._area_above = area
        blank = self._by_role["area"] and not self._cell(row, "area")
        return ((self._area_above or area), self._area_trouble) if blank else (area, None)

    def _stage(self, row: Row) -> tuple[str, Question | None]:
        """Which count the row is of; empty if neither the row nor what stands above says so."""
        text = self._cell(row, "stage")
        if not text:
            return self._stage_above or self._context.stage, self._stage_trouble
        self._stage_trouble = None
        words = self._desk.headings.words
        measure, rest = words.measure(tokens(text))
        answer = self._desk.decisions.given("stage", "", text)
        if measure and all(word in w.NOISE for word in rest):
            answer = measure
        if answer in words.stages | {w.ATTENDANCE, w.DELEGATES, w.VALUE, w.VIABILITY}:
            self._stage_above = answer
            return answer, None
        proposal = measure or words.measure_perhaps(tokens(text))[0]
        asks = f"Which count is {text[:60]!r}?"
        self._stage_above = ""
        self._stage_trouble = Question("stage", "", text, asks, proposal, tuple(sorted(words.stages)))
        return "", self._stage_trouble

    def _group(self, row: Row, found: Found) -> Column:
        """Which group the row is of, where a column says so."""
        if not self._grouped:
            return Column("", "count")
        text = self._cell(row, "group") or self._group_above
        self._group_above = text if self._staged else ""
        if not text:
            found.refusals.append(("there is a count, but no group is named", "Name the group."))
            return Column("", "count")
        answer = self._desk.decisions.given("group", "", text)
        if answer in self._desk.plan.groups:
            return Column(text, "count", group=answer)
        key = self._desk.headings.read((text,))
        if answer == LEAVE_OUT or key.role in ("percent", "aside"):
            found.aside = LEFT_OUT if answer == LEAVE_OUT else f"no counts: {text[:60]!r}"
        elif key.question is not None and key.group:
            group = self._desk.plan.groups[key.group]
            asks = f"Is {text[:60]!r} the group {group.name} ({group.id})?"
            found.questions.append(Question("group", "", text, asks, group.id))
        elif key.role != "total" and not (key.certain and (key.group or key.measure in w.WITHOUT_GROUP)):
            remedy = "Correct the name, or decide it with a line `group` in the decisions."
            found.refusals.append((f"{text[:60]!r} is no group of the contest", remedy))
        return Column(key.header, key.role if key.role == "total" else "count", key.measure, key.group)

    def _counts(self, row: Row) -> None:
        """Read a row of counts."""
        found, place = Found(), self._place(row)
        stage, question = self._stage(row)
        key = self._group(row, found)
        if place.left_out or found.aside:
            self._log(row, found.aside or LEFT_OUT)
            return
        if not (place.unit or self._by_column) and self._sum_without_name(row):
            self._log(row, "a total, the sum of rows above")
            return
        named = self._desk.areas.certain(self._cell(row, "place")) if place.refusal is not None else ()
        area = named[0] if len(named) == 1 else ""
        if area and (totals := self._totals_in(row)):
            self._totals.row(self._desk.where(self._sheet, row.line), _shown(row), totals, area)
            return
        if place.refusal is not None:
            found.refusals.append(place.refusal)
        asked = (place.question, question if not key.measure else None)
        found.questions += [each for each in asked if each is not None]
        if place.meant:
            found.units.append(place.meant)
        Cells(self._desk, place.unit, stage, key, found).take(row, self._counting)
        if not self._grouped:
            check_row_totals(self._desk, place.meant, found)
        self._totals.add(found.numbers, place.area, by_column=self._by_column)
        self._conclude(row, place, found)

    def _sum_without_name(self, row: Row) -> bool:
        """Whether a row that names no place, or an area in its stead, is the sum of rows above."""
        name = self._cell(row, "place")
        area, totals = self._desk.area_in(tokens(name)) if name else "", self._totals_in(row)
        return bool(area or not name) and any(totals.values()) and bool(self._totals.agrees(totals, area))

    def _conclude(self, row: Row, place: Placed, found: Found) -> None:
        """Say how a row of counts ends."""
        desk, where = self._desk, self._desk.where(self._sheet, row.line)
        units = tuple(dict.fromkeys(found.units))
        if self._grouped and found.totals and not (found.numbers or found.refusals or found.questions):
            self._totals.of_place(where, found.totals)
            return
        if not found.refusals and not found.questions:
            desk.gathered.take(found.counts, where, units, place.note)
            return
        for unit in units:
            desk.gathered.hold(unit, where)
        if found.refusals:
            reasons = list(dict.fromkeys(reason for reason, _ in found.refusals))
            told = "; ".join(reasons[:4]) + ("; and more" if len(reasons) > 4 else "")
            desk.log.add(Refused(where, told, found.refusals[0][1], _shown(row)))
        else:
            desk.log.add(Questioned(where, tuple(dict.fromkeys(found.questions)), _shown(row)))


def _twice(headers: Sequence[str]) -> bool:
    return len({tokens(header) for header in headers}) < len(headers)


def _says_total(text: str) -> bool:
    spoken = set(tokens(text))
    return bool(spoken & w.SURE_TOTAL) or (bool(spoken & {"all", "grand", "overall"}) and spoken <= w.TOTAL | w.PLACE)


def _shown(row: Row) -> str:
    """A row in a few words, for whoever looks for it."""
    return " | ".join(cell.strip()[:40] for cell in row.cells if cell.strip())[:160]
