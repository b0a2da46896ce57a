"""Rows of a text file: delimiter and quotation mark are found out, and a torn row never takes others with it."""

from __future__ import annotations

import csv
import io
from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from tallyroom.importer.encoding import encoding_of
from tallyroom.importer.sheet import Row, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

    from tallyroom.importer.sheet import Limits

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_LINES = 200
SAMPLE_CHARACTERS = 200_000
_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text with its number; `fault` if it was too long to be kept."""

    number: int
    text: str
    fault: str = ""


class TornError(Exception):
    """A row that cannot be made of the lines that follow each other."""


def delimited(stream: BinaryIO, file: str, limits: Limits) -> Sheet:  # noqa: ARG001 - the shape of every reader
    """Read a text file as one sheet."""
    encoding = encoding_of(stream)
    stream.seek(encoding.mark)
    text = io.TextIOWrapper(stream, encoding=encoding.name, errors="replace", newline=None)
    lines = Lines(text, limits)
    delimiter, quote = lines.sniffed()
    told = f"text in {encoding.name}, cells between {_NAMES.get(delimiter, repr(delimiter))}"
    return Sheet("", told, _rows(lines, delimiter, quote, limits))


class Lines:
    """Lines of a text, handed to the csv module one by one, and taken back where a row is torn."""

    def __init__(self, text: io.TextIOWrapper, limits: Limits) -> None:
        self._text, self._limits = text, limits
        self._waiting: deque[Line] = deque()
        self._number, self._ended = 0, False
        self.taken: list[Line] = []
        """Lines of the row that is being read."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        line = self._waiting.popleft() if self._waiting else self._read()
        if line is None:
            raise StopIteration
        if self.taken and (line.fault or len(self.taken) > self._limits.record_lines):
            self._waiting.appendleft(line)
            raise TornError("a quotation mark is not closed")
        self.taken.append(line)
        if line.fault:
            raise TornError(line.fault)
        if sum(len(each.text) for each in self.taken) > self._limits.line_characters:
            raise TornError("a quotation mark is not closed")
        return line.text

    def tear(self) -> Line:
        """Give up the first line of the row, and let the others be read on their own."""
        first, *others = self.taken
        self._waiting.extendleft(reversed(others))
        return first

    def sniffed(self) -> tuple[str, str]:
        """Find delimiter and quotation mark from the first lines; a line `sep=;` says it itself."""
        sample, size = list[Line](), 0
        while len(sample) < SAMPLE_LINES and size < SAMPLE_CHARACTERS and (line := self._read()) is not None:
            sample.append(line)
            size += len(line.text)
        self._waiting.extend(sample)
        texts = [line.text for line in sample]
        if texts and texts[0].strip().strip('"').lower().startswith("sep=") and len(texts[0].strip().strip('"')) == 5:
            self._waiting.popleft()
            return texts[0].strip().strip('"')[4], '"'
        quote = "'" if sum(text.count("','") + text.count("';'") for text in texts) > len(texts) else '"'
        return max(DELIMITERS, key=lambda delimiter: _evenness(texts, delimiter, quote)), quote

    def _read(self) -> Line | None:
        if self._ended:
            return None
        limit = self._limits.line_characters
        text = self._text.readline(limit + 1)
        if not text:
            self._ended = True
            self._text.detach()  # it would close a stream that is not ours
            return None
        self._number += 1
        if len(text) <= limit or text.endswith("\n"):
            return Line(self._number, text)
        shown = text[:200]
        while text and not text.endswith("\n"):
            text = self._text.readline(limit)
        return Line(self._number, shown, f"the line is longer than {limit:,} characters")


def _evenness(texts: Sequence[str], delimiter: str, quote: str) -> tuple[int, int]:
    """How many rows of a sample are alike in width, and that width; (0, 0) where nothing is parted."""
    try:
        widths = Counter(len(row) for row in csv.reader(texts, delimiter=delimiter, quotechar=quote) if len(row) > 1)
    except csv.Error:
        return 0, 0
    if not widths:
        return 0, 0
    width, rows = max(widths.items(), key=lambda found: (found[1], found[0]))
    return rows, width


def _rows(lines: Lines, delimiter: str, quote: str, limits: Limits) -> Iterator[Row]:
    def begun() -> Iterator[list[str]]:
        return csv.reader(lines, delimiter=delimiter, quotechar=quote, strict=True)

    reader = begun()
    while True:
        lines.taken.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except (csv.Error, TornError) as error:
            first = lines.tear()
            reader = begun()
            yield Row(first.number, (first.text[:200].rstrip("\n"),), _told(error))
            continue
        yield _row(lines.taken[0].number, cells, limits)


def _told(error: Exception) -> str:
    text = str(error)
    if "unexpected end" in text:
        return "a quotation mark is not closed"
    if "expected after" in text:
        return "there is text after a closing quotation mark"
    return "a cell is too long" if "field limit" in text else text


def _row(line: int, cells: list[str], limits: Limits) -> Row:
    if len(cells) > limits.row_cells:
        return Row(line, tuple(cells[:20]), f"the row has {len(cells):,} cells, more than {limits.row_cells:,}")
    if any(len(cell) > limits.cell_characters for cell in cells):
        shown = tuple(cell[:200] for cell in cells[:20])
        return Row(line, shown, f"a cell is longer than {limits.cell_characters:,} characters")
    if any("\0" in cell for cell in cells):
        shown = tuple(cell.replace("\0", "\ufffd")[:200] for cell in cells)
        return Row(line, shown, "there are zero bytes in the row: it was damaged on the way")
    return Row(line, tuple(cells))
