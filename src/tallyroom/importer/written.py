"""How a workbook's stored number is written as text: without noise, with its percent sign, a date as it is shown."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Context, Decimal, InvalidOperation

PERCENT_IDS = frozenset({9, 10})
DATE_IDS = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""Number formats of ECMA-376 part 1, 18.8.30 that need no code: dates, times and percentages."""
_CODES = {16: "d-mmm", 17: "mmm-yy", 9: "0%", 10: "0.00%"}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_QUIET = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
_FIFTEEN = Context(prec=15)
"""A spreadsheet keeps and shows fifteen digits; the rest of a stored number is noise."""


def decimal_text(stored: str) -> str | None:
    """Write a stored number plainly: `12.0` is `12`, `0.30000000000000004` is `0.3`. None if it is no number."""
    text = stored.strip()
    if len(text) > 40 or not text.isascii() or "_" in text:  # more than a workbook writes, though Python reads it
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number.adjusted()) > 30:
        return None if number else "0"
    plain = f"{_FIFTEEN.plus(number):f}"
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return "0" if plain in ("-0", "") else plain


def is_date(code: str, number: int) -> bool:
    """Whether a number format shows a date or a time."""
    if not code:
        return number in DATE_IDS
    return re.search(r"[dmyhs]", _QUIET.sub("", code).lower()) is not None and "general" not in code.lower()


def shown(stored: str, code: str, number: int, *, from_1904: bool = False) -> str:
    """Write a stored number as its format shows it, as far as that matters to a count or a name.

    Args:
        stored: as it stands in the file.
        code: the workbook's own format code; empty for one that the standard numbers.
        number: the format's number.
        from_1904: days are counted from 1 January 1904.
    """
    plain = decimal_text(stored)
    if plain is None:
        return stored
    code = code or _CODES.get(number, "")
    if is_date(code, number):
        return date_text(plain, code, from_1904=from_1904)
    bare = _QUIET.sub("", code)
    if "%" in bare:
        percent = decimal_text(str(Decimal(plain) * 100))
        return f"{percent}%"
    if re.fullmatch(r"0{2,20}", bare) and plain.isdigit():
        return plain.rjust(len(bare), "0")
    return plain


def date_text(days: str, code: str, *, from_1904: bool = False) -> str:
    """Write a date: `1-Mar` and `Mar-03` as spreadsheets show what they took for one, any other as `2031-03-01`."""
    number = Decimal(days)
    # Day 60 is 29 February 1900, a day that never was; spreadsheets count it.
    start = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30 if number > 60 else 31)  # noqa: DTZ001 - a date
    try:
        day = start + timedelta(days=int(number), seconds=int(number % 1 * 86_400))
    except OverflowError:
        return days
    month, bare = _MONTHS[day.month - 1], _QUIET.sub("", code).lower().strip(";@ ")
    if re.fullmatch(r"d+[-/ ]mmm+", bare):
        return f"{day.day}-{month}"
    if re.fullmatch(r"mmm+[-/ ]yy", bare):
        return f"{month}-{day.year % 100:02}"
    return f"{day:%Y-%m-%d}" if number % 1 == 0 else f"{day:%Y-%m-%d %H:%M}"
