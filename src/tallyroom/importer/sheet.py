"""One stream of rows of text cells, whatever a file is: CSV in any code page, XLSX or ODS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from tallyroom.faults import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may hold at most; anything larger is refused in a sentence, before it fills the memory.

    Attributes:
        line_characters: of one line of text.
        cell_characters: of one cell.
        row_cells: cells of one row.
        record_lines: line breaks inside one quoted cell; more mean a quotation mark that was never closed.
        sheets: of one workbook.
        unpacked_bytes: of all parts of a workbook that are read.
        kept_bytes: of the parts of a workbook that are held in memory (its texts).
        outcomes: questions, and rows that are refused or furniture, those that follow each other and say the same
            counted once; a file with more is none of this contest. (Rows read are as many as the plan has counts.)
    """

    line_characters: int = 1_000_000
    cell_characters: int = 100_000
    row_cells: int = 10_000
    record_lines: int = 50
    sheets: int = 200
    unpacked_bytes: int = 200_000_000
    kept_bytes: int = 40_000_000
    outcomes: int = 100_000


LIMITS = Limits()
"""The limits that hold unless a test sets others."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        line: line of a text file where the row begins, or number of a workbook's row; from 1.
        cells: as text: numbers without noise (`12`, not `12.0`), percentages with their sign.
        fault: why the row cannot be read at all; empty if it can.
        hidden: the row, or its sheet, is hidden in the workbook.
        hidden_columns: places of cells, from 0, that stand in hidden columns.
    """

    line: int
    cells: tuple[str, ...]
    fault: str = ""
    hidden: bool = False
    hidden_columns: frozenset[int] = frozenset()

    @property
    def blank(self) -> bool:
        """Whether nothing is written in it."""
        return not self.fault and not any(cell.strip() for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of a file: its name (empty in a text file), how it was read, and its rows, to be gone through once."""

    name: str
    form: str
    rows: Iterator[Row]


class UnreadableError(InputError):
    """A file, or the rest of one, is no table: damaged, of another kind, or beyond a limit."""


def unreadable(what: str, remedy: str, file: str) -> UnreadableError:
    """Give the error of a file that is no table."""
    return UnreadableError(Fault(what, remedy, file))


SAVE_AS = "Save it as XLSX, ODS or CSV, and import that."
_OTHER_KINDS = (
    (b"\xd0\xcf\x11\xe0", "this is an old Excel workbook (XLS), or one locked with a password"),
    (b"%PDF", "this is a PDF"),
    (b"\x1f\x8b", "this is packed with gzip"),
    (b"BZh", "this is packed with bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "this is packed with 7-Zip"),
    (b"Rar!", "this is packed with RAR"),
    (b"\x89PNG", "this is a picture"),
    (b"\xff\xd8\xff", "this is a picture"),
    (b"GIF8", "this is a picture"),
    (b"{\\rtf", "this is a text document (RTF)"),
    (b"SQLite format 3\x00", "this is a database"),
)


def sheets(stream: BinaryIO, file: str, limits: Limits = LIMITS) -> Iterator[Sheet]:
    """Give the sheets of a file; go through the rows of one before asking for the next.

    Args:
        stream: the file's bytes, seekable: they are looked at twice.
        file: its name, for sentences.
        limits: what it may hold at most.

    Raises:
        UnreadableError: it is no table. Also raised while rows are gone through, where a file breaks off.
    """
    from tallyroom.importer.delimited import delimited  # noqa: PLC0415 - a workbook needs no csv, and the reverse
    from tallyroom.importer.workbook import workbook  # noqa: PLC0415 - the same

    beginning = stream.read(1024)
    if not beginning:
        raise unreadable("the file is empty", "Ask the sender for it again.", file)
    for magic, what in _OTHER_KINDS:
        if beginning.startswith(magic):
            raise unreadable(what, SAVE_AS, file)
    stream.seek(0)
    if beginning.startswith(b"PK"):
        yield from workbook(stream, file, limits)
        return
    text = beginning.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith((b"<html", b"<!doctype", b"<table", b"<?xml", b"mime-version:")):
        raise unreadable("this is a page of HTML or XML, whatever its name says", SAVE_AS, file)
    yield delimited(stream, file, limits)
