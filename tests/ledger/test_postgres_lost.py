"""A lost session, a restarted or careless server: what the sender is told, and that nothing is lost or doubled."""

from __future__ import annotations

import time
from contextlib import contextmanager

import pytest

from ledger.drafts import CONTEST, report, reports
from ledger.server import Server, said
from tallyroom.ledger.faults import DamagedError, StoreError
from tallyroom.ledger.postgres import PostgresLedger
from tallyroom.ledger.verify_postgres import verify_postgres

UNKNOWN = r"whether they are in is unknown.*Send again under the same key"
CANCEL = (
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
    " WHERE query LIKE 'INSERT INTO ledger.entry%' AND wait_event = 'SyncRep'"
)
"""End a commit's wait for its standby."""


@pytest.fixture(scope="module")
def own():
    """A server that these tests may stop and set."""
    running = Server()
    yield running
    running.close()


@pytest.fixture(scope="module")
def place(own):
    return own.database()


@pytest.fixture
def filled(own, place):
    """The address of a closed ledger of five reports."""
    own.empty(place)
    with PostgresLedger(place, CONTEST, create=True) as ledger:
        ledger.append(reports(5))
    return place


@contextmanager
def altered(own, **settings):
    """The server with other settings."""
    for name, value in settings.items():
        own.say(f"ALTER SYSTEM SET {name} = '{value}'")
    own.say("SELECT pg_reload_conf()")
    until = time.monotonic() + 20
    while any(own.say(f"SHOW {name}") != [(value,)] for name, value in settings.items()):
        assert time.monotonic() < until
    try:
        yield
    finally:
        own.say("ALTER SYSTEM RESET ALL")
        own.say("SELECT pg_reload_conf()")
        while any(own.say(f"SHOW {name}") == [(value,)] for name, value in settings.items()):
            assert time.monotonic() < until + 20


