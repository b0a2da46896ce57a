"""The frozen types a plan folder is loaded into. Shares and weights are exact, times are UTC."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from tallyroom.plan.acceptance import HOUSE, Acceptance, Policy, Retention

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule or figure stands: a document of `sources.toml` and the place in it."""

    document: str
    section: str = ""
    quote: str = ""
    note: str = ""


KINDS = ("caucus", "primary", "preference-poll")
"""Kinds of contest there are plans for."""
ELECTING = frozenset({"caucus"})
"""Kinds whose places elect delegates; in the others they only count votes."""


class GroupKind(StrEnum):
    """What a preference group stands for."""

    CANDIDATE = "candidate"
    UNCOMMITTED = "uncommitted"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Group:
    """A preference group, in sheet order."""

    id: str
    name: str
    kind: GroupKind


class Sharing(StrEnum):
    """How the weight of an area is shared among its units."""

    DELEGATES = "delegates"
    """Each unit is worth weight x its delegates / the delegates of all units: fixed in advance."""
    ATTENDANCE = "attendance"
    """Each unit is worth weight x its attendance / that of all units: known when all have reported."""


@dataclass(frozen=True, slots=True)
class Area:
    """A level above the units: state, district, county, or a pool of satellites that acts as one county.

    Attributes:
        level: one of the plan's levels, topmost first (`state`, `district`, `county`).
        parent: the area it belongs to; empty only at the top.
        weight: delegates its units elect to the next tier together (Iowa: state delegates of the county);
            None for areas that only add up.
        sharing: how `weight` is shared among the units.
    """

    id: str
    level: str
    name: str
    parent: str = ""
    weight: Fraction | None = None
    sharing: Sharing = Sharing.DELEGATES


@dataclass(frozen=True, slots=True)
class Unit:
    """A reporting place: a precinct or a satellite.

    Attributes:
        delegates: delegates it elects, fixed in advance; None where they follow from attendance (`Band`).
        name_digest: SHA-256 (hex) of the original name where that names a private person; matches, never shows.
        aliases: other names the same place has in sources (short names, codes).
    """

    id: str
    area: str
    name: str
    kind: str = "precinct"
    delegates: int | None = None
    name_digest: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """One count of the people in the room: first alignment, final alignment."""

    id: str
    name: str
    source: Source
    may_move: str = "all"
    """Who may change groups on the way into this stage: `all`, `nonviable` or `nobody`."""


@dataclass(frozen=True, slots=True)
class Component:
    """One part of a count of people that is made elsewhere and added in: early ballots, the room itself."""

    id: str
    name: str
    source: Source
    early: bool = False
    """Its people count as present although they are not in the room."""


@dataclass(frozen=True, slots=True)
class ViabilityStep:
    """The viability threshold of units that elect at least this many delegates.

    `share` None means there is no viability (a single delegate is elected by the whole caucus).
    The viability number is `share` x attendance, rounded up; equality is viable.
    """

    delegates_at_least: int
    share: Fraction | None
    source: Source


@dataclass(frozen=True, slots=True)
class Band:
    """Delegates of a unit whose number follows from attendance: the last band reached counts."""

    attending_at_least: int
    delegates: int
    source: Source


