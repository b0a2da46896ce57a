"""The ledger in a SQLite file: the kit, and what only a file can do or suffer."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ledger.drafts import CONTEST, report, reports
from ledger.kit import LedgerKit
from ledger.machine import machine
from tallyroom.faults import CannotRunError
from tallyroom.ledger.faults import DamagedError, LedgerError, StoreError
from tallyroom.ledger.sqlite import SqliteLedger
from tallyroom.ledger.verify_sqlite import verify_sqlite

TESTS = Path(__file__).parents[1]
"""Where another Python finds `ledger.drafts`."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "night.db"


@pytest.fixture
def filled(path):
    """A closed ledger of five reports."""
    with SqliteLedger(path, CONTEST, create=True) as ledger:
        ledger.append(reports(5))
    return path


@pytest.fixture
def outside(filled):
    """Somebody's own connection to the database, past all of our code."""
    connection = sqlite3.connect(filled, isolation_level=None)
    yield connection
    connection.close()


class TestSqliteLedger(LedgerKit):
    @pytest.fixture
    def opened(self, path):
        return lambda: SqliteLedger(path, CONTEST, create=True)


TestSqliteAgainstAList = machine(lambda folder: SqliteLedger(folder / "night.db", CONTEST, create=True), lasts=True)


class TestNobodyRewrites:
    """The database itself refuses, whoever asks."""

    @pytest.mark.parametrize(
        ("statement", "answer"),
        [
            ("UPDATE entry SET raw = x'00' WHERE seq = 2", "entries are never changed"),
            ("UPDATE OR REPLACE entry SET seq = 3 WHERE seq = 2", "entries are never changed"),
            ("DELETE FROM entry WHERE seq = 4", "entries are never taken away"),
            ("DELETE FROM entry", "entries are never taken away"),
            ("INSERT OR REPLACE INTO entry SELECT 2, 'x', leaf, raw FROM entry WHERE seq = 1", "out of order"),
            ("REPLACE INTO entry SELECT 5, 'device-0', leaf, raw FROM entry WHERE seq = 1", "key is taken"),
            ("INSERT OR IGNORE INTO entry SELECT 5, 'device-0', leaf, raw FROM entry WHERE seq = 1", "key is taken"),
            ("INSERT INTO entry SELECT 9, 'x', leaf, raw FROM entry WHERE seq = 1", "out of order"),
            ("INSERT INTO entry SELECT -1, 'x', leaf, raw FROM entry WHERE seq = 1", "out of order"),
            ("INSERT INTO entry (key, leaf, raw) SELECT 'x', leaf, raw FROM entry WHERE seq = 1", "out of order"),
            (
                "INSERT INTO entry SELECT 1, 'x', leaf, raw FROM entry WHERE 1 ON CONFLICT DO UPDATE SET raw = x'00'",
                "out of order",
            ),
            ("UPDATE contest SET id = 'hilltown-2024'", "never changed"),
            ("DELETE FROM contest", "never taken away"),
            ("INSERT OR REPLACE INTO contest VALUES (1, 'hilltown-2024')", "one contest"),
        ],
    )
    def test_refused(self, filled, outside, statement, answer):
        with pytest.raises(sqlite3.IntegrityError, match=answer):
            outside.execute(statement)
        assert verify_sqlite(filled, contest=CONTEST) == []

    @pytest.mark.parametrize(("seq", "key"), [(9, "x"), (3, "x"), (6, "device-0"), (6, "device-5")])
    def test_refusal_takes_back_the_whole_transaction(self, seq, key, filled, outside):
        outside.execute("BEGIN")
        outside.execute("INSERT INTO entry VALUES (5, 'device-5', x'00', x'00')")
        with pytest.raises(sqlite3.IntegrityError):
            outside.execute("INSERT OR REPLACE INTO entry VALUES (?, ?, x'00', x'00')", (seq, key))
        assert not outside.in_transaction
        assert verify_sqlite(filled, contest=CONTEST) == []


