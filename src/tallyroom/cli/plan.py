"""`tallyroom plan`: a contest's rules and places, checked, shown, begun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tallyroom.cli import complete, terminal
from tallyroom.cli.ledger import fault_object
from tallyroom.exact import ratio
from tallyroom.faults import InputError

if TYPE_CHECKING:
    from tallyroom.plan.types import Plan, Unit


@click.group("plan")
def command() -> None:
    """Check, show or begin a contest's plan: its rules with their sources, its places, its groups."""


@command.command("check")
@click.argument("contest", metavar="FOLDER|CONTEST", shell_complete=complete.contests)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def check(contest: str, as_json: bool) -> int:  # noqa: FBT001 - click's shape
    """Name every fault of a plan, with file, line and remedy.

    Exit code 0 if the plan loads, 65 if its content is at fault, 2 if there is no such plan.
    """
    from tallyroom.plan.catalogue import find  # noqa: PLC0415 - `--help` needs no plan

    try:
        plan = find(contest)
    except InputError as refused:
        if not as_json:
            raise
        terminal.print_json(_verdict(None, refused))
        return refused.exit_code
    if as_json:
        terminal.print_json(_verdict(plan, None))
    else:
        page = terminal.current()
        page.line(
            f"{plan.contest}: no fault found in {len(plan.units):,} units, {len(plan.areas):,} areas, "
            f"{len(plan.groups)} groups and {len(plan.readings)} readings"
        )
        page.line(f"plan {plan.digest}")
    return 0


def _verdict(plan: Plan | None, refused: InputError | None) -> dict[str, object]:
    return {
        "schema": 1,
        "contest": plan.contest if plan else None,
        "plan": plan.digest if plan else None,
        "units": len(plan.units) if plan else None,
        "faults": [fault_object(fault) for fault in refused.faults] if refused else [],
    }


@command.command("show")
@click.argument("contest", shell_complete=complete.contests)
@click.option("--units", "with_units", is_flag=True, help="List every unit, not only their number by area.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def show(contest: str, with_units: bool, as_json: bool) -> None:  # noqa: FBT001 - click's shape
    """Show a contest's rules with their sources, the readings in force, and its places.

    CONTEST is the id of a contest that comes with Tallyroom, or the folder of a plan.
    """
    from tallyroom.plan.catalogue import find  # noqa: PLC0415 - `--help` needs no plan

    plan = find(contest)
    if as_json:
        terminal.print_json(_plan_object(plan, with_units=with_units))
        return
    from tallyroom.plan.show import described  # noqa: PLC0415 - JSON needs no words

    page = terminal.current()
    page.line(f"{plan.name} ({plan.contest})")
    page.line(plan.summary)
    for heading, rows in described(plan):
        page.heading(heading)
        page.table(rows[0], rows[1:])
    if with_units:
        page.heading("Every unit")
        page.table(("id", "area", "delegates", "name"), [_unit_row(unit) for unit in plan.units.values()], right={2})


def _unit_row(unit: Unit) -> tuple[str, str, str, str]:
    return unit.id, unit.area, "" if unit.delegates is None else str(unit.delegates), unit.name


def _plan_object(plan: Plan, *, with_units: bool) -> dict[str, object]:
    """Give all that a plan holds as JSON; units by number, or each."""
    import msgspec  # noqa: PLC0415 - `--help` needs no JSON

    held = {item.name: getattr(plan, item.name) for item in fields(plan)}
    held |= {"closed": sorted(plan.closed), "units": _units_object(plan, with_units=with_units)}
    return {"schema": 1, "plan": held.pop("digest"), **msgspec.to_builtins(held, enc_hook=_exactly)}


def _units_object(plan: Plan, *, with_units: bool) -> object:
    if with_units:
        return plan.units
    by_area = Counter(unit.area for unit in plan.units.values())
    return {"expected": len(plan.units.keys() - plan.closed), "by_area": by_area}


def _exactly(value: object) -> object:
    """What JSON does not know: fractions are written as `p/q`."""
    if isinstance(value, Fraction):
        return ratio(value)
    if isinstance(value, Mapping):
        return dict(value)  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType] - any mapping
    raise NotImplementedError(f"a plan holds a {type(value).__name__}, which has no JSON form yet")


@command.command("new")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--contest", required=True, metavar="ID", help="The contest's id: small letters, digits and hyphens.")
def new(folder: Path, contest: str) -> None:
    """Write a plan to begin with: every key is there, explained, and the plan loads.

    A folder that is not empty is left alone.
    """
    from tallyroom.plan.template import write_template  # noqa: PLC0415 - `--help` needs no plan

    write_template(folder, contest)
    page = terminal.current()
    for path in sorted(folder.iterdir()):
        page.line(str(path))
    page.note(f"Edit them, then: tallyroom plan check {folder}")
