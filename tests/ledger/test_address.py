"""One address, two kinds of ledger: a database on a server, or a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ledger.drafts import CONTEST, reports
from tallyroom.ledger.address import contest_at, on_server, open_ledger, verify_ledger
from tallyroom.ledger.faults import StoreError
from tallyroom.ledger.postgres import PostgresLedger
from tallyroom.ledger.sqlite import SqliteLedger


@pytest.fixture(params=["file", "path", "server"])
def place(request, tmp_path):
    """An address as somebody may give it, and the kind of ledger it means."""
    if request.param == "server":
        return request.getfixturevalue("address"), PostgresLedger
    file = tmp_path / "night.db"
    return (file if request.param == "path" else str(file)), SqliteLedger


def test_ledger_is_made_found_read_and_verified_by_its_address(place):
    address, kind = place
    with open_ledger(address, CONTEST, create=True) as ledger:
        assert isinstance(ledger, kind)
        head = ledger.append(reports(4))[-1].head
    assert contest_at(address) == CONTEST
    with open_ledger(address, CONTEST, read_only=True) as desk:
        assert desk.head() == head
    assert verify_ledger(address, contest=CONTEST, published=head) == []
    assert len(verify_ledger(address, contest="hilltown-2024")) == 4


def test_both_kinds_give_the_same_bytes_and_head(address, tmp_path):
    found = []
    for place in (address, tmp_path / "night.db"):
        with open_ledger(place, CONTEST, create=True) as ledger:
            ledger.append(reports(9))
            found.append(([entry.raw for entry in ledger.entries()], ledger.head()))
    assert found[0] == found[1]


def test_head_is_kept_where_it_is_asked_to_be(address, tmp_path):
    with open_ledger(address, CONTEST, create=True, kept=tmp_path / "night.head") as ledger:
        head = ledger.append(reports(2))[-1].head
    assert (tmp_path / "night.head").read_text().split()[1] == head.root
    assert verify_ledger(address, kept=tmp_path / "night.head") == []


def test_nothing_there(place):
    address, _kind = place
    for ask in (contest_at, verify_ledger, lambda at: open_ledger(at, CONTEST)):
        with pytest.raises(StoreError, match="there is no ledger"):
            ask(address)


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        ("postgresql://tally@db.example/night", True),
        ("postgres:///night", True),
        ("night.db", False),
        ("postgresql.db", False),
        (Path("postgresql:") / "night", False),
    ],
)
def test_only_a_scheme_makes_an_address_one_of_a_server(address, answer):
    assert on_server(address) is answer


def test_file_needs_no_database_client(tmp_path):
    code = f"""
import sys
from tallyroom.ledger.address import open_ledger
open_ledger({str(tmp_path / "night.db")!r}, {CONTEST!r}, create=True).close()
assert "psycopg" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
