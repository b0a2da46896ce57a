"""Prose and tables that fit the reader's page: folded for a person, a line a sentence for a pipe."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from tallyroom.publish.times import local, release_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallyroom.checks.finding import Finding
    from tallyroom.cli.terminal import Terminal
    from tallyroom.plan.types import Plan
    from tallyroom.tabulate.moment import Moment

GAP = 3
"""Columns between two columns of a drawn table."""


@dataclass(frozen=True, slots=True)
class Block:
    """Columns of a table that belong together; `rows` has a row of cells for each row of the table.

    `words` are numbers of columns, from 0, that hold words and not figures: they begin at the left and may be folded.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[int] = frozenset()

    def width(self) -> int:
        """Give the columns that the block needs, with the gap before it."""
        widest = (max(map(len, column)) for column in zip(self.headings, *self.rows, strict=True))
        return sum(width + GAP for width in widest)


def prose(page: Terminal, text: str, indent: str = "", *, hang: str | None = None) -> None:
    """Print a paragraph: folded to a person's page, one line for a pipe; `hang` begins the lines that follow."""
    if not page.person:
        page.line(indent + text)
        return
    following = indent if hang is None else hang
    lines = wrap(
        text,
        max(page.width, 30),
        initial_indent=indent,
        subsequent_indent=following,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for line in lines or [""]:
        page.line(line)


def table(page: Terminal, head: Block, blocks: Sequence[Block]) -> None:
    """Print blocks of figures side by side after the columns of `head`; below each other where the page is narrow."""
    rows: list[list[Block]] = []
    for block in blocks:
        if rows and _width(head, *rows[-1], block) <= page.width:
            rows[-1].append(block)
        else:
            rows.append([block])
    for place, row in enumerate(rows):
        if place:
            page.line()
        _print(page, head, row)


def _width(*blocks: Block) -> int:
    """Give the columns that blocks need side by side, with a blank at either edge."""
    return sum(block.width() for block in blocks) - GAP + 2


def _print(page: Terminal, head: Block, blocks: Sequence[Block]) -> None:
    headings = [*head.headings, *(heading for block in blocks for heading in block.headings)]
    rows = [
        [*cells, *(cell for block in blocks for cell in block.rows[place])] for place, cells in enumerate(head.rows)
    ]
    figures = [place not in block.words for block in blocks for place in range(len(block.headings))]
    right = {place for place, figure in enumerate(figures, len(head.headings)) if figure}
    page.table(headings, rows, right=right)


def moment_words(moment: Moment, plan: Plan) -> str:
    """Say which moment is shown."""
    if moment.release:
        release = plan.releases[moment.release]
        return f"release {release.id} ({release_time(release, plan)})"
    return "all that is recorded" if moment.at is None else f"as recorded on {local(moment.at, plan)}"


def finding_lines(page: Terminal, finding: Finding) -> None:
    """Print a finding: how severe, which, what it is, and what to do."""
    prose(page, f"{finding.severity}: {finding.code} {finding.kind}", "  ")
    prose(page, finding.text, "    ")
    prose(page, finding.todo, "    ")
