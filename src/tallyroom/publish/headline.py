"""The first sentence of a page, written from the standings by rule: it never says more than the numbers do."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyroom.exact import fixed, printed, rounded_half_up
from tallyroom.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.tabulate import GroupStanding, Standing, YardstickStanding


def contenders(standing: YardstickStanding) -> tuple[str, ...]:
    """Give the groups that nobody is surely ahead of: several where they are level, or where values are missing."""
    if not standing.total:
        return ()
    surely = max(group.lowest for group in standing.groups)
    return tuple(group.group for group in standing.groups if group.highest >= surely)


def leaders(standing: YardstickStanding) -> tuple[str, ...]:
    """Give the group that leads, or those that are level; none before the first report, or if it cannot be known."""
    found = contenders(standing)
    return () if standing.units_without_value and len(found) > 1 else found


def headline(standing: Standing, names: Mapping[str, str]) -> str:
    """Say who leads on which yardstick, in one sentence."""
    ahead: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for row in standing.yardsticks:
        if found := contenders(row):
            verb = "leads" if len(found) == 1 else "are level" if leaders(row) else "may lead"
            ahead.setdefault((verb, found), []).append(row.yardstick.name.lower())
    if not ahead:
        return "Nothing has been reported yet."
    (verb, first), words = next(iter(ahead.items()))
    if verb == "leads" and len(words) == len(standing.yardsticks) > 1:
        return f"{names[first[0]]} leads on every yardstick."
    parts = [
        f"{listed([names[group] for group in found], 'or' if verb == 'may lead' else 'and')} {verb} in {listed(words)}"
        for (verb, found), words in ahead.items()
    ]
    return f"{'; '.join(parts)}."


def margin(standing: Standing, names: Mapping[str, str]) -> str:
    """Say what settles the contest and how far apart the first two are there, as far as that is on record."""
    row = next(row for row in standing.yardsticks if row.yardstick.official)
    settles = f"{row.yardstick.name} settle this contest"
    if not row.total or len(row.groups) < 2:
        return f"{settles}."
    first, second = row.groups[0], row.groups[1]
    values = ", ".join(f"{names[group.group]} {spread(row, group)}" for group in (first, second))
    if row.units_without_value:
        return f"{settles}: {values}. Not all of it is on record."
    return f"{settles}: {values}. They are {points(first.share - second.share)} percentage points apart."


def spread(row: YardstickStanding, group: GroupStanding) -> str:
    """Write the sum of a group, or the range it lies in where values are missing."""
    if group.lowest == group.highest:
        return shown(row, group.printed)
    return f"{shown(row, group.lowest)} to {shown(row, group.highest)}"


def points(share: Fraction) -> str:
    """Write a difference of shares in percentage points: one decimal, or two where one would say nothing."""
    return printed(100 * share, 1 if abs(100 * share) >= 1 else 2)


def shown(row: YardstickStanding, value: int) -> str:
    """Write a sum as the plan prints it, half up from the official sum, thousands separated."""
    yardstick = row.yardstick
    units = value
    if yardstick.shown < yardstick.decimals:
        units = rounded_half_up(Fraction(value, 10**yardstick.decimals), yardstick.shown)
    whole, point, rest = fixed(units, yardstick.shown).partition(".")
    return f"{int(whole):,}{point}{rest}"


def grouped(text: str) -> str:
    """Separate the thousands of every whole number in a text, as it stands before a decimal point."""
    return re.sub(r"(?<![\d.,])\d{4,}", lambda found: f"{int(found[0]):,}", text)