class TestOneWriter:
    def test_second_writer_is_told_who_must_stop(self, filled):
        with (
            SqliteLedger(filled, CONTEST),
            pytest.raises(StoreError, match=rf"process {os.getpid()}\)\. Stop process {os.getpid()}"),
        ):
            SqliteLedger(filled, CONTEST)
        SqliteLedger(filled, CONTEST).close()

    def test_reader_sees_what_a_writer_enters_meanwhile(self, filled):
        with SqliteLedger(filled, CONTEST, read_only=True) as desk, SqliteLedger(filled, CONTEST) as ledger:
            assert desk.head().count == 5
            receipt = ledger.append([report(5)])[0]
            assert desk.head() == receipt.head
            assert [entry.seq for entry in desk.entries(4)] == [4, 5]
            assert desk.find("device-5") == ledger.find("device-5")

    def test_reader_may_not_append(self, filled):
        with SqliteLedger(filled, CONTEST, read_only=True) as desk, pytest.raises(StoreError, match="read only"):
            desk.append([report(9)])

    def test_slow_reader_holds_nobody_up(self, filled):
        with SqliteLedger(filled, CONTEST) as ledger:
            reading = ledger.entries()
            next(reading)
            assert ledger.append([report(5)])[0].seq == 5
            assert len(list(reading)) == 4


class TestBadPlaces:
    """One clear sentence: what, which file, what to do."""

    def refused(self, path, answer, kind=StoreError, **how):
        with pytest.raises(kind, match=answer) as caught:
            SqliteLedger(path, CONTEST, **how)
        (fault,) = caught.value.faults
        assert str(path) in fault.file
        assert fault.remedy
        return caught.value

    def test_missing_file(self, path):
        error = self.refused(path, "there is no ledger at this place")
        assert isinstance(error, CannotRunError)
        assert error.exit_code == 2
        self.refused(path, "there is no ledger at this place", read_only=True)
        assert list(path.parent.iterdir()) == []

    def test_missing_folder(self, path):
        self.refused(path.parent / "nowhere" / "night.db", "No such file", create=True)

    def test_something_else(self, path):
        path.write_text("Precinct,Votes\n" * 500)
        self.refused(path, "it is no SQLite database")
        self.refused(path, "it is no SQLite database", create=True)
        assert path.read_text() == "Precinct,Votes\n" * 500

    def test_another_programs_database(self, path):
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE songs (title)")
        connection.close()
        self.refused(path, "holds something else")
        self.refused(path, "holds something else", create=True)

    def test_empty_file_becomes_a_ledger_only_if_asked(self, path):
        path.touch()
        self.refused(path, "holds something else")
        SqliteLedger(path, CONTEST, create=True).close()

    def test_ledger_of_another_contest(self, filled):
        with pytest.raises(LedgerError, match="this is the ledger of lakeland-2024, not of hilltown-2024"):
            SqliteLedger(filled, "hilltown-2024")
        with pytest.raises(LedgerError, match="not of hilltown-2024"):
            SqliteLedger(filled, "hilltown-2024", create=True)

    def test_ledger_of_a_later_tallyroom(self, filled, outside):
        outside.execute("PRAGMA user_version = 99")
        self.refused(filled, "has form 99")

    @pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
    def test_truncated_file(self, path, share):
        with SqliteLedger(path, CONTEST, create=True) as ledger:
            ledger.append(reports(100))
        assert not path.with_name("night.db-wal").exists()
        os.truncate(path, int(path.stat().st_size * share))
        self.refused(path, "damaged|do not agree", kind=DamagedError)
        faults = verify_sqlite(path, contest=CONTEST)
        assert faults
        assert all(fault.file and fault.remedy for fault in faults)

    def test_lost_head(self, filled):
        filled.with_name("night.db.head").unlink()
        self.refused(filled, "the head of its 5 entries is not kept", kind=DamagedError)
        assert [fault.what for fault in verify_sqlite(filled)] == ["the head is not kept beside the database"]

    def test_spoilt_head(self, filled):
        filled.with_name("night.db.head").write_text("5 reports\n")
        self.refused(filled, "this is no kept head", kind=DamagedError)
        assert [fault.what for fault in verify_sqlite(filled)] == ["this is no kept head"]

    def test_head_of_a_longer_ledger(self, filled):
        kept = filled.with_name("night.db.head")
        kept.write_text(f"{6:020d} {'ab' * 32}\n")
        self.refused(filled, "do not agree: 5 entries, the head knows 6", kind=DamagedError)
        assert any("it was cut: 5 entries" in fault.what for fault in verify_sqlite(filled))

    def test_head_left_behind_by_a_crash_is_caught_up(self, path):
        with SqliteLedger(path, CONTEST, create=True) as ledger:
            ledger.append(reports(3))
            older = path.with_name("night.db.head").read_bytes()
            ledger.append(reports(4, start=3))
            newer = path.with_name("night.db.head").read_bytes()
        path.with_name("night.db.head").write_bytes(older)
        assert verify_sqlite(path) == []
        SqliteLedger(path, CONTEST).close()
        assert path.with_name("night.db.head").read_bytes() == newer != older

    @pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
    def test_read_only_file(self, filled):
        filled.chmod(0o444)
        with pytest.raises(StoreError, match=r"read-only|cannot be opened"), SqliteLedger(filled, CONTEST) as ledger:
            ledger.append([report(9)])


