"""What a precinct proves itself with: a printed packet of link, short code and passphrase, and the key it seals with.

The vault keeps digests; what is printed is told once, to whoever issues the packet. A packet that is lost is revoked
by issuing the next version, and a revoked one is still found, so that its bearer can be told what to do.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.vault.code import read_code
from tallyroom.vault.faults import ConstraintError, VaultStoreError
from tallyroom.vault.refused import Reason, Refused
from tallyroom.vault.stored import moment, moment_or_none, stamp

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import LiteralString

    from tallyroom.vault.mint import Mint
    from tallyroom.vault.shelf import Row, Shelf, Value

SEAL_BYTES = 32
"""Bytes of the key a precinct seals its reports with."""

_ALL = "SELECT unit, version, person, issued, filed, revoked, seal FROM vault_packet"
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet as it is known after it was printed.

    Attributes:
        unit: the reporting place.
        version: counts the packets of a unit from 1.
        person: opaque id of the chair.
        issued: when.
        filed: when the first filing came in under it; from then on a link alone opens nothing new. None: not yet.
        revoked: since when it is good for nothing; None: it is good.
    """

    unit: str
    version: int
    person: str
    issued: datetime
    filed: datetime | None = None
    revoked: datetime | None = None

    @property
    def good(self) -> bool:
        """Whether it may be used."""
        return self.revoked is None


@dataclass(frozen=True, slots=True)
class IssuedPacket:
    """A packet with what is to be printed on it: this value is all there is of it.

    Attributes:
        packet: what is kept.
        link: the secret of the link in its QR code.
        code: the short code, as printed.
        passphrase: words to say on the telephone.
        seal: the key that the precinct's reports are sealed with.
    """

    packet: Packet
    link: str = field(repr=False)
    code: str = field(repr=False)
    passphrase: str = field(repr=False)
    seal: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class SealingKey:
    """The key one packet seals with.

    Attributes:
        packet: whose it is; a report sealed under a revoked one was sealed by a packet that was lost.
        key: 32 bytes.
    """

    packet: Packet
    key: bytes = field(repr=False)


class Packets:
    """The packets of one contest."""

    def __init__(self, shelf: Shelf, mint: Mint) -> None:
        self._shelf, self._mint = shelf, mint

    def issue(self, unit: str, person: str, at: datetime, words: Sequence[str]) -> IssuedPacket | Refused:
        """Make the next packet of a unit; all before it are revoked in the same moment.

        Args:
            unit: the reporting place.
            person: id of its chair.
            at: now.
            words: the dictionary of the passphrase, in the chair's language.

        Returns:
            The packet with its secrets, or refused: `no-person`.
        """
        for _ in range(_TRIES):  # two programs may take one version, and a code is drawn twice once in a blue moon
            made = self._made(unit, person, at, words)
            try:
                return self._put(made)
            except ConstraintError:
                if not self._shelf.rows("SELECT 1 FROM vault_person WHERE id = ?", person):
                    return Refused(Reason.NO_PERSON)
        what = "packets of this unit are issued somewhere else at the same time"
        raise VaultStoreError(Fault(what, "Issue it again.", self._shelf.place))

    def revoke(self, unit: str, at: datetime) -> int:
        """Make every packet of a unit worthless; says how many still were good."""
        with self._shelf.changing() as changing:
            return changing.change(
                "UPDATE vault_packet SET revoked = ? WHERE unit = ? AND revoked IS NULL", stamp(at), unit
            )

    def by_link(self, link: str) -> Packet | None:
        """The packet of a link, revoked or not. Asking uses nothing up: mail programs open links too."""
        return self._one(_ALL + " WHERE link = ?", self._mint.digest("link", link))

    def by_code(self, typed: str) -> Packet | None:
        """The packet of a short code, however it was typed, revoked or not."""
        code = read_code(typed)
        if code is None:
            return None
        return self._one(_ALL + " WHERE code = ?", self._mint.digest("code", code))

    def by_passphrase(self, unit: str, said: str) -> Packet | None:
        """The packet of a unit whose passphrase was said, newest first, revoked or not."""
        digest = self._mint.digest("passphrase", unit, _plain(said))
        return self._one(_ALL + " WHERE unit = ? AND passphrase = ? ORDER BY version DESC", unit, digest)

    def current(self, unit: str) -> Packet | None:
        """The newest packet of a unit, revoked or not."""
        return self._one(_ALL + " WHERE unit = ? ORDER BY version DESC LIMIT 1", unit)

    def everyone(self) -> tuple[Packet, ...]:
        """All packets, by unit and version."""
        return tuple(sorted(map(_packet, self._shelf.rows(_ALL)), key=_place))

    def seal_of(self, unit: str, version: int) -> SealingKey | None:
        """The key that one version of a unit's packet seals with."""
        found = self._shelf.rows(_ALL + " WHERE unit = ? AND version = ?", unit, version)
        return SealingKey(_packet(found[0]), found[0][-1]) if found else None

    def filed(self, unit: str, version: int, at: datetime) -> Packet | None:
        """Note the first filing under a packet; a later one changes nothing. None: there is no such packet."""
        with self._shelf.changing() as changing:
            changing.change(
                "UPDATE vault_packet SET filed = ? WHERE unit = ? AND version = ? AND filed IS NULL",
                stamp(at),
                unit,
                version,
            )
        return self._one(_ALL + " WHERE unit = ? AND version = ?", unit, version)

    def _made(self, unit: str, person: str, at: datetime, words: Sequence[str]) -> IssuedPacket:
        newest = self.current(unit)
        packet = Packet(unit, newest.version + 1 if newest else 1, person, moment(stamp(at)))
        mint = self._mint
        return IssuedPacket(packet, mint.token(), mint.code(), mint.passphrase(words), mint.random(SEAL_BYTES))

    def _put(self, made: IssuedPacket) -> IssuedPacket:
        packet, mint = made.packet, self._mint
        with self._shelf.changing() as changing:
            changing.change(
                "UPDATE vault_packet SET revoked = ? WHERE unit = ? AND revoked IS NULL",
                stamp(packet.issued),
                packet.unit,
            )
            changing.change(
                "INSERT INTO vault_packet (unit, version, person, link, code, passphrase, seal, issued)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                packet.unit,
                packet.version,
                packet.person,
                mint.digest("link", made.link),
                mint.digest("code", made.code.replace("-", "")),
                mint.digest("passphrase", packet.unit, _plain(made.passphrase)),
                made.seal,
                stamp(packet.issued),
            )
        return made

    def _one(self, query: LiteralString, *values: Value) -> Packet | None:
        found = self._shelf.rows(query, *values)
        return _packet(found[0]) if found else None


def _packet(row: Row) -> Packet:
    unit, version, person, issued, filed, revoked, _seal = row
    return Packet(unit, version, person, moment(issued), moment_or_none(filed), moment_or_none(revoked))


def _place(packet: Packet) -> tuple[str, int]:
    return packet.unit, packet.version


def _plain(said: str) -> str:
    """A passphrase as it is compared: small letters without accents, one blank between words."""
    letters = unicodedata.normalize("NFKD", said.replace(",", " ").replace("-", " "))
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).casefold().split())
