"""What a ledger holds: drafts become entries, and an entry's canonical bytes are its public form.

Canonical bytes are JSON in UTF-8 without white space, keys sorted by code point, made of objects, lists, strings,
integers, booleans and null alone; a time is `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`. Nothing stands beside them: number,
chain, key, kind and time are inside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

import msgspec

from tallyroom.faults import Fault
from tallyroom.ledger.faults import DamagedError, LedgerError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
"""What a body may hold. Exact numbers that are no integers are written as text (`"3/20"`)."""

NO_ENTRY = "0" * 64
"""`prev` of the first entry."""

BYTES_LIMIT = 1_000_000
"""Bytes of one entry: pictures and files are kept elsewhere, the ledger holds their digests."""

T = TypeVar("T")


class Author(msgspec.Struct, frozen=True, gc=False):
    """Who filed it: an opaque id of this contest and the role it was filed in; never a name, number or address."""

    id: str
    role: str


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be entered, before it has a number.

    Attributes:
        kind: stable name of the body's form, `[a-z0-9-]+`.
        version: version of that form, from 1.
        contest: id of the contest.
        at: when it was recorded, UTC, by the recorder's clock.
        key: idempotency key, minted where the filing began; the same filing sent again has the same key.
        author: who filed it.
        channel: how it came (`app`, `operator`, `paper`), `[a-z0-9-]+`.
        body: its content in the form that `kind` and `version` name.
        replaces: number of the entry that this one corrects.
        reason: why, as a code, `[a-z0-9-]+`.
        paper: digest or code of the paper it rests on.
        text: salted digest (hex) of free text kept outside the ledger.
    """

    kind: str
    version: int
    contest: str
    at: datetime
    key: str
    author: Author
    channel: str
    body: Mapping[str, Json]
    replaces: int | None = None
    reason: str = ""
    paper: str = ""
    text: str = ""


class Sealed(msgspec.Struct, Generic[T], frozen=True, gc=False, forbid_unknown_fields=True):
    """The fields of the canonical bytes, declared in the order they are written: sorted by name."""

    at: datetime
    author: Author
    body: T
    channel: str
    contest: str
    key: str
    kind: str
    paper: str
    prev: str
    reason: str
    replaces: int | None
    seq: int
    text: str
    version: int


class Entry(msgspec.Struct, frozen=True):
    """One line of the ledger. A msgspec struct, not a dataclass: a whole night is decoded at once.

    Attributes:
        seq: its number, counted from 0 without gaps.
        prev: leaf hash (hex) of the entry before it; 64 zeros in the first.
        body: JSON bytes of the content; a reader decodes them once, into a type of its own.
        raw: canonical bytes, the public form.

    The other fields are those of `Draft`.
    """

    seq: int
    prev: str
    kind: str
    version: int
    contest: str
    at: datetime
    key: str
    author: Author
    channel: str
    body: msgspec.Raw
    replaces: int | None
    reason: str
    paper: str
    text: str
    raw: bytes

    def draft(self) -> Draft:
        """The draft this entry was made of; entering it again, in order, gives the same bytes."""
        return Draft(
            self.kind, self.version, self.contest, self.at, self.key, self.author, self.channel,
            _CONTENT.decode(self.body), self.replaces, self.reason, self.paper, self.text,
        )  # fmt: skip


class Head(msgspec.Struct, frozen=True, gc=False):
    """State of a whole ledger: how many entries, and the root (hex) of their tree."""

    count: int
    root: str


class Receipt(msgspec.Struct, frozen=True, gc=False):
    """Proof for the sender that an entry is on disk.

    Attributes:
        seq: number of the entry.
        leaf: its leaf hash (hex).
        head: head of the ledger after the commit that answered; it covers the entry.
        repeated: the same filing was there before, and `seq` and `leaf` are those of its first coming.
    """

    seq: int
    leaf: str
    head: Head
    repeated: bool = False


_CANONICAL = msgspec.json.Encoder(order="deterministic")  # objects sorted; `Sealed` and `Author` are declared so
_SEALED = msgspec.json.Decoder(Sealed[msgspec.Raw])
_CONTENT = msgspec.json.Decoder(dict[str, Json] if TYPE_CHECKING else dict)


def seal(draft: Draft, seq: int, prev: str) -> bytes:
    """Canonical bytes of a draft at its place in the chain. Trusts that it keeps the contract: `contract.check` tells.

    Raises:
        LedgerError: its text cannot be encoded, or it is too long.
    """
    at = draft.at if draft.at.tzinfo is UTC else draft.at.astimezone(UTC)
    sealed = Sealed(
        at, draft.author, dict(draft.body), draft.channel, draft.contest, draft.key, draft.kind, draft.paper,
        prev, draft.reason, draft.replaces, seq, draft.text, draft.version,
    )  # fmt: skip
    try:
        raw = _CANONICAL.encode(sealed)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise LedgerError(unwritable(draft, error)) from None
    if len(raw) > BYTES_LIMIT:
        what = f"a {draft.kind} is {len(raw):,} bytes long, more than {BYTES_LIMIT:,}"
        raise LedgerError(Fault(what, "Keep pictures and files outside the ledger and enter their digests."))
    return raw


def unwritable(draft: Draft, error: Exception) -> Fault:
    """The fault of a body that has no canonical bytes."""
    what = f"the body of a {draft.kind} cannot be written down: {error}"
    return Fault(what, 'Use integers, text, true, false, null, lists and objects; write shares as "3/20".')


def read_entry(raw: bytes) -> Entry:
    """Decode canonical bytes. Trusts that they are canonical: `contract.canonical` tells.

    Raises:
        DamagedError: not an entry.
    """
    try:
        s = _SEALED.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedError(Fault(f"not an entry: {error}", "Restore the ledger from an export or a copy.")) from None
    return Entry(
        s.seq, s.prev, s.kind, s.version, s.contest, s.at, s.key, s.author, s.channel,
        s.body, s.replaces, s.reason, s.paper, s.text, raw,
    )  # fmt: skip


def differences(standing: Entry, draft: Draft) -> list[str]:
    """Fields in which a draft differs from an entry, other than the time of recording; none: it is that entry again.

    A filing that is sent twice is received twice, so its times differ although nothing else does.
    """
    offered = read_entry(seal(replace(draft, at=standing.at), standing.seq, standing.prev))
    if offered.raw == standing.raw:
        return []
    same = (field for field in Sealed.__struct_fields__ if field != "body")
    found = [field for field in same if getattr(offered, field) != getattr(standing, field)]
    return [*found, "body"] if bytes(offered.body) != bytes(standing.body) else found
