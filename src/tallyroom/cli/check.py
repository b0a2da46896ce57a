"""`tallyroom check`: what is wrong with the reports of a contest, and what to do."""

from __future__ import annotations

import click

from tallyroom.cli import terminal
from tallyroom.cli.opened import area_named, opened, options, unit_named


@click.command("check")
@options
@click.option("--county", metavar="ID", help="One county, or a pool of satellites.")
@click.option("--district", metavar="ID", help="One district.")
@click.option("--unit", metavar="ID", help="One precinct or satellite.")
@click.option("--kind", "kinds", multiple=True, metavar="SLUG", help="Only findings of this kind.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(
    contest: str,
    ledger: str | None,
    at: str | None,
    release: str | None,
    plan_of: str,
    readings: tuple[str, ...],
    county: str | None,
    district: str | None,
    unit: str | None,
    kinds: tuple[str, ...],
    as_json: bool,  # noqa: FBT001 - click's shape
) -> None:
    """List what is wrong with the reports of a contest.

    CONTEST is the id of a contest that comes with Tallyroom, or the folder of a plan.
    """
    from tallyroom.checks import catalogue  # noqa: PLC0415 - `--help` needs none of this
    from tallyroom.tabulate.findings import findings  # noqa: PLC0415 - the same
    from tallyroom.tabulate.wire import findings_object  # noqa: PLC0415 - the same

    found = opened(contest, ledger, at, release, plan_of, readings)
    within = None
    if unit is not None:
        within = unit_named(found.plan, unit)
    elif (place := county or district) is not None:
        within = area_named(found.plan, place, "county" if county else "district")
    known = tuple(check.kind for check in catalogue())
    for kind in kinds:
        if kind not in known:
            raise click.BadParameter(f"{kind!r} is not a kind of finding. The kinds are {', '.join(known)}.")
    rows = [row for row in findings(found.tabulation, within=within) if not kinds or row.kind in kinds]
    if as_json:
        terminal.print_json(findings_object(found.tabulation, rows, kinds or known, found.moment))
        return
    page, plan = terminal.current(), found.tabulation.plan
    for row in rows:
        place = plan.units[row.unit].name if row.unit else plan.areas[row.area].name if row.area else plan.top.name
        county_name = plan.areas[plan.units[row.unit].area].name + ", " if row.unit else ""
        page.line(f"{row.code} {row.kind} ({row.severity}) {county_name}{place}")
        page.line(f"    {row.text} {row.todo}")
    page.line()
    counted = [(kind, sum(row.kind == kind for row in rows)) for kind in kinds or known]
    page.table(["Finding", "Places"], [[kind, f"{count:,}"] for kind, count in counted if count], right={1})
