"""Pictures of signed sheets, by the digest under which reports name them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.vault.faults import VaultDamagedError
from tallyroom.vault.refused import Reason, Refused
from tallyroom.vault.stored import moment, stamp

if TYPE_CHECKING:
    from datetime import datetime

    from tallyroom.vault.shelf import Row, Shelf

PICTURE_LIMIT = 4_000_000
"""Bytes of a picture: a device sends some 300,000, a scanner up to 3 million. While one goes in, the ledger waits."""

_ALL = "SELECT digest, unit, form, size, author, kept FROM vault_photo"


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture that is kept.

    Attributes:
        digest: SHA-256 (hex) of its bytes.
        unit: the place whose sheet it shows.
        form: media type, as `image/jpeg`; the door has looked whether that is true.
        size: bytes.
        author: opaque id of who sent it first.
        kept: when.
    """

    digest: str
    unit: str
    form: str
    size: int
    author: str
    kept: datetime


class Photos:
    """The photos of one contest."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def keep(self, picture: bytes, unit: str, form: str, by: str, at: datetime) -> Photo | Refused:
        """Keep a picture; one that is kept already stays as it was first sent. Refused: `too-large`, `empty`."""
        if not picture:
            return Refused(Reason.EMPTY)
        if len(picture) > PICTURE_LIMIT:
            return Refused(Reason.TOO_LARGE)
        digest = hashlib.sha256(picture).hexdigest()
        standing = self.find(digest)
        if standing is not None:
            return standing
        with self._shelf.changing() as changing:
            changing.change(
                "INSERT INTO vault_photo (digest, unit, form, size, author, kept, picture) VALUES (?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                *(digest, unit, form, len(picture), by, stamp(at), picture),
            )
        return self.find(digest) or Photo(digest, unit, form, len(picture), by, moment(stamp(at)))

    def find(self, digest: str) -> Photo | None:
        """What is known of a picture."""
        found = self._shelf.rows(_ALL + " WHERE digest = ?", digest)
        return _photo(found[0]) if found else None

    def of_unit(self, unit: str) -> tuple[Photo, ...]:
        """Pictures of a place's sheets, oldest first."""
        found = self._shelf.rows(_ALL + " WHERE unit = ?", unit)
        return tuple(sorted(map(_photo, found), key=lambda photo: (photo.kept, photo.digest)))

    def picture(self, digest: str) -> bytes | None:
        """The bytes of a picture.

        Raises:
            VaultDamagedError: they are not those that were kept.
        """
        found = self._shelf.rows("SELECT picture FROM vault_photo WHERE digest = ?", digest)
        if not found:
            return None
        picture: bytes = found[0][0]
        if hashlib.sha256(picture).hexdigest() != digest:
            what = f"photo {digest} is not what was kept"
            raise VaultDamagedError(Fault(what, "Ask for the sheet itself.", self._shelf.place))
        return picture


def _photo(row: Row) -> Photo:
    digest, unit, form, size, author, kept = row
    return Photo(digest, unit, form, size, author, moment(kept))
