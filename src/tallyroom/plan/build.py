"""Values that have been read and found to fit become the frozen types of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.plan.acceptance import Acceptance, Retention
from tallyroom.plan.types import (
    AwardRule,
    Band,
    Component,
    Deadline,
    NationalRule,
    Plan,
    Pool,
    Reading,
    Release,
    Stage,
    ViabilityStep,
    Yardstick,
)

RULES = ("contest", "tables", "viability_number", "awarding", "lots", "national")
"""Tables kept as written beside the types made of them: some of their rules have one supported value today."""

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.plan.rules import Rules
    from tallyroom.plan.types import Area, Group, PublishedFigure, Unit


def build(
    rules: Rules,
    sources: Mapping[str, Mapping[str, str]],
    groups: Mapping[str, Group],
    areas: Mapping[str, Area],
    units: Mapping[str, Unit],
    *,
    published: tuple[PublishedFigure, ...],
    digest: str,
) -> Plan:
    """Build a plan from rules without faults; every key of every table is there."""
    contest = rules.one("contest")
    readings = {row["name"]: Reading(**row) for row in rules.many("reading")}
    return Plan(
        contest=contest["id"],
        name=contest["name"],
        summary=contest["summary"],
        kind=contest["kind"],
        timezone=contest["timezone"],
        levels=contest["levels"],
        stages=tuple(Stage(**row) for row in rules.many("stage")),
        components=tuple(Component(**row) for row in rules.many("component")),
        award=_award(rules, readings),
        bands=tuple(Band(**row) for row in rules.many("band")),
        yardsticks=tuple(Yardstick(**row) for row in rules.many("yardstick")),
        national=_national(rules, readings),
        groups=groups,
        areas=areas,
        units=units,
        pools={row["id"]: Pool(**row) for row in rules.many("pool")},
        readings=readings,
        deadlines=tuple(Deadline(**row) for row in rules.many("deadline")),
        releases={row["id"]: Release(**row) for row in rules.many("release")},
        acceptance={row["channel"]: Acceptance(**row) for row in rules.many("acceptance")},
        retention=Retention(**rules.one("retention")) if rules.one("retention") else None,
        published=published,
        sources=sources,
        digest=digest,
        rules={name: rules.one(name) for name in RULES},
    )


def _award(rules: Rules, readings: Mapping[str, Reading]) -> AwardRule:
    awarding, lots = rules.one("awarding"), rules.one("lots")
    if not awarding:
        return AwardRule(())
    rule = AwardRule(
        viability=tuple(ViabilityStep(**row) for row in rules.many("viability")),
        minimum=awarding["minimum"],
        over_viable=awarding["over_viable"],
        lot_of_two=lots["two"],
        lot_of_more=lots["more"],
        rounding=awarding["rounding"],
    )
    return rule.with_readings({name: reading.in_force for name, reading in readings.items()})


def _national(rules: Rules, readings: Mapping[str, Reading]) -> NationalRule | None:
    row = rules.one("national")
    if not row:
        return None
    tie = readings["national_tie"].in_force if "national_tie" in readings else "lot"
    return NationalRule(row["yardstick"], row["threshold"], row["fallback"], tie, row["source"], row["recomputed"])
