"""Opening, sharing, losing and closing the place where a vault is kept."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import pytest

from ledger.drafts import report
from ledger.server import said
from tallyroom.faults import CannotRunError, TallyroomError
from tallyroom.ledger.address import open_ledger, verify_ledger
from tallyroom.vault import migrations
from tallyroom.vault.address import open_vault
from tallyroom.vault.faults import ConstraintError, VaultDamagedError, VaultError, VaultStoreError
from tallyroom.vault.postgres_shelf import PostgresShelf
from tallyroom.vault.sqlite_shelf import SqliteShelf
from vault.evening import CHEAP, CONTEST, EVENING, HOUR, SECRET, WORDS, at_once, later

RANDOM = Random(1).randbytes
TESTS = Path(__file__).parents[1]
"""Where another Python finds `vault.evening`."""

KILLED = """
import os, secrets, signal, sys
sys.path.insert(0, sys.argv[1])
from tallyroom.vault.address import open_vault
from vault.evening import CONTEST, EVENING, HOUR, SECRET
vault = open_vault(sys.argv[2], CONTEST, SECRET, secrets.token_bytes)
for number in range(20):
    vault.throttle.failed("code", "device-1", EVENING, HOUR)
    print(vault.drafts.save(f"key-{number}", "polk-12", b"1", "p-1", EVENING).key, flush=True)
