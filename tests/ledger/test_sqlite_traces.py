"""Who only reads a SQLite ledger leaves its folder as it was, whether the writer closed it or was killed."""

from __future__ import annotations

import os
import shutil

import pytest

from ledger.drafts import CONTEST, report, reports
from tallyroom.ledger.sqlite import SqliteLedger
from tallyroom.ledger.sqlite_shelf import connect
from tallyroom.ledger.verify_sqlite import verify_sqlite


@pytest.fixture
def path(tmp_path):
    """A ledger of five reports, closed in order."""
    path = tmp_path / "night.db"
    with SqliteLedger(path, CONTEST, create=True) as ledger:
        ledger.append(reports(5))
    return path


def folder(path):
    """Names and bytes of all files, but for the index in memory that all users of a log share."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith("-shm")}


def read(path):
    with SqliteLedger(path, CONTEST, read_only=True) as desk:
        assert len(list(desk.entries())) == desk.head().count
        assert desk.find("device-1") is not None


@pytest.mark.parametrize("look", [read, verify_sqlite])
def test_reader_leaves_a_closed_ledger_as_it_was(path, look):
    before = folder(path)
    assert set(before) == {"night.db", "night.db.head", "night.db.lock"}
    look(path)
    assert folder(path) == before
    assert not path.with_name("night.db-shm").exists()


def test_two_readers_at_once_leave_nothing(path):
    before = folder(path)
    with SqliteLedger(path, CONTEST, read_only=True):
        read(path)
    assert folder(path) == before


@pytest.mark.parametrize("look", [read, verify_sqlite])
def test_reader_does_not_touch_what_a_killed_writer_left(path, look, tmp_path):
    """The log it left holds entries that are acknowledged: only a writer may move them."""
    left = tmp_path / "left"
    left.mkdir()
    with SqliteLedger(path, CONTEST) as ledger:
        ledger.append([report(5)])
        for file in path.parent.glob("night.db*"):
            shutil.copy(file, left)
    place = left / "night.db"
    before = folder(place)
    assert before["night.db-wal"]
    look(place)
    assert folder(place) == before
    with SqliteLedger(place, CONTEST) as ledger:
        assert ledger.head().count == 6


def test_reader_that_outlives_the_writer_loses_nothing(path):
    with SqliteLedger(path, CONTEST) as ledger:
        desk = SqliteLedger(path, CONTEST, read_only=True)
        ledger.append([report(5)])
    assert desk.head().count == 6
    desk.close()
    assert verify_sqlite(path, contest=CONTEST) == []
    SqliteLedger(path, CONTEST).close()
    assert set(folder(path)) == {"night.db", "night.db.head", "night.db.lock"}


def test_writer_that_comes_while_somebody_reads_is_read_and_harms_nobody(path):
    with SqliteLedger(path, CONTEST, read_only=True) as desk:
        with SqliteLedger(path, CONTEST) as ledger:
            ledger.append([report(5)])
            assert desk.head().count == 6
        assert desk.find("device-5").seq == 5
    assert set(folder(path)) == {"night.db", "night.db.head", "night.db.lock"}
    assert verify_sqlite(path, contest=CONTEST) == []


def test_reader_cannot_write_even_by_mistake(path):
    import sqlite3

    connection = connect(path, read_only=True)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("CREATE TABLE remark (seq)")
    connection.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_file_that_may_only_be_read_is_read(path):
    path.chmod(0o444)
    read(path)
