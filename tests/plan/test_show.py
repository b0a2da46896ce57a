"""A plan in words: nothing of it is left out, and every rule has its source beside it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tallyroom.plan.amend import Amendment, UnitClosed, amend
from tallyroom.plan.catalogue import contests, find
from tallyroom.plan.show import cited, described, in_words
from tallyroom.plan.types import Source


@pytest.fixture(scope="module")
def sections():
    return dict(described(find("lakeland-2031")))


@pytest.mark.parametrize("contest", contests())
def test_rows_have_a_cell_for_every_column(contest):
    for _, (columns, *rows) in described(find(contest)):
        assert rows
        assert {len(row) for row in rows} == {len(columns)}
        assert all(isinstance(cell, str) for row in rows for cell in row)


@pytest.mark.parametrize("contest", contests())
def test_every_rule_has_a_source(contest):
    plan = find(contest)
    for heading, (columns, *rows) in described(plan):
        if "Source" in columns and heading != "Contest":
            assert all(row[-1].partition(";")[0] in plan.sources for row in rows), heading


def test_what_a_reader_looks_for(sections):
    assert ("4 or more", "3/20", "lakeland-plan-2031; 5 Viability") in sections["Viability"]
    assert ("1 or more", "none", "lakeland-plan-2031; 5 Viability") in sections["Viability"]
    assert ("lots.two", "a coin toss", "lakeland-handbook-2031; 6 Ties") in sections["Viability, awarding and lots"]
    assert ("threshold", "3/20", "lakeland-plan-2031; 9 National delegates") in sections[
        "How national delegates are shared"
    ]
    assert ("alder", "county", "Alder", "12", "4", "20", "3/5") in sections["Areas and their places"]
    assert ("south-satellite", "county", "South district satellites", "2", "1", "", "by attendance") in sections[
        "Areas and their places"
    ]


def test_reading_in_force_and_the_others(sections):
    row = next(row for row in sections["Readings"] if row[0] == "attendance")
    assert row[1:3] == ("larger", "first, final")


def test_reading_that_cannot_be_computed_is_said_to_be_as_written():
    plan = find("lakeland-2031")
    turnout = replace(plan.readings["out_of_state_pool"], in_force="turnout")
    shown = dict(described(replace(plan, readings={"out_of_state_pool": turnout})))
    assert shown["Readings"][1][1] == "turnout (as written)"


def test_release_of_which_nothing_is_on_record_says_so():
    rows = dict(described(find("iowa-2020")))["Releases"]
    assert [row[2] for row in rows if row[0] == "recanvass"] == ["2020-02-18 23:00 (about, not on record)"]


def test_closed_place_is_named_and_no_longer_counted():
    plan = amend(find("lakeland-2031"), Amendment(UnitClosed("dale-bridge"), "second-call"))
    shown = dict(described(plan))
    assert ("closed", "dale-bridge", "amendments") in shown["Contest"]
    assert next(row for row in shown["Areas and their places"] if row[0] == "dale")[4] == "2"


def test_section_without_rows_is_left_out():
    plan = replace(find("lakeland-2031"), bands=(), deadlines=())
    headings = [heading for heading, _ in described(plan)]
    assert "Deadlines" not in headings
    assert "Delegates by attendance" not in headings


def test_source_in_one_line():
    assert cited(Source("plan")) == "plan"
    assert (
        cited(Source("plan", "5 Viability", "rounded up", "see also 6"))
        == 'plan; 5 Viability; "rounded up"; see also 6'
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "yes"),
        (False, "no"),
        (None, "none"),
        (Fraction(3, 20), "3/20"),
        (("a", "b"), "a, b"),
        (4, "4"),
        ("x", "x"),
    ],
)
def test_values_in_words(value, words):
    assert in_words(value) == words
