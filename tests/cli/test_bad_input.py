"""Bad input: one clear sentence with file, line and remedy; exit code 2 or 65; no traceback; nothing changed."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from importlib.resources import files
from pathlib import Path

import pytest

from cli.typed import prints, stopped, typed
from tallyroom.cli.main import main
from tallyroom.ledger.sqlite import SqliteLedger

CONTEST = "lakeland-2031"
CANNOT, AT_FAULT = 2, 65


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    """A night as `tallyroom night` leaves it."""
    folder = tmp_path_factory.mktemp("night") / "kept"
    assert typed("--quiet", "night", CONTEST, "--folder", folder).code == 0
    return folder


@pytest.fixture
def table(night, tmp_path):
    """Copies of a plan, of its record and of a ledger, for the test to spoil."""
    shutil.copytree(files("tallyroom") / "plans" / CONTEST, tmp_path / "plan")
    shutil.copytree(files("tallyroom") / "records" / CONTEST, tmp_path / "record")
    shutil.copytree(night, tmp_path / "night")
    return tmp_path


def spoil(file, old, new, count=1):
    """Replace text of a file, which must be there, and give the line it stood on."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, count), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def tamper(ledger, *statements):
    """Do what the database refuses, as somebody with the file in their hands would."""
    connection = sqlite3.connect(ledger, isolation_level=None)
    for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f'DROP TRIGGER "{trigger}"')
    for statement in statements:
        connection.execute(statement)
    connection.close()


def refused(table, *words, code, says, **more):
    """Type a command that must be refused: with its exit code, in one sentence, and with nothing changed."""
    before = prints(table)
    said = typed(*words, cwd=table, **more)
    assert said.code == code, said
    assert said.out == ""
    (sentence,) = said.err.splitlines()
    assert re.search(says, sentence), sentence
    assert re.match(r"error: .+\. .+[.?]$", sentence), f"no remedy in: {sentence}"
    assert "Traceback" not in said.err
    assert "bug" not in said.err
    assert prints(table) == before


# --- a missing file


def test_a_ledger_that_is_not_there(table):
    says = r"missing\.sqlite: there is no ledger at this place"
    refused(table, "tabulate", CONTEST, "--ledger", "missing.sqlite", code=CANNOT, says=says)
    refused(table, "check", CONTEST, "--ledger", "missing.sqlite", code=CANNOT, says=says)
    refused(table, "ledger", "verify", "missing.sqlite", code=CANNOT, says=r"missing\.sqlite: there is no such file")


@pytest.mark.parametrize("name", ["units.csv", "rules.toml", "sources.toml"])
def test_a_plan_without_one_of_its_files(table, name):
    (table / "plan" / name).unlink()
    refused(table, "tabulate", "plan", code=AT_FAULT, says=rf"plan/{name}: the file is missing")


@pytest.mark.parametrize("name", ["record.toml", "night.csv"])
def test_a_record_without_one_of_its_files(table, name):
    (table / "record" / name).unlink()
    refused(table, "check", CONTEST, "--record", "record", code=CANNOT, says=rf"record/{name}: the file is missing")


def test_a_record_that_is_not_there(table):
    refused(table, "night", CONTEST, "--record", "nowhere", code=CANNOT, says="nowhere: there is no such folder")


# --- an unknown contest, place, release, reading, kind


def test_an_unknown_contest_is_answered_with_the_closest(table):
    says = r"'lakeland-2013' is neither .* nor a folder\. Did you mean 'lakeland-2031'\?"
    for task in ("tabulate", "check", "night", "award"):
        refused(table, task, "lakeland-2013", code=CANNOT, says=says)


def test_a_folder_that_is_no_plan(table):
    (table / "empty").mkdir()
    said = typed("tabulate", "empty", cwd=table)
    assert said.code == AT_FAULT
    assert "error: empty/rules.toml: the file is missing. " in said.err
    assert said.out == ""


