"""What an award can come to, and the steps that led there: the result is its own explanation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class AwardError(ValueError):
    """The caller broke the contract of `award`: a negative count, no delegates, people but no attendance."""


class StepRule(StrEnum):
    """The rule that moved a delegate."""

    ROUND_HALF_UP = "round-half-up"
    """members x delegates / attendance, .5 and above up, below .5 down."""
    ROUND_DOWN = "round-down"
    """The whole part of members x delegates / attendance; the decimals decide who gets what is left."""
    MINIMUM = "minimum"
    """A viable group has at least this many."""
    LOWEST_DECIMAL_LOSES = "lowest-decimal-loses"
    """Too many awarded: the lowest decimal among those rounded up loses one; nobody loses an only delegate."""
    HIGHEST_DECIMAL_GAINS = "highest-decimal-gains"
    """Too few awarded: the highest decimal among those rounded down gains one."""
    SHORT_RESIDUAL = "short-residual"
    """Too few and nobody was rounded down: the largest raw minus awarded gains one."""
    SHORT_CYCLIC = "short-cyclic"
    """Too few and nobody was rounded down: whole parts first, then one each in order of decimal, round and round."""
    SHORT_LOT = "short-lot"
    """Too few and nobody was rounded down: lots are drawn among all viable groups."""
    LOT = "lot"
    """A recorded game of chance decided between tied groups."""
    PLURALITY = "plurality"
    """One delegate: the largest group elects it."""
    MAJORITY = "majority"
    """One delegate: a group of more than half of those present elects it."""


class Comparison(NamedTuple):
    """The numbers a step compared, in the order compared: numerators by group over one denominator.

    `of` says what they are: `raw` (members x delegates / attendance), `raw minus awarded`, `decimal`, `people`.
    """

    of: str
    numerators: tuple[tuple[str, int], ...]
    denominator: int

    def numbers(self) -> Mapping[str, Fraction]:
        """Give the same numbers as exact fractions."""
        return {group: Fraction(numerator, self.denominator) for group, numerator in self.numerators}


class Step(NamedTuple):
    """One change to the award, and the rule that made it. `moved` is in whole delegates and may be negative.

    A named tuple, as `Comparison` is: a state's award makes ten thousand of them.
    """

    rule: StepRule
    group: str
    moved: int
    because: Comparison


class TieKind(StrEnum):
    """What is at stake in a tie."""

    GAIN = "gain"
    LOSE = "lose"
    REALIGN = "realign"


@dataclass(frozen=True, slots=True)
class Tie:
    """Groups that only chance can tell apart: `take` of `groups` gain, lose or must realign.

    `at` is the number they tie at. Both stand in the id, so a recorded lot answers this tie and no other.
    """

    kind: TieKind
    groups: tuple[str, ...]
    take: int
    at: Fraction

    @property
    def id(self) -> str:
        """Give `kind:take:groups in alphabetical order@number`."""
        return f"{self.kind}:{self.take}:{'+'.join(sorted(self.groups))}@{self.at}"

    def answered_by(self, drawn: Iterable[str]) -> bool:
        """Whether these groups can have been drawn in this tie."""
        names = tuple(drawn)
        return len(names) == self.take == len(set(names)) and set(names) <= set(self.groups)


class Unawarded(StrEnum):
    """Why no rule gives the delegates to anybody."""

    NOBODY_VIABLE = "nobody-viable"
    NOBODY_PRESENT = "nobody-present"
    NO_MAJORITY = "no-majority"
    CAUCUS_VOTES = "caucus-votes"


@dataclass(frozen=True, slots=True)
class Awarded:
    """Every delegate has gone to a group.

    Attributes:
        viability_number: people a group needs; None where there is no viability.
        viable: groups at or above it, in the order given.
        delegates: by group that has any; they add up to the delegates of the unit, or to more where the rule gives
            each of too many viable groups its minimum (`over_viable`).
        steps: how it came about; the moves of a group add up to its delegates.
        needs_majority: a single delegate went to the largest group, which is not more than half of those present.
        short_without_rounding_down: the case in which readings differ (`short_award`) arose.
        stray: recorded lots that answer no tie of this award.
    """

    viability_number: int | None
    viable: tuple[str, ...]
    delegates: Mapping[str, int]
    steps: tuple[Step, ...]
    needs_majority: bool = False
    short_without_rounding_down: bool = False
    stray: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LotsNeeded:
    """A game of chance has to decide `tie`; `delegates` and `steps` are the standing before it."""

    viability_number: int | None
    viable: tuple[str, ...]
    tie: Tie
    delegates: Mapping[str, int]
    steps: tuple[Step, ...]
    stray: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MustRealign:
    """More viable groups than delegates: `groups` have to realign before anything can be awarded."""

    viability_number: int | None
    viable: tuple[str, ...]
    groups: tuple[str, ...]
    stray: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoViableGroup:
    """No rule awards the delegates, for the reason given; somebody has to decide."""

    viability_number: int | None
    why: Unawarded
    stray: tuple[str, ...] = ()


Outcome: TypeAlias = Awarded | LotsNeeded | MustRealign | NoViableGroup
