"""PostgreSQL append by 1, 8 and 64 writers against single inserts of rows with equal bytes, on one server, in turns.

`singles`, the goal: that many threads of this process, each with a session of its own, a prepared insert and a commit
a row, by psycopg. `pgbench`, shown beside it when run alone: the server's own program in C, as many sessions on two
threads. Both insert ready rows into a table with the same columns, primary key and unique key, and no guards. Ours:
that many threads of this process `submit` a draft and wait for its receipt; it is checked, encoded, chained, hashed
and told to followers, and the database holds it to the order.
"""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import psycopg

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

from ledger_append import CONTEST, drafts, rows_of  # noqa: E402 - beside this file

from ledger.server import Server, said  # noqa: E402 - where the tests keep it
from tallyroom.ledger.postgres import PostgresLedger  # noqa: E402 - after the path
from tallyroom.ledger.tree import leaf_hash  # noqa: E402 - the same

GOAL = 0.8
PAIRS = 7
SIZES = {1: 1000, 8: 4000, 64: 8000}
"""Rows a run, by writers."""

PLAIN = (
    "CREATE SCHEMA plain; CREATE TABLE plain.entry (seq bigint PRIMARY KEY, key text NOT NULL UNIQUE,"
    " leaf bytea NOT NULL, raw bytea NOT NULL)"
)
INSERT = "INSERT INTO plain.entry (seq, key, leaf, raw) VALUES (%s, %s, %s, %s)"
SCRIPT = (
    "\\set n :n + 1\n"
    "INSERT INTO plain.entry (seq, key, leaf, raw)"
    " VALUES (:client_id * 10000000 + :n, :client_id || '-' || :n, :leaf::bytea, :raw::bytea);\n"
)


def at_once(writers, work):
    """Seconds until all threads have done their share; sessions are opened before."""
    ready = threading.Barrier(writers + 1)

    def share(number):
        with work(number) as one:
            ready.wait()
            one()
            ready.wait()

    threads = [threading.Thread(target=share, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    gc.collect()
    gc.freeze()
    ready.wait()
    start = time.perf_counter()
    ready.wait()
    spent = time.perf_counter() - start
    gc.unfreeze()
    for thread in threads:
        thread.join()
    return spent


class _Desk:
    """One writer's share of ours."""

    def __init__(self, ledger, given):
        self._ledger, self._given = ledger, given

    def __enter__(self):
        return self

    def __exit__(self, *_raised):
        pass

    def __call__(self):
        for draft in self._given:
            self._ledger.submit(draft).result()


class _Session:
    """One writer's share of the reference."""

    def __init__(self, address, rows):
        self._address, self._rows = address, rows

    def __enter__(self):
        self._session = psycopg.connect(self._address, autocommit=True)
        return self

    def __exit__(self, *_raised):
        self._session.close()

    def __call__(self):
        cursor = self._session.cursor()
        for row in self._rows:
            cursor.execute(INSERT, row, prepare=True)


def ours(server, address, given, writers):
    """Rows a second through `submit`."""
    server.empty(address)
    with PostgresLedger(address, CONTEST, create=True) as ledger:
        spent = at_once(writers, lambda number: _Desk(ledger, given[number::writers]))
        assert ledger.head().count == len(given)
    return len(given) / spent


def singles(address, rows, writers):
    """Rows a second by single inserts."""
    said(address, "DROP SCHEMA IF EXISTS plain CASCADE")
    said(address, PLAIN)
    return len(rows) / at_once(writers, lambda number: _Session(address, rows[number::writers]))


def pgbench(server, address, rows, writers):
    """Rows a second by pgbench."""
    said(address, "DROP SCHEMA IF EXISTS plain CASCADE")
    said(address, PLAIN)
    script = server.folder / "insert.sql"
    script.write_text(SCRIPT)
    _seq, _key, leaf, raw = rows[0]
    each = ["-M", "prepared", "-n", "-c", str(writers), "-j", str(min(writers, 2)), "-t", str(len(rows) // writers)]
    given = ["-D", "n=0", "-D", f"leaf=\\x{leaf.hex()}", "-D", f"raw=\\x{raw.hex()}", "-f", str(script)]
    command = [server.program("pgbench"), *each, *given, address]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(re.search(r"tps = ([\d.]+)", done.stdout)[1])


def ledger_postgres(against="singles"):
    """Rows of `var/bench.json`: the median pair for each number of writers."""
    server, found = Server(), []
    try:
        address = server.database()
        for writers, size in SIZES.items():
            given = drafts(size)
            rows = [(seq, key, leaf_hash(raw), raw) for seq, key, raw in rows_of(given)]
            pairs = []
            for _ in range(PAIRS):
                mine = ours(server, address, given, writers)
                if against == "pgbench":
                    pairs.append((mine, pgbench(server, address, rows, writers)))
                else:
                    pairs.append((mine, singles(address, rows, writers)))
            mine, reference = sorted(pairs, key=lambda pair: pair[0] / pair[1])[PAIRS // 2]
            found.append(
                {
                    "id": f"ledger-postgres-append-vs-{against}-{writers}",
                    "value": round(mine / reference, 3),
                    "goal": GOAL,
                    "better": "higher",
                    "ours": round(mine),
                    "reference": round(reference),
                    "unit": "rows/s",
                }
            )
    finally:
        server.close()
    return found


if __name__ == "__main__":
    for row in [*ledger_postgres(), *ledger_postgres("pgbench")]:
        print(json.dumps(row))
