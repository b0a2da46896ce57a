"""Sums of what was read, to hold the totals of a file against; a total is never imported."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

What: TypeAlias = tuple[str, str, str]
"""Measure, group, and the place of a total over groups; empty where it is over places."""
Number: TypeAlias = int | Fraction


@dataclass(slots=True)
class _Part:
    """Sums over some rows, by area and what is counted: of all of them, and of those that only repeat others."""

    every: dict[tuple[str, What], Number] = field(default_factory=lambda: defaultdict[tuple[str, What], Number](int))
    again: dict[tuple[str, What], Number] = field(default_factory=lambda: defaultdict[tuple[str, What], Number](int))

    def add(self, other: _Part) -> None:
        for mine, others in ((self.every, other.every), (self.again, other.again)):
            for key, number in others.items():
                mine[key] += number

    def sums(self, areas: Collection[str] | None) -> tuple[dict[What, Number], dict[What, Number]]:
        """Sums over some areas (all if None): of every row, and of those that say something new."""
        every, fresh = defaultdict[What, Number](int), defaultdict[What, Number](int)
        for (area, what), number in self.every.items():
            if areas is None or area in areas:
                every[what] += number
                fresh[what] += number - self.again.get((area, what), 0)
        return every, fresh


class Sums:
    """Running sums of a file: since the last total, since the last heading, of the table, of all.

    Args:
        below: gives the areas of which an area is made, itself among them.
    """

    def __init__(self, below: Callable[[str], Collection[str]]) -> None:
        self._below = below
        self._all, self._table, self._section, self._since = _Part(), _Part(), _Part(), _Part()

    def add(self, area: str, what: What, number: Number, *, fresh: bool) -> None:
        """Add a number that stands in a row of this area, the lowest known; `fresh` if nothing said it before."""
        self._since.every[area, what] += number
        if not fresh:
            self._since.again[area, what] += number

    def table_begins(self) -> None:
        """Begin a table."""
        self.total_stands()
        self._table, self._section = _Part(), _Part()

    def section_begins(self) -> None:
        """Begin the part of a table that a heading opens."""
        self.total_stands()
        self._section = _Part()

    def total_stands(self) -> None:
        """Begin again after a row with totals."""
        for longer in (self._section, self._table, self._all):
            longer.add(self._since)
        self._since = _Part()

    def agrees(self, totals: Mapping[What, Number], area: str) -> str:
        """Say of what these totals are the sum; empty if of nothing that was read so far."""
        for told, candidates in self._scopes(area):
            for sums in candidates:
                if all(sums.get(what, 0) == number for what, number in totals.items()):
                    return told
        return ""

    def difference(self, totals: Mapping[What, Number], area: str) -> tuple[What, Number, Number] | None:
        """Give the first total that differs: what, as it stands, and the sum nearest to being meant."""
        scopes = [candidates[0] for _, candidates in self._scopes(area)]
        meant = min(scopes, key=lambda sums: sum(sums.get(what, 0) != number for what, number in totals.items()))
        for what, number in totals.items():
            if meant.get(what, 0) != number:
                return what, number, meant.get(what, 0)
        return None

    def _scopes(self, area: str) -> list[tuple[str, tuple[dict[What, Number], dict[What, Number]]]]:
        """What a total may be the sum of, the nearest first, each with its sums."""
        everything, table, section = _Part(), _Part(), _Part()
        for longer, shorter in ((everything, self._all), (table, self._table), (section, self._section)):
            longer.add(shorter)
            longer.add(self._since)
        if area:
            return [("of its area", everything.sums(self._below(area)))]
        return [
            ("of the rows above", self._since.sums(None)),
            ("of its part of the table", section.sums(None)),
            ("of the table", table.sums(None)),
            ("of all rows read", everything.sums(None)),
        ]
