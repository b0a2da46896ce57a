"""The command line's frame: what every command shares."""

from __future__ import annotations

import errno
import json
import os
import pty
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

import tallyroom
from tallyroom.cli import main as frame
from tallyroom.cli import terminal
from tallyroom.cli.main import SUBCOMMANDS, Subcommand, main
from tallyroom.faults import CannotRunError, Fault, InputError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def stub(monkeypatch):
    """Put a command of the test's own into the table; what it does is the function given."""

    def put(body, *params):
        command = click.Command("stub", params=list(params), callback=body)
        monkeypatch.setitem(SUBCOMMANDS, "stub", Subcommand("tests_stub", "command", "A stub."))
        module = type(sys)("tests_stub")
        module.command = command
        monkeypatch.setitem(sys.modules, "tests_stub", module)

    return put


def python(code, **environment):
    # Measuring coverage imports much before the code does.
    kept = {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE")}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**kept, **environment}, check=False
    )


def in_a_terminal(code, **environment):
    """Run code with a terminal as its standard output and error, and give all it drew."""
    ours, theirs = pty.openpty()
    kept = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "TERM"}}
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=theirs, stderr=theirs, env={"TERM": "xterm", **kept, **environment}
    )
    os.close(theirs)
    drawn = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        drawn += piece
    os.close(ours)
    child.wait()
    return drawn.decode()


RAISES = "import sys; from tallyroom.cli.main import main; sys.exit(main(['no-such-command']))"
TABLE = (
    "from tallyroom.cli import terminal; terminal.current().heading('Head');"
    "terminal.current().table(('unit', 'count'), [('Polk [12]', '7')], right={1})"
)


# --- names and versions


def test_version_is_the_distributions():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert tallyroom.__version__ == project["version"]


def test_version_is_printed(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tallyroom {tallyroom.__version__}\n"


def test_help_lists_every_command_with_its_line(capsys):
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name, entry in SUBCOMMANDS.items():
        assert name in shown
        assert entry.line in shown


def test_nothing_said_is_answered_with_help(capsys):
    assert main([]) == 0
    assert "Usage: tallyroom" in capsys.readouterr().out


def test_import_imports_no_part_and_no_package():
    done = python("import sys; before = set(sys.modules); import tallyroom; print(*sorted(set(sys.modules) - before))")
    assert done.stdout.split() == ["__future__", "tallyroom"]


def test_help_imports_neither_rich_nor_any_command():
    done = python(
        "import sys; from tallyroom.cli.main import main; main(['--help']);"
        "print([n for n in sys.modules if n.split('.')[0] in {'rich', 'msgspec', 'jinja2', 'sqlite3'}"
        " or n.startswith('tallyroom.') and n not in {'tallyroom.cli', 'tallyroom.cli.main',"
        " 'tallyroom.cli.terminal', 'tallyroom.faults'}])"
    )
    assert done.stdout.splitlines()[-1] == "[]"


# --- what goes wrong is said in a sentence


def test_unknown_command_names_the_closest(capsys):
    assert main(["awrad"]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.count("\n") == 1
    assert "there is no command 'awrad'. Did you mean `award`?" in streams.err


def test_unknown_command_like_no_other_lists_all(capsys):
    assert main(["zzz"]) == 2
    assert ", ".join(sorted(SUBCOMMANDS)) in capsys.readouterr().err


def test_unknown_option_is_one_sentence_and_2(capsys):
    assert main(["--nope"]) == 2
    streams = capsys.readouterr()
    assert streams.err.startswith("error: ")
    assert streams.err.count("\n") == 1
    assert "`tallyroom --help`" in streams.err


def test_every_fault_is_a_line_with_file_line_and_remedy(stub, capsys):
    def body():
        raise InputError(Fault("first is wrong", "Mend it.", "a.csv", 3), Fault("second is wrong", "Mend that."))

    stub(body)
    assert main(["stub"]) == 65
    assert capsys.readouterr().err == "error: a.csv:3: first is wrong. Mend it.\nerror: second is wrong. Mend that.\n"


def test_what_cannot_be_carried_out_is_2(stub, capsys):
    def body():
        raise CannotRunError(Fault("there is no such file", "Check the name.", "x.db"))

    stub(body)
    assert main(["stub"]) == 2
    assert capsys.readouterr().err == "error: x.db: there is no such file. Check the name.\n"


def test_a_faulty_file_cannot_steer_the_terminal(stub, capsys):
    def body():
        raise InputError(Fault("\x1b[2Jgroup 'a\r\nb' is unknown", "Mend it."))

    stub(body)
    main(["stub"])
    shown = capsys.readouterr().err
    assert "\x1b" not in shown
    assert shown.count("\n") == 1


def test_a_bug_is_owned_in_one_sentence(stub, capsys, monkeypatch):
    monkeypatch.delenv("TALLYROOM_DEBUG", raising=False)

    def body():
        raise KeyError("polk")

    stub(body)
    assert main(["stub"]) == frame.BUG
    shown = capsys.readouterr().err
    assert shown.startswith("error: this is a bug in Tallyroom")
    assert "Traceback" not in shown
    assert shown.count("\n") == 1


@pytest.mark.parametrize("line", [["--debug", "stub"], ["stub", "--debug"]])
def test_debug_shows_where_the_bug_is(stub, capsys, line):
    def body():
        raise KeyError("polk")

    stub(body)
    assert main(line) == frame.BUG
    assert "Traceback" in capsys.readouterr().err


def test_debug_by_environment(stub, capsys, monkeypatch):
    monkeypatch.setenv("TALLYROOM_DEBUG", "1")

    def body():
        raise KeyError("polk")

    stub(body)
    main(["stub"])
    assert "Traceback" in capsys.readouterr().err


def test_number_a_command_gives_is_the_exit_code(stub):
    stub(lambda: 1)
    assert main(["stub"]) == 1
    stub(lambda: None)
    assert main(["stub"]) == 0


def test_interrupt_from_the_keyboard_is_130(stub, capsys):
    def body():
        raise KeyboardInterrupt

    stub(body)
    assert main(["stub"]) == 130
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EISDIR])
def test_trouble_with_the_disk_is_a_sentence_and_2(stub, capsys, number):
    def body():
        raise OSError(number, os.strerror(number), "polk.db")

    stub(body)
    assert main(["stub"]) == 2
    assert capsys.readouterr().err.startswith(f"error: polk.db: {os.strerror(number).lower()}. ")


