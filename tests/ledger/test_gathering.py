"""One commit serves all who file at once, again and again; nobody is forgotten and nobody alone is kept waiting."""

from __future__ import annotations

import threading
import time
from concurrent.futures import as_completed

import pytest

from ledger.drafts import CONTEST, report, reports
from tallyroom.ledger import gathering
from tallyroom.ledger.faults import StoreError
from tallyroom.ledger.gathering import Gathering
from tallyroom.ledger.memory import MemoryLedger


@pytest.fixture
def ledger():
    with MemoryLedger(CONTEST) as ledger:
        yield ledger


@pytest.fixture
def commits(ledger, monkeypatch):
    """Sizes of all commits, each of which takes as long as on a slow disk."""

    def put(rows):
        sizes.append(len(rows))
        time.sleep(0.008)
        usual(rows)

    sizes, usual = [], ledger._writer._shelf.put
    monkeypatch.setattr(ledger._writer._shelf, "put", put)
    return sizes


def desks(count, work):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("way", ["append", "submit"])
def test_eight_desks_share_their_commits(ledger, commits, way, monkeypatch):
    """Without the wait each commit serves half of them: whoever comes back first is served alone."""
    monkeypatch.setattr(gathering, "SHARE", 100)  # a busy machine must not decide
    monkeypatch.setattr(gathering, "LONGEST_SECONDS", 1)

    def desk(number):
        for at in range(20):
            draft = report(number * 100 + at)
            if way == "append":
                ledger.append([draft])
            else:
                ledger.submit(draft).result()

    desks(8, desk)
    assert sum(commits) == 160
    assert len(commits) < 30


def test_who_files_alone_never_waits(ledger, monkeypatch):
    waits = []
    monkeypatch.setattr(threading.Event, "wait", lambda _self, seconds=None: waits.append(seconds))
    for number in range(20):
        ledger.append([report(number)])
    assert waits == []


def test_wait_is_a_share_of_the_commit_and_never_long():
    waiting = [1]
    known = Gathering(waiting)
    for seconds, longest in ((0.004, 0.004 * gathering.SHARE), (5.0, gathering.LONGEST_SECONDS)):
        known.served(7, seconds)
        waits = []
        known._there.wait = waits.append
        known.wait()
        assert waits == [longest]


def test_wait_ends_when_the_last_one_comes():
    waiting = [1]
    known = Gathering(waiting)
    known.served(2, 1.0)
    known._there.wait = lambda _seconds: (waiting.extend((2, 3)), known.arrived(), ended.append(known._there.is_set()))
    ended = []
    known.wait()
    assert ended == [True]
    assert known._awaited == 0


def test_answers_nobody_waits_for_come_too(ledger):
    """Futures that are only looked at, called back or collected: the writer's own thread sees to them."""
    called = threading.Event()
    looked_at = ledger.submit(report(0))
    until = time.monotonic() + 20
    while not looked_at.done():
        assert time.monotonic() < until
        time.sleep(0.001)
    ledger.submit(report(1)).add_done_callback(lambda _future: called.set())
    assert called.wait(20)
    futures = [ledger.submit(draft) for draft in reports(40, start=2)]
    assert sorted(future.result(0).seq for future in as_completed(futures, timeout=20)) == list(range(2, 42))


def test_every_way_of_filing_at_once(ledger, commits):
    """Some wait, some wait for a limited time, some do not wait: all are entered, each once."""

    def desk(number):
        for at in range(12):
            drafts = [report(number * 1000 + at * 10 + more) for more in range(3)]
            ledger.append(drafts[:1])
            left.append(ledger.submit(drafts[1]))
            ledger.submit(drafts[2]).result(None if number % 2 else 20)

    left = []
    desks(9, desk)
    assert all(future.result(20) for future in left)
    assert ledger.head().count == sum(commits) == 9 * 36


def test_interrupted_writer_tells_those_who_submitted(ledger, monkeypatch):
    def interrupted(_rows):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ledger._writer._shelf, "put", interrupted)
        patch.setattr(ledger._writer, "_thread", threading.current_thread())  # so that nobody else writes
        futures = [ledger.submit(report(0)), ledger.submit(report(1))]
        with pytest.raises(KeyboardInterrupt):
            ledger.append([report(2)])
        assert all(isinstance(future.exception(0), StoreError) for future in futures)
    assert ledger.append([report(0)])[0].seq == 0
    assert ledger.submit(report(1)).result(20).seq == 1
