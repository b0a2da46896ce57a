"""Viability: exact shares, rounded up; who reaches the number."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from award.evening import RULE, caucus
from tallyroom.award import AwardError, award, viability_number, viable_groups


@pytest.mark.parametrize(
    ("attending", "delegates", "number"),
    [
        (45, 3, 8),
        (25, 5, 4),
        (40, 2, 10),
        (60, 18, 9),
        (95, 4, 15),
        (100, 5, 15),
        (5, 3, 1),
        (6, 3, 1),
        (9, 2, 3),
        (20, 4, 3),
        (0, 4, 0),
        (100, 1, None),
    ],
)
def test_published_viability_numbers(attending, delegates, number):
    assert viability_number(RULE, delegates, attending) == number


@pytest.mark.parametrize("attending", range(6, 901, 6))
def test_one_sixth_is_not_a_sixth_decimal(attending):
    """An app that multiplied by 0.166667 asked for one person too many at every multiple of six."""
    assert viability_number(RULE, 3, attending) == attending // 6
    assert ceil(attending * 0.166667) == attending // 6 + 1


@pytest.mark.parametrize("attending", [667, 687, 707, 727])
def test_fifteen_percent_is_not_a_division_by_six_point_six_seven(attending):
    exact = ceil(Fraction(3 * attending, 20))
    assert viability_number(RULE, 4, attending) == exact
    assert ceil(attending / 6.67) == exact - 1
    assert viability_number(RULE, 4, 667) == 101


@given(st.integers(2, 40), st.integers(1, 100_000))
def test_the_number_is_the_smallest_count_that_reaches_the_share(delegates, attending):
    share = {2: Fraction(1, 4), 3: Fraction(1, 6)}.get(delegates, Fraction(3, 20))
    number = viability_number(RULE, delegates, attending)
    assert Fraction(number, attending) >= share > Fraction(number - 1, attending)


def test_a_group_exactly_at_the_number_is_viable_and_one_short_is_not():
    night = caucus("""
        Polk 12   delegates 6   attending 100
        first   ash 71  birch 15  cedar 14
    """)
    assert night.number == 15
    assert night.viable == {"ash", "birch"}


def test_people_who_stand_in_no_group_count_in_the_room():
    night = caucus("""
        Polk 12   delegates 6   attending 200
        first   ash 52  birch 29
    """)
    assert night.viable == {"ash"}  # 200 people: 30 needed
    assert night.awarded == {"ash": 6}


def test_an_empty_group_is_not_viable_even_if_nobody_is_needed():
    assert viable_groups(0, {"ash": 0, "birch": 1}) == ("birch",)


def test_viable_groups_come_in_the_order_of_the_sheet():
    assert viable_groups(5, {"cedar": 9, "ash": 5, "birch": 4, "dogwood": 20}) == ("cedar", "ash", "dogwood")


@pytest.mark.parametrize(
    ("delegates", "attending", "final"),
    [(0, 10, {"ash": 10}), (-1, 10, {"ash": 10}), (4, -1, {}), (4, 10, {"ash": -1}), (4, 0, {"ash": 1})],
)
def test_a_caller_who_breaks_the_contract_is_told(delegates, attending, final):
    with pytest.raises(AwardError):
        award(RULE, delegates, attending, final)


def test_nobody_viable_at_the_end_awards_nothing():
    night = caucus("""
        Linn Jackson   delegates 2   attending 54
        first   biden 10  buttigieg 9  klobuchar 7  sanders 8  steyer 4  warren 12  uncommitted 4
    """)
    assert night.number == 14
    assert night.unawarded == "nobody-viable"


def test_nobody_viable_at_first_releases_everybody():
    night = caucus("""
        Linn Jackson   delegates 2   attending 54
        first   biden 10  buttigieg 9  klobuchar 7  sanders 8  steyer 4  warren 12  uncommitted 4
        final   buttigieg 25  warren 22
    """)
    assert night.locked == set()
    assert night.breaches == ()
    assert night.awarded == {"buttigieg": 1, "warren": 1}


@pytest.mark.parametrize("final", ["ash 0  birch 0", ""])
def test_a_room_in_which_nobody_stands_in_a_group_awards_nothing(final):
    night = caucus(f"""
        Polk 12   delegates 6   attending 12
        first   {final or "ash 0"}
    """)
    assert night.unawarded == "nobody-present"


def test_nobody_came():
    night = caucus("""
        Satellite   delegates 4   attending 0
        first   ash 0  birch 0
    """)
    assert night.unawarded == "nobody-present"
    assert night.outcome.viability_number == 0
