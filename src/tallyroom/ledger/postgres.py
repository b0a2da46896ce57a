"""A ledger in a PostgreSQL database: for several machines, with a standby that a receipt can wait for.

A database holds one ledger, in its schema `ledger`. One program writes, and holds an advisory lock while it does; any
number read and follow. The database itself refuses to change or remove entries, to number them with a gap, and to take
any while it is set so that a crash could lose them. Sessions last, so the address is that of the server itself, not of
a pooler that shares sessions between transactions.

A cut at the end is found by the kept head, if a file is named to keep it in, by the writer and by whoever holds a
published head; the database alone cannot tell it.
"""

from __future__ import annotations

from contextlib import ExitStack
from threading import Lock
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger.entry import Entry, Head, read_entry
from tallyroom.ledger.faults import LedgerError, StoreError
from tallyroom.ledger.grown import grown, refuse_unkept
from tallyroom.ledger.kept import KeptHead, kept_path, read_kept
from tallyroom.ledger.postgres_follow import Follower
from tallyroom.ledger.postgres_shelf import PostgresShelf
from tallyroom.ledger.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from tallyroom.ledger.entry import Draft, Receipt
    from tallyroom.ledger.judge import Judge


class PostgresLedger:
    """The `Ledger` that keeps its entries in a PostgreSQL database.

    When the session is lost during a commit, `append` raises StoreError and says that it is unknown whether its drafts
    are in. The next append takes a new session, waiting up to five seconds for the server, and goes on behind what is
    there; what is sent again under the same key is answered as repeated.

    Args:
        address: `postgresql://USER@HOST/DATABASE`, as libpq reads it; several hosts may be named.
        contest: id of the contest; the database must be of the same.
        create: make an empty ledger if there is none in the database yet.
        read_only: take no lock and refuse to append; sees what another program commits meanwhile.
        kept: file to keep the head in, on this machine; its name ends in `.head`, which is added if it does not.

    Raises:
        StoreError: no server, no ledger, another writer, a server that is read-only or set so that it may lose entries.
        LedgerError: the ledger of another contest.
        DamagedError: entries are missing, or it does not agree with its kept head.
    """

    def __init__(
        self, address: str, contest: str, *, create: bool = False, read_only: bool = False, kept: Path | None = None
    ) -> None:
        self._address, self._contest = address, contest
        self._catching_up, self._closed = Lock(), False
        self._writer: Writer | None = None
        with ExitStack() as stack:
            self._shelf = PostgresShelf(address, read_only=read_only, make_for=contest if create else None)
            stack.callback(self._shelf.close)
            self._open(stack, read_only=read_only, kept=beside(kept) if kept else None)
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

    def follow(self, start: int | None = None, *, timeout: float | None = None) -> Iterator[Entry]:
        """Entries as they are committed, by whichever program: each once, in order.

        Args:
            start: number of the first; None means those committed from now on.
            timeout: seconds without an entry after which it ends; None follows until the ledger is closed, over a
                restart of the server too.

        Raises:
            StoreError: the server cannot be reached, for `timeout` seconds if there is one.
        """
        first = self.head().count if start is None else max(start, 0)
        follower = Follower(self._address, self._shelf.raws, self._shelf.count)
        return follower.entries(first, timeout, lambda: self._closed)

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

    def _open(self, stack: ExitStack, *, read_only: bool, kept: Path | None) -> None:
        shelf = self._shelf
        if shelf.contest != self._contest:
            what = f"this is the ledger of {shelf.contest}, not of {self._contest}"
            raise LedgerError(Fault(what, f"Give the ledger of {self._contest}.", shelf.place))
        head = read_kept(kept) if kept else None  # before the rows: a writer may be adding some
        count = shelf.count()
        if kept is not None and head is None:
            refuse_unkept(count, str(kept_path(kept)))
        self._frontier, prev = grown(count, shelf.leaves(0, count), head, shelf.place)
        if not read_only:
            keep = _keeper(stack, kept)
            self._writer = Writer(shelf, self._contest, self._frontier, prev, keep)
            keep(self._writer.head)

    def _pen(self) -> Writer:
        self._refuse_if_closed()
        if self._writer is None:
            what = "the ledger was opened to be read only"
            raise StoreError(Fault(what, "Open it for writing.", self._shelf.place))
        return self._writer

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(Fault("the ledger is closed", "Open it again.", self._shelf.place))


def beside(kept: Path) -> Path:
    """The name beside which `kept` puts this file, so that both kinds of ledger keep their heads alike."""
    return kept.with_name(kept.name.removesuffix(".head"))


def _keeper(stack: ExitStack, kept: Path | None) -> Callable[[Head], None]:
    if kept is None:
        return lambda _head: None
    keeper = KeptHead(kept)
    stack.callback(keeper.close)
    return keeper.keep
