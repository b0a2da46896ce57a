"""The live view of a replayed night: how far it is, who leads by each yardstick, what the checks find."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from rich.console import RenderableType

    from tallyroom.checks.finding import Finding
    from tallyroom.cli.terminal import Terminal
    from tallyroom.plan.types import Plan, Release
    from tallyroom.tabulate import Tabulation

GROUPS = 6
"""Groups shown, by the yardstick that settles the contest."""
BAR = 30
"""Columns of the longest bar."""


@contextmanager
def view(
    page: Terminal, plan: Plan, pace: float
) -> Generator[Callable[[Release, Tabulation, Sequence[Finding]], None]]:
    """Give a function that shows a release; it draws over itself for a person and does nothing for a pipe."""
    if not page.live:
        yield lambda _release, _tabulation, _found: None
        return
    from rich.live import Live  # noqa: PLC0415 - only a person's screen needs it

    with Live(console=page.console(), refresh_per_second=8, transient=True) as live:

        def show(release: Release, tabulation: Tabulation, found: Sequence[Finding]) -> None:
            live.update(_frame(plan, release, tabulation, found), refresh=True)
            time.sleep(pace)

        yield show


def _frame(plan: Plan, release: Release, tabulation: Tabulation, found: Sequence[Finding]) -> RenderableType:
    from rich.console import Group  # noqa: PLC0415 - only a person's screen needs it
    from rich.progress_bar import ProgressBar  # noqa: PLC0415 - the same
    from rich.table import Table  # noqa: PLC0415 - the same

    from tallyroom.publish.headline import leaders, shown  # noqa: PLC0415 - the same
    from tallyroom.publish.times import release_time  # noqa: PLC0415 - the same

    top = tabulation.top()
    progress = top.progress
    head = Table.grid(padding=(0, 1))
    bar = ProgressBar(
        total=max(progress.expected, 1),
        completed=progress.reported,
        width=BAR,
        style="bright_black",
        complete_style="cyan",
        finished_style="green",
    )
    head.add_row(f"{progress.reported:,} of {progress.expected:,} places", bar, f"{progress.changed:,} changed")
    table = Table(box=None, padding=(0, 2, 0, 0), title=f"{release.name}, {release_time(release, plan)}")
    table.title_justify = "left"
    table.add_column("")
    for row in top.yardsticks:
        table.add_column(row.yardstick.name, justify="right")
    official = next(row for row in top.yardsticks if row.yardstick.official)
    for place in official.groups[:GROUPS]:
        cells = [plan.groups[place.group].name]
        for row in top.yardsticks:
            value = shown(row, row.of(place.group).printed)
            cells.append(f"[bold]{value}[/bold]" if place.group in leaders(row) else value)
        table.add_row(*cells)
    return Group(plan.name, "", head, "", table, "", *_found(found))


def _found(found: Sequence[Finding]) -> list[str]:
    """Say what the checks have found so far, and which errors most often."""
    counts = Counter(str(row.severity) for row in found)
    errors = Counter(row.kind for row in found if row.severity == "error").most_common(3)
    return [
        f"Found so far: {counts['error']:,} errors, {counts['warning']:,} warnings, {counts['info']:,} notes",
        "Most often: " + ", ".join(f"{kind} {count:,}" for kind, count in errors) if errors else "",
    ]
