"""`tallyroom tabulate`: a contest on every yardstick, as of any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tallyroom.cli import terminal
from tallyroom.cli.opened import Asked, Place, opened, options, places

if TYPE_CHECKING:
    from tallyroom.cli.opened import Opened
    from tallyroom.tabulate import Basis


@click.command("tabulate")
@options
@click.option(
    "--basis",
    type=click.Choice(["as-written", "by-rule"]),
    default="as-written",
    show_default=True,
    help="Count delegates as the sheets say, or as the rule gives them.",
)
@places
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(
    contest: str,
    ledger: str | None,
    record: str | None,
    at: str | None,
    release: str | None,
    plan_of: str,
    readings: tuple[str, ...],
    basis: str,
    county: str | None,
    area: str | None,
    district: str | None,
    unit: str | None,
    as_json: bool,  # noqa: FBT001 - click's shape
) -> None:
    """Add up a contest on every yardstick, as of any time.

    CONTEST is the id of a contest that comes with Tallyroom, or the folder of a plan. One place, with --unit, is shown
    as written and by rule side by side, with what was found in its report and how it came to stand as it does.
    """
    from tallyroom.tabulate import Basis  # noqa: PLC0415 - `--help` needs none of this

    found = opened(Asked(contest, ledger, record, at, release, plan_of, readings))
    place = Place(county, district, unit, area)
    within = place.within(found.tabulation.plan)
    if unit is not None and within is not None:
        _unit(found, within, Basis(basis), record, as_json=as_json)
    else:
        _area(found, within or found.tabulation.plan.top.id, Basis(basis), as_json=as_json)


def _area(found: Opened, area: str, basis: Basis, *, as_json: bool) -> None:
    from tallyroom.tabulate.national import national  # noqa: PLC0415 - `--help` needs none of this

    standing = found.tabulation.of_area(area, basis)
    pools = national(found.tabulation, basis, within=area)
    if as_json:
        from tallyroom.tabulate.wire import standing_object  # noqa: PLC0415 - only pipes need it

        terminal.print_json(standing_object(found.tabulation, standing, pools, basis, found.moment))
        return
    from tallyroom.cli.standing_view import show_standing  # noqa: PLC0415 - only people need it

    show_standing(terminal.current(), found, standing, pools, basis)


def _unit(found: Opened, unit: str, basis: Basis, record: str | None, *, as_json: bool) -> None:
    from tallyroom.cli.papers import papers  # noqa: PLC0415 - `--help` needs none of this
    from tallyroom.cli.place import account  # noqa: PLC0415 - the same

    plan = found.tabulation.plan
    told, meaning = account(found.tabulation, unit), papers(plan, record)
    if as_json:
        from tallyroom.cli.place import account_object  # noqa: PLC0415 - only pipes need it
        from tallyroom.tabulate.national import National  # noqa: PLC0415 - the same
        from tallyroom.tabulate.wire import standing_object  # noqa: PLC0415 - the same

        standing = found.tabulation.of_unit(unit, basis)
        whole = standing_object(found.tabulation, standing, National(()), basis, found.moment)
        terminal.print_json({**whole, "place": account_object(plan, told, meaning)})
        return
    from tallyroom.cli.place_view import show_place  # noqa: PLC0415 - only people need it

    show_place(terminal.current(), found, told, meaning)