def test_a_plan_without_a_recorded_night(table):
    assert typed("plan", "new", "mine", "--contest", "my-town-2032", cwd=table).code == 0
    says = r"no recorded night of contest 'my-town-2032'\. Give .*--ledger FILE"
    refused(table, "tabulate", "mine", code=CANNOT, says=says)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--county", "aldre"), r"'aldre' is not a county of lakeland-2031\. Did you mean 'alder'\?"),
        (("--county", "zzz"), r"'zzz' is not a county of lakeland-2031\. There are alder, brook, clover"),
        (("--district", "orth"), r"'orth' is not a district of lakeland-2031\. Did you mean 'north'\?"),
        (("--district", "st"), r"Those with 'st' in their name are north, south\."),
        (("--county", ""), r"'' is not a county of lakeland-2031\. There are alder, brook, clover"),
        (("--unit", "zzz"), r"'zzz' is not a unit .* `tallyroom plan show lakeland-2031 --units` lists them all\."),
        (("--unit", ""), r"'' is not a unit of lakeland-2031\. "),
        (("--at", ""), r"'' is not a time\. Write it with its zone"),
        (("--release", ""), r"'' is not a release of lakeland-2031\. The releases are evening, complete\."),
        (("--at", "", "--release", ""), "--at and --release were both given"),
        (("--county", "north"), r"'north' is the district North district, not a county\. Ask for --district north\."),
        (("--district", "Alder"), r"'Alder' is the county Alder, not a district\. Ask for --county alder\."),
        (("--unit", "alder-shcool"), r"'alder-shcool' is not a unit .* Did you mean 'alder-school'\?"),
        (("--county", "alder", "--unit", "alder-school"), "more than one place was given"),
        (("--release", "evenning"), r"'evenning' is not a release .* Did you mean 'evening'\?"),
        (("--at", "2031-02-04"), r"'2031-02-04' names no time zone\. Write 2031-02-04T00:00:00Z for universal time\."),
        (("--at", "yesterday"), r"'yesterday' is not a time\. Write it with its zone"),
        (("--at", "2031-02-04T00:00Z", "--release", "evening"), "--at and --release were both given"),
        (("--reading", "atendance=first"), r"atendance.*Did you mean 'attendance'\?"),
        (("--reading", "attendance=second"), "second"),
        (("--reading", "attendance"), "attendance"),
        (("--ledger", "night/ledger.sqlite", "--record", "record"), "--ledger and --record were both given"),
    ],
)
def test_what_the_contest_does_not_have(table, words, says):
    refused(table, "tabulate", CONTEST, *words, code=CANNOT, says=says)


@pytest.mark.parametrize("typed_at", ["2031-02-05", "20310205", "2031-02-05T18", "2031-02-05 18:00", "2031-W06-3"])
def test_the_time_that_is_advised_is_one_that_is_taken(capsys, typed_at):
    assert main(["tabulate", CONTEST, "--at", typed_at]) == CANNOT
    advised = re.search(r"Write (\S+) for universal time", capsys.readouterr().err)
    assert main(["tabulate", CONTEST, "--at", advised[1]]) == 0
    assert "as recorded on" in capsys.readouterr().out


def test_check_asks_for_the_same_places(table):
    says = r"'aldre' is not a county of lakeland-2031\. Did you mean 'alder'\?"
    refused(table, "check", CONTEST, "--county", "aldre", code=CANNOT, says=says)


def test_a_kind_of_finding_that_there_is_not(table):
    says = r"'award-difers' is not a kind of finding\. Did you mean 'award-differs'\?"
    refused(table, "check", CONTEST, "--kind", "award-difers", code=CANNOT, says=says)


# --- a rule without source, a count that is none


def test_a_rule_without_source(table):
    rules = table / "plan" / "rules.toml"
    lines = rules.read_text(encoding="utf-8").splitlines()
    start = lines.index("[[viability]]")
    source = next(place for place in range(start, len(lines)) if lines[place].startswith("source"))
    del lines[source]
    rules.write_text("\n".join(lines) + "\n", encoding="utf-8")
    refused(table, "tabulate", "plan", code=AT_FAULT, says=r"plan/rules\.toml:\d+: .*source")


@pytest.mark.parametrize("number", ["-9", "1e9", "1000000000", "9" * 40])
def test_delegates_that_no_place_elects(table, number):
    line = spoil(table / "plan" / "units.csv", "precinct,9,A-1", f"precinct,{number},A-1")
    refused(table, "tabulate", "plan", code=AT_FAULT, says=rf"plan/units\.csv:{line}: .*")


@pytest.mark.parametrize(
    ("number", "says"),
    [("-58", "'-58' is negative"), ("1e9", "'1e9' is not a whole number"), ("1000000000", "larger than any place")],
)
def test_a_count_that_is_none(table, number, says):
    line = spoil(table / "record" / "night.csv", ",58 44", f",{number} 44")
    sentence = rf"record/night\.csv:{line}: column 'first': .*{says}"
    refused(table, "tabulate", CONTEST, "--record", "record", code=AT_FAULT, says=sentence)


