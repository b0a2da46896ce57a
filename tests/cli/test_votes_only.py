"""A contest whose places only count votes, as every command shows it."""

from __future__ import annotations

import json

import pytest

from tallyroom.cli.main import main

PRIMARY = "new-hampshire-2020"
UNIT = "cd1-returns"


def said(capsys, *arguments):
    status = main(list(arguments))
    streams = capsys.readouterr()
    return status, streams.out, streams.err


def test_its_standing_and_its_national_delegates(capsys):
    status, out, _ = said(capsys, "tabulate", PRIMARY, "--json")
    assert status == 0
    standing = json.loads(out)
    assert [row["id"] for row in standing["yardsticks"]] == ["votes"]
    assert standing["undetermined"] == {}
    assert {group: n for group, n in standing["national"]["groups"].items() if n} == {
        "sanders": 9,
        "buttigieg": 9,
        "klobuchar": 6,
    }


def test_a_place_says_nothing_of_delegates(capsys):
    status, out, _ = said(capsys, "tabulate", PRIMARY, "--unit", UNIT)
    assert status == 0
    for word in ("To elect", "Viable with", "By rule", "Delegates"):
        assert word not in out
    assert "Votes" in out


def test_the_checks_find_nothing_to_say_of_awards(capsys):
    status, out, _ = said(capsys, "check", PRIMARY, "--json")
    assert status == 0
    assert json.loads(out)["findings"] == []


@pytest.mark.parametrize("delegates", ["1", "5"])
def test_awarding_there_is_refused_in_a_sentence(capsys, delegates):
    status, out, err = said(
        capsys, "award", PRIMARY, "--delegates", delegates, "--attending", "100", "sanders=60", "buttigieg=40"
    )
    assert (status, out) == (2, "")
    assert err == (
        "error: the places of new-hampshire-2020 elect no delegates: they only count votes. "
        "`tallyroom tabulate new-hampshire-2020` shows the national delegates that its votes share.\n"
    )


def test_its_night_is_played_and_told(capsys, tmp_path):
    status, out, _ = said(capsys, "night", PRIMARY, "--folder", str(tmp_path / "night"))
    assert status == 0
    page = (tmp_path / "night" / "index.html").read_text(encoding="utf-8")
    for text in (page, out):
        assert "None." in text
    assert "People vote once" in page
    assert "choose again" not in page
