"""Whole states awarded at once: the rule of `award` for many units, as arrays and without steps.

Equal to `award` in every field but the steps. A lot on record answers one tie of one unit and is for `award` alone: the
batch says which tie is open, or settles every tie as a lot would that is drawn in a given order.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tallyroom.award import batch_kernel as kernel
from tallyroom.award.outcome import (
    Awarded,
    AwardError,
    LotsNeeded,
    MustRealign,
    NoViableGroup,
    Outcome,
    Tie,
    TieKind,
    Unawarded,
)
from tallyroom.exact import COUNT_LIMIT, DELEGATES_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from tallyroom.award.batch_kernel import Numbers
    from tallyroom.plan.types import AwardRule, ViabilityStep


class OutcomeCode(IntEnum):
    """What a unit comes to."""

    AWARDED = kernel.AWARDED
    LOTS_NEEDED = kernel.LOTS_NEEDED
    MUST_REALIGN = kernel.MUST_REALIGN
    NO_VIABLE_GROUP = kernel.NO_VIABLE_GROUP


_WHY = {
    kernel.NOBODY_VIABLE: Unawarded.NOBODY_VIABLE,
    kernel.NOBODY_PRESENT: Unawarded.NOBODY_PRESENT,
    kernel.NO_MAJORITY: Unawarded.NO_MAJORITY,
    kernel.CAUCUS_VOTES: Unawarded.CAUCUS_VOTES,
}
_KIND = {kernel.GAIN: TieKind.GAIN, kernel.LOSE: TieKind.LOSE, kernel.REALIGN: TieKind.REALIGN}


@dataclass(frozen=True, slots=True, eq=False)
class Awards:
    """What many units come to, a row a unit and a column a group, in the order given.

    Attributes:
        rule: the rule they were awarded by.
        ruled: the same in numbers.
        results: the arrays that the properties give by name.
    """

    rule: AwardRule
    ruled: kernel.Ruled
    results: kernel.Results

    @property
    def facts(self) -> NDArray[np.int64]:
        """A row of numbers by unit, in the columns that `batch_kernel` names."""
        return self.results.facts

    @property
    def delegates(self) -> NDArray[np.int64]:
        """Whole delegates by unit and group; in an open tie the standing before it."""
        return self.results.allotted

    @property
    def marks(self) -> NDArray[np.uint8]:
        """What each group is in its unit (viable, tied, drawn, has to realign), as bits."""
        return self.results.marks

    @property
    def outcome(self) -> NDArray[np.int64]:
        """`OutcomeCode` by unit."""
        return self.facts[:, kernel.OUTCOME]

    @property
    def viability_number(self) -> NDArray[np.int64]:
        """People a group needs by unit; -1 where there is no viability."""
        return self.facts[:, kernel.NUMBER]

    @property
    def needs_majority(self) -> NDArray[np.bool_]:
        """Units whose single delegate went to a largest group of no more than half of those present."""
        return self.facts[:, kernel.NEEDS_MAJORITY] != 0

    @property
    def short_without_rounding_down(self) -> NDArray[np.bool_]:
        """Units in which delegates were left though nobody was rounded down, whether or not a lot is needed too."""
        return self.facts[:, kernel.SHORT] != 0

    @property
    def take(self) -> NDArray[np.int64]:
        """How many of the tied groups a lot decides for, open or drawn; 0 where chance has no part."""
        return self.facts[:, kernel.TAKE]

    @property
    def viable(self) -> NDArray[np.bool_]:
        """Viable groups by unit."""
        return (self.marks & kernel.VIABLE) != 0

    @property
    def tied(self) -> NDArray[np.bool_]:
        """Groups by unit that only chance can tell apart."""
        return (self.marks & kernel.TIED) != 0

    @property
    def drawn(self) -> NDArray[np.bool_]:
        """Groups by unit drawn in the order given: they gained, lost or have to realign."""
        return (self.marks & kernel.DRAWN) != 0

    @property
    def realigning(self) -> NDArray[np.bool_]:
        """Groups by unit that have to realign."""
        return (self.marks & kernel.REALIGNS) != 0

    def unit(self, index: int, groups: Sequence[str]) -> Outcome:
        """Give one unit's outcome as `award` gives it, with no steps and no lots on record.

        Args:
            index: row of the unit.
            groups: name of each column.
        """
        number, why, short, majority = (
            int(self.facts[index, column])
            for column in (kernel.NUMBER, kernel.WHY, kernel.SHORT, kernel.NEEDS_MAJORITY)
        )
        needed = None if number < 0 else number
        viable = self._marked(index, groups, kernel.VIABLE)
        match OutcomeCode(int(self.facts[index, kernel.OUTCOME])):
            case OutcomeCode.NO_VIABLE_GROUP:
                return NoViableGroup(needed, _WHY[why])
            case OutcomeCode.MUST_REALIGN:
                return MustRealign(needed, viable, self._marked(index, groups, kernel.REALIGNS))
            case OutcomeCode.LOTS_NEEDED:
                tie = self._tie(index, groups)
                counted = () if tie.kind is TieKind.REALIGN else viable
                return LotsNeeded(needed, viable, tie, self._held(index, groups, counted), ())
            case OutcomeCode.AWARDED:
                held = self._held(index, groups, viable)
                return Awarded(needed, viable, held, (), bool(majority), bool(short))

    def _marked(self, index: int, groups: Sequence[str], mark: int) -> tuple[str, ...]:
        return tuple(group for group, marks in zip(groups, self.marks[index].tolist(), strict=True) if marks & mark)

    def _held(self, index: int, groups: Sequence[str], counted: tuple[str, ...]) -> dict[str, int]:
        """Give the delegates of groups that were counted or have any."""
        held = zip(groups, self.delegates[index].tolist(), strict=True)
        return {group: int(count) for group, count in held if count or group in counted}

    def _tie(self, index: int, groups: Sequence[str]) -> Tie:
        kind, take, at, of = (
            int(self.facts[index, column]) for column in (kernel.TIE, kernel.TAKE, kernel.AT, kernel.AT_OF)
        )
        return Tie(_KIND[kind], self._marked(index, groups, kernel.TIED), take, Fraction(at, of))


def award_many(
    rule: AwardRule,
    delegates: NDArray[np.int64],
    attending: NDArray[np.int64],
    final: NDArray[np.int64],
    *,
    order: NDArray[np.int64] | None = None,
    into: Awards | None = None,
) -> Awards:
    """Award the delegates of many units at once; the first call of a process loads or makes the machine code.

    A group left blank is 0 here: the award cannot tell a group without people from one that is not on the sheet.
    Whether a blank may be read so is for the caller to say; a unit without attendance has no place here.

    Args:
        rule: the contest's rule with its readings in force.
        delegates: delegates by unit, 1 or more.
        attending: people present by unit.
        final: people by unit and group in the final alignment.
        order: by unit and group, the place in which a lot would draw it (of equal places the first group). It settles
            every tie; without it a tie is left open. To answer a tie with the lot on record, put those drawn first.
        into: awards of as many units and groups to write over, which saves making new arrays.

    Raises:
        AwardError: a shape or type that does not fit, a count out of bounds, or what `award` refuses; names the unit.
    """
    units, groups = _shape_of(delegates, attending, final, order)
    awards = _begun(rule, units, groups, into)
    drawing = np.empty((0, groups), np.int64) if order is None else order
    wrong, unit = _compiled()(
        awards.ruled,
        np.ascontiguousarray(delegates),
        np.ascontiguousarray(attending),
        np.ascontiguousarray(final),
        np.ascontiguousarray(drawing),
        awards.results,
    )
    if wrong != kernel.FINE:
        raise AwardError(f"unit {int(unit)}: {_WRONG[int(wrong)]}")
    return awards


@cache
def _compiled() -> Callable[[kernel.Ruled, Numbers, Numbers, Numbers, Numbers, kernel.Results], tuple[int, int]]:
    """Load the compiler, which takes a second, when it is first needed."""
    from tallyroom.award.batch_compiled import award_units  # noqa: PLC0415 - for the same reason

    return award_units


_WRONG = {
    kernel.BAD_DELEGATES: f"a unit elects at least one delegate and fewer than {DELEGATES_LIMIT:,}",
    kernel.BAD_ATTENDING: f"attendance is 0 or more and below {COUNT_LIMIT:,}",
    kernel.BAD_COUNT: f"counts of people are 0 or more and below {COUNT_LIMIT:,}",
    kernel.NOBODY_ATTENDS: "people stand in groups but attendance is 0",
    kernel.NO_SHARE: "the plan gives no viability share for a unit of more than one delegate",
}


def _shape_of(
    delegates: NDArray[np.int64],
    attending: NDArray[np.int64],
    final: NDArray[np.int64],
    order: NDArray[np.int64] | None,
) -> tuple[int, int]:
    """Give the number of units and groups, or say what does not fit."""
    named = {"delegates": (delegates, 1), "attending": (attending, 1), "final": (final, 2)}
    if order is not None:
        named["order"] = (order, 2)
    for name, (array, dimensions) in named.items():
        if getattr(array, "dtype", None) != np.int64 or array.ndim != dimensions:
            raise AwardError(f"{name} has to be an array of int64 with {dimensions} dimension{'s'[: dimensions - 1]}")
    units, groups = final.shape
    if groups > kernel.GROUPS_LIMIT:
        raise AwardError(f"a unit has at most {kernel.GROUPS_LIMIT:,} groups, not {groups:,}")
    for name, (array, dimensions) in named.items():
        if array.shape != (units, groups)[:dimensions]:
            raise AwardError(f"{name} has the shape {array.shape}, not {(units, groups)[:dimensions]} as final asks")
    return units, groups


def _begun(rule: AwardRule, units: int, groups: int, into: Awards | None) -> Awards:
    """Give awards to write into: those given, by the rule at hand, or new ones."""
    shape, facts = (units, groups), (units, kernel.FACTS)
    if into is None:
        results = kernel.Results(np.empty(facts, np.int64), np.empty(shape, np.int64), np.empty(shape, np.uint8))
    elif into.delegates.shape == into.marks.shape == shape and into.facts.shape == facts:
        if into.rule is rule:
            return into
        results = into.results
    else:
        raise AwardError(f"into has the shape {into.delegates.shape}, not {shape}")
    return Awards(rule, kernel.Ruled(_switches(rule), _table(rule.viability)), results)


def _switches(rule: AwardRule) -> NDArray[np.int64]:
    """Give the rule's readings in numbers, compared as `award` compares them."""
    if not 0 <= rule.minimum < DELEGATES_LIMIT:
        raise AwardError(f"a viable group has at least 0 delegates and fewer than {DELEGATES_LIMIT:,} for sure")
    switches: list[int] = [0] * kernel.SWITCHES
    switches[kernel.MINIMUM] = rule.minimum
    switches[kernel.DOWN] = rule.rounding == "down"
    switches[kernel.SMALLEST_REALIGNS] = rule.over_viable == "smallest-realigns"
    switches[kernel.TIE_BY_LOT] = rule.over_viable_tie == "lot"
    switches[kernel.CYCLIC] = rule.short == "cyclic"
    switches[kernel.BY_LOT] = rule.short == "lot"
    switches[kernel.MAJORITY] = rule.one_delegate == "majority"
    switches[kernel.CAUCUS_VOTE] = rule.one_delegate == "caucus-vote"
    # Passed, not compiled in: machine code that was kept knows nothing of a change in another module.
    switches[kernel.PEOPLE_BELOW], switches[kernel.DELEGATES_BELOW] = COUNT_LIMIT, DELEGATES_LIMIT
    return np.array(switches, np.int64)


def _table(viability: tuple[ViabilityStep, ...]) -> NDArray[np.int64]:
    """Give the viability table in numbers; a step beyond every unit's delegates is cut to the first that is."""
    rows: list[tuple[int, int, int]] = []
    for step in viability:
        numerator, denominator = (0, 0) if step.share is None else step.share.as_integer_ratio()
        if numerator < 0 or max(numerator, denominator) > kernel.SHARE_LIMIT:
            raise AwardError(
                f"a viability share of {step.share} is no share to compute with: 0 or more, up to 2^39/2^39"
            )
        rows.append((min(max(step.delegates_at_least, 0), DELEGATES_LIMIT), numerator, denominator))
    return np.array(rows, np.int64).reshape(len(rows), 3)
