"""What a unit's delegates are worth on a weighted yardstick: fixed in advance, or a share of a pool.

Exact values are numerators over one common denominator of the plan wherever that can be, so that adding up is
integer arithmetic; shares of a pool by attendance have denominators of their own and stay fractions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

from tallyroom.exact import rounded_half_up
from tallyroom.tabulate.part import Part, part_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallyroom.plan.types import Area, Plan, Yardstick


class Worth:
    """Printed and exact worth of delegates in areas whose weight is shared by delegates."""

    def __init__(self, plan: Plan, yardstick: Yardstick) -> None:
        self.plan = plan
        self.decimals = yardstick.decimals
        self._known: dict[str, dict[int, tuple[int, int]]] = {area: {} for area in plan.areas}

    @cached_property
    def denominator(self) -> int:
        """Denominator that all worths, and all decimals a sheet can hold, share."""
        return lcm(10**12, *(worth.denominator for worth in self.plan.worth.values()))

    def of(self, area: str, delegates: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
        """Give printed worth (in 10**-decimals) and exact worth (over `denominator`) by group."""
        known = self._known[area]
        printed: dict[str, int] = {}
        exact: dict[str, int] = {}
        for group, count in delegates.items():
            if count:
                printed[group], exact[group] = known.get(count) or self._know(area, count)
        return printed, exact

    def of_values(self, values: Mapping[str, Fraction]) -> tuple[dict[str, int], dict[str, int]]:
        """Give the same for values that were written down instead of delegates (decimals of at most 12 places)."""
        printed = {group: rounded_half_up(value, self.decimals) for group, value in values.items()}
        return printed, {group: int(value * self.denominator) for group, value in values.items()}

    def _know(self, area: str, count: int) -> tuple[int, int]:
        """Work out printed (half up) and exact worth of a number of delegates, once."""
        one = self.plan.worth.get(area, Fraction(0))
        over, under = 2 * one.numerator * 10**self.decimals, 2 * one.denominator
        exact = one.numerator * (self.denominator // one.denominator)
        found = self._known[area][count] = ((count * over + one.denominator) // under, count * exact)
        return found


class Site:
    """What one unit of a pool brings to it."""

    __slots__ = ("awarded", "delegates", "people", "unit", "values")

    def __init__(
        self,
        unit: str,
        people: int | None,
        delegates: int | None,
        awarded: Mapping[str, int] | None,
        values: Mapping[str, Fraction] | None,
    ) -> None:
        self.unit = unit
        self.people = people
        """Its attendance, recorded or by the reading in force; None if nobody knows it."""
        self.delegates = delegates
        """Delegates it elects; None where they follow from an attendance that nobody knows."""
        self.awarded = awarded
        """Delegates by group; None if not on record."""
        self.values = values
        """Values that stand in place of a computation (as written); None if not on record."""

    def size(self, reading: str) -> int | None:
        """What its share of the pool is proportional to, under a reading of `satellite_weight`."""
        return self.people if reading == "attendance" else self.delegates


def pool_values(area: Area, sites: Sequence[Site], reading: str) -> dict[str, Part | None]:
    """Give the exact value by unit and group of a pool whose weight is shared by attendance.

    A site's share of the pool is its attendance (reading `attendance`) or its delegates (reading `delegates`) over
    those of all sites that have reported them; inside the site it follows the delegates awarded. A site without an
    award or without a size on record has the values given for it, or None. The values change with every further site
    until all have reported their size.
    """
    size = {site.unit: site.size(reading) for site in sites}
    whole = sum(people for people in size.values() if people is not None)
    weight = area.weight or Fraction(0)
    shared: dict[str, Part | None] = {}
    for site in sites:
        given, share = sum(site.awarded.values()) if site.awarded is not None else 0, size[site.unit]
        if site.awarded is None or share is None or not whole:
            shared[site.unit] = None if site.values is None else part_of(site.values)
        elif not given:
            shared[site.unit] = Part({}, 1)
        else:
            each = weight.numerator * share
            numerators = {group: each * count for group, count in site.awarded.items() if count}
            shared[site.unit] = Part(numerators, weight.denominator * whole * given)
    return shared
