"""What a command works on: a contest's plan, its entries, and the moment asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tallyroom.cli import complete
from tallyroom.faults import CannotRunError, Fault
from tallyroom.plan.closest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from importlib.resources.abc import Traversable

    from tallyroom.ledger.entry import Entry
    from tallyroom.ledger.recorded import RecordedNight
    from tallyroom.plan.types import Plan
    from tallyroom.tabulate import Tabulation
    from tallyroom.tabulate.moment import Moment

FEW = 8
"""As many names as a sentence may list."""

F = TypeVar("F", bound="Callable[..., object]")


@dataclass(frozen=True, slots=True)
class Opened:
    """A contest at the moment asked for."""

    moment: Moment
    tabulation: Tabulation


@dataclass(frozen=True, slots=True)
class Asked:
    """Which contest, entries, moment and readings the options name."""

    contest: str
    ledger: str | None
    record: str | None
    at: str | None
    release: str | None
    plan_of: str
    readings: Sequence[str]


@dataclass(frozen=True, slots=True)
class Place:
    """Which part of the contest the options name; all None for the whole."""

    county: str | None
    district: str | None
    unit: str | None
    area: str | None = None

    def within(self, plan: Plan) -> str | None:
        """Give the id of the area or unit; None for the whole contest.

        Raises:
            CannotRunError: more than one was named, or one that is not there.
        """
        if sum(name is not None for name in (self.county, self.district, self.unit, self.area)) > 1:
            remedy = "Give one of --county, --district, --area and --unit."
            raise CannotRunError(Fault("more than one place was given", remedy))
        if self.unit is not None:
            return unit_named(plan, self.unit)
        if self.area is not None:
            return area_named(plan, self.area)
        if self.county is not None:
            return area_named(plan, self.county, "county")
        return None if self.district is None else area_named(plan, self.district, "district")


def options(command: F) -> F:
    """Give a command the options that say which contest, which entries, which moment and which readings."""
    for decorate in reversed(
        (
            click.argument("contest", shell_complete=complete.contests),
            click.option(
                "--ledger",
                metavar="FILE",
                help="Read this ledger, a file or postgresql://..., not the recorded night.",
            ),
            click.option("--record", metavar="FOLDER", help="Read the recorded night in this folder."),
            click.option("--at", metavar="TIME", help="As recorded at this time, such as 2020-02-07T01:28:00Z."),
            click.option(
                "--release", metavar="ID", shell_complete=complete.releases, help="As published with this release."
            ),
            click.option(
                "--plan",
                "plan_of",
                type=click.Choice(["then", "latest"]),
                default="then",
                show_default=True,
                help="Count by the plan in force then, or with hindsight by the latest.",
            ),
            click.option(
                "--reading",
                "readings",
                multiple=True,
                metavar="NAME=VALUE",
                shell_complete=complete.readings,
                help="Another reading.",
            ),
        )
    ):
        command = decorate(command)
    return command


def places(command: F) -> F:
    """Give a command the options that say which part of the contest."""
    for decorate in reversed(
        (
            click.option(
                "--county",
                metavar="NAME",
                shell_complete=complete.counties,
                help="One county, or a pool of satellites, by id or by name.",
            ),
            click.option(
                "--district", metavar="NAME", shell_complete=complete.districts, help="One district, by id or by name."
            ),
            click.option(
                "--area", metavar="NAME", shell_complete=complete.areas, help="One area of any level, by id or by name."
            ),
            click.option(
                "--unit",
                metavar="ID",
                shell_complete=complete.units,
                help="One precinct or satellite, by id or by name.",
            ),
        )
    ):
        command = decorate(command)
    return command


def night_of(plan: Plan, record: str | None) -> RecordedNight:
    """Give the recorded night in a folder, or the one of this contest that comes with Tallyroom."""
    from tallyroom.ledger.recorded import read_night  # noqa: PLC0415 - `--help` needs no record

    return read_night(record_of(plan, record), plan)


def record_of(plan: Plan, record: str | None) -> Traversable:
    """Give the folder of a recorded night: the one named, or the one of this contest that comes with Tallyroom."""
    from tallyroom.ledger.recorded import folder_of  # noqa: PLC0415 - `--help` needs no record

    return folder_of(plan.contest) if record is None else Path(record)


def entries_of(plan: Plan, ledger: str | None, record: str | None = None) -> Sequence[Entry]:
    """Give the entries of a ledger file, or of a recorded night."""
    if ledger is not None and record is not None:
        raise CannotRunError(Fault("--ledger and --record were both given", "Give one of them."))
    from tallyroom.ledger.reading import recorded_entries, stored_entries  # noqa: PLC0415 - `--help` needs no ledger

    return recorded_entries(plan, record) if ledger is None else stored_entries(ledger, plan)


def opened(asked: Asked) -> Opened:
    """Open a contest as its options ask."""
    from tallyroom.plan.catalogue import find  # noqa: PLC0415 - `--help` needs no plan
    from tallyroom.plan.readings import choose, parse  # noqa: PLC0415 - the same
    from tallyroom.tabulate import tabulated  # noqa: PLC0415 - the same
    from tallyroom.tabulate.bulk import uncollected  # noqa: PLC0415 - the same
    from tallyroom.tabulate.moment import moment  # noqa: PLC0415 - the same

    with uncollected():
        plan = find(asked.contest)
        chosen = choose(plan, parse(asked.readings))
        when = moment(plan, asked.at, asked.release)
        entries = entries_of(plan, asked.ledger, asked.record)
        hindsight, file = asked.plan_of == "latest", asked.ledger or ""
        tabulation = tabulated(entries, plan, at=when.at, readings=chosen, hindsight=hindsight, file=file)
        return Opened(when, tabulation)


ANY_LEVEL = "area"
"""The option's word for an area of whatever level."""


