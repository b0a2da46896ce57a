"""What the checks count, as a sentence says it."""

from __future__ import annotations

from tallyroom.wording import counted


def people(count: int) -> str:
    """Say how many people: `1 person`, `12 people`."""
    return counted(count, "person", "people")


def delegates(count: int) -> str:
    """Say how many delegates: `1 delegate`, `no delegate`."""
    return counted(count, "delegate") if count else "no delegate"


def places(count: int) -> str:
    """Say how many places: `1 place`, `20 places`."""
    return counted(count, "place")
