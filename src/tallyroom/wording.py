"""Counts and lists as a sentence says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def counted(count: int, word: str, many: str = "") -> str:
    """Say how many of something: `1 place`, `1,765 places`, `2 people`."""
    return f"{count:,} {word if count == 1 else many or f'{word}s'}"


def listed(words: Iterable[str], joined: str = "and") -> str:
    """Join words as a sentence does: `a, b and c`; nothing if there are none."""
    *before, last = list(words) or [""]
    return f"{', '.join(before)} {joined} {last}" if before else last
