"""Follow a PostgreSQL ledger: the server tells when something was committed, and the entries are then read in order.

What the server tells (the new count, on channel `ledger`) only wakes the follower up: it reads from where it stands to
what is committed, so that it sees every entry once and in order whatever it missed, also after a lost session.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tallyroom.ledger.entry import Entry, read_entry
from tallyroom.ledger.faults import StoreError
from tallyroom.ledger.postgres_session import Session, connect, place_of, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SLICE_SECONDS = 0.5
"""How often a waiting follower looks whether it should stop."""


class Follower:
    """One listening session; `entries` gives what is committed from `start` on, as it is committed."""

    def __init__(self, address: str, raws: Callable[[int, int], Iterator[bytes]], count: Callable[[], int]) -> None:
        self._address, self._place = address, place_of(address)
        self._raws, self._count = raws, count

    def entries(self, start: int, timeout: float | None, stopped: Callable[[], bool]) -> Iterator[Entry]:
        """Entries from `start` on, for ever, or until none came for `timeout` seconds, or until stopped.

        Raises:
            StoreError: the server cannot be reached, for `timeout` seconds if there is one.
        """
        seen, session = start, None
        last = time.monotonic()
        try:
            while not stopped():
                try:
                    session = session or self._listen()
                    count = self._count()
                    for raw in self._raws(seen, count):
                        yield read_entry(raw)
                        seen, last = seen + 1, time.monotonic()
                    left = None if timeout is None else timeout - (time.monotonic() - last)
                    if left is not None and left <= 0:
                        return
                    _wait(session, _SLICE_SECONDS if left is None else min(left, _SLICE_SECONDS), self._place)
                except StoreError:
                    session = _closed(session)
                    if timeout is not None and time.monotonic() - last > timeout:
                        raise
                    time.sleep(0.1)
        finally:
            _closed(session)

    def _listen(self) -> Session:
        session = connect(self._address, read_only=True)
        with translated(self._place):
            session.execute("LISTEN ledger")
        return session


def _wait(session: Session, seconds: float, place: str) -> None:
    with translated(place):
        for _told in session.notifies(timeout=seconds, stop_after=1):
            pass


def _closed(session: Session | None) -> None:
    if session is not None:
        session.close()
