"""One sheet, row by row: titles, headers wherever they stand, one table after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.importer.columns import ROLES, Column, arranged, usable
from tallyroom.importer.counts import looks_like_number
from tallyroom.importer.outcomes import Furniture, Refused
from tallyroom.importer.rows import Table
from tallyroom.importer.words import WITHOUT_GROUP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallyroom.importer.desk import Context, Desk
    from tallyroom.importer.sheet import Row

HEADER_ROWS = 3
"""A header has so many rows at most."""
WAITING = 40
"""So many rows may stand above a header and not be known yet for titles."""
HEADER_CELLS = 2_000


@dataclass(frozen=True, slots=True)
class _Header:
    """The best header among the rows that wait: where it begins and ends, its columns, how good it is."""

    first: int
    last: int
    columns: tuple[Column, ...]
    worth: int


class Page:
    """A sheet that is being read."""

    def __init__(self, desk: Desk, sheet: str, context: Context, *, ragged: bool) -> None:
        self._desk, self._sheet, self._ragged = desk, sheet, ragged
        self._named = context.then(desk.heard(sheet))
        self._context = self._named
        self._table: Table | None = None
        self._waiting: list[Row] = []
        self._header: _Header | None = None

    def row(self, row: Row) -> None:
        """Take one row."""
        if row.fault:
            self._flush()
            remedy = "Correct the row and import the file again."
            shown = " | ".join(row.cells)[:160]
            self._desk.log.add(Refused(self._desk.where(self._sheet, row.line), row.fault, remedy, shown))
        elif row.blank:
            if self._waiting:
                self._waiting.append(row)
            else:
                self._blank(row)
        elif any(looks_like_number(cell) for cell in row.cells) and (self._table is not None or self._header):
            self._open()
            assert self._table is not None, "a header waits, or a table is open"
            self._table.row(row)
        else:
            self._wait(row)

    def end(self) -> None:
        """End the sheet."""
        if self._header is not None:
            self._open()
        self._flush()
        if self._table is not None:
            self._table.end()

    def _wait(self, row: Row) -> None:
        """Keep a row until it is known whether it is part of a header."""
        self._waiting.append(row)
        if len(self._waiting) > WAITING and self._header is None:
            self._settle(self._waiting.pop(0))
        elif len(self._waiting) > WAITING:
            self._open()
            return
        for rows in range(1, HEADER_ROWS + 1):
            first = len(self._waiting) - rows
            if first >= 0 and (found := self._read(self._waiting[first:])):
                worth = usable(found)
                if worth and (self._header is None or worth > self._header.worth):
                    self._header = _Header(first, len(self._waiting), found, worth)

    def _read(self, rows: Sequence[Row]) -> tuple[Column, ...]:
        """Read rows as a header; nothing if no word of theirs stands in headers."""
        told = [row.cells for row in rows]
        if any(len(cells) > HEADER_CELLS or sum(len(cell) for cell in cells) > 100_000 for cells in told):
            return ()
        if not self._desk.headings.telling(told[-1]) and not any(self._desk.headings.telling(cells) for cells in told):
            return ()
        width = max(len(cells) for cells in told)
        parts = [_filled(cells, width, last=number == len(told) - 1) for number, cells in enumerate(told)]
        return arranged([self._column(place, [cells[place] for cells in parts]) for place in range(width)])

    def _column(self, place: int, parts: Sequence[str]) -> Column:
        """Read one heading; a column without any is called by its letters."""
        if any(part.strip() for part in parts):
            # A merged heading reaches over blanks to its right, but not over a column that speaks for itself.
            own = self._desk.headings.read(parts[-1:])
            alone = own.certain and (own.role in ROLES or own.measure in WITHOUT_GROUP)
            return own if alone else self._desk.headings.read(parts)
        name = f"column {_letters(place)}"
        answer = self._desk.decisions.given("column", "", name)
        return self._desk.headings.answered(name, answer) if answer else Column(name, "unknown")

    def _open(self) -> None:
        """Open the table whose header waits; without one, give what waits to the table that is open."""
        header, waiting = self._header, self._waiting
        self._header, self._waiting = None, []
        if header is None:
            for row in waiting:
                self._settle(row)
            return
        for row in waiting[: header.first]:
            self._settle(row)
        if self._table is not None:
            self._table.end()
            self._context = self._named
        for row in waiting[: header.first]:
            self._context = self._context.then(self._desk.heard(" ".join(cell for cell in row.cells if cell.strip())))
        for row in waiting[header.first : header.last]:
            self._note(row, _header_told(header.columns) if row is waiting[header.last - 1] else "the header")
        self._desk.tables += 1
        self._table = Table(self._desk, self._sheet, header.columns, self._context, ragged=self._ragged)
        for row in waiting[header.last :]:
            self._settle(row)

    def _flush(self) -> None:
        header = self._header
        if header is not None:
            self._open()
        waiting, self._waiting = self._waiting, []
        for row in waiting:
            self._settle(row)

    def _settle(self, row: Row) -> None:
        """Give a row that is no header to the table, or call it a title."""
        if row.blank:
            self._blank(row)
        elif self._table is not None:
            self._table.row(row)
        elif sum(looks_like_number(cell) for cell in row.cells) > 1:
            what = "there are numbers, but no header above them says what they count"
            remedy = "Put a row above that names the place and the groups."
            shown = " | ".join(cell for cell in row.cells if cell.strip())[:160]
            self._desk.log.add(Refused(self._desk.where(self._sheet, row.line), what, remedy, shown))
        else:
            text = " ".join(cell.strip() for cell in row.cells if cell.strip())
            self._context = self._context.then(self._desk.heard(text))
            self._note(row, f"a title: {text[:80]!r}")

    def _blank(self, row: Row) -> None:
        self._note(row, "blank")

    def _note(self, row: Row, what: str) -> None:
        self._desk.log.add(Furniture(self._desk.where(self._sheet, row.line), what))


def _header_told(columns: Sequence[Column]) -> str:
    """Name the columns that are not read: what is left out is said."""
    aside = [column.header for column in columns if column.role in ("aside", "percent", "unknown") and column.header]
    return f"the header; not counted: {', '.join(aside)[:200]}" if aside else "the header"


def _filled(cells: Sequence[str], width: int, *, last: bool) -> list[str]:
    """Cells of a header row; above the last row, a merged heading also stands over the blanks to its right."""
    found = [cell.strip() for cell in cells] + [""] * (width - len(cells))
    if last:
        return found
    standing = ""
    for place, cell in enumerate(found):
        standing = cell or standing
        found[place] = standing
    return found


def _letters(place: int) -> str:
    """Name a column as spreadsheets do: A to Z, then AA."""
    letters, number = "", place + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
