"""Counts and lists as a sentence says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def people(count: int) -> str:
    """Say how many people: `1 person`, `12 people`."""
    return "1 person" if count == 1 else f"{count} people"


def delegates(count: int) -> str:
    """Say how many delegates: `1 delegate`, `no delegate`."""
    return f"{count or 'no'} delegate{'s' if count > 1 else ''}"


def places(count: int) -> str:
    """Say how many places: `1 place`, `20 places`."""
    return "1 place" if count == 1 else f"{count} places"


def listed(words: Iterable[str]) -> str:
    """Join words as a sentence does: `a, b and c`; `nobody` if there are none."""
    *before, last = list(words) or ["nobody"]
    return f"{', '.join(before)} and {last}" if before else last
