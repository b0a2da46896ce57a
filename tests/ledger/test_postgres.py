"""The ledger in a PostgreSQL database: the kit, and what only a server can do or refuse."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings

from ledger.drafts import CONTEST, report, reports
from ledger.kit import LedgerKit
from ledger.machine import machine
from ledger.server import said
from tallyroom.faults import CannotRunError
from tallyroom.ledger.faults import DamagedError, LedgerError, StoreError
from tallyroom.ledger.postgres import PostgresLedger
from tallyroom.ledger.postgres_session import in_our_words, place_of
from tallyroom.ledger.verify_postgres import verify_postgres

STANDING = []
"""The server and the address of a database, for doings that can ask for no fixture."""


@pytest.fixture(autouse=True)
def _standing(server, _one_database):
    STANDING[:] = [server, _one_database]


@pytest.fixture
def filled(address):
    """The address of a closed ledger of five reports."""
    with PostgresLedger(address, CONTEST, create=True) as ledger:
        ledger.append(reports(5))
    return address


class TestPostgresLedger(LedgerKit):
    @pytest.fixture
    def opened(self, address):
        return lambda: PostgresLedger(address, CONTEST, create=True)


def _opened_anew(folder):
    running, place = STANDING
    begun = Path(folder, "begun")
    if not begun.exists():
        running.empty(place)
        begun.touch()
    return PostgresLedger(place, CONTEST, create=True)


TestPostgresAgainstAList = machine(_opened_anew, lasts=True)
TestPostgresAgainstAList.settings = settings(TestPostgresAgainstAList.settings, max_examples=12)


class TestNobodyRewrites:
    """The database itself refuses, whoever asks: here its owner, past all of our code."""

    ROW = "SELECT {}, '{}', leaf, raw FROM ledger.entry WHERE seq = 1"

    @pytest.mark.parametrize(
        ("statement", "answer"),
        [
            ("UPDATE ledger.entry SET raw = raw WHERE seq = 2", "entries are never changed"),
            ("UPDATE ledger.entry SET seq = 9 WHERE false", "entries are never changed"),
            ("DELETE FROM ledger.entry WHERE seq = 4", "entries are never taken away"),
            ("DELETE FROM ledger.entry", "entries are never taken away"),
            ("TRUNCATE ledger.entry", "entries are never taken away"),
            ("TRUNCATE ledger.contest, ledger.entry", "never"),
            (f"INSERT INTO ledger.entry {ROW.format(9, 'x')}", "entry out of order"),
            (f"INSERT INTO ledger.entry {ROW.format(6, 'x')}", "entry out of order"),
            (f"INSERT INTO ledger.entry {ROW.format(-1, 'x')}", "check constraint"),
            (f"INSERT INTO ledger.entry {ROW.format(2, 'x')}", "duplicate key"),
            (f"INSERT INTO ledger.entry {ROW.format(5, 'device-0')}", "entry_key_is_new"),
            ("INSERT INTO ledger.entry SELECT n, n, '', '' FROM unnest(ARRAY[5, 7]) n", "entry out of order"),
            (
                f"INSERT INTO ledger.entry {ROW.format(1, 'x')} ON CONFLICT (seq) DO UPDATE SET key = 'y'",
                "entries are never changed",
            ),
            (
                "MERGE INTO ledger.entry e USING (SELECT 1) o ON e.seq = 1 WHEN MATCHED THEN DELETE",
                "entries are never taken away",
            ),
            ("SET session_replication_role = replica; DELETE FROM ledger.entry", "entries are never taken away"),
            ("SET session_replication_role = replica; UPDATE ledger.entry SET key = 'x'", "never changed"),
            ("UPDATE ledger.contest SET id = 'hilltown-2024'", "never changed"),
            ("DELETE FROM ledger.contest", "never changed or taken away"),
            ("INSERT INTO ledger.contest VALUES (2, 'hilltown-2024')", "check constraint"),
            ("INSERT INTO ledger.contest VALUES (1, 'hilltown-2024')", "duplicate key"),
            ("DELETE FROM ledger.form", "only added"),
            ("SET synchronous_commit = off; INSERT INTO ledger.entry " + ROW.format(5, "x"), "may lose entries"),
            ("SET synchronous_commit = local; INSERT INTO ledger.entry " + ROW.format(5, "x"), "may lose entries"),
        ],
    )
    def test_refused(self, filled, statement, answer):
        with pytest.raises(psycopg.Error, match=answer):
            said(filled, statement)
        assert verify_postgres(filled, contest=CONTEST) == []

    def test_copy_is_held_to_the_order_too(self, filled):
        def copied():
            with psycopg.connect(filled) as session:
                row = session.execute("SELECT leaf, raw FROM ledger.entry WHERE seq = 1").fetchone()
                with session.cursor().copy("COPY ledger.entry FROM STDIN") as copy:
                    copy.write_row((7, "x", *row))

        with pytest.raises(psycopg.Error, match="entry out of order"):
            copied()
        assert verify_postgres(filled, contest=CONTEST) == []

    def test_number_goes_in_only_behind_a_committed_one(self, filled):
        """Whoever writes without our lock: 6 may not overtake a 5 that is not committed yet."""
        row = "INSERT INTO ledger.entry SELECT %s, %s, leaf, raw FROM ledger.entry WHERE seq = 1"
        with psycopg.connect(filled) as slow, psycopg.connect(filled) as hasty:
            slow.execute(row, (5, "slow"))
            with pytest.raises(psycopg.Error, match="entry out of order"):
                hasty.execute(row, (6, "hasty"))
            hasty.rollback()
            slow.commit()
            hasty.execute(row, (6, "hasty"))
        assert said(filled, "SELECT max(seq), count(*) FROM ledger.entry") == [(6, 7)]


class TestOneWriter:
    def test_second_writer_is_told_who_must_stop(self, filled, monkeypatch):
        monkeypatch.setattr("tallyroom.ledger.postgres_session.PATIENCE_SECONDS", 0.1)
        told = rf"another program writes to this ledger \(tallyroom {os.getpid()} on .*, the server's process \d+\)"
        with PostgresLedger(filled, CONTEST), pytest.raises(StoreError, match=told):
            PostgresLedger(filled, CONTEST)
        PostgresLedger(filled, CONTEST).close()

    def test_writers_take_turns(self, filled):
        """The second waits until the first has gone, and goes on behind its last entry."""
        first, entered = PostgresLedger(filled, CONTEST), []

        def second():
            with PostgresLedger(filled, CONTEST) as ledger:
                entered.extend(ledger.append([report(6)]))

        waiting = threading.Thread(target=second)
        waiting.start()
        first.append([report(5)])
        waiting.join(0.2)
        assert entered == []
        first.close()
        waiting.join(20)
        assert [receipt.seq for receipt in entered] == [6]
        assert verify_postgres(filled, contest=CONTEST) == []

    def test_reader_sees_what_a_writer_enters_meanwhile(self, filled):
        with PostgresLedger(filled, CONTEST, read_only=True) as desk, PostgresLedger(filled, CONTEST) as ledger:
            assert desk.head().count == 5
            receipt = ledger.append([report(5)])[0]
            assert desk.head() == receipt.head
            assert [entry.seq for entry in desk.entries(4)] == [4, 5]
            assert desk.find("device-5") == ledger.find("device-5")

    def test_reader_may_not_append(self, filled):
        with PostgresLedger(filled, CONTEST, read_only=True) as desk, pytest.raises(StoreError, match="read only"):
            desk.append([report(9)])

    def test_slow_reader_holds_nobody_up(self, filled):
        with PostgresLedger(filled, CONTEST) as ledger:
            reading = ledger.entries()
            next(reading)
            assert ledger.append([report(5)])[0].seq == 5
            assert len(list(reading)) == 4

    def test_entry_of_a_stranger_is_gone_on_behind(self, filled):
        """Somebody enters one past our lock: the append that meets it says so, and the next one follows it."""
        with PostgresLedger(filled, CONTEST) as ledger:
            row = "INSERT INTO ledger.entry SELECT 5, 'stranger', leaf, raw FROM ledger.entry WHERE seq = 1"
            said(filled, row)
            with pytest.raises(StoreError, match=r"has entered something meanwhile\. Send again"):
                ledger.append([report(5)])
            assert ledger.append([report(5)])[0].seq == 6
            assert ledger.head().count == 7
        assert any("entry 5" in fault.what for fault in verify_postgres(filled))

    def test_readers_from_many_threads(self, filled):
        with PostgresLedger(filled, CONTEST) as ledger:
            seen = []

            def read():
                seen.extend(len(list(ledger.entries())) for _ in range(20))

            threads = [threading.Thread(target=read) for _ in range(4)]
            for thread in threads:
                thread.start()
            for draft in reports(20, start=5):
                ledger.append([draft])
            for thread in threads:
                thread.join(20)
            assert len(seen) == 80
            assert set(seen) <= set(range(5, 26))


class TestBadPlaces:
    """One clear sentence: what, which database, what to do."""

    def refused(self, address, answer, kind=StoreError, **how):
        with pytest.raises(kind, match=answer) as caught:
            PostgresLedger(address, CONTEST, **how)
        (fault,) = caught.value.faults
        assert fault.file.startswith("postgresql://")
        assert fault.remedy
        return caught.value

    def test_no_server(self, tmp_path):
        error = self.refused(f"postgresql://ann@/night?host={tmp_path}", "the database server cannot be used")
        assert isinstance(error, CannotRunError)
        assert error.exit_code == 2

    def test_no_database(self, server):
        self.refused(server.address("nowhere"), 'database "nowhere" does not exist')

    def test_no_ledger(self, address):
        self.refused(address, "there is no ledger in this database")
        self.refused(address, "there is no ledger in this database", read_only=True)
        assert said(address, "SELECT to_regnamespace('ledger')") == [(None,)]

    def test_something_else(self, address):
        said(address, "CREATE SCHEMA ledger; CREATE TABLE ledger.song (title text)")
        for how in ({}, {"create": True}, {"read_only": True}):
            self.refused(address, "holds something else in its schema", **how)

    @pytest.mark.parametrize("given", ["postgresql://ann:secret@host/night?hots=x", "postgresql://ann:secret@[/night"])
    def test_no_address(self, given):
        with pytest.raises(StoreError, match="this is no address of a PostgreSQL database") as caught:
            PostgresLedger(given, CONTEST)
        assert "secret" not in str(caught.value)
        assert caught.value.__cause__ is None

    def test_password_is_never_shown(self, tmp_path):
        assert place_of("postgresql://ann:secret@db.example:5433/night") == "postgresql://ann@db.example:5433/night"
        error = self.refused(f"postgresql://ann:secret@/night?host={tmp_path}", "cannot be used")
        assert "secret" not in str(error)

    def test_ledger_of_another_contest(self, filled):
        for how in ({}, {"create": True}, {"read_only": True}):
            with pytest.raises(LedgerError, match="this is the ledger of lakeland-2024, not of hilltown-2024"):
                PostgresLedger(filled, "hilltown-2024", **how)

    def test_account_without_rights(self, filled):
        said(filled, "DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
        self.refused(filled.replace("tests@", "guest@"), "this account may not do that")

    def test_account_that_may_only_read(self, filled):
        said(filled, "DROP ROLE IF EXISTS observer; CREATE ROLE observer LOGIN")
        said(filled, "GRANT USAGE ON SCHEMA ledger TO observer")
        said(filled, "GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO observer")
        seen = filled.replace("tests@", "observer@")
        with PostgresLedger(seen, CONTEST, read_only=True) as desk:
            assert desk.head().count == 5
        with PostgresLedger(seen, CONTEST) as ledger, pytest.raises(StoreError, match="this account may not do that"):
            ledger.append([report(5)])
        assert verify_postgres(seen, contest=CONTEST) == []
        said(filled, "DROP OWNED BY observer; DROP ROLE observer")

    @pytest.mark.parametrize("code", ["53100", "53200", "53300", "58030", "25006", "42501", "55P03", "57P03", "TY003"])
    def test_every_known_refusal_has_its_sentence(self, code):
        fault = in_our_words(code, "the server's own words", "postgresql://night").faults[0]
        assert "the server's own words" not in fault.what
        assert fault.remedy.endswith(".")

    def test_damage_that_the_server_finds_is_told_as_damage(self):
        error = in_our_words("XX001", "invalid page in block 7", "postgresql://night")
        assert isinstance(error, DamagedError)
        assert "invalid page in block 7" in str(error)


class TestKeptHead:
    @pytest.mark.parametrize("name", ["night.head", "night"])
    def test_kept_on_this_machine_if_asked(self, address, tmp_path, name):
        with PostgresLedger(address, CONTEST, create=True, kept=tmp_path / name) as ledger:
            head = ledger.append(reports(3))[-1].head
        assert (tmp_path / "night.head").read_text() == f"{3:020d} {head.root}\n"
        PostgresLedger(address, CONTEST, kept=tmp_path / name).close()
        assert verify_postgres(address, kept=tmp_path / name) == []

    def test_lost_head(self, filled, tmp_path):
        kept = tmp_path / "night.head"
        with pytest.raises(DamagedError, match="the head of its 5 entries is not kept"):
            PostgresLedger(filled, CONTEST, kept=kept)
        assert [fault.what for fault in verify_postgres(filled, kept=kept)] == [
            "the head is not kept where it should be"
        ]

    def test_head_of_a_longer_ledger(self, filled, tmp_path):
        """As after a switch to a standby that had not received everything."""
        kept = tmp_path / "night.head"
        kept.write_text(f"{6:020d} {'ab' * 32}\n")
        with pytest.raises(DamagedError, match="do not agree: 5 entries, the head knows 6"):
            PostgresLedger(filled, CONTEST, kept=kept)
        assert any("it was cut: 5 entries" in fault.what for fault in verify_postgres(filled, kept=kept))

    def test_spoilt_head(self, filled, tmp_path):
        kept = tmp_path / "night.head"
        kept.write_text("5 reports\n")
        assert [fault.what for fault in verify_postgres(filled, kept=kept)] == ["this is no kept head"]
