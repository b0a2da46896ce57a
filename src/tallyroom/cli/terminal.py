"""What the reader's terminal can show: the one place that decides on colour, width and quiet."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rich.console import Console

PIPED_WIDTH = 120
"""Columns assumed where nobody can say how wide the reader's page is."""


@dataclass(slots=True)
class Wishes:
    """What the person asked for before the command's name; the group's options fill it in."""

    quiet: bool = False
    no_color: bool = False
    debug: bool = False


def wants_colour(stream: TextIO, *, no_color: bool = False) -> bool:
    """Say whether colour may go to a stream: a capable terminal, and nobody asked for none (no-color.org)."""
    if no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a command prints.

    Attributes:
        colour: colour and weight may be used on standard output.
        person: standard output is read by a person now, not by a program or a file.
        live: a line may be drawn over: a person reads, the terminal can move its cursor, and nobody asked for quiet.
        quiet: notes are dropped; results and errors are not.
        width: columns.
    """

    colour: bool
    person: bool
    live: bool
    quiet: bool
    width: int

    def line(self, text: str = "") -> None:
        """Print one line of the result."""
        click.echo(text, color=self.colour)

    def note(self, text: str) -> None:
        """Say something beside the result, on standard error; dropped under `--quiet`."""
        if not self.quiet:
            click.echo(text, err=True)

    def heading(self, text: str) -> None:
        """Print a heading, set apart by an empty line; bold where that can be shown."""
        self.line()
        self.line(click.style(text, bold=True) if self.colour else text)

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> None:
        """Print a table: drawn for a person, plain aligned columns for a pipe.

        Args:
            headings: one a column.
            rows: cells as they are to be read; a row may be shorter than the headings.
            right: numbers of the columns that hold figures, from 0: they end at the right.
        """
        if not self.person:
            for text in plain_table(headings, rows, right=right):
                self.line(text)
            return
        from rich.box import SIMPLE_HEAD  # noqa: PLC0415 - rich costs 50 ms; only a person's table needs it
        from rich.table import Table  # noqa: PLC0415 - the same

        drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
        for column, heading in enumerate(headings):
            drawn.add_column(heading, justify="right" if column in right else "left", no_wrap=column in right)
        for row in rows:
            drawn.add_row(*(cell.replace("[", r"\[") for cell in row))
        self.console().print(drawn)

    def console(self) -> Console:
        """Give a rich console on standard output for what a table cannot show."""
        from rich.console import Console  # noqa: PLC0415 - rich costs 50 ms

        return Console(
            color_system="auto" if self.colour else None, force_terminal=self.person, highlight=False, width=self.width
        )


def plain_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], *, right: Collection[int] = ()
) -> tuple[str, ...]:
    """Lay out a table in plain text: columns two spaces apart, no tabs, no rules, no trailing spaces.

    Line breaks and tabs in a cell become spaces, so that one row is one line.
    """
    grid = [[" ".join(cell.split()) for cell in row] for row in (headings, *rows)]
    widths = [max(len(row[column]) if column < len(row) else 0 for row in grid) for column in range(len(headings))]
    return tuple(
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=False))
        ).rstrip()
        for row in grid
    )


def print_json(value: object) -> None:
    """Print a value as JSON: keys in the order given, UTF-8, two spaces a level, one newline at the end.

    Raises:
        TypeError: a value that JSON does not know, or a float, which is never exact.
    """
    import json  # noqa: PLC0415 - only pipes need it

    _refuse_floats(value)
    # A name of a file that is no UTF-8 holds lone surrogates; their escapes are what JSON has for them.
    click.echo(json.dumps(value, ensure_ascii=False, indent=2).encode(errors="backslashreplace"))


def _refuse_floats(value: object) -> None:
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float: print a fraction or a fixed decimal as text")
    if isinstance(value, dict):
        for inner in value.values():  # pyright: ignore[reportUnknownVariableType] - JSON's own shape
            _refuse_floats(inner)  # pyright: ignore[reportUnknownArgumentType] - the same
    elif isinstance(value, list | tuple):
        for inner in value:  # pyright: ignore[reportUnknownVariableType] - the same
            _refuse_floats(inner)  # pyright: ignore[reportUnknownArgumentType] - the same


def printable(text: str) -> str:
    """Replace what could steer a terminal: text of a faulty file is shown, never obeyed."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def error(text: str, *, no_color: bool = False) -> None:
    """Print one sentence about what went wrong on standard error; never dropped."""
    no_color = no_color or _wishes().no_color
    label = click.style("error:", fg="red", bold=True) if wants_colour(sys.stderr, no_color=no_color) else "error:"
    click.echo(f"{label} {printable(text)}", err=True, color=True)


def current() -> Terminal:
    """Look at the terminal this command was started in."""
    wishes = _wishes()
    person = sys.stdout.isatty()
    return Terminal(
        colour=wants_colour(sys.stdout, no_color=wishes.no_color),
        person=person,
        live=person and not wishes.quiet and os.environ.get("TERM") != "dumb",
        quiet=wishes.quiet,
        width=shutil.get_terminal_size((PIPED_WIDTH, 24)).columns if person else PIPED_WIDTH,
    )


def _wishes() -> Wishes:
    """What was asked for, as far as a command is running; else nothing."""
    context = click.get_current_context(silent=True)
    return (context.find_object(Wishes) if context else None) or Wishes()
