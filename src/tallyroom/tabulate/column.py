"""Running sums of one yardstick on one basis, for every area at once: adding a unit costs its line of ancestors."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tallyroom.tabulate.part import Part, summed
from tallyroom.tabulate.sums import Sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Values: TypeAlias = "tuple[Mapping[str, int], Mapping[str, int]]"
"""Printed values of a unit by group, and exact ones as numerators over the column's denominator."""

_UNITS = "units"


class Column:
    """Sums by area and group.

    Printed values are whole numbers of 10**-decimals (people, delegates, or rounded worth). Exact values are kept only
    where they differ from the printed ones: numerators over `denominator`, and a `Part` of its own for each pool.
    """

    def __init__(self, lineage: Mapping[str, tuple[str, ...]], groups: Iterable[str], denominator: int) -> None:
        self.denominator = denominator
        """Of `exact`; 1 where printed values are exact themselves."""
        self.printed = Sums(lineage, groups)
        self.exact = Sums(lineage, groups) if denominator != 1 else self.printed
        self.blank = Sums(lineage, (_UNITS,))
        """Units that have reported, but no value on this yardstick."""
        self.blank_of: dict[str, None] = {}
        """Those units themselves, in the order they came."""
        self.pools: dict[str, Part] = {}
        self.printed_of: dict[str, Mapping[str, int]] = {}
        """By unit; a unit without a value is not there."""
        self.exact_of: dict[str, Mapping[str, int]] = {}
        self.share_of: dict[str, Part | None] = {}
        """Exact value of units whose worth is a share of a pool; None without a value."""

    def put(self, unit: str, area: str, values: Values | None) -> None:
        """Count a unit by its printed values and, over `denominator`, its exact ones; None if it has no value."""
        if values is None:
            self._blank(unit, area)
            return
        printed, exact = values
        self.printed_of[unit] = printed
        self.printed.add(area, printed)
        if self.denominator != 1:
            self.exact_of[unit] = exact
            self.exact.add(area, exact)

    def take(self, unit: str, area: str) -> None:
        """Take a unit put before out again."""
        printed = self.printed_of.pop(unit, None)
        if printed is None:
            self._no_longer_blank(unit, area)
            return
        self.printed.subtract(area, printed)
        if self.denominator != 1:
            self.exact.subtract(area, self.exact_of.pop(unit))

    def put_pool(self, pool: str, shares: Mapping[str, Part | None], decimals: int) -> None:
        """Put the values of all units of a pool in the place of what they were; None is a unit without a value."""
        for unit in shares:
            if unit in self.share_of:
                self.take_share(unit, pool)
        for unit, share in shares.items():
            self.share_of[unit] = share
            if share is None:
                self._blank(unit, pool)
            else:
                self.printed_of[unit] = share.printed(decimals)
                self.printed.add(pool, self.printed_of[unit])
        self.pools[pool] = summed(share for share in shares.values() if share is not None)

    def take_share(self, unit: str, pool: str) -> None:
        """Take a unit of a pool out again; the pool is to be put anew."""
        if self.share_of.pop(unit) is None:
            self._no_longer_blank(unit, pool)
        else:
            self.printed.subtract(pool, self.printed_of.pop(unit))

    def _blank(self, unit: str, area: str) -> None:
        self.blank_of[unit] = None
        self.blank.add(area, {_UNITS: 1})

    def _no_longer_blank(self, unit: str, area: str) -> None:
        del self.blank_of[unit]
        self.blank.subtract(area, {_UNITS: 1})

    def blanks(self, area: str) -> int:
        """Give the number of units of an area that have reported, but no value here."""
        return self.blank.rows[area][_UNITS]

    def total(self, area: str, pools: Iterable[str]) -> tuple[Part, ...]:
        """Give the exact sum of an area in parts; `pools` are the pools inside it."""
        shared = (self.pools[pool] for pool in pools if pool in self.pools)
        return (Part(dict(self.exact.rows[area]), self.denominator), *shared)

    def of_unit(self, unit: str) -> tuple[Mapping[str, int], Part] | None:
        """Give printed and exact values of one unit; None if it has no value."""
        printed = self.printed_of.get(unit)
        if printed is None:
            return None
        return printed, self.share_of.get(unit) or Part(self.exact_of.get(unit, printed), self.denominator)

    def add_up(self) -> None:
        """Carry what was put into the areas of units up to all above them; from then on every unit is."""
        self.printed.add_up()
        self.blank.add_up()
        if self.denominator != 1:
            self.exact.add_up()
