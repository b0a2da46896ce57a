"""What only the whole plan can tell: whether its rules, areas and units fit together."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.plan.closest import closest
from tallyroom.plan.form import OPEN
from tallyroom.plan.readings import (
    DELEGATES,
    EARLY,
    KNOWN,
    NATIONAL,
    OPEN_OVER_VIABLE,
    OPEN_ROUNDING,
    POOLED,
)
from tallyroom.plan.types import ELECTING, Sharing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tallyroom.plan.rules import Row, Rules
    from tallyroom.plan.tables import Table
    from tallyroom.plan.types import Area, Unit

SEVERAL = 2
"""Delegates from which a share is needed: the whole caucus elects a single one."""


def whole_faults(
    rules: Rules, areas: Mapping[str, Area], units: Mapping[str, Unit], area_rows: Table, unit_rows: Table
) -> list[Fault]:
    """Give the faults between tables and files; those inside a table are found when it is read.

    Faults of the rules are noted there; rules, areas or units that could not be read are not held against the others.
    """
    if not rules.broken:
        _unique(rules)
        _stages(rules)
        _shares(rules, units)
        _yardsticks(rules)
        _pools(rules, areas)
        _readings(rules, areas)
        _releases(rules)
    shared = _areas(rules, areas, units, area_rows) if unit_rows.sound else ()
    return [*shared, *_weights(rules, areas, units, unit_rows)]


def _unique(rules: Rules) -> None:
    for table, key in (
        ("stage", "id"),
        ("yardstick", "id"),
        ("pool", "id"),
        ("reading", "name"),
        ("deadline", "id"),
        ("acceptance", "channel"),
        ("release", "id"),
        ("viability", "delegates_at_least"),
        ("band", "attending_at_least"),
    ):
        seen: set[object] = set()
        for place, row in enumerate(rules.many(table)):
            value = row.get(key)
            if value is not None and value in seen:
                rules.fault(f"{table} {value} stands twice", f"Give every {table} its own {key}.", table, place, key)
            seen.add(value)


def _stages(rules: Rules) -> None:
    for table, key in (("viability", "delegates_at_least"), ("band", "attending_at_least")):
        numbers = [row.get(key) for row in rules.many(table)]
        whole = [number for number in numbers if isinstance(number, int)]
        if whole != sorted(whole):
            rules.fault(f"the [[{table}]] tables are out of order", f"Order them by {key}, lowest first.", table)
    if rules.many("viability") and rules.many("viability")[0].get("delegates_at_least", 1) > 1:
        rules.fault("no [[viability]] covers units of one delegate", "Begin with delegates_at_least = 1.", "viability")


def _shares(rules: Rules, units: Mapping[str, Unit]) -> None:
    """Whoever elects several delegates needs a share: without one there is no way to award them."""
    steps = {row["delegates_at_least"]: place for place, row in _whole(rules, "viability", "delegates_at_least")}
    told: set[int] = set()
    for delegates, who in sorted(_elected(rules, units).items()):
        least = max((least for least in steps if least <= delegates), default=delegates)
        place = steps.get(least)
        if delegates < SEVERAL or place is None or place in told:
            continue
        row = rules.many("viability")[place]
        if "share" in row and row["share"] is None:
            told.add(place)
            what = f"{who} elects {delegates:,} delegates, for which [[viability]] has no share"
            add = f'Add a [[viability]] with delegates_at_least = {SEVERAL} and its share, such as "3/20".'
            remedy = add if least < SEVERAL else 'Write the exact share, such as "3/20".'
            rules.fault(what, remedy, "viability", place, "share")


def _elected(rules: Rules, units: Mapping[str, Unit]) -> Mapping[int, str]:
    """Give the numbers of delegates that are elected, each with the first unit or band that elects it."""
    electing: dict[int, str] = {}
    for unit in units.values():
        if unit.delegates is not None:
            electing.setdefault(unit.delegates, f"unit {unit.id}")
    for _, row in _whole(rules, "band", "delegates"):
        electing.setdefault(row["delegates"], "a [[band]]")
    return electing


def _whole(rules: Rules, table: str, key: str) -> list[tuple[int, Row]]:
    """Give the rows of a table that have a key, with their places."""
    return [(place, row) for place, row in enumerate(rules.many(table)) if key in row]


def _yardsticks(rules: Rules) -> None:
    official = [place for place, row in enumerate(rules.many("yardstick")) if row.get("official")]
    if len(official) != 1 and all("official" in row for row in rules.many("yardstick")) and rules.many("yardstick"):
        what = f"{len(official)} yardsticks are official"
        rules.fault(what, "Exactly one settles the contest.", "yardstick", official[1] if len(official) > 1 else 0)
    stages = named(rules, "stage")
    for place, row in enumerate(rules.many("yardstick")):
        stage = row.get("stage")
        if stages and row.get("counts") == "people" and stage is not None and stage not in stages:
            what = f"yardstick {row.get('id')} counts people of stage {stage!r}, which is not there"
            rules.fault(what, closest(stage, stages), "yardstick", place, "stage")
    national = rules.one("national")
    names = named(rules, "yardstick")
    if names and national.get("yardstick") not in (None, *names):
        what = f"national delegates are shared by {national['yardstick']!r}, which is not a yardstick"
        rules.fault(what, closest(national["yardstick"], names), "national", 0, "yardstick")


def named(rules: Rules, table: str, key: str = "id") -> list[str] | None:
    """Give the ids of a table's rows; None if one could not be read, for then whoever names it is not at fault."""
    rows = rules.many(table)
    return [row[key] for row in rows] if all(key in row for row in rows) else None


