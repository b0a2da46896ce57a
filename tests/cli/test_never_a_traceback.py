"""Whatever is typed, the answer is a result or a sentence: never a traceback, never a bug's exit code."""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from itertools import chain

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tallyroom.cli.main import SUBCOMMANDS, main, tallyroom

CONTEST = "lakeland-2031"
ODD = (
    "",
    " ",
    "-",
    "--",
    "0",
    "-1",
    "1e9",
    "1000000000",
    "1/0",
    "nan",
    "polk",
    "\udcff",
    "\x1b[2J",
    "ä" * 300,
    "a=b=c",
    "=",
)
FILES = ("empty.db", "text.csv", "folder", "missing", "night.db", "plan", ".", "..", "/dev/null")


def options():
    """Every option of every command."""
    top = click.Context(tallyroom)
    commands = [tallyroom.get_command(top, name) for name in SUBCOMMANDS]
    below = chain.from_iterable(getattr(command, "commands", {}).values() for command in commands)
    parameters = chain.from_iterable(command.params for command in [*commands, *below])
    return sorted({option for parameter in parameters for option in parameter.opts if option.startswith("-")})


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A folder with the kinds of files that people hand to a command by mistake."""
    folder = tmp_path_factory.mktemp("table")
    (folder / "empty.db").touch()
    (folder / "text.csv").write_bytes(b"id,name\n\xff\xfe,\n")
    (folder / "folder").mkdir()
    (folder / "night.db").write_bytes(b"SQLite format 3\x00" + b"\x01" * 4096)
    (folder / "plan").mkdir()
    (folder / "plan" / "rules.toml").write_text("[contest\n", encoding="utf-8")
    return folder


def say(line):
    """Run a command line and give its exit code and what it said on standard error."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(line)
    return code, err.getvalue()


def answers_in_a_sentence(table, line):
    with chdir(table):
        code, said = say(line)
    assert code in {0, 2, 65}, f"{line}: exit code {code}: {said}"
    assert "Traceback" not in said
    assert "a bug in" not in said
    assert code == 0 or said.startswith("error: ") or "--json" in line, line


def lines():
    """Command lines: a command, its parts, and whatever comes to a tired mind.

    No NUL, which no system hands to a program; a byte that is no UTF-8 arrives as a lone surrogate.
    """
    groups = st.builds(
        lambda name, count: f"{name}={count}", st.sampled_from(["ash", "birch", "x"]), st.sampled_from(ODD)
    )
    word = st.one_of(
        st.sampled_from(options()),
        st.sampled_from((*ODD, *FILES, CONTEST)),
        groups,
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12),
        st.integers(-3, 10**12).map(str),
    )
    starts = [[name] for name in SUBCOMMANDS if name != "night"]
    starts += [[name, CONTEST] for name in ("award", "check", "tabulate")]
    starts += [["plan", task] for task in ("check", "show", "new")] + [
        ["ledger", task] for task in ("verify", "export")
    ]
    return st.tuples(st.sampled_from(starts), st.lists(word, max_size=7)).map(lambda parts: [*parts[0], *parts[1]])


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(line=lines())
def test_any_line_is_answered(table, line):
    answers_in_a_sentence(table, line)


@pytest.mark.night
@settings(max_examples=5_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(line=lines())
def test_any_line_is_answered_all_night(table, line):
    answers_in_a_sentence(table, line)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("task", [["plan", "check"], ["plan", "show"], ["ledger", "verify"], ["ledger", "export"]])
def test_any_file_is_answered(table, file, task):
    answers_in_a_sentence(table, [*task, file])
