"""The standing of one place at one moment: every yardstick, with its progress."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tallyroom.plan.types import Yardstick
    from tallyroom.tabulate.part import Part


@dataclass(frozen=True, slots=True)
class Scope:
    """The place a standing is of: an area with its level, or a unit."""

    kind: str
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Progress:
    """Units of a place: how many are expected, have reported, are held, were corrected at least once."""

    expected: int
    reported: int
    held: int
    changed: int


@dataclass(frozen=True, slots=True)
class GroupStanding:
    """One group on one yardstick.

    Attributes:
        printed: the official sum, in units of 10**-decimals of the yardstick.
        total: the official sum of all groups, in the same units.
        lowest, highest: bounds of `printed` where some units have no value on record; equal to it otherwise.
        parts: what the exact sum is made of.
    """

    group: str
    printed: int
    total: int
    lowest: int
    highest: int
    parts: tuple[Part, ...] = field(repr=False, compare=False)

    @property
    def exact(self) -> Fraction:
        """The exact sum."""
        return sum((part.of(self.group) for part in self.parts), Fraction(0))

    @property
    def share(self) -> Fraction:
        """Printed sum over the printed sum of all groups; 0 if that is 0."""
        return Fraction(self.printed, self.total) if self.total else Fraction(0)


@dataclass(frozen=True, slots=True)
class YardstickStanding:
    """All groups on one yardstick, largest first; ties in sheet order.

    `units_without_value` have reported, but not on this yardstick: they count nowhere, and not as zero.
    """

    yardstick: Yardstick
    groups: tuple[GroupStanding, ...]
    total: int
    units_without_value: int

    def of(self, group: str) -> GroupStanding:
        """Give the standing of one group."""
        return next(standing for standing in self.groups if standing.group == group)


@dataclass(frozen=True, slots=True)
class Standing:
    """One place at one moment.

    Attributes:
        undetermined: units whose award the rule does not settle, by reason.
        provisional: pools inside this place that are not complete, so that the values of their units will change.
    """

    scope: Scope
    progress: Progress
    undetermined: Mapping[str, int]
    yardsticks: tuple[YardstickStanding, ...]
    provisional: tuple[str, ...]

    def on(self, yardstick: str) -> YardstickStanding:
        """Give the standing on one yardstick."""
        return next(standing for standing in self.yardsticks if standing.yardstick.id == yardstick)


def ranked(
    yardstick: Yardstick,
    order: Iterable[str],
    printed: Mapping[str, int],
    exact: tuple[Part, ...],
    without: int,
    bounds: tuple[Mapping[str, int], Mapping[str, int]] | None = None,
) -> YardstickStanding:
    """Order the groups of a yardstick: largest first, ties in the order given, the sheet's."""
    total = sum(printed.values())
    lower, upper = bounds or ({}, {})
    groups = [
        GroupStanding(group, value, total, value + lower.get(group, 0), value + upper.get(group, 0), exact)
        for group in sorted(order, key=lambda group: printed.get(group, 0), reverse=True)
        for value in (printed.get(group, 0),)
    ]
    return YardstickStanding(yardstick, tuple(groups), total, without)
