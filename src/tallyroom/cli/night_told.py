"""A replayed night in short, for people: how it became known, what to look at, and published against ours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tallyroom.cli.layout import GAP, prose

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tallyroom.cli.terminal import Terminal
    from tallyroom.publish.night_page import Figure, NightPage

VERDICTS = ("agrees", "differs", "not-in-record")
OPEN = {
    "differs": "Published figures that differ",
    "not-in-record": "Published figures that the record cannot give",
}


def tell(page: Terminal, context: NightPage, folder: Path) -> None:
    """Print the night in short; the table of published figures against ours comes last."""
    page.line(context.name)
    prose(page, context.headline)
    prose(page, context.margin)
    _releases(page, context)
    page.heading("What a person must look at, in the last release")
    page.table(
        ["Kind", "Found", "Meaning"],
        [[kind, f"{count:,}", meaning] for _, kind, meaning, count in context.findings],
        right={1},
    )
    if context.claims:
        page.heading("What others found, decided from the record")
        page.table(
            ["Kind", "Found", "No error", "Not in record"],
            [[c.kind, f"{c.found:,}", f"{c.no_error:,}", f"{c.not_in_record:,}"] for c in context.claims],
            right={1, 2, 3},
        )
    _open_figures(page, context.figures)
    _verdicts(page, context)
    prose(page, context.summary)
    page.line(f"Page:   {folder / 'index.html'}")
    page.line(f"Ledger: {folder / 'ledger.sqlite'}")


def _releases(page: Terminal, context: NightPage) -> None:
    """Print a line a release: how far it was, who led on every yardstick, and national delegates."""
    page.heading("How it became known, and who led")
    led = [heading.name for heading in context.headings]
    headings = ["Release", "Name", "Time", "Places", "Changed", *led]
    rows = [[line.id, line.name, line.time, line.places, line.changed, *line.leader] for line in context.releases]
    widest = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    if page.person and sum(widest) + GAP * len(widest) > page.width:
        page.table(headings[1:5], [row[1:5] for row in rows], right={2, 3})
        page.line()
        page.table(["Release", *led], [[line.id, *line.leader] for line in context.releases])
    else:
        page.table(headings, rows, right={3, 4})
    page.line()
    page.table(["Release", "National delegates"], [[line.id, line.delegates] for line in context.releases])


def _open_figures(page: Terminal, figures: Sequence[Figure]) -> None:
    """Name every published figure that ours is not, or that the record cannot give, and say why."""
    for verdict, heading in OPEN.items():
        rows = [row for row in figures if row.verdict == verdict]
        if not rows:
            continue
        page.heading(f"{heading}: {len(rows):,}")
        page.table(
            ["Release", "Figure", "Published", "Ours"],
            [[row.release, f"{row.measure}, {row.group}", _grouped(row.published), _ours(row.ours)] for row in rows],
            right={2, 3},
        )
        for note in dict.fromkeys(row.note for row in rows if row.note):
            prose(page, note[0].upper() + note[1:].rstrip(".") + ".")


def _ours(text: str) -> str:
    """Write our figure; where part is not on record, only the range it must lie in."""
    _, incomplete, bounds = text.partition(" (complete: ")
    return _grouped(bounds.rstrip(")") if incomplete else text)


def _grouped(text: str) -> str:
    """Separate the thousands of every number in a text."""
    return re.sub(r"(?<![\d.])\d{4,}", lambda found: f"{int(found[0]):,}", text)


def _verdicts(page: Terminal, context: NightPage) -> None:
    page.heading("Published against ours")
    releases = dict.fromkeys(row.release for row in context.figures)
    counted = [[row.verdict for row in context.figures if row.release == release] for release in releases]
    rows = [
        [release, *(f"{n:,}" for n in (len(found), *(found.count(verdict) for verdict in VERDICTS)))]
        for release, found in zip(releases, counted, strict=True)
    ]
    page.table(["Release", "Published", "Agree", "Differ", "Not in record"], rows, right={1, 2, 3, 4})
