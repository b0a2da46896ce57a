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

from tallyroom.exact import COUNT_LIMIT, DELEGATES_LIMIT, parse_fraction, ratio
from tallyroom.faults import Fault, InputError
from tallyroom.plan.closest import closest
from tallyroom.plan.fields import moment, unit_identifier
from tallyroom.plan.places import KINDS as PLACES
from tallyroom.plan.types import Sharing, Unit
from tallyroom.plan.whole import SEVERAL

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
    """A place does not meet; its report, if there is one, no longer counts.

    Its delegates stay vacant: what those of other places are worth does not change.
    """

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


@dataclass(frozen=True, slots=True)
class GroupWithdrawn:
    """A group is out of the contest: pools that are shared again for it are shared without it (`national.recomputed`).

    What was counted for it stays counted.
    """

    group: str


Change: TypeAlias = (
    AreaWeight | UnitDelegates | UnitAdded | UnitClosed | UnitReopened | DeadlineMoved | ReadingInForce | GroupWithdrawn
)

KINDS: Mapping[str, type[Change]] = {
    "area-weight": AreaWeight,
    "unit-delegates": UnitDelegates,
    "unit-added": UnitAdded,
    "unit-closed": UnitClosed,
    "unit-reopened": UnitReopened,
    "deadline": DeadlineMoved,
    "reading": ReadingInForce,
    "withdrawal": GroupWithdrawn,
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
        InputError: the amendment names what the plan does not have, or would leave a plan that does not fit together.
    """
    _refuse_if(not amendment.source.strip(), "the amendment names no source", "Say which paper decides it.")
    changed = _changed(plan, _in_utc(amendment.change))
    digest = sha256(plan.digest.encode() + msgspec.json.encode(_object(amendment), order="sorted")).hexdigest()
    return replace(changed, digest=digest)


def _changed(plan: Plan, change: Change) -> Plan:
    match change:
        case AreaWeight(area, weight):
            _known("an area with a weight", area, [row.id for row in plan.areas.values() if row.weight is not None])
            wrong = not 0 <= weight < COUNT_LIMIT
            _refuse_if(wrong, f"weight {weight} of {area} is not one", f"Give 0 or more, below {COUNT_LIMIT:,}.")
            return replace(plan, areas={**plan.areas, area: replace(plan.areas[area], weight=weight)})
        case UnitDelegates(unit, delegates):
            _known("a unit", unit, plan.units)
            _count(plan, unit, delegates)
            return _shared(replace(plan, units={**plan.units, unit: replace(plan.units[unit], delegates=delegates)}))
        case UnitAdded():
            return _added(plan, change)
        case UnitClosed(unit):
            _known("a unit", unit, plan.units)
            _refuse_if(unit in plan.closed, f"unit {unit} is closed already", "Leave the amendment out.")
            return replace(plan, closed=plan.closed | {unit})
        case UnitReopened(unit):
            _known("a closed unit", unit, plan.closed)
            return replace(plan, closed=plan.closed - {unit})
        case DeadlineMoved(deadline, at):
            _known("a deadline", deadline, [row.id for row in plan.deadlines])
            moved = tuple(replace(row, at=at) if row.id == deadline else row for row in plan.deadlines)
            return replace(plan, deadlines=moved)
        case ReadingInForce(reading, value):
            return _reading(plan, reading, value)
        case GroupWithdrawn(group):
            _known("a group", group, plan.groups)
            _refuse_if(group in plan.withdrawn, f"{group} has withdrawn already", "Leave the amendment out.")
            return replace(plan, withdrawn=plan.withdrawn | {group})


def _in_utc(change: Change) -> Change:
    """Give a change with its time in UTC, as a plan has it: one instant makes one plan, whoever wrote it down."""
    if not isinstance(change, DeadlineMoved):
        return change
    try:
        return replace(change, at=moment(change.at))
    except ValueError as error:
        remedy = "Write it as 2020-02-07T01:28:00Z."
        raise InputError(Fault(f"deadline {change.deadline}: {error}", remedy)) from None


def _added(plan: Plan, change: UnitAdded) -> Plan:
    unit, area, delegates = change.unit, change.area, change.delegates
    try:
        unit_identifier(unit)
    except ValueError as error:
        raise InputError(Fault(str(error), "Give the place an id such as first-county-fair.")) from None
    _refuse_if(unit in plan.units, f"unit {unit} is in the plan already", "Give the new place another id.")
    _refuse_if(not change.name.strip(), f"unit {unit} has no name", "Give the name as printed.")
    _known("a kind of reporting place", change.kind, PLACES)
    _known("an area", area, plan.areas)
    weighted = any(yardstick.counts == "weight" for yardstick in plan.yardsticks)
    no_share = weighted and plan.areas[area].weight is None
    _refuse_if(no_share, f"unit {unit} would lie in {area}, which has no weight", "Name an area with a weight.")
    fixed = plan.areas[area].sharing is Sharing.DELEGATES or not plan.bands
    _refuse_if(
        plan.elects and fixed and delegates is None,
        f"unit {unit} has no delegates",
        f"Give them: {area} needs a number.",
    )
    _count(plan, unit, delegates or 0)
    return replace(plan, units={**plan.units, unit: Unit(unit, area, change.name, change.kind, delegates)})


def _count(plan: Plan, unit: str, delegates: int) -> None:
    wrong = not 0 <= delegates < DELEGATES_LIMIT
    _refuse_if(wrong, f"unit {unit} cannot elect {delegates} delegates", f"Give 0 or more, below {DELEGATES_LIMIT:,}.")
    shares = [step.share for step in plan.award.viability if step.delegates_at_least <= delegates]
    shareless = delegates >= SEVERAL and shares[-1:] == [None]
    what = f"unit {unit} would elect {delegates} delegates, for which the plan has no viability share"
    _refuse_if(shareless, what, "Amend only within what the plan can award.")


def _shared(plan: Plan) -> Plan:
    """Hold a changed plan to it that no area with a weight is left without delegates to share it."""
    for area in plan.areas.values():
        lost = area.weight is not None and area.sharing is Sharing.DELEGATES and not plan.area_delegates[area.id]
        _refuse_if(lost, f"nobody would be left to share the weight of {area.id}", "Change the area's weight first.")
    return plan


def _reading(plan: Plan, reading: str, value: str) -> Plan:
    _known("a reading", reading, plan.readings)
    _known(f"a value of reading {reading}", value, plan.readings[reading].values)
    readings = {**plan.readings, reading: replace(plan.readings[reading], in_force=value)}
    national = plan.national
    if national is not None and reading == "national_tie":
        national = replace(national, tie=value)
    return replace(plan, readings=readings, award=plan.award.with_readings({reading: value}), national=national)


def _known(what: str, name: str, known: Collection[str]) -> None:
    _refuse_if(name not in known, f"the amendment names {name!r}, which is not {what}", closest(name, tuple(known)))


def _refuse_if(wrong: bool, what: str, remedy: str) -> None:  # noqa: FBT001 - reads as it is meant
    if wrong:
        raise InputError(Fault(what, remedy))


class _Wire(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    kind: str
    change: dict[str, str | int | None]
    source: str
    plan: str


def to_wire(amendment: Amendment, after: Plan) -> dict[str, object]:
    """Give the JSON object of an amendment, with the digest of the plan after it."""
    return {**_object(amendment), "plan": after.digest}


def _object(amendment: Amendment) -> dict[str, object]:
    kind = next(name for name, form in KINDS.items() if isinstance(amendment.change, form))
    utc = _in_utc(amendment.change)
    change = {name: getattr(utc, name) for name in type(utc).__dataclass_fields__}
    for name, value in change.items():
        if isinstance(value, Fraction):
            change[name] = ratio(value)
        elif isinstance(value, datetime):
            change[name] = value.isoformat()
    return {"version": VERSION, "kind": kind, "change": change, "source": amendment.source}


def from_wire(wire: object) -> Amendment:
    """Read an amendment from its JSON object.

    Raises:
        InputError: it is not one, or one of a version that is not known here.
    """
    return _read(wire)[0]


def amended(plan: Plan, wire: object) -> Plan:
    """Give the plan after an amendment in its JSON form, held to the digest that stands in it.

    Raises:
        InputError: it is none, does not fit the plan, or was made for another plan.
    """
    amendment, digest = _read(wire)
    after = amend(plan, amendment)
    what = f"the amendment leads to plan {after.digest[:16]}, but was made for one that becomes {digest[:16]}"
    _refuse_if(after.digest != digest, what, "Begin with the plan that the ledger was begun with.")
    return after


def _read(wire: object) -> tuple[Amendment, str]:
    """Read an amendment and the digest of the plan after it."""
    try:
        found = msgspec.convert(wire, _Wire)
        change = _change(found)
    except (msgspec.ValidationError, ValueError) as error:
        what = f"this is not an amendment: {error}"
        raise InputError(Fault(what, f"The kinds are {', '.join(KINDS)}.")) from None
    return Amendment(change, found.source), found.plan


def _change(found: _Wire) -> Change:
    """Read the change itself; the ValueError says what is wrong with it."""
    if not 1 <= found.version <= VERSION:
        raise ValueError(f"version {found.version} is not known here")
    form = KINDS.get(found.kind)
    if form is None:
        raise ValueError(f"{found.kind!r} is not a kind of amendment")
    values: dict[str, object] = dict(found.change)
    if strange := [name for name in values if name not in form.__dataclass_fields__]:
        raise ValueError(f"{found.kind} has no {strange[0]!r}")
    if form is AreaWeight:
        values["weight"] = parse_fraction(values.get("weight"))
    if form is DeadlineMoved:
        values["at"] = moment(values.get("at"))
    return msgspec.convert(values, form)
