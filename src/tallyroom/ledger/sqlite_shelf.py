"""SQLite as a shelf of rows: connections, migrations, the few statements, and its errors in our words."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger import migrations
from tallyroom.ledger.entry import Entry, read_entry
from tallyroom.ledger.faults import DamagedError, LedgerError, StoreError
from tallyroom.ledger.writer import KeyTakenError, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from pathlib import Path

APPLICATION_ID = 0x54_61_6C_79
"""Marks a SQLite file as a Tallyroom ledger ("Taly")."""

BUSY_SECONDS = 5.0
"""How long a commit waits for a program that locks the database without holding the writer's lock."""

_PAGE = 1000
_REMEDIES = {
    sqlite3.SQLITE_FULL: ("the disk or the database is full", "Make room and send again: nothing was written."),
    sqlite3.SQLITE_READONLY: ("the database is read-only", "Make the file and its folder writable."),
    sqlite3.SQLITE_PERM: ("the database may not be opened", "Make the file and its folder readable and writable."),
    sqlite3.SQLITE_CANTOPEN: ("the database cannot be opened", "Give a file in a folder that is there and writable."),
    sqlite3.SQLITE_BUSY: ("the database is locked by another program", "Stop that program and send again."),
    sqlite3.SQLITE_LOCKED: ("the database is locked by another program", "Stop that program and send again."),
    sqlite3.SQLITE_IOERR: (
        "the disk refuses to be read or written",
        "Check the disk and the room on it, then send again.",
    ),
    sqlite3.SQLITE_NOTADB: ("this is not a ledger: it is no SQLite database", "Give the ledger's file."),
}


def in_our_words(error: sqlite3.Error, database: Path) -> LedgerError:
    """What a SQLite error means to the operator, with file and remedy."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # absent where Python itself raised it
    if code == sqlite3.SQLITE_CORRUPT:
        remedy = "Restore the ledger from an export or a copy."
        return DamagedError(Fault(f"the database is damaged: {error}", remedy, str(database)))
    what, remedy = _REMEDIES.get(code, (f"the database refuses: {error}", "See the message and try again."))
    return StoreError(Fault(what, remedy, str(database)))


@contextmanager
def translated(database: Path) -> Generator[None]:
    """Raise SQLite's errors in our words."""
    try:
        yield
    except sqlite3.Error as error:
        raise in_our_words(error, database) from error