def test_a_reader_that_goes_away_is_no_error():
    done = subprocess.run(
        ["bash", "-c", f'set -o pipefail; "{sys.executable}" -c "$CODE" | true'],
        env={
            **os.environ,
            "CODE": "import sys, time, click; from tallyroom.cli import main as m;"
            "m.tallyroom.get_command = lambda *_: click.Command('stub', callback=lambda:"
            " [time.sleep(0.3), [click.echo('x' * 70000) for _ in range(9)]]);"
            "m.SUBCOMMANDS['stub'] = m.Subcommand('', '', ''); sys.exit(m.main(['stub']))",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == frame.PIPE_CLOSED


def test_a_full_disk_under_standard_output_is_said():
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "$CODE" > /dev/full'],
        env={**os.environ, "CODE": "import sys; from tallyroom.cli.main import main; sys.exit(main(['--help']))"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "no space left on device" in done.stderr
    assert "Traceback" not in done.stderr


# --- colour, quiet, width


def test_no_colour_when_piped():
    assert "\x1b" not in python(RAISES).stderr


def test_colour_in_a_terminal():
    assert "\x1b[31m" in in_a_terminal(RAISES)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_none_is_wanted(environment):
    assert "\x1b[3" not in in_a_terminal(RAISES, **environment)
    assert "\x1b[" not in in_a_terminal(TABLE, **environment)


def test_empty_no_color_means_nothing():
    assert "\x1b[31m" in in_a_terminal(RAISES, NO_COLOR="")


def test_no_color_option_reaches_the_error():
    code = RAISES.replace("['no-such-command']", "['--no-color', 'no-such-command']")
    assert "\x1b[3" not in in_a_terminal(code)


def test_table_for_a_person_is_drawn():
    drawn = in_a_terminal(TABLE)
    assert "─" in drawn
    assert "Polk [12]" in drawn


def test_table_for_a_pipe_is_plain():
    assert python(TABLE).stdout == "\nHead\nunit       count\nPolk [12]      7\n"


def test_quiet_drops_notes_and_keeps_results(stub, capsys):
    def body():
        here = terminal.current()
        here.note("on the way")
        here.line("the result")

    stub(body)
    assert main(["--quiet", "stub"]) == 0
    assert capsys.readouterr() == ("the result\n", "")
    assert main(["stub", "--quiet"]) == 0
    assert capsys.readouterr() == ("the result\n", "")
    assert main(["stub"]) == 0
    assert capsys.readouterr() == ("the result\n", "on the way\n")


def test_a_commands_own_option_of_the_same_name_is_left_alone(stub, capsys):
    def body(quiet):
        click.echo(f"{quiet} {terminal.current().quiet}")

    stub(body, click.Option(["--quiet"]))
    assert main(["stub", "--quiet", "very"]) == 0
    assert capsys.readouterr().out == "very False\n"


def test_plain_table_keeps_one_row_one_line():
    lines = terminal.plain_table(("a", "b"), [("x\ty\nz", "1"), ("short",)])
    assert lines == ("a      b", "x y z  1", "short")


# --- JSON and completion


def test_json_keeps_the_order_of_keys_and_ends_in_one_newline(capsysbinary):
    terminal.print_json({"schema": 1, "contest": "café", "a": [None, True, "1/3"]})
    printed = capsysbinary.readouterr().out
    assert printed.endswith(b"}\n")
    assert "café".encode() in printed
    assert list(json.loads(printed)) == ["schema", "contest", "a"]


@pytest.mark.parametrize("value", [0.5, {"a": [1, (2.0,)]}])
def test_json_refuses_what_is_not_exact(value):
    with pytest.raises(TypeError, match="is a float"):
        terminal.print_json(value)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_is_printed(shell, capsys):
    assert main(["--completion", shell]) == 0
    assert "_TALLYROOM_COMPLETE" in capsys.readouterr().out


def test_completion_completes_commands():
    done = python(
        "import sys; from tallyroom.cli.main import main; sys.exit(main())",
        _TALLYROOM_COMPLETE="bash_complete",
        COMP_WORDS="tallyroom tab",
        COMP_CWORD="1",
    )
    assert done.stdout.split() == ["plain,tabulate"]


def test_every_command_in_the_table_is_a_command():
    from importlib import import_module, util

    for entry in SUBCOMMANDS.values():
        assert util.find_spec(entry.module), f"{entry.module} is in the table and not in the tree"
        assert isinstance(getattr(import_module(entry.module), entry.attribute), click.Command)
