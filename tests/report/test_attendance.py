"""Who counts as present, and how many delegates a place elects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabulate.room import PLAN
from tallyroom.plan.types import Unit
from tallyroom.report.attendance import Attendance, attendance, delegates_of
from tallyroom.report.record import Report

FIRST, FINAL = {"ash": 20, "birch": 4}, {"ash": 23}


@pytest.mark.parametrize("order", [("first", "final"), ("final", "first")])
@pytest.mark.parametrize(("reading", "people"), [("first", 24), ("final", 23), ("larger", 24)])
def test_the_stand_in_is_by_stage_and_not_by_the_order_written(order, reading, people):
    report = Report("elm-1", {stage: {"first": FIRST, "final": FINAL}[stage] for stage in order})
    assert attendance(report, reading, PLAN.stages) == Attendance(people, reading)


def test_the_larger_may_be_the_final():
    report = Report("elm-1", {"first": {"ash": 1}, "final": {"ash": 2}})
    assert attendance(report, "larger", PLAN.stages).people == 2


@pytest.mark.parametrize("reading", ["first", "final", "larger"])
def test_one_alignment_on_record_stands_in_for_all(reading):
    assert attendance(Report("elm-1", {"final": FINAL}), reading, PLAN.stages).people == 23


@pytest.mark.parametrize("reading", ["first", "final", "larger"])
def test_nothing_on_record_is_nobody(reading):
    assert attendance(Report("elm-1", {}), reading, PLAN.stages) == Attendance(0, reading)


@given(st.integers(0, 100), st.sampled_from(["first", "final", "larger"]))
def test_what_was_counted_at_the_door_is_never_replaced(people, reading):
    report = Report("elm-1", {"first": FIRST}, attendance=people)
    assert attendance(report, reading, PLAN.stages) == Attendance(people, "recorded")


@pytest.mark.parametrize(("people", "delegates"), [(0, 0), (1, 4), (20, 4), (21, 5), (40, 5), (41, 6), (9_999, 6)])
def test_a_band_gives_the_delegates(people, delegates):
    assert delegates_of(PLAN.units["north-a"], PLAN.bands, people) == delegates


def test_delegates_fixed_in_advance_stay_however_many_come():
    assert delegates_of(Unit("x", "elm", "X", delegates=3), PLAN.bands, 500) == 3
    assert delegates_of(Unit("x", "elm", "X", delegates=0), PLAN.bands, 500) == 0
