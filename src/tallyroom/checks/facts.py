"""What every check on a report needs to know, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.award import viability_number, viable_groups
from tallyroom.award.outcome import Awarded, LotsNeeded
from tallyroom.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tallyroom.checks.finding import Context
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report

_BASES = {
    "recorded": "present",
    "first": "counted in the first alignment",
    "final": "counted in the final alignment",
    "larger": "counted in the larger alignment",
}


@dataclass(frozen=True, slots=True)
class Facts:
    """One report with its plan and context.

    Attributes:
        first, final: people by group at the first and last stage; None where the stage was left blank.
        first_total, final_total: their sums; 0 where blank.
        number: people a group needs by rule; None where there is no viability or nobody is known to be present.
        viable_first, viable_final: groups at or above it.
        written: delegates as written; None where not on record.
    """

    report: Report
    plan: Plan
    context: Context
    first: Mapping[str, int] | None
    final: Mapping[str, int] | None
    first_total: int
    final_total: int
    number: int | None
    viable_first: tuple[str, ...]
    viable_final: tuple[str, ...]
    written: Mapping[str, int] | None

    @property
    def delegates(self) -> int:
        """Delegates the unit elects."""
        return self.context.delegates

    @property
    def delegates_known(self) -> bool:
        """The plan or the people present say how many delegates the unit elects; blank attendance alone does not."""
        by_band = self.plan.bands and (self.context.attendance.people or self.report.attendance is not None)
        return self.context.unit.delegates is not None or bool(by_band)

    @property
    def attending(self) -> int:
        """People present, on record or by the reading in force; asked only where that is known, as with a `number`."""
        people = self.context.attendance.people
        assert people is not None, "nobody knows how many people were present"
        return people

    @property
    def base(self) -> str:
        """How many people everything is worked out from, and where that number comes from, in words."""
        return f"{self.attending} {_BASES[self.context.attendance.taken_from]}"

    @property
    def measure(self) -> Mapping[str, int | str | None]:
        """The viability number and what it is worked out from, for the numbers of a finding."""
        taken_from = self.context.attendance.taken_from
        return {"number": self.number, "attendance": self.attending, "base": taken_from}

    @property
    def over_viable(self) -> bool:
        """More groups are viable in the end than there are delegates."""
        return len(self.viable_final) * self.plan.award.minimum > self.delegates

    @property
    def over_viable_first(self) -> bool:
        """More groups were viable in the first alignment than there are delegates."""
        return len(self.viable_first) * self.plan.award.minimum > self.delegates

    @property
    def awarded_by_rule(self) -> int:
        """Delegates that the rule gives all groups together; 0 where it gives no single award."""
        outcome = self.context.outcome
        return sum(outcome.delegates.values()) if isinstance(outcome, Awarded) else 0

    @property
    def by_lot(self) -> bool:
        """Chance decides, or a lot on record has decided."""
        outcome = self.context.outcome
        if outcome is None or isinstance(outcome, LotsNeeded):
            return outcome is not None
        return bool({lot.tie for lot in self.report.lots} - set(outcome.stray))

    @property
    def contenders(self) -> tuple[str, ...]:
        """Groups that can win a delegate: the viable ones, or all with people where there is no viability."""
        if self.number is not None:
            return self.viable_final
        return tuple(group for group, people in (self.final or {}).items() if people)

    def name(self, group: str) -> str:
        """Printed name of a group."""
        return self.context.group_names.get(group, group)

    def names(self, groups: Iterable[str]) -> str:
        """Printed names, as a sentence lists them."""
        return listed(self.name(group) for group in groups)

    def counts(self, counts: Mapping[str, int]) -> str:
        """Printed names with their counts, as a sentence lists them."""
        return listed(f"{self.name(group)} {count}" for group, count in counts.items())

    def place(self, unit: str) -> str:
        """Printed name of another unit, with its area."""
        if unit not in self.plan.units:
            return unit
        other = self.plan.units[unit]
        return f"{other.name} ({self.plan.areas[other.area].name})"


def facts_of(report: Report, plan: Plan, context: Context) -> Facts:
    """Work out the facts of a report."""
    first = report.alignments.get(plan.stages[0].id)
    final = report.alignments.get(plan.final_stage)
    present = context.attendance.people
    number = viability_number(plan.award, context.delegates, present) if context.delegates and present else None
    return Facts(
        report=report,
        plan=plan,
        context=context,
        first=first,
        final=final,
        first_total=sum((first or {}).values()),
        final_total=sum((final or {}).values()),
        number=number,
        viable_first=viable_groups(number, first or {}),
        viable_final=viable_groups(number, final or {}),
        written=report.delegates,
    )
