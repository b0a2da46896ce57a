"""A word that is not known is answered with the one that was probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ALIKE = 0.6
"""How alike a word must be to a known one to be taken for a slip of the keyboard (difflib's ratio)."""
LISTED = 50
"""Known words that a sentence can name; of more than these it names the first and counts the others."""


def nearest(word: str, known: Iterable[str], alike: float = ALIKE) -> str | None:
    """Give the known word that is closest to a word; None if none is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a slip of the keyboard needs it

    return next(iter(get_close_matches(word, list(known), 1, alike)), None)


def closest(word: str, known: Iterable[str], those: str = "There are") -> str:
    """Say which known word was probably meant, or which there are; `those` begins that sentence."""
    words = tuple(known)
    near = nearest(word, words)
    if near is not None:
        return f"Did you mean {near!r}?"
    return f"{those} {_listed(words)}." if words else "There are none."


def _listed(words: tuple[str, ...]) -> str:
    more = len(words) - LISTED
    return ", ".join(words[:LISTED]) + (f" and {more:,} more" if more > 0 else "")
