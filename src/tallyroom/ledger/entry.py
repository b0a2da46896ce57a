"""What a ledger holds: drafts become entries, and an entry's canonical bytes are its public form.

Canonical bytes are JSON in UTF-8 without white space, keys sorted by code point, made of objects, lists, strings,
integers, booleans and null alone; a time is `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`. Nothing stands beside them: number,
chain, key, kind and time are inside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec

from tallyroom.faults import Fault
from tallyroom.ledger.faults import DamagedError, LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
"""What a body may hold. Exact numbers that are no integers are written as text (`"3/20"`)."""

NO_ENTRY = "0" * 64
"""`prev` of the first entry."""

BYTES_LIMIT = 1_000_000
"""Bytes of one body: pictures and files are kept elsewhere, the ledger holds their digests."""


@dataclass(frozen=True, slots=True)
class Author:
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


class Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of the canonical bytes, declared in the order they are written: sorted by name."""

    at: datetime
    author: Author
    body: msgspec.Raw
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


_SORTED = msgspec.json.Encoder(order="sorted")
_PLAIN = msgspec.json.Encoder()
_SEALED = msgspec.json.Decoder(Sealed)
_CONTENT = msgspec.json.Decoder(dict[str, Json] if TYPE_CHECKING else dict)
_LEAVES = frozenset({int, str, bool, type(None)})
_CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KEY = re.compile(r"[!-~]{1,200}")
_DIGEST = re.compile(r"[0-9a-f]{32,128}")
_NO_OFFSET = timedelta(0)


def body_bytes(draft: Draft) -> msgspec.Raw:
    """Check a draft against the contract and encode its body; needs neither number nor chain.

    Raises:
        LedgerError: it cannot be written down; names every fault.
    """
    found = _faults(draft)
    if found:
        raise LedgerError(*found)
    try:
        body = dict(draft.body)
        _only_exact(body.values())
        encoded = _SORTED.encode(body)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        what = f"the body of a {draft.kind} cannot be written down: {error}"
        remedy = 'Use integers, text, true, false, null, lists and objects; write shares as "3/20".'
        raise LedgerError(Fault(what, remedy)) from None
    if len(encoded) > BYTES_LIMIT:
        what = f"the body of a {draft.kind} is {len(encoded):,} bytes long, more than {BYTES_LIMIT:,}"
        raise LedgerError(Fault(what, "Keep pictures and files outside the ledger and enter their digests."))
    return msgspec.Raw(encoded)


def seal(draft: Draft, body: msgspec.Raw, seq: int, prev: str) -> bytes:
    """Canonical bytes of a checked draft at its place in the chain."""
    at = draft.at if draft.at.tzinfo is UTC else draft.at.astimezone(UTC)
    return _PLAIN.encode(
        Sealed(
            at, draft.author, body, draft.channel, draft.contest, draft.key, draft.kind, draft.paper,
            prev, draft.reason, draft.replaces, seq, draft.text, draft.version,
        )
    )  # fmt: skip


def read_entry(raw: bytes) -> Entry:
    """Decode canonical bytes. Trusts that they are canonical: `canonical` tells.

    Raises:
        DamagedError: not an entry.
    """
    try:
        s = _SEALED.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedError(Fault(f"not an entry: {error}", "Restore the ledger from an export or a copy.")) from None
    return Entry(
        s.seq, s.prev, s.kind, s.version, s.contest, s.at, s.key, s.author, s.channel,
        s.body, s.replaces, s.reason, s.paper, s.text, raw,
    )  # fmt: skip


def canonical(entry: Entry) -> bool:
    """Whether the bytes are exactly those this contract gives for their content."""
    try:
        draft = entry.draft()
        return seal(draft, body_bytes(draft), entry.seq, entry.prev) == entry.raw
    except (LedgerError, msgspec.DecodeError, RecursionError):
        return False


def differences(standing: Entry, draft: Draft, body: msgspec.Raw) -> list[str]:
    """Fields in which a draft differs from an entry, other than the time of recording; none: it is that entry again.

    A filing that is sent twice is received twice, so its times differ although nothing else does.
    """
    offered = read_entry(seal(replace(draft, at=standing.at), body, standing.seq, standing.prev))
    if offered.raw == standing.raw:
        return []
    same = (field for field in Sealed.__struct_fields__ if field != "body")
    found = [field for field in same if getattr(offered, field) != getattr(standing, field)]
    return [*found, "body"] if bytes(offered.body) != bytes(standing.body) else found


def _faults(draft: Draft) -> list[Fault]:
    codes = _code_faults(
        draft.kind, draft.version, draft.contest, draft.channel, draft.author.role, draft.reason, draft.paper
    )
    found = list(codes)
    if draft.at.tzinfo is not UTC and draft.at.utcoffset() != _NO_OFFSET:
        found.append(Fault(f"the time {draft.at.isoformat()} is not in UTC", "Give the recorder's clock in UTC."))
    if not (_KEY.fullmatch(draft.key) and _KEY.fullmatch(draft.author.id)):
        what = "key or author is empty, too long or has odd characters"
        found.append(Fault(what, "Use up to 200 visible ASCII characters."))
    if draft.text and not _DIGEST.fullmatch(draft.text):
        remedy = "Keep free text outside the ledger and give its salted digest in hex."
        found.append(Fault("the text is not a digest", remedy))
    return found


@lru_cache(maxsize=4096)
def _code_faults(
    kind: str, version: int, contest: str, channel: str, role: str, reason: str, paper: str
) -> tuple[Fault, ...]:
    """Faults of the fields that take few values in an evening, looked at once for each combination."""
    found = list[Fault]()
    if not all(len(code) <= 64 and _CODE.fullmatch(code) for code in (kind, channel, contest, role)):
        names = f"{kind!r}, {channel!r}, {contest!r}, {role!r}"
        found.append(Fault(f"kind, channel, contest and role are {names}", "Use small letters, digits and hyphens."))
    if reason and not _CODE.fullmatch(reason):
        remedy = "Give a code of small letters, digits and hyphens; keep the text outside."
        found.append(Fault("the reason is not a code", remedy))
    if paper and not _KEY.fullmatch(paper):
        found.append(Fault("the paper is not a digest or code", "Give the digest of the paper's picture or its code."))
    if version < 1:
        found.append(Fault(f"version {version} of {kind!r}", "Count versions from 1."))
    return tuple(found)


def _only_exact(values: Iterable[object]) -> None:
    for value in values:
        form = type(value)
        if form in _LEAVES:
            continue
        if form is dict:
            inner = cast("dict[str, object]", value).values()  # form tells
        elif form is list or form is tuple:
            inner = cast("list[object]", value)  # form tells
        else:
            raise TypeError(f"{value!r} is a {form.__name__}"[:200])
        if not _all_counts(inner):
            _only_exact(inner)


def _all_counts(values: Iterable[object]) -> bool:
    """Whether all are integers, for then their sum is one: most of a report, and three times as fast as one by one."""
    if type(next(iter(values), 0)) is not int:
        return False
    try:
        return type(sum(cast("Iterable[int]", values))) is int  # a guess that the sum proves
    except TypeError:
        return False
