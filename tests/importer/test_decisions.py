"""Answers of a person: kept, given again with the next file, and never more than was asked."""

from __future__ import annotations

import openpyxl
import pytest

from importer.county import csv_of, reading, saved
from tallyroom.faults import InputError
from tallyroom.importer.decisions import Decision, Decisions, read_decisions, write_decisions
from tallyroom.importer.outcomes import Furniture, Question, Questioned

HEAD = ["Precinct", "Ash final", "Birch final"]


def answered(found, **by_kind):
    """Decisions in which every question of these kinds has this answer."""
    lines = Decisions().asked(found.questions).lines
    return Decisions(
        {
            key: Decision(
                line.kind, line.where, line.text, line.asks, line.proposal, by_kind.get(key[0].replace("-", "_"), "")
            )
            for key, line in lines.items()
        }
    )


@pytest.mark.parametrize(
    ("rows", "kind", "answer", "counts"),
    [
        ([HEAD, ["Aldr School", 52, 34]], "place", "yes", {"ash": 52, "birch": 34}),
        ([HEAD, ["Aldr School", 52, 34]], "place", "alder-school", {"ash": 52, "birch": 34}),
        ([HEAD, ["Alder School", "l2", 34]], "count", "yes", {"ash": 12, "birch": 34}),
        ([HEAD, ["Alder School", "52*", 34]], "count", "25", {"ash": 25, "birch": 34}),
        ([HEAD, ["Alder School", "52*", 34]], "count", "leave-out", {"birch": 34}),
        ([["Precinct", "Jane Ash final", "Birch final"], ["Alder School", 52, 34]], "column", "yes", {"ash": 52,
        "birch": 34}),
        ([["Precinct", "Oak final", "Birch final"], ["Alder School", 52, 34]], "column", "final:other", {"other": 52,
        "birch": 34}),
        ([["Precinct", "Oak final", "Birch final"], ["Alder School", 52, 34]], "column", "leave-out", {"birch": 34}),
        ([["Precinct", "", "Birch final"], ["Alder School", 52, 34]], "column", "final:ash", {"ash": 52, "birch": 34}),
        ([["Precinct", "Ash", "Birch final"], ["Alder School", 52, 34]], "stage", "final", {"ash": 52, "birch": 34}),
        ([["Precinct", "Group", "Final"], ["Alder School", "Ahs", 52]], "group", "yes", {"ash": 52}),
        ([["Precinct", "Round", "Ash"], ["Alder School", "2nd", 52]], "stage", "yes", {"ash": 52}),
        ([["Precinct", "Ash final", "Birch final", "Total final"], ["Alder School", 52, 34, 99]], "row_total", "yes",
        {"ash": 52, "birch": 34}),
        ([HEAD, ["Alder School", 52, 34], ["Alder School", 53, 34]], "duplicate", "53", {"ash": 53, "birch": 34}),
        ([HEAD, ["Alder School", 52, 34], ["Alder School", 53, 34]], "duplicate", "52", {"ash": 52, "birch": 34}),
        ([["County", *HEAD], ["Aldre", "Alder School", 52, 34]], "area", "yes", {"ash": 52, "birch": 34}),
        ([HEAD, ["Alder School", 52]], "row", "yes", {"ash": 52}),
    ],
)  # fmt: skip
def test_an_answer_is_taken_with_the_next_file(rows, kind, answer, counts):
    content = csv_of(rows)
    first = reading(content)
    assert first.reports == ()
    assert {question.kind for question in first.questions} == {kind.replace("_", "-")}
    kept = read_decisions(write_decisions(answered(first, **{kind: answer})), "d.csv")
    again = reading(content, decisions=kept)
    assert again.clean, again.outcomes
    assert [report.alignments for report in again.reports] == [{"final": counts}]


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([HEAD, ["Aldr School", 52, 34]], "place"),
        ([HEAD, ["Alder School", 52, 34], ["Total", 53, 34]], "total"),
        ([["Precinct", "Group", "Final"], ["Alder School", "Ahs", 52]], "group"),
        ([HEAD, ["Alder School", 52]], "row"),
    ],
)
def test_what_is_left_out_is_named(rows, kind):
    content = csv_of(rows)
    found = reading(content)
    if kind == "group":
        found = reading(
            content, decisions=Decisions({("group", "", "ahs"): Decision("group", "", "Ahs", "", "", "leave-out")})
        )
    else:
        found = reading(content, decisions=answered(found, **{kind: "leave-out"}))
    assert found.clean, found.outcomes
    assert "left out by decision" in [outcome.what for outcome in found.outcomes if isinstance(outcome, Furniture)]


def test_an_answer_that_is_none_of_the_contest_is_asked_again():
    content = csv_of([HEAD, ["Aldr School", 52, 34]])
    again = reading(content, decisions=answered(reading(content), place="alder-skool"))
    assert [question.kind for question in again.questions] == ["place"]


def test_an_answer_to_a_duplicate_must_be_one_of_the_two():
    content = csv_of([HEAD, ["Alder School", 52, 34], ["Alder School", 53, 34]])
    assert not reading(content, decisions=answered(reading(content), duplicate="77")).clean


def test_a_hidden_row_counts_when_somebody_says_so():
    book = openpyxl.Workbook()
    for row in (HEAD, ["Alder School", 52, 34]):
        book.active.append(row)
    book.active.row_dimensions[2].hidden = True
    first = reading(saved(book))
    assert first.reports == ()
    assert [report.unit for report in reading(saved(book), decisions=answered(first, row="yes")).reports] == [
        "alder-school"
    ]
    left = reading(saved(book), decisions=answered(first, row="leave-out"))
    assert left.clean
    assert left.reports == ()


def test_an_unanswered_line_changes_nothing():
    content = csv_of([HEAD, ["Aldr School", 52, 34]])
    first = reading(content)
    again = reading(content, decisions=Decisions().asked(first.questions))
    assert again == first
    assert isinstance(again.outcomes[-1], Questioned)


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "'=1", "a,b", 'a"b', "a\nb", "é", "=HYPERLINK(0)"]
)
def test_what_is_written_is_read_again_whatever_it_is(text):
    question = Question("place", text, text, text, "x")
    kept = read_decisions(write_decisions(Decisions().asked([question])), "d.csv")
    assert question.key in kept.lines
    assert Decisions(kept.lines).asked([question]).lines == kept.lines


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no file of decisions"),
        ("a,b,c\n", "no file of decisions"),
        ("question,where,text,asks,proposal,answer\nplace,a\n", "2 cells for 6 columns"),
        ("question,where,text,asks,proposal,answer\nwhat,a,b,c,d,e\n", "no kind of question"),
        ("question,where,text,asks,proposal,answer\nplace,,a,,,x\nplace,,A,,,y\n", "answered twice"),
        ('question,where,text,asks,proposal,answer\nplace,,"a\n', "not CSV"),
    ],
)
def test_a_file_that_holds_no_decisions_is_refused_with_its_line(text, says):
    with pytest.raises(InputError, match=says) as refused:
        read_decisions(text, "d.csv")
    assert all(fault.line and fault.remedy and fault.file == "d.csv" for fault in refused.value.faults)
