"""The fictional evening: small enough to follow on paper, with everything a real one has."""

from __future__ import annotations

import csv
from importlib.resources import files

import pytest

from tallyroom.award import Awarded, MustRealign, award, breaches
from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.plan.catalogue import find
from tallyroom.report.attendance import delegates_of
from tallyroom.report.wire import decode

PLAN = find("lakeland-2031")
INTENDED = {
    "evening/brook-hill": "more viable groups than delegates",
    "evening/clover-library": "two columns were read the wrong way round",
    "evening/clover-gym": "the delegate was taken from the wrong group",
    "evening/dale-north": "one delegate too many",
}


@pytest.fixture(scope="module")
def night():
    return read_night(folder_of("lakeland-2031"), PLAN)


@pytest.fixture(scope="module")
def reports(night):
    import msgspec

    return {draft.key.removeprefix("record/"): decode(msgspec.json.encode(draft.body)) for draft in night.drafts}


def people(report):
    """Those present: as recorded, else the larger alignment."""
    return report.attendance or max(report.total("first"), report.total("final"))


def by_rule(report):
    present = people(report)
    delegates = delegates_of(PLAN.units[report.unit], PLAN.bands, present)
    lots = {lot.tie: lot.drawn for lot in report.lots}
    return award(PLAN.award, delegates, present, report.alignments["final"], lots)


def first_and_final(report):
    return report.alignments["first"], report.alignments["final"]


def test_every_place_reports_and_two_are_corrected(night):
    assert len(night.drafts) == 19
    assert [draft.key for draft in night.drafts if draft.replaces is not None] == [
        "record/complete/clover-library",
        "record/complete/dale-north",
    ]
    assert {draft.key.rpartition("/")[2] for draft in night.drafts} == PLAN.units.keys()
    assert {draft.paper for draft in night.drafts} == night.basis.keys()


def test_awards_are_by_rule_but_for_the_slips_that_are_meant(reports):
    differing = set()
    for key, report in reports.items():
        outcome = by_rule(report)
        written = {group: count for group, count in report.delegates.items() if count}
        if not (isinstance(outcome, Awarded) and {g: n for g, n in outcome.delegates.items() if n} == written):
            differing.add(key)
    assert differing == INTENDED.keys()


def test_more_viable_groups_than_delegates(reports):
    outcome = by_rule(reports["evening/brook-hill"])
    assert isinstance(outcome, MustRealign)
    assert outcome.groups == ("cedar",)


def test_coin_toss_answers_its_own_tie(reports):
    report = reports["evening/brook-east"]
    outcome = by_rule(report)
    assert [lot.tie for lot in report.lots] == ["lose:1:ash+birch@-1/2"]
    assert (outcome.stray, outcome.delegates) == ((), {"ash": 2, "birch": 3})


def test_people_added_after_the_door_was_closed(reports):
    grown = {key for key, report in reports.items() if report.total("final") > report.total("first")}
    assert grown == {"evening/clover-gym"}


def test_nobody_who_may_not_move_has_moved_but_in_the_misread_columns(reports):
    moved = set()
    for key, report in reports.items():
        first, final = first_and_final(report)
        present = people(report)
        delegates = delegates_of(PLAN.units[report.unit], PLAN.bands, present)
        moved |= {key for breach in breaches(PLAN.award, delegates, present, first, final) if breach.group}
    assert moved == {"evening/clover-library"}


def test_one_sheet_has_no_attendance(reports):
    assert [key for key, report in reports.items() if report.attendance is None] == ["complete/clover-church"]


def test_every_number_of_delegates_up_to_nine():
    assert {unit.delegates for unit in PLAN.units.values()} == {None, 1, 2, 3, 4, 5, 6, 7, 8, 9}


def test_every_place_and_paper_says_that_it_is_fictional():
    assert "(fictional)" in PLAN.name
    assert all("fictional" in row["title"] for row in PLAN.sources.values())
    assert all("(fictional)" in figure.source for figure in PLAN.published)


def test_rows_stand_in_order_of_release_and_place():
    with (files("tallyroom") / "records" / "lakeland-2031" / "night.csv").open(encoding="utf-8", newline="") as lines:
        rows = [(row["release"], row["unit"]) for row in csv.DictReader(lines)]
    releases, units = list(PLAN.releases), list(PLAN.units)
    assert rows == sorted(rows, key=lambda row: (releases.index(row[0]), units.index(row[1])))
