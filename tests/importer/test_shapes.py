"""One evening in twelve shapes and as many forms: whatever a county sends, the same reports are read."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from importer import county as c
from tallyroom.importer.outcomes import Furniture


def expected():
    return tuple(
        replace(report, values=None, lots=(), signed=(), photo="", viability_number=None)
        for report in c.evening().values()
    )


def by_stage(shape):
    """Sheets of one stage each, named by it, and one with delegates and attendance."""
    return {**{stage.name: list(shape(stage)) for stage in c.STAGES}, "Delegates": list(c.rest())}


def in_two_files():
    """One file a stage, the stage in a title, and a third with the rest."""
    for stage in c.STAGES:
        yield c.csv_of([[f"{stage.name} - official results"], [], *c.of_stage(stage)])
    yield c.csv_of(c.rest())


def a_sheet_a_county():
    """A sheet for each county, named by it, whose rows do not name it."""
    heads, *rows = c.wide()
    areas = dict.fromkeys(row[0] for row in rows)
    return {area: [heads[1:], *(row[1:] for row in rows if row[0] == area)] for area in areas}


SHAPES = {
    "wide": lambda: [c.csv_of(c.wide())],
    "long": lambda: [c.csv_of(c.long(), "utf-8-sig", delimiter="\t")],
    "stage above group": lambda: [c.csv_of(c.stage_above(), "utf-16")],
    "group above stage": lambda: [c.csv_of(c.group_above(), "cp1252", delimiter=";", end="\r")],
    "a row a place and stage": lambda: [c.csv_of(c.stage_in_rows(), "cp437"), c.csv_of(c.rest())],
    "a table a county": lambda: [c.csv_of(c.sections(), "mac-roman", quoting=csv.QUOTE_ALL)],
    "by code": lambda: [c.csv_of(c.by_code(), delimiter="|"), c.csv_of(c.rest())],
    "places above columns": lambda: [c.xlsx_of(by_stage(c.transposed))],
    "a sheet a stage": lambda: [c.ods_of(by_stage(c.of_stage))],
    "a file a stage": lambda: list(in_two_files()),
    "a sheet a county": lambda: [c.xlsx_of(a_sheet_a_county())],
    "a long workbook": lambda: [c.ods_of({"Results": list(c.long())})],
    "titles, merged headings and totals in a workbook": lambda: [c.xlsx_of({"Sheet1": list(c.stage_above())})],
    "a table a county in a workbook": lambda: [c.ods_of({"All": list(c.sections())})],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_reports(shape):
    found = c.reading(*SHAPES[shape]())
    assert found.clean, c.told(found)
    assert found.reports == expected()


def test_there_are_twelve_shapes():
    assert len(SHAPES) >= 12


def test_rows_of_a_wide_table_and_its_furniture_are_all_there():
    found = c.reading(c.csv_of(c.stage_above()))
    assert found.rows == {"read": 17, "questioned": 0, "refused": 0, "furniture": 7}
    assert [outcome.what for outcome in found.outcomes if isinstance(outcome, Furniture)] == [
        "a title: 'Lakeland caucuses 2031'",
        "a title: 'Official results'",
        "blank",
        "the header",
        "a total, the sum of the rows above",
        "a note: '* Clover Church came in late'",
    ]


def test_a_file_of_one_county_needs_no_county_column():
    rows = [row[1:] for row in c.wide() if row[0] in ("County", "Brook")]
    found = c.reading(c.csv_of(rows), area="brook")
    assert [report.unit for report in found.reports] == ["brook-east", "brook-west", "brook-hill"]
    elsewhere = c.reading(c.csv_of(rows), area="dale")
    assert elsewhere.reports == ()
    assert all("is not in Dale" in question.asks for question in elsewhere.questions)


def test_blank_is_not_zero():
    found = c.reading(c.csv_of([["Precinct", "Ash final", "Birch final"], ["Alder Mill", "", 0]]))
    assert found.reports[0].alignments == {"final": {"birch": 0}}
    assert found.reports[0].attendance is None
    assert found.reports[0].delegates is None


def test_values_of_the_official_yardstick_are_exact():
    from fractions import Fraction

    found = c.reading(c.csv_of([["Precinct", "Ash SDE", "Birch SDE"], ["Lakeland College", "0.0784", "1.5"]]))
    assert found.reports[0].values == {"ash": Fraction(784, 10000), "birch": Fraction(3, 2)}


def test_a_place_with_one_row_at_fault_is_held_whole():
    rows = [
        ["Precinct", "Candidate", "Final"],
        ["Alder Mill", "Ash", 7],
        ["Alder Mill", "Birch", "-6"],
        ["Alder School", "Ash", 52],
    ]
    found = c.reading(c.csv_of(rows))
    assert [report.unit for report in found.reports] == ["alder-school"]
    assert found.held["alder-mill"].first == 3


def test_a_place_that_may_be_meant_is_held_too():
    rows = [["Precinct", "Candidate", "Final"], ["Alder Mill", "Ash", 7], ["Aldr Mill", "Birch", 6]]
    assert c.reading(c.csv_of(rows)).reports == ()


def test_nothing_is_reported_from_a_file_that_breaks_off():
    found = c.reading(c.xlsx_of({"S": list(c.wide())}), c.xlsx_of({"S": list(c.wide())})[:-400])
    assert found.broken == ("2",)
    assert found.reports == ()


def test_files_that_say_the_same_are_one_report():
    once = c.reading(c.csv_of(c.wide()))
    twice = c.reading(c.csv_of(c.wide()), c.xlsx_of({"S": list(c.long())}))
    assert twice.clean
    assert twice.reports == once.reports


def test_a_date_made_of_a_precinct_is_undone_only_when_asked():
    unit = replace(c.PLAN.units["alder-mill"], aliases=("3-1",))
    plan = replace(c.PLAN, units={**c.PLAN.units, "alder-mill": unit})
    for made in ("1-Mar", "Mar-01", "2031-03-01", "3/1/2031"):
        found = c.reading(c.csv_of([["Precinct", "Ash final"], [made, 7]]), plan=plan)
        assert [question.proposal for question in found.questions] == ["alder-mill"], made
        assert "date" in found.questions[0].asks
        assert found.reports == ()
    assert c.reading(c.csv_of([["Precinct", "Ash final"], ["3-1", 7]]), plan=plan).clean


def test_tables_side_by_side_are_refused_and_not_mixed():
    heads = ["Precinct", "Ash first", "", "Precinct", "Ash final"]
    found = c.reading(c.csv_of([heads, ["Alder School", 38, "", "Alder Mill", 7]]))
    assert found.reports == ()
    assert "side by side" in found.outcomes[1].reason


def test_where_a_precinct_met_is_not_taken_for_it():
    rows = [["Location", "Precinct", "Ash final"], ["The old gym", "Alder School", 52]]
    assert [report.unit for report in c.reading(c.csv_of(rows)).reports] == ["alder-school"]


def test_a_county_that_is_unknown_is_carried_down_as_unknown():
    rows = [
        ["County", "Precinct", "Ash final"],
        ["Alder", "Alder School", 52],
        ["Oz", "Nowhere", 3],
        ["", "Alder Mill", 7],
    ]
    found = c.reading(c.csv_of(rows))
    assert [report.unit for report in found.reports] == ["alder-school"]
    assert all("'Oz' is no area" in outcome.reason for outcome in found.outcomes[2:])


def test_a_place_is_not_carried_down_past_an_unknown_county():
    rows = [
        ["County", "Precinct", "Candidate", "Final"],
        ["Alder", "Alder School", "Ash", 52],
        ["Oz", "Nowhere", "Ash", 3],
        ["", "", "Birch", 7],
    ]
    assert c.reading(c.csv_of(rows)).reports[0].alignments == {"final": {"ash": 52}}


def test_a_round_that_is_unknown_is_carried_down_as_unknown():
    rows = [
        ["Precinct", "Round", "Candidate", "Votes"],
        ["Alder School", "First", "Ash", 38],
        ["Alder School", "third", "Ash", 9],
        ["", "", "Birch", 7],
    ]
    found = c.reading(c.csv_of(rows))
    assert found.reports == ()
    assert found.rows["questioned"] == 2


def test_columns_that_are_not_counted_are_named():
    rows = [
        ["Precinct", "Registered voters", "Ash final", "Ash %", "Remarks by us"],
        ["Alder School", 700, 52, "61%", "late"],
    ]
    found = c.reading(c.csv_of(rows))
    assert found.clean
    assert found.outcomes[0].what == "the header; not counted: Registered voters, Ash %, Remarks by us"


def test_attendance_of_a_group_is_not_the_attendance():
    found = c.reading(c.csv_of([["Precinct", "Other attendance", "Ash final"], ["Alder School", 7, 52]]))
    assert found.reports == ()


def test_a_misspelt_place_above_a_column_is_asked_about():
    rows = [["Final alignment"], ["Candidate", "Alder Mill", "Aldr School"], ["Ash", 7, 52]]
    found = c.reading(c.csv_of(rows))
    assert [question.proposal for question in found.questions] == ["alder-school"]
    assert found.reports == ()


def test_a_column_that_nobody_knows_is_asked_about_whatever_its_counts_look_like():
    for count in ("7", "5O", "52*", "31%"):
        found = c.reading(c.csv_of([["Precinct", "Ash final", "Mystery"], ["Alder School", 52, count]]))
        assert [question.kind for question in found.questions] == ["column"], count
        assert found.questions[0].proposal == ""


def test_a_row_named_as_a_county_is_its_total_and_must_agree():
    rows = [["Precinct", "Ash first"], ["Alder School", 38], ["Alder County", 39]]
    found = c.reading(c.csv_of(rows))
    assert [question.asks for question in found.questions] == [
        "The total of first ash is 39, and the rows add up to 38: may the total be left out?"
    ]


def test_a_sum_over_groups_needs_no_group():
    heads = ["Precinct", "Ash first", "Birch first", "First alignment", "Delegates"]
    found = c.reading(c.csv_of([heads, ["Alder School", 38, 27, 65, 6]]))
    assert found.clean, c.told(found)
    assert found.reports[0].alignments == {"first": {"ash": 38, "birch": 27}}
    assert found.reports[0].delegates is None
    assert not c.reading(c.csv_of([heads, ["Alder School", 38, 27, 66, 6]])).clean


def test_headings_that_are_all_likely_are_all_asked_about():
    found = c.reading(
        c.csv_of([["Precinct (name)", "# Ash - 1st alignment", "Ash: 2nd alignment"], ["Alder School", 38, 52]])
    )
    assert [question.proposal for question in found.questions] == ["first:ash", "final:ash"]
