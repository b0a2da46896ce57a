"""`tallyroom night`: replay a recorded night from a real ledger, and hold every published figure against it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tallyroom.cli import terminal
from tallyroom.faults import CannotRunError, Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallyroom.checks.finding import Finding
    from tallyroom.cli.terminal import Terminal
    from tallyroom.ledger.entry import Draft
    from tallyroom.ledger.port import Ledger
    from tallyroom.plan.types import Plan, Release
    from tallyroom.publish.night_page import NightPage, ReleaseLine
    from tallyroom.tabulate import Tabulation
    from tallyroom.tabulate.published import Compared

BATCH = 100
"""Reports entered in one commit."""
PACE = 0.6
"""Seconds a release stays on the screen of a person who watches."""
DISAGREES = 1
"""Exit code: a figure that must agree does not, or a page shows another value than it was given."""


@click.command("night")
@click.argument("contest", default="iowa-2020")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=Path("var/night"), show_default=True
)
@click.option("--pace", type=click.FloatRange(0, 10), default=None, help="Seconds a release stays on the screen.")
def command(contest: str, folder: Path, pace: float | None) -> int:
    """Replay a recorded night, release by release, up to certification.

    Every report goes into a ledger on disk in the order it became known; standings, findings and national delegates
    are made from that ledger alone, and every figure that was published is held against them. Writes
    `index.html`, `index.json` and `ledger.sqlite` into the folder. Exit code 1 if a figure that the record can give
    does not agree.
    """
    from tallyroom.ledger.recorded import folder_of, read_night  # noqa: PLC0415 - `--help` needs none of this
    from tallyroom.ledger.sqlite import SqliteLedger  # noqa: PLC0415 - the same
    from tallyroom.plan.catalogue import find  # noqa: PLC0415 - the same

    page = terminal.current()
    plan = find(contest)
    recorded = read_night(folder_of(plan.contest), plan)
    path = _fresh(folder)
    with SqliteLedger(path, plan.contest, create=True) as ledger:
        night = _play(page, plan, ledger, recorded.drafts, PACE if pace is None else pace)
        head = ledger.head()
    context = night.page(f"{head.count:,} entries, root {head.root}")
    wrong = _write(folder, context)
    _tell(page, context, folder)
    for misprint in wrong:
        terminal.error(misprint)
    return DISAGREES if wrong or night.unexplained() else 0


def _fresh(folder: Path) -> Path:
    """Make the folder, with no ledger of an earlier replay in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("ledger.sqlite*"):
            old.unlink()
    except OSError as failure:
        what = f"the folder cannot be used: {failure.strerror}"
        raise CannotRunError(Fault(what, "Give another one with --folder.", str(folder))) from None
    return folder / "ledger.sqlite"


class _Night:
    """A night as it is played: what stood at every release, and how published figures compare."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.lines: list[ReleaseLine] = []
        self.compared: list[Compared] = []
        self.hue: dict[str, int] = {}
        self.found: tuple[Finding, ...] = ()
        self.tabulation: Tabulation | None = None
        self.last: Release | None = None

    def release(self, release: Release, tabulation: Tabulation, compared: Sequence[Compared]) -> None:
        """Keep what stands at a release."""
        from tallyroom.publish.night_page import hues, release_line  # noqa: PLC0415 - `--help` needs none of this
        from tallyroom.tabulate.findings import findings  # noqa: PLC0415 - the same

        self.tabulation, self.last = tabulation, release
        self.compared.extend(compared)
        self.hue = self.hue or hues(tabulation.top().on(self.plan.official.id))
        self.lines.append(release_line(release, tabulation))
        self.found = findings(tabulation)

    def unexplained(self) -> list[Compared]:
        """Give the figures that the record can give, that do not agree, and for which nobody has a reason."""
        return [row for row in self.compared if row.verdict == "differs" and not row.figure.note]

    def page(self, head: str) -> NightPage:
        """Give the context of the page."""
        from tallyroom.publish.night_page import night_page  # noqa: PLC0415 - `--help` needs none of this

        if self.tabulation is None or self.last is None:
            raise CannotRunError(
                Fault(f"contest {self.plan.contest} has no releases to replay", "Add [[release]] tables to its rules.")
            )
        return night_page(self.tabulation, self.last, self.lines, self.found, self.compared, self.hue, head)


def _play(page: Terminal, plan: Plan, ledger: Ledger, drafts: Sequence[Draft], pace: float) -> _Night:
    """Enter the reports in the order they became known, and tabulate from the ledger release by release."""
    from tallyroom.cli.night_view import view  # noqa: PLC0415 - `--help` needs none of this
    from tallyroom.tabulate.published import replay  # noqa: PLC0415 - the same

    night = _Night(plan)
    for start in range(0, len(drafts), BATCH):
        ledger.append(drafts[start : start + BATCH])
    with view(page, plan, pace) as show:
        for played in replay(ledger.entries(), plan):
            night.release(played.release, played.tabulation, played.compared)
            show(played.release, played.tabulation, night.found)
    return night


def _write(folder: Path, context: NightPage) -> tuple[str, ...]:
    """Write the page and its twin, read the page back, and give every value it shows wrongly."""
    import json  # noqa: PLC0415 - `--help` needs no JSON

    from tallyroom.publish.night_page import as_html, as_json, misprints  # noqa: PLC0415 - the same

    page = folder / "index.html"
    page.write_text(as_html(context), encoding="utf-8")
    twin = json.dumps(as_json(context), ensure_ascii=False, indent=1)
    (folder / "index.json").write_text(twin + "\n", encoding="utf-8")
    return misprints(page.read_text(encoding="utf-8"), context)


def _tell(page: Terminal, context: NightPage, folder: Path) -> None:
    """Print the night in short, what cannot agree by name, and published against ours."""
    page.line(context.name)
    page.line(context.headline)
    page.line(context.margin)
    headings = ["Release", "Time", "Places", "Changed", *(heading.name for heading in context.headings), "National"]
    rows = [
        [line.name, line.time, line.places, line.changed, *line.leader, line.delegates] for line in context.releases
    ]
    page.line()
    page.table(headings, rows, right={2, 3}, title="How it became known")
    page.line()
    page.table(
        ["Finding", "Places"],
        [[kind, f"{count:,}"] for _, kind, _, count in context.findings],
        right={1},
        title="What a person must look at, in the last release",
    )
    open_rows = [row for row in context.figures if row.verdict != "agrees"]
    if open_rows:
        page.line()
        page.table(
            ["Release", "Measure", "Group", "Published", "Ours", "Verdict"],
            [[r.release, r.measure, r.group, r.published, r.ours, r.verdict] for r in open_rows],
            right={3, 4},
            title="Published figures that do not agree, or that the record cannot give",
        )
    page.line()
    releases = {row.release: None for row in context.figures}
    count = [[row.verdict for row in context.figures if row.release == release] for release in releases]
    page.table(
        ["Release", "Published", "Agree", "Differ", "Not in record"],
        [
            [release, *(f"{n:,}" for n in (len(v), v.count("agrees"), v.count("differs"), v.count("not-in-record")))]
            for release, v in zip(releases, count, strict=True)
        ],
        right={1, 2, 3, 4},
        title="Published against ours",
    )
    page.line(context.summary)
    page.line(f"Page: {folder / 'index.html'}")