@dataclass(frozen=True, slots=True)
class AwardRule:
    """Everything `award` needs to turn a final alignment into delegates; no contest is named in it.

    `rounding`, `over_viable`, `short`, `over_viable_tie`, `one_delegate` and `nobody_viable` are readings (see
    `plan.readings`).
    """

    viability: tuple[ViabilityStep, ...]
    minimum: int = 1
    """Delegates a viable group has at least."""
    over_viable: str = "smallest-realigns"
    """More viable groups than delegates: `smallest-realigns`, or `each-has-minimum` beyond what the unit elects."""
    lot_of_two: str = "a coin toss"
    """What decides between two tied groups, as a sentence says it."""
    lot_of_more: str = "a drawing of lots"
    rounding: str = "half-up"
    """Exact numbers of delegates are rounded `half-up` or `down` before they are corrected."""
    short: str = "residual"
    over_viable_tie: str = "all-realign"
    one_delegate: str = "plurality"
    nobody_viable: str = "no-award"

    def with_readings(self, readings: Mapping[str, str]) -> AwardRule:
        """Give the same rule under other readings; names that do not concern the award are ignored."""
        mine = {
            "rounding": readings.get("rounding"),
            "over_viable": readings.get("over_viable"),
            "short": readings.get("short_award"),
            "over_viable_tie": readings.get("over_viable_tie"),
            "one_delegate": readings.get("one_delegate"),
            "nobody_viable": readings.get("nobody_viable"),
        }
        return replace(self, **{name: value for name, value in mine.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Yardstick:
    """One way to count the contest.

    Attributes:
        counts: `people` (of `stage`), `delegates` (awarded in units) or `weight` (delegates x their weight).
        unit: the word printed after a value: `people`, `county delegates`, `sde`, `votes`.
        decimals: decimals each unit's value is rounded to, half up, before the official sum.
        shown: decimals the official sum is printed with.
    """

    id: str
    name: str
    counts: str
    unit: str
    source: Source
    stage: str = ""
    official: bool = False
    decimals: int = 0
    shown: int = 0


@dataclass(frozen=True, slots=True)
class Pool:
    """A number of national delegates allocated together from the standing of one area.

    `kind` says which tier the delegates belong to: `district`, `at-large` or `pleo`.
    """

    id: str
    name: str
    kind: str
    area: str
    delegates: int
    source: Source


@dataclass(frozen=True, slots=True)
class NationalRule:
    """How pools are allocated: largest remainder over those at or above the threshold."""

    yardstick: str
    threshold: Fraction
    fallback: str
    """When nobody reaches the threshold: `half-of-leader`, `ten-points-below-leader` or `none`."""
    tie: str
    """Reading `national_tie`; a tie is reported and never broken here."""
    source: Source
    recomputed: tuple[str, ...] = ()
    """Kinds of pools that are shared again, without it, when a group withdraws; the other kinds keep their result."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A point the sources leave open: the ways to read it and the one in force."""

    name: str
    question: str
    values: tuple[str, ...]
    in_force: str
    source: Source


@dataclass(frozen=True, slots=True)
class Deadline:
    """Something due at a time, and the rule that says so."""

    id: str
    name: str
    at: datetime
    source: Source


@dataclass(frozen=True, slots=True)
class Release:
    """A moment at which figures were published."""

    id: str
    name: str
    at: datetime
    source: Source
    approximate: bool = False
    """The time is not on record to the hour."""
    reproducible: bool = True
    """False: the state behind it is not on record; its figures are shown as published."""


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A figure somebody published, to hold ours against."""

    release: str
    measure: str
    """A yardstick's id, or `national_delegates`, `national_delegates_total`, `sde_total` and the like."""
    group: str
    """Empty for totals."""
    value: str
    """As printed; its decimals say how far to compare."""
    source: str
    note: str = ""
    """Why it cannot agree, where that is known; empty when it must."""


@dataclass(frozen=True)
class Plan:
    """A contest as its party wrote it down, in force from `digest`.

    `kind` says whether places elect delegates (`caucus`) or only count votes (`primary`, `preference-poll`).

    Mappings are in the order of their files. Nothing here is changed in place: see `plan.amend`.
    """

    contest: str
    name: str
    summary: str
    kind: str
    timezone: str
    levels: tuple[str, ...]
    stages: tuple[Stage, ...]
    award: AwardRule
    bands: tuple[Band, ...]
    yardsticks: tuple[Yardstick, ...]
    national: NationalRule | None
    groups: Mapping[str, Group]
    areas: Mapping[str, Area]
    units: Mapping[str, Unit]
    pools: Mapping[str, Pool]
    readings: Mapping[str, Reading]
    deadlines: tuple[Deadline, ...]
    releases: Mapping[str, Release]
    published: tuple[PublishedFigure, ...]
    sources: Mapping[str, Mapping[str, str]]
    digest: str
    """SHA-256 (hex) of the folder's files: which plan this is."""
    closed: frozenset[str] = field(default_factory=frozenset[str])
    """Units that do not meet (an amendment closed them); they are not expected."""
    components: tuple[Component, ...] = ()
    withdrawn: frozenset[str] = field(default_factory=frozenset[str])
    """Groups that are out of the contest (an amendment): pools of `national.recomputed` are shared without them."""
    acceptance: Mapping[str, Acceptance] = field(default_factory=dict[str, Acceptance])
    """By channel, where the plan says it; see `policy_of`."""
    retention: Retention | None = None
    rules: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, "Mapping[str, object]"])
    """Rules as written that have one supported value today (awarding, lots ...), for showing."""

    @cached_property
    def in_force(self) -> Mapping[str, str]:
        """The value in force of each reading."""
        return {name: reading.in_force for name, reading in self.readings.items()}

    @property
    def elects(self) -> bool:
        """Whether places elect delegates; where they do not, `award` has no viability and awards nothing."""
        return self.kind in ELECTING

    @cached_property
    def top(self) -> Area:
        """The area that holds all others."""
        return next(area for area in self.areas.values() if not area.parent)

    @cached_property
    def stage_ids(self) -> frozenset[str]:
        """Ids of the stages."""
        return frozenset(stage.id for stage in self.stages)

    @cached_property
    def final_stage(self) -> str:
        """The stage delegates are awarded from."""
        return self.stages[-1].id

    @cached_property
    def official(self) -> Yardstick:
        """The yardstick that settles the contest."""
        return next(yardstick for yardstick in self.yardsticks if yardstick.official)

    @cached_property
    def area_delegates(self) -> Mapping[str, int]:
        """Delegates of all units of an area whose delegates are fixed in advance."""
        totals = dict.fromkeys(self.areas, 0)
        for unit in self.units.values():
            if unit.delegates is not None:
                totals[unit.area] += unit.delegates
        return totals

    @cached_property
    def worth(self) -> Mapping[str, Fraction]:
        """Weight of one delegate by area with a weight shared by delegates (Iowa: SDE per county delegate)."""
        return {
            area.id: Fraction(area.weight, self.area_delegates[area.id])
            for area in self.areas.values()
            if area.weight is not None and area.sharing is Sharing.DELEGATES and self.area_delegates[area.id]
        }

    def policy_of(self, channel: str) -> Policy:
        """What it takes for a report of a channel to be counted: as the plan says, or else the house's own."""
        said = self.acceptance.get(channel)
        return Policy(said.policy) if said is not None else HOUSE[channel]

    def lineage(self, area: str) -> tuple[str, ...]:
        """The area and all above it, nearest first."""
        chain = [area]
        while parent := self.areas[chain[-1]].parent:
            chain.append(parent)
        return tuple(chain)

    def award_under(self, readings: Mapping[str, str]) -> AwardRule:
        """The award rule with the readings in force, changed by those given."""
        return self.award.with_readings({**self.in_force, **readings})
