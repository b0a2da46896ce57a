"""The bytes of a report inside a seal: the counts in sheet order, then whatever else it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tallyroom.faults import Fault, InputError, refuse
from tallyroom.report.fits import misfits
from tallyroom.report.spoken import counts_of, report_of, worksheet
from tallyroom.report.wire import Json, decode, to_wire

if TYPE_CHECKING:
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report

_ON_LINES = ("unit", "attendance", "alignments")
_FIELDS = ("viability_number", "delegates", "values", "lots", "other_attendance", "signed", "photo", "components")
"""Fields that may follow the lines, each named by its place here to save room: the order is for ever."""


def packed(report: Report, plan: Plan) -> bytes:
    """Give the bytes of a report: a number a line (0 blank, else the count plus 1), seven bits a byte, low bits first.

    What has no line (lots, the picture's digest ...) follows in MessagePack, keyed by its place in `_FIELDS`; nothing
    follows if there is none.

    Raises:
        InputError: the report is not one of this plan, has no wire form, or a count is too large to be said.
    """
    wire = to_wire(report)
    decode(msgspec.json.encode(wire))  # what could not be opened again is not sealed
    counts = counts_of(report, plan)
    raw = b"".join(_number(0 if count is None else count + 1) for count in counts)
    on_lines = (*_ON_LINES, "delegates") if plan.elects else _ON_LINES
    rest: dict[int, Json | bytes] = {_FIELDS.index(name): value for name, value in wire.items() if name not in on_lines}
    if report.photo:
        rest[_FIELDS.index("photo")] = bytes.fromhex(report.photo)
    return raw + (msgspec.msgpack.encode(rest) if rest else b"")


def unpacked(raw: bytes, unit: str, plan: Plan) -> Report:
    """Read the bytes of a unit's report back.

    Raises:
        InputError: they are not those of a report of this plan.
    """
    try:
        counts, rest = _counts(raw, len(worksheet(plan)))
        numbered: dict[int, object] = msgspec.msgpack.decode(rest, type=dict[int, object]) if rest else {}
        more = {_FIELDS[number]: value for number, value in numbered.items()}
        if isinstance(photo := more.get("photo"), bytes):
            more["photo"] = photo.hex()
        report = decode(msgspec.json.encode({**more, **to_wire(report_of(unit, counts, plan))}))
    except (IndexError, TypeError, ValueError, msgspec.MsgspecError) as error:
        what = f"the seal is whole, but what it holds is not a report ({error})"
        raise InputError(Fault(what, "File the report by another channel.")) from None
    refuse(misfits(report, plan))
    return report


def _number(number: int) -> bytes:
    """Write a number in groups of seven bits; the eighth says that more follow."""
    raw = bytearray()
    while number > 0x7F:
        raw.append(number & 0x7F | 0x80)
        number >>= 7
    raw.append(number)
    return bytes(raw)


def _counts(raw: bytes, lines: int) -> tuple[list[int | None], bytes]:
    """Read so many numbers, and give what follows them."""
    counts: list[int | None] = []
    place = 0
    for _line in range(lines):
        number = shift = 0
        while True:
            byte = raw[place]
            place += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        counts.append(number - 1 if number else None)
    return counts, raw[place:]
