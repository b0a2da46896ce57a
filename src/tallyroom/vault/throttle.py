"""How often somebody was wrong lately. Only counts are kept here: what follows from them, a door decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.vault.stored import moment, stamp

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from tallyroom.vault.mint import Mint
    from tallyroom.vault.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Failures:
    """Wrong attempts in a row within a window of time.

    Attributes:
        many: how many.
        since: when the first of them was.
        latest: when the last of them was.
    """

    many: int
    since: datetime
    latest: datetime


class Throttle:
    """Counters of one contest, by kind (`code`, `password`) and subject (an address, a place from a device).

    A subject is kept as a digest. Count by what an attacker cannot borrow: a count by unit alone would let anybody
    lock out its chair. After a loss of power the last counts may be missing.
    """

    def __init__(self, shelf: Shelf, mint: Mint) -> None:
        self._shelf, self._mint = shelf, mint

    def failed(self, kind: str, subject: str, at: datetime, window: timedelta) -> Failures:
        """Count one more wrong attempt. When the first of them is older than the window, counting begins anew."""
        old = stamp(at - window)
        query = (
            "INSERT INTO vault_throttle (kind, subject, since, failed, latest) VALUES (?, ?, ?, 1, ?)"
            " ON CONFLICT (kind, subject) DO UPDATE SET"
            " failed = CASE WHEN vault_throttle.since <= ? THEN 1 ELSE vault_throttle.failed + 1 END,"
            " since = CASE WHEN vault_throttle.since <= ? THEN excluded.since ELSE vault_throttle.since END,"
            " latest = excluded.latest RETURNING failed, since, latest"
        )
        with self._shelf.changing(lasting=False) as changing:
            found = changing.rows(query, kind, self._subject(kind, subject), stamp(at), stamp(at), old, old)
        many, since, latest = found[0]
        return Failures(many, moment(since), moment(latest))

    def failures(self, kind: str, subject: str, at: datetime, window: timedelta) -> Failures | None:
        """Wrong attempts within the window; None: there were none."""
        query = "SELECT failed, since, latest FROM vault_throttle WHERE kind = ? AND subject = ? AND since > ?"
        for many, since, latest in self._shelf.rows(query, kind, self._subject(kind, subject), stamp(at - window)):
            return Failures(many, moment(since), moment(latest))
        return None

    def forgive(self, kind: str, subject: str) -> bool:
        """Forget them, as after a right attempt; False if there were none."""
        with self._shelf.changing(lasting=False) as changing:
            query = "DELETE FROM vault_throttle WHERE kind = ? AND subject = ?"
            return changing.change(query, kind, self._subject(kind, subject)) == 1

    def sweep(self, before: datetime) -> int:
        """Remove counters whose last attempt was before a time; says how many."""
        with self._shelf.changing(lasting=False) as changing:
            return changing.change("DELETE FROM vault_throttle WHERE latest < ?", stamp(before))

    def _subject(self, kind: str, subject: str) -> bytes:
        return self._mint.digest("throttle", kind, subject)
