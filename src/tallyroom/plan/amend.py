"""A plan changes by amendments: dated entries of the ledger, each giving a new plan with a digest of its own.

Nothing is changed in place, so a past moment keeps the plan that was in force then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tallyroom.exact import COUNT_LIMIT, parse_fraction, ratio
from tallyroom.faults import Fault, InputError
from tallyroom.plan.readings import closest
from tallyroom.plan.types import Sharing, Unit

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tallyroom.plan.types import Plan

VERSION = 1
"""Version of the wire form; an older one stays readable for ever."""


@dataclass(frozen=True, slots=True)
class AreaWeight:
    """An area gets another weight."""

    area: str
    weight: Fraction


@dataclass(frozen=True, slots=True)
class UnitDelegates:
    """A unit elects another number of delegates."""

    unit: str
    delegates: int


@dataclass(frozen=True, slots=True)
class UnitAdded:
    """A place reports that was not in the plan."""

    unit: str
    area: str
    name: str
    kind: str = "precinct"
    delegates: int | None = None


@dataclass(frozen=True, slots=True)
class UnitClosed:
    """A place does not meet; its report, if there is one, no longer counts."""

    unit: str


@dataclass(frozen=True, slots=True)
class UnitReopened:
    """A closed place meets after all."""

    unit: str


@dataclass(frozen=True, slots=True)
class DeadlineMoved:
    """Something is due at another time (UTC)."""

    deadline: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ReadingInForce:
    """Another reading of an open point is in force."""

    reading: str
    value: str


Change: TypeAlias = AreaWeight | UnitDelegates | UnitAdded | UnitClosed | UnitReopened | DeadlineMoved | ReadingInForce

KINDS: Mapping[str, type[Change]] = {
    "area-weight": AreaWeight,
    "unit-delegates": UnitDelegates,
    "unit-added": UnitAdded,
    "unit-closed": UnitClosed,
    "unit-reopened": UnitReopened,
    "deadline": DeadlineMoved,
    "reading": ReadingInForce,
}
"""Stable name of each kind of amendment."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """One change, and the document that says so."""

    change: Change
    source: str


def amend(plan: Plan, amendment: Amendment) -> Plan:
    """Give the plan after an amendment.

    Raises:
        InputError: the amendment names what the plan does not have, or changes nothing that can be changed.
    """
    changed = _changed(plan, amendment.change)
    digest = sha256(plan.digest.encode() + msgspec.json.encode(_object(amendment), order="sorted")).hexdigest()
    return replace(changed, digest=digest)


def _changed(plan: Plan, change: Change) -> Plan:
    match change:
        case AreaWeight(area, weight):
            _known("area", area, plan.areas)
            _refuse_if(weight < 0, f"weight {weight} of {area} is negative", "Give 0 or more.")
            areas = {**plan.areas, area: replace(plan.areas[area], weight=weight)}
            return replace(plan, areas=areas)
        case UnitDelegates(unit, delegates):
            _known("unit", unit, plan.units)
            _refuse_if(not 0 <= delegates < COUNT_LIMIT, f"{delegates} delegates of {unit}", "Give a count.")
            return replace(plan, units={**plan.units, unit: replace(plan.units[unit], delegates=delegates)})
        case UnitAdded(unit, area, name, kind, delegates):
            _known("area", area, plan.areas)
            _refuse_if(unit in plan.units, f"unit {unit} is in the plan already", "Give the new place another id.")
            fixed = plan.areas[area].sharing is Sharing.DELEGATES
            _refuse_if(fixed and delegates is None, f"unit {unit} has no delegates", f"{area} shares by delegates.")
            return replace(plan, units={**plan.units, unit: Unit(unit, area, name, kind, delegates)})
        case UnitClosed(unit):
            _known("unit", unit, plan.units)
            return replace(plan, closed=plan.closed | {unit})
        case UnitReopened(unit):
            _known("closed unit", unit, plan.closed)
            return replace(plan, closed=plan.closed - {unit})
        case DeadlineMoved(deadline, at):
            _known("deadline", deadline, [row.id for row in plan.deadlines])
            moved = tuple(replace(row, at=at) if row.id == deadline else row for row in plan.deadlines)
            return replace(plan, deadlines=moved)
        case ReadingInForce(reading, value):
            return _reading(plan, reading, value)


def _reading(plan: Plan, reading: str, value: str) -> Plan:
    _known("reading", reading, plan.readings)
    _known(f"value of reading {reading}", value, plan.readings[reading].values)
    readings = {**plan.readings, reading: replace(plan.readings[reading], in_force=value)}
    national = plan.national
    if national is not None and reading == "national_tie":
        national = replace(national, tie=value)
    return replace(plan, readings=readings, award=plan.award.with_readings({reading: value}), national=national)


def _known(word: str, name: str, known: Collection[str]) -> None:
    _refuse_if(name not in known, f"the amendment names {name!r}, which is not a {word}", closest(name, tuple(known)))


def _refuse_if(wrong: bool, what: str, remedy: str) -> None:  # noqa: FBT001 - reads as it is meant
    if wrong:
        raise InputError(Fault(what, remedy))


class _Wire(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    change: dict[str, str | int | None]
    source: str
    plan: str


def to_wire(amendment: Amendment, after: Plan) -> dict[str, object]:
    """Give the JSON object of an amendment, with the digest of the plan after it."""
    return {**_object(amendment), "plan": after.digest}


def _object(amendment: Amendment) -> dict[str, object]:
    kind = next(name for name, form in KINDS.items() if isinstance(amendment.change, form))
    change = {name: getattr(amendment.change, name) for name in type(amendment.change).__dataclass_fields__}
    for name, value in change.items():
        if isinstance(value, Fraction):
            change[name] = ratio(value)
        elif isinstance(value, datetime):
            change[name] = value.isoformat()
    return {"kind": kind, "change": change, "source": amendment.source}


def from_wire(wire: object) -> Amendment:
    """Read an amendment from its JSON object.

    Raises:
        InputError: it is not one.
    """
    try:
        found = msgspec.convert(wire, _Wire)
        form = KINDS[found.kind]
        values: dict[str, object] = dict(found.change)
        if form is AreaWeight:
            values["weight"] = parse_fraction(found.change["weight"])
        if form is DeadlineMoved:
            values["at"] = datetime.fromisoformat(str(found.change["at"]))
        return Amendment(msgspec.convert(values, form), found.source)
    except (msgspec.ValidationError, KeyError, ValueError, TypeError) as error:
        what = f"this is not an amendment: {error}"
        raise InputError(Fault(what, f"The kinds are {', '.join(KINDS)}.")) from None
