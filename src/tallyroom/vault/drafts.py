"""Reports that are not filed yet: what an operator or a phone has so far, for whoever goes on with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallyroom.vault.refused import Reason, Refused
from tallyroom.vault.stored import moment, stamp

if TYPE_CHECKING:
    from datetime import datetime

    from tallyroom.vault.shelf import Row, Shelf

BODY_LIMIT = 200_000
"""Bytes of a draft: a worksheet takes a few thousand."""

_ALL = "SELECT key, unit, version, author, updated, body FROM vault_draft"


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """A report as far as it has come.

    Attributes:
        key: idempotency key, minted where it began; the filing made of it has the same.
        unit: the reporting place.
        version: counts its changes from 1.
        author: opaque id of who changed it last.
        updated: when.
        body: its content as JSON, in the form the door gave it.
    """

    key: str
    unit: str
    version: int
    author: str
    updated: datetime
    body: bytes = field(repr=False)


class Drafts:
    """The drafts of one contest."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def save(
        self, key: str, unit: str, body: bytes, by: str, at: datetime, *, version: int = 0
    ) -> SavedDraft | Refused:
        """Keep a draft as it now is.

        Args:
            key: its idempotency key.
            unit: the reporting place.
            body: its content as JSON.
            by: opaque id of who changed it.
            at: now.
            version: the version that was changed; 0 for a new one.

        Returns:
            The draft, or refused: `stale` if another version stands there, `other-unit`, `too-large`.
        """
        if len(body) > BODY_LIMIT:
            return Refused(Reason.TOO_LARGE)
        with self._shelf.changing() as changing:
            if version == 0:
                query = (
                    "INSERT INTO vault_draft (key, unit, version, author, updated, body) VALUES (?, ?, 1, ?, ?, ?)"
                    " ON CONFLICT DO NOTHING RETURNING key, unit, version, author, updated, body"
                )
                found = changing.rows(query, key, unit, by, stamp(at), body)
            else:
                query = (
                    "UPDATE vault_draft SET version = version + 1, author = ?, updated = ?, body = ?"
                    " WHERE key = ? AND unit = ? AND version = ?"
                    " RETURNING key, unit, version, author, updated, body"
                )
                found = changing.rows(query, by, stamp(at), body, key, unit, version)
        if found:
            return _draft(found[0])
        return self._objection(key, unit, body, by)

    def find(self, key: str) -> SavedDraft | None:
        """The draft with this key."""
        found = self._shelf.rows(_ALL + " WHERE key = ?", key)
        return _draft(found[0]) if found else None

    def of_unit(self, unit: str) -> tuple[SavedDraft, ...]:
        """Drafts of a place, changed last first."""
        return self._sorted(self._shelf.rows(_ALL + " WHERE unit = ?", unit))

    def everyone(self) -> tuple[SavedDraft, ...]:
        """All drafts, changed last first."""
        return self._sorted(self._shelf.rows(_ALL))

    def drop(self, key: str) -> bool:
        """Forget a draft, as when it was filed; False if there was none."""
        with self._shelf.changing() as changing:
            return changing.change("DELETE FROM vault_draft WHERE key = ?", key) == 1

    def _objection(self, key: str, unit: str, body: bytes, by: str) -> SavedDraft | Refused:
        standing = self.find(key)
        if standing is None:
            return Refused(Reason.STALE)
        if standing.unit != unit:
            return Refused(Reason.OTHER_UNIT)
        sent_again = (standing.body, standing.author) == (body, by)
        return standing if sent_again else Refused(Reason.STALE)

    def _sorted(self, found: list[Row]) -> tuple[SavedDraft, ...]:
        return tuple(sorted(map(_draft, found), key=lambda draft: (draft.updated, draft.key), reverse=True))


def _draft(row: Row) -> SavedDraft:
    key, unit, version, author, updated, body = row
    return SavedDraft(key, unit, version, author, moment(updated), body)
