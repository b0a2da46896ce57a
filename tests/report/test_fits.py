"""A report belongs to a plan, or every name that does not is told with the closest that would."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tabulate.room import PLAN
from tallyroom.plan.types import Component, Source
from tallyroom.report.fits import misfits
from tallyroom.report.record import Report

FITS = Report(
    "elm-1", {"first": {"ash": 1, "other": 0}, "final": {}}, delegates={"birch": 1}, values={"cedar": Fraction(1)}
)


def test_a_report_of_the_plan_fits():
    assert misfits(FITS, PLAN) == ()
    assert misfits(Report("north-a", {}), PLAN) == ()


@pytest.mark.parametrize(
    ("report", "what", "remedy"),
    [
        (Report("elm-9", {}), "'elm-9' is not a unit of contest orchard-2031", "Did you mean 'elm-"),
        (Report("elm-1", {"frist": {}}), "'frist' is not a stage of", "Did you mean 'first'?"),
        (Report("elm-1", {"first": {"asch": 1}}), "'asch' is not a group of", "Did you mean 'ash'?"),
        (Report("elm-1", {}, delegates={"zzz": 1}), "'zzz' is not a group of", "Use one of the plan's groups"),
        (Report("elm-1", {}, values={"birsch": Fraction(1)}), "'birsch' is not a group of", "Did you mean 'birch'?"),
    ],
)
def test_a_stranger_is_named_with_the_closest(report, what, remedy):
    (fault,) = misfits(report, PLAN, "night.csv", 7)
    assert fault.what.startswith(what)
    assert fault.remedy.startswith(remedy)
    assert (fault.file, fault.line) == ("night.csv", 7)


def test_all_strangers_are_named_at_once_and_each_once():
    report = Report("x", {"y": {"z": 1}, "first": {"z": 2}}, delegates={"z": 1, "v": 1})
    assert [fault.what.split()[0] for fault in misfits(report, PLAN)] == ["'x'", "'y'", "'v'", "'z'"]


PARTED = replace(
    PLAN, components=(Component("early", "Early ballots", Source("s")), Component("room", "The room", Source("s")))
)


def test_components_of_the_plan_fit():
    parts = {"early": {"first": {"ash": 1}}, "room": {"final": {}}}
    assert misfits(replace(FITS, components=parts), PARTED) == ()


@pytest.mark.parametrize(
    ("parts", "what", "remedy"),
    [
        ({"erly": {}}, "'erly' is not a component of", "Did you mean 'early'?"),
        ({"room": {"frist": {}}}, "'frist' is not a stage of", "Did you mean 'first'?"),
        ({"room": {"first": {"asch": 1}}}, "'asch' is not a group of", "Did you mean 'ash'?"),
    ],
)
def test_a_stranger_in_the_components_is_named(parts, what, remedy):
    (fault,) = misfits(replace(FITS, components=parts), PARTED)
    assert fault.what.startswith(what)
    assert fault.remedy.startswith(remedy)


def test_a_contest_without_components_has_none():
    (fault,) = misfits(replace(FITS, components={"room": {}}), PLAN)
    assert fault.what.startswith("'room' is not a component of")