def _pools(rules: Rules, areas: Mapping[str, Area]) -> None:
    if rules.many("pool") and not rules.one("national"):
        rules.fault("there are pools but no rule to share them", "Add a [national] table.", "pool")
    for place, row in enumerate(rules.many("pool")):
        area = row.get("area")
        if areas and area is not None and area not in areas:
            rules.fault(f"{area!r} is not an area", closest(area, tuple(areas)), "pool", place, "area")


def _readings(rules: Rules, areas: Mapping[str, Area]) -> None:
    named = {row.get("name") for row in rules.many("reading")}
    there = {
        DELEGATES: rules.one("contest").get("kind", "caucus") in ELECTING,
        OPEN_ROUNDING: rules.one("awarding").get("rounding") == OPEN,
        OPEN_OVER_VIABLE: rules.one("awarding").get("over_viable") == OPEN,
        POOLED: any(area.sharing is Sharing.ATTENDANCE for area in areas.values()) if areas else None,
        NATIONAL: bool(rules.many("pool")),
        EARLY: any(row.get("early") for row in rules.many("component")),
    }
    for known in KNOWN.values():
        if known.name not in named and there[known.needs]:
            remedy = f"Add it, with one of {', '.join(known.meaning)} in force."
            rules.fault(f"reading {known.name} is missing: {known.question}", remedy, "reading")
    for place, row in enumerate(rules.many("reading")):
        known = KNOWN.get(row.get("name", ""))
        if known is None:
            continue
        if there[known.needs] is False:
            remedy = f"Leave it out: it arises only with {known.needs}."
            rules.fault(f"reading {known.name} has nothing to decide here", remedy, "reading", place, "name")
        for value in row.get("values", ()):
            if value not in known.meaning:
                remedy = closest(value, tuple(known.meaning))
                rules.fault(f"{value!r} is not a value of reading {known.name}", remedy, "reading", place, "values")
        force = row.get("in_force")
        if force is not None and force not in row.get("values", ()):
            remedy = closest(force, tuple(row.get("values", ())))
            rules.fault(f"{force!r} is in force but not among the values", remedy, "reading", place, "in_force")


def _releases(rules: Rules) -> None:
    times = [(place, row["at"]) for place, row in enumerate(rules.many("release")) if "at" in row]
    for (_, before), (place, after) in pairwise(times):
        if after <= before:
            rules.fault("the releases are out of order", "Order them by time.", "release", place, "at")


def _areas(rules: Rules, areas: Mapping[str, Area], units: Mapping[str, Unit], area_rows: Table) -> Iterator[Fault]:
    """An area with a weight needs units to share it, and bands if its units have no delegates fixed in advance."""
    lines = {cells[0]: line for line, cells in area_rows.rows}
    inside: dict[str, list[Unit]] = {}
    for unit in units.values():
        inside.setdefault(unit.area, []).append(unit)
    for area in areas.values():
        if area.weight is None:
            continue
        members = inside.get(area.id, [])
        if not members or (area.sharing is Sharing.DELEGATES and all(unit.delegates == 0 for unit in members)):
            what = f"area {area.id} has a weight, but no unit to share it"
            yield Fault(what, "Add its units to units.csv, or leave its weight empty.", area_rows.file, lines[area.id])
        fixed = all(unit.delegates is not None for unit in members)
        if area.sharing is Sharing.ATTENDANCE and not fixed and not rules.broken and not rules.many("band"):
            what = f"area {area.id} shares its weight by attendance, but the rules have no bands"
            remedy = "Add [[band]] tables to rules.toml: delegates of a unit by its attendance."
            yield Fault(what, remedy, area_rows.file, lines[area.id])


def _weights(rules: Rules, areas: Mapping[str, Area], units: Mapping[str, Unit], unit_rows: Table) -> Iterator[Fault]:
    """Units need an area with a weight when a yardstick counts weight, and delegates that can be known."""
    weighted = any(row.get("counts") == "weight" for row in rules.many("yardstick"))
    lines = {cells[0]: line for line, cells in unit_rows.rows}
    for unit in units.values():
        area = areas.get(unit.area)
        if area is None:
            continue
        if weighted and area.weight is None:
            what = f"unit {unit.id} lies in {area.id}, which has no weight"
            yield Fault(
                what, "Give the area a weight in areas.csv, or the unit another area.", unit_rows.file, lines[unit.id]
            )
        if unit.delegates is None and area.weight is not None and area.sharing is Sharing.DELEGATES:
            what = f"unit {unit.id} has no delegates, but {area.id} shares its weight by delegates"
            yield Fault(what, "Add its delegates, or let the area share by attendance.", unit_rows.file, lines[unit.id])
