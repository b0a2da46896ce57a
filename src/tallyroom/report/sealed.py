"""A report sealed with its precinct's key: a link or a few texts that anybody may carry and read, and nobody change.

A part is `TR1-2/3-` and letters: the marks of contest, sheet and unit, the filing's key, the mark of the whole, a piece
of the report, and a tag over all of it. Each part is checked by itself. Decision 10 says why it is so.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.faults import Fault, InputError
from tallyroom.report.sealed_body import packed
from tallyroom.report.sealed_letters import letters_of
from tallyroom.report.spoken import worksheet

if TYPE_CHECKING:
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report

VERSION = 1
"""Version of the sealed form; it stands in the clear and inside the tag."""
TEXT_LIMIT = 160
"""Letters of one text message in GSM-7."""
PARTS_LIMIT = 9
"""Texts that one report may take: more would not all arrive."""
LINK_LIMIT = 2_000
"""Letters of a link that phones in a room still read from a screen."""
KEY_BYTES = 32
"""Length of a precinct's sealing key."""
FILING_BYTES = 16
"""Length of a filing's key, as a UUID has it."""
TAG_BYTES = 12
_DOMAIN = b"tallyroom sealed report\n"


@dataclass(frozen=True, slots=True)
class Header:
    """What every part says of the report it belongs to. The marks are short digests: the tag covers the names in full.

    Attributes:
        contest: 2 bytes.
        sheet: 2 bytes, of the lines and their order.
        unit: 5 bytes.
        filing: the filing's idempotency key, 16 bytes.
        whole: 4 bytes of the report's digest: parts of two versions never make a third.
    """

    contest: bytes
    sheet: bytes
    unit: bytes
    filing: bytes
    whole: bytes

    def __bytes__(self) -> bytes:
        """Give all of it in order."""
        return self.contest + self.sheet + self.unit + self.filing + self.whole

    @staticmethod
    def read(raw: bytes) -> Header:
        """Take a header apart.

        Raises:
            ValueError: it is too short.
        """
        if len(raw) < HEADER_BYTES:
            raise ValueError("it is too short")
        return Header(raw[:2], raw[2:4], raw[4:9], raw[9:25], raw[25:29])


HEADER_BYTES = 2 + 2 + 5 + FILING_BYTES + 4


def contest_mark(plan: Plan) -> bytes:
    """Give the mark of a contest."""
    return _digest("contest", plan.contest)[:2]


def sheet_digest(plan: Plan) -> bytes:
    """Give the digest of a contest's sheet: its lines in order. A group added later makes another sheet."""
    return _digest("sheet", *(f"{line.column}:{line.stage}:{line.group}" for line in worksheet(plan)))


def sheet_mark(plan: Plan) -> bytes:
    """Give the mark of a contest's sheet."""
    return sheet_digest(plan)[:2]


def unit_mark(unit: str) -> bytes:
    """Give the mark of a unit: two of 1,765 units share one once in 700,000 contests, and then the tag decides."""
    return _digest("unit", unit)[:5]


def prefix(part: int, parts: int) -> str:
    """Give what stands before the letters of a part."""
    return f"TR{VERSION}-{part}/{parts}-"


def tag(key: bytes, unit: str, plan: Plan, part: tuple[int, int], sealed: bytes) -> bytes:
    """Give the tag of a part: HMAC-SHA-256, cut to 96 bits, over the names in full, the numbering and the bytes.

    `part` is its number and how many there are, `sealed` its header and piece.

    Raises:
        ValueError: the key has not `KEY_BYTES` bytes.
    """
    if len(key) != KEY_BYTES:
        raise ValueError(f"a sealing key has {KEY_BYTES} bytes, not {len(key)}")
    names = _digest("names", plan.contest, unit) + sheet_digest(plan)
    return hmac.digest(key, _DOMAIN + names + prefix(*part).encode() + sealed, "sha256")[:TAG_BYTES]


def seal_link(report: Report, plan: Plan, unit_key: bytes, filing_key: bytes, address: str) -> str:
    """Give a report as a link to `address`. It stands behind `#`, which no browser sends and no server logs.

    Raises:
        InputError: the report is not one of this plan, or too long for a link.
        ValueError: a key of another length.
    """
    (part,) = _parts(report, plan, unit_key, filing_key, None)
    link = f"{address}#{part}"
    if len(link) > LINK_LIMIT:
        what = f"the link would have {len(link):,} letters, and phones read {LINK_LIMIT:,} from a screen"
        raise InputError(Fault(what, "File the report by another channel."))
    return link


def seal_texts(report: Report, plan: Plan, unit_key: bytes, filing_key: bytes) -> tuple[str, ...]:
    """Give a report as numbered texts of at most 160 letters of GSM-7.

    Raises:
        InputError: the report is not one of this plan, or takes more than `PARTS_LIMIT` texts.
        ValueError: a key of another length.
    """
    room = (TEXT_LIMIT - len(prefix(PARTS_LIMIT, PARTS_LIMIT))) * 5 // 8 - HEADER_BYTES - TAG_BYTES
    texts = _parts(report, plan, unit_key, filing_key, room)
    if len(texts) > PARTS_LIMIT:
        what = f"the report would take {len(texts)} texts, and not more than {PARTS_LIMIT} are sent"
        raise InputError(Fault(what, "File it by another channel, or without what has no line on the sheet."))
    return texts


def _parts(report: Report, plan: Plan, unit_key: bytes, filing_key: bytes, room: int | None) -> tuple[str, ...]:
    """Cut a report into pieces of so many bytes, or none at all, and seal each."""
    if len(filing_key) != FILING_BYTES:
        raise ValueError(f"a filing's key has {FILING_BYTES} bytes, not {len(filing_key)}")
    body = packed(report, plan)
    room = room or len(body)
    whole = hashlib.sha256(body).digest()[:4]
    header = bytes(Header(contest_mark(plan), sheet_mark(plan), unit_mark(report.unit), filing_key, whole))
    pieces = [body[start : start + room] for start in range(0, len(body), room)]
    sealed: list[str] = []
    for number, piece in enumerate(pieces, start=1):
        raw = header + piece
        part = (number, len(pieces))
        sealed.append(prefix(*part) + letters_of(raw + tag(unit_key, report.unit, plan, part, raw)))
    return tuple(sealed)


def _digest(kind: str, *words: str) -> bytes:
    """Give the SHA-256 of words that hold no line break."""
    return hashlib.sha256("\n".join((kind, *words)).encode()).digest()
