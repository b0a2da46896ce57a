"""The one interface of all ledgers: whatever keeps the entries, this is what a caller may rely on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future
    from types import TracebackType
    from typing import Self

    from tallyroom.ledger.entry import Draft, Entry, Head, Receipt
    from tallyroom.ledger.judge import Judge


class Ledger(Protocol):
    """An append-only list of entries of one contest, safe to use from many threads.

    A receipt means: on disk, synced, and there after a crash (memory: there until the process ends).
    """

    @property
    def contest(self) -> str:
        """Id of the contest; a draft of another one is refused."""
        ...

    def append(self, drafts: Sequence[Draft]) -> list[Receipt]:
        """Enter all drafts in this order in one commit, or none; returns after the sync, a receipt each.

        A draft that stands in the ledger already, under the same key and equal but for the time of recording, is
        answered with `repeated` and not entered again.

        Raises:
            KeyConflictError: a key stands there with another content.
            LedgerError: a draft breaks the contract, is of another contest or replaces what is not there.
            StoreError: the store is full, locked, read-only or closed.
        """
        ...

    def submit(self, draft: Draft) -> Future[Receipt]:
        """Enter one draft together with whatever else waits; the future is done after the sync.

        What `append` raises the future raises, and only for the draft at fault.

        Raises:
            LedgerError: the draft breaks the contract or is of another contest (found before it waits).
        """
        ...

    def judged_by(self, judge: Judge) -> None:
        """Let a judge see every entry from now on, and enter what it gives right behind it, in the same commit.

        Raises:
            StoreError: the ledger was opened to be read only, or is closed.
        """
        ...

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[Entry]:
        """Entries `start` to `stop - 1` in order; without `stop`, up to the last one committed when this was called."""
        ...

    def find(self, key: str) -> Entry | None:
        """The entry with this idempotency key."""
        ...

    def head(self) -> Head:
        """Count and root of all that is committed."""
        ...

    def close(self) -> None:
        """Commit what waits and let go of the store. Closing twice is no fault."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
