"""What the vault may forget, and how: by kind, up to a time, with a note of how many and never of what."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tallyroom.vault.stored import moment, stamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from typing import LiteralString

    from tallyroom.vault.shelf import Shelf


class Kind(StrEnum):
    """A kind of record, erased as a whole."""

    PEOPLE = "people"
    """Names, numbers, roles; with a person go that person's packets, account and sessions."""
    CREDENTIALS = "credentials"
    """Packets with their keys; accounts with passwords, secrets and passkeys."""
    SESSIONS = "sessions"
    DRAFTS = "drafts"
    PHOTOS = "photos"
    CALLERS = "callers"
    THROTTLE = "throttle"
    TEXTS = "texts"
    """Free texts with their salts: without those nobody can try out what a digest of the ledger stood for."""


EVERYTHING = frozenset(Kind)
"""All kinds."""

_DELETIONS: Mapping[Kind, tuple[LiteralString, ...]] = {
    Kind.SESSIONS: ("DELETE FROM vault_session WHERE seen < ?",),
    Kind.DRAFTS: ("DELETE FROM vault_draft WHERE updated < ?",),
    Kind.PHOTOS: ("DELETE FROM vault_photo WHERE kept < ?",),
    Kind.CALLERS: ("DELETE FROM vault_caller WHERE changed < ?",),
    Kind.THROTTLE: ("DELETE FROM vault_throttle WHERE latest < ?",),
    Kind.TEXTS: ("DELETE FROM vault_text WHERE kept < ?",),
    Kind.CREDENTIALS: ("DELETE FROM vault_packet WHERE issued < ?", "DELETE FROM vault_account WHERE added < ?"),
    Kind.PEOPLE: ("DELETE FROM vault_person WHERE added < ?",),
}
"""In the order they are done: what belongs to others goes first, so that it is counted."""

_TABLES: Mapping[Kind, tuple[LiteralString, ...]] = {
    Kind.SESSIONS: ("vault_session",),
    Kind.DRAFTS: ("vault_draft",),
    Kind.PHOTOS: ("vault_photo",),
    Kind.CALLERS: ("vault_caller",),
    Kind.THROTTLE: ("vault_throttle",),
    Kind.TEXTS: ("vault_text",),
    Kind.CREDENTIALS: ("vault_packet", "vault_account", "vault_passkey"),
    Kind.PEOPLE: (
        *("vault_person", "vault_grant", "vault_phone"),
        *("vault_packet", "vault_account", "vault_passkey", "vault_session"),
    ),
}


@dataclass(frozen=True, slots=True)
class Erasure:
    """What was erased.

    Attributes:
        at: when.
        before: records older than this are gone.
        many: how many records of each kind.
        left: a sentence on what the files of the database may still hold; empty if nothing.
    """

    at: datetime
    before: datetime
    many: Mapping[Kind, int]
    left: str = ""


def erase(shelf: Shelf, kinds: Iterable[Kind], before: datetime, at: datetime, by: str) -> Erasure:
    """Delete records for good; see `Vault.erase`."""
    wanted, many = frozenset(kinds), dict[Kind, int]()
    with shelf.changing() as changing:
        for kind, deletions in _DELETIONS.items():
            if kind in wanted:
                many[kind] = sum(changing.change(deletion, stamp(before)) for deletion in deletions)
                changing.change(
                    "INSERT INTO vault_erasure (at, kind, before, author, many) VALUES (?, ?, ?, ?, ?)"
                    " ON CONFLICT (at, kind) DO UPDATE SET many = vault_erasure.many + excluded.many",
                    *(stamp(at), kind, stamp(before), by, many[kind]),
                )
    tables = {table for kind in many for table in _TABLES[kind]}
    return Erasure(moment(stamp(at)), moment(stamp(before)), many, shelf.scrub(tables))


def erasures(shelf: Shelf) -> tuple[Erasure, ...]:
    """Every erasure so far, oldest first."""
    found = dict[tuple[int, int], dict[Kind, int]]()
    for at, before, kind, many in sorted(shelf.rows("SELECT at, before, kind, many FROM vault_erasure")):
        found.setdefault((at, before), {})[Kind(kind)] = many
    return tuple(Erasure(moment(at), moment(before), many) for (at, before), many in found.items())
