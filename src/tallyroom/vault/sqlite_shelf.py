"""The vault's tables in the SQLite file of a ledger: two connections of their own, short transactions, no residue.

The file is in WAL mode since the ledger was made. Changes of the ledger and of the vault wait for one another, up to
`BUSY_SECONDS`; each is a matter of milliseconds.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from threading import RLock
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.vault import migrations
from tallyroom.vault.faults import ConstraintError, VaultDamagedError, VaultError, VaultStoreError
from tallyroom.vault.shelf import BUSY_SECONDS, Row, Transaction, Value
from tallyroom.vault.stored import writable

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path
    from typing import LiteralString

_AGAIN = "Nothing was kept: make room and do it again."
_REMEDIES = {
    sqlite3.SQLITE_FULL: ("the disk or the database is full", _AGAIN),
    sqlite3.SQLITE_READONLY: ("the database is read-only", "Make the file and its folder writable."),
    sqlite3.SQLITE_PERM: ("the database may not be opened", "Make the file and its folder readable and writable."),
    sqlite3.SQLITE_CANTOPEN: ("the database cannot be opened", "Give a file in a folder that is there and writable."),
    sqlite3.SQLITE_BUSY: ("the database is locked by another program", "Stop that program and do it again."),
    sqlite3.SQLITE_LOCKED: ("the database is locked by another program", "Stop that program and do it again."),
    sqlite3.SQLITE_IOERR: ("the disk refuses to be read or written", "Check the disk and the room on it."),
    sqlite3.SQLITE_NOTADB: ("this is no SQLite database", "Give the ledger's file."),
    sqlite3.SQLITE_TOOBIG: ("a record is larger than the database takes", "Make it smaller."),
}
_MEMORY = ":memory:"


class SqliteShelf:
    """The `Shelf` in a SQLite file that holds a ledger.

    Args:
        database: the ledger's file; None keeps all in memory, for as long as the process runs, without a ledger.
        contest: id of the contest; the ledger must be of the same.
        create: make the tables if there are none yet.
        busy: seconds to wait for another program.

    Raises:
        VaultStoreError: no ledger, no vault, of another contest, locked, of a later Tallyroom.
    """

    def __init__(
        self, database: Path | None, contest: str, *, create: bool = False, busy: float = BUSY_SECONDS
    ) -> None:
        self._database, self._place, self._busy = database, str(database or "memory"), busy
        self._writing, self._closed = RLock(), False
        self._writer = self._connect()
        self._reading, self._reader = self._writing, self._writer
        try:
            self._run(self._writer, "PRAGMA secure_delete = ON", ())
            self._run(self._writer, "PRAGMA foreign_keys = ON", ())
            self._open(contest, create=create or database is None)
            if database is not None:
                self._reading, self._reader = RLock(), self._connect()
                self._run(self._reader, "PRAGMA query_only = ON", ())
        except BaseException:
            self.close()
            raise

    @property
    def place(self) -> str:
        """See `Shelf.place`."""
        return self._place

    def rows(self, query: LiteralString, *values: Value) -> list[Row]:
        """See `Shelf.rows`."""
        if not all(writable(value) for value in values if isinstance(value, str)):
            return []
        with self._reading:
            return self._run(self._reader, query, values)[0]

    @contextmanager
    def changing(self, *, lasting: bool = True) -> Generator[Transaction]:
        """See `Shelf.changing`."""
        with self._writing:
            self._run(self._writer, f"PRAGMA synchronous = {'FULL' if lasting else 'NORMAL'}", ())
            self._run(self._writer, "BEGIN IMMEDIATE", ())
            try:
                transaction = Transaction(lambda query, values: self._run(self._writer, query, values), self._place)
                yield transaction
                transaction.refuse_if_failed()
                self._run(self._writer, "COMMIT", ())
            except BaseException:
                with suppress(sqlite3.Error):
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
                raise

    def scrub(self, tables: Iterable[str]) -> str:  # noqa: ARG002 - the file is rewritten as a whole
        """See `Shelf.scrub`: the file is rewritten, as pages keep copies of rows that moved, and the log emptied."""
        with self._writing:
            try:
                self._run(self._writer, "VACUUM", ())
                ((busy, _frames, _moved),) = self._run(self._writer, "PRAGMA wal_checkpoint(TRUNCATE)", ())[0]
            except VaultStoreError as error:
                what = error.faults[0].what
                return f"The records are deleted, but the file could not be rewritten: {what}. Erase once more later."
        if busy:
            return "The records are deleted, but a reader keeps the log from being emptied. Erase once more later."
        return ""

    def close(self) -> None:
        """See `Shelf.close`."""
        self._closed = True
        for connection in {self._reader, self._writer}:
            with suppress(sqlite3.Error):
                connection.close()

    def _connect(self) -> sqlite3.Connection:
        if self._database is not None and not self._database.is_file():
            raise VaultStoreError(Fault("there is no ledger at this place", "Make a ledger first.", self._place))
        address = _MEMORY if self._database is None else f"{self._database.absolute().as_uri()}?mode=rw"
        try:
            return sqlite3.connect(address, self._busy, isolation_level=None, check_same_thread=False, uri=True)
        except sqlite3.Error as error:
            refused = self._in_our_words(error)
        raise refused

    def _run(self, connection: sqlite3.Connection, query: str, values: tuple[Value, ...]) -> tuple[list[Row], int]:
        """Raise after the handler, so that the library's own error is not even the context of ours."""
        if self._closed:
            raise VaultStoreError(Fault("the vault is closed", "Open it again.", self._place))
        try:
            cursor = connection.execute(query, values)
            return cursor.fetchall(), cursor.rowcount
        except (sqlite3.Error, OverflowError) as error:
            refused = self._in_our_words(error)
        raise refused

    def _in_our_words(self, error: Exception) -> VaultError:
        extended = getattr(error, "sqlite_errorcode", 0)  # absent where Python itself raised it
        code = extended & 0xFF
        if code == sqlite3.SQLITE_CONSTRAINT:
            return ConstraintError(Fault("a row does not fit those that are there", "See what is there.", self._place))
        if code == sqlite3.SQLITE_CORRUPT:
            return VaultDamagedError(Fault("the database is damaged", "Restore it from a copy.", self._place))
        unknown = f"the database refuses (code {extended})"
        what, remedy = _REMEDIES.get(code, (unknown, "Look the code up among SQLite's result codes."))
        return VaultStoreError(Fault(what, remedy, self._place))

    def _open(self, contest: str, *, create: bool) -> None:
        if self._database is not None:
            self._refuse_other(contest)
        lacking = migrations.missing(self._form(), self._place)
        if len(lacking) == len(migrations.SCRIPTS) and not create:
            raise migrations.no_vault(self._place)
        if lacking:
            with self.changing():
                for number, name in migrations.missing(self._form(), self._place):  # another may have been quicker
                    for statement in migrations.statements(name):
                        self._run(self._writer, statement, ())
                    self._run(self._writer, "INSERT INTO vault_form (version) VALUES (?)", (number,))

    def _refuse_other(self, contest: str) -> None:
        there = "SELECT count(*) FROM sqlite_schema WHERE name IN ('contest', 'entry')"
        if self._run(self._writer, there, ())[0] != [(2,)]:
            what = "this is not a ledger: the SQLite database holds something else"
            raise VaultStoreError(Fault(what, "Give the ledger's file.", self._place))
        ((found,),) = self._run(self._writer, "SELECT id FROM contest", ())[0]
        if found != contest:
            raise migrations.of_another(found, contest, self._place)

    def _form(self) -> int:
        there = self._run(self._writer, "SELECT count(*) FROM sqlite_schema WHERE name = 'vault_form'", ())[0]
        if there == [(0,)]:
            return 0
        return self._run(self._writer, "SELECT coalesce(max(version), 0) FROM vault_form", ())[0][0][0]
