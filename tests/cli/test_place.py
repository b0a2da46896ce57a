"""One place in full: a reported zero is 0 and a blank is a blank, and nothing that a sheet says is left out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tabulate.room import PLAN, evening
from tallyroom.cli.opened import Opened
from tallyroom.cli.place import _changes, account, account_object
from tallyroom.cli.place_view import show_place
from tallyroom.cli.standing_view import show_standing
from tallyroom.cli.terminal import Terminal
from tallyroom.report.record import RecordedLot, Report
from tallyroom.tabulate import Basis, tabulated
from tallyroom.tabulate.filed import Filing
from tallyroom.tabulate.moment import Moment
from tallyroom.tabulate.national import National

PAGE = Terminal(colour=False, person=False, live=False, quiet=False, width=120)
NOUGHT = "elm-1 attending 40 / first ash 0 birch 0 / final ash 0 birch 0 / delegates ash 0 birch 0"
FULL = Report(
    "elm-1",
    {"first": {"ash": 25}, "final": {"ash": 25}},
    attendance=40,
    viability_number=6,
    delegates={"ash": 4},
    values={"ash": Fraction(5, 2)},
    lots=(RecordedLot("gain:1:ash+birch@1/2", ("ash",)),),
    other_attendance={"check-in": 41},
    signed=("chair",),
    photo="ab" * 16,
    components={"room": {"first": {"ash": 20}}},
)
"""A report in which every field has something."""
OTHER = Report(
    "elm-1",
    {"first": {"ash": 24}, "final": {"ash": 26}},
    attendance=39,
    viability_number=7,
    delegates={"ash": 3},
    values={"ash": Fraction(3, 2)},
    lots=(RecordedLot("gain:1:ash+birch@1/2", ("birch",)),),
    other_attendance={"check-in": 42},
    signed=("secretary",),
    photo="cd" * 16,
    components={"room": {"first": {"ash": 21}}},
)
"""One in which every field has something else."""


def shown(capsys, tabulation, unit="elm-1"):
    show_place(PAGE, Opened(Moment(), tabulation), account(tabulation, unit), {})
    return capsys.readouterr().out


def row(text, start):
    return next(line for line in text.splitlines() if line.startswith(start)).split()


def test_a_reported_zero_is_zero(capsys):
    tabulation = tabulated(evening(NOUGHT), PLAN)
    told = account(tabulation, "elm-1")
    assert told.written is not None
    assert set(told.written.values()) == {"0.0000"}
    place = account_object(PLAN, told, {})
    assert place["as_written"]["value"]["ash"] == "0.0000"
    assert row(shown(capsys, tabulation), "Together") == ["Together", "0", "0", "0", "0", "0.000", "0.000"]


def test_a_blank_is_a_dash(capsys):
    tabulation = tabulated(evening("elm-1 attending 40 / first ash 40 / final ash 40"), PLAN)
    told = account(tabulation, "elm-1")
    assert told.written is None
    assert account_object(PLAN, told, {})["as_written"] == {"delegates": None, "value": None}
    assert row(shown(capsys, tabulation), "Together")[:4] == ["Together", "40", "40", "-"]


def test_nothing_is_known_of_a_place_before_its_first_report():
    told = account(tabulated([], PLAN), "elm-1")
    assert (told.report, told.written, told.by_rule, told.history) == (None, None, None, ())


@pytest.mark.parametrize("name", sorted(set(Report.__dataclass_fields__) - {"unit"}))
def test_a_correction_of_any_field_is_in_the_history(name):
    """A new field of a report that the history leaves out is found here."""
    assert getattr(FULL, name) != getattr(OTHER, name)
    (change, *_) = _changes(PLAN, FULL, replace(FULL, **{name: getattr(OTHER, name)}))
    assert change.before is not None
    assert change.after is not None


FIELDS = ("attendance", "viability_number", "delegates", "values", "lots", "signed", "photo", "components")


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_comes_was_blank_before(name):
    empty = Report("elm-1", FULL.alignments)
    changes = _changes(PLAN, empty, replace(empty, **{name: getattr(FULL, name)}))
    assert [change.before for change in changes] == [None]


def test_what_else_is_on_the_sheet_is_told(capsys):
    tabulation = tabulated(evening("elm-1 attending 40 / first ash 25 / final ash 25 / delegates ash 4"), PLAN)
    filing = tabulation.filed.filings["elm-1"][0]
    sheet = replace(
        filing.report,
        viability_number=6,
        other_attendance={"check-in": 1041},
        signed=("chair", "secretary"),
        photo="ab" * 16,
    )
    tabulation.filed.filings["elm-1"][0] = replace(filing, report=sheet)
    text = shown(capsys, tabulation)
    said = "1,041 present by check-in; a group needs 6; signed by chair and secretary; photo " + "ab" * 16
    assert f"The sheet    {said}\n" in text
    told = account_object(PLAN, account(tabulation, "elm-1"), {})["sheet"]
    assert told["viability_number"] == 6
    assert told["other_attendance"] == {"check-in": 1041}
    assert (told["signed"], told["photo"]) == (["chair", "secretary"], "ab" * 16)


def test_a_report_that_waits_to_be_settled_is_shown_with_what_differs(capsys):
    tabulation = tabulated(evening("elm-1 attending 40 / first ash 25 / final ash 25 / delegates ash 4"), PLAN)
    standing = tabulation.filed.filings["elm-1"][0]
    other = replace(standing.report, alignments={**standing.report.alignments, "final": {"ash": 26}})
    tabulation.filed.unsettled["elm-1"] = [Filing(9, standing.at, other, None, "", "sms")]
    text = shown(capsys, tabulation)
    assert "Reported; other figures were sent once, not settled; " in text
    assert "\nNot in force: to be settled\n" in text
    assert "Ash 25 to 26" in text
    (waiting,) = account_object(PLAN, account(tabulation, "elm-1"), {"sms": "By text message."})["unsettled"]
    assert (waiting["seq"], waiting["paper"], waiting["paper_text"]) == (9, "sms", "By text message.")


def test_the_area_says_how_many_places_wait_to_be_settled(capsys):
    tabulation = tabulated(evening("elm-1 attending 40 / first ash 25 / final ash 25 / delegates ash 4"), PLAN)
    found = Opened(Moment(), tabulation)
    said = "1 place has sent other figures than those in force: counted as first sent, and to be settled.\n"
    for expected in (False, True):
        show_standing(PAGE, found, tabulation.top(), National(()), Basis.AS_WRITTEN)
        assert (said in capsys.readouterr().out) is expected
        tabulation.filed.unsettled["elm-1"] = tabulation.filed.filings["elm-1"]
    show_standing(PAGE, found, tabulation.of_area("oak", Basis.AS_WRITTEN), National(()), Basis.AS_WRITTEN)
    assert said not in capsys.readouterr().out


def test_attendance_that_nobody_knows_is_said_and_not_taken_for_nobody(capsys):
    tabulation = tabulated(evening("elm-1 first ash 25 / delegates ash 4"), PLAN, readings={"attendance": "final"})
    text = shown(capsys, tabulation)
    assert "Present      not on record, and nothing that could stand for it\n" in text
    assert account_object(PLAN, account(tabulation, "elm-1"), {})["attendance"]["people"] is None
