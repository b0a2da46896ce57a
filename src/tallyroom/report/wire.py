"""The JSON form of a report, version 1: what stands in a ledger entry. Absent or null is blank; 0 was counted.

No field takes free text, so no name or number of a person can enter a ledger with a report.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, TypeAlias

import msgspec

from tallyroom.award.outcome import TieKind
from tallyroom.exact import COUNT_LIMIT
from tallyroom.faults import Fault, InputError
from tallyroom.report.record import RecordedLot, Report

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

VERSION = 1
"""Version of the form; an older one stays readable for ever."""

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=COUNT_LIMIT)]
DECIMAL = r"^(0|[1-9][0-9]{0,6})(\.[0-9]{1,12})?\Z"
Decimal: TypeAlias = Annotated[str, msgspec.Meta(pattern=DECIMAL)]
_ID, _WHOLE = r"[a-z0-9]+(?:-[a-z0-9]+)*", r"[1-9][0-9]{0,40}"
_ID_LIMIT = 64
Id: TypeAlias = Annotated[str, msgspec.Meta(pattern=rf"^{_ID}\Z", max_length=_ID_LIMIT)]
Unit: TypeAlias = Annotated[str, msgspec.Meta(pattern=rf"^{_ID}\Z", max_length=120)]
"""Ids of places are made of names, and some names are long."""
TIE = rf"^(?:{'|'.join(TieKind)}):[1-9][0-9]{{0,4}}:{_ID}(?:\+{_ID})+@(?:0|-?{_WHOLE}(?:/{_WHOLE})?)\Z"
"""The form of `award.Tie.id`."""
Tie: TypeAlias = Annotated[str, msgspec.Meta(pattern=TIE, max_length=10_000)]
Digest: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^(?:[0-9a-f]{32,128})?\Z")]
Keyed: TypeAlias = "Mapping[str, object]"
Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"


class _Lot(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    tie: Tie
    drawn: list[Id]


class _Report(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    unit: Unit
    alignments: dict[str, dict[str, Count]]  # keys: see `_stray_key`
    attendance: Count | None = None
    viability_number: Count | None = None
    delegates: dict[str, Count] | None = None
    values: dict[str, Decimal] | None = None
    lots: list[_Lot] = msgspec.field(default_factory=list[_Lot])
    other_attendance: dict[str, Count] = msgspec.field(default_factory=dict[str, int])
    signed: list[Id] = msgspec.field(default_factory=list[str])
    photo: Digest = ""
    components: dict[str, dict[str, dict[str, Count]]] = msgspec.field(
        default_factory=dict[str, dict[str, dict[str, int]]]
    )


_decoder = msgspec.json.Decoder(_Report)
_decimal_text = re.compile(DECIMAL)
_id_text = re.compile(_ID)


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
    except (msgspec.DecodeError, RecursionError) as error:
        raise _no_report(str(error).rstrip("."), file) from None
    if stray := _stray_key(found):
        raise _no_report(stray, file)
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
        found.components,
    )


def _no_report(why: str, file: str) -> InputError:
    return InputError(Fault(f"this is not a report: {why}", "Correct the field named and send the report again.", file))


def _stray_key(found: _Report) -> str:
    """Say which field has a key that is no id.

    Left to the decoder, keys would make it four times as slow; those of one contest are the same few all night.
    """
    alignments = found.alignments
    fields = (
        ("alignments", alignments),
        ("delegates", found.delegates),
        ("values", found.values),
        ("other_attendance", found.other_attendance),
        *(("alignments[...]", people) for people in alignments.values()),
        *_component_keys(found.components),
    )
    for field, keyed in fields:
        if keyed and not _are_ids(tuple(keyed)):
            return f"Expected ids of small letters, digits and hyphens - at the keys of `$.{field}`"
    return ""


def _component_keys(components: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Iterator[tuple[str, Keyed]]:
    """Give what has keys in the components: nothing at all in nearly every report."""
    if components:
        yield "components", components
        for stages in components.values():
            yield "components[...]", stages
            yield from (("components[...][...]", people) for people in stages.values())


@lru_cache(maxsize=1024)
def _are_ids(names: tuple[str, ...]) -> bool:
    return all(len(name) <= _ID_LIMIT and _id_text.fullmatch(name) for name in names)


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
        "components": {
            name: {stage: dict(people) for stage, people in parts.items()} for name, parts in report.components.items()
        }
        or None,
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
