"""What the cell of a count says: a number, nothing, something that looks like a number, or something else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from tallyroom.exact import parse_count
from tallyroom.report.wire import parse_decimal

if TYPE_CHECKING:
    from fractions import Fraction

BLANKS = frozenset(
    {"", "-", "--", "–", "—", "−", ".", "..", "...", "n/a", "na", "n.a.", "n.a", "#n/a", "null", "blank", "?", "tbd"}
    | {"not available", "not reported", "not recorded", "not on record", "unknown"}
)
"""What people write where nothing is on record. A dash is not a zero."""
CELL_CHARACTERS = 60
"""No number is written in more."""
RETYPE = "Give the number of people as it stands on the signed sheet."


@dataclass(frozen=True, slots=True)
class Doubtful:
    """It looks like a number, but a person must say so.

    Attributes:
        why: what is odd about it.
        proposal: the number it looks like.
    """

    why: str
    proposal: str


@dataclass(frozen=True, slots=True)
class NoCount:
    """It is no count, and nobody can guess which it stands for."""

    reason: str
    remedy: str = RETYPE


Counted: TypeAlias = "int | Doubtful | NoCount | None"

_NUMBER_LIKE = re.compile(r"[-+(]?\d[\d,. \u00a0\u202f]*\)?[%*†]?")
_BLANKS_INSIDE = re.compile(r"(?<=\d)[ \u00a0\u2009\u202f](?=\d{3}(?:\D|$))")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_WHOLE = re.compile(r"(\d+)\.0*")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T].*)?"
    rf"|\d{{1,2}}[-/ ]{_MONTH}(?:[-/ ]\d{{2,4}})?|{_MONTH}[-/ ]\d{{1,4}}(?:,? \d{{2,4}})?",
    re.IGNORECASE,
)
_ERRORS = ("#ref!", "#div/0!", "#value!", "#name?", "#num!", "#null!", "#spill!", "#calc!", "err:")
_LOOKALIKE = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "|": "1", "S": "5", "B": "8", "Z": "2"})
_MARKED = re.compile(r"(\d+)\s*(?:[*†‡§#?!¹²³]+|\[\d+\]|\([a-z]\)|[a-z])")
_WORDED = re.compile(r"(\d+)\s*(?:people|persons|votes?|voters|members|attendees|supporters|delegates?)", re.IGNORECASE)
_ORDINARY = re.compile(r"\d{1,12}")


def looks_like_number(text: str) -> bool:
    """Whether a cell is written as a number, perhaps a percentage or with a mark."""
    return len(text) <= CELL_CHARACTERS and _NUMBER_LIKE.fullmatch(text.strip()) is not None


def is_date(text: str) -> bool:
    """Whether a cell is written as a date, as a spreadsheet makes one."""
    return _DATE.fullmatch(text.strip()) is not None


def read_count(text: str, limit: int) -> Counted:
    """Read a count below `limit`; None is blank, and blank is not zero."""
    if len(text := text.strip()) > CELL_CHARACTERS:
        return NoCount(f"{text[:40]!r}... is not a number")
    return _read_count(text, limit)


@lru_cache(maxsize=10_000)
def _read_count(text: str, limit: int) -> Counted:
    cell = _unwrapped(text)
    if cell.casefold() in BLANKS:
        return None
    if _ORDINARY.fullmatch(cell) and cell.isascii():
        return _below(cell, limit)
    cell = _BLANKS_INSIDE.sub("", cell)
    if _GROUPED.fullmatch(cell):
        cell = cell.replace(",", "")
    if found := _WHOLE.fullmatch(cell):
        cell = found[1]
    if cell.isascii() and cell.isdigit():
        return _below(cell, limit)
    return _wrong(cell) or _doubtful(cell, limit) or NoCount(f"{cell[:40]!r} is not a number")


def read_value(text: str) -> Fraction | Doubtful | NoCount | None:
    """Read an exact decimal of the official yardstick; None is blank."""
    if len(text := text.strip()) > CELL_CHARACTERS:
        return NoCount(f"{text[:40]!r}... is not a number")
    return _read_value(text)


@lru_cache(maxsize=10_000)
def _read_value(text: str) -> Fraction | Doubtful | NoCount | None:
    cell = _unwrapped(text)
    if cell.casefold() in BLANKS:
        return None
    try:
        return parse_decimal(cell if not cell.startswith(".") else "0" + cell)
    except ValueError:
        pass
    if re.fullmatch(r"\d{1,6},\d{1,12}", cell):
        return Doubtful("it has a comma where a point would stand", cell.replace(",", "."))
    return _wrong(cell, decimal=True) or NoCount(f"{cell[:40]!r} is not a decimal such as 0.0784")


def _unwrapped(text: str) -> str:
    """Take off what spreadsheets put around text: an apostrophe before it, or `="..."`."""
    cell = text.strip().strip("\u00a0\ufeff\u200b").strip()
    if found := re.fullmatch(r'="?([^"()]*)"?', cell):
        inner = found[1].strip()
        return inner if re.fullmatch(r"[\d.,]*", inner) else cell
    return cell.removeprefix("'").strip()


def _below(digits: str, limit: int) -> int | NoCount:
    try:
        count = parse_count(digits.lstrip("0") or "0", limit)
    except ValueError as error:
        return NoCount(str(error))
    assert count is not None, "digits are never blank"
    return count


def _wrong(cell: str, *, decimal: bool = False) -> NoCount | None:
    """Say what a cell is that is no count: the commonest first."""
    small = cell.casefold()
    if "%" in cell:
        return NoCount(f"{cell[:40]!r} is a percentage, not a count")
    if small.startswith(_ERRORS):
        return NoCount(f"{cell[:40]!r} is the error of a formula", "Repair the formula and save the file again.")
    if cell.startswith(("=", "@")):
        remedy = "Open the file in a spreadsheet program, let it compute, and save it again."
        return NoCount(f"{cell[:40]!r} is a formula without its value", remedy)
    if re.fullmatch(r"[-−–]\s*[\d.,]+|\([\d.,]+\)|[\d.,]+-", cell):
        return NoCount(f"{cell[:40]!r} is negative: a count is 0 or more")
    if re.fullmatch(r"\d+(?:[.,]\d+)?e[+-]?\d+", small):
        return NoCount(f"{cell[:40]!r} was shortened by a spreadsheet: its digits are lost")
    if is_date(cell):
        return NoCount(f"{cell[:40]!r} is a date", "Give the number that was typed; the spreadsheet made a date of it.")
    if re.fullmatch(r"\d+\s*/\s*\d+|\d*[½¼¾⅓⅔]", cell):
        return NoCount(f"{cell[:40]!r} is a fraction: people are counted whole")
    if not decimal and re.fullmatch(r"\d*\.\d+", cell) and not re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", cell):
        return NoCount(f"{cell[:40]!r} is not whole: people are counted whole")
    if re.fullmatch(r"[<>≤≥~≈±]\s*\d+", cell):
        return NoCount(f"{cell[:40]!r} is no exact count")
    if re.fullmatch(r"\d+\s*[-–]\s*\d+", cell):
        return NoCount(f"{cell[:40]!r} is a range, no count")
    return NoCount(f"{cell!r} says yes or no, not how many") if small in ("true", "false", "yes", "no", "x") else None


def _doubtful(cell: str, limit: int) -> Doubtful | None:
    found = _number_in(cell)
    if found is None:
        return None
    why, digits = found
    count = _below(digits, limit) if len(digits) <= 12 else None
    return Doubtful(why, str(count)) if isinstance(count, int) else None


def _number_in(cell: str) -> tuple[str, str] | None:
    """What is odd about a cell that holds a number, and the number's digits."""
    if cell.casefold() in ("none", "nil", "zero", "nobody", "no one"):
        return "it is a word", "0"
    if re.fullmatch(r"[1-9]\d{0,2}(?:[.']\d{3})+", cell):
        return "thousands are set apart in another way", re.sub(r"[.']", "", cell)
    if found := re.fullmatch(r"(\d+),0+", cell):
        return "it has a comma where a point would stand", found[1]
    if found := re.fullmatch(r"\+\s*(\d+)", cell):
        return "it has a plus sign", found[1]
    if found := _MARKED.fullmatch(cell):
        if not (found[1] + cell[-1].translate(_LOOKALIKE)).isdigit() or cell[-1] in "?!*#":
            return "it has a mark beside it", found[1]
    elif found := _WORDED.fullmatch(cell):
        return "it has a word beside it", found[1]
    if cell.isdigit() and not cell.isascii():
        return "its digits are not 0 to 9", "".join(_digit(letter) for letter in cell)
    alike = cell.translate(_LOOKALIKE)
    if alike.isascii() and alike.isdigit() and len(alike) <= 7:
        return "a letter stands where a digit would", alike
    return None


def _digit(letter: str) -> str:
    import unicodedata  # noqa: PLC0415 - hardly any file needs it

    return str(unicodedata.digit(letter, 0))
