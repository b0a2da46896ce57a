"""Whether people may have moved as the two alignments say they did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tallyroom.award.viability import viability_number, viable_groups

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.plan.types import AwardRule


class BreachKind(StrEnum):
    """How a realignment breaks the rules."""

    LOCKED_GROUP_LOST_PEOPLE = "locked-group-lost-people"
    """A viable group ends with fewer people although its members may not move."""
    PEOPLE_ADDED = "people-added"
    """More people stand in groups after realignment than before, although the door was closed."""


@dataclass(frozen=True, slots=True)
class Breach:
    """One breach: the group (empty for the whole room) and its people before and after."""

    kind: BreachKind
    group: str
    before: int
    after: int


def locked(
    rule: AwardRule, delegates: int, attending: int, first: Mapping[str, int], *, may_move: str = "nonviable"
) -> tuple[str, ...]:
    """Give the groups whose members may not move: the viable ones, unless too many of them have to realign."""
    if may_move == "all":
        return ()
    if may_move == "nobody":
        return tuple(first)
    viable = viable_groups(viability_number(rule, delegates, attending), first)
    crowded = len(viable) * rule.minimum > delegates and rule.over_viable == "smallest-realigns"
    return () if crowded else viable


def breaches(
    rule: AwardRule,
    delegates: int,
    attending: int,
    first: Mapping[str, int],
    final: Mapping[str, int],
    *,
    may_move: str = "nonviable",
) -> tuple[Breach, ...]:
    """Give all breaches of a realignment from `first` to `final`; a group left blank at the end is not judged.

    A group may come from nothing, people may leave or sit out: neither is a breach.
    """
    found = [
        Breach(BreachKind.LOCKED_GROUP_LOST_PEOPLE, group, first[group], final[group])
        for group in locked(rule, delegates, attending, first, may_move=may_move)
        if group in final and final[group] < first[group]
    ]
    before, after = sum(first.values()), sum(final.values())
    if after > before:
        found.append(Breach(BreachKind.PEOPLE_ADDED, "", before, after))
    return tuple(found)
