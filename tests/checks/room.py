"""A contest of one county built in code, and a report written in one line: a test reads like what happened.

    4 elected / present 40 / first ash 20 birch 12 cedar 8 / final ash 22 birch 18 / delegates ash 2 birch 2

A group that is not named is blank; `0 else` after the groups counts all others as 0. A hyphen in a name is a blank.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from tallyroom.award import award
from tallyroom.checks import Context, examine
from tallyroom.plan.types import (
    Area,
    AwardRule,
    Band,
    Group,
    GroupKind,
    Plan,
    Source,
    Stage,
    Unit,
    ViabilityStep,
    Yardstick,
)
from tallyroom.report.attendance import attendance, delegates_of
from tallyroom.report.record import RecordedLot, Report

S = Source("fiction")
TREES = ("ash", "birch", "cedar", "elder", "uncommitted", "other")
STAGES = (Stage("first", "First alignment", S), Stage("final", "Final alignment", S, "nonviable"))
WORTH = Fraction(7, 30)
"""Of one delegate of the county: 0.2333 as printed."""


def groups_of(names):
    """Groups in sheet order."""
    return {name: Group(name, name.capitalize(), GroupKind.CANDIDATE) for name in names}


PLAN = Plan(
    contest="meadow-2031",
    name="Meadow caucuses",
    summary="One county.",
    kind="caucus",
    timezone="UTC",
    levels=("county",),
    stages=STAGES,
    award=AwardRule(
        (
            ViabilityStep(1, None, S),
            ViabilityStep(2, Fraction(1, 4), S),
            ViabilityStep(3, Fraction(1, 6), S),
            ViabilityStep(4, Fraction(3, 20), S),
        )
    ),
    bands=(Band(1, 4, S), Band(21, 5, S), Band(41, 6, S)),
    yardsticks=(Yardstick("sde", "State delegates", "weight", "sde", S, official=True, decimals=4, shown=3),),
    national=None,
    groups=groups_of(TREES),
    areas={"meadow": Area("meadow", "county", "Meadow", weight=Fraction(7))},
    units={
        unit.id: unit
        for unit in (
            Unit("mill", "meadow", "Mill", delegates=4),
            Unit("school", "meadow", "School", delegates=12),
            Unit("church", "meadow", "Church", delegates=14),
        )
    },
    pools={},
    readings={},
    deadlines=(),
    releases={},
    published=(),
    sources={"fiction": {"title": "A story"}},
    digest="0" * 64,
)


def contest(*groups, **changed):
    """The contest with other groups, stages, bands or rule."""
    return replace(PLAN, groups=groups_of(groups or TREES), **changed)


def counts(text, plan, number=int):
    """Read `ash 20 birch 12 0 else`."""
    found = {group: number(count) for group, count in re.findall(r"([a-z-]+) ([\d.]+)", text)}
    if text.endswith("0 else"):
        return {group: found.get(group, number(0)) for group in plan.groups}
    return found


def told(line, plan=PLAN):
    """Read a line; give the delegates elected (None: by attendance) and the report of the mill."""
    elected, parts = None, {"alignments": {}, "lots": (), "other_attendance": {}}
    for part in line.split(" / "):
        word, _, rest = part.strip().partition(" ")
        if word.isdigit():
            elected = int(word)
        elif word == "present":
            parts["attendance"] = int(rest)
        elif word == "needed":
            parts["viability_number"] = int(rest)
        elif word in {stage.id for stage in plan.stages}:
            parts["alignments"][word] = counts(rest, plan)
        elif word == "delegates":
            parts["delegates"] = counts(rest, plan)
        elif word == "values":
            parts["values"] = counts(rest, plan, Fraction)
        elif word == "lot":
            tie, drawn = rest.split()
            parts["lots"] += (RecordedLot(tie, tuple(drawn.split("+"))),)
        else:
            assert word == "counted", f"not a part of a report: {part!r}"
            parts["other_attendance"] |= counts(rest, plan)
    return elected, Report("mill", **parts)


def context(report, elected, plan=PLAN, *, base="larger", **changed):
    """What may be known of a report besides it: the award by rule, and what a test says differs."""
    unit = replace(plan.units["mill"], delegates=elected)
    present = attendance(report, base, plan.stages)
    delegates = delegates_of(unit, plan.bands, present.people) or 0
    final = report.alignments.get(plan.final_stage, {})
    outcome = None
    if present.people and delegates and any(final.values()):
        lots = {lot.tie: lot.drawn for lot in report.lots}
        outcome = award(plan.award, delegates, present.people, final, lots)
    names = {group.id: group.name for group in plan.groups.values()}
    return replace(Context(unit, delegates, present, outcome, WORTH, names), **changed)


def findings(line, *, plan=PLAN, **changed):
    """Everything the checks find in a report."""
    elected, report = told(line, plan)
    return examine(report, plan, context(report, elected, plan, **changed))


class Evening:
    """A class of tests about one kind of finding."""

    kind = ""

    def found(self, line, **changed):
        """The findings of this kind in a report."""
        return [finding for finding in findings(line, **changed) if finding.kind == self.kind]

    def one(self, line, **changed):
        """The only finding of this kind in a report."""
        (finding,) = self.found(line, **changed)
        return finding
