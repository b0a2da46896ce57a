"""Random precincts for the oracle: many small ones, so that decimals tie; some with people who stand in no group."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from award.evening import RULE

if TYPE_CHECKING:
    from random import Random

    from tallyroom.plan.types import AwardRule

GROUPS = tuple("abcdefghijklmn")
READINGS = {
    "rounding": ("half-up", "down"),
    "over_viable": ("smallest-realigns", "each-has-minimum"),
    "short_award": ("residual", "cyclic", "lot"),
    "over_viable_tie": ("all-realign", "lot"),
    "one_delegate": ("plurality", "majority", "caucus-vote"),
}


@dataclass(frozen=True)
class Precinct:
    delegates: int
    attending: int
    final: dict[str, int]
    readings: dict[str, str]

    @cached_property
    def rule(self) -> AwardRule:
        return RULE.with_readings(self.readings)


def precinct(chance: Random) -> Precinct:
    """Draw one precinct."""
    delegates = chance.choice((1, 2, 2, 3, 3, 4, 5, 6, 7, 8, chance.randint(1, 36)))
    attending = chance.choice((chance.randint(1, 30), chance.randint(1, 60), chance.randint(1, 900)))
    aligned = attending - chance.choice((0, 0, chance.randint(0, attending // 3), chance.randint(0, attending)))
    names = GROUPS[: min(chance.choice((2, 3, 4, 5, 6, 14)), max(aligned, 1))]
    readings = {name: chance.choice(values) for name, values in READINGS.items()}
    return Precinct(delegates, attending, _split(chance, aligned, names), readings)


def _split(chance: Random, aligned: int, names: tuple[str, ...]) -> dict[str, int]:
    """Share people among groups: evenly with a few moved, or anyhow."""
    if chance.random() < 0.5:
        counts = {name: aligned // len(names) for name in names}
        for _ in range(chance.randint(0, 3)):
            giver, taker = chance.choice(names), chance.choice(names)
            moved = min(counts[giver], chance.randint(0, max(1, aligned // 8)))
            counts[giver] -= moved
            counts[taker] += moved
        return counts
    cuts = sorted(chance.randint(0, aligned) for _ in names[1:])
    return dict(zip(names, (b - a for a, b in zip([0, *cuts], [*cuts, aligned], strict=True)), strict=True))
