"""A plan in words: every rule with its source, the readings in force, the places; for people to read."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from tallyroom.plan.readings import KNOWN
from tallyroom.plan.types import Sharing, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from tallyroom.plan.types import Plan

Row: TypeAlias = "tuple[str, ...]"
Section: TypeAlias = "tuple[str, tuple[Row, ...]]"


def described(plan: Plan) -> tuple[Section, ...]:
    """Give a plan's sections: a heading, and rows of which the first names the columns. Empty ones are left out."""
    sections = (
        ("Contest", ("Rule", "Value", "Source"), _contest(plan)),
        ("Counts of the people in the room", ("Stage", "Name", "May move", "Source"), _stages(plan)),
        ("Viability", ("Delegates", "Share needed", "Source"), _viability(plan)),
        ("Viability, awarding and lots", ("Rule", "Value", "Source"), _written(plan)),
        ("Delegates by attendance", ("Attending", "Delegates", "Source"), _bands(plan)),
        ("Yardsticks", ("Yardstick", "Name", "Counts", "Decimals", "Source"), _yardsticks(plan)),
        ("National delegates", ("Pool", "Name", "Kind", "Area", "Delegates", "Source"), _pools(plan)),
        ("How national delegates are shared", ("Rule", "Value", "Source"), _rules(plan.rules.get("national", {}))),
        ("Readings", ("Reading", "In force", "Others", "Question", "Source"), _readings(plan)),
        ("Deadlines", ("Deadline", "Name", "At (UTC)", "Source"), _deadlines(plan)),
        ("How a report comes, and what it takes to be counted", ("Channel", "Policy", "Source"), _acceptance(plan)),
        ("Private records", ("Rule", "Value", "Source"), _retention(plan)),
        ("Releases", ("Release", "Name", "At (UTC)", "Source"), _releases(plan)),
        ("Preference groups", ("Group", "Name", "Kind"), _groups(plan)),
        (
            "Areas and their places",
            ("Area", "Level", "Name", "Weight", "Units", "Delegates", "Each worth"),
            _areas(plan),
        ),
        ("Documents", ("Document", "Title", "Publisher", "Where"), _documents(plan)),
    )
    found = ((heading, columns, tuple(rows)) for heading, columns, rows in sections)
    return tuple((heading, (columns, *rows)) for heading, columns, rows in found if rows)


def cited(source: Source) -> str:
    """Give a source as one line: document, section, quote, note."""
    quote = f'"{source.quote}"' if source.quote else ""
    return "; ".join(part for part in (source.document, source.section, quote, source.note) if part)


def in_words(value: object) -> str:
    """Give a rule's value as a person reads it; shares stay exact."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType] -- any tuple
    if isinstance(value, Fraction):
        return str(value)
    return "none" if value is None else str(value)


def _rules(table: Mapping[str, object], left_out: Iterable[str] = ()) -> Iterator[Row]:
    """Give the rules of a table that stands once; a source of the whole table is that of each."""
    whole = table.get("source")
    for key, value in table.items():
        if key == "source" or key in left_out:
            continue
        if isinstance(value, Source):
            yield key, f"{key}.csv", cited(value)
        else:
            yield key, in_words(value), cited(whole) if isinstance(whole, Source) else ""


def _contest(plan: Plan) -> Iterator[Row]:
    yield from _rules(plan.rules.get("contest", {}), ("name", "summary"))
    yield from _rules(plan.rules.get("tables", {}))
    if plan.closed:
        yield "closed", ", ".join(sorted(plan.closed)), "amendments"
    yield "plan", plan.digest, "SHA-256 of the folder and its amendments"


def _stages(plan: Plan) -> Iterator[Row]:
    return ((stage.id, stage.name, stage.may_move, cited(stage.source)) for stage in plan.stages)


def _viability(plan: Plan) -> Iterator[Row]:
    return (
        (f"{step.delegates_at_least} or more", in_words(step.share), cited(step.source))
        for step in plan.award.viability
    )


def _written(plan: Plan) -> Iterator[Row]:
    for table in ("viability_number", "awarding", "lots"):
        for key, value, source in _rules(plan.rules.get(table, {})):
            yield f"{table}.{key}", value, source


def _bands(plan: Plan) -> Iterator[Row]:
    return ((f"{band.attending_at_least} or more", str(band.delegates), cited(band.source)) for band in plan.bands)


def _yardsticks(plan: Plan) -> Iterator[Row]:
    for row in plan.yardsticks:
        counts = f"{row.counts} ({row.stage})" if row.stage else row.counts
        official = "official, " if row.official else ""
        yield row.id, row.name, f"{official}{counts}", f"{row.decimals}, shown {row.shown}", cited(row.source)


def _pools(plan: Plan) -> Iterator[Row]:
    for pool in plan.pools.values():
        yield pool.id, pool.name, pool.kind, pool.area, str(pool.delegates), cited(pool.source)


def _readings(plan: Plan) -> Iterator[Row]:
    for reading in plan.readings.values():
        others = ", ".join(value for value in reading.values if value != reading.in_force)
        as_written = reading.in_force in KNOWN[reading.name].as_written if reading.name in KNOWN else False
        force = f"{reading.in_force} (as written)" if as_written else reading.in_force
        yield reading.name, force, others, reading.question, cited(reading.source)


def _deadlines(plan: Plan) -> Iterator[Row]:
    return ((row.id, row.name, _time(row.at), cited(row.source)) for row in plan.deadlines)


def _acceptance(plan: Plan) -> Iterator[Row]:
    return ((row.channel, row.policy, cited(row.source)) for row in plan.acceptance.values())


def _retention(plan: Plan) -> Iterator[Row]:
    if plan.retention is not None:
        yield "kept", f"{plan.retention.days} days after the last deadline or release", cited(plan.retention.source)


def _releases(plan: Plan) -> Iterator[Row]:
    for row in plan.releases.values():
        notes = [word for word, is_so in (("about", row.approximate), ("not on record", not row.reproducible)) if is_so]
        yield row.id, row.name, _time(row.at) + (f" ({', '.join(notes)})" if notes else ""), cited(row.source)


def _groups(plan: Plan) -> Iterator[Row]:
    return ((group.id, group.name, str(group.kind)) for group in plan.groups.values())


def _areas(plan: Plan) -> Iterator[Row]:
    units = dict.fromkeys(plan.areas, 0)
    for unit in plan.units.values():
        units[unit.area] += unit.id not in plan.closed
    for area in plan.areas.values():
        by_attendance = area.sharing is Sharing.ATTENDANCE
        worth = "by attendance" if by_attendance else in_words(plan.worth.get(area.id, ""))
        delegates = "" if area.weight is None or by_attendance else str(plan.area_delegates[area.id])
        weight = "" if area.weight is None else in_words(area.weight)
        yield area.id, area.level, area.name, weight, str(units[area.id] or ""), delegates, worth


def _documents(plan: Plan) -> Iterator[Row]:
    for name, row in plan.sources.items():
        yield name, row.get("title", ""), row.get("publisher", ""), row.get("where", "")


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M")
