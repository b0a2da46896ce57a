"""The commands take a database on a server wherever they take the file of a ledger."""

from __future__ import annotations

import json

import pytest

import tallyroom
from tallyroom.cli.main import main
from tallyroom.ledger.address import open_ledger
from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.plan.catalogue import find

CONTEST = "lakeland-2031"


@pytest.fixture
def filled(address):
    with open_ledger(address, CONTEST, create=True) as ledger:
        ledger.append(read_night(folder_of(CONTEST), find(CONTEST)).drafts)
    return address


def said(capsys, *arguments):
    status = main(list(arguments))
    streams = capsys.readouterr()
    return status, streams.out, streams.err


def test_standings_are_those_of_the_record(capsys, filled):
    _, there, _ = said(capsys, "tabulate", CONTEST, "--ledger", filled, "--json")
    _, here, _ = said(capsys, "tabulate", CONTEST, "--json")
    assert json.loads(there) == json.loads(here)
    assert tallyroom.standings(tallyroom.load(CONTEST, ledger=filled)).equals(
        tallyroom.standings(tallyroom.load(CONTEST))
    )


def test_it_is_verified_and_exported(capsys, filled, tmp_path):
    status, head, _ = said(capsys, "ledger", "verify", filled)
    assert status == 0
    assert said(capsys, "ledger", "export", filled, "-o", str(tmp_path / "night.jsonl"))[0] == 0
    assert said(capsys, "ledger", "verify", str(tmp_path / "night.jsonl"), "--head", head.strip())[:2] == (0, head)
    status, _, err = said(capsys, "ledger", "verify", filled, "--head", f"1 {'ab' * 32}")
    assert status == 65
    assert err.startswith("error: ")


def test_a_server_that_is_not_there_is_said_in_a_sentence(capsys, tmp_path):
    address = f"postgresql://tests@/nowhere?host={tmp_path}"
    for arguments in (
        ("tabulate", CONTEST, "--ledger", address),
        ("check", CONTEST, "--ledger", address),
        ("ledger", "verify", address),
        ("ledger", "export", address),
    ):
        status, out, err = said(capsys, *arguments)
        assert (status, out) == (2, ""), arguments
        assert err.startswith("error: ")
        assert err.count("\n") == 1
