"""A replayed night in short, for people: how it became known, what to look at, and published against ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.cli.layout import Block, prose, table
from tallyroom.publish.headline import grouped

if TYPE_CHECKING:
    from pathlib import Path

    from tallyroom.cli.terminal import Terminal
    from tallyroom.publish.night_page import NightPage

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
    _final(page, context)
    _releases(page, context)
    page.heading("What a person must look at, in the last release")
    if context.findings:
        page.table(
            ["Kind", "Found", "Meaning"],
            [[kind, f"{count:,}", meaning] for _, kind, meaning, count in context.findings],
            right={1},
        )
    else:
        page.line("None.")
    if context.claims:
        page.heading("What others found, decided from the record")
        page.table(
            ["Kind", "Found", "No error", "Not in record"],
            [[c.kind, f"{c.found:,}", f"{c.no_error:,}", f"{c.not_in_record:,}"] for c in context.claims],
            right={1, 2, 3},
        )
    _open_figures(page, context)
    _verdicts(page, context)
    prose(page, context.summary)
    page.line(f"Page:   {folder / 'index.html'}")
    page.line(f"Ledger: {folder / 'ledger.sqlite'}")


def _final(page: Terminal, context: NightPage) -> None:
    """Print how it stands in the end: every yardstick side by side, then national delegates pool by pool."""
    page.heading(f"How it stands: {context.status}")
    blocks = [
        Block((heading.name, "%"), tuple((row.cells[place].value, row.cells[place].percent) for row in context.rows))
        for place, heading in enumerate(context.headings)
    ]
    table(page, Block(("Group",), tuple((row.name,) for row in context.rows)), blocks)
    if not context.pools:
        return
    page.heading(f"National delegates ({sum(pool.delegates for pool in context.pools):,})")
    prose(page, ", ".join(f"{name} {count:,}" for _, name, count, _ in context.national))
    for pool in context.pools:
        prose(page, f"{pool.name} ({pool.delegates:,}): {pool.groups or 'nobody yet'}", "  ", hang="    ")
        if pool.last:
            prose(page, pool.last, "    ")


def _releases(page: Terminal, context: NightPage) -> None:
    """Print a line a release: how far it was, who led on every yardstick, and national delegates."""
    page.heading("How it became known, and who led")
    lines = context.releases
    blocks = [
        Block(("Name", "Time"), tuple((line.name, line.time) for line in lines), frozenset({0, 1})),
        Block(("Places", "Changed"), tuple((line.places, line.changed) for line in lines)),
        *(
            Block((heading.name,), tuple((line.leader[place],) for line in lines), frozenset({0}))
            for place, heading in enumerate(context.headings)
        ),
    ]
    if any(line.delegates for line in lines):
        blocks.append(Block(("National delegates",), tuple((line.delegates,) for line in lines), frozenset({0})))
    table(page, Block(("Release",), tuple((line.id,) for line in lines)), blocks)


def _open_figures(page: Terminal, context: NightPage) -> None:
    """Name every published figure that ours is not, or that the record cannot give, and say why."""
    for verdict, heading in OPEN.items():
        rows = [row for row in context.figures if row.verdict == verdict]
        if not rows:
            continue
        page.heading(f"{heading}: {len(rows):,}")
        page.table(
            ["Release", "Figure", "Published", "Ours"],
            [[row.release, f"{row.measure}, {row.group}", grouped(row.published), _ours(row.ours)] for row in rows],
            right={2, 3},
        )
        for line in context.releases:
            if line.rests and any(row.release == line.id for row in rows):
                prose(page, f"Ours for {line.id}: {line.rests}.")
        for note in dict.fromkeys(row.note for row in rows if row.note):
            prose(page, note[0].upper() + note[1:].rstrip(".") + ".")


def _ours(text: str) -> str:
    """Write our figure; where part is not on record, only the range it must lie in."""
    _, incomplete, bounds = text.partition(" (complete: ")
    return grouped(bounds.rstrip(")") if incomplete else text)


def _verdicts(page: Terminal, context: NightPage) -> None:
    page.heading("Published against ours")
    releases = dict.fromkeys(row.release for row in context.figures)
    counted = [[row.verdict for row in context.figures if row.release == release] for release in releases]
    rows = [
        [release, *(f"{n:,}" for n in (len(found), *(found.count(verdict) for verdict in VERDICTS)))]
        for release, found in zip(releases, counted, strict=True)
    ]
    page.table(["Release", "Published", "Agree", "Differ", "Not in record"], rows, right={1, 2, 3, 4})
