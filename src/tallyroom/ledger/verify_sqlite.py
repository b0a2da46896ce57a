"""Verify a SQLite ledger as it lies on disk, whatever its state: nothing is opened to write and nothing repaired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger.faults import DamagedError
from tallyroom.ledger.kept import kept_path, read_kept
from tallyroom.ledger.sqlite_shelf import connect, contest_of, translated
from tallyroom.ledger.verify import RESTORE, verify_rows

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

    from tallyroom.ledger.entry import Head
    from tallyroom.ledger.writer import Row


def verify_sqlite(database: Path, *, contest: str | None = None, published: Head | None = None) -> list[Fault]:
    """Every fault of a SQLite ledger: its pages, its rows against their bytes, its bytes against the head.

    Args:
        database: the file.
        contest: the contest it should be of; None takes the file's word.
        published: a head from elsewhere, checked beside the kept one.

    Raises:
        StoreError: it cannot be read at all: missing, locked, no ledger.
    """
    faults, kept = list[Fault](), None
    try:
        kept = read_kept(database)  # before the rows: a writer may be adding some
    except DamagedError as error:
        faults.extend(error.faults)
    connection = connect(database, read_only=True)
    try:
        found = contest_of(connection, database)
        faults.extend(_page_faults(connection, database))
        for head in [kept] if published is None else [kept, published]:
            rows = _rows(connection)
            with translated(database):
                faults.extend(verify_rows(rows, head, contest or found, file=str(database)))
    except DamagedError as error:
        faults.extend(error.faults)
    finally:
        connection.close()
    if kept is None and not kept_path(database).exists():
        remedy = "Copy it back from where it was moved; without it a cut cannot be seen."
        faults.append(Fault("the head is not kept beside the database", remedy, str(kept_path(database))))
    return list(dict.fromkeys(faults))


def _page_faults(connection: sqlite3.Connection, database: Path) -> Iterator[Fault]:
    """What SQLite itself finds wrong with its pages and with the index of keys."""
    with translated(database):
        for (finding,) in connection.execute("PRAGMA integrity_check(20)"):
            if finding != "ok":
                yield Fault(f"the database is damaged: {finding}", RESTORE, str(database))


def _rows(connection: sqlite3.Connection) -> Iterator[Row]:
    yield from connection.execute("SELECT seq, key, leaf, raw FROM entry ORDER BY seq")
