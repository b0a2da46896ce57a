"""The check digit of a spoken line (Damm) and the two digits of a whole sheet (ISO 7064 MOD 97-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stdnum import damm
from stdnum.iso7064 import mod_97_10

if TYPE_CHECKING:
    from collections.abc import Sequence

SPOKEN_LIMIT = 9_999_999
"""A spoken count is below this: with 1 added it fills its field of the sheet code at most."""
LINES_LIMIT = 500
"""No sheet has more lines that anybody would say."""
FIELD = 7
"""Digits a line fills in the string of the sheet code. It must share no factor with 96, the period of 10 modulo 97:
otherwise rows a few lines apart could be exchanged unnoticed, whatever they hold."""


def line_string(line: int, count: int | None) -> str:
    """Give the digits a line's check is made of: the units of its number, `1` and the count, the tens of its number.

    In odd tens the units count back (9 for 10, 8 for 11 ... 0 for 19, 0 for 20): so the lines next to each other differ
    in one digit alone, and a number that slips to the next line with its check is always noticed. Units and tens stand
    apart so that two numbers which change places do not both pass for the same reason.

    A blank has `00` in the middle: one digit from 0 counted, so the one never passes for the other.
    """
    tens, units = divmod(line, 10)
    before = 9 - units if tens % 2 else units
    return f"{before}{'00' if count is None else f'1{count}'}{tens}"


def line_check(line: int, count: int | None) -> str:
    """Give the check digit of a line: Damm over `line_string`."""
    return damm.calc_check_digit(line_string(line, count))


def sheet_string(counts: Sequence[int | None]) -> str:
    """Give the digits a sheet's code is made of: `FIELD` digits a line, zeros for a blank, else the count plus 1.

    Raises:
        ValueError: a count is not below `SPOKEN_LIMIT`, or there are more than `LINES_LIMIT` lines.
    """
    if len(counts) > LINES_LIMIT or any(count is not None and not 0 <= count < SPOKEN_LIMIT for count in counts):
        raise ValueError("a sheet that cannot be spoken has no code")
    return "".join("0" * FIELD if count is None else f"{count + 1:0{FIELD}}" for count in counts)


def sheet_code(counts: Sequence[int | None]) -> str:
    """Give the two-digit code of a sheet: ISO 7064 MOD 97-10 over `sheet_string`, all lines in order.

    Raises:
        ValueError: see `sheet_string`.
    """
    return mod_97_10.calc_check_digits(sheet_string(counts))