def connect(database: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open an existing database without implicit transactions, usable from any thread, one at a time.

    A reader of a database that was closed in order (no log beside it) opens it as a writer would, and then forbids
    itself to write: only so does SQLite take its `-wal` and `-shm` away again when the last reader leaves. Where a log
    lies, somebody writes or was killed, and a reader may not touch it.

    Raises:
        StoreError: missing or not to be opened.
    """
    if not database.is_file():
        remedy = "Give the ledger's file, or make a new ledger."
        raise StoreError(Fault("there is no ledger at this place", remedy, str(database)))
    mode = "ro" if read_only and _log(database).exists() else "rw"
    with translated(database):
        address = f"{database.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(address, BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=True)
        if read_only:
            connection.execute("PRAGMA query_only = ON")
        return connection


def contest_of(connection: sqlite3.Connection, database: Path) -> str:
    """The contest a database is the ledger of.

    Raises:
        StoreError: not a ledger, one of a later Tallyroom, or one that a writer must first bring up to date.
    """
    with translated(database):
        migrations.refuse_older(migrations.SQLITE, _form(connection, database), str(database))
        return str(connection.execute("SELECT id FROM contest").fetchone()[0])


def make(database: Path, contest: str) -> None:
    """Make an empty ledger, or leave alone what is there and not empty.

    Raises:
        StoreError: it cannot be made.
    """
    try:
        database.touch()
    except OSError as error:
        what = f"the ledger cannot be made: {error.strerror}"
        raise StoreError(Fault(what, "Give a file in a folder that is there and writable.", str(database))) from None
    connection = connect(database, read_only=False)
    try:
        with translated(database):
            if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] > 0:
                return
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN EXCLUSIVE")
            _apply(connection, migrations.missing(migrations.SQLITE, 0, str(database)))
            connection.execute("INSERT INTO contest (one, id) VALUES (1, ?)", (contest,))
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("COMMIT")
    finally:
        connection.close()


def migrate(database: Path) -> None:
    """Bring a ledger of an earlier Tallyroom to the newest form; the caller holds the writer's lock.

    Raises:
        StoreError: not a ledger, or one of a later Tallyroom.
    """
    connection = connect(database, read_only=False)
    try:
        with translated(database):
            lacking = migrations.missing(migrations.SQLITE, _form(connection, database), str(database))
            if lacking:
                connection.execute("BEGIN EXCLUSIVE")
                _apply(connection, lacking)
                connection.execute("COMMIT")
    finally:
        connection.close()


def commit(connection: sqlite3.Connection) -> None:
    """Commit; in WAL with `synchronous = FULL` SQLite returns when the log is synced."""
    connection.execute("COMMIT")


class SqliteShelf:
    """Rows of one database, with one connection to write and one to read."""

    def __init__(
        self, database: Path, *, read_only: bool, commit: Callable[[sqlite3.Connection], None] = commit
    ) -> None:
        self._database, self._commit = database, commit
        self._reader = connect(database, read_only=True)
        self._reading = Lock()
        self._writer: sqlite3.Connection | None = None
        try:
            self.contest = contest_of(self._reader, database)
            if not read_only:
                self._writer = self._connect_to_write()
        except BaseException:
            self.close()
            raise

    def put(self, rows: list[Row]) -> None:
        """See `Shelf.put`."""
        if self._writer is None:
            remedy = "Open it for writing."
            raise StoreError(Fault("the ledger was opened to be read only", remedy, str(self._database)))
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.executemany("INSERT OR ROLLBACK INTO entry (seq, key, leaf, raw) VALUES (?, ?, ?, ?)", rows)
            self._commit(self._writer)
        except BaseException as error:
            if self._writer.in_transaction:
                with suppress(sqlite3.Error):
                    self._writer.execute("ROLLBACK")
            if isinstance(error, sqlite3.IntegrityError) and str(error) == "key is taken":
                raise KeyTakenError from None
            if isinstance(error, sqlite3.Error):
                raise in_our_words(error, self._database) from error
            raise

    def resume(self, count: int, prev: str) -> Sequence[bytes]:  # noqa: ARG002 - the lock keeps all others out
        """See `Shelf.resume`."""
        return ()

    def find(self, key: str) -> Entry | None:
        """See `Shelf.find`."""
        found = self._read("SELECT raw FROM entry WHERE key = ?", (key,))
        return read_entry(found[0][0]) if found else None

    def count(self) -> int:
        """Committed entries."""
        with self._reading, translated(self._database):
            return self._reader.execute("SELECT coalesce(max(seq) + 1, 0) FROM entry").fetchone()[0]

    def raws(self, start: int, stop: int) -> Iterator[bytes]:
        """Canonical bytes of entries `start` to `stop - 1`, read by the page so that no reader holds up the log."""
        query = "SELECT raw FROM entry WHERE seq >= ? AND seq < ? ORDER BY seq"
        for first in range(start, stop, _PAGE):
            for (raw,) in self._read(query, (first, min(first + _PAGE, stop))):
                yield raw

    def leaves(self, start: int, stop: int) -> Iterator[bytes]:
        """Leaf hashes of entries `start` to `stop - 1`."""
        query = "SELECT leaf FROM entry WHERE seq >= ? AND seq < ? ORDER BY seq"
        for first in range(start, stop, _PAGE):
            for (leaf,) in self._read(query, (first, min(first + _PAGE, stop))):
                yield leaf

    def close(self) -> None:
        """Let go of the database; the writer last, for the last to go moves the log into the file."""
        for connection in (self._reader, self._writer):
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()

    def _read(self, query: str, values: tuple[str | int, ...]) -> list[tuple[bytes]]:
        with self._reading, translated(self._database):
            return self._reader.execute(query, values).fetchall()

    def _connect_to_write(self) -> sqlite3.Connection:
        connection = connect(self._database, read_only=False)
        with translated(self._database):
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            connection.execute("PRAGMA synchronous = FULL")
            if mode != "wal":
                what = f"the database keeps a {mode} journal and cannot keep a write-ahead log"
                raise StoreError(Fault(what, "Put it on a local disk, not on a network share.", str(self._database)))
        return connection


def _log(database: Path) -> Path:
    return database.with_name(database.name + "-wal")


def _form(connection: sqlite3.Connection, database: Path) -> int:
    """How many migrations a database has, if it is a ledger."""
    mark = connection.execute("PRAGMA application_id").fetchone()[0]
    form = connection.execute("PRAGMA user_version").fetchone()[0]
    if mark != APPLICATION_ID or form == 0:
        what = "this is not a ledger: the SQLite database holds something else"
        raise StoreError(Fault(what, "Give the ledger's file.", str(database)))
    return form


def _apply(connection: sqlite3.Connection, lacking: tuple[tuple[int, str], ...]) -> None:
    for number, name in lacking:
        for statement in _statements(migrations.script(name)):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")


def _statements(script: str) -> Iterator[str]:
    """Single statements of a migration: `executescript` would commit before the first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
