"""Who is signed in: sessions are kept here by the digest of a random token, and a browser holds nothing but that."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from tallyroom.vault.faults import ConstraintError
from tallyroom.vault.refused import Reason, Refused
from tallyroom.vault.stored import moment, stamp

if TYPE_CHECKING:
    from datetime import datetime

    from tallyroom.vault.mint import Mint
    from tallyroom.vault.shelf import Row, Shelf

SEEN_EVERY = timedelta(minutes=1)
"""How exactly it is noted when a session was last seen: a change for every request would hold up the ledger."""

_ALL = "SELECT person, unit, packet, created, seen, expires FROM vault_session"
_LIVE = (
    " AND expires > ? AND (packet = 0 OR EXISTS (SELECT 1 FROM vault_packet AS p"
    " WHERE p.unit = vault_session.unit AND p.version = vault_session.packet AND p.revoked IS NULL))"
    " AND NOT EXISTS (SELECT 1 FROM vault_account AS a"
    " WHERE a.person = vault_session.person AND a.closed IS NOT NULL)"
)
"""A session lives no longer than the packet or account that it was opened with."""


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is signed in.

    Attributes:
        person: opaque id.
        unit: the place whose packet it was opened with; empty for the staff.
        packet: version of that packet; 0 for the staff.
        created: when it was opened; a rotation does not change it.
        seen: when it was last asked for, to the minute.
        expires: when it ends, whatever happens.
    """

    person: str
    unit: str
    packet: int
    created: datetime
    seen: datetime
    expires: datetime


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A session with its token, which is told once.

    Attributes:
        session: what is kept.
        token: what the browser shall hold.
    """

    session: Session
    token: str = field(repr=False)


class Sessions:
    """The sessions of one contest."""

    def __init__(self, shelf: Shelf, mint: Mint) -> None:
        self._shelf, self._mint = shelf, mint

    def open(
        self, person: str, at: datetime, lasts: timedelta, *, unit: str = "", packet: int = 0
    ) -> OpenedSession | Refused:
        """Sign somebody in under a token of its own; refused: `no-person`.

        Args:
            person: opaque id.
            at: now.
            lasts: the longest that it may last.
            unit: the place whose packet was shown.
            packet: version of that packet.
        """
        session = Session(person, unit, packet, moment(stamp(at)), moment(stamp(at)), moment(stamp(at + lasts)))
        token = self._mint.token()
        try:
            with self._shelf.changing() as changing:
                changing.change(
                    "INSERT INTO vault_session (digest, person, unit, packet, created, seen, expires)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    self._digest(token),
                    *(person, unit, packet, stamp(at), stamp(at), stamp(at + lasts)),
                )
        except ConstraintError:
            return Refused(Reason.NO_PERSON)
        return OpenedSession(session, token)

    def find(self, token: str, at: datetime, idle: timedelta) -> Session | None:
        """The session of a token.

        None if there is none, it has expired, nobody has asked for it for `idle`, its packet was revoked, or its
        person's account was closed.
        """
        query = _ALL + " WHERE digest = ? AND seen > ?" + _LIVE
        digest = self._digest(token)
        found = self._shelf.rows(query, digest, stamp(at - idle), stamp(at))
        if not found:
            return None
        session = _session(found[0])
        if at - session.seen >= SEEN_EVERY:
            with self._shelf.changing(lasting=False) as changing:
                changing.change(
                    "UPDATE vault_session SET seen = ? WHERE digest = ? AND seen < ?", stamp(at), digest, stamp(at)
                )
        return session

    def rotate(self, token: str, at: datetime, idle: timedelta) -> OpenedSession | None:
        """Give a session another token, as after every sign-in and change of roles; the old one is dead at once.

        Of two that rotate the same token one gets the session, the other None.
        """
        fresh = self._mint.token()
        with self._shelf.changing() as changing:
            found = changing.rows(
                "UPDATE vault_session SET digest = ?, seen = ? WHERE digest = ? AND seen > ?"  # noqa: S608 - constants
                + _LIVE
                + " RETURNING person, unit, packet, created, seen, expires",
                *(self._digest(fresh), stamp(at), self._digest(token), stamp(at - idle), stamp(at)),
            )
        return OpenedSession(_session(found[0]), fresh) if found else None

    def close(self, token: str) -> bool:
        """Sign out; False if nobody was signed in under it."""
        with self._shelf.changing() as changing:
            return changing.change("DELETE FROM vault_session WHERE digest = ?", self._digest(token)) == 1

    def close_all_of(self, person: str) -> int:
        """End every session of a person; says how many."""
        with self._shelf.changing() as changing:
            return changing.change("DELETE FROM vault_session WHERE person = ?", person)

    def of_unit(self, unit: str, at: datetime) -> tuple[Session, ...]:
        """Sessions of a place that live, oldest first: a second one is a second device."""
        query = _ALL + " WHERE unit = ?" + _LIVE
        return tuple(sorted(map(_session, self._shelf.rows(query, unit, stamp(at))), key=lambda one: one.created))

    def sweep(self, at: datetime) -> int:
        """Remove sessions that have expired; says how many."""
        with self._shelf.changing(lasting=False) as changing:
            return changing.change("DELETE FROM vault_session WHERE expires <= ?", stamp(at))

    def _digest(self, token: str) -> bytes:
        return self._mint.digest("session", token)


def _session(row: Row) -> Session:
    person, unit, packet, created, seen, expires = row
    return Session(person, unit, packet, moment(created), moment(seen), moment(expires))