def sessions_end(address):
    """The server ends every other session, as an administrator or a restart does."""
    said(
        address,
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


class TestLostSessions:
    def test_session_lost_between_appends_is_not_noticed(self, filled):
        with PostgresLedger(filled, CONTEST) as ledger:
            sessions_end(filled)
            assert ledger.append([report(5)])[0].seq == 5
            assert ledger.find("device-5").seq == 5
            assert len(list(ledger.entries())) == 6
        assert verify_postgres(filled, contest=CONTEST) == []

    def test_reader_goes_on_after_a_restart(self, own, filled):
        with PostgresLedger(filled, CONTEST, read_only=True) as desk:
            own.stop()
            with pytest.raises(StoreError, match="cannot be used"):
                desk.head()
            own.start()
            assert desk.head().count == 5

    def test_server_restarted_between_appends(self, own, filled):
        with PostgresLedger(filled, CONTEST) as ledger:
            own.stop()
            answer = ledger.submit(report(5))
            time.sleep(0.2)
            assert not answer.done()
            own.start()
            assert answer.result(20).seq == 5
        assert verify_postgres(filled, contest=CONTEST) == []

    def test_server_that_stays_away_is_told_and_nothing_is_entered(self, own, filled, monkeypatch):
        monkeypatch.setattr("tallyroom.ledger.postgres_shelf.RETURN_SECONDS", 0.2)
        with PostgresLedger(filled, CONTEST) as ledger:
            own.stop()
            with pytest.raises(StoreError, match="Nothing was entered; send again under the same key"):
                ledger.append([report(5)])
            assert isinstance(ledger.submit(report(6)).exception(20), StoreError)
            own.start()
            assert [receipt.seq for receipt in ledger.append([report(5), report(6)])] == [5, 6]

    def test_another_writer_took_over_meanwhile(self, filled, monkeypatch):
        monkeypatch.setattr("tallyroom.ledger.postgres_session.PATIENCE_SECONDS", 0.1)
        monkeypatch.setattr("tallyroom.ledger.postgres_shelf.RETURN_SECONDS", 0.2)
        with PostgresLedger(filled, CONTEST) as first:
            sessions_end(filled)
            with PostgresLedger(filled, CONTEST) as second:
                second.append(reports(2, start=5))
                with pytest.raises(StoreError, match=r"another program writes.*Nothing was entered"):
                    first.append([report(7)])
            receipts = first.append([report(5), report(7)])
            assert [(receipt.seq, receipt.repeated) for receipt in receipts] == [(5, True), (7, False)]
        assert verify_postgres(filled, contest=CONTEST) == []

    @pytest.mark.parametrize("entered", [True, False])
    def test_answer_is_lost_and_the_filing_sent_again(self, filled, entered, monkeypatch):
        """The session ends right after the commit, or right before: the sender cannot know which."""

        def ends_session(shelf, pen, rows):
            if entered:
                enter(shelf, pen, rows)
            sessions_end(filled)
            return enter(shelf, pen, rows)

        with PostgresLedger(filled, CONTEST) as ledger:
            enter = type(ledger._shelf)._enter
            with monkeypatch.context() as patch:
                patch.setattr(type(ledger._shelf), "_enter", ends_session)
                with pytest.raises(StoreError, match=UNKNOWN):
                    ledger.append(reports(2, start=5))
            assert ledger.head().count == 5
            receipts = ledger.append([report(6), report(5)])
            assert [receipt.repeated for receipt in receipts] == [entered, entered]
            assert ledger.head().count == 7
            assert receipts[0].head == ledger.head()
        assert verify_postgres(filled, contest=CONTEST) == []

    def test_acknowledged_entries_are_gone_when_the_session_is_back(self, filled, monkeypatch):
        """A standby that lacks some was promoted, or the database was put back from a copy: nothing more goes in."""
        monkeypatch.setattr("tallyroom.ledger.postgres_shelf._FRESH_SECONDS", 0)
        with PostgresLedger(filled, CONTEST) as ledger:
            ledger.append([report(5)])
            said(filled, "ALTER TABLE ledger.entry DISABLE TRIGGER ALL; DELETE FROM ledger.entry WHERE seq = 5")
            said(filled, "ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_is_next")
            sessions_end(filled)
            for _ in range(2):
                with pytest.raises(DamagedError, match="the 6 acknowledged entries are not there any more"):
                    ledger.append([report(6)])
        assert said(filled, "SELECT count(*) FROM ledger.entry") == [(5,)]

    def test_another_ledger_stands_there_when_the_session_is_back(self, own, filled):
        with PostgresLedger(filled, CONTEST) as ledger:
            own.empty(filled)
            with PostgresLedger(filled, CONTEST, create=True) as other:
                other.append(reports(9, start=50))
            with pytest.raises(DamagedError, match="not there any more"):
                ledger.append([report(6)])

    def test_commit_that_no_standby_confirmed_is_unknown(self, own, filled):
        """The server waits for a standby; somebody cancels the wait: it says done, and only this machine has it."""
        with altered(own, synchronous_standby_names="nowhere"), PostgresLedger(filled, CONTEST) as ledger:
            answer = ledger.submit(report(5))
            until = time.monotonic() + 20
            while not said(filled, CANCEL):
                assert time.monotonic() < until
            assert "is unknown" in str(answer.exception(20))
            own.say("ALTER SYSTEM RESET synchronous_standby_names")
            own.say("SELECT pg_reload_conf()")
            again = ledger.append([report(5), report(6)])
            assert [(receipt.seq, receipt.repeated) for receipt in again] == [(5, True), (6, False)]


def test_nothing_is_answered_or_seen_before_the_commit(own, filled):
    """A commit is held open by a standby that is not there: whatever answers now has not waited for it."""
    with PostgresLedger(filled, CONTEST) as ledger, PostgresLedger(filled, CONTEST, read_only=True) as desk:
        with altered(own, synchronous_standby_names="nowhere"):
            answers = [ledger.submit(report(5)), ledger.submit(report(6)), ledger.submit(report(5))]
            time.sleep(0.3)
            assert not any(answer.done() for answer in answers)
            assert ledger.head().count == desk.head().count == 5
            assert ledger.find("device-5") is None
            assert list(desk.follow(5, timeout=0.1)) == []
        receipts = [answer.result(20) for answer in answers]
        assert [(receipt.seq, receipt.repeated) for receipt in receipts] == [(5, False), (6, False), (5, True)]


class TestCarelessServers:
    """Settings with which a receipt would promise too much."""

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("fsync", "off"),
            ("full_page_writes", "off"),
            ("synchronous_commit", "off"),
            ("synchronous_commit", "local"),
            ("synchronous_commit", "remote_write"),
        ],
    )
    def test_writer_refuses_reader_does_not(self, own, filled, name, value):
        with altered(own, **{name: value}):
            with pytest.raises(StoreError, match=rf"has {name} = {value}: .*Set {name} = on on the server"):
                PostgresLedger(filled, CONTEST)
            with PostgresLedger(filled, CONTEST, read_only=True) as desk:
                assert desk.head().count == 5

    def test_fsync_turned_off_while_a_writer_is_at_it(self, own, filled):
        with PostgresLedger(filled, CONTEST) as ledger:
            with altered(own, fsync="off"), pytest.raises(StoreError, match="a crash may lose entries"):
                ledger.append([report(5)])
            assert ledger.append([report(5)])[0].seq == 5

    def test_synchronous_commit_turned_off_while_a_writer_is_at_it_is_not_followed(self, own, filled):
        with PostgresLedger(filled, CONTEST) as ledger, altered(own, synchronous_commit="off"):
            assert ledger.append([report(5)])[0].seq == 5

    def test_time_limits_of_the_server_do_not_end_a_writer(self, own, filled):
        limits = altered(own, idle_session_timeout="100ms", statement_timeout="50ms")
        with limits, PostgresLedger(filled, CONTEST) as ledger:
            (before,) = said(filled, "SELECT pid FROM pg_locks WHERE locktype = 'advisory'")
            time.sleep(0.4)
            ledger.append([report(5)])
            assert said(filled, "SELECT pid FROM pg_locks WHERE locktype = 'advisory'") == [before]


def test_read_only_server_is_told(own, filled):
    with altered(own, default_transaction_read_only="on"), pytest.raises(StoreError, match="read-only"):
        PostgresLedger(filled, CONTEST)
