"""The JSON form of a report, version 1: what stands in a ledger entry. Absent or null is blank; 0 was counted."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, TypeAlias

import msgspec

from tallyroom.exact import COUNT_LIMIT
from tallyroom.faults import Fault, InputError
from tallyroom.report.record import RecordedLot, Report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VERSION = 1
"""Version of the form; an older one stays readable for ever."""

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=COUNT_LIMIT)]
DECIMAL = r"^(0|[1-9][0-9]{0,6})(\.[0-9]{1,12})?$"
Decimal: TypeAlias = Annotated[str, msgspec.Meta(pattern=DECIMAL)]
Id: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]+$", max_length=200)]
Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"


class _Lot(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    tie: str
    drawn: list[Id]


class _Report(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    unit: Id
    alignments: dict[str, dict[str, Count]]
    attendance: Count | None = None
    viability_number: Count | None = None
    delegates: dict[str, Count] | None = None
    values: dict[str, Decimal] | None = None
    lots: list[_Lot] = msgspec.field(default_factory=list[_Lot])
    other_attendance: dict[str, Count] = msgspec.field(default_factory=dict[str, int])
    signed: list[str] = msgspec.field(default_factory=list[str])
    photo: str = ""


_decoder = msgspec.json.Decoder(_Report)
_decimal_text = re.compile(DECIMAL)


def parse_decimal(text: str) -> Fraction:
    """Read a value as it may stand on a sheet: 0 or more, at most 12 decimals.

    Raises:
        ValueError: not such a decimal.
    """
    if not _decimal_text.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a decimal such as 0.0784")
    return Fraction(text)


def decode(raw: bytes | memoryview | msgspec.Raw, file: str = "") -> Report:
    """Read a report from its JSON bytes.

    Raises:
        InputError: not such a report; says which field, and what to do.
    """
    try:
        found = _decoder.decode(raw)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        what = f"this is not a report: {str(error).rstrip('.')}"
        raise InputError(Fault(what, "Correct the field named and send the report again.", file)) from None
    values = None if found.values is None else {group: Fraction(text) for group, text in found.values.items()}
    lots = tuple(RecordedLot(lot.tie, tuple(lot.drawn)) for lot in found.lots) if found.lots else ()
    return Report(
        found.unit,
        found.alignments,
        found.attendance,
        found.viability_number,
        found.delegates,
        values,
        lots,
        found.other_attendance,
        tuple(found.signed),
        found.photo,
    )


def to_wire(report: Report) -> dict[str, Json]:
    """Give the JSON object of a report; blanks are left out, so equal reports have equal bytes."""
    wire: dict[str, Json] = {
        "unit": report.unit,
        "alignments": {stage: dict(people) for stage, people in report.alignments.items()},
        "attendance": report.attendance,
        "viability_number": report.viability_number,
        "delegates": None if report.delegates is None else dict(report.delegates),
        "values": None if report.values is None else {group: _decimal(value) for group, value in report.values.items()},
        "lots": [{"tie": lot.tie, "drawn": list(lot.drawn)} for lot in report.lots] or None,
        "other_attendance": dict(report.other_attendance) or None,
        "signed": list(report.signed) or None,
        "photo": report.photo or None,
    }
    return {key: value for key, value in wire.items() if value is not None}


def _decimal(value: Fraction) -> str:
    """Write an exact decimal; a fraction that has none cannot stand on a sheet."""
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        raise ValueError(f"{value} has no exact decimal form")
    places = max(twos, fives)
    digits = str(value.numerator * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits
