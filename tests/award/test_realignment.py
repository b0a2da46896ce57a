"""Who may move, and what two alignments say about those who did."""

from __future__ import annotations

import pytest

from award.evening import RULE, caucus
from tallyroom.award import Breach, BreachKind, breaches, locked

FIRST = {"ash": 52, "birch": 34, "cedar": 14}


def test_members_of_viable_groups_are_locked():
    assert locked(RULE, 6, 100, FIRST) == ("ash", "birch")


def test_as_many_viable_groups_as_delegates_are_locked_and_one_more_releases_all():
    assert locked(RULE, 2, 20, {"ash": 9, "birch": 8, "cedar": 3}) == ("ash", "birch")
    assert locked(RULE, 2, 20, {"ash": 8, "birch": 7, "cedar": 5}) == ()


@pytest.mark.parametrize(("may_move", "expected"), [("all", ()), ("nobody", ("ash", "birch", "cedar"))])
def test_the_plan_says_who_may_move(may_move, expected):
    assert locked(RULE, 6, 100, FIRST, may_move=may_move) == expected


def test_a_locked_group_that_lost_people_is_a_breach():
    final = {"ash": 50, "birch": 50}
    assert breaches(RULE, 6, 100, FIRST, final) == (Breach(BreachKind.LOCKED_GROUP_LOST_PEOPLE, "ash", 52, 50),)
    assert breaches(RULE, 6, 100, FIRST, final, may_move="all") == ()


def test_a_group_left_blank_at_the_end_is_not_judged():
    assert breaches(RULE, 6, 100, FIRST, {"birch": 48}) == ()


def test_people_added_after_the_door_was_closed():
    found = breaches(RULE, 6, 100, {"ash": 52, "birch": 34}, {"ash": 52, "birch": 40})
    assert found == (Breach(BreachKind.PEOPLE_ADDED, "", 86, 92),)


def test_a_group_may_come_from_nothing():
    """Stanford, a satellite: one person at first, five in the end, thirty present, five needed."""
    night = caucus("""
        Stanford   delegates 5   attending 30
        first   klobuchar 1  warren 12  sanders 13  yang 4
        final   klobuchar 5  warren 12  sanders 13
    """)
    assert night.number == 5
    assert night.breaches == ()
    assert "klobuchar" in night.awarded


def test_people_may_leave():
    assert breaches(RULE, 6, 100, FIRST, {"ash": 52, "birch": 34, "cedar": 0}) == ()


@pytest.mark.parametrize(
    ("place", "delegates", "attending", "first", "number"),
    [
        ("Union", 2, 25, (6, 6, 5, 5, 3), 7),
        ("Liberty-Minerva", 2, 22, (1, 4, 2, 2, 5, 1, 3, 4), 6),
        ("Washington-Janesville", 2, 25, (6, 6, 6, 3, 4), 7),
    ],
)
def test_nobody_viable_at_first_locks_nobody(place, delegates, attending, first, number):
    people = {f"{place}-{column}": count for column, count in enumerate(first)}
    assert max(first) < number
    assert locked(RULE, delegates, attending, people) == ()


def test_washington_janesville_ended_with_one_person_more_than_it_began():
    night = caucus("""
        Washington-Janesville   delegates 2   attending 25
        first   biden 6  buttigieg 6  sanders 6  steyer 3  warren 4
        final   buttigieg 14  sanders 12
    """)
    assert [breach.kind for breach in night.breaches] == [BreachKind.PEOPLE_ADDED]
    assert night.awarded == {"buttigieg": 1, "sanders": 1}


def test_liberty_minerva_realigned_into_one_group_too_many():
    night = caucus("""
        Liberty-Minerva   delegates 2   attending 22
        final   buttigieg 6  sanders 9  warren 6  yang 1
    """)
    assert night.must_realign == {"buttigieg", "warren"}


def test_in_a_room_with_one_delegate_nobody_is_locked():
    assert locked(RULE, 1, 20, {"ash": 15, "birch": 5}) == ()
