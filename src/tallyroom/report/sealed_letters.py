"""The letters of a sealed report: Crockford's base 32, where no letter can be read as another or as a digit."""

from __future__ import annotations

import base64

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No I, L, O and U. All stand in GSM-7 and in the short alphabet of QR codes."""
_STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_TO = str.maketrans(_STANDARD, LETTERS)
_FROM = str.maketrans(LETTERS, _STANDARD)
_NO_BYTES = frozenset({1, 3, 6})
"""Letters beyond a multiple of eight that whole bytes never have."""
_REPAIR = str.maketrans("ILO", "110")


def letters_of(raw: bytes) -> str:
    """Write bytes as letters, five bits each; the last is filled up with zeros."""
    return base64.b32encode(raw).decode().rstrip("=").translate(_TO)


def bytes_of(letters: str) -> bytes:
    """Read letters back; small ones are taken, and I, L and O as the digits they look like.

    Raises:
        ValueError: a sign that is none of them, or a length that no bytes have: letters are missing.
    """
    repaired = letters.upper().translate(_REPAIR)
    for letter in repaired:
        if letter not in LETTERS:
            raise ValueError(f"{letter!r} is not a letter of a sealed report")
    if len(repaired) % 8 in _NO_BYTES:
        raise ValueError("letters are missing")
    raw = base64.b32decode(repaired.translate(_FROM) + "=" * (-len(repaired) % 8))
    if letters_of(raw) != repaired:
        raise ValueError("letters are missing")
    return raw