def area_named(plan: Plan, name: str, level: str = ANY_LEVEL) -> str:
    """Give the id of an area asked for by id or by name; `level` is the option's word for it.

    Raises:
        CannotRunError: there is none of that name, several are, or it is of another level.
    """
    known = {area.id: (area.id, area.name) for area in plan.areas.values()}
    found = _named(known, name, f" {level}")
    of_level = [area for area in found if plan.areas[area].level == level or level not in plan.levels]
    if len(of_level) == 1:
        return of_level[0]
    if len(of_level) > 1:
        what = f"{len(of_level)} areas of {plan.contest} are named {name!r}"
        raise CannotRunError(Fault(what, f"Give the id of one: {', '.join(of_level[:FEW])}."))
    if len(found) == 1:
        other = plan.areas[found[0]].level
        remedy = f"Ask for --{other if other in ('county', 'district') else ANY_LEVEL} {found[0]}."
        raise CannotRunError(Fault(f"{name!r} is the {other} {plan.areas[found[0]].name}, not a {level}", remedy))
    those = {area: names for area, names in known.items() if plan.areas[area].level == level}
    what = f"{name!r} is not a {level} of {plan.contest}"
    raise CannotRunError(Fault(what, _closest(those or known, name, plan)))


def unit_named(plan: Plan, name: str) -> str:
    """Give the id of a unit asked for by id, by a name that only it has, or else by such an alias.

    Raises:
        CannotRunError: there is none of that name, or several are.
    """
    if name in plan.units:
        return name
    known = {unit.id: (unit.id, unit.name) for unit in plan.units.values()}
    found = _named(known, name) or _named({unit.id: unit.aliases for unit in plan.units.values()}, name)
    if len(found) == 1:
        return found[0]
    if found:
        what = f"{len(found)} places of {plan.contest} are named {name!r}"
        raise CannotRunError(Fault(what, f"Give the id of one: {', '.join(found[:FEW])}."))
    raise CannotRunError(Fault(f"{name!r} is not a unit of {plan.contest}", _closest(known, name, plan)))


def _named(known: Mapping[str, Sequence[str]], name: str, ending: str = "") -> list[str]:
    """Give the ids that a word names, by id or by name, whatever its case."""
    if name in known:
        return [name]
    word = name.strip().casefold()
    words = {word, word.removesuffix(ending)}
    return [found for found, names in known.items() if any(each.casefold() in words for each in names)]


def _closest(known: Mapping[str, Sequence[str]], name: str, plan: Plan) -> str:
    """Give a remedy that names what is closest to a word, what has it in its name, or all if they are few."""
    word = name.strip().casefold()
    by_word = {each.casefold(): found for found, names in known.items() for each in names}
    having = [found for found, names in known.items() if word and any(word in each.casefold() for each in names)]
    if 1 < len(having) <= FEW:
        return f"Those with {name!r} in their name are {', '.join(having)}."
    near = having[0] if len(having) == 1 else by_word.get(nearest(word, by_word) or "")
    if near is not None:
        return f"Did you mean {near!r}?"
    if 0 < len(known) <= FEW:
        return f"There are {', '.join(known)}."
    return f"`tallyroom plan show {plan.contest} --units` lists them all."
