"""Exact numbers in and out of text: fractions, half-up rounding, fixed decimals."""

from __future__ import annotations

from fractions import Fraction

COUNT_LIMIT = 10_000_000
"""No count of people in one place is as large; one that is, is a slip of the keyboard."""
DELEGATES_LIMIT = 10_001
"""No place elects as many delegates; one that does is a slip of the keyboard."""


def rounded_half_up(value: Fraction, decimals: int) -> int:
    """Round to `decimals` places, .5 away from zero; the result counts units of 10**-decimals."""
    scaled = abs(value.numerator) * 10**decimals
    whole = (2 * scaled + value.denominator) // (2 * value.denominator)
    return whole if value >= 0 else -whole


def fixed(units: int, decimals: int) -> str:
    """Write an integer number of 10**-decimals as a decimal: `fixed(5640124, 4)` is `"564.0124"`."""
    if decimals == 0:
        return str(units)
    sign, digits = ("-" if units < 0 else ""), str(abs(units)).rjust(decimals + 1, "0")
    return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}"


def printed(value: Fraction, decimals: int) -> str:
    """Write a fraction with a fixed number of decimals, half up."""
    return fixed(rounded_half_up(value, decimals), decimals)


def ratio(value: Fraction | int) -> str:
    """Write a fraction exactly, always as `p/q`: `ratio(Fraction(3))` is `"3/1"`."""
    exact = Fraction(value)
    return f"{exact.numerator}/{exact.denominator}"


def parse_fraction(text: object) -> Fraction:
    """Read `"3/20"`, `"0.25"` or an integer exactly. A float is refused: it is not what its writer typed.

    Raises:
        ValueError: not such a number, or one of absurd length.
    """
    if isinstance(text, bool) or not isinstance(text, str | int):
        what = f'{text!r} is not an exact number: write it in quotation marks, as "3/20"'
        raise ValueError(what)  # noqa: TRY004 - one kind of error for every faulty text
    if isinstance(text, str) and (len(text) > 60 or not text.isascii() or "e" in text.lower()):
        raise ValueError(f"{text[:60]!r} is not a fraction such as 3/20")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{text!r} is not a fraction such as 3/20") from None


def parse_count(text: str, limit: int = COUNT_LIMIT) -> int | None:
    """Read a count of people or delegates; blank is None, never 0.

    Raises:
        ValueError: not a plain count of ASCII digits below `limit`, with a reason.
    """
    stripped = text.strip()
    if not stripped:
        return None
    if stripped.startswith("-") and stripped[1:].isdigit():
        raise ValueError(f"{stripped!r} is negative: a count is 0 or more")
    if not (stripped.isascii() and stripped.isdigit()):
        raise ValueError(f"{stripped[:40]!r} is not a whole number of digits 0 to 9")
    if len(stripped) > 12 or int(stripped) >= limit:
        raise ValueError(f"{stripped[:40]} is larger than any place can hold (it must be below {limit:,})")
    return int(stripped)
