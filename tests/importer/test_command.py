"""`tallyroom import`: what it says, what it files, and what it never files twice."""

from __future__ import annotations

import json

import pytest

from cli.typed import typed
from importer import county as c
from tallyroom.cli.main import main
from tallyroom.ledger.sqlite import SqliteLedger


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a good file, and one with four rows at fault."""
    monkeypatch.chdir(tmp_path)
    rows = [list(row) for row in c.stage_above()]
    (tmp_path / "good.csv").write_bytes(c.csv_of(rows))
    rows[6][1], rows[7][3], rows[9][2] = "Aldr School", "l3", "-4"
    (tmp_path / "bad.csv").write_bytes(c.csv_of(rows))
    return tmp_path


def run(capsys, *words):
    code = main(["import", "lakeland-2031", *words])
    out, err = capsys.readouterr()
    return code, out, err


def entries(folder, name="night.db"):
    with SqliteLedger(folder / name, "lakeland-2031", read_only=True) as ledger:
        return list(ledger.entries())


def test_a_good_file_is_filed_once(folder, capsys):
    code, out, _ = run(capsys, "good.csv", "--ledger", "night.db")
    assert code == 0
    assert "17 places filed, and 0 places in the ledger already." in out
    filed = entries(folder)
    assert len(filed) == 17
    assert {entry.channel for entry in filed} == {"file"}
    assert len({entry.paper for entry in filed}) == 1
    code, out, _ = run(capsys, "good.csv", "--ledger", "night.db")
    assert code == 0
    assert "0 places filed, and 17 places in the ledger already." in out
    assert entries(folder) == filed


def test_the_same_numbers_in_another_form_are_not_filed_again(folder, capsys):
    run(capsys, "good.csv", "--ledger", "night.db")
    (folder / "same.xlsx").write_bytes(c.xlsx_of({"S": list(c.long())}))
    code, out, _ = run(capsys, "same.xlsx", "--ledger", "night.db")
    assert code == 0
    assert "0 places filed, and 17" in out


def test_what_was_imported_is_what_tabulate_counts(folder, capsys):
    run(capsys, "good.csv", "--ledger", "night.db")
    assert main(["tabulate", "lakeland-2031", "--ledger", "night.db", "--json"]) == 0
    standing = json.loads(capsys.readouterr().out)
    first = next(found for found in standing["yardsticks"] if found["id"] == "first_alignment")
    assert {group["id"]: group["value"] for group in first["groups"]}["ash"] == str(
        sum(report.count("first", "ash") for report in c.evening().values())
    )


def test_a_dry_run_changes_nothing(folder, capsys):
    code, out, _ = run(capsys, "good.csv", "--ledger", "night.db", "--dry-run")
    assert code == 0
    assert "17 places would be filed" in out
    assert sorted(path.name for path in folder.iterdir()) == ["bad.csv", "good.csv"]


def test_rows_at_fault_are_told_with_their_lines_and_the_rest_is_filed(folder, capsys):
    code, out, _ = run(capsys, "bad.csv", "--ledger", "night.db", "--decisions", "answers.csv")
    assert code == 65
    assert (
        "Is 'Aldr School' Alder School (alder-school)? (it is written nearly so) Proposed: alder-school. "
        "(bad.csv, line 7)" in out
    )
    assert "bad.csv, line 10: First alignment Ash: '-4' is negative" in out
    assert "Brook, Brook East (brook-east) is held: settle bad.csv, line 10 first" in out
    assert {json.loads(bytes(entry.body))["unit"] for entry in entries(folder)} == set(c.evening()) - {
        "alder-school", "alder-harbor", "brook-east",
    }  # fmt: skip
    answers = (folder / "answers.csv").read_text(encoding="utf-8")
    assert len(answers.splitlines()) == 4


def test_answers_are_kept_and_given_again(folder, capsys):
    run(capsys, "bad.csv", "--dry-run", "--decisions", "answers.csv")
    file = folder / "answers.csv"
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text(
        "\n".join([lines[0], *(line + ("leave-out" if line.startswith("total") else "yes") for line in lines[1:])])
    )
    before = file.read_text()
    code, out, _ = run(capsys, "bad.csv", "--ledger", "night.db", "--decisions", "answers.csv")
    assert code == 65
    assert "16 places filed" in out
    assert file.read_text() == before


def test_other_numbers_than_those_that_stand_are_asked_about_and_then_correct_them(folder, capsys):
    run(capsys, "good.csv", "--ledger", "night.db")
    (folder / "later.csv").write_bytes(c.csv_of([["Precinct", "Ash final"], ["Alder Mill", 8]]))
    code, out, _ = run(capsys, "later.csv", "--ledger", "night.db", "--decisions", "answers.csv")
    assert code == 65
    assert (
        "Alder Mill stands in entry 3 with other numbers (final ash 7, in the file 8): does the file correct it?" in out
    )
    assert len(entries(folder)) == 17
    file = folder / "answers.csv"
    file.write_text(file.read_text(encoding="utf-8").rstrip("\n") + "yes\n", encoding="utf-8")
    code, out, _ = run(capsys, "later.csv", "--ledger", "night.db", "--decisions", "answers.csv")
    assert code == 0
    last = entries(folder)[-1]
    assert (last.replaces, last.reason) == (3, "file-correction")
    body = json.loads(bytes(last.body))
    assert body["alignments"]["final"] == {**c.evening()["alder-mill"].alignments["final"], "ash": 8}
    assert body["attendance"] == 13
    code, out, _ = run(capsys, "later.csv", "--ledger", "night.db", "--decisions", "answers.csv")
    assert "0 places filed, and 1 place in the ledger already." in out


def test_json_names_every_row(folder, capsys):
    code, out, _ = run(capsys, "bad.csv", "--dry-run", "--json")
    told = json.loads(out)
    assert code == 65
    assert told["schema"] == 1
    assert sum(told["rows"].values()) == sum(outcome["rows"] for outcome in told["outcomes"])
    assert {"questioned", "refused", "read", "furniture"} == {outcome["outcome"] for outcome in told["outcomes"]}
    assert [held["unit"]["id"] for held in told["held"]] == ["alder-school", "alder-harbor", "brook-east"]
    assert len(told["to_file"]) == 14


def test_a_county_is_named_for_a_file_that_does_not(folder, capsys):
    rows = [row[1:] for row in c.wide() if row[0] in ("County", "Brook")]
    (folder / "brook.csv").write_bytes(c.csv_of(rows))
    assert run(capsys, "brook.csv", "--county", "Brook", "--dry-run")[0] == 0
    assert run(capsys, "brook.csv", "--county", "Dale", "--dry-run")[0] == 65
    assert run(capsys, "brook.csv", "--county", "Oz", "--dry-run")[0] == 2


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["good.csv"], 2, "Give --ledger FILE, or --dry-run"),
        (["none.csv", "--dry-run"], 2, "none.csv: there is no such file"),
        ([".", "--dry-run"], 2, "is a directory"),
        (["good.csv", "--dry-run", "--decisions", "good.csv"], 65, "good.csv:1: this is no file of decisions"),
        (["good.csv", "--ledger", "good.csv"], 2, ""),
        (["--dry-run"], 2, "Missing argument"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(folder, capsys, words, code, says):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    found, out, err = run(capsys, *words)
    assert found == code, err
    assert out == ""
    assert says in err
    assert len(err.strip().splitlines()) == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith(".lock")} == before


def test_a_formula_in_a_name_is_kept_as_text_in_the_answers(folder, capsys):
    (folder / "evil.csv").write_bytes(c.csv_of([["Precinct", "=cmd final", "Ash final"], ["Alder Mill", 5, 6]]))
    run(capsys, "evil.csv", "--dry-run", "--decisions", "answers.csv")
    assert "'=cmd final" in (folder / "answers.csv").read_text(encoding="utf-8")


def test_from_a_pipe_it_says_the_same(folder):
    said = typed("import", "lakeland-2031", "good.csv", "--dry-run", cwd=folder)
    assert said.code == 0
    assert "17 places would be filed" in said.out
    assert said.err == ""
