"""Rows of an ODS workbook, streamed; repeated cells and rows as often as they stand, as far as anything is in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallyroom.importer.packed import Begin, End, Text
from tallyroom.importer.sheet import Row, Sheet, unreadable
from tallyroom.importer.written import decimal_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallyroom.importer.packed import Packed
    from tallyroom.importer.sheet import Limits

_CELLS = ("table-cell", "covered-table-cell")
REPEATED_ROWS = 100
"""No county has the same row with text in it so many times below each other."""


@dataclass(slots=True)
class _Cell:
    """A cell while it is read."""

    attributes: dict[str, str]
    paragraphs: list[str] = field(default_factory=list[str])
    length: int = 0


def ods(packed: Packed, limits: Limits) -> Iterator[Sheet]:
    """Give the sheets of an ODS workbook, in their order."""
    if "content.xml" not in packed.names:
        raise packed.damaged("it has no content")
    if any(b"encryption-data" in piece for piece in _manifest(packed)):
        raise unreadable("the workbook is locked with a password", "Save it without one.", packed.file)
    events = packed.events("content.xml")
    hidden_styles, style, count = set[str](), "", 0
    for event in events:
        if not isinstance(event, Begin):
            continue
        if event.tag == "style":
            style = event.attributes.get("name", "")
        elif event.tag == "table-properties" and event.attributes.get("display") == "false":
            hidden_styles.add(style)
        elif event.tag == "table":
            count += 1
            if count > limits.sheets:
                what = f"the workbook has more than {limits.sheets:,} sheets"
                raise unreadable(what, "Save the sheets with counts in a workbook of their own.", packed.file)
            hidden = event.attributes.get("style-name", "") in hidden_styles
            yield Sheet(event.attributes.get("name", ""), "ODS", _Reading(limits, hidden=hidden).rows(events))
    if not count:
        raise packed.damaged("it has no sheet")


def _manifest(packed: Packed) -> Iterator[bytes]:
    return packed.part("META-INF/manifest.xml") if "META-INF/manifest.xml" in packed.names else iter(())


class _Reading:
    """The table that is being read."""

    def __init__(self, limits: Limits, *, hidden: bool) -> None:
        self._limits, self._hidden = limits, hidden
        self._line, self._repeat, self._row_hidden, self._fault = 1, 1, False, ""
        self._cells: list[str] = []
        self._blanks = 0
        self._cell: _Cell | None = None
        self._aside = 0
        self._in_paragraph = False

    def rows(self, events: Iterator[Begin | End | Text]) -> Iterator[Row]:
        """Give the rows up to the end of the table."""
        for event in events:
            if isinstance(event, Begin):
                self._begin(event)
            elif isinstance(event, Text):
                self._text(event.text)
            elif self._aside:
                self._aside -= 1
            elif event.tag == "table":
                return
            elif event.tag == "table-row":
                yield from self._row()
            else:
                self._end(event.tag)

    def _begin(self, event: Begin) -> None:
        tag, attributes = event.tag, event.attributes
        if self._aside or tag in ("annotation", "table", "shapes"):  # what is pinned to a cell is not its content
            self._aside += 1
        elif tag == "table-row":
            self._repeat = _repeats(attributes, "number-rows-repeated")
            self._row_hidden = self._hidden or attributes.get("visibility", "visible") != "visible"
            self._cells, self._blanks, self._fault = [], 0, ""
        elif tag in _CELLS:
            self._cell = _Cell(attributes)
        elif self._cell is not None and tag == "p":
            self._cell.paragraphs.append("")
            self._in_paragraph = True
        elif tag == "s":
            self._text(" " * min(_repeats(attributes, "c"), 100))
        elif tag in ("tab", "line-break"):
            self._text(" ")

    def _text(self, text: str) -> None:
        if self._cell is None or self._aside or not self._in_paragraph:
            return
        self._cell.length += len(text)
        if self._cell.length > self._limits.cell_characters:
            self._fault = f"a cell is longer than {self._limits.cell_characters:,} characters"
            return
        self._cell.paragraphs[-1] += text

    def _end(self, tag: str) -> None:
        if tag == "p":
            self._in_paragraph = False
        elif tag in _CELLS and self._cell is not None:
            text, times = _written(self._cell), _repeats(self._cell.attributes, "number-columns-repeated")
            self._cell = None
            if not text:
                self._blanks += times
            elif len(self._cells) + self._blanks + times > self._limits.row_cells:
                self._fault = f"the row has more than {self._limits.row_cells:,} cells"
            else:
                self._cells += [""] * self._blanks + [text] * times
                self._blanks = 0

    def _row(self) -> Iterator[Row]:
        """The row that ends here, as often as it is repeated; a run of blank rows is one."""
        first, self._line = self._line, self._line + self._repeat
        row = Row(first, tuple(self._cells), self._fault, self._row_hidden)
        if row.blank:
            yield row
        elif self._repeat > REPEATED_ROWS:
            yield Row(first, row.cells[:20], f"the row is repeated {self._repeat:,} times", self._row_hidden)
        else:
            for line in range(first, self._line):
                yield Row(line, row.cells, row.fault, row.hidden)


def _written(cell: _Cell) -> str:
    kind, attributes = cell.attributes.get("value-type", ""), cell.attributes
    read = "\n".join(cell.paragraphs)
    if kind in ("float", "currency"):
        plain = decimal_text(attributes.get("value", ""))
        padded = read.isascii() and read.isdigit() and plain is not None and read.lstrip("0") == plain.lstrip("0")
        return read if plain is None or padded else plain
    if kind == "percentage":
        plain = decimal_text(attributes.get("value", "") + "e2")
        return read if plain is None else f"{plain}%"
    if kind == "date":
        return attributes.get("date-value", read).removesuffix("T00:00:00")
    if kind == "boolean":
        return attributes.get("boolean-value", read).upper()
    if not read and attributes.get("formula"):
        return "=" + attributes["formula"].removeprefix("of:").lstrip("=")
    return read or attributes.get("string-value", "")


def _repeats(attributes: dict[str, str], name: str) -> int:
    text = attributes.get(name, "1")
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 10 else 1
