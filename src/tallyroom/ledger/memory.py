"""A ledger in memory: for tests, rehearsals and recorded nights; gone when the process ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger.entry import NO_ENTRY, read_entry
from tallyroom.ledger.faults import StoreError
from tallyroom.ledger.tree import Frontier
from tallyroom.ledger.writer import KeyTakenError, Row, Writer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future
    from types import TracebackType
    from typing import Self

    from tallyroom.ledger.entry import Draft, Entry, Head, Receipt
    from tallyroom.ledger.judge import Judge


class MemoryLedger:
    """The `Ledger` that keeps its entries in a list."""

    def __init__(self, contest: str) -> None:
        self._contest = contest
        self._shelf = _ListShelf()
        self._writer = Writer(self._shelf, contest, Frontier(), NO_ENTRY, lambda _head: None)
        self._closed = False

    @property
    def contest(self) -> str:
        """See `Ledger.contest`."""
        return self._contest

    def append(self, drafts: Sequence[Draft]) -> list[Receipt]:
        """See `Ledger.append`."""
        return self._writer.append(drafts)

    def submit(self, draft: Draft) -> Future[Receipt]:
        """See `Ledger.submit`."""
        return self._writer.submit(draft)

    def judged_by(self, judge: Judge) -> None:
        """See `Ledger.judged_by`."""
        self._writer.judged_by(judge)

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[Entry]:
        """See `Ledger.entries`."""
        self._refuse_if_closed()
        count = self._writer.head.count
        return map(read_entry, self._shelf.raws[max(start, 0) : count if stop is None else max(min(stop, count), 0)])

    def find(self, key: str) -> Entry | None:
        """See `Ledger.find`."""
        self._refuse_if_closed()
        return self._shelf.find(key)

    def head(self) -> Head:
        """See `Ledger.head`."""
        self._refuse_if_closed()
        return self._writer.head

    def close(self) -> None:
        """See `Ledger.close`."""
        self._writer.close()
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(Fault("the ledger is closed", "Open it again."))


class _ListShelf:
    """Canonical bytes in order, and the number of each key."""

    def __init__(self) -> None:
        self.raws = list[bytes]()
        self._numbers = dict[str, int]()

    def put(self, rows: list[Row]) -> None:
        """See `Shelf.put`."""
        if any(key in self._numbers for _seq, key, _leaf, _raw in rows):
            raise KeyTakenError
        self.raws.extend(raw for _seq, _key, _leaf, raw in rows)
        self._numbers.update((key, seq) for seq, key, _leaf, _raw in rows)

    def resume(self, count: int, prev: str) -> Sequence[bytes]:  # noqa: ARG002 - nothing happens to a list
        """See `Shelf.resume`."""
        return ()

    def find(self, key: str) -> Entry | None:
        """See `Shelf.find`."""
        number = self._numbers.get(key)
        return None if number is None else read_entry(self.raws[number])
