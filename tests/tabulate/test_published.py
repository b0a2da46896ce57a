"""Published figures beside ours: they agree, they differ, or the record cannot give them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabulate.room import PLAN, WHOLE, evening
from tallyroom.plan.types import PublishedFigure
from tallyroom.tabulate import tabulated
from tallyroom.tabulate.published import Verdict, compare, replay


def held(release, measure, group, value, rows=None, plan=PLAN):
    tabulation = tabulated(evening(WHOLE) if rows is None else rows, plan)
    figure = PublishedFigure(release, measure, group, value, "a newspaper")
    return compare(tabulation, plan.releases[release], figure)


@pytest.mark.parametrize(
    ("measure", "group", "value"),
    [
        ("first_alignment", "ash", "179"),
        ("delegates", "birch", "14"),
        ("sde", "ash", "10.484"),
        ("sde", "ash", "10.48"),
        ("sde", "ash", "10"),
        ("sde_total", "", "19"),
        ("national_delegates", "ash", "4"),
        ("national_delegates_total", "", "9"),
        ("national_delegates_district", "", "5"),
        ("national_delegates_at_large", "", "4"),
        ("national_delegates_pleo", "", "0"),
    ],
)
def test_a_figure_agrees_at_the_decimals_it_was_printed_with(measure, group, value):
    found = held("late", measure, group, value)
    assert (found.ours, found.verdict) == (value, Verdict.AGREES)


@pytest.mark.parametrize(
    ("measure", "group", "value", "ours"),
    [
        ("first_alignment", "ash", "180", "179"),
        ("sde", "ash", "10.485", "10.484"),
        ("national_delegates", "ash", "5", "4"),
    ],
)
def test_one_unit_in_the_last_place_is_a_difference(measure, group, value, ours):
    found = held("late", measure, group, value)
    assert (found.ours, found.verdict, found.bounds) == (ours, Verdict.DIFFERS, None)


def test_a_release_not_on_record_is_never_agreed_with():
    assert held("gone", "first_alignment", "ash", "179").verdict is Verdict.NOT_IN_RECORD


class TestPartNotOnRecord:
    ROWS = evening(WHOLE.rstrip() + "\n    elm-1 attending 40 / first ash 20 birch 12 cedar 8 / final ash 22 birch 18")

    def test_what_rests_on_it_is_not_in_the_record_and_has_bounds(self):
        found = held("late", "sde", "ash", "11.6", self.ROWS)
        assert found.verdict is Verdict.NOT_IN_RECORD
        assert (found.ours, found.bounds) == ("9.1", ("9.1", "11.9"))

    def test_nor_are_national_delegates_and_totals(self):
        assert held("late", "national_delegates", "ash", "6", self.ROWS).verdict is Verdict.NOT_IN_RECORD
        assert held("late", "sde_total", "", "19", self.ROWS).verdict is Verdict.NOT_IN_RECORD

    def test_people_still_are(self):
        assert held("late", "first_alignment", "ash", "179", self.ROWS).verdict is Verdict.AGREES


def test_a_contest_without_national_delegates_has_none():
    plan = replace(PLAN, national=None)
    found = held("late", "national_delegates", "ash", "6", plan=plan)
    assert (found.ours, found.verdict) == ("0", Verdict.NOT_IN_RECORD)


def test_a_night_is_played_release_by_release():
    figures = tuple(
        PublishedFigure(release, "first_alignment", "ash", value, "a newspaper")
        for release, value in (("early", "168"), ("late", "179"))
    )
    seen = [
        (played.release.id, played.tabulation.top().progress.reported, [row.verdict for row in played.compared])
        for played in replay(evening(WHOLE), replace(PLAN, published=figures))
    ]
    assert seen == [("early", 5, [Verdict.DIFFERS]), ("gone", 6, []), ("late", 11, [Verdict.AGREES])]


def test_what_comes_after_a_release_waits():
    for played in replay(evening(WHOLE), PLAN):
        assert len(played.tabulation.later) + played.tabulation.filed.entries == 11
