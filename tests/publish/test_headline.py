"""The first sentence of a page says who leads, and never more than the numbers do."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tabulate.room import GROUPS, PLAN, WHOLE, evening
from tallyroom.publish.headline import grouped, headline, leaders, listed, margin, points, shown
from tallyroom.tabulate import tabulated

NAMES = {group: group.capitalize() for group in GROUPS}


def top(text=""):
    return tabulated(evening(text) if text else [], PLAN).top()


class TestLeaders:
    def test_nobody_leads_before_the_first_report(self):
        assert leaders(top().on("sde")) == ()

    def test_nobody_leads_where_all_counted_nothing(self):
        assert leaders(top("elm-1 attending 0 / first ash 0 birch 0").on("first_alignment")) == ()

    def test_one_leads(self):
        assert leaders(top(WHOLE).on("first_alignment")) == ("ash",)

    def test_two_are_level(self):
        assert leaders(top("elm-1 attending 9 / first birch 4 ash 4 cedar 1").on("first_alignment")) == ("ash", "birch")


class TestHeadline:
    def test_nothing_yet(self):
        assert headline(top(), NAMES) == "Nothing has been reported yet."

    def test_one_on_every_yardstick(self):
        line = "elm-1 attending 40 / first ash 40 / final ash 40 / delegates ash 4"
        assert headline(top(line), NAMES) == "Ash leads on every yardstick."

    def test_a_yardstick_each(self):
        line = "elm-1 attending 40 / first ash 25 birch 15 / final birch 40 / delegates birch 4"
        assert headline(top(line), NAMES) == (
            "Ash leads in first vote; Birch leads in final vote, county delegates and state delegates."
        )

    def test_level_on_all(self):
        line = "elm-1 attending 40 / first ash 20 birch 20 / final ash 20 birch 20 / delegates ash 2 birch 2"
        assert headline(top(line), NAMES) == (
            "Ash and Birch are level in first vote, final vote, county delegates and state delegates."
        )

    def test_a_yardstick_with_nothing_on_it_is_not_said_to_be_led(self):
        said = headline(top("elm-1 attending 40 / first ash 20 birch 19"), NAMES)
        assert said == "Ash leads in first vote."


class TestMargin:
    def test_before_the_first_report_only_what_settles(self):
        assert margin(top(), NAMES) == "State delegates settle this contest."

    def test_the_first_two_and_how_far_apart(self):
        line = "oak-1 attending 80 / first ash 60 birch 20 / final ash 60 birch 20 / delegates ash 6 birch 2"
        assert margin(top(line), NAMES) == (
            "State delegates settle this contest: Ash 3.818, Birch 1.273. They are 50.0 percentage points apart."
        )

    def test_level(self):
        line = "elm-1 attending 40 / final ash 20 birch 20 / delegates ash 2 birch 2"
        assert "Ash 1.429, Birch 1.429. They are 0.00 percentage points apart." in margin(top(line), NAMES)


@pytest.mark.parametrize(
    ("share", "text"),
    [("1/2", "50.0"), ("1/100", "1.0"), ("7/10000", "0.07"), ("0", "0.00"), ("999/100000", "1.00"), ("-1/4", "-25.0")],
)
def test_points_have_two_decimals_where_one_would_say_nothing(share, text):
    assert points(Fraction(share)) == text


def test_sums_are_shown_as_the_plan_prints_them():
    found = top("elm-1 attending 2000 / first ash 1234 / final ash 1234 / delegates ash 4")
    assert shown(found.on("first_alignment"), 1234567) == "1,234,567"
    assert shown(found.on("sde"), 12345675) == "1,234.568"
    assert shown(found.on("sde"), 5) == "0.001"


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_are_joined_as_a_sentence_does(words, text):
    assert listed(words) == text


@pytest.mark.parametrize(
    ("text", "shown_as"),
    [
        ("999", "999"),
        ("31428", "31,428"),
        ("1234567", "1,234,567"),
        ("564.0124", "564.0124"),
        ("1234.56789", "1,234.56789"),
        ("10334.5 (complete: 10334.5 to 9999.25)", "10,334.5 (complete: 10,334.5 to 9,999.25)"),
        ("31,428", "31,428"),
    ],
)
def test_thousands_of_every_number_are_separated_once(text, shown_as):
    assert grouped(text) == shown_as
    assert grouped(shown_as) == shown_as


def test_a_contest_of_one_group_has_nobody_to_be_apart_from():
    standing = top("elm-1 attending 40 / first ash 40 / final ash 40 / delegates ash 4")
    alone = replace(standing, yardsticks=tuple(replace(row, groups=row.groups[:1]) for row in standing.yardsticks))
    assert margin(alone, NAMES).endswith("settle this contest.")
