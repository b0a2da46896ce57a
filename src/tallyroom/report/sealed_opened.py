"""What sealed parts say when they arrive: a report, the parts still missing, or what is wrong with them."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.faults import Fault, InputError
from tallyroom.report import sealed
from tallyroom.report.sealed_body import unpacked
from tallyroom.report.sealed_letters import bytes_of
from tallyroom.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report

_FORM = re.compile(r"TR([0-9]{1,3})-([0-9]{1,2})/([0-9]{1,2})-(\w*)", re.ASCII | re.IGNORECASE)
_START = re.compile(r"TR[0-9]{1,3}\b", re.IGNORECASE)
_AGAIN = "Ask for it again, or take the numbers by telephone."
_LONGEST = 10_000


@dataclass(frozen=True, slots=True)
class Unsealed:
    """A report whose seal is whole.

    Attributes:
        filing_key: the idempotency key that came with it.
        notes: sentences on what was put right on the way (a part that came twice).
    """

    report: Report
    filing_key: bytes
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """Parts that are whole, and not yet all there."""

    unit: str
    filing_key: bytes
    missing: tuple[int, ...]
    parts: int

    def __str__(self) -> str:
        """Say what is missing."""
        which = f"part{'s' if len(self.missing) > 1 else ''} {listed(map(str, self.missing))} of {self.parts}"
        return f"{which} of the report of {self.unit} did not arrive yet. Ask for {which} to be sent again."


@dataclass(frozen=True, slots=True)
class Broken:
    """Parts that cannot be taken, and why; nothing of them counts."""

    faults: tuple[Fault, ...]

    def __str__(self) -> str:
        """Give all faults, a line each."""
        return "\n".join(map(str, self.faults))


@dataclass(frozen=True, slots=True)
class _Part:
    number: int
    parts: int
    unit: str
    header: sealed.Header
    piece: bytes


def unseal(texts: Sequence[str], plan: Plan, keys: Mapping[str, Sequence[bytes]]) -> Unsealed | Waiting | Broken:
    """Open the parts of one report, in any order; a link is one part.

    Args:
        texts: each a link, or a text as it came: small letters, blanks and line breaks inside do no harm.
        plan: the contest they must be of.
        keys: the sealing keys in force of each unit; those of a revoked packet are not among them.
    """
    found = [_opened(text, plan, keys) for text in texts]
    faults = tuple(part for part in found if isinstance(part, Fault))
    if faults or not found:
        return Broken(faults or (Fault("there is no sealed report in this", _AGAIN),))
    parts = [part for part in found if isinstance(part, _Part)]
    if strange := _strange(parts):
        return Broken((strange,))
    first = parts[0]
    pieces = {part.number: part.piece for part in parts}
    if missing := tuple(number for number in range(1, first.parts + 1) if number not in pieces):
        return Waiting(first.unit, first.header.filing, missing, first.parts)
    body = b"".join(pieces[number] for number in sorted(pieces))
    if hashlib.sha256(body).digest()[:4] != first.header.whole:
        return Broken((Fault("these parts are not those of one report", _AGAIN),))
    try:
        report = unpacked(body, first.unit, plan)
    except InputError as error:
        return Broken(error.faults)
    twice = [number for number in pieces if sum(part.number == number for part in parts) > 1]
    notes = tuple(f"Part {number} came more than once; the copies are the same." for number in twice)
    return Unsealed(report, first.header.filing, notes)


def _opened(text: str, plan: Plan, keys: Mapping[str, Sequence[bytes]]) -> _Part | Fault:
    """Open one part, or say what is wrong with it."""
    compact = re.sub(r"\s", "", text[:_LONGEST]).rpartition("#")[2]
    form = _FORM.fullmatch(compact)
    if form is None:
        if _START.match(compact):
            return Fault("this sealed report was cut or changed on the way: its beginning is not whole", _AGAIN)
        return Fault("this is not a sealed report: one begins with TR1-", "Send the whole text or link, unchanged.")
    version, number, parts = (int(digits) for digits in form.groups()[:3])
    if version != sealed.VERSION:
        remedy = f"This room reads form {sealed.VERSION}: update whichever side is older, or report by telephone."
        return Fault(f"this report is sealed in form {version}", remedy)
    name = f"part {number} of {parts}" if parts > 1 else "the sealed report"
    if not 1 <= number <= parts <= sealed.PARTS_LIMIT:
        return Fault(f"{name}: there is no such part", _AGAIN)
    try:
        raw = bytes_of(form[4])
        header = sealed.Header.read(raw[: -sealed.TAG_BYTES])
    except ValueError as error:
        return Fault(f"{name} was cut or changed on the way: {error}", _AGAIN)
    return _checked(name, (number, parts), header, raw, plan, keys)


def _checked(
    name: str,
    part: tuple[int, int],
    header: sealed.Header,
    raw: bytes,
    plan: Plan,
    keys: Mapping[str, Sequence[bytes]],
) -> _Part | Fault:
    """Hold a part to the contest, the unit and the keys in force."""
    if header.contest != sealed.contest_mark(plan):
        return Fault(f"{name} is not of contest {plan.contest}", "Send it to the room of its own contest.")
    if header.sheet != sealed.sheet_mark(plan):
        what = f"{name} was made from another sheet of {plan.contest}: its groups or stages are not those in force"
        return Fault(what, "Take the numbers by telephone, line by line.")
    units = [unit for unit in plan.units if sealed.unit_mark(unit) == header.unit]
    if not units:
        return Fault(f"{name} is of a place that {plan.contest} does not have", _AGAIN)
    if not any(keys.get(unit) for unit in units):
        what = f"{name} is of {units[0]}, which has no sealing key in force"
        return Fault(what, "See whether its packet was revoked, and call the chair.")
    inside, given = raw[: -sealed.TAG_BYTES], raw[-sealed.TAG_BYTES :]
    for unit in units:
        for key in keys.get(unit, ()):
            if hmac.compare_digest(sealed.tag(key, unit, plan, part, inside), given):
                return _Part(*part, unit, header, inside[sealed.HEADER_BYTES :])
    what = f"{name} of {units[0]} was cut or changed on the way, or sealed with a key that is not in force"
    return Fault(what, _AGAIN)


def _strange(parts: Sequence[_Part]) -> Fault | None:
    """Say why parts that are each whole do not belong together."""
    first = parts[0]
    for part in parts[1:]:
        if part.unit != first.unit:
            return Fault(
                f"these parts are of two places, {first.unit} and {part.unit}", "Open those of each by itself."
            )
        if part.header.filing != first.header.filing:
            return Fault(f"these parts are of two filings of {first.unit}", "Open those of each filing by itself.")
        if part.header.whole != first.header.whole or part.parts != first.parts:
            what = f"one filing of {first.unit} came with two contents"
            return Fault(what, "Call the chair: a changed report must be a filing of its own.")
    return None