@pytest.mark.parametrize("number", ["-1", "1e9", "1000000000"])
def test_a_count_that_is_none_on_the_command_line(table, number):
    words = ("award", CONTEST, "--delegates", "5", "--attending", "40", f"ash={number}")
    refused(table, *words, code=AT_FAULT, says=rf"ash={number}: ")


def test_a_record_of_another_contest(table):
    shutil.copytree(files("tallyroom") / "records" / "iowa-2020", table / "iowa")
    says = r"iowa/record\.toml: this is the record of contest iowa-2020, not of lakeland-2031"
    for task in ("tabulate", "check", "night"):
        refused(table, task, CONTEST, "--record", "iowa", code=AT_FAULT, says=says)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("evening,alder-school", "morning,alder-school", r"night\.csv:\d+: release 'morning' is not in the plan"),
        ("evening,alder-school", "evening,alder-town-hall", r"night\.csv:\d+: alder-town-hall stands twice"),
        (
            "evening,alder-school",
            "evening,alder-scool",
            r"night\.csv:\d+: 'alder-scool' is not a unit .*'alder-school'",
        ),
        ("evening,alder-school", 'evening,"alder-school', r"night\.csv:\d+: this is not a table: "),
        (",100,,sheet", ",100,,hearsay", r"night\.csv:\d+: basis 'hearsay' is not explained"),
    ],
)
def test_a_row_that_is_at_fault(table, old, new, says):
    spoil(table / "record" / "night.csv", old, new)
    refused(table, "tabulate", CONTEST, "--record", "record", code=AT_FAULT, says=f"record/{says}")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            '"dogwood"',
            '"dogwod"',
            r"record\.toml:\d+: 'dogwod' is not a group of lakeland-2031\. Did you mean 'dogwood'",
        ),
        ("stages = [", "stages = ", r"record\.toml:\d+: this is not the head of a recorded night"),
        ("title = ", "tilte = ", r"record\.toml: this is not the head of a recorded night: .*title"),
    ],
)
def test_a_head_that_is_at_fault(table, old, new, says):
    spoil(table / "record" / "record.toml", old, new)
    refused(table, "tabulate", CONTEST, "--record", "record", code=AT_FAULT, says=f"record/{says}")


def test_a_record_that_is_no_text(table):
    with (table / "record" / "night.csv").open("ab") as rows:
        rows.write(b"\xff\xfe")
    says = r"record/night\.csv:\d+: byte \d+ is not UTF-8"
    refused(table, "tabulate", CONTEST, "--record", "record", code=AT_FAULT, says=says)


# --- a ledger that is cut, damaged, another's, locked; a disk that is full


@pytest.mark.parametrize("kept", [0, 100, 5_000])
def test_a_truncated_ledger(table, kept):
    os.truncate(table / "night" / "ledger.sqlite", kept)
    before = prints(table)
    for words in (("tabulate", CONTEST, "--ledger"), ("ledger", "verify")):
        said = typed(*words, "night/ledger.sqlite", cwd=table)
        assert said.code in {CANNOT, AT_FAULT}
        assert said.err.startswith("error: night/ledger.sqlite: ")
        assert "Traceback" not in said.err
        assert said.out == ""
        assert prints(table) == before


def test_a_ledger_cut_between_two_entries(table):
    tamper(table / "night" / "ledger.sqlite", "DELETE FROM entry WHERE seq > 15")
    says = r"night/ledger\.sqlite: the database and its kept head do not agree: 16 entries, .*`tallyroom ledger verify`"
    refused(table, "tabulate", CONTEST, "--ledger", "night/ledger.sqlite", code=AT_FAULT, says=says)


def test_a_ledger_with_one_changed_figure(table):
    change = "UPDATE entry SET raw = CAST(replace(CAST(raw AS TEXT), '\"ash\":58', '\"ash\":59') AS BLOB) WHERE seq = 0"
    tamper(table / "night" / "ledger.sqlite", change)
    says = (
        r"night/ledger\.sqlite: entry 0: .*, and \d+ more such faults\. `tallyroom ledger verify night/ledger\.sqlite`"
    )
    refused(table, "tabulate", CONTEST, "--ledger", "night/ledger.sqlite", code=AT_FAULT, says=says)


def test_a_ledger_whose_head_is_gone(table):
    (table / "night" / "ledger.sqlite.head").unlink()
    says = r"night/ledger\.sqlite\.head: the head of its 19 entries is not kept"
    refused(table, "tabulate", CONTEST, "--ledger", "night/ledger.sqlite", code=AT_FAULT, says=says)


