"""What a command works on: a contest's plan, its entries, and the moment asked for."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tallyroom.faults import CannotRunError, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tallyroom.ledger.entry import Entry
    from tallyroom.plan.types import Plan
    from tallyroom.tabulate import Tabulation
    from tallyroom.tabulate.moment import Moment

F = TypeVar("F", bound="Callable[..., object]")


@dataclass(frozen=True, slots=True)
class Opened:
    """A contest at the moment asked for."""

    plan: Plan
    moment: Moment
    tabulation: Tabulation


def options(command: F) -> F:
    """Give a command the options that say which contest, which ledger, which moment and which readings."""
    for decorate in reversed(
        (
            click.argument("contest"),
            click.option("--ledger", "ledger", metavar="FILE", help="Read this ledger, not the recorded night."),
            click.option("--at", metavar="TIME", help="As recorded at this time, such as 2020-02-07T01:28:00Z."),
            click.option("--release", metavar="ID", help="As published with this release."),
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


def entries_of(plan: Plan, ledger: str | None) -> Sequence[Entry]:
    """Give the entries of a ledger file, or of the recorded night that comes with Tallyroom."""
    if ledger is not None:
        from tallyroom.ledger.sqlite import SqliteLedger  # noqa: PLC0415 - only a ledger on disk needs it

        with SqliteLedger(Path(ledger), plan.contest, read_only=True) as stored:
            return list(stored.entries())
    from tallyroom.ledger.memory import MemoryLedger  # noqa: PLC0415 - `--help` needs no ledger
    from tallyroom.ledger.recorded import folder_of, read_night  # noqa: PLC0415 - the same

    night = read_night(folder_of(plan.contest), plan)
    with MemoryLedger(plan.contest) as memory:
        memory.append(night.drafts)
        return list(memory.entries())


def opened(
    contest: str,
    ledger: str | None,
    at: str | None,
    release: str | None,
    plan_of: str,
    readings: Sequence[str],
) -> Opened:
    """Open a contest as its options ask."""
    from tallyroom.plan.catalogue import find  # noqa: PLC0415 - `--help` needs no plan
    from tallyroom.plan.readings import choose, parse  # noqa: PLC0415 - the same
    from tallyroom.tabulate import tabulated  # noqa: PLC0415 - the same
    from tallyroom.tabulate.moment import moment  # noqa: PLC0415 - the same

    plan = find(contest)
    chosen = choose(plan, parse(readings))
    asked = moment(plan, at, release)
    entries = entries_of(plan, ledger)
    tabulation = tabulated(
        entries, plan, at=asked.at, readings=chosen, hindsight=plan_of == "latest", file=ledger or ""
    )
    return Opened(plan, asked, tabulation)


def area_named(plan: Plan, name: str, level: str) -> str:
    """Give the id of an area asked for by id or by name; `level` is the option's word for it."""
    if name in plan.areas:
        return name
    named = [area.id for area in plan.areas.values() if area.name.casefold() == name.casefold()]
    if len(named) == 1:
        return named[0]
    near = get_close_matches(name, list(plan.areas), 1)
    remedy = f"Did you mean {near[0]!r}?" if near else f"`tallyroom plan show {plan.contest}` lists them."
    raise CannotRunError(Fault(f"{name!r} is not a {level} of {plan.contest}", remedy))


def unit_named(plan: Plan, name: str) -> str:
    """Give the id of a unit asked for by id, or refuse with the closest one."""
    if name in plan.units:
        return name
    near = get_close_matches(name, list(plan.units), 1)
    remedy = f"Did you mean {near[0]!r}?" if near else f"`tallyroom plan show {plan.contest}` lists them."
    raise CannotRunError(Fault(f"{name!r} is not a unit of {plan.contest}", remedy))
