"""Everything the checks find in a contest at a moment: contexts are built here, the checks read no store."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from tallyroom.award import Awarded
from tallyroom.checks import examine, examine_area, examine_batch
from tallyroom.checks.finding import AreaContext, BatchContext, Context
from tallyroom.plan.types import Sharing
from tallyroom.tabulate.ruled import ruled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tallyroom.checks.finding import Finding
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report
    from tallyroom.tabulate.filed import Filing
    from tallyroom.tabulate.night import Tabulation

ALL = "all"
"""Key of twins that are alike at every stage."""


def findings(tabulation: Tabulation, *, within: str | None = None) -> tuple[Finding, ...]:
    """Examine every report in force, every area and every batch; those of one area or unit if `within` names it."""
    plan = tabulation.plan
    names = {group.id: group.name for group in plan.groups.values()}
    twins = twins_of(tabulation)
    found: list[Finding] = []
    for filing in tabulation.filed.in_force():
        report = filing.report
        if report.unit in tabulation.ruled and _inside(tabulation, report.unit, within):
            context = _context(tabulation, filing, names, twins.get(report.unit, {}))
            found.extend(examine(report, plan, context))
    for area in plan.areas.values():
        if tabulation.members[area.id] and (within is None or within in tabulation.lineage[area.id]):
            found.extend(examine_area(_area(tabulation, area.id)))
    if within is None:
        for batch in _batches(tabulation, names):
            found.extend(examine_batch(batch))
    return tuple(found)


def _inside(tabulation: Tabulation, unit: str, within: str | None) -> bool:
    return within is None or within == unit or within in tabulation.lineage[tabulation.plan.units[unit].area]


def context_of(tabulation: Tabulation, unit: str) -> Context:
    """Build the context of the report in force of one unit."""
    names = {group.id: group.name for group in tabulation.plan.groups.values()}
    return _context(tabulation, tabulation.filed.filings[unit][-1], names, twins_of(tabulation).get(unit, {}))


def alone(report: Report, plan: Plan) -> tuple[Finding, ...]:
    """Examine one report by itself, under the readings in force: what can be said while its sender is still there.

    What only other places can show (the very same figures elsewhere, an area that does not add up) is left out.
    """
    now = ruled(plan, plan.award, plan.in_force, report)
    context = Context(
        unit=plan.units[report.unit],
        delegates=now.delegates or 0,
        attendance=now.attendance,
        outcome=now.outcome,
        worth=plan.worth.get(plan.units[report.unit].area),
        group_names={group.id: group.name for group in plan.groups.values()},
    )
    return tuple(examine(report, plan, context))


def _context(
    tabulation: Tabulation, filing: Filing, names: Mapping[str, str], twins: Mapping[str, tuple[str, ...]]
) -> Context:
    plan, unit = tabulation.plan, tabulation.plan.units[filing.report.unit]
    now = tabulation.ruled[unit.id]
    return Context(
        unit=unit,
        delegates=now.delegates or 0,
        attendance=now.attendance,
        outcome=now.outcome,
        worth=plan.worth.get(unit.area),
        group_names=names,
        twins=twins,
    )


def twins_of(tabulation: Tabulation) -> dict[str, dict[str, tuple[str, ...]]]:
    """Give for every unit the others with the very same figures, by stage, and at all stages."""
    alike: dict[tuple[str, tuple[int | None, ...]], list[str]] = {}
    stages = [stage.id for stage in tabulation.plan.stages]
    for report in (tabulation.filed.filings[unit][-1].report for unit in tabulation.ruled):
        figures = {
            stage: tuple(report.alignments.get(stage, {}).get(group) for group in tabulation.plan.groups)
            for stage in stages
        }
        whole: tuple[int | None, ...] = sum(figures.values(), ())
        for stage, counts in {**figures, ALL: whole}.items():
            if any(counts):
                alike.setdefault((stage, counts), []).append(report.unit)
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for (stage, _), units in alike.items():
        if len(units) > 1:
            for unit in units:
                found.setdefault(unit, {})[stage] = tuple(other for other in units if other != unit)
    return found


def _area(tabulation: Tabulation, area: str) -> AreaContext:
    plan, members = tabulation.plan, tabulation.members[area]
    reported = [unit for unit in members if unit in tabulation.ruled]
    written = {unit: tabulation.filed.filings[unit][-1].report.delegates for unit in reported}
    fixed = plan.areas[area].sharing is Sharing.DELEGATES
    return AreaContext(
        area=plan.areas[area],
        units=len(members),
        allotted=_allotted(tabulation, members),
        by_rule=_by_rule(tabulation, members),
        written=sum(sum(delegates.values()) for delegates in written.values() if delegates is not None),
        missing=tuple(unit for unit in members if unit not in tabulation.ruled),
        unrecorded=tuple(unit for unit in reported if not _recorded(plan, unit, written[unit])) if fixed else (),
        worth=plan.worth.get(area),
    )


def _allotted(tabulation: Tabulation, members: Sequence[str]) -> int | None:
    """Give the delegates of units by plan; None if one has a number nobody knows."""
    total = 0
    for unit in members:
        number = tabulation.plan.units[unit].delegates
        if number is None:
            return None
        total += number
    return total


def _by_rule(tabulation: Tabulation, members: Sequence[str]) -> int:
    """Give the same, with what the rule gives wherever that is more than a unit has by plan."""
    total = 0
    for unit in members:
        now = tabulation.ruled.get(unit)
        awarded = now.outcome.delegates.values() if now and isinstance(now.outcome, Awarded) else ()
        total += max(tabulation.plan.units[unit].delegates or 0, sum(awarded))
    return total


def _recorded(plan: Plan, unit: str, delegates: Mapping[str, int] | None) -> bool:
    """Whether all delegates of a unit are on record; a group left blank may have those that are missing."""
    if delegates is None:
        return False
    return delegates.keys() >= plan.groups.keys() or sum(delegates.values()) >= (plan.units[unit].delegates or 0)


def _batches(tabulation: Tabulation, names: Mapping[str, str]) -> Iterator[BatchContext]:
    """Give what each moment's new reports added to the official yardstick, beside what stood before."""
    plan, official = tabulation.plan, tabulation.plan.official
    zone = ZoneInfo(plan.timezone)
    firsts = [tabulation.filed.filings[unit][0] for unit in tabulation.ruled]
    firsts.sort(key=lambda filing: filing.seq)
    before: dict[str, int] = {}
    for at, batch in groupby(firsts, key=lambda filing: filing.at):
        added: dict[str, int] = {}
        units = 0
        for filing in batch:
            value = filing.report.alignments.get(official.stage) if official.counts == "people" else None
            if official.counts == "weight":
                value = tabulation.written_value(official, filing.report)
            elif official.counts == "delegates":
                value = filing.report.delegates
            units += 1
            for group, count in (value or {}).items():
                added[group] = added.get(group, 0) + count
        scale = 10**official.decimals
        yield BatchContext(
            before={group: Fraction(before.get(group, 0), scale) for group in plan.groups},
            batch={group: Fraction(added.get(group, 0), scale) for group in plan.groups},
            units=units,
            group_names=names,
            yardstick=official.name,
            at=at.astimezone(zone),
        )
        for group, count in added.items():
            before[group] = before.get(group, 0) + count
