"""Who counts as present, and how many delegates a place elects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabulate.room import PLAN
from tallyroom.plan.types import Source, Stage, Unit
from tallyroom.report.attendance import Attendance, attendance, delegates_of
from tallyroom.report.record import Report

FIRST, FINAL = {"ash": 20, "birch": 4}, {"ash": 23}
SOURCE = Source("fiction")


@pytest.mark.parametrize("order", [("first", "final"), ("final", "first")])
@pytest.mark.parametrize(("reading", "people"), [("first", 24), ("final", 23), ("larger", 24)])
def test_the_stand_in_is_by_stage_and_not_by_the_order_written(order, reading, people):
    report = Report("elm-1", {stage: {"first": FIRST, "final": FINAL}[stage] for stage in order})
    assert attendance(report, reading, PLAN.stages) == Attendance(people, reading)


def test_the_larger_may_be_the_final():
    report = Report("elm-1", {"first": {"ash": 1}, "final": {"ash": 2}})
    assert attendance(report, "larger", PLAN.stages).people == 2


@pytest.mark.parametrize("blank", [{}, {"first": {}}, {"middle": {"ash": 99}}])
@pytest.mark.parametrize(("reading", "people"), [("first", None), ("final", 23), ("larger", 23)])
def test_an_alignment_left_blank_is_not_stood_in_for_by_the_other(blank, reading, people):
    report = Report("elm-1", {**blank, "final": FINAL})
    assert attendance(report, reading, PLAN.stages) == Attendance(people, reading)


@pytest.mark.parametrize("blank", [{}, {"final": {}}])
@pytest.mark.parametrize(("reading", "people"), [("first", 24), ("final", None), ("larger", 24)])
def test_nor_is_the_final_by_the_first(blank, reading, people):
    report = Report("elm-1", {"first": FIRST, **blank})
    assert attendance(report, reading, PLAN.stages) == Attendance(people, reading)


@pytest.mark.parametrize("alignments", [{}, {"first": {}, "final": {}}])
@pytest.mark.parametrize("reading", ["first", "final", "larger"])
def test_nothing_on_record_is_not_nobody(alignments, reading):
    assert attendance(Report("elm-1", alignments), reading, PLAN.stages) == Attendance(None, reading)


@pytest.mark.parametrize("reading", ["first", "final", "larger"])
def test_zeros_were_counted_and_are_nobody(reading):
    report = Report("elm-1", {"first": {"ash": 0}, "final": {"ash": 0, "birch": 0}})
    assert attendance(report, reading, PLAN.stages) == Attendance(0, reading)


counts = st.dictionaries(st.sampled_from(["ash", "birch"]), st.integers(0, 50))


@given(st.dictionaries(st.sampled_from(["one", "two", "three"]), counts))
def test_of_three_stages_the_first_and_the_last_are_looked_up_by_id(alignments):
    stages = [Stage(name, name.title(), SOURCE) for name in ("one", "two", "three")]
    report = Report("elm-1", alignments)
    totals = {stage: sum(people.values()) if people else None for stage, people in alignments.items()}
    assert attendance(report, "first", stages).people == totals.get("one")
    assert attendance(report, "final", stages).people == totals.get("three")
    known = [total for total in totals.values() if total is not None]
    assert attendance(report, "larger", stages).people == max(known, default=None)


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
    assert delegates_of(Unit("x", "elm", "X", delegates=3), PLAN.bands, None) == 3


def test_delegates_that_follow_from_an_unknown_attendance_are_unknown():
    assert delegates_of(PLAN.units["north-a"], PLAN.bands, None) is None
