"""A ledger in one SQLite file: the default, without set-up. Write-ahead log, synced at each commit.

Beside `night.db` stand `night.db.head` (the kept head) and `night.db.lock` (who may write), and SQLite's own `-wal` and
`-shm` while it is open. Any number of programs may read while one writes. What a writer closed in order a reader leaves
as it was; what a killed writer left, only the next writer puts in order.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger.entry import Entry, Head, read_entry
from tallyroom.ledger.faults import LedgerError, StoreError
from tallyroom.ledger.grown import grown, refuse_unkept
from tallyroom.ledger.kept import KeptHead, kept_path, read_kept
from tallyroom.ledger.lock import WriterLock
from tallyroom.ledger.sqlite_shelf import SqliteShelf, commit, make, migrate
from tallyroom.ledger.writer import Writer

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from types import TracebackType
    from typing import Self

    from tallyroom.ledger.entry import Draft, Receipt
    from tallyroom.ledger.judge import Judge


class SqliteLedger:
    """The `Ledger` that keeps its entries in a SQLite file.

    Args:
        path: the database file.
        contest: id of the contest; the file must be of the same.
        create: make an empty ledger if there is no file yet.
        read_only: take no lock and refuse to append; sees what another program commits meanwhile.
        commit: commits a connection and returns when it is synced (a seam for tests).

    Raises:
        StoreError: missing, locked, no ledger, not to be opened.
        LedgerError: the ledger of another contest.
        DamagedError: it does not agree with its kept head.
    """

    def __init__(
        self,
        path: Path | str,
        contest: str,
        *,
        create: bool = False,
        read_only: bool = False,
        commit: Callable[[sqlite3.Connection], None] = commit,
    ) -> None:
        self._database, self._contest = Path(path), contest
        self._catching_up, self._closed = Lock(), False
        self._writer: Writer | None = None
        with ExitStack() as stack:
            self._open(stack, create=create, read_only=read_only, commit=commit)
            self._held = stack.pop_all()

    @property
    def contest(self) -> str:
        """See `Ledger.contest`."""
        return self._contest

    def append(self, drafts: Sequence[Draft]) -> list[Receipt]:
        """See `Ledger.append`."""
        return self._pen().append(drafts)

    def submit(self, draft: Draft) -> Future[Receipt]:
        """See `Ledger.submit`."""
        return self._pen().submit(draft)

    def judged_by(self, judge: Judge) -> None:
        """See `Ledger.judged_by`."""
        self._pen().judged_by(judge)

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[Entry]:
        """See `Ledger.entries`."""
        count = self.head().count
        return map(read_entry, self._shelf.raws(max(start, 0), count if stop is None else min(stop, count)))

    def find(self, key: str) -> Entry | None:
        """See `Ledger.find`."""
        self._refuse_if_closed()
        return self._shelf.find(key)

    def head(self) -> Head:
        """See `Ledger.head`."""
        self._refuse_if_closed()
        if self._writer is not None:
            return self._writer.head
        with self._catching_up:
            self._frontier.extend(self._shelf.leaves(self._frontier.count, self._shelf.count()))
            return Head(self._frontier.count, self._frontier.root().hex())

    def close(self) -> None:
        """See `Ledger.close`."""
        if not self._closed:
            if self._writer is not None:
                self._writer.close()
            self._closed = True
            self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(
        self, stack: ExitStack, *, create: bool, read_only: bool, commit: Callable[[sqlite3.Connection], None]
    ) -> None:
        database = self._database
        if not read_only and (create or database.is_file()):
            stack.callback(WriterLock(database).close)
            if create:
                make(database, self._contest)
            migrate(database)
        kept = read_kept(database)  # before the rows: a writer may be adding some
        self._shelf = SqliteShelf(database, read_only=read_only, commit=commit)
        stack.callback(self._shelf.close)
        if self._shelf.contest != self._contest:
            what = f"this is the ledger of {self._shelf.contest}, not of {self._contest}"
            raise LedgerError(Fault(what, f"Give the ledger of {self._contest}.", str(database)))
        count = self._shelf.count()
        if kept is None:
            refuse_unkept(count, str(kept_path(database)))
        self._frontier, prev = grown(count, self._shelf.leaves(0, count), kept, str(database))
        if not read_only:
            keeper = KeptHead(database)
            stack.callback(keeper.close)
            self._writer = Writer(self._shelf, self._contest, self._frontier, prev, keeper.keep)
            keeper.keep(self._writer.head)

    def _pen(self) -> Writer:
        self._refuse_if_closed()
        if self._writer is None:
            what = "the ledger was opened to be read only"
            raise StoreError(Fault(what, "Open it for writing.", str(self._database)))
        return self._writer

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(Fault("the ledger is closed", "Open it again.", str(self._database)))
