"""The tags that stand before the lines of a worksheet, for those who type their report as a text message.

A tag is two letters for the line and one that checks them, printed on the sheet beforehand. One wrong letter, or two
neighbours exchanged, never make another tag. No tag has I, L or O (they are read as digits), X (it means blank), or the
letters that look like 5, 0, 8 in haste (Q, S, V).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.faults import Fault, InputError
from tallyroom.report.spoken import worksheet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.plan.types import Plan
    from tallyroom.report.spoken import Line

LETTERS = "ABCDEFGHJKMNPRTUWYZ"
"""Letters of tags: 19, a prime, so that weights modulo 19 find every single slip."""
_SHIFT = 4
"""Keeps the first tags from being one letter three times."""


def tag_of(line: int) -> str:
    """Give the tag of a line by its number, from 1.

    Raises:
        ValueError: there are not so many tags.
    """
    first, second = divmod(line - 1, len(LETTERS))
    if not 0 <= first < len(LETTERS):
        raise ValueError(f"line {line} has no tag: there are {len(LETTERS) ** 2}")
    check = (2 * first + 3 * second + _SHIFT) % len(LETTERS)
    return LETTERS[first] + LETTERS[second] + LETTERS[check]


def tags(plan: Plan) -> Mapping[str, Line]:
    """Give the lines of a contest's sheet by tag, in sheet order.

    Raises:
        InputError: the sheet has more lines than there are tags.
    """
    lines = worksheet(plan)
    if len(lines) > len(LETTERS) ** 2:
        what = f"the sheet of {plan.contest} has {len(lines):,} lines and only {len(LETTERS) ** 2} can have a tag"
        raise InputError(Fault(what, "File its reports by another channel."))
    return {tag_of(line.number): line for line in lines}
