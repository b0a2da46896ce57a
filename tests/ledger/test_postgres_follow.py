"""Followers see every entry once and in order, as it is committed, whatever happens to their session."""

from __future__ import annotations

import threading
import time

import psycopg
import pytest

from ledger.drafts import CONTEST, report, reports
from ledger.server import said
from tallyroom.ledger.faults import StoreError
from tallyroom.ledger.postgres import PostgresLedger


@pytest.fixture
def ledger(address):
    with PostgresLedger(address, CONTEST, create=True) as ledger:
        ledger.append(reports(3))
        yield ledger


def following(ledger, seen, **how):
    """A thread that follows and notes what it sees."""
    thread = threading.Thread(target=lambda: seen.extend(entry.key for entry in ledger.follow(**how)))
    thread.start()
    return thread


def test_entries_there_come_first_and_then_it_ends_for_want_of_more(ledger):
    assert [entry.seq for entry in ledger.follow(0, timeout=0.05)] == [0, 1, 2]
    assert [entry.seq for entry in ledger.follow(2, timeout=0.05)] == [2]
    assert list(ledger.follow(timeout=0.05)) == []


def test_many_followers_see_every_entry_once_in_order(address, ledger):
    with PostgresLedger(address, CONTEST, read_only=True) as desk:
        seen = [[] for _ in range(4)]
        followers = [following(at, keys, start=3, timeout=2) for at, keys in zip([ledger, desk] * 2, seen, strict=True)]
        futures = [ledger.submit(draft) for draft in reports(150, start=3)]
        for number in range(200, 230):
            ledger.append([report(number)])
        assert all(future.result(20) for future in futures)
        for follower in followers:
            follower.join(30)
        expected = [entry.key for entry in ledger.entries(3)]
        assert len(expected) == 180
        assert seen == [expected] * 4


def test_follower_is_told_at_once_not_at_its_next_look(ledger, monkeypatch):
    monkeypatch.setattr("tallyroom.ledger.postgres_follow._SLICE_SECONDS", 30)
    stream = ledger.follow(3, timeout=30)
    asking, got = threading.Event(), []

    def first():
        asking.set()
        got.append(next(stream))

    waiting = threading.Thread(target=first)
    waiting.start()
    assert asking.wait(20)
    time.sleep(0.3)  # it listens by now, or finds the entry there
    ledger.append([report(3)])
    waiting.join(10)
    assert [entry.seq for entry in got] == [3]
    stream.close()


def test_payload_is_the_new_count(address, ledger):
    with psycopg.connect(address, autocommit=True) as session:
        session.execute("LISTEN ledger")
        ledger.append(reports(4, start=3))
        ledger.append([report(7)])
        told = [notice.payload for notice in session.notifies(timeout=10, stop_after=2)]
    assert told == ["7", "8"]


def test_refused_entry_wakes_nobody(address, ledger):
    with psycopg.connect(address, autocommit=True) as session:
        session.execute("LISTEN ledger")
        row = "INSERT INTO ledger.entry SELECT 9, 'x', leaf, raw FROM ledger.entry WHERE seq = 1"
        with pytest.raises(psycopg.Error):
            said(address, row)
        assert list(session.notifies(timeout=0.1)) == []


def test_follower_misses_nothing_over_a_lost_session(address, ledger):
    seen = []
    follower = following(ledger, seen, start=0, timeout=2)
    for number in range(3, 40):
        ledger.append([report(number)])
        if number % 12 == 0:
            said(
                address,
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND query = 'LISTEN ledger'",
            )
    follower.join(30)
    assert seen == [f"device-{number}" for number in range(40)]


def test_closing_the_ledger_ends_its_followers(ledger):
    seen = []
    follower = following(ledger, seen, start=0)
    until = time.monotonic() + 20
    while len(seen) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    assert follower.is_alive()
    ledger.close()
    follower.join(20)
    assert not follower.is_alive()


def test_server_that_stays_away_is_told_after_the_timeout(tmp_path, ledger, monkeypatch):
    monkeypatch.setattr(ledger, "_address", f"postgresql://ann@/night?host={tmp_path}")
    with pytest.raises(StoreError, match="cannot be used"):
        list(ledger.follow(0, timeout=0.2))
