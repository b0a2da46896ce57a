"""Free texts: the ledger names one by a salted digest, and here the digest is told what it stands for, until erased."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallyroom.vault.mint import text_digest
from tallyroom.vault.refused import Reason, Refused
from tallyroom.vault.stored import moment, stamp, writable

if TYPE_CHECKING:
    from datetime import datetime

    from tallyroom.vault.mint import Mint
    from tallyroom.vault.shelf import Shelf

LENGTH_LIMIT = 20_000
"""Characters of a text."""

_SALT_BYTES = 32
_ALL = "SELECT digest, kept, body FROM vault_text"


@dataclass(frozen=True, slots=True)
class FreeText:
    """A text that somebody wrote.

    Attributes:
        digest: SHA-256 (hex) of salt and text, as the ledger has it.
        kept: when.
        text: as written.
    """

    digest: str
    kept: datetime
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A digest that stands for nothing here.

    Attributes:
        digest: as asked for.
        sentence: why, as far as that is known.
        erased: when texts were last erased; None: never.
    """

    digest: str
    sentence: str
    erased: datetime | None = None


class Texts:
    """The free texts of one contest."""

    def __init__(self, shelf: Shelf, mint: Mint) -> None:
        self._shelf, self._mint = shelf, mint

    def keep(self, text: str, at: datetime, *, key: str = "") -> FreeText | Refused:
        """Keep a text and say its digest.

        Args:
            text: as written.
            at: now.
            key: idempotency key of the filing it belongs to. The same text sent again under the same key has the same
                digest, so that the filing is the same too; another text has a digest of its own.

        Returns:
            The text with its digest, or refused: `empty`, `too-large`, `unwritable`.
        """
        if not text:
            return Refused(Reason.EMPTY)
        if len(text) > LENGTH_LIMIT:
            return Refused(Reason.TOO_LARGE)
        if not writable(text):
            return Refused(Reason.UNWRITABLE)
        put = self._put(text, at, key or None)
        if put is not None:
            return put
        for digest, kept, standing in self._shelf.rows(_ALL + " WHERE key = ?", key):
            if standing == text:
                return FreeText(digest, moment(kept), text)
        return self._put(text, at, None) or Refused(Reason.UNWRITABLE)

    def find(self, digest: str) -> FreeText | Unresolved:
        """What a digest of the ledger stands for."""
        for found, kept, text in self._shelf.rows(_ALL + " WHERE digest = ?", digest):
            return FreeText(found, moment(kept), text)
        (erasure,) = self._shelf.rows("SELECT max(at), max(before) FROM vault_erasure WHERE kind = 'texts'")
        if erasure[0] is None:
            return Unresolved(digest, "No text with this digest is kept here.")
        at, before = moment(erasure[0]), moment(erasure[1])
        sentence = (
            f"The text cannot be read any more: texts kept before {before:%Y-%m-%d} were erased on {at:%Y-%m-%d}."
            " The ledger still proves that there was one, and when."
        )
        return Unresolved(digest, sentence, at)

    def _put(self, text: str, at: datetime, key: str | None) -> FreeText | None:
        """Keep it under a salt of its own; None: the key has a text already."""
        salt = self._mint.random(_SALT_BYTES)
        digest = text_digest(salt, text)
        with self._shelf.changing() as changing:
            put = changing.change(
                "INSERT INTO vault_text (digest, key, salt, kept, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                *(digest, key, salt, stamp(at), text),
            )
        return FreeText(digest, moment(stamp(at)), text) if put else None
