"""What the checks find in a contest: the counts of the real night, and the contexts they are given."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from tabulate import iowa
from tabulate.room import PLAN, WHOLE, at, entries, evening, report
from tallyroom.plan.amend import UnitClosed
from tallyroom.tabulate import findings as of
from tallyroom.tabulate import tabulated
from tallyroom.tabulate.findings import context_of, findings


def counts(release, kinds=("precinct", "satellite")):
    units = iowa.plan().units
    return Counter(row.kind for row in findings(iowa.release(release)) if not row.unit or units[row.unit].kind in kinds)


@pytest.mark.parametrize(
    ("release", "added", "over", "under", "county"), [("100pct", 83, 12, 14, 15), ("certified", 79, 6, 7, 11)]
)
def test_regular_precincts_of_the_real_night(release, added, over, under, county):
    found = counts(release, ("precinct",))
    assert found["final-exceeds-first"] == added
    assert found["over-awarded"] == over
    assert found["under-awarded"] == under
    assert found["county-total-differs"] == county


@pytest.mark.parametrize(("release", "added"), [("100pct", 84), ("certified", 80)])
def test_with_satellites_one_more_place_grew_at_the_end(release, added):
    assert counts(release)["final-exceeds-first"] == added


def test_scott_has_the_county_with_most_delegates_too_many():
    rows = [row for row in findings(iowa.release("100pct"), within="scott") if row.kind == "county-total-differs"]
    assert [row.area for row in rows] == ["scott"]
    board = iowa.release("100pct").of_area("scott", "as-written").on("sde")
    assert sum(group.exact for group in board.groups) - 124 == Fraction(7 * 124, 300)


def test_a_county_that_is_not_complete_is_not_judged_by_its_sum():
    assert counts("62pct")["county-total-differs"] <= counts("100pct")["county-total-differs"]
    assert [row for row in findings(tabulated(evening(WHOLE)[:2], PLAN)) if row.kind == "county-total-differs"] == []


def test_the_whole_evening_has_nothing_wrong():
    assert [row for row in findings(tabulated(evening(WHOLE), PLAN)) if row.severity == "error"] == []


class TestWithin:
    ROWS = evening("""
        elm-1 attending 40 / first ash 20 birch 10 / final ash 20 birch 20 / delegates ash 2 birch 2
        oak-1 attending 40 / first ash 20 birch 10 / final ash 20 birch 20 / delegates ash 4 birch 4
    """)

    @pytest.mark.parametrize(
        ("within", "units"),
        [
            (None, {"elm-1", "oak-1"}),
            ("orchard", {"elm-1", "oak-1"}),
            ("north", {"elm-1"}),
            ("oak", {"oak-1"}),
            ("elm-1", {"elm-1"}),
            ("fir", set()),
        ],
    )
    def test_a_place_has_the_findings_inside_it(self, within, units):
        rows = findings(tabulated(self.ROWS, PLAN), within=within)
        assert {row.unit for row in rows if row.kind == "final-exceeds-first"} == units


class TestContext:
    def test_it_holds_what_the_rule_makes_of_the_report(self):
        context = context_of(tabulated(evening(WHOLE), PLAN), "elm-1")
        assert (context.delegates, context.attendance.people, context.worth) == (4, 40, Fraction(5, 7))
        assert context.outcome.delegates == {"ash": 2, "birch": 2}
        assert list(context.group_names.values())[:2] == ["Ash", "Birch"]

    def test_a_site_has_no_worth_of_its_own(self):
        assert context_of(tabulated(evening(WHOLE), PLAN), "north-a").worth is None

    def test_a_county_with_a_blank_that_may_hold_the_missing_delegate_is_not_accused(self):
        rows = evening(WHOLE.replace("delegates ash 2 birch 2", "delegates ash 2", 1))
        assert not [row for row in findings(tabulated(rows, PLAN)) if row.kind == "county-total-differs"]

    def test_twins_are_named_stage_by_stage(self):
        rows = evening("""
            elm-1 attending 40 / first ash 20 birch 20 / final ash 40
            elm-2 attending 40 / first ash 20 birch 20 / final birch 40
            fir-1 attending 40 / first ash 20 birch 20 / final ash 40
            oak-1 attending 40 / first cedar 9
            oak-2 attending 40 / first ash 20 birch 20 cedar 0 / final ash 40
        """)
        found = of.twins_of(tabulated(rows, PLAN))
        assert found == {
            "elm-1": {"first": ("elm-2", "fir-1"), "final": ("fir-1", "oak-2"), "all": ("fir-1",)},
            "elm-2": {"first": ("elm-1", "fir-1")},
            "fir-1": {"first": ("elm-1", "elm-2"), "final": ("elm-1", "oak-2"), "all": ("elm-1",)},
            "oak-2": {"final": ("elm-1", "fir-1")},
        }

    def test_places_of_zeros_are_no_twins(self):
        rows = evening("elm-1 / first ash 0 / final ash 0\n elm-2 / first ash 0 / final ash 0")
        assert of.twins_of(tabulated(rows, PLAN)) == {}

    def test_a_closed_place_is_nobodys_twin_and_has_no_findings(self):
        line = "attending 40 / first ash 20 birch 20 / final ash 40"
        rows = entries(report(f"elm-1 {line}"), report(f"elm-2 {line}"), UnitClosed("elm-2"))
        assert of.twins_of(tabulated(rows, PLAN, at=at(1))).keys() == {"elm-1", "elm-2"}
        assert of.twins_of(tabulated(rows, PLAN)) == {}
        assert {row.unit for row in findings(tabulated(rows, PLAN))} <= {"elm-1", ""}


class TestAreaContext:
    def test_allotted_written_missing_and_unrecorded(self):
        rows = evening("""
            elm-1 attending 40 / first ash 40 / final ash 40 / delegates ash 4
            elm-2 attending 40 / first ash 40 / final ash 40
        """)
        area = of._area(tabulated(rows, PLAN), "elm")
        assert (area.units, area.allotted, area.written) == (3, 7, 4)
        assert (area.missing, area.unrecorded, area.worth) == (("elm-3",), ("elm-2",), Fraction(5, 7))

    def test_sites_of_a_pool_are_never_unrecorded(self):
        area = of._area(tabulated(evening("north-a attending 40 / final ash 40"), PLAN), "north-satellite")
        assert (area.units, area.allotted, area.missing, area.unrecorded) == (3, None, ("north-b", "north-c"), ())


class TestBatches:
    def test_a_batch_is_what_one_moment_added(self):
        rows = iowa.release("75pct")
        names = {group: group for group in iowa.plan().groups}
        first, second, third = of._batches(rows, names)
        assert (first.units, second.units, third.units) == (1099, 151, 70)
        assert first.before["sanders"] == 0
        assert second.before["buttigieg"] == first.batch["buttigieg"] == Fraction(3_626_366, 10_000)
        assert third.before["buttigieg"] + third.batch["buttigieg"] == Fraction(4_421_974, 10_000)

    def test_a_closed_place_is_in_no_batch(self):
        rows = entries(report("elm-1 attending 40 / final ash 40 / delegates ash 4"), UnitClosed("elm-1"))
        assert len(list(of._batches(tabulated(rows, PLAN, at=at(0)), {}))) == 1
        assert list(of._batches(tabulated(rows, PLAN), {})) == []

    def test_a_correction_is_no_new_batch(self):
        rows = evening("""
            elm-1 attending 40 / first ash 40 / final ash 40 / delegates ash 4
            elm-1 attending 40 / first ash 40 / final ash 40 / delegates ash 3 birch 1
        """)
        (only,) = of._batches(tabulated(rows, PLAN), {})
        assert (only.units, only.batch["ash"], only.batch["birch"]) == (1, Fraction(28_571, 10_000), 0)

    def test_sites_without_delegates_bring_their_written_values(self):
        rows = evening("north-a attending 30 / final ash 30 / values ash 1.4999")
        (only,) = of._batches(tabulated(rows, PLAN), {})
        assert only.batch["ash"] == Fraction(14_999, 10_000)

    @pytest.mark.parametrize(
        ("yardstick", "ash"), [("final_alignment", 40), ("delegates", 4), ("sde", Fraction("2.8571"))]
    )
    def test_it_counts_by_the_yardstick_that_settles(self, yardstick, ash):
        rows = evening("elm-1 attending 40 / first ash 40 / final ash 40 / delegates ash 4")
        yardsticks = tuple(replace(row, official=row.id == yardstick) for row in PLAN.yardsticks)
        (only,) = of._batches(tabulated(rows, replace(PLAN, yardsticks=yardsticks)), {})
        assert only.batch["ash"] == ash
