"""Whether a report belongs to a plan at all: its unit, stages and groups are the plan's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.plan.closest import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report


def misfits(report: Report, plan: Plan, file: str = "", line: int | None = None) -> tuple[Fault, ...]:
    """Give a fault for every unit, stage or group the plan does not have; none means the report can be counted."""
    if _fits(report, plan):
        return ()
    return tuple(Fault(what, remedy, file, line) for what, remedy in _misfits(report, plan))


def _fits(report: Report, plan: Plan) -> bool:
    """Whether there is no misfit at all: what is true of nearly every report, and quick to tell."""
    stages, groups = plan.stage_ids, plan.groups.keys()
    if report.unit not in plan.units:
        return False
    for stage, people in report.alignments.items():
        if stage not in stages or not people.keys() <= groups:
            return False
    if report.components and any(_component_misfits(report, plan)):
        return False
    given = (report.delegates, report.values)
    return all(not counts or counts.keys() <= groups for counts in given)


def _misfits(report: Report, plan: Plan) -> Iterator[tuple[str, str]]:
    if report.unit not in plan.units:
        yield _unknown("unit", report.unit, plan.units, plan.contest)
    stages = [stage.id for stage in plan.stages]
    for stage in report.alignments:
        if stage not in stages:
            yield _unknown("stage", stage, stages, plan.contest)
    named = {group for people in report.alignments.values() for group in people}
    named |= set(report.delegates or ()) | set(report.values or ())
    for group in sorted(named - plan.groups.keys()):
        yield _unknown("group", group, plan.groups, plan.contest)
    yield from _component_misfits(report, plan)


def _component_misfits(report: Report, plan: Plan) -> Iterator[tuple[str, str]]:
    """Give what the components name and the plan does not have."""
    known = [component.id for component in plan.components]
    for component, stages in report.components.items():
        if component not in known:
            yield _unknown("component", component, known, plan.contest)
        for stage, people in stages.items():
            if stage not in plan.stage_ids:
                yield _unknown("stage", stage, sorted(plan.stage_ids), plan.contest)
            for group in people.keys() - plan.groups.keys():
                yield _unknown("group", group, plan.groups, plan.contest)


def _unknown(word: str, name: str, known: Collection[str], contest: str) -> tuple[str, str]:
    near = nearest(name, known)
    remedy = f"Did you mean {near!r}?" if near else f"Use one of the plan's {word}s, or the record of that contest."
    return f"{name!r} is not a {word} of contest {contest}", remedy
