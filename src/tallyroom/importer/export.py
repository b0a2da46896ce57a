"""Tables for spreadsheets: leading zeros stay, and no cell can act as a formula."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, BinaryIO, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PLAIN_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a cell begins that a spreadsheet may run (OWASP, CSV injection)."""
CELL_CHARACTERS = 32_767
"""A cell of a workbook holds no more."""
ROWS = 1_048_576
"""A sheet of a workbook holds no more."""


def neutral(cell: str) -> str:
    """Put an apostrophe before a cell that a spreadsheet would take for a formula; plain numbers stay as they are.

    Blanks before the sign do not hide it from a spreadsheet, nor from here.
    """
    if _PLAIN_NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}" if cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA) else cell


def write_csv(headings: Sequence[str], rows: Iterable[Sequence[str]], out: TextIO) -> None:
    """Write a table as CSV (RFC 4180, lines end in CR LF).

    Text stays text letter for letter, leading zeros too; a spreadsheet that opens the file by double click may still
    drop them, which only a workbook prevents.
    """
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([neutral(cell) for cell in headings])
    for row in rows:
        writer.writerow([neutral(cell) for cell in row])


def csv_bytes(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Give a table as CSV in UTF-8 with a byte-order mark, by which spreadsheets know UTF-8."""
    out = io.StringIO(newline="")
    write_csv(headings, rows, out)
    return out.getvalue().encode("utf-8-sig", "replace")


def write_xlsx(headings: Sequence[str], rows: Iterable[Sequence[str]], out: BinaryIO, sheet: str = "Tallyroom") -> None:
    """Write a table as XLSX, a row at a time.

    Plain numbers become numbers, so that they can be added up. Everything else is a text cell, which no program runs:
    `007`, `3-1` and `=1+1` stay what they are.

    Raises:
        ValueError: more rows or longer cells than a workbook can hold; nothing is cut off.
    """
    from xlsxwriter import Workbook  # noqa: PLC0415 - only a workbook needs it

    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = Workbook(out, {**options, "strings_to_numbers": False})
    try:
        page = book.add_worksheet(sheet)  # pyright: ignore[reportUnknownMemberType] - the library has no types
        text = book.add_format({"num_format": "@"})  # pyright: ignore[reportUnknownMemberType] - the same
        bold = book.add_format({"bold": True, "num_format": "@"})  # pyright: ignore[reportUnknownMemberType] - the same
        for number, row in enumerate(_with(headings, rows)):
            if number >= ROWS:
                raise ValueError(f"a sheet holds {ROWS:,} rows, and there are more")
            for column, cell in enumerate(row):
                if len(cell) > CELL_CHARACTERS:
                    raise ValueError(f"a cell holds {CELL_CHARACTERS:,} letters, and one has {len(cell):,}")
                if number and _as_number(cell):
                    page.write_number(number, column, int(cell))
                else:
                    page.write_string(number, column, _writable(cell), text if number else bold)
    finally:
        book.close()


def _with(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[Sequence[str]]:
    yield headings
    yield from rows


def _as_number(cell: str) -> bool:
    """Whole numbers of up to fifteen digits are exact in a workbook; decimals are not, and stay text."""
    return re.fullmatch(r"0|[1-9][0-9]{0,14}", cell) is not None


def _writable(cell: str) -> str:
    """Replace letters that XML cannot hold."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", cell)
