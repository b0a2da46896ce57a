"""Rows of an XLSX workbook, streamed; the values that it stores, never a formula worked out again."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallyroom.importer.packed import Begin, End, Text
from tallyroom.importer.sheet import Row, Sheet, unreadable
from tallyroom.importer.written import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallyroom.importer.packed import Packed
    from tallyroom.importer.sheet import Limits

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


@dataclass(slots=True)
class _Book:
    """What all sheets share: texts, number formats, and the day that dates count from."""

    texts: list[str] = field(default_factory=list[str])
    codes: dict[int, str] = field(default_factory=dict[int, str])
    styles: list[int] = field(default_factory=list[int])
    from_1904: bool = False


@dataclass(slots=True)
class _Cell:
    """A cell while it is read."""

    column: int
    kind: str
    style: int
    value: list[str] = field(default_factory=list[str])
    formula: list[str] = field(default_factory=list[str])
    inline: list[str] = field(default_factory=list[str])


def xlsx(packed: Packed, limits: Limits) -> Iterator[Sheet]:
    """Give the sheets of an XLSX workbook, in their order, hidden ones too (their rows say so)."""
    book = _Book()
    parts = _parts(packed, book)
    if len(parts) > limits.sheets:
        what = f"the workbook has {len(parts):,} sheets, more than {limits.sheets:,}"
        raise unreadable(what, "Save the sheets with counts in a workbook of their own.", packed.file)
    _read_styles(packed, book)
    _read_texts(packed, book, limits)
    for name, part, hidden in parts:
        yield Sheet(name, "XLSX", _rows(packed, part, book, limits, hidden=hidden))


def _parts(packed: Packed, book: _Book) -> list[tuple[str, str, bool]]:
    """Name, part and hiding of every worksheet."""
    targets, listed = dict[str, str](), list[tuple[str, str, bool]]()
    if "xl/_rels/workbook.xml.rels" in packed.names:
        for event in packed.events("xl/_rels/workbook.xml.rels"):
            if isinstance(event, Begin) and event.tag == "Relationship":
                target = event.attributes.get("Target", "")
                path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
                targets[event.attributes.get("Id", "")] = path
    for event in packed.events("xl/workbook.xml"):
        if not isinstance(event, Begin):
            continue
        if event.tag == "workbookPr":
            book.from_1904 = event.attributes.get("date1904", "0") in ("1", "true")
        elif event.tag == "sheet":
            name, part = event.attributes.get("name", ""), targets.get(event.attributes.get("id", ""), "")
            if "chartsheet" not in part and "dialogsheet" not in part:
                listed.append((name, part, event.attributes.get("state", "visible") != "visible"))
    for name, part, _ in listed:
        if part not in packed.names:
            raise packed.damaged(f"sheet {name!r} is missing")
    if not listed:
        raise packed.damaged("it has no sheet")
    return listed


def _read_styles(packed: Packed, book: _Book) -> None:
    if "xl/styles.xml" not in packed.names:
        return
    inside = False
    for event in packed.events("xl/styles.xml"):
        if isinstance(event, Begin):
            number = _number(event.attributes.get("numFmtId", ""))
            if event.tag == "numFmt":
                book.codes[number] = event.attributes.get("formatCode", "")
            elif event.tag == "cellXfs":
                inside = True
            elif event.tag == "xf" and inside:
                book.styles.append(number)
        elif isinstance(event, End) and event.tag == "cellXfs":
            inside = False


def _read_texts(packed: Packed, book: _Book, limits: Limits) -> None:
    if "xl/sharedStrings.xml" not in packed.names:
        return
    pieces, wanted, spoken, size = list[str](), False, False, 0
    for event in packed.events("xl/sharedStrings.xml"):
        if isinstance(event, Text):
            if wanted and not spoken:
                pieces.append(event.text)
                size += len(event.text)
        elif event.tag == "si":
            if isinstance(event, End):
                book.texts.append(_unescaped("".join(pieces)))
                size += 50
            pieces = []
        elif event.tag == "t":
            wanted = isinstance(event, Begin)
        elif event.tag == "rPh":  # how a text is pronounced, not what it says
            spoken = isinstance(event, Begin)
        if size > limits.kept_bytes:
            what = f"the workbook has more than {limits.kept_bytes:,} letters of text"
            raise unreadable(what, "Save the sheets with counts in a workbook of their own.", packed.file)


def _rows(packed: Packed, part: str, book: _Book, limits: Limits, *, hidden: bool) -> Iterator[Row]:
    reading = _Reading(book, limits, hidden=hidden)
    for event in packed.events(part):
        if isinstance(event, Begin):
            reading.begin(event)
        elif isinstance(event, Text):
            reading.text(event.text)
        elif (row := reading.end(event.tag)) is not None:
            yield row


class _Reading:
    """The row of a sheet that is being read."""

    def __init__(self, book: _Book, limits: Limits, *, hidden: bool) -> None:
        self._book, self._limits, self._hidden = book, limits, hidden
        self._columns = frozenset[int]()
        self._line, self._row_hidden, self._fault = 0, False, ""
        self._cells: dict[int, str] = {}
        self._next = 0
        self._cell: _Cell | None = None
        self._into: list[str] | None = None
        self._length = 0

    def begin(self, event: Begin) -> None:
        """Take an opening tag."""
        tag, attributes = event.tag, event.attributes
        if tag == "row":
            self._line = _number(attributes.get("r", "")) or self._line + 1
            self._row_hidden = self._hidden or attributes.get("hidden", "0") in ("1", "true")
            self._cells, self._next, self._fault = {}, 0, ""
        elif tag == "c":
            found = _REFERENCE.fullmatch(attributes.get("r", ""))
            column = _column(found[1]) if found else self._next
            self._next = column + 1
            self._cell = _Cell(column, attributes.get("t", "n"), _number(attributes.get("s", "")))
            self._length = 0
        elif tag == "col" and attributes.get("hidden", "0") in ("1", "true"):
            first, last = _number(attributes.get("min", "")), _number(attributes.get("max", ""))
            self._columns |= set(range(first - 1, min(last, self._limits.row_cells)))
        elif self._cell is not None and tag in ("v", "f", "t"):
            self._into = {"v": self._cell.value, "f": self._cell.formula, "t": self._cell.inline}[tag]
        elif tag == "rPh":
            self._into = None

    def text(self, text: str) -> None:
        """Take text."""
        if self._into is None:
            return
        self._length += len(text)
        if self._length > self._limits.cell_characters:
            self._fault = f"a cell is longer than {self._limits.cell_characters:,} characters"
            return
        self._into.append(text)

    def end(self, tag: str) -> Row | None:
        """Take a closing tag; give the row that it ends."""
        if tag in ("v", "f", "t"):
            self._into = None
        elif tag == "c" and self._cell is not None:
            self._close(self._cell)
            self._cell = None
        elif tag == "row":
            width = 1 + max(self._cells, default=-1)
            cells = tuple(self._cells.get(column, "") for column in range(width))
            return Row(self._line, cells, self._fault, self._row_hidden, self._columns)
        return None

    def _close(self, cell: _Cell) -> None:
        text = self._written(cell)
        if not text:
            return
        if cell.column >= self._limits.row_cells:
            self._fault = f"the row has more than {self._limits.row_cells:,} cells"
            return
        self._cells[cell.column] = text

    def _written(self, cell: _Cell) -> str:
        value, book = "".join(cell.value), self._book
        if cell.kind == "inlineStr":
            return _unescaped("".join(cell.inline))
        if not value:
            return "=" + "".join(cell.formula) if cell.formula else ""
        if cell.kind == "s":
            place = _number(value)
            if place >= len(book.texts):
                self._fault = "a cell names a text that the workbook does not have"
                return "?"
            return book.texts[place]
        if cell.kind == "b":
            return "TRUE" if value.strip() == "1" else "FALSE"
        if cell.kind == "n":
            number = book.styles[cell.style] if cell.style < len(book.styles) else 0
            return shown(value, book.codes.get(number, ""), number, from_1904=book.from_1904)
        return _unescaped(value)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number - 1


def _number(text: str) -> int:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _unescaped(text: str) -> str:
    """Undo the escapes of letters that XML cannot hold; half a letter is none."""
    if "_x" not in text:
        return text
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
