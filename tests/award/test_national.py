"""National delegates: the Iowa pools of 2020 by the printed decimals, other states, fallbacks, ties."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tallyroom.award import AwardError, Closest, Tie, TieKind, allocate
from tallyroom.exact import printed

THRESHOLD = Fraction(3, 20)
STATEWIDE = {"buttigieg": "564.012", "sanders": "562.497", "warren": "387.069", "biden": "341.172"}


def exact(**people):
    return {group: Fraction(str(value)) for group, value in people.items()}


def of_total(total, standing):
    """Add the people who are not named, so that shares are those of the whole; together they cannot win."""
    named = {group: Fraction(value) for group, value in standing.items()}
    return {**named, "rest": Fraction(total) - sum(named.values())}


@pytest.mark.parametrize(
    ("delegates", "total", "standing", "raw", "expected"),
    [
        pytest.param(
            7,
            "566.56",
            {"buttigieg": "148.553", "sanders": "145.923", "biden": "101.707", "warren": "94.898"},
            ["2.118", "2.080", "1.450", "1.353"],
            [2, 2, 2, 1],
            id="first district, Klobuchar 11.85 percent out",
        ),
        pytest.param(
            7,
            "556.65",
            {"sanders": "158.256", "buttigieg": "143.364", "warren": "111.865"},
            ["2.679", "2.427", "1.894"],
            [3, 2, 2],
            id="second district, Biden 13.32 percent out",
        ),
        pytest.param(
            8,
            "609.93",
            {"buttigieg": "164.131", "sanders": "157.839", "warren": "119.750", "biden": "92.726"},
            ["2.457", "2.363", "1.793", "1.388"],
            [3, 2, 2, 1],
            id="third district, Biden 15.20 percent in",
        ),
        pytest.param(
            5,
            "415.48",
            {"buttigieg": "107.194", "sanders": "99.915", "biden": "71.888", "klobuchar": "66.846"},
            ["1.550", "1.445", "1.039", "0.966"],
            [2, 1, 1, 1],
            id="fourth district, Warren 14.36 percent out",
        ),
        pytest.param(9, "2152.889", STATEWIDE, ["2.737", "2.729", "1.878", "1.656"], [3, 3, 2, 1], id="at large"),
        pytest.param(5, "2152.889", STATEWIDE, ["1.520", "1.516", "1.043", "0.920"], [2, 1, 1, 1], id="PLEO"),
        pytest.param(8, "14479", {"sanders": 6788, "biden": 2927}, ["5.590", "2.410"], [6, 2], id="Nevada at large"),
        pytest.param(5, "14479", {"sanders": 6788, "biden": 2927}, ["3.494", "1.506"], [3, 2], id="Nevada PLEO"),
        pytest.param(8, "1", {"biden": "0.722", "sanders": "0.278"}, ["5.776", "2.224"], [6, 2], id="Wyoming"),
        pytest.param(4, "1", {"biden": "0.722", "sanders": "0.278"}, ["2.888", "1.112"], [3, 1], id="Wyoming at large"),
        pytest.param(2, "1", {"biden": "0.722", "sanders": "0.278"}, ["1.444", "0.556"], [1, 1], id="Wyoming PLEO"),
    ],
)
def test_pools_of_2020(delegates, total, standing, raw, expected):
    shared = allocate(delegates, of_total(total, standing), THRESHOLD, cannot_win={"rest"})
    assert shared.qualified == tuple(standing)
    assert [printed(value, 3) for value in shared.raw.values()] == raw
    assert list(shared.groups.values()) == expected
    assert shared.tie is None


@pytest.mark.parametrize(("delegates", "expected"), [(5, [2, 2, 1]), (3, [1, 1, 1]), (8, [3, 3, 2])])
def test_new_hampshire_2020(delegates, expected):
    """Votes of those who qualified; the rest is a stand-in small enough to keep them above 15 percent."""
    standing = exact(sanders=76_384, buttigieg=72_454, klobuchar=58_714, rest=90_000)
    assert list(allocate(delegates, standing, THRESHOLD, cannot_win={"rest"}).groups.values()) == expected


def test_the_last_pleo_seat_goes_to_whoever_leads_the_state():
    standing = of_total("2152.889", STATEWIDE)
    shared = allocate(5, standing, THRESHOLD, cannot_win={"rest"})
    assert shared.closest is not None
    assert (shared.closest.winner, shared.closest.loser) == ("buttigieg", "sanders")
    assert [printed(value, 3) for value in shared.closest.remainders] == ["0.520", "0.516"]
    reversed_order = {**standing, "buttigieg": standing["sanders"], "sanders": standing["buttigieg"]}
    assert allocate(5, reversed_order, THRESHOLD, cannot_win={"rest"}).groups["sanders"] == 2


def test_exactly_the_threshold_qualifies_and_a_hair_less_does_not():
    assert allocate(5, exact(ash=85, birch=15), THRESHOLD).qualified == ("ash", "birch")
    assert allocate(5, exact(ash="85.001", birch=15), THRESHOLD).qualified == ("ash",)


def test_the_only_one_who_qualifies_takes_all():
    shared = allocate(7, exact(ash=60, birch=14, cedar=14, dogwood=12), THRESHOLD)
    assert shared.groups == {"ash": 7}
    assert shared.closest is None


SCATTERED = exact(ash=14, birch=12, cedar=10, dogwood=8, elder=6, **{f"g{n}": 5 for n in range(10)})


def test_nobody_reaches_the_threshold_half_of_the_leader():
    shared = allocate(9, SCATTERED, THRESHOLD, fallback="half-of-leader")
    assert shared.threshold == Fraction(7, 100)
    assert shared.qualified == ("ash", "birch", "cedar", "dogwood")
    assert sum(shared.groups.values()) == 9


def test_nobody_reaches_the_threshold_ten_points_below_the_leader():
    shared = allocate(9, SCATTERED, THRESHOLD, fallback="ten-points-below-leader")
    assert shared.threshold == Fraction(4, 100)
    assert len(shared.qualified) == 15
    flat = {f"g{n}": Fraction(1) for n in range(20)}
    assert allocate(20, flat, THRESHOLD, fallback="ten-points-below-leader").threshold == 0


def test_nobody_reaches_the_threshold_and_the_plan_has_no_fallback():
    shared = allocate(9, SCATTERED, THRESHOLD, lots={"gain:1:ash+birch@0": ["ash"]})
    assert (shared.qualified, shared.groups, shared.tie) == ((), {}, None)
    assert shared.stray == ("gain:1:ash+birch@0",)


def test_the_fallback_waits_until_nobody_qualifies():
    standing = exact(ash=15, **{f"g{n}": 10 for n in range(8)}, h=5)
    assert allocate(9, standing, THRESHOLD, fallback="half-of-leader").groups == {"ash": 9}


def test_people_who_named_others_count_but_cannot_win():
    standing = exact(other=50, ash=30, birch=20)
    shared = allocate(5, standing, THRESHOLD, cannot_win={"other"})
    assert shared.groups == {"ash": 3, "birch": 2}
    assert allocate(5, exact(other=90, ash=10), THRESHOLD, cannot_win={"other"}).groups == {}
    fallen = allocate(5, exact(other=90, ash=10), THRESHOLD, cannot_win={"other"}, fallback="half-of-leader")
    assert fallen.groups == {"ash": 5}


def test_a_tie_for_the_last_delegate_is_reported_and_never_broken():
    shared = allocate(3, exact(ash=40, birch=40, cedar=20), THRESHOLD)  # 1.2, 1.2, 0.6
    assert shared.groups == {"ash": 1, "birch": 1, "cedar": 1}
    assert shared.tie is None
    tied = allocate(3, exact(ash=50, birch=50), THRESHOLD)
    assert tied.tie == Tie(TieKind.GAIN, ("ash", "birch"), 1, Fraction(1, 2))
    assert tied.groups == {"ash": 1, "birch": 1}
    assert tied.closest is None


def test_a_recorded_lot_answers_its_own_tie_only():
    standing = exact(ash=50, birch=50)
    lot = allocate(3, standing, THRESHOLD).tie.id
    drawn = allocate(3, standing, THRESHOLD, lots={lot: ["birch"]})
    assert drawn.groups == {"ash": 1, "birch": 2}
    assert drawn.closest == Closest("birch", "ash", (Fraction(1, 2), Fraction(1, 2)))
    assert (drawn.tie, drawn.stray) == (None, ())
    for wrong in (["birch", "ash"], [], ["cedar"]):
        refused = allocate(3, standing, THRESHOLD, lots={lot: wrong})
        assert refused.tie is not None
        assert refused.stray == (lot,)
    elsewhere = allocate(5, standing, THRESHOLD, lots={"gain:1:ash+birch@1/3": ["ash"]})
    assert elsewhere.tie is not None
    assert elsewhere.stray == ("gain:1:ash+birch@1/3",)


def test_an_empty_contest_allocates_nothing():
    for standing in ({}, exact(ash=0), exact(other=5)):
        shared = allocate(5, standing, THRESHOLD, cannot_win={"other"}, fallback="half-of-leader")
        assert (shared.groups, shared.tie) == ({}, None)
    assert allocate(0, exact(ash=5), THRESHOLD).groups == {"ash": 0}


@pytest.mark.parametrize(("delegates", "standing"), [(-1, exact(ash=1)), (1, exact(ash=-1))])
def test_a_caller_who_breaks_the_contract_is_told(delegates, standing):
    with pytest.raises(AwardError):
        allocate(delegates, standing, THRESHOLD)


STANDINGS = st.dictionaries(
    st.sampled_from("abcdefghij"), st.fractions(0, 100, max_denominator=40), min_size=1, max_size=10
)
FALLBACKS = st.sampled_from(["none", "half-of-leader", "ten-points-below-leader"])


@given(st.integers(0, 40), STANDINGS, FALLBACKS)
def test_delegates_are_conserved_unless_a_tie_is_open(delegates, standing, fallback):
    shared = allocate(delegates, standing, THRESHOLD, fallback=fallback)
    given_out = sum(shared.groups.values())
    open_seats = shared.tie.take if shared.tie else 0
    assert given_out + open_seats == (delegates if shared.qualified else 0)
    if any(standing.values()) and fallback != "none":
        assert shared.qualified


@given(st.integers(0, 40), STANDINGS, FALLBACKS)
def test_everybody_stays_within_quota_of_the_qualified(delegates, standing, fallback):
    shared = allocate(delegates, standing, THRESHOLD, fallback=fallback)
    for group, raw in shared.raw.items():
        assert int(raw) <= shared.groups[group] <= -int(-raw // 1)
        assert standing[group] >= shared.threshold * sum(standing.values())


@given(st.integers(0, 40), STANDINGS, FALLBACKS, st.permutations("abcdefghij"), st.randoms())
def test_names_and_order_do_not_matter(delegates, standing, fallback, names, chance):
    renamed = dict(zip("abcdefghij", names, strict=True))
    order = chance.sample(list(standing), len(standing))
    here = allocate(delegates, standing, THRESHOLD, fallback=fallback)
    there = allocate(delegates, {renamed[g]: standing[g] for g in order}, THRESHOLD, fallback=fallback)
    assert {renamed[g]: n for g, n in here.groups.items()} == there.groups
    assert (here.tie is None) == (there.tie is None)
    if here.tie:
        assert {renamed[g] for g in here.tie.groups} == set(there.tie.groups)
        assert (here.tie.take, here.tie.at) == (there.tie.take, there.tie.at)


@given(st.integers(1, 40), st.dictionaries(st.sampled_from("abcdefghij"), st.integers(1, 3), min_size=2))
def test_a_drawn_lot_completes_the_pool(delegates, standing):
    people = exact(**standing)
    shared = allocate(delegates, people, THRESHOLD, fallback="half-of-leader")
    assume(shared.tie is not None)
    drawn = shared.tie.groups[-shared.tie.take :]
    done = allocate(delegates, people, THRESHOLD, fallback="half-of-leader", lots={shared.tie.id: drawn})
    assert sum(done.groups.values()) == delegates
    assert all(done.groups[g] == shared.groups[g] + (g in drawn) for g in done.groups)
