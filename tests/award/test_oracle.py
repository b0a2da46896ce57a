"""100,000 random precincts against an oracle written separately; lots are accepted only for their own tie."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from award.oracle import ends, needed, realigning, single
from award.precincts import GROUPS, READINGS, Precinct, precinct
from tallyroom.award import Awarded, LotsNeeded, MustRealign, NoViableGroup, Tie, TieKind, award, outcomes

CHUNKS, CHUNK = 20, 5_000
TAKEN_FROM_ELSEWHERE = {"gain:1:a+b@1/3": ("a",), "realign:1:a+b@0": ("b",)}


def awarded(place: Precinct, lots=None):
    return award(place.rule, place.delegates, place.attending, place.final, lots)


def ways(place: Precinct):
    return list(outcomes(place.rule, place.delegates, place.attending, place.final))


def agrees_with_the_oracle(place: Precinct) -> str:
    """Hold all outcomes to the oracle's; give the kind of case for the count of what was met."""
    found = ways(place)
    number = needed(place.delegates, place.attending)
    if not any(place.final.values()):
        assert [type(outcome) for outcome in found] == [NoViableGroup]
        return "nobody"
    if number is None:
        winners = {next(iter(way.delegates)) for way in found if isinstance(way, Awarded)}
        assert winners == single(place.attending, place.final, place.readings["one_delegate"])
        return "one delegate"
    viable = {group: people for group, people in place.final.items() if people and people >= number}
    assert all(way.viability_number == number for way in found)
    if not viable:
        assert [type(outcome) for outcome in found] == [NoViableGroup]
        return "nobody viable"
    if len(viable) > place.delegates and place.readings["over_viable"] == "each-has-minimum":
        assert [way.delegates for way in found] == [dict.fromkeys(viable, 1)]
        assert all(tells_its_own_story(way) for way in found)
        return "crowded"
    if len(viable) > place.delegates:
        expected = realigning(viable, place.delegates, place.readings["over_viable_tie"])
        assert {frozenset(way.groups) for way in found if isinstance(way, MustRealign)} == expected
        assert len(found) == len(expected)
        return "over-viable"
    short, rounding = place.readings["short_award"], place.readings["rounding"]
    expected = ends(place.delegates, place.attending, place.final, short, rounding)
    assert all(isinstance(way, Awarded) for way in found)
    assert len(found) == len(expected)
    assert {frozenset(way.delegates.items()) for way in found} == expected
    assert all(sum(way.delegates.values()) == place.delegates for way in found)
    assert all(tells_its_own_story(way) for way in found)
    if any(way.short_without_rounding_down for way in found):
        return "short"
    return "tie" if len(found) > 1 else "plain"


def tells_its_own_story(outcome: Awarded) -> bool:
    """The moves of each group add up to its delegates."""
    told = Counter()
    for step in outcome.steps:
        told[step.group] += step.moved
    return dict(told) == dict(outcome.delegates)


def asks_only_for_its_own_lot(place: Precinct, elsewhere: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Offer lots drawn elsewhere and near misses: all refused. Then the right one. Give a lot for the next place."""
    plain = awarded(place)
    if not isinstance(plain, LotsNeeded):
        offered = awarded(place, elsewhere)
        assert offered == replace(plain, stray=tuple(elsewhere))
        return elsewhere
    tie = plain.tie
    drawn = tie.groups[: tie.take]
    near = {
        **{name: lot for name, lot in elsewhere.items() if name != tie.id},
        Tie(tie.kind, tie.groups, tie.take + 1, tie.at).id: tie.groups[: tie.take + 1],
        Tie(tie.kind, tie.groups, tie.take, tie.at + 1).id: drawn,
        Tie(tie.kind, (*tie.groups, "z"), tie.take, tie.at).id: drawn,
        Tie(TieKind.LOSE if tie.kind is TieKind.GAIN else TieKind.GAIN, tie.groups, tie.take, tie.at).id: drawn,
    }
    refused = awarded(place, near)
    assert isinstance(refused, LotsNeeded)
    assert (refused.tie, refused.stray) == (tie, tuple(near))
    for wrong in ((), (*drawn, tie.groups[-1]), (*drawn, drawn[0]), ("z",) * tie.take, (*drawn[1:], "z")):
        assert isinstance(awarded(place, {tie.id: wrong}), LotsNeeded)
    accepted = awarded(place, {**near, tie.id: drawn})
    assert not isinstance(accepted, LotsNeeded)
    assert accepted.stray == tuple(near)
    assert len(ways(place)) == comb(len(tie.groups), tie.take)
    return {tie.id: drawn}


def is_blind_to_names_and_order(place: Precinct, chance: Random) -> None:
    """Rename and reorder the groups, and the lots with them: the same people get the same delegates."""
    fresh = chance.sample(GROUPS, len(place.final))
    renamed = dict(zip(place.final, fresh, strict=True))
    shuffled = chance.sample(list(place.final), len(place.final))
    other = Precinct(place.delegates, place.attending, {renamed[g]: place.final[g] for g in shuffled}, place.readings)
    here, there = awarded(place), awarded(other)
    assert type(here) is type(there)
    if isinstance(here, LotsNeeded):
        tie = Tie(here.tie.kind, tuple(renamed[g] for g in here.tie.groups), here.tie.take, here.tie.at)
        assert there.tie.id == tie.id
        drawn = here.tie.groups[-here.tie.take :]
        here = awarded(place, {here.tie.id: drawn})
        there = awarded(other, {tie.id: [renamed[g] for g in drawn]})
    if isinstance(here, Awarded):
        assert {renamed[g]: n for g, n in here.delegates.items()} == dict(there.delegates)
    if isinstance(here, MustRealign):
        assert {renamed[g] for g in here.groups} == set(there.groups)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_hundred_thousand_precincts_agree_with_the_oracle(chunk):
    chance = Random(20_200_203 + chunk)
    elsewhere = TAKEN_FROM_ELSEWHERE
    met = Counter()
    for _ in range(CHUNK):
        place = precinct(chance)
        met[agrees_with_the_oracle(place)] += 1
        elsewhere = asks_only_for_its_own_lot(place, elsewhere)
        is_blind_to_names_and_order(place, chance)
    crowded = {"over-viable", "crowded"}
    assert set(met) == {"nobody", "one delegate", "nobody viable", "short", "tie", "plain"} | crowded
    assert min(met["tie"], met["short"], *(met[case] for case in crowded)) > CHUNK // 100, met


@st.composite
def precincts(draw) -> Precinct:
    names = draw(st.lists(st.sampled_from(GROUPS), min_size=1, max_size=14, unique=True))
    final = {name: draw(st.integers(0, 60)) for name in names}
    attending = sum(final.values()) + draw(st.integers(-5, 60))
    readings = {name: draw(st.sampled_from(values)) for name, values in READINGS.items()}
    return Precinct(draw(st.integers(1, 36)), max(attending, 1), final, readings)


@settings(max_examples=300, deadline=None)
@given(precincts(), st.randoms(use_true_random=False))
def test_any_precinct_agrees_with_the_oracle_and_shrinks_if_not(place, chance):
    agrees_with_the_oracle(place)
    asks_only_for_its_own_lot(place, TAKEN_FROM_ELSEWHERE)
    is_blind_to_names_and_order(place, chance)