with vault._shelf.changing() as changing:
    changing.change("INSERT INTO vault_draft VALUES ('key-99', 'polk-12', 1, 'p-1', 0, ?)", b"1")
    print("begun", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
"""A program that keeps twenty drafts and dies while it keeps another."""


def opening(address, contest=CONTEST, secret=SECRET, **more):
    return open_vault(address, contest, secret, RANDOM, cost=CHEAP, **more)


@pytest.fixture
def ledgered(bare):
    """A ledger without a vault."""
    open_ledger(bare, CONTEST, create=True).close()
    return bare


@pytest.fixture
def shelf(place):
    """A shelf past the drawers, quick to lose patience."""
    kind = PostgresShelf if str(place).startswith("postgres") else SqliteShelf
    opened = kind(place, CONTEST, create=True, busy=0.1)
    yield opened
    opened.close()


class TestOpening:
    def test_vault_is_made_beside_a_ledger_and_lasts(self, ledgered):
        with opening(ledgered, create=True) as vault:
            ann = vault.people.add("Ann", EVENING)
        with opening(ledgered) as vault:
            assert vault.people.find(ann.id) == ann
        with opening(ledgered, create=True) as vault:
            assert vault.people.everyone() == (ann,)

    def test_vault_is_not_made_unasked(self, ledgered):
        with pytest.raises(VaultStoreError, match="there is no vault beside this ledger"):
            opening(ledgered)
        with pytest.raises(VaultStoreError):
            opening(ledgered)

    def test_vault_needs_a_ledger(self, bare):
        with pytest.raises(VaultStoreError, match="there is no ledger"):
            opening(bare, create=True)

    def test_ledger_of_another_contest_is_refused(self, ledgered):
        with pytest.raises(VaultStoreError, match="the ledger of lakeland-2031, not of hilltown-2031"):
            opening(ledgered, "hilltown-2031", create=True)
        with pytest.raises(VaultStoreError, match="no vault"):
            opening(ledgered)

    def test_another_secret_is_refused_at_once(self, ledgered):
        opening(ledgered, create=True).close()
        with pytest.raises(VaultStoreError, match="not the one this vault was made with") as caught:
            opening(ledgered, secret=bytes(32))
        assert isinstance(caught.value, CannotRunError)
        opening(ledgered).close()

    def test_short_secret_is_refused(self):
        with pytest.raises(VaultError, match="31 bytes"):
            opening(None, secret=bytes(31))

    def test_vault_of_a_later_tallyroom_is_refused(self, ledgered):
        with opening(ledgered, create=True) as vault, vault._shelf.changing() as changing:
            changing.change("INSERT INTO vault_form (version) VALUES (99)")
        with pytest.raises(VaultStoreError, match="form 99"):
            opening(ledgered)

    def test_vault_of_an_earlier_tallyroom_is_brought_up_to_date(self, ledgered, monkeypatch):
        with opening(ledgered, create=True) as vault:
            ann = vault.people.add("Ann", EVENING)
        scripts = {**{name: migrations.statements(name) for name in migrations.SCRIPTS}, "later.sql": None}
        scripts["later.sql"] = ("CREATE TABLE vault_later (one INTEGER)", "INSERT INTO vault_later VALUES (7)")
        monkeypatch.setattr(migrations, "SCRIPTS", tuple(scripts))
        monkeypatch.setattr(migrations, "statements", lambda name, **_: scripts[name])
        for _ in range(2):
            with opening(ledgered) as vault:
                assert vault._shelf.rows("SELECT one FROM vault_later") == [(7,)]
                assert vault.people.everyone() == (ann,)

    def test_many_programs_make_the_vault_at_once(self, ledgered):
        vaults = at_once(*[lambda: opening(ledgered, create=True)] * 4)
        ann = vaults[0].people.add("Ann", EVENING)
        assert [vault.people.find(ann.id) for vault in vaults] == [ann] * 4
        for vault in vaults:
            vault.close()

    def test_both_kinds_of_database_have_the_same_columns(self, on_server):
        opening(on_server, create=True).close()
        columns = "SELECT table_name, column_name, is_nullable = 'NO' FROM information_schema.columns"
        there = said(on_server, f"{columns} WHERE table_schema = 'vault'")
        with opening(None) as vault:
            tables = vault._shelf.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
            here = [
                (table, name, bool(needed or key))
                for (table,) in tables
                for _at, name, _form, needed, _default, key in vault._shelf.rows(f"PRAGMA table_info({table})")
            ]
        assert sorted(here) == sorted(there)
        assert all(table.startswith("vault_") for table, _name, _needed in here)
        assert len(tables) == 15

    @pytest.mark.parametrize("address", ["postgresql://ann:hunter2hunter2@/x?nonsense=hunter2hunter2", "postgres://["])
    def test_address_that_is_none_is_refused_without_repeating_it(self, address):
        with pytest.raises(VaultStoreError, match="no address of a PostgreSQL database") as caught:
            opening(address)
        assert "hunter2" not in str(caught.value)

    def test_server_that_is_not_there(self, tmp_path):
        address = f"postgresql://ann:hunter2hunter2@/night?host={tmp_path}&port=5999"
        with pytest.raises(VaultStoreError, match="the database server cannot be reached") as caught:
            opening(address)
        assert "hunter2" not in str(caught.value)
        assert str(caught.value).startswith("postgresql://ann@:5999/night at ")

    def test_file_that_is_no_ledger(self, tmp_path):
        text, other = tmp_path / "text.db", tmp_path / "other.db"
        text.write_text("a letter, and not a short one" * 100)
        connection = sqlite3.connect(other)
        connection.execute("CREATE TABLE letter (text)")
        connection.close()
        with pytest.raises(VaultStoreError, match="this is no SQLite database"):
            opening(text, create=True)
        with pytest.raises(VaultStoreError, match="this is not a ledger"):
            opening(other, create=True)


class TestSharing:
    def test_ledger_and_vault_are_written_at_the_same_time(self, place, opened):
        vault = opened()

        def file():
            before = ledger.head().count
            for number in range(before, before + 60):
                ledger.append([report(number, contest=CONTEST)])

        def keep():
            return [vault.drafts.save(f"key-{number}", "polk-12", b"1", "p-1", EVENING) for number in range(60)]

        def count():
            return [vault.throttle.failed("code", "device-1", EVENING, later(1) - EVENING) for _ in range(60)]

        with open_ledger(place, CONTEST) as ledger:
            before = ledger.head().count
            at_once(file, keep, count)
            assert ledger.head().count == before + 60
        assert len(vault.drafts.everyone()) == 60
        assert vault.throttle.failed("code", "device-1", EVENING, later(1) - EVENING).many == 61
        assert verify_ledger(place, contest=CONTEST) == []

    def test_one_program_sees_what_another_has_kept(self, opened):
        one, other = opened(), opened()
        ann = one.people.add("Ann", EVENING)
        assert other.people.find(ann.id) == ann
        other.people.rename(ann.id, "Anne")
        assert one.people.find(ann.id).name == "Anne"

    def test_change_waits_for_another_and_gives_up_with_a_sentence(self, opened, shelf):
        vault = opened()
        vault.drafts.save("key-1", "polk-12", b"1", "p-1", EVENING)
        with vault._shelf.changing() as changing:
            changing.change("UPDATE vault_draft SET author = 'p-2'")
            with pytest.raises(VaultStoreError, match="locked by another program"), shelf.changing() as refused:
                refused.change("UPDATE vault_draft SET author = 'p-3'")
        assert vault.drafts.find("key-1").author == "p-2"
        with shelf.changing() as changing:
            changing.change("UPDATE vault_draft SET author = 'p-3'")
        assert vault.drafts.find("key-1").author == "p-3"

    def test_reader_does_not_wait_for_a_change(self, opened, shelf):
        vault = opened()
        vault.drafts.save("key-1", "polk-12", b"1", "p-1", EVENING)
        with shelf.changing() as changing:
            changing.change("UPDATE vault_draft SET author = 'p-2'")
            assert vault.drafts.find("key-1").author == "p-1"
        assert vault.drafts.find("key-1").author == "p-2"

    def test_block_that_raises_changes_nothing(self, opened, shelf):
        vault = opened()
        with pytest.raises(ZeroDivisionError), shelf.changing() as changing:  # noqa: PT012
            changing.change("INSERT INTO vault_person (id, name, added) VALUES ('p-1', '', 0)")
            1 / 0  # noqa: B018
        with pytest.raises(ConstraintError), shelf.changing() as changing:  # noqa: PT012
            changing.change("INSERT INTO vault_person (id, name, added) VALUES ('p-1', '', 0)")
            changing.change("INSERT INTO vault_person (id, name, added) VALUES ('p-1', '', 0)")
        assert vault.people.everyone() == ()
        vault.people.add("Ann", EVENING)
        assert len(vault.people.everyone()) == 1

    def test_failed_statement_takes_the_block_with_it_even_if_nobody_minds(self, opened, shelf):
        vault = opened()
        twice = "INSERT INTO vault_person (id, name, added) VALUES ('p-1', '', 0)"
        with pytest.raises(VaultError, match="a statement failed"), shelf.changing() as changing:  # noqa: PT012
            changing.change(twice)
            with pytest.raises(ConstraintError):
                changing.change(twice)
            with pytest.raises(VaultError, match="a statement failed"):
                changing.rows("SELECT 1")
        assert vault.people.everyone() == ()

    def test_many_threads_use_one_vault(self, opened):
        vault = opened()
        before = threading.active_count()

        def work(name):
            for number in range(10):
                person = vault.people.add(f"{name} {number}", EVENING)
                vault.packets.issue(f"{name}-{number}", person.id, EVENING, WORDS)
                assert vault.packets.current(f"{name}-{number}").person == person.id

        at_once(*[lambda name=name: work(name) for name in ("ash", "birch", "cedar")])
        assert len(vault.people.everyone()) == len(vault.packets.everyone()) == 30
        assert threading.active_count() - before < 20


class TestLasting:
    def test_what_has_to_last_is_synced_and_what_need_not_is_not(self, shelf):
        asked = "SHOW synchronous_commit" if isinstance(shelf, PostgresShelf) else "PRAGMA synchronous"
        promised = {"on": True, "off": False, 2: True, 1: False}
        for lasting in (True, False, True):
            with shelf.changing(lasting=lasting) as changing:
                ((found,),) = changing.rows(asked)
            assert promised[found] is lasting

    def test_killed_program_leaves_what_it_was_told_is_kept(self, place, opened):
        vault = opened()
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(TESTS), str(place)], capture_output=True, text=True, check=False
        )
        told = done.stdout.split()
        assert done.returncode == -signal.SIGKILL
        assert len(told) == 21
        assert {draft.key for draft in vault.drafts.everyone()} == set(told[:-1])
        assert vault.throttle.failures("code", "device-1", EVENING, HOUR).many == 20


