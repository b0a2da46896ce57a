"""A caucus in four lines of text, so that a test reads like the evening.

    Polk 12   delegates 6   attending 100
    first     ash 52  birch 34  cedar 14
    final     ash 52  birch 48
    reading   short_award cyclic
    lot       lose:1:ash+birch@-1/2  birch

Only the first line and one alignment are needed; without a final alignment the first one is the final.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from tallyroom.award import (
    Awarded,
    Breach,
    LotsNeeded,
    MustRealign,
    NoViableGroup,
    Outcome,
    award,
    breaches,
    locked,
    outcomes,
    viability_number,
    viable_groups,
)
from tallyroom.plan.types import AwardRule, Source, ViabilityStep

SOURCE = Source("test")
RULE = AwardRule(
    viability=(
        ViabilityStep(1, None, SOURCE),
        ViabilityStep(2, Fraction(1, 4), SOURCE),
        ViabilityStep(3, Fraction(1, 6), SOURCE),
        ViabilityStep(4, Fraction(3, 20), SOURCE),
    )
)
"""The thresholds of the Iowa caucuses; the readings are those of `AwardRule`."""

_HEAD = re.compile(r"(?P<name>.+?)\s+delegates (?P<delegates>\d+)\s+attending (?P<attending>\d+)")
_COUNT = re.compile(r"(\S+) (\d+)")


@dataclass(frozen=True)
class Caucus:
    name: str
    delegates: int
    attending: int
    first: dict[str, int]
    final: dict[str, int]
    rule: AwardRule = RULE
    lots: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def number(self) -> int | None:
        return viability_number(self.rule, self.delegates, self.attending)

    @property
    def viable(self) -> set[str]:
        return set(viable_groups(self.number, self.final))

    @property
    def outcome(self) -> Outcome:
        return award(self.rule, self.delegates, self.attending, self.final, self.lots)

    @property
    def awarded(self) -> dict[str, int]:
        """Delegates by group; the test fails if they are not awarded."""
        outcome = self.outcome
        assert isinstance(outcome, Awarded), outcome
        assert sum(outcome.delegates.values()) == self.delegates
        return dict(outcome.delegates)

    @property
    def lots_needed(self) -> LotsNeeded:
        outcome = self.outcome
        assert isinstance(outcome, LotsNeeded), outcome
        return outcome

    @property
    def must_realign(self) -> set[str]:
        outcome = self.outcome
        assert isinstance(outcome, MustRealign), outcome
        return set(outcome.groups)

    @property
    def unawarded(self) -> str:
        outcome = self.outcome
        assert isinstance(outcome, NoViableGroup), outcome
        return str(outcome.why)

    @property
    def possible(self) -> list[dict[str, int]]:
        """Every award that the games of chance can lead to."""
        found = outcomes(self.rule, self.delegates, self.attending, self.final)
        return [dict(outcome.delegates) for outcome in found if isinstance(outcome, Awarded)]

    @property
    def breaches(self) -> tuple[Breach, ...]:
        return breaches(self.rule, self.delegates, self.attending, self.first, self.final)

    @property
    def locked(self) -> set[str]:
        return set(locked(self.rule, self.delegates, self.attending, self.first))


def caucus(text: str) -> Caucus:
    """Read one caucus."""
    head, *lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    found = _HEAD.fullmatch(head)
    assert found, f"not the head of a caucus: {head!r}"
    counts: dict[str, dict[str, int]] = {}
    readings: dict[str, str] = {}
    lots: dict[str, tuple[str, ...]] = {}
    for line in lines:
        word, rest = re.split(r"\s+", line, maxsplit=1)
        if word in {"first", "final"}:
            assert not _COUNT.sub("", rest).strip(), f"not counts: {rest!r}"
            counts[word] = {group: int(people) for group, people in _COUNT.findall(rest)}
        elif word == "reading":
            name, value = rest.split()
            readings[name] = value
        elif word == "lot":
            tie, drawn = rest.split()
            lots[tie] = tuple(drawn.split(","))
        else:
            raise AssertionError(f"not a line of a caucus: {line!r}")
    first = counts.get("first", {})
    return Caucus(
        found["name"],
        int(found["delegates"]),
        int(found["attending"]),
        first,
        counts.get("final", first),
        RULE.with_readings(readings),
        lots,
    )
