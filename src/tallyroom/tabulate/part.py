"""Exact values by group over one denominator: adding up is integer arithmetic, fractions are made when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Part:
    """Exact values, none below 0: `numerators` over `denominator`; a group that is not there has 0."""

    numerators: Mapping[str, int]
    denominator: int

    def of(self, group: str) -> Fraction:
        """Give the exact value of one group."""
        return Fraction(self.numerators.get(group, 0), self.denominator)

    def printed(self, decimals: int) -> dict[str, int]:
        """Give every value rounded half up, in whole numbers of 10**-decimals."""
        scale, double = 2 * 10**decimals, 2 * self.denominator
        return {group: (n * scale + self.denominator) // double for group, n in self.numerators.items()}


def part_of(values: Mapping[str, Fraction]) -> Part:
    """Bring fractions over their common denominator."""
    denominator = lcm(*(value.denominator for value in values.values()))
    return Part({g: v.numerator * (denominator // v.denominator) for g, v in values.items()}, denominator)


def summed(parts: Iterable[Part]) -> Part:
    """Add parts up over their common denominator."""
    rows = list(parts)
    denominator = lcm(*(part.denominator for part in rows))
    total: dict[str, int] = {}
    for part in rows:
        scale = denominator // part.denominator
        for group, numerator in part.numerators.items():
            total[group] = total.get(group, 0) + numerator * scale
    return Part(total, denominator)
