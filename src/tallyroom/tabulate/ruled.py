"""What the rule makes of one report, beside what was written.

Where the rule gives no single award the written one stands, and the reason is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyroom.award import Awarded, LotsNeeded, MustRealign, NoViableGroup, award, could_give
from tallyroom.award.viability import threshold
from tallyroom.exact import rounded_half_up
from tallyroom.report.attendance import Attendance, attendance, delegates_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.award import Outcome
    from tallyroom.plan.types import AwardRule, Plan
    from tallyroom.report.record import Report


class Undetermined(StrEnum):
    """Why the rule gives no single award, so that the written one stands."""

    NO_VOTES = "no-votes"
    """Nobody is on record as present or in a group."""
    NO_ATTENDANCE = "no-attendance"
    """People are on record in groups, but neither the attendance nor what the reading in force takes for it."""
    NO_ALLOTMENT = "no-allotment"
    """The number of delegates of the place is not on record."""
    ONE_DELEGATE = "one-delegate"
    """The whole caucus elects the only delegate; it need not follow the groups."""
    OVER_VIABLE = "more-viable-than-delegates"
    """A further realignment was due and is not on record."""
    NOBODY_VIABLE = "nobody-viable"
    """No group reached the viability number in the end."""
    UNSETTLED_TIE = "unsettled-tie"
    """Chance decides, no lot is on record, and the written award is not one that it could have given."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """One report by rule.

    Attributes:
        attendance: people present, and where the number comes from.
        delegates: delegates the unit elects; None where they follow from an attendance that nobody knows, or where the
            plan has neither their number nor bands.
        outcome: what the rule makes of the final alignment; None where it cannot be asked.
        awarded: delegates by group by rule, or as written where the rule gives no single award; None if neither.
        undetermined: why the rule gives no single award; None where it does.
    """

    attendance: Attendance
    delegates: int | None
    outcome: Outcome | None
    awarded: Mapping[str, int] | None
    undetermined: Undetermined | None


def ruled(plan: Plan, rule: AwardRule, readings: Mapping[str, str], report: Report) -> Ruled:
    """Award the delegates of a report by rule, under the readings given."""
    present = attendance(report, readings.get("attendance", "larger"), plan.stages)
    if not plan.elects:
        return Ruled(present, None, None, report.delegates, None)
    unit = plan.units[report.unit]
    allotted = unit.delegates is not None or bool(plan.bands)
    delegates = delegates_of(unit, plan.bands, present.people) if allotted else None
    final = report.alignments.get(plan.final_stage, {})
    if not (present.people and delegates and any(final.values())):
        return Ruled(present, delegates, None, report.delegates, _unasked(rule, present, delegates, final))
    outcome = award(rule, delegates, present.people, final, {lot.tie: lot.drawn for lot in report.lots})
    written = report.delegates
    if written is None and report.values is not None and isinstance(outcome, LotsNeeded):
        written = implied(report.values, delegates, plan.official.decimals)
    if outcome.viability_number is None and "caucus-vote" in plan.readings["one_delegate"].values:
        awarded, undetermined = written, Undetermined.ONE_DELEGATE
    else:
        awarded, undetermined = _settled(outcome, written)
    if report.delegates is None and undetermined is not None:
        awarded = None
    return Ruled(present, delegates, outcome, awarded, undetermined)


def _unasked(rule: AwardRule, present: Attendance, delegates: int | None, final: Mapping[str, int]) -> Undetermined:
    """Give the reason why the rule cannot be asked at all."""
    if present.people and delegates is None and any(final.values()):
        return Undetermined.NO_ALLOTMENT
    if present.people is not None or not any(final.values()):
        return Undetermined.NO_VOTES
    if delegates and threshold(rule, delegates) is None:
        return Undetermined.ONE_DELEGATE
    return Undetermined.NO_ATTENDANCE


def _settled(
    outcome: Outcome, written: Mapping[str, int] | None
) -> tuple[Mapping[str, int] | None, Undetermined | None]:
    """Give the award that counts by rule, and the reason if that is the written one."""
    match outcome:
        case Awarded():
            return outcome.delegates, None
        case MustRealign():
            return written, Undetermined.OVER_VIABLE
        case NoViableGroup():
            single = outcome.viability_number is None
            return written, Undetermined.ONE_DELEGATE if single else Undetermined.NOBODY_VIABLE
        case LotsNeeded():
            if outcome.tie.kind == "realign":
                return written, Undetermined.OVER_VIABLE
            if written is not None and could_give(outcome, written):
                return written, None
            return written, Undetermined.UNSETTLED_TIE


def implied(values: Mapping[str, Fraction], delegates: int, decimals: int) -> Mapping[str, int] | None:
    """Give the delegates that written values in their proportion stand for; None if they stand for none.

    Values are printed with `decimals`, so a proportion is known only as closely as rounding allows.
    """
    whole = sum(values.values(), Fraction(0))
    if not whole:
        return None
    half, groups = Fraction(1, 2 * 10**decimals), sum(1 for value in values.values() if value)
    given: dict[str, int] = {}
    for group, value in values.items():
        exact = value * delegates / whole
        count = rounded_half_up(exact, 0)
        if abs(exact - count) * whole > (delegates + count * groups) * half:
            return None
        given[group] = count
    return given if sum(given.values()) == delegates else None
