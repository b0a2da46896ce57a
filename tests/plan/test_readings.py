"""Readings: the points that sources leave open, and the ways a person may ask for."""

from __future__ import annotations

import pytest

from tallyroom.faults import CannotRunError
from tallyroom.plan.catalogue import contests, find
from tallyroom.plan.readings import KNOWN, choose, parse


@pytest.fixture(scope="module")
def plan():
    return find("lakeland-2031")


def test_what_is_asked_for_is_given(plan):
    assert choose(plan, {"attendance": "first", "short_award": "lot"}) == {"attendance": "first", "short_award": "lot"}


def test_nothing_asked_for(plan):
    assert choose(plan, {}) == {}


def test_unknown_reading_is_named_with_the_closest(plan):
    with pytest.raises(CannotRunError, match=r"'atendance' is not a reading of lakeland-2031. Did you mean 'attendan"):
        choose(plan, {"atendance": "first"})


def test_unknown_value_is_named_with_those_there_are(plan):
    with pytest.raises(CannotRunError, match=r"'xyz' is not a value of reading attendance. There are first, final, la"):
        choose(plan, {"attendance": "xyz"})


def test_all_that_is_wrong_is_told_together(plan):
    with pytest.raises(CannotRunError) as refused:
        choose(plan, {"attendance": "xyz", "weather": "rain", "short_award": "lot"})
    assert len(refused.value.faults) == 2


def test_value_that_the_plan_does_not_list_is_refused_even_if_the_code_knows_it(plan):
    from dataclasses import replace

    narrow = replace(plan.readings["attendance"], values=("first", "larger"))
    with pytest.raises(CannotRunError, match="'final' is not a value of reading attendance"):
        choose(replace(plan, readings={**plan.readings, "attendance": narrow}), {"attendance": "final"})


def test_typed_readings():
    assert parse(["attendance=first", " short_award = lot "]) == {"attendance": "first", "short_award": "lot"}


@pytest.mark.parametrize("typed", ["attendance", "attendance=", "", "="])
def test_typed_reading_without_a_value(typed):
    with pytest.raises(CannotRunError, match="Write NAME=VALUE"):
        parse(["short_award=lot", typed])


def test_readings_asked_for_change_the_award_rule_and_no_others(plan):
    rule = plan.award_under({"short_award": "cyclic", "attendance": "first"})
    assert rule.short == "cyclic"
    assert (rule.over_viable_tie, rule.one_delegate, rule.nobody_viable) == ("all-realign", "plurality", "no-award")
    assert plan.award.short == "residual"


@pytest.mark.parametrize("contest", contests())
def test_plans_use_known_values_only(contest):
    for name, reading in find(contest).readings.items():
        assert set(reading.values) <= KNOWN[name].meaning.keys()


def test_values_that_cannot_be_computed_mean_as_written():
    as_written = {(name, value) for name, known in KNOWN.items() for value in known.as_written}
    assert as_written == {
        ("one_delegate", "caucus-vote"),
        ("nobody_viable", "chair-decides"),
        ("nobody_viable", "realign-again"),
        ("out_of_state_pool", "turnout"),
        ("empty_unit", "filled-later"),
        ("early_second_choice", "yes"),
        ("early_second_choice", "no"),
        ("national_tie", "state-plan"),
    }


def test_every_value_is_explained_and_every_question_asks():
    for known in KNOWN.values():
        assert known.question.endswith("?")
        assert len(known.meaning) >= 2
        assert all(meaning for meaning in known.meaning.values())
        assert known.as_written <= known.meaning.keys()
