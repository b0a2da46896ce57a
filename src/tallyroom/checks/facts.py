"""What every check on a report needs to know, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.award import viability_number, viable_groups
from tallyroom.award.outcome import LotsNeeded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tallyroom.checks.finding import Context
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report


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
    def attending(self) -> int:
        """People present, on record or by the reading in force."""
        return self.context.attendance.people

    @property
    def base(self) -> str:
        """Where attendance comes from, in words."""
        taken = self.context.attendance.taken_from
        return "attendance on record" if taken == "recorded" else f"attendance by the reading {taken!r}"

    @property
    def over_viable(self) -> bool:
        """More groups are viable in the end than there are delegates."""
        return len(self.viable_final) * self.plan.award.minimum > self.delegates

    @property
    def over_viable_first(self) -> bool:
        """More groups were viable in the first alignment than there are delegates."""
        return len(self.viable_first) * self.plan.award.minimum > self.delegates

    @property
    def by_lot(self) -> bool:
        """Chance decides, or is on record as having decided."""
        return isinstance(self.context.outcome, LotsNeeded) or bool(self.report.lots)

    def name(self, group: str) -> str:
        """Printed name of a group."""
        return self.context.group_names.get(group, group)

    def names(self, groups: Iterable[str]) -> str:
        """Printed names, as a sentence lists them."""
        words = [self.name(group) for group in groups]
        return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else "nobody"


def facts_of(report: Report, plan: Plan, context: Context) -> Facts:
    """Work out the facts of a report."""
    first = report.alignments.get(plan.stages[0].id)
    final = report.alignments.get(plan.final_stage)
    known = context.delegates >= 1 and context.attendance.people > 0
    number = viability_number(plan.award, context.delegates, context.attendance.people) if known else None
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