class TestFailedCommits:
    """After a failure nothing of the batch is there, and the next append works."""

    def nothing_of_it(self, ledger, path, count):
        assert ledger.head().count == count
        assert len(list(ledger.entries())) == count
        assert ledger.find("device-900") is None
        receipt = ledger.append([report(500)])[0]
        assert receipt.seq == count
        assert verify_sqlite(path, contest=CONTEST) == []

    def test_full_database(self, filled):
        def stays_small(connection):
            connection.execute("PRAGMA max_page_count = 40")  # lasts for this connection, from the second commit on
            connection.execute("COMMIT")

        with SqliteLedger(filled, CONTEST, commit=stays_small) as ledger:
            ledger.append([report(5)])
            with pytest.raises(StoreError, match="full") as caught:
                ledger.append([report(900), *reports(400, start=1000)])
            assert caught.value.faults[0].file == str(filled)
            self.nothing_of_it(ledger, filled, 6)

    def test_locked_database(self, filled, outside, monkeypatch):
        monkeypatch.setattr("tallyroom.ledger.sqlite_shelf.BUSY_SECONDS", 0.05)
        with SqliteLedger(filled, CONTEST) as ledger:
            outside.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match=r"locked by another program\. Stop that program"):
                ledger.append([report(900)])
            outside.execute("ROLLBACK")
            self.nothing_of_it(ledger, filled, 5)

    def test_database_turns_read_only(self, filled):
        turned = [False]

        def commit(connection):
            connection.execute("COMMIT")
            connection.execute(f"PRAGMA query_only = {turned[0]:d}")

        with SqliteLedger(filled, CONTEST, commit=commit) as ledger:
            turned[0] = True
            ledger.append([report(5)])
            with pytest.raises(StoreError, match=r"read-only\. Make the file and its folder writable"):
                ledger.append([report(900)])

    def test_disk_fails_at_the_commit(self, filled):
        failing = [False]

        def commit(connection):
            if failing[0]:
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
                raise error
            connection.execute("COMMIT")

        with SqliteLedger(filled, CONTEST, commit=commit) as ledger:
            failing[0] = True
            futures = [ledger.submit(draft) for draft in (report(900), *reports(20, start=901))]
            for future in futures:
                assert isinstance(future.exception(20), StoreError)
            failing[0] = False
            self.nothing_of_it(ledger, filled, 5)

    def test_disk_is_full(self, filled):
        """A real refusal of the system: no file of the writer may grow past a limit."""
        code = f"""
import resource, signal
from pathlib import Path
from ledger.drafts import report, reports
from tallyroom.ledger.faults import StoreError
from tallyroom.ledger.sqlite import SqliteLedger
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with SqliteLedger({str(filled)!r}, {CONTEST!r}) as ledger:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
    try:
        ledger.append([report(900), *reports(400, start=1000)])
    except StoreError as error:
        print(error.faults[0].what)
    assert ledger.find("device-900") is None and ledger.head().count == 5
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(ledger.append([report(500)])[0].seq)
"""
        assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=False, cwd=TESTS
        )
        what, seq = done.stdout.splitlines() or (done.stderr, "")
        assert "full" in what or "disk" in what
        assert seq == "5"
        assert verify_sqlite(filled, contest=CONTEST) == []


def test_readers_from_many_threads(filled):
    with SqliteLedger(filled, CONTEST) as ledger:
        seen = []

        def read():
            seen.extend(len(list(ledger.entries())) for _ in range(30))

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for draft in reports(30, start=5):
            ledger.append([draft])
        for thread in threads:
            thread.join(20)
        assert len(seen) == 120
        assert set(seen) <= set(range(5, 36))
