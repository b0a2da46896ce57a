"""Write the reference pages from the code: commands, findings, readings, and a page for each part."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING

import click

import tallyroom
from tallyroom.cli.main import SUBCOMMANDS
from tallyroom.cli.main import tallyroom as command_line
from tallyroom.plan.readings import KNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PARTS = ("plan", "award", "report", "checks", "importer", "ledger", "vault", "tabulate", "intake", "publish", "cli")
BASE = ("tallyroom.frames", "tallyroom.faults", "tallyroom.exact")


def commands() -> str:
    """Every command with its own help text, a heading each."""
    lines = ["# Commands", "", "What `--help` prints, for every command.", ""]
    top = click.Context(command_line, info_name="tallyroom")
    lines += ["## tallyroom", "", *_help(command_line, top)]
    for name in SUBCOMMANDS:
        command = command_line.get_command(top, name)
        lines += _command(command, name, top)
    return "\n".join(lines)


def _command(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield from (f"## {context.command_path}", "", *_help(command, context))
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            yield from _command(command.get_command(context, inner), inner, context)


def _help(command: click.Command, context: click.Context) -> list[str]:
    return ["```text", command.get_help(context), "```", ""]


def findings() -> str:
    """Every kind of finding, as its own specification says it."""
    return import_module("tallyroom.checks.reference").reference()


def readings() -> str:
    """Every point that rules leave open, with the ways to read it."""
    lines = [
        "# Readings",
        "",
        "Points that the sources of a contest leave open. A plan names, for each, the ways to read it and the one in",
        "force; `--reading NAME=VALUE` asks for another. A value marked *as written* cannot be computed: the written",
        "award or weight stands.",
        "",
    ]
    for name, reading in KNOWN.items():
        lines += [f"## `{name}`", "", reading.question, ""]
        if reading.needs:
            lines += [f"Arises in contests with {reading.needs}.", ""]
        for value, meaning in reading.meaning.items():
            lines.append(f"- `{value}`: {meaning}" + (" (*as written*)" if value in reading.as_written else ""))
        lines.append("")
    return "\n".join(lines)


def modules(part: str) -> list[str]:
    """The modules of a part, the part itself first."""
    package = import_module(f"tallyroom.{part}")
    return [package.__name__, *(found.name for found in walk_packages(package.__path__, f"{package.__name__}."))]


def api(title: str, names: list[str]) -> str:
    """A page that takes its text from the docstrings of modules."""
    lines = [f"# {title}", ""]
    for name in names:
        lines += [f"## `{name}`", "", "```{eval-rst}", f".. automodule:: {name}", "```", ""]
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """All generated pages by file name."""
    return {
        "commands.md": commands(),
        "findings.md": findings(),
        "readings.md": readings(),
        **{f"{part}.md": api(f"tallyroom.{part}", modules(part)) for part in PARTS},
        "base.md": api("tallyroom", [tallyroom.__name__, *BASE]),
    }


def write(folder: Path) -> None:
    """Write the pages that differ from what stands there, so that a build does only what is needed."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        page = folder / name
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