class TestLosing:
    def test_closed_vault_says_so(self, opened):
        vault = opened()
        vault.close()
        vault.close()
        for ask in (
            vault.people.everyone,
            lambda: vault.people.add("Ann", EVENING),
            lambda: vault.erase(CONTEST, [], EVENING, EVENING),
        ):
            with pytest.raises(VaultStoreError, match="the vault is closed"):
                ask()

    def test_server_ends_the_session_and_nothing_is_noticed(self, on_server):
        with opening(on_server, create=True) as vault:
            ann = vault.people.add("Ann", EVENING)
            for ask in (lambda: vault.people.find(ann.id), lambda: vault.people.rename(ann.id, "Ann")):
                end_sessions(on_server)
                assert ask() == ann

    def test_session_lost_within_a_read_is_asked_once_more_and_no_oftener(self, on_server):
        with opening(on_server, create=True) as vault:
            with pytest.raises(VaultStoreError, match="cannot be reached"):
                vault._shelf.rows("SELECT pg_terminate_backend(pg_backend_pid())")
            assert vault.people.everyone() == ()
            with pytest.raises(VaultStoreError, match="refuses"):
                vault._shelf.rows("SELECT 1 FROM vault_nothing")

    def test_damage_that_the_server_finds_is_called_damage(self, on_server):
        with opening(on_server, create=True) as vault:
            with pytest.raises(VaultDamagedError, match="Restore it from a copy"), vault._shelf.changing() as changing:
                changing.change("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = 'XX001'; END $$")
            assert vault.people.everyone() == ()

    def test_damage_in_the_file_is_called_damage(self, tmp_path):
        path = tmp_path / "night.db"
        open_ledger(path, CONTEST, create=True).close()
        with opening(path, create=True) as vault:
            for number in range(60):
                vault.drafts.save(f"key-{number}", "polk-12", b"x" * 3000, "p-1", EVENING)
        held = bytearray(path.read_bytes())
        held[len(held) // 2 :] = b"\xff" * len(held[len(held) // 2 :])
        path.write_bytes(held)
        with opening(path) as vault, pytest.raises(VaultDamagedError, match="Restore it from a copy"):
            vault.drafts.everyone()

    def test_session_lost_within_a_change_keeps_nothing_of_it(self, on_server):
        with opening(on_server, create=True) as vault:
            with pytest.raises(VaultStoreError, match="cannot be reached"), vault._shelf.changing() as changing:  # noqa: PT012
                changing.change("INSERT INTO vault_person (id, name, added) VALUES ('p-1', '', 0)")
                end_sessions(on_server)
                changing.change("INSERT INTO vault_person (id, name, added) VALUES ('p-2', '', 0)")
            assert vault.people.everyone() == ()

    def test_session_lost_at_the_commit_is_told_as_it_is(self, on_server):
        with opening(on_server, create=True) as vault:
            with pytest.raises(VaultStoreError, match="whether the change was kept is unknown"):  # noqa: SIM117, PT012
                with vault._shelf.changing() as changing:
                    changing.change("INSERT INTO vault_person (id, name, added) VALUES ('p-1', '', 0)")
                    end_sessions(on_server)
            assert vault.people.everyone() == ()

    def test_standby_is_refused_with_a_sentence(self, on_server):
        opening(on_server, create=True).close()
        with pytest.raises(VaultStoreError) as caught:
            opening(f"{on_server}&options=-cdefault_transaction_read_only%3Don")
        assert isinstance(caught.value, TallyroomError)

    def test_full_database_keeps_nothing_and_says_so(self, opened):
        vault = opened()
        if isinstance(vault._shelf, PostgresShelf):
            with (
                pytest.raises(VaultStoreError, match="disk of the database server is full"),
                vault._shelf.changing() as c,
            ):
                c.change("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '53100'; END $$")
        else:
            vault._shelf._writer.execute("PRAGMA max_page_count = 1")
            with pytest.raises(VaultStoreError, match="the disk or the database is full"):
                vault.photos.keep(bytes(500_000), "polk-12", "image/jpeg", "p-1", EVENING)
            vault._shelf._writer.execute("PRAGMA max_page_count = 1000000")
        assert vault.photos.of_unit("polk-12") == ()
        assert vault.photos.keep(b"x", "polk-12", "image/jpeg", "p-1", EVENING).size == 1


def end_sessions(address):
    query = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    said(address, f"{query} WHERE datname = current_database() AND pid <> pg_backend_pid()")
