"""Kill -9, of the writer and of the whole database: what was acknowledged is there, and nothing is there twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from ledger.drafts import CONTEST, report
from ledger.server import Server, said
from tallyroom.ledger.faults import StoreError
from tallyroom.ledger.postgres import PostgresLedger
from tallyroom.ledger.tree import leaf_hash
from tallyroom.ledger.verify_postgres import verify_postgres

TESTS = Path(__file__).parents[1]
"""Where another Python finds `ledger.drafts`."""

WRITER = """
import os, sys, threading
from ledger.drafts import report
from tallyroom.ledger.postgres import PostgresLedger
address, contest, start = sys.argv[1], sys.argv[2], int(sys.argv[3])

def tell(receipt, key):
    os.write(1, f"{receipt.seq} {receipt.leaf} {key} {receipt.repeated:d}\\n".encode())

def desk(ledger, number):
    for at in range(100_000):
        draft = report(at, key=f"run-{start}-desk-{number}-{at}")
        tell(ledger.append([draft])[0] if number % 2 else ledger.submit(draft).result(), draft.key)

with PostgresLedger(address, contest, create=True) as ledger:
    for number in range(3):
        threading.Thread(target=desk, args=(ledger, number), daemon=True).start()
    threading.Event().wait()
"""


@pytest.fixture(scope="module")
def own():
    """A server that these tests may kill."""
    running = Server()
    yield running
    running.close()


@pytest.fixture
def place(own):
    return own.database()


@pytest.mark.parametrize("runs", [3, pytest.param(20, marks=pytest.mark.night)])
def test_killed_writers_lose_nothing_they_acknowledged(place, runs):
    """Each run goes on with the ledger that the killed one left, and first sends again what that one sent first."""
    chance, told = random.Random(5), {}
    for run in range(runs):
        arguments = [sys.executable, "-c", WRITER, place, CONTEST, str(run - run % 2)]
        writer = subprocess.Popen(arguments, stdout=subprocess.PIPE, cwd=TESTS)
        with writer:
            first = writer.stdout.readline()
            time.sleep(chance.uniform(0.0, 0.25))
            os.kill(writer.pid, signal.SIGKILL)
            rest = writer.stdout.read()
        lines = [line.split() for line in (first + rest).decode().splitlines()]
        assert lines, run
        assert all(told.get(int(seq), (leaf, key)) == (leaf, key) for seq, leaf, key, _again in lines)
        if run % 2:
            assert any(again == "1" for _seq, _leaf, _key, again in lines)
        told.update({int(seq): (leaf, key) for seq, leaf, key, _again in lines})
    assert verify_postgres(place, contest=CONTEST) == []
    with PostgresLedger(place, CONTEST) as ledger:
        entries = list(ledger.entries())
    for seq, (leaf, key) in told.items():
        assert (leaf_hash(entries[seq].raw).hex(), entries[seq].key) == (leaf, key)
    assert len({entry.key for entry in entries}) == len(entries) >= len(told) > runs


class Desks:
    """Desks that file one report after another and, as a device does, send it again until it is acknowledged."""

    def __init__(self, ledger, count):
        self.receipts, self.failures, self.over = {}, Counter(), False
        self._ledger = ledger
        self._threads = [threading.Thread(target=self._file, args=(number,)) for number in range(count)]
        for thread in self._threads:
            thread.start()

    def _file(self, number):
        at = 0
        while not self.over:
            draft = report(at, key=f"desk-{number}-{at}")
            while draft.key not in self.receipts:
                try:
                    one = self._ledger.submit(draft).result(60) if at % 2 else self._ledger.append([draft])[0]
                except StoreError as error:
                    self.failures["unknown" if "unknown" in str(error) else "nothing"] += 1
                    time.sleep(0.01)
                else:
                    self.receipts[draft.key] = one
            at += 1

    def go_home(self):
        self.over = True
        for thread in self._threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in self._threads)


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.night)])
def test_killed_database_loses_nothing_it_acknowledged(own, place, kills, tmp_path):
    """Postmaster and all children at one blow, while eight desks file; the writer lives and goes on by itself."""
    chance, kept = random.Random(7), tmp_path / "night.head"
    with PostgresLedger(place, CONTEST, create=True, kept=kept) as ledger:
        desks = Desks(ledger, 8)
        for _kill in range(kills):
            before, until = len(desks.receipts), time.monotonic() + 30
            while len(desks.receipts) < before + 20:
                assert time.monotonic() < until
                time.sleep(0.005)
            time.sleep(chance.uniform(0.0, 0.1))
            own.kill()
            acknowledged = dict(desks.receipts)
            own.start()
            numbers = {entry.key: entry.seq for entry in ledger.entries()}
            assert {key: numbers.get(key) for key in acknowledged} == {
                key: receipt.seq for key, receipt in acknowledged.items()
            }
        desks.go_home()
        entries = list(ledger.entries())
    assert desks.failures["unknown"] > 0
    assert [entry.key for entry in entries if entry.key not in desks.receipts] == []
    assert len(entries) == len(desks.receipts)
    for key, receipt in desks.receipts.items():
        assert (entries[receipt.seq].key, leaf_hash(entries[receipt.seq].raw).hex()) == (key, receipt.leaf)
    assert verify_postgres(place, contest=CONTEST, kept=kept) == []


def test_one_killed_child_takes_the_server_through_recovery(own, place):
    """The postmaster then ends all sessions and recovers: the writer's session is lost though the server stays."""
    with PostgresLedger(place, CONTEST, create=True) as ledger:
        desks = Desks(ledger, 3)
        until = time.monotonic() + 30
        while len(desks.receipts) < 30 and time.monotonic() < until:
            time.sleep(0.005)
        ((process,),) = said(place, "SELECT pid FROM pg_locks WHERE locktype = 'advisory'")
        os.kill(process, signal.SIGKILL)
        before = len(desks.receipts)
        while len(desks.receipts) < before + 30 and time.monotonic() < until:
            time.sleep(0.005)
        desks.go_home()
        keys = [entry.key for entry in ledger.entries()]
    assert sorted(keys) == sorted(desks.receipts)
    assert verify_postgres(place, contest=CONTEST) == []
