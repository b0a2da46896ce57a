"""The console blocks of a page: what is typed, and what is shown for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ANYTHING = "..."
"""A line of its own in a block: any number of lines, none included."""
STATED = re.compile(r"\s+# exit(?:s with)? (\d+)\s*$")


@dataclass(frozen=True, slots=True)
class Typed:
    """One command of a page.

    Attributes:
        line: where it stands, counted from 1.
        command: as typed, without the prompt and without a stated exit code.
        exits: the exit code that `# exit 65` at its end states, else 0.
        shown: the lines the page shows for it; None if it shows nothing.
    """

    line: int
    command: str
    exits: int
    shown: tuple[str, ...] | None


def typed(page: Path) -> list[Typed]:
    """Every command of the ```console blocks of a page, in order."""
    found: list[Typed] = []
    inside = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if text.startswith("```"):
            inside = text == "```console"
        elif inside and line.startswith("$ "):
            stated = STATED.search(line)
            command = STATED.sub("", line[2:]).strip()
            found.append(Typed(number, command, int(stated[1]) if stated else 0, None))
        elif inside and found:
            last = found[-1]
            if last.command.endswith("\\"):
                found[-1] = Typed(last.line, f"{last.command[:-1].rstrip()} {text}", last.exits, None)
            else:
                found[-1] = Typed(last.line, last.command, last.exits, (*(last.shown or ()), line.rstrip()))
    return found


def agrees(shown: tuple[str, ...], printed: str) -> bool:
    """Say whether what was printed is what a page shows; trailing blanks and empty last lines do not count."""
    wanted = list(shown)
    while wanted and not wanted[-1]:
        wanted.pop()
    pattern = "".join(r"(?:.*\n)*?" if line == ANYTHING else re.escape(line) + r"\n" for line in wanted)
    lines = [line.rstrip() for line in printed.rstrip().splitlines()]
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) is not None
