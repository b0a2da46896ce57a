"""Ledger append against hand-written SQLite at equal batch: same rows, same columns, same pragmas, in turns.

The reference takes bytes made beforehand, chains them (the hash of the row before is part of what is hashed) and
inserts each under a unique key. Ours checks and encodes each draft, chains, hashes and inserts it, grows the tree,
keeps the head and gives a receipt. Both sync at every commit. Keys are random, as devices mint them. `bare` leaves the
chain out of the reference as well.
"""

from __future__ import annotations

import gc
import json
import sqlite3
import tempfile
import time
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from tallyroom.ledger.entry import Author, Draft
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.sqlite import SqliteLedger

GOAL = 0.8
PAIRS = 7
SIZES = {1: 1500, 10: 6000, 100: 20000}
"""Rows a run, by batch."""

CONTEST = "bench-2020"
GROUPS = [f"group-{letter}" for letter in "abcdefghijkl"] + ["uncommitted", "other"]


def drafts(count):
    """Reports with 14 groups at two stages and delegates: about 500 bytes of body."""
    start = datetime(2020, 2, 4, 1, tzinfo=UTC)
    return [
        Draft(
            kind="report",
            version=1,
            contest=CONTEST,
            at=start + timedelta(seconds=number),
            key=f"{number * 2654435761 % 2**32:08x}-{number}",
            author=Author(f"p-{number}", "chair"),
            channel="app",
            body={
                "unit": f"unit-{number}",
                "attendance": 300 + number % 50,
                "alignments": {
                    stage: {group: (number * 7 + at * 13) % 97 for at, group in enumerate(GROUPS)}
                    for stage in ("first", "final")
                },
                "delegates": {group: at + 1 for at, group in enumerate(GROUPS[:4])},
            },
        )
        for number in range(count)
    ]


def rows_of(given):
    """The rows a ledger makes of them, without the leaf hash."""
    with MemoryLedger(CONTEST) as ledger:
        ledger.append(given)
        return [(entry.seq, entry.key, entry.raw) for entry in ledger.entries()]


def timed(insert, given, batch):
    """Seconds for all batches; what was prepared is no work of either side."""
    batches = [given[at : at + batch] for at in range(0, len(given), batch)]
    gc.collect()
    gc.freeze()
    start = time.perf_counter()
    for part in batches:
        insert(part)
    spent = time.perf_counter() - start
    gc.unfreeze()
    return spent


def ours(folder, given, batch):
    """Seconds to append drafts."""
    with SqliteLedger(folder / "ours.db", CONTEST, create=True) as ledger:
        spent = timed(ledger.append, given, batch)
        assert ledger.head().count == len(given)
        return spent


def raw(folder, given, batch, *, bare=False):
    """Seconds to insert rows made beforehand, each chained to the one before unless `bare`."""
    connection = sqlite3.connect(folder / "raw.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE entry (seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, leaf BLOB NOT NULL, raw BLOB NOT NULL)"
    )

    last = bytes(32)

    def chained(part):
        nonlocal last
        for seq, key, raw in part:
            last = sha256(last + raw).digest()
            yield seq, key, last, raw

    def insert(part):
        if not bare:
            part = list(chained(part))
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO entry (seq, key, leaf, raw) VALUES (?, ?, ?, ?)", part)
        connection.execute("COMMIT")

    rows = [(seq, key, sha256(raw).digest(), raw) for seq, key, raw in given] if bare else given
    spent = timed(insert, rows, batch)
    connection.close()
    return spent


def pair(given, rows, batch, turn, folder, *, bare):
    """Seconds of ours and of the reference, in new databases, the first to run by turns."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        place = Path(name)
        if turn % 2:
            reference = raw(place, rows, batch, bare=bare)
            return ours(place, given, batch), reference
        mine = ours(place, given, batch)
        return mine, raw(place, rows, batch, bare=bare)


def ledger_append(folder=None, *, bare=False):
    """Rows of `var/bench.json`: the median pair for each batch."""
    found = []
    for batch, size in SIZES.items():
        given = drafts(size)
        rows = rows_of(given)
        pairs = [pair(given, rows, batch, turn, folder, bare=bare) for turn in range(PAIRS)]
        mine, reference = sorted(pairs, key=lambda both: both[1] / both[0])[PAIRS // 2]
        found.append(
            {
                "id": f"ledger-append-vs-{'bare-inserts' if bare else 'sqlite'}-batch-{batch}",
                "value": round(reference / mine, 3),
                "goal": GOAL,
                "better": "higher",
                "ours": round(size / mine),
                "reference": round(size / reference),
                "unit": "rows/s",
            }
        )
    return found


if __name__ == "__main__":
    for row in [*ledger_append(), *ledger_append(bare=True)]:
        print(json.dumps(row))
