"""A count as people write or type it: digits of any script, thousands set apart by commas, blank is not zero."""

from __future__ import annotations

import re
import unicodedata

from tallyroom.exact import COUNT_LIMIT, parse_count

BLANK_WORDS = frozenset({"blank", "en blanco", "blanco"})
"""What people say where a line is empty."""
_LONGEST = 60
_SIGNS = {"\u060c": ",", "\u066c": ",", "\u066b": "."}
"""The Arabic comma, thousands separator and decimal point."""
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_NEGATIVE = re.compile(r"[-−–—]\s*[0-9][0-9.,]*")
_DECIMAL = re.compile(r"[0-9]*[.,][0-9]+")
_POWER = re.compile(r"[0-9]+(?:\.[0-9]+)?e[+-]?[0-9]+", re.IGNORECASE)


def parse_spoken_count(text: str, limit: int = COUNT_LIMIT) -> int | None:
    """Read a count as a person wrote it; blank is None, never 0. What it means is for `exact.parse_count` to say.

    Full-width, Arabic-Indic and all other decimal digits are taken, and `1,024`.

    Raises:
        ValueError: not a count below `limit`, with a reason in words.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"{text[:40]!r}... is too long for a number")
    plain = in_plain_digits(text).strip()
    if plain.casefold() in BLANK_WORDS:
        return None
    if _GROUPED.fullmatch(plain):
        plain = plain.replace(",", "")
    if _NEGATIVE.fullmatch(plain):
        raise ValueError(f"{text.strip()!r} is negative: a count is 0 or more")
    if _POWER.fullmatch(plain):
        raise ValueError(f"{text.strip()!r} is a short form: write every digit")
    if _DECIMAL.fullmatch(plain):
        raise ValueError(f"{text.strip()!r} is not whole: people are counted whole")
    return parse_count(plain, limit)


def in_plain_digits(text: str) -> str:
    """Write every decimal digit as 0 to 9 and full-width signs as their plain ones; all else stays as it is."""
    if text.isascii():
        return text
    return "".join(map(_plain, text))


def _plain(letter: str) -> str:
    digit = unicodedata.decimal(letter, None)
    if digit is not None:
        return str(digit)
    if letter in _SIGNS:
        return _SIGNS[letter]
    wide = unicodedata.east_asian_width(letter) == "F"
    return unicodedata.normalize("NFKC", letter) if wide else letter
