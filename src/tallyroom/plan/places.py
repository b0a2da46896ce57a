"""Groups, areas and units of a plan folder: who can be stood for, and the tree of places that report."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tallyroom.exact import COUNT_LIMIT, DELEGATES_LIMIT, parse_count, parse_fraction
from tallyroom.plan.closest import closest
from tallyroom.plan.fields import identifier, unit_identifier
from tallyroom.plan.tables import Table, read_table
from tallyroom.plan.types import Area, Group, GroupKind, PublishedFigure, Sharing, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from fractions import Fraction

KINDS = ("precinct", "satellite", "area")
"""Kinds of reporting places; an `area` is one whose places are on record only together."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_FIGURE = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?")


def read_groups(text: str | None, file: str) -> tuple[dict[str, Group], Table]:
    """Read `groups.csv`, in sheet order."""
    table = read_table(text, file, ("id", "name", "kind"))
    groups: dict[str, Group] = {}
    kinds = {str(kind): kind for kind in GroupKind}
    for line, (name, printed, kind) in table.rows:
        if not _new(table, line, name, groups):
            continue
        if kind not in kinds:
            table.fault(f"{kind!r} is not a kind of group", closest(kind, tuple(kinds)), line)
        groups[name] = Group(name, printed or name, kinds.get(kind, GroupKind.CANDIDATE))
    if not groups and table.sound:
        table.fault("there is no group", "Add a row a group, in the order of the sheet.", 1)
    return groups, table


def read_areas(text: str | None, file: str, levels: Sequence[str]) -> tuple[dict[str, Area], Table]:
    """Read `areas.csv`: a tree with one top, each area below one of an upper level; no `levels`, no check of them."""
    table = read_table(text, file, ("id", "level", "name", "parent", "weight", "sharing"))
    areas: dict[str, Area] = {}
    at: dict[str, int] = {}
    ways = {str(way): way for way in Sharing}
    for line, (name, level, printed, parent, weight, sharing) in table.rows:
        if not _new(table, line, name, areas):
            continue
        if levels and level not in levels:
            table.fault(f"{level!r} is not a level of this contest", closest(level, tuple(levels)), line)
        if sharing and sharing not in ways:
            table.fault(f"{sharing!r} is not a way to share a weight", closest(sharing, tuple(ways)), line)
        worth = _weight(table, line, weight)
        areas[name] = Area(name, level, printed or name, parent, worth, ways.get(sharing, Sharing.DELEGATES))
        at[name] = line
    _tree(table, areas, at, levels)
    return areas, table


def _weight(table: Table, line: int, cell: str) -> Fraction | None:
    try:
        worth = parse_fraction(cell) if cell else None
    except ValueError as error:
        table.fault(f"weight: {error}", "Write delegates of the next tier as a number or a fraction.", line)
        return None
    if worth is not None and not 0 <= worth < COUNT_LIMIT:
        what = "is negative" if worth < 0 else f"is larger than any area can hold (limit {COUNT_LIMIT:,})"
        table.fault(f"weight {cell} {what}", "Write delegates of the next tier, 0 or more.", line)
    return worth


def _tree(table: Table, areas: Mapping[str, Area], at: Mapping[str, int], levels: Sequence[str]) -> None:
    tops = [area.id for area in areas.values() if not area.parent]
    if len(tops) != 1 and (areas or table.sound):
        what = f"areas without a parent: {', '.join(tops) or 'none'}"
        table.fault(what, "Exactly one area, the whole contest, has none.", at[tops[1]] if len(tops) > 1 else 1)
    for area in areas.values():
        if not area.parent:
            continue
        parent = areas.get(area.parent)
        if parent is None:
            table.fault(f"parent {area.parent!r} is not an area", closest(area.parent, tuple(areas)), at[area.id])
        elif area.level in levels and parent.level in levels and levels.index(parent.level) >= levels.index(area.level):
            what = f"{area.id} ({area.level}) cannot lie in {parent.id} ({parent.level})"
            table.fault(what, f"Levels from the top: {', '.join(levels)}.", at[area.id])


def read_units(text: str | None, file: str, areas: Mapping[str, Area]) -> tuple[dict[str, Unit], Table]:
    """Read `units.csv`: the places that report; their areas are not checked if there are none to hold them against."""
    table = read_table(text, file, ("id", "area", "name", "kind", "delegates"), ("aliases", "name_digest"))
    units: dict[str, Unit] = {}
    for line, (name, area, printed, kind, delegates, aliases, digest) in table.rows:
        if not _new(table, line, name, units, unit_identifier):
            continue
        if areas and area not in areas:
            table.fault(f"{area!r} is not an area", closest(area, tuple(areas)), line)
        number = None
        try:
            number = parse_count(delegates, DELEGATES_LIMIT)
        except ValueError as error:
            table.fault(f"delegates: {error}", "Write the delegates the unit elects, or leave the cell empty.", line)
            number = 1  # stands in, so that no second fault follows from this one
        if kind and kind not in KINDS:
            table.fault(f"{kind!r} is not a kind of reporting place", closest(kind, KINDS), line)
        if digest and not _DIGEST.fullmatch(digest):
            table.fault("name_digest is not a SHA-256", "Give 64 hexadecimal digits, or leave the cell empty.", line)
        other = tuple(alias for part in aliases.split(";") if (alias := part.strip())) if aliases else ()
        units[name] = Unit(name, area, printed or name, kind or "precinct", number, digest, other)
    if not units and table.sound:
        table.fault("there is no unit", "Add a row a reporting place.", 1)
    return units, table


def read_published(
    text: str | None, file: str, releases: Collection[str] | None, measures: Collection[str], groups: Collection[str]
) -> tuple[tuple[PublishedFigure, ...], Table]:
    """Read `published.csv`: figures somebody published, to hold ours against.

    What could not be read of other files (no releases at all, no measures, no groups) is not held against it.
    """
    table = read_table(text, file, ("release", "measure", "group", "value", "note", "source"))
    found: list[PublishedFigure] = []
    for line, (release, measure, group, value, note, source) in table.rows:
        if releases is not None and release not in releases:
            table.fault(f"{release!r} is not a release", closest(release, tuple(releases)), line)
        if measures and measure not in measures:
            table.fault(f"{measure!r} is not a measure", closest(measure, tuple(measures)), line)
        if group and groups and group not in groups:
            table.fault(f"{group!r} is not a group", closest(group, tuple(groups)), line)
        if not source:
            table.fault("the figure has no source", "Say who published it.", line)
        if not _FIGURE.fullmatch(value):
            table.fault(f"{value!r} is not a figure", "Write it as published, digits and a point.", line)
        found.append(PublishedFigure(release, measure, group, value, source, note))
    return tuple(found), table


def _new(
    table: Table, line: int, name: str, known: Collection[str], read: Callable[[object], str] = identifier
) -> bool:
    """Whether a row's id is not there yet; one of a wrong form is known all the same, to those who name it."""
    try:
        read(name)
    except ValueError as error:
        table.fault(str(error), "Give the row an id such as first-county.", line)
    if name in known:
        table.fault(f"id {name} stands twice", "Give every row an id of its own.", line)
        return False
    return True