def test_a_ledger_of_another_contest(table):
    says = r"night/ledger\.sqlite: this is the ledger of lakeland-2031, not of iowa-2020"
    refused(table, "tabulate", "iowa-2020", "--ledger", "night/ledger.sqlite", code=CANNOT, says=says)


@pytest.mark.parametrize("name", ["record/night.csv", "night/index.html"])
def test_a_file_that_is_no_ledger(table, name):
    refused(table, "tabulate", CONTEST, "--ledger", name, code=CANNOT, says=rf"{name}: this is not a ledger")


def test_a_database_that_another_program_locks(table):
    connection = sqlite3.connect(table / "night" / "ledger.sqlite", isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    try:
        said = typed("tabulate", CONTEST, "--ledger", "night/ledger.sqlite", cwd=table)
    finally:
        connection.close()
    assert said.code == CANNOT
    assert said.err == (
        "error: night/ledger.sqlite: the database is locked by another program. Stop that program and send again.\n"
    )


def test_a_night_into_a_ledger_that_is_being_written(table):
    with SqliteLedger(table / "night" / "ledger.sqlite", CONTEST):
        says = (
            rf"night/ledger\.sqlite: another program writes to this ledger \(process {os.getpid()}\)\. "
            r"Wait until it is done, or give another folder with --folder\."
        )
        refused(table, "night", CONTEST, "--folder", "night", code=CANNOT, says=says)
    assert not list((table / "night").glob(".night-*"))


def test_a_disk_that_is_full_leaves_the_earlier_night(table):
    says = r"ledger\.sqlite: the (disk refuses|disk or the database is full)"
    refused(table, "night", CONTEST, "--folder", "night", code=CANNOT, says=says, blocks=16)
    assert not list((table / "night").glob(".night-*"))


@pytest.mark.parametrize("name", ["fresh", "fresh/deeper/still", "there"])
def test_a_disk_that_is_full_leaves_nothing_of_a_first_night(table, name):
    (table / "there").mkdir()
    before = sorted(table.rglob("*"))
    says = (
        rf"{name}/ledger\.sqlite: the (disk refuses|disk or the database is full).*\. Make room, or give another folder"
    )
    refused(table, "night", CONTEST, "--folder", name, code=CANNOT, says=says, blocks=16)
    assert sorted(table.rglob("*")) == before


@pytest.mark.parametrize("name", ["fresh/deeper", "night"])
def test_a_night_stopped_from_the_keyboard_leaves_what_was_there(table, name):
    before, kept = sorted(table.rglob("*")), prints(table)
    said = stopped(
        "night", "iowa-2020", "--folder", name, cwd=table, when=lambda: [*table.rglob(".night-*/ledger.sqlite")]
    )
    assert (said.code, said.out, said.err.strip()) == (130, "", "")
    assert sorted(table.rglob("*")) == before
    assert prints(table) == kept


def test_what_a_killed_night_left_is_swept_by_the_next(table):
    (table / "night" / ".night-killed").mkdir()
    (table / "night" / ".night-killed" / "ledger.sqlite").write_bytes(b"half")
    assert typed("--quiet", "night", CONTEST, "--folder", "night", cwd=table).code == 0
    assert not list((table / "night").glob(".night-*"))


def test_a_night_folder_that_is_a_file(table):
    (table / "taken").write_text("mine", encoding="utf-8")
    refused(table, "night", CONTEST, "--folder", "taken", code=CANNOT, says="taken: the folder cannot be used: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unwritable for root")
def test_a_night_folder_that_is_not_writable(table):
    (table / "closed").mkdir(mode=0o500)
    refused(table, "night", CONTEST, "--folder", "closed", code=CANNOT, says="closed: the folder cannot be used: ")


def test_a_night_folder_where_nobody_can_write(table):
    refused(
        table, "night", CONTEST, "--folder", "/proc/night", code=CANNOT, says="/proc/night: the folder cannot be used"
    )


def test_every_fault_of_a_plan_is_told(table):
    units = table / "plan" / "units.csv"
    spoil(units, "precinct,9,A-1", "precinct,-9,A-1")
    spoil(units, "precinct,6,A-2", "precinct,6.5,A-2")
    said = typed("tabulate", "plan", cwd=table)
    assert said.code == AT_FAULT
    assert [line.split(": ")[1] for line in said.err.splitlines()] == ["plan/units.csv:2", "plan/units.csv:3"]


def test_a_plan_and_a_record_may_have_names_of_their_own(table):
    said = typed("tabulate", Path("plan"), "--record", "record", cwd=table)
    assert said.code == 0
    assert said.out == typed("tabulate", CONTEST).out
