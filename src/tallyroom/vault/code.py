"""The short code of a packet: eight characters to type and one that finds a slip.

The alphabet leaves out I, L, O, 0 and 1, which are taken for one another (field practice); it has 31 characters. As 31
is a prime, a check character that weighs each place differently finds every single wrong character and every two
characters that changed places. It is a check of typing, not of right: only the vault knows which codes were issued.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Digits and capitals that are not taken for one another."""

LENGTH = 8
"""Characters that chance gives: 31 ** 8, about 40 bits."""

_PRIME = len(ALPHABET)
_LEFT_OUT = frozenset("ILO01")


def short_code(drawn: Sequence[int]) -> str:
    """The code of eight drawn numbers from 0 to 30, as printed: `7KQM-2X9R-F`."""
    plain = "".join(ALPHABET[number] for number in drawn)
    return f"{plain[:4]}-{plain[4:]}-{_check(plain)}"


def read_code(typed: str) -> str | None:
    """The nine characters of a code as somebody typed it; None if it is no code.

    Blanks, hyphens and small letters are as good as what is printed; full-width characters are read as plain ones.
    """
    plain = "".join(_narrow(letter) for letter in typed if not letter.isspace() and letter not in "-–—_.").upper()
    if len(plain) != LENGTH + 1 or not all(letter in ALPHABET for letter in plain):
        return None
    return plain if _check(plain[:-1]) == plain[-1] else None


def slip(typed: str) -> str:
    """Where a typed code is wrong, as a sentence; empty if it is a code."""
    if read_code(typed) is not None:
        return ""
    plain = "".join(_narrow(letter) for letter in typed if letter.isalnum()).upper()
    if _LEFT_OUT & set(plain):
        return "A code has no I, L or O and no 0 or 1. Look at that character again."
    if len(plain) != LENGTH + 1:
        return f"A code has {LENGTH + 1} characters, and this has {len(plain)}. Type all of them."
    return "One of the characters is not as printed. Compare them one by one."


def _check(plain: str) -> str:
    return ALPHABET[sum((at + 1) * ALPHABET.index(letter) for at, letter in enumerate(plain)) % _PRIME]


def _narrow(letter: str) -> str:
    return chr(ord(letter) - 0xFEE0) if "！" <= letter <= "～" else letter
