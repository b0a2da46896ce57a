"""The first sentence of a page, written from the standings by rule: it never says more than the numbers do."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tallyroom.exact import fixed, printed, rounded_half_up

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallyroom.tabulate import Standing, YardstickStanding


def leaders(standing: YardstickStanding) -> tuple[str, ...]:
    """Give the groups nobody is ahead of: one, several that are level, or none before the first report."""
    if not standing.total:
        return ()
    most = standing.groups[0].printed
    return tuple(group.group for group in standing.groups if group.printed == most)


def headline(standing: Standing, names: Mapping[str, str]) -> str:
    """Say who leads on which yardstick, in one sentence."""
    ahead: dict[tuple[str, ...], list[str]] = {}
    for row in standing.yardsticks:
        if found := leaders(row):
            ahead.setdefault(found, []).append(row.yardstick.name.lower())
    if not ahead:
        return "Nothing has been reported yet."
    parts = [_part(tuple(names[group] for group in found), words) for found, words in ahead.items()]
    first, words = next(iter(ahead.items()))
    if len(first) == 1 and len(words) == len(standing.yardsticks) > 1:
        return f"{names[first[0]]} leads on every yardstick."
    return f"{'; '.join(parts)}."


def margin(standing: Standing, names: Mapping[str, str]) -> str:
    """Say what settles the contest and how far apart the first two are there."""
    row = next(row for row in standing.yardsticks if row.yardstick.official)
    yardstick = row.yardstick
    if not row.total:
        return f"{yardstick.name} settle this contest."
    first, second = row.groups[0], row.groups[1]
    apart = points(first.share - second.share)
    values = [f"{names[group.group]} {shown(row, group.printed)}" for group in (first, second)]
    return f"{yardstick.name} settle this contest: {', '.join(values)}. They are {apart} percentage points apart."


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


def listed(words: Sequence[str]) -> str:
    """Join words as a sentence does: a, b and c."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def _part(found: tuple[str, ...], yardsticks: list[str]) -> str:
    if len(found) == 1:
        return f"{found[0]} leads in {listed(yardsticks)}"
    return f"{listed(found)} are level in {listed(yardsticks)}"
