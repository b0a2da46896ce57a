"""Counties and batches: what no single report can show."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction

import pytest

from checks.room import WORTH
from tallyroom.checks import AreaContext, BatchContext, examine_area, examine_batch
from tallyroom.plan.types import Area, Sharing


def county(sharing=Sharing.DELEGATES, **known):
    known = {"units": 3, "allotted": 30, "written": 30, "missing": (), "unrecorded": (), "worth": WORTH} | known
    return examine_area(AreaContext(area=Area("meadow", "county", "Meadow", "", Fraction(7), sharing), **known))


class TestUnitMissing:
    def test_all_others_have_reported(self):
        (found,) = county(missing=("mill",), written=20)
        assert (found.code, found.kind, found.severity) == ("I24", "unit-missing", "warning")
        assert (found.unit, found.area) == ("mill", "meadow")
        assert found.numbers == {"missing": ["mill"], "units": 3}
        assert found.text == "This place has not reported, and the other 2 of Meadow have."

    @pytest.mark.parametrize(("units", "missing"), [(3, ("mill", "school")), (2, ("mill",)), (1, ("mill",)), (3, ())])
    def test_too_early_or_too_small_or_complete(self, units, missing):
        assert county(units=units, missing=missing) == ()

    def test_a_pool_of_satellites_too(self):
        (found,) = county(Sharing.ATTENDANCE, missing=("mill",))
        assert found.kind == "unit-missing"


class TestCountyTotalDiffers:
    @pytest.mark.parametrize(("written", "off"), [(31, "7/30"), (29, "-7/30"), (42, "14/5")])
    def test_a_complete_county_is_off(self, written, off):
        (found,) = county(written=written)
        assert (found.code, found.kind, found.severity) == ("I25", "county-total-differs", "error")
        assert (found.unit, found.area) == ("", "meadow")
        assert found.numbers == {"allotted": 30, "written": written, "off": off}
        assert found.text == f"Meadow elects 30 delegates, and its places awarded {written}."

    def test_it_adds_up(self):
        assert county() == ()

    @pytest.mark.parametrize(
        "known",
        [{"missing": ("mill", "school")}, {"unrecorded": ("mill",)}, {"units": 0, "allotted": 0}],
        ids=["not all reported", "not all on record", "no places"],
    )
    def test_it_is_not_complete(self, known):
        assert county(written=20, **known) == ()

    def test_a_pool_shared_by_attendance_has_no_number_of_its_own(self):
        assert county(Sharing.ATTENDANCE, written=20) == ()

    def test_without_a_worth_the_delegates_are_said_all_the_same(self):
        (found,) = county(written=31, worth=None)
        assert found.numbers["off"] == "0/1"


def batch(before, added, units=20, at=None):
    names = {"ash": "Ash", "birch": "Birch", "cedar": "Cedar"}
    before, added = ({g: Fraction(v) for g, v in part.items()} for part in (before, added))
    return examine_batch(
        BatchContext(before=before, batch=added, units=units, group_names=names, yardstick="the vote", at=at)
    )


class TestBatchJump:
    def test_ten_points_more(self):
        up, down = batch({"ash": 40, "birch": 60}, {"ash": 50, "birch": 50})
        assert (up.code, up.kind, up.severity) == ("I23", "batch-jump", "warning")
        assert up.numbers == {"group": "ash", "before": "2/5", "batch": "1/2", "added": "50/1", "units": 20}
        assert up.text == "Ash has 50.0 percent of the vote in the batch of 20 places, after 40.0 percent before."
        assert down.numbers["group"] == "birch"

    def test_nearly_ten_points(self):
        assert batch({"ash": 400, "birch": 600}, {"ash": 499, "birch": 501}) == ()

    def test_the_withdrawn_release_of_5_february_2020(self):
        before = {"ash": 600, "birch": 790, "cedar": 0}
        (found,) = batch(before, {"ash": 82, "birch": 112, "cedar": 21}, units=180)
        assert found.numbers["group"] == "cedar"
        assert found.text == "Cedar has 9.8 percent of the vote in the batch of 180 places, after 0.0 percent before."

    @pytest.mark.parametrize(
        ("before", "added", "found"),
        [(9, 51, True), (10, 51, False), (9, 50, False)],
        ids=["from under 1 to over 5 percent", "from 1 percent", "to 5 percent"],
    )
    def test_from_nothing(self, before, added, found):
        rows = batch({"ash": 1000 - before, "cedar": before}, {"ash": 1000 - added, "cedar": added})
        assert bool(rows) is found

    def test_a_group_that_vanishes_from_a_batch(self):
        rows = batch({"ash": 80, "cedar": 20}, {"ash": 50})
        assert [(row.numbers["group"], row.numbers["batch"]) for row in rows] == [("ash", "1/1"), ("cedar", "0/1")]

    @pytest.mark.parametrize(
        ("before", "added", "units"),
        [({"ash": 40, "birch": 60}, {"ash": 90, "birch": 10}, 19), ({}, {"ash": 9}, 20), ({"ash": 9}, {"ash": 0}, 20)],
        ids=["a small batch", "the first batch", "a batch of zeros"],
    )
    def test_there_is_nothing_to_compare(self, before, added, units):
        assert batch(before, added, units) == ()

    def test_the_batch_can_be_found_again(self):
        rows = batch({"ash": 40, "birch": 60}, {"ash": 60, "birch": 40}, at=datetime(2031, 2, 3, 21, 5, tzinfo=UTC))
        assert "of 20 places received on 2031-02-03 at 21:05 UTC, after" in rows[0].text
