"""Amendments: a changed weight, a moved deadline, a place added or closed, a reading put in force."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.faults import InputError
from tallyroom.plan.amend import (
    KINDS,
    Amendment,
    AreaWeight,
    DeadlineMoved,
    GroupWithdrawn,
    ReadingInForce,
    UnitAdded,
    UnitClosed,
    UnitDelegates,
    UnitReopened,
    amend,
    amended,
    from_wire,
    to_wire,
)
from tallyroom.plan.catalogue import find

PAPER = "second-call"
PLAN = find("lakeland-2031")
WEST = timezone(timedelta(hours=-6))
LATER = datetime(2031, 2, 16, 5, 59, tzinfo=UTC)
CHANGES = [
    AreaWeight("alder", Fraction(25, 2)),
    UnitDelegates("alder-mill", 3),
    UnitAdded("alder-fair", "alder", "Alder Fair", delegates=2),
    UnitAdded("south-satellite-ship", "south-satellite", "A ship at sea", "satellite"),
    UnitClosed("dale-bridge"),
    DeadlineMoved("certification", LATER),
    ReadingInForce("short_award", "lot"),
    ReadingInForce("national_tie", "state-plan"),
    GroupWithdrawn("ash"),
]


def after(*changes, plan=PLAN):
    for change in changes:
        plan = amend(plan, Amendment(change, PAPER))
    return plan


def differing(one, other):
    return {item.name for item in fields(one) if getattr(one, item.name) != getattr(other, item.name)}


def test_weight_of_a_county_changes_what_its_delegates_are_worth():
    plan = after(AreaWeight("alder", Fraction(25, 2)))
    assert plan.worth["alder"] == Fraction(25, 40)
    assert {area: worth for area, worth in plan.worth.items() if area != "alder"} == {
        area: worth for area, worth in PLAN.worth.items() if area != "alder"
    }
    assert differing(PLAN, plan) == {"areas", "digest"}


def test_delegates_of_a_place_change_what_those_of_its_county_are_worth():
    plan = after(UnitDelegates("alder-mill", 3))
    assert plan.units["alder-mill"].delegates == 3
    assert (plan.area_delegates["alder"], plan.worth["alder"]) == (22, Fraction(12, 22))


def test_place_added_elects_its_delegates():
    plan = after(UnitAdded("alder-fair", "alder", "Alder Fair", delegates=2))
    assert list(plan.units) == [*PLAN.units, "alder-fair"]
    assert plan.area_delegates["alder"] == 22


def test_place_closed_keeps_its_delegates_vacant():
    plan = after(UnitClosed("dale-bridge"))
    assert plan.closed == {"dale-bridge"}
    assert plan.worth == PLAN.worth
    assert after(UnitReopened("dale-bridge"), plan=plan).closed == frozenset()


def test_deadline_moved():
    plan = after(DeadlineMoved("certification", LATER))
    assert [row.at for row in plan.deadlines] == [PLAN.deadlines[0].at, LATER]


def test_reading_put_in_force_reaches_the_award():
    plan = after(ReadingInForce("short_award", "lot"))
    assert (plan.in_force["short_award"], plan.award.short, plan.award_under({}).short) == ("lot", "lot", "lot")
    assert PLAN.award.short == "residual"


def test_a_group_withdraws_once():
    plan = after(GroupWithdrawn("ash"))
    assert plan.withdrawn == {"ash"}
    with pytest.raises(InputError, match="ash has withdrawn already"):
        after(GroupWithdrawn("ash"), plan=plan)


def test_reading_put_in_force_reaches_national_ties():
    plan = after(ReadingInForce("national_tie", "state-plan"))
    assert plan.national.tie == plan.in_force["national_tie"] == "state-plan"


def test_what_was_worked_out_before_does_not_linger():
    fresh = replace(PLAN)
    assert fresh.worth["alder"] == Fraction(3, 5)
    assert after(AreaWeight("alder", Fraction(20)), plan=fresh).worth["alder"] == 1
    assert fresh.worth["alder"] == Fraction(3, 5)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_wire_form_comes_back_the_same_through_json(change):
    amendment = Amendment(change, PAPER)
    wire = json.loads(msgspec.json.encode(to_wire(amendment, after(change))))
    assert from_wire(wire) == amendment
    assert amended(PLAN, wire) == after(change)


def test_wire_form_is_the_one_of_the_first_version():
    change = AreaWeight("alder", Fraction(25, 2))
    plan = after(change)
    assert to_wire(Amendment(change, PAPER), plan) == {
        "version": 1,
        "kind": "area-weight",
        "change": {"area": "alder", "weight": "25/2"},
        "source": "second-call",
        "plan": plan.digest,
    }
    assert list(KINDS) == [
        "area-weight", "unit-delegates", "unit-added", "unit-closed", "unit-reopened", "deadline", "reading",
        "withdrawal",
    ]  # fmt: skip


def test_digest_follows_from_the_digest_before_and_the_amendment():
    canonical = '{"change":{"area":"alder","weight":"25/2"},"kind":"area-weight","source":"second-call","version":1}'
    expected = sha256((PLAN.digest + canonical).encode()).hexdigest()
    assert after(AreaWeight("alder", Fraction(25, 2))).digest == expected


def test_every_amendment_makes_another_plan():
    digests = {after(change).digest for change in CHANGES} | {PLAN.digest}
    assert len(digests) == len(CHANGES) + 1


def test_order_of_amendments_stands_in_the_digest():
    one, other = CHANGES[0], CHANGES[4]
    assert after(one, other).digest != after(other, one).digest
    assert differing(after(one, other), after(other, one)) == {"digest"}


def test_same_amendment_at_another_time_zone_is_the_same_instant():
    elsewhere = datetime.fromisoformat("2031-02-15T23:59:00-06:00")
    there, here = DeadlineMoved("certification", elsewhere), CHANGES[5]
    assert after(there) == after(here)
    assert to_wire(Amendment(there, PAPER), after(there)) == to_wire(Amendment(here, PAPER), after(here))


@given(
    at=st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.timezones()),  # noqa: DTZ001 - zones follow
)
def test_moved_deadline_is_in_utc_like_every_time_of_a_plan(at):
    change = DeadlineMoved("certification", at)
    plan = after(change)
    (moved,) = [row.at for row in plan.deadlines if row.id == "certification"]
    assert (moved, moved.tzinfo) == (at.astimezone(UTC), UTC)
    wire = json.loads(msgspec.json.encode(to_wire(Amendment(change, PAPER), plan)))
    assert wire["change"]["at"].endswith("+00:00")
    assert amended(PLAN, wire) == plan


def test_deadline_written_with_its_zone_is_read_in_utc():
    wire = {**to_wire(Amendment(CHANGES[5], PAPER), PLAN), "plan": after(CHANGES[5]).digest}
    wire["change"] = {"deadline": "certification", "at": "2031-02-15T23:59:00-06:00"}
    assert from_wire(wire).change.at.tzinfo is UTC
    assert amended(PLAN, wire) == after(CHANGES[5])


REFUSED = [
    (AreaWeight("aldr", Fraction(1)), "names 'aldr', which is not an area with a weight. Did you mean 'alder'?"),
    (AreaWeight("north", Fraction(1)), "names 'north', which is not an area with a weight"),
    (AreaWeight("alder", Fraction(-1)), "weight -1 of alder is not one"),
    (AreaWeight("alder", Fraction(10**9)), "weight 1000000000 of alder is not one"),
    (UnitDelegates("alder-mil", 1), "Did you mean 'alder-mill'?"),
    (UnitDelegates("alder-mill", -1), "cannot elect -1 delegates"),
    (UnitDelegates("alder-mill", 10**9), "cannot elect 1000000000 delegates"),
    (UnitAdded("alder-mill", "alder", "Again", delegates=1), "unit alder-mill is in the plan already"),
    (UnitAdded("Alder Fair", "alder", "Alder Fair", delegates=1), "'Alder Fair' is not an id"),
    (UnitAdded("alder-fair", "aldr", "Alder Fair", delegates=1), "'aldr', which is not an area"),
    (UnitAdded("alder-fair", "north", "Alder Fair", delegates=1), "lie in north, which has no weight"),
    (UnitAdded("alder-fair", "alder", "Alder Fair"), "unit alder-fair has no delegates"),
    (UnitAdded("alder-fair", "alder", " ", delegates=1), "unit alder-fair has no name"),
    (UnitAdded("alder-fair", "alder", "Alder Fair", "fair", 1), "which is not a kind of reporting place"),
    (UnitAdded("alder-fair", "alder", "Alder Fair", delegates=-1), "cannot elect -1 delegates"),
    (UnitClosed("alder-mil"), "Did you mean 'alder-mill'?"),
    (UnitReopened("alder-mill"), "names 'alder-mill', which is not a closed unit"),
    (DeadlineMoved("certificate", LATER), "Did you mean 'certification'?"),
    (
        DeadlineMoved("certification", LATER.replace(tzinfo=None)),
        "deadline certification: 2031-02-16T05:59:00 names no",
    ),
    (DeadlineMoved("certification", datetime.max.replace(tzinfo=WEST)), "is not a time in which a contest is held"),
    (ReadingInForce("weather", "rain"), "which is not a reading"),
    (ReadingInForce("short_award", "cylic"), "Did you mean 'cyclic'?"),
    (GroupWithdrawn("ashx"), "Did you mean 'ash'?"),
]


@pytest.mark.parametrize(
    ("change", "says"), REFUSED, ids=[f"{type(c).__name__}-{n}" for n, (c, _) in enumerate(REFUSED)]
)
def test_amendment_that_does_not_fit_is_refused(change, says):
    with pytest.raises(InputError) as refused:
        after(change)
    assert says in str(refused.value)


def test_place_cannot_be_closed_twice():
    with pytest.raises(InputError, match="closed already"):
        after(UnitClosed("dale-bridge"), UnitClosed("dale-bridge"))


def test_nobody_left_to_share_a_weight():
    dale = ["dale-north", "dale-south", "dale-bridge"]
    plan = after(*(UnitDelegates(unit, 0) for unit in dale[:2]))
    assert plan.worth["dale"] == 7
    with pytest.raises(InputError, match="nobody would be left to share the weight of dale"):
        after(UnitDelegates(dale[2], 0), plan=plan)


@pytest.mark.parametrize("change", [UnitDelegates("alder-mill", 2), UnitAdded("fair", "alder", "Fair", delegates=3)])
def test_place_cannot_come_to_elect_what_the_plan_has_no_share_for(change):
    assert after(change)
    singles = replace(PLAN, award=replace(PLAN.award, viability=PLAN.award.viability[:1]))
    with pytest.raises(InputError, match="for which the plan has no viability share"):
        after(change, plan=singles)
    assert after(UnitDelegates("alder-school", 1), plan=singles)


def test_amendment_without_a_source_is_refused():
    with pytest.raises(InputError, match="names no source"):
        amend(PLAN, Amendment(UnitClosed("dale-bridge"), " "))


def test_amendment_for_another_plan_is_refused():
    wire = to_wire(Amendment(CHANGES[0], PAPER), after(CHANGES[0]))
    with pytest.raises(InputError, match="was made for one that becomes"):
        amended(after(CHANGES[4]), wire)


SOUND = to_wire(Amendment(CHANGES[0], PAPER), after(CHANGES[0]))
BROKEN = [
    (None, "not an amendment"),
    ([], "not an amendment"),
    ({}, "missing required field"),
    ({**SOUND, "version": 2}, "version 2 is not known here"),
    ({**SOUND, "version": 0}, "version 0 is not known here"),
    ({**SOUND, "kind": "weather"}, "'weather' is not a kind of amendment. The kinds are area-weight"),
    ({**SOUND, "more": 1}, "unknown field `more`"),
    ({**SOUND, "change": {"area": "alder", "weight": "12", "why": "x"}}, "area-weight has no 'why'"),
    ({**SOUND, "change": {"area": "alder"}}, "not an exact number"),
    ({**SOUND, "change": {"weight": "12"}}, "missing required field `area`"),
    ({**SOUND, "change": {"area": "alder", "weight": 12.5}}, "not an amendment"),
    ({**SOUND, "change": {"area": 3, "weight": "12"}}, "not an amendment"),
    ({**SOUND, "kind": "deadline", "change": {"deadline": "certification", "at": "soon"}}, "not an amendment"),
    ({**SOUND, "kind": "deadline", "change": {"deadline": "certification", "at": "2031-02-16"}}, "names no time zone"),
    ({**SOUND, "kind": "deadline", "change": {"deadline": "certification"}}, "None is not a time"),
    ({**SOUND, "kind": "unit-delegates", "change": {"unit": "alder-mill", "delegates": None}}, "not an amendment"),
]


@pytest.mark.parametrize(("wire", "says"), BROKEN, ids=[str(number) for number in range(len(BROKEN))])
def test_wire_form_that_is_none_is_refused(wire, says):
    with pytest.raises(InputError) as refused:
        from_wire(wire)
    assert says in str(refused.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(key=st.sampled_from(sorted(SOUND)), value=JSON, kind=st.sampled_from(sorted(KINDS)))
def test_any_wire_form_is_an_amendment_or_refused(key, value, kind):
    wire = {**SOUND, "kind": kind, key: value}
    try:
        amended(PLAN, wire)
    except InputError as refused:
        said = str(refused)
    else:
        said = "fits"
        assert wire == SOUND
    assert said


@given(
    weights=st.lists(
        st.tuples(st.sampled_from(["alder", "brook", "clover", "dale"]), st.fractions(0, 1000, max_denominator=50)),
        max_size=5,
    )
)
def test_worth_always_adds_up_to_the_weight(weights):
    plan = after(*(AreaWeight(area, weight) for area, weight in weights))
    for area, weight in {**{a: PLAN.areas[a].weight for a in PLAN.worth}, **dict(weights)}.items():
        assert plan.worth[area] * plan.area_delegates[area] == weight
