"""`tallyroom check`: what is wrong with the reports of a contest, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tallyroom.cli import complete, terminal
from tallyroom.cli.opened import Asked, Place, opened, options, places

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("check")
@options
@places
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="SLUG",
    shell_complete=complete.kinds,
    help="Only findings of this kind; may be repeated.",
)
@click.option(
    "--severity",
    type=click.Choice(["error", "warning", "info"]),
    default="info",
    show_default=True,
    help="Only findings that are at least this severe.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(
    contest: str,
    ledger: str | None,
    record: str | None,
    at: str | None,
    release: str | None,
    plan_of: str,
    readings: tuple[str, ...],
    county: str | None,
    area: str | None,
    district: str | None,
    unit: str | None,
    kinds: tuple[str, ...],
    severity: str,
    as_json: bool,  # noqa: FBT001 - click's shape
) -> None:
    """List what is wrong with the reports of a contest.

    CONTEST is the id of a contest that comes with Tallyroom, or the folder of a plan. How many there are of each kind
    comes first, then every place with its findings, the most severe first: places with an error stand before those
    with a warning, and those before the rest.
    """
    from tallyroom.checks import catalogue  # noqa: PLC0415 - `--help` needs none of this
    from tallyroom.cli.place import SEVEREST_FIRST  # noqa: PLC0415 - the same
    from tallyroom.tabulate.findings import findings  # noqa: PLC0415 - the same

    known = tuple(check.kind for check in catalogue())
    _refuse_unknown(kinds, known)
    found = opened(Asked(contest, ledger, record, at, release, plan_of, readings))
    within = Place(county, district, unit, area).within(found.tabulation.plan)
    wanted = SEVEREST_FIRST[: [str(word) for word in SEVEREST_FIRST].index(severity) + 1]
    rows = [
        row
        for row in findings(found.tabulation, within=within)
        if row.severity in wanted and (not kinds or row.kind in kinds)
    ]
    if as_json:
        from tallyroom.tabulate.wire import findings_object  # noqa: PLC0415 - only pipes need it

        terminal.print_json(findings_object(found.tabulation, rows, kinds or known, found.moment))
        return
    from tallyroom.cli.findings_view import show_findings  # noqa: PLC0415 - only people need it

    show_findings(terminal.current(), found, rows, within)


def _refuse_unknown(kinds: Sequence[str], known: Sequence[str]) -> None:
    """Refuse a kind of finding that there is not, with the closest one."""
    for kind in kinds:
        if kind not in known:
            from tallyroom.plan.closest import closest  # noqa: PLC0415 - only a slip of the keyboard needs it

            raise click.UsageError(f"{kind!r} is not a kind of finding. {closest(kind, known, 'The kinds are')}")
