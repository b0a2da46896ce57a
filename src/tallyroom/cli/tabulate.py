"""`tallyroom tabulate`: a contest on every yardstick, as of any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tallyroom.cli import terminal
from tallyroom.cli.opened import area_named, opened, options, unit_named
from tallyroom.exact import fixed, printed
from tallyroom.faults import CannotRunError, Fault

if TYPE_CHECKING:
    from fractions import Fraction

    from tallyroom.cli.opened import Opened
    from tallyroom.tabulate import Basis, Standing
    from tallyroom.tabulate.national import National


@click.command("tabulate")
@options
@click.option("--basis", type=click.Choice(["as-written", "by-rule"]), default="as-written", show_default=True)
@click.option("--county", metavar="ID", help="One county, or a pool of satellites.")
@click.option("--district", metavar="ID", help="One district.")
@click.option("--unit", metavar="ID", help="One precinct or satellite.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(
    contest: str,
    ledger: str | None,
    at: str | None,
    release: str | None,
    plan_of: str,
    readings: tuple[str, ...],
    basis: str,
    county: str | None,
    district: str | None,
    unit: str | None,
    as_json: bool,  # noqa: FBT001 - click's shape
) -> None:
    """Add up a contest on every yardstick, as of any time.

    CONTEST is the id of a contest that comes with Tallyroom, or the folder of a plan.
    """
    from tallyroom.tabulate import Basis  # noqa: PLC0415 - `--help` needs none of this
    from tallyroom.tabulate.national import National, national  # noqa: PLC0415 - the same
    from tallyroom.tabulate.wire import standing_object  # noqa: PLC0415 - the same

    if sum(place is not None for place in (county, district, unit)) > 1:
        raise CannotRunError(Fault("more than one place was given", "Give one of --county, --district and --unit."))
    found = opened(contest, ledger, at, release, plan_of, readings)
    on = Basis(basis)
    if unit is not None:
        standing, pools = found.tabulation.of_unit(unit_named(found.plan, unit), on), National(())
    else:
        level = "county" if county is not None else "district"
        place = county or district
        area = found.plan.top.id if place is None else area_named(found.plan, place, level)
        standing, pools = found.tabulation.of_area(area, on), national(found.tabulation, on, within=area)
    if as_json:
        terminal.print_json(standing_object(found.tabulation, standing, pools, on, found.moment))
    else:
        _show(found, standing, pools, on)


def _show(found: Opened, standing: Standing, pools: National, basis: Basis) -> None:
    page, plan = terminal.current(), found.tabulation.plan
    progress = standing.progress
    page.line(plan.name)
    when = f"release {found.moment.release}" if found.moment.release else str(found.moment.at or "all entries")
    page.line(
        f"{standing.scope.name}, {basis}, {when}: {progress.reported:,} of {progress.expected:,} places reported,"
    )
    page.line(f"{progress.changed:,} changed since they first reported.")
    page.line()
    page.table(*_yardsticks(found, standing), right={1, 2, 3, 4, 5, 6, 7, 8})
    for yardstick in standing.yardsticks:
        if yardstick.units_without_value:
            page.line(f"{yardstick.yardstick.name}: not recorded for {yardstick.units_without_value} places.")
    for pool in standing.provisional:
        page.line(f"Provisional: {plan.areas[pool].name} is not complete, so its places' worth will still change.")
    if standing.undetermined:
        reasons = ", ".join(f"{reason} {count}" for reason, count in standing.undetermined.items())
        page.line(f"The rule gives no single award, as written stands: {reasons}.")
    if pools.pools:
        _show_national(found, pools)


def _yardsticks(found: Opened, standing: Standing) -> tuple[list[str], list[list[str]]]:
    plan = found.tabulation.plan
    headings = ["Group"]
    for row in standing.yardsticks:
        headings += [row.yardstick.name + (" (official)" if row.yardstick.official else ""), "%"]
        if row.units_without_value:
            headings.append("not recorded")
    official = next(row for row in standing.yardsticks if row.yardstick.official)
    rows: list[list[str]] = []
    for group in official.groups:
        cells = [plan.groups[group.group].name]
        for row in standing.yardsticks:
            mine, decimals = row.of(group.group), row.yardstick.decimals
            cells += [fixed(mine.printed, decimals), _percent(mine.share)]
            if row.units_without_value:
                cells.append(f"{fixed(mine.lowest, decimals)} to {fixed(mine.highest, decimals)}")
        rows.append(cells)
    return headings, rows


def _percent(share: Fraction) -> str:
    return printed(100 * share, 1)


def _show_national(found: Opened, pools: National) -> None:
    page, plan = terminal.current(), found.tabulation.plan
    page.line()
    shares = ", ".join(f"{plan.groups[group].name} {count}" for group, count in pools.groups.items())
    page.line(f"National delegates, if it ended now: {shares}")
    for pool in pools.pools:
        shared = pool.allocation
        row = ", ".join(f"{plan.groups[g].name} {n}" for g, n in shared.groups.items())
        page.line(f"  {pool.pool.name} ({pool.pool.delegates}): {row}")
        if shared.tie is not None:
            tied = ", ".join(plan.groups[g].name for g in shared.tie.groups)
            page.line(f"    tied for the last {shared.tie.take}: {tied}")
        elif shared.closest is not None:
            close = shared.closest
            winner, loser = (printed(value, 4) for value in close.remainders)
            page.line(
                f"    last to {plan.groups[close.winner].name} with remainder {winner},"
                f" next {plan.groups[close.loser].name} {loser}"
            )
