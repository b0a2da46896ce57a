"""The vault of one contest: a drawer for each kind of private record, and the one way to empty them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.vault import erase as erasing
from tallyroom.vault.drafts import Drafts
from tallyroom.vault.faults import VaultError, VaultStoreError
from tallyroom.vault.mint import Mint
from tallyroom.vault.packets import Packets
from tallyroom.vault.password import Cost
from tallyroom.vault.people import People
from tallyroom.vault.photos import Photos
from tallyroom.vault.queue import Queue
from tallyroom.vault.sessions import Sessions
from tallyroom.vault.staff import Staff
from tallyroom.vault.texts import Texts
from tallyroom.vault.throttle import Throttle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime
    from types import TracebackType
    from typing import Self

    from tallyroom.vault.erase import Erasure, Kind
    from tallyroom.vault.shelf import Shelf


class Vault:
    """Private records of one contest, safe to use from many threads and by many programs at once.

    It is the same whatever database keeps the records: those differ in their `Shelf` alone. A value that is `Refused`
    changed nothing. No exception, and no `repr` of a record, repeats a private value.

    Args:
        shelf: where records are kept.
        contest: id of the contest the shelf is of.
        secret: at least 32 bytes, kept outside of the database; always the same.
        random: gives that many bytes that nobody can foretell (`secrets.token_bytes`).
        cost: of a password's hash.

    Attributes:
        contest: id of the contest.
        people: who is behind an opaque id.
        packets: what precincts prove themselves with.
        staff: accounts.
        sessions: who is signed in.
        drafts: reports not filed yet.
        photos: pictures of sheets.
        queue: waiting callers.
        throttle: wrong attempts.
        texts: free texts behind digests of the ledger.

    Raises:
        VaultError: the secret is too short.
        VaultStoreError: it is another one than the vault was made with.
    """

    def __init__(
        self, shelf: Shelf, contest: str, secret: bytes, random: Callable[[int], bytes], *, cost: Cost | None = None
    ) -> None:
        mint = Mint(secret, random)
        self.contest, self._shelf = contest, shelf
        _refuse_other_secret(shelf, mint)
        self.people = People(shelf, mint)
        self.packets = Packets(shelf, mint)
        self.staff = Staff(shelf, mint, cost or Cost())
        self.sessions = Sessions(shelf, mint)
        self.drafts = Drafts(shelf)
        self.photos = Photos(shelf)
        self.queue = Queue(shelf, mint)
        self.throttle = Throttle(shelf, mint)
        self.texts = Texts(shelf, mint)

    @property
    def place(self) -> str:
        """Where it is, as it may be shown."""
        return self._shelf.place

    def erase(self, contest: str, kinds: Iterable[Kind], before: datetime, at: datetime, *, by: str = "") -> Erasure:
        """Delete records for good and leave the ledger as it is.

        Args:
            contest: id of the contest, once more: this cannot be undone.
            kinds: which kinds of record.
            before: only those kept or last changed before this time.
            at: now.
            by: opaque id of who asked for it.

        Returns:
            How many of each kind, and what may be left in the database's files. Copies and backups are not reached.

        Raises:
            VaultError: the vault of another contest; nothing was erased.
        """
        if contest != self.contest:
            what = f"this is the vault of {self.contest}, not of {contest}"
            raise VaultError(Fault(what, "Nothing was erased. Give the contest whose records shall go.", self.place))
        return erasing.erase(self._shelf, kinds, before, at, by)

    def erasures(self) -> tuple[Erasure, ...]:
        """Every erasure so far, oldest first."""
        return erasing.erasures(self._shelf)

    def close(self) -> None:
        """Let go of the database. Closing twice is no fault."""
        self._shelf.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _refuse_other_secret(shelf: Shelf, mint: Mint) -> None:
    """Say so at once, or every code and password would be wrong on the night."""
    standing = shelf.rows("SELECT mark FROM vault_mark")
    if not standing:
        with shelf.changing() as changing:
            query = "INSERT INTO vault_mark (one, mark) VALUES (1, ?) ON CONFLICT DO NOTHING"
            changing.change(query, mint.mark())
        standing = shelf.rows("SELECT mark FROM vault_mark")
    if standing != [(mint.mark(),)]:
        what = "the secret is not the one this vault was made with"
        remedy = "Give that one: without it no code, link or password is right."
        raise VaultStoreError(Fault(what, remedy, shelf.place))
