"""An acknowledgement means on disk: it never comes before the sync, and survives the writer's death."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ledger.drafts import CONTEST, report, reports
from ledger.syncs import counted
from tallyroom.ledger.sqlite import SqliteLedger
from tallyroom.ledger.tree import leaf_hash
from tallyroom.ledger.verify_sqlite import verify_sqlite
from tallyroom.ledger.writer import Writer, _Ticket

TESTS = Path(__file__).parents[1]
"""Where another Python finds `ledger.drafts`."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "night.db"


class HeldCommit:
    """A commit that waits until it is let go."""

    def __init__(self):
        self.reached, self.let_go = threading.Event(), threading.Event()

    def __call__(self, connection):
        self.reached.set()
        assert self.let_go.wait(20)
        connection.execute("COMMIT")


class TestNoAnswerBeforeTheCommitReturned:
    """Holds the commit open and looks: whatever answers now has not waited for its sync."""

    @pytest.fixture
    def commit(self):
        return HeldCommit()

    @pytest.fixture
    def ledger(self, path, commit):
        with SqliteLedger(path, CONTEST, create=True, commit=commit) as ledger:
            yield ledger
            commit.let_go.set()

    def test_append(self, ledger, commit):
        answers = []
        asking = threading.Thread(target=lambda: answers.extend(ledger.append(reports(3))))
        asking.start()
        assert commit.reached.wait(20)
        asking.join(0.05)
        assert answers == []
        assert ledger.head().count == 0
        assert ledger.find("device-0") is None
        commit.let_go.set()
        asking.join(20)
        assert [receipt.seq for receipt in answers] == [0, 1, 2]

    def test_submit(self, ledger, commit, path):
        futures = [ledger.submit(draft) for draft in reports(3)]
        assert commit.reached.wait(20)
        time.sleep(0.05)
        assert not any(future.done() for future in futures)
        assert path.with_name("night.db.head").read_bytes().startswith(b"0" * 20)
        commit.let_go.set()
        assert [future.result(20).seq for future in futures] == [0, 1, 2]

    def test_repeat_of_a_report_that_is_being_entered(self, ledger, commit):
        """Its first coming is not on disk yet, so its second may not be told that it is."""
        first = ledger.submit(report(0))
        assert commit.reached.wait(20)
        again = ledger.submit(report(0))
        time.sleep(0.05)
        assert not again.done()
        commit.let_go.set()
        assert (first.result(20).repeated, again.result(20).repeated) == (False, True)


class TestSyncsAreCounted:
    """Below SQLite: between a filing and its answer lies a sync, and no byte of the log waits for another."""

    def evening(self, path, syncs, monkeypatch, **how):
        """For each answer at the moment it is given: syncs since the filing, and whether bytes wait unsynced."""

        def answer(ticket):
            answers.append((syncs.count - asked, syncs.unsynced))
            usual(ticket)

        answers, usual, asked = [], _Ticket.answer, 0
        monkeypatch.setattr(_Ticket, "answer", answer)
        with SqliteLedger(path, CONTEST, create=True, **how) as ledger:
            for start in range(0, 60, 3):
                asked = syncs.count
                ledger.append(reports(3, start=start))
                answers.append((syncs.count - asked, syncs.unsynced))
            for number in range(60, 100):
                asked = syncs.count
                ledger.submit(report(number)).result(20)
        return answers

    def test_every_answer_follows_its_sync(self, path, monkeypatch):
        with counted() as syncs:
            answers = self.evening(path, syncs, monkeypatch)
        assert len(answers) == 80
        assert all(count >= 1 and not unsynced for count, unsynced in answers)

    def test_group_commit_syncs_once_for_all_that_wait(self, path):
        commit = HeldCommit()
        with counted() as syncs, SqliteLedger(path, CONTEST, create=True, commit=commit) as ledger:
            ledger.submit(report(0))
            assert commit.reached.wait(20)
            futures = [ledger.submit(draft) for draft in reports(200, start=1)]
            before = syncs.count
            commit.let_go.set()
            assert [future.result(20).seq for future in futures] == list(range(1, 201))
            assert syncs.count - before <= 4

    def test_counter_tells_a_ledger_that_does_not_sync(self, path, monkeypatch):
        def commit(connection):
            connection.execute("COMMIT")
            connection.execute("PRAGMA synchronous = NORMAL")

        with counted() as syncs:
            answers = self.evening(path, syncs, monkeypatch, commit=commit)
        assert any(count == 0 for count, _unsynced in answers)
        assert any(unsynced for _count, unsynced in answers)

    def test_counter_tells_an_answer_that_does_not_wait(self, path, monkeypatch):
        """A writer that answers first and writes afterwards."""

        def hasty(self, tickets):
            late, put = [], self._shelf.put
            self._shelf.put = late.append
            honest(self, tickets)
            self._shelf.put = put
            for ticket in tickets:
                ticket.answer()
                ticket.future = None
            for rows in late:
                put(rows)

        honest = Writer._settle
        monkeypatch.setattr(Writer, "_settle", hasty)
        with counted() as syncs:
            answers = self.evening(path, syncs, monkeypatch)
        assert any(count == 0 for count, _unsynced in answers)


WRITER = """
import os, sys, threading
from ledger.drafts import report
from tallyroom.ledger.sqlite import SqliteLedger
path, contest, start = sys.argv[1], sys.argv[2], int(sys.argv[3])

def tell(receipt, key):
    os.write(1, f"{receipt.seq} {receipt.leaf} {key}\\n".encode())

def desk(ledger, number):
    for at in range(100_000):
        draft = report(at, key=f"run-{start}-desk-{number}-{at}")
        tell(ledger.append([draft])[0] if number % 2 else ledger.submit(draft).result(), draft.key)

with SqliteLedger(path, contest, create=True) as ledger:
    for number in range(3):
        threading.Thread(target=desk, args=(ledger, number), daemon=True).start()
    threading.Event().wait()
"""


def test_20_killed_writers_lose_nothing_they_acknowledged(path):
    """Each run goes on with the ledger that the killed one left; pipes carry only whole acknowledgements."""
    chance, told = random.Random(3), {}
    for run in range(20):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), CONTEST, str(run)], stdout=subprocess.PIPE, cwd=TESTS
        )
        with writer:
            first = writer.stdout.readline()
            time.sleep(chance.uniform(0.0, 0.12))
            os.kill(writer.pid, signal.SIGKILL)
            rest = writer.stdout.read()
        lines = (first + rest).decode().splitlines()
        assert lines, run
        told.update({int(seq): (leaf, key) for seq, leaf, key in (line.split() for line in lines)})
        if run % 5 == 4:
            assert verify_sqlite(path, contest=CONTEST) == []
    with SqliteLedger(path, CONTEST) as ledger:
        entries = list(ledger.entries())
    for seq, (leaf, key) in told.items():
        assert (leaf_hash(entries[seq].raw).hex(), entries[seq].key) == (leaf, key)
    assert len({entry.key for entry in entries}) == len(entries) >= len(told) > 20
