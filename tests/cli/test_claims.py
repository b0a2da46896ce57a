"""`tallyroom claims`: what others called irregular, each with its verdict and the finding or rule behind it."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from cli.typed import seen, typed, watched
from tallyroom.cli.main import main

SMALL = "lakeland-2031"
VERDICTS = Path(__file__).parents[1] / "tabulate" / "verdicts.csv"


def on_file():
    with VERDICTS.open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


@pytest.fixture(scope="module")
def said():
    """What the command says of the reference night, as JSON."""
    done = typed("claims", "iowa-2020", "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


@pytest.fixture(scope="module")
def shown():
    """The same for people, through a pipe."""
    done = typed("claims", "iowa-2020")
    assert (done.code, done.err) == (0, "")
    return done.out


def test_every_verdict_is_the_one_on_file_with_its_reason(said):
    told = [
        {
            "line": str(row["line"]),
            "kind": row["kind"],
            "unit": row["unit"]["id"] if row["unit"] else "",
            "groups": ";".join(row["groups"]),
            "release": row["release"],
            "verdict": row["verdict"],
            "by": row["by"],
        }
        for row in said["claims"]
    ]
    assert len(told) == 550
    assert told == on_file()


def test_the_counts_are_those_of_the_list(said):
    listed = Counter((row["kind"], row["verdict"]) for row in said["claims"])
    counted = {(kind, word): n for kind, words in said["counts"].items() for word, n in words.items() if n}
    assert counted == listed
    assert all(list(words) == ["found", "no error", "not in the record"] for words in said["counts"].values())


def test_people_read_a_row_a_claim_with_place_kind_verdict_and_reason(shown):
    rows = shown.split("\n\n")[2].splitlines()
    assert rows[0].split("  ")[0] == "Place"
    assert len(rows) == 551
    for row, kept in zip(rows[1:], on_file(), strict=True):
        assert row.startswith(kept["unit"])
        assert kept["kind"] in row
        assert kept["verdict"] in row
        assert row.endswith(kept["by"])


@pytest.mark.parametrize(("word", "verdict"), [("no-error", "no error"), ("not-in-record", "not in the record")])
def test_one_verdict_of_one_kind_may_be_asked_for(capsys, word, verdict):
    kind = "delegate-rounding" if word == "not-in-record" else "no-data"
    assert main(["claims", "iowa-2020", "--kind", kind, "--verdict", word, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["claims"]
    assert [(row["kind"], row["verdict"]) for row in found] == [(kind, verdict)] * len(found)
    assert len(found) == sum((row["kind"], row["verdict"]) == (kind, verdict) for row in on_file())


def test_a_kind_that_nobody_claimed_is_answered_with_the_closest(capsys):
    assert main(["claims", "iowa-2020", "--kind", "no-date"]) == 2
    assert "there is no claim of kind 'no-date'. Did you mean 'no-data'?" in capsys.readouterr().err


def test_a_record_without_claims_says_so(capsys):
    assert main(["claims", SMALL]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "No such claim is in the record."


def test_a_record_of_ones_own_is_read(tmp_path):
    shutil.copytree(files("tallyroom") / "records" / SMALL, tmp_path / "record")
    heading = (files("tallyroom") / "records" / "iowa-2020" / "claims.csv").read_text(encoding="utf-8").splitlines()[0]
    row = {"area": "clover", "unit": "clover-gym", "kind": "final-total-exceeds-first-total", "release": "evening"}
    cells = ",".join(row.get(column, "") for column in heading.split(","))
    (tmp_path / "record" / "claims.csv").write_text(f"{heading}\n{cells}\n", encoding="utf-8")
    done = typed("claims", SMALL, "--record", "record", "--json", cwd=tmp_path)
    assert done.code == 0, done.err
    (claim,) = json.loads(done.out)["claims"]
    assert (claim["verdict"], claim["by"]) == ("found", "final-exceeds-first")
    drawn = seen(watched("claims", SMALL, "--record", "record", cwd=tmp_path, columns=70).out)
    assert max(map(len, drawn.splitlines())) <= 70
    assert "found: final-exceeds-first" in drawn
