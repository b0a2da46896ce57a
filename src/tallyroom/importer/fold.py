"""Words reduced to what two people would both have written: no case, marks, punctuation, blanks or leading zeros."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_PIECES = re.compile(r"[0-9]+|[^\W\d_]+")
_TRANSLATED = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "Æ": "AE", "Œ": "OE", "Ø": "O"}
)


NAME_CHARACTERS = 300
"""No name is longer; a text that is, is none, and is not kept in memory."""


def tokens(text: str) -> tuple[str, ...]:
    """Give the words and numbers of a text: `"Túlare-03, W1"` is `("tulare", "3", "w", "1")`; of a name's length."""
    return _tokens(text) if len(text) <= NAME_CHARACTERS else ()


@lru_cache(maxsize=20_000)
def _tokens(text: str) -> tuple[str, ...]:
    bare = "".join(
        letter
        for letter in unicodedata.normalize("NFD", text.translate(_TRANSLATED))
        if not unicodedata.combining(letter)
    )
    return tuple(piece.lstrip("0") or "0" if piece.isdigit() else piece for piece in _PIECES.findall(bare.casefold()))


def folded(text: str) -> str:
    """Join the words of a text, so that `Town Hall` and `TOWNHALL` are one; numbers stay apart: `1-1` is not 11."""
    return joined(tokens(text))


def joined(words: tuple[str, ...]) -> str:
    """Join words without blanks, but for one between two numbers."""
    parts = list[str]()
    for word in words:
        if parts and word.isdigit() and parts[-1].isdigit():
            parts.append(" ")
        parts.append(word)
    return "".join(parts)


def plain(text: str) -> str:
    """Give a text without case, needless blanks and a guarding apostrophe: what questions are recognised by."""
    return " ".join(text.casefold().split()).lstrip("'")
