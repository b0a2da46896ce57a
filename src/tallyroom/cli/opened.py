"""What a command works on: a contest's plan, its entries, and the moment asked for."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tallyroom.cli import complete
from tallyroom.faults import CannotRunError, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from importlib.resources.abc import Traversable

    from tallyroom.ledger.entry import Entry
    from tallyroom.ledger.recorded import RecordedNight
    from tallyroom.plan.types import Plan
    from tallyroom.tabulate import Tabulation
    from tallyroom.tabulate.moment import Moment

F = TypeVar("F", bound="Callable[..., object]")

NEAR = 0.6
"""How alike a word must be to a name to be taken for a slip of the keyboard (difflib's ratio)."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A contest at the moment asked for."""

    plan: Plan
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

    def within(self, plan: Plan) -> str | None:
        """Give the id of the area or unit; None for the whole contest.

        Raises:
            CannotRunError: more than one was named, or one that is not there.
        """
        if sum(name is not None for name in (self.county, self.district, self.unit)) > 1:
            raise CannotRunError(Fault("more than one place was given", "Give one of --county, --district and --unit."))
        if self.unit is not None:
            return unit_named(plan, self.unit)
        if self.county is not None:
            return area_named(plan, self.county, "county")
        return None if self.district is None else area_named(plan, self.district, "district")


def options(command: F) -> F:
    """Give a command the options that say which contest, which entries, which moment and which readings."""
    for decorate in reversed(
        (
            click.argument("contest", shell_complete=complete.contests),
            click.option("--ledger", metavar="FILE", help="Read this ledger, not the recorded night."),
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
            click.option("--reading", "readings", multiple=True, metavar="NAME=VALUE", help="Another reading."),
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
    if ledger is not None:
        return _stored(Path(ledger), plan)
    from tallyroom.ledger.memory import MemoryLedger  # noqa: PLC0415 - `--help` needs no ledger

    night = night_of(plan, record)
    with MemoryLedger(plan.contest) as memory:
        memory.append(night.drafts)
        return list(memory.entries())


def _stored(file: Path, plan: Plan) -> Sequence[Entry]:
    """Give the entries of a ledger on disk, once it is known to be what was written."""
    from tallyroom.ledger.faults import DamagedError  # noqa: PLC0415 - only a ledger on disk needs it
    from tallyroom.ledger.sqlite import SqliteLedger  # noqa: PLC0415 - the same
    from tallyroom.ledger.verify_sqlite import verify_sqlite  # noqa: PLC0415 - the same

    with SqliteLedger(file, plan.contest, read_only=True) as stored:
        if faults := verify_sqlite(file, contest=plan.contest):
            more = f", and {len(faults) - 1:,} more such faults" if len(faults) > 1 else ""
            remedy = f"`tallyroom ledger verify {file}` names every fault; restore it from an export or a copy."
            raise DamagedError(Fault(f"{faults[0].what}{more}", remedy, faults[0].file, faults[0].line))
        return list(stored.entries())


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
        return Opened(plan, when, tabulation)


def area_named(plan: Plan, name: str, level: str) -> str:
    """Give the id of an area asked for by id or by name; `level` is the option's word for it.

    Raises:
        CannotRunError: there is none of that name, or it is of another level.
    """
    known = {area.id: (area.id, area.name) for area in plan.areas.values()}
    found = _named(known, name, f" {level}")
    of_level = [area for area in found if plan.areas[area].level == level or level not in plan.levels]
    if len(of_level) == 1:
        return of_level[0]
    if len(found) == 1:
        other = plan.areas[found[0]].level
        remedy = f"Ask for --{other} {found[0]}." if other in ("county", "district") else "Leave the option out."
        raise CannotRunError(Fault(f"{name!r} is the {other} {plan.areas[found[0]].name}, not a {level}", remedy))
    those = {area: names for area, names in known.items() if plan.areas[area].level == level}
    what = f"{name!r} is not a {level} of {plan.contest}"
    raise CannotRunError(Fault(what, _closest(those or known, name, plan)))


def unit_named(plan: Plan, name: str) -> str:
    """Give the id of a unit asked for by id or by a name that only it has.

    Raises:
        CannotRunError: there is none of that name, or several are.
    """
    if name in plan.units:
        return name
    known = {unit.id: (unit.id, unit.name) for unit in plan.units.values()}
    found = _named(known, name)
    if len(found) == 1:
        return found[0]
    if found:
        what = f"{len(found)} places of {plan.contest} are named {name!r}"
        raise CannotRunError(Fault(what, f"Give the id of one: {', '.join(found[:8])}."))
    raise CannotRunError(Fault(f"{name!r} is not a unit of {plan.contest}", _closest(known, name, plan)))


def _named(known: Mapping[str, Sequence[str]], name: str, ending: str = "") -> list[str]:
    """Give the ids that a word names, by id or by name, whatever its case."""
    if name in known:
        return [name]
    word = name.strip().casefold()
    words = {word, word.removesuffix(ending)}
    return [found for found, names in known.items() if any(each.casefold() in words for each in names)]


def _closest(known: Mapping[str, Sequence[str]], name: str, plan: Plan) -> str:
    """Give a remedy that names what is closest to a word."""
    by_word = {each.casefold(): found for found, names in known.items() for each in names}
    near = get_close_matches(name.casefold(), by_word, 1, NEAR)
    if near:
        return f"Did you mean {by_word[near[0]]!r}?"
    return f"`tallyroom plan show {plan.contest} --units` lists them all."
