"""A small contest built in code, and evenings written in a few lines: a test reads like what happened.

    elm-1   attending 40 / first ash 20 birch 12 cedar 8 / final ash 22 birch 18 / delegates ash 2 birch 2

Each line is an entry of the ledger, a minute after the one before; a second line of a unit is a correction.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from tallyroom.ledger.entry import Author, Draft
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.plan.amend import Amendment, amend
from tallyroom.plan.amend import to_wire as amendment_object
from tallyroom.plan.types import (
    Area,
    AwardRule,
    Band,
    Group,
    GroupKind,
    NationalRule,
    Plan,
    Pool,
    Reading,
    Release,
    Sharing,
    Source,
    Stage,
    Unit,
    ViabilityStep,
    Yardstick,
)
from tallyroom.report.record import RecordedLot, Report
from tallyroom.report.wire import to_wire

S = Source("fiction")
GROUPS = ("ash", "birch", "cedar", "uncommitted", "other")
START = datetime(2031, 2, 3, 19, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

READINGS = {
    "short_award": ("residual", "cyclic", "lot"),
    "over_viable_tie": ("all-realign", "lot"),
    "one_delegate": ("plurality", "majority", "caucus-vote"),
    "nobody_viable": ("no-award", "chair-decides", "realign-again"),
    "satellite_weight": ("attendance", "delegates"),
    "out_of_state_pool": ("fixed", "turnout"),
    "attendance": ("larger", "first", "final"),
    "empty_unit": ("vacant", "filled-later"),
    "national_tie": ("lot", "state-plan"),
}
"""The first of each is in force."""

PLAN = Plan(
    contest="orchard-2031",
    name="Orchard caucuses",
    summary="A contest that fits on one page.",
    kind="caucus",
    timezone="UTC",
    levels=("state", "district", "county"),
    stages=(Stage("first", "First alignment", S), Stage("final", "Final alignment", S, "nonviable")),
    award=AwardRule(
        (
            ViabilityStep(1, None, S),
            ViabilityStep(2, Fraction(1, 4), S),
            ViabilityStep(3, Fraction(1, 6), S),
            ViabilityStep(4, Fraction(3, 20), S),
        )
    ),
    bands=(Band(1, 4, S), Band(21, 5, S), Band(41, 6, S)),
    yardsticks=(
        Yardstick("first_alignment", "First vote", "people", "people", S, stage="first"),
        Yardstick("final_alignment", "Final vote", "people", "people", S, stage="final"),
        Yardstick("delegates", "County delegates", "delegates", "county delegates", S),
        Yardstick("sde", "State delegates", "weight", "sde", S, official=True, decimals=4, shown=3),
    ),
    national=NationalRule("sde", Fraction(3, 20), "half-of-leader", "lot", S),
    groups={
        group: Group(group, group.capitalize(), kind)
        for group, kind in zip(
            GROUPS, (*[GroupKind.CANDIDATE] * 3, GroupKind.UNCOMMITTED, GroupKind.OTHER), strict=True
        )
    },
    areas={
        area.id: area
        for area in (
            Area("orchard", "state", "Orchard"),
            Area("north", "district", "North", "orchard"),
            Area("south", "district", "South", "orchard"),
            Area("elm", "county", "Elm", "north", Fraction(5)),
            Area("fir", "county", "Fir", "north", Fraction(4)),
            Area("oak", "county", "Oak", "south", Fraction(7)),
            Area("north-satellite", "county", "Northern satellites", "north", Fraction(2), Sharing.ATTENDANCE),
            Area("far-satellite", "county", "Far satellites", "orchard", Fraction(1), Sharing.ATTENDANCE),
        )
    },
    units={
        unit.id: unit
        for unit in (
            Unit("elm-1", "elm", "Elm 1", delegates=4),
            Unit("elm-2", "elm", "Elm 2", delegates=2),
            Unit("elm-3", "elm", "Elm 3", delegates=1),
            Unit("fir-1", "fir", "Fir 1", delegates=6),
            Unit("oak-1", "oak", "Oak 1", delegates=8),
            Unit("oak-2", "oak", "Oak 2", delegates=3),
            Unit("north-a", "north-satellite", "Library", "satellite"),
            Unit("north-b", "north-satellite", "Mill", "satellite"),
            Unit("north-c", "north-satellite", "School", "satellite"),
            Unit("far-a", "far-satellite", "Embassy", "satellite"),
            Unit("far-b", "far-satellite", "Ship", "satellite"),
        )
    },
    pools={
        pool.id: pool
        for pool in (
            Pool("north-3", "North", "district", "north", 3, S),
            Pool("south-2", "South", "district", "south", 2, S),
            Pool("large", "At large", "at-large", "orchard", 4, S),
        )
    },
    readings={name: Reading(name, "?", values, values[0], S) for name, values in READINGS.items()},
    deadlines=(),
    releases={
        "early": Release("early", "Early", START + 4 * MINUTE, S),
        "gone": Release("gone", "Gone", START + 5 * MINUTE, S, reproducible=False),
        "late": Release("late", "Late", START + 60 * MINUTE, S),
    },
    published=(),
    sources={"fiction": {"title": "A story"}},
    digest="0" * 64,
)

PLACES = (*PLAN.areas, *PLAN.units)


def at(minute):
    """The time of the entry with this number, and of the moment right after it."""
    return START + minute * MINUTE


def report(line):
    """Read a report from one line."""
    head, *parts = [part.strip() for part in line.split(" / ")]
    unit, _, rest = head.partition(" ")
    found = {"unit": unit, "alignments": {}}
    for part in [rest.strip(), *parts] if rest.strip() else parts:
        word, _, rest = part.partition(" ")
        if word == "attending":
            found["attendance"] = int(rest)
        elif word == "lot":
            tie, drawn = rest.split()
            found["lots"] = (*found.get("lots", ()), RecordedLot(tie, tuple(drawn.split("+"))))
        elif word == "values":
            found["values"] = {group: Fraction(value) for group, value in re.findall(r"(\S+) ([\d.]+)", rest)}
        elif word == "delegates":
            found["delegates"] = {group: int(count) for group, count in re.findall(r"(\S+) (\d+)", rest)}
        else:
            assert word in {"first", "final"}, f"not a part of a report: {part!r}"
            found["alignments"][word] = {group: int(count) for group, count in re.findall(r"(\S+) (\d+)", rest)}
    return Report(**found)


def entries(*events, plan=PLAN):
    """Enter reports and amendments into a ledger, a minute apart from `START`; give its entries."""
    drafts, latest = [], {}
    for number, event in enumerate(events):
        draft = Draft("report", 1, plan.contest, at(number), f"event-{number}", Author("t-1", "chair"), "app", {})
        if isinstance(event, Report):
            before = latest.get(event.unit)
            latest[event.unit] = number
            reason = "" if before is None else "recount"
            drafts.append(replace(draft, body=to_wire(event), replaces=before, reason=reason))
        else:
            amendment = Amendment(event, "fiction")
            plan = amend(plan, amendment)
            drafts.append(replace(draft, kind="amendment", body=amendment_object(amendment, plan)))
    with MemoryLedger(plan.contest) as ledger:
        ledger.append(drafts)
        return list(ledger.entries())


def evening(text):
    """Give the entries of an evening, a line an entry."""
    return entries(*(report(line.strip()) for line in text.strip().splitlines()))


WHOLE = """
    elm-1 attending 40 / first ash 20 birch 12 cedar 8 / final ash 22 birch 18 / delegates ash 2 birch 2
    elm-2 attending 20 / first ash 13 birch 7 / final ash 13 birch 7 / delegates ash 1 birch 1
    elm-3 attending 9 / first ash 5 birch 4 / final ash 5 birch 4 / delegates birch 1
    fir-1 attending 60 / first ash 30 birch 20 cedar 10 / final ash 30 birch 30 / delegates ash 3 birch 3
    oak-1 attending 80 / first ash 60 birch 20 / final ash 60 birch 20 / delegates ash 6 birch 2
    oak-2 attending 30 / first ash 16 birch 14 / final ash 16 birch 14 / delegates ash 2 birch 1
    north-a attending 30 / first ash 30 / final ash 30 / delegates ash 5
    north-b attending 10 / first birch 10 / final birch 10 / delegates birch 4
    north-c attending 20 / first cedar 20 / final cedar 20 / delegates cedar 4
    far-a attending 15 / first cedar 15 / final cedar 15 / delegates cedar 4
    far-b attending 5 / first ash 5 / final ash 5 / delegates ash 4
"""
"""An evening on which everybody reports and every award is right."""
