"""README and tutorial are run: every command does what the page says, and prints what the page shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from docs.blocks import agrees, typed

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "tutorial.md", ROOT / "CONTRIBUTING.md"]
NOT_RUN = ("make", "git", "cd", "source", "pip", "uv", "pipx", "eval", "curl")
"""Commands that change a machine or need a network: looked at instead."""


def run(command, folder):
    """Type a command into a shell that has this environment's `tallyroom`."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={
            **{key: value for key, value in os.environ.items() if not key.startswith("TALLYROOM")},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "LC_ALL": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )


def test_every_command_in_the_readme_s_table_works(tmp_path):
    """In the order of the table, after the night that the page tells to play first."""
    commands = re.findall(
        r"^\|.*`(tallyroom [^`]+)` \|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(commands) > 5
    for command in ["tallyroom night --pace 0", *commands]:
        done = run(command, tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stdout}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_does_what_it_says(page, tmp_path):
    for step in typed(page):
        if step.command.split()[0] in NOT_RUN:
            continue
        done = run(step.command, tmp_path)
        place = f"{page.name}:{step.line}: {step.command}"
        assert done.returncode == step.exits, f"{place}\n{done.stdout}"
        if step.shown is not None:
            page_shows = "\n".join(step.shown)
            assert agrees(step.shown, done.stdout), f"{place}\nshows\n{page_shows}\nprints\n{done.stdout}"


def targets():
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_targets_of_a_page_exist(page):
    for step in typed(page):
        words = shlex.split(step.command, comments=True)
        if words[0] == "make":
            unknown = {word for word in words[1:] if "=" not in word and not word.startswith("-")} - targets()
            assert unknown == set(), f"{page.name}:{step.line}: the Makefile has no {', '.join(unknown)}"


def test_tutorial_is_seen():
    commands = [step.command for step in typed(ROOT / "docs" / "tutorial.md")]
    assert "tallyroom plan check lakeland-2031" in commands


def test_blocks_are_read_as_they_stand(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```text\n$ not this\n```\n```console\n$ first \\\n    --more\n$ second  # exit 65\nshown\n\n...\n```\n",
        encoding="utf-8",
    )
    first, second = typed(page)
    assert (first.line, first.command, first.exits, first.shown) == (5, "first --more", 0, None)
    assert (second.command, second.exits, second.shown) == ("second", 65, ("shown", "", "..."))


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (("a", "b"), "a\nb\n", True),
        (("a", "b"), "a  \nb\n\n", True),
        (("a", "b"), "a\nc\nb\n", False),
        (("a", "...", "b"), "a\nc\nd\nb\n", True),
        (("a", "...", "b"), "a\nb\n", True),
        (("a", "..."), "a\n", True),
        (("a", "..."), "b\n", False),
        (("...",), "", True),
        (("a.c",), "abc\n", False),
        (("a",), "a\nmore\n", False),
    ],
)
def test_what_is_shown_is_compared(shown, printed, same):
    assert agrees(shown, printed) is same
