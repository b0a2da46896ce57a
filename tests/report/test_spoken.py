"""A sheet is said line by line and heard again: every slip is a question, and nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabulate.room import PLAN
from tallyroom.faults import InputError
from tallyroom.plan.catalogue import contests, find
from tallyroom.report.check_digits import LINES_LIMIT, SPOKEN_LIMIT, line_check, line_string, sheet_code, sheet_string
from tallyroom.report.record import RecordedLot, Report
from tallyroom.report.spoken import counts_of, report_of, spoken, worksheet
from tallyroom.report.spoken_aloud import card, digits, keyed, keys, sentences
from tallyroom.report.spoken_heard import Misheard, Said, heard

LAKELAND = find("lakeland-2031")
LINES = worksheet(LAKELAND)
FIRST = {"ash": 52, "birch": 34, "cedar": 14, "dogwood": 0, "elder": 0, "other": 0, "uncommitted": 3}
FINAL = {"ash": 61, "birch": 42, "cedar": 0, "dogwood": 0, "elder": 0, "other": 0, "uncommitted": 0}
ELM = Report("elm-1", {"first": FIRST, "final": FINAL}, 103, delegates={"ash": 4, "birch": 2})
UNIT = next(iter(LAKELAND.units))
EVENING = Report(UNIT, ELM.alignments, 103, delegates=ELM.delegates)

sheets = st.lists(
    st.none() | st.integers(0, 400) | st.integers(0, SPOKEN_LIMIT - 1), min_size=len(LINES), max_size=len(LINES)
)


def said_of(report, **other):
    """Every line as it is said, with some heard otherwise: `line_3=("41", "4")`."""
    sheet = spoken(report, LAKELAND)
    lines = {
        line.line.number: Said(line.line.number, "" if line.count is None else str(line.count), line.check)
        for line in sheet.lines
    }
    for name, heard_instead in other.items():
        number = int(name.removeprefix("line_"))
        lines[number] = Said(number, *heard_instead)
    return list(lines.values()), sheet.code


def test_the_lines_stand_in_the_order_of_the_sheet():
    assert [line.number for line in LINES] == list(range(1, 23))
    assert [LINES[place].title for place in (0, 1, 8, 15, 21)] == [
        *("Attendance", "First alignment, Ash", "Final alignment, Ash", "Delegates, Ash", "Delegates, Uncommitted")
    ]


@pytest.mark.parametrize("contest", contests())
def test_every_contest_has_a_sheet_that_can_be_said(contest):
    plan = find(contest)
    lines = worksheet(plan)
    assert len(lines) == 1 + len(plan.groups) * (len(plan.stages) + plan.elects)
    assert len({(line.column, line.stage, line.group) for line in lines}) == len(lines)


def test_a_primary_has_no_line_for_delegates():
    assert {line.column for line in worksheet(find("new-hampshire-2020"))} == {"attendance", ""}


@given(sheets)
def test_what_is_said_is_heard_again_in_any_order(counts):
    report = report_of(UNIT, counts, LAKELAND)
    said, code = said_of(report)
    result = heard(reversed(said), code, LAKELAND, UNIT)
    assert result.ask == ()
    assert result.report == report
    assert list(counts_of(result.report, LAKELAND)) == counts


@given(sheets)
def test_the_keys_of_a_telephone_say_the_same(counts):
    report = report_of(UNIT, counts, LAKELAND)
    lines, code = keyed(keys(spoken(report, LAKELAND)))
    assert heard(lines, code, LAKELAND, UNIT).report == report


def test_a_blank_is_said_as_blank_and_never_has_the_check_of_0():
    assert line_string(12, None) == "7001"
    assert line_string(12, 0) == "7101"
    assert all(line_check(line, None) != line_check(line, 0) for line in range(1, LINES_LIMIT + 1))
    blank, zeros = ([count] * 22 for count in (None, 0))
    assert sheet_code(blank) != sheet_code(zeros)
    assert report_of(UNIT, blank, LAKELAND) == Report(UNIT, {})
    assert report_of(UNIT, zeros, LAKELAND).attendance == 0


@pytest.mark.parametrize("contest", contests())
@pytest.mark.parametrize("count", [None, 0, 1, 12, 107, 1024])
def test_a_number_that_slips_to_the_next_line_never_has_the_right_check(contest, count):
    lines = range(1, len(worksheet(find(contest))))
    assert [line for line in lines if line_check(line, count) == line_check(line + 1, count)] == []


@given(line=st.integers(1, 99), count=st.integers(0, SPOKEN_LIMIT - 1), data=st.data())
def test_one_wrong_digit_and_two_exchanged_neighbours_are_always_noticed_in_their_line(line, count, data):
    text = str(count)
    place = data.draw(st.integers(0, len(text) - 1))
    digit = data.draw(st.sampled_from(sorted(set("0123456789") - {text[place]})))
    assert line_check(line, int(text[:place] + digit + text[place + 1 :])) != line_check(line, count) or (
        place == 0 and digit == "0"
    )
    if place and text[place] != text[place - 1]:
        swapped = text[: place - 1] + text[place] + text[place - 1] + text[place + 1 :]
        assert swapped.startswith("0") or line_check(line, int(swapped)) != line_check(line, count)


def test_a_check_that_does_not_fit_is_asked_for_by_line_and_title():
    said, code = said_of(EVENING, line_3=("43", line_check(3, 34)))
    result = heard(said, code, LAKELAND, UNIT)
    check = line_check(3, 34)
    (asked,) = result.ask
    assert asked.what == f"line 3 (First alignment, Birch): 43 and check {check} do not belong together"
    assert str(asked) == f"{asked.what}. Ask for line 3 again, digit by digit, with its check."
    assert result.report is None
    assert result.counts[2] == 52
    assert 3 not in result.counts


@pytest.mark.parametrize(
    ("heard_instead", "what"),
    [
        (("12.5", "1"), "'12.5' is not whole: people are counted whole"),
        (("-3", "1"), "'-3' is negative"),
        (("1e3", "1"), "write every digit"),
        (("034", "4"), "'034' begins with 0, and no count does"),
        (("00", "4"), "'00' begins with 0"),
        (("34", ""), "line 3 (First alignment, Birch) has no check digit"),
        (("", ""), "has no check digit"),
        (("34", "12"), "'12' is no check digit"),
        (("34", "x"), "'x' is no check digit"),
        (("", line_check(3, 0)), "blank and check"),
        (("0", line_check(3, None)), "0 and check"),
        ((str(SPOKEN_LIMIT), "1"), "larger than any place can hold"),
    ],
)
def test_a_line_that_is_no_count_with_its_check_is_asked_for(heard_instead, what):
    said, code = said_of(EVENING, line_3=heard_instead)
    result = heard(said, code, LAKELAND, UNIT)
    assert [one.line for one in result.ask] == [3]
    assert what in result.ask[0].what
    assert "line 3" in result.ask[0].ask
    assert result.report is None


def test_full_width_digits_are_digits():
    said, code = said_of(EVENING, line_3=("３４", in_full_width(line_check(3, 34))))
    assert heard(said, in_full_width(code), LAKELAND, UNIT).report == EVENING


def in_full_width(text):
    return "".join(chr(ord(digit) + 0xFEE0) for digit in text)


def test_a_line_that_was_not_said_is_not_blank():
    said, code = said_of(EVENING)
    result = heard(said[:4] + said[5:], code, LAKELAND, UNIT)
    assert [str(one) for one in result.ask] == [
        "line 5 (First alignment, Dogwood) was not said. Ask for line 5, or if it is blank."
    ]


def test_a_line_said_twice_is_taken_once_or_asked_for():
    said, code = said_of(EVENING)
    assert heard([*said, said[3]], code, LAKELAND, UNIT).report == EVENING
    result = heard([*said, Said(4, "15", line_check(4, 15))], code, LAKELAND, UNIT)
    assert [one.what for one in result.ask] == [
        "line 4 (First alignment, Cedar) was said twice, with different numbers"
    ]


@pytest.mark.parametrize("number", [0, 23, -1])
def test_a_line_the_sheet_does_not_have_is_asked_for(number):
    said, code = said_of(EVENING)
    result = heard([*said, Said(number, "1", "1")], code, LAKELAND, UNIT)
    assert [one.what for one in result.ask] == [f"the sheet has no line {number}: it ends with line 22"]


def test_two_numbers_in_each_others_rows_are_noticed_by_the_code_alone():
    said, code = said_of(EVENING, line_2=("34", line_check(2, 34)), line_3=("52", line_check(3, 52)))
    (asked,) = heard(said, code, LAKELAND, UNIT).ask
    assert asked.line is None
    assert asked.what.startswith(
        f"every line agrees with its check, but the sheet's code is {code} and these lines make"
    )
    assert "wrong row" in asked.ask


@pytest.mark.parametrize(("code", "what"), [("", "was not said"), ("7", "no sheet code"), ("ab", "no sheet code")])
def test_a_sheet_without_its_code_is_not_taken(code, what):
    said, _code = said_of(EVENING)
    (asked,) = heard(said, code, LAKELAND, UNIT).ask
    assert what in asked.what


def test_all_questions_come_at_once_in_sheet_order_and_the_code_only_when_the_lines_hold():
    said, _code = said_of(EVENING, line_9=("1", "x"), line_2=("-1", "1"))
    result = heard(said[:-1], "00", LAKELAND, UNIT)
    assert [one.line for one in result.ask] == [2, 9, 22]


def test_the_code_is_that_of_the_standard():
    assert sheet_string([None, 0, 12]) == "000000000000010000013"
    code = sheet_code([None, 0, 12])
    assert int(sheet_string([None, 0, 12]) + code) % 97 == 1


@pytest.mark.parametrize("counts", [[SPOKEN_LIMIT], [-1], [0] * (LINES_LIMIT + 1)])
def test_a_sheet_that_cannot_be_said_has_no_code(counts):
    with pytest.raises(ValueError, match="has no code"):
        sheet_code(counts)


def test_a_count_too_large_to_be_said_is_named():
    with pytest.raises(InputError, match="Attendance: 9,999,999 is larger than can be said"):
        spoken(Report(UNIT, {}, SPOKEN_LIMIT), LAKELAND)


def test_a_report_of_another_contest_is_not_said():
    with pytest.raises(InputError, match="is not a unit of contest lakeland-2031"):
        spoken(Report("nowhere", {}), LAKELAND)


def test_a_sheet_of_too_many_lines_is_refused_in_words(monkeypatch):
    monkeypatch.setattr("tallyroom.report.spoken.LINES_LIMIT", 21)
    with pytest.raises(InputError, match="the sheet of lakeland-2031 has 22 lines and cannot be spoken"):
        worksheet(LAKELAND)


def test_what_has_no_line_is_named():
    full = Report(
        "elm-1",
        {},
        viability_number=3,
        values={"ash": 1},
        lots=(RecordedLot("t", ("ash",)),),
        other_attendance={"cards": 3},
        signed=("chair",),
        photo="ab" * 32,
    )
    assert spoken(full, PLAN).left_out == ("viability_number", "values", "lots", "other_attendance", "signed", "photo")
    assert spoken(EVENING, LAKELAND).left_out == ()
    primary = find("new-hampshire-2020")
    odd = Report(next(iter(primary.units)), {}, delegates={next(iter(primary.groups)): 1})
    assert spoken(odd, primary).left_out == ("delegates",)


def test_digits_are_said_one_by_one():
    assert digits("13", "en") == "one three"
    assert digits("70", "es") == "siete cero"


def test_a_voice_says_every_line_and_runs_of_blanks_in_one():
    told = sentences(spoken(Report(UNIT, {"first": FIRST}, None), LAKELAND))
    assert told[0] == f"Line one: blank, check {digits(line_check(1, None), 'en')}."
    assert told[1] == f"Line two: five two, check {digits(line_check(2, 52), 'en')}."
    checks = " ".join(digits(line_check(line, None), "en") for line in range(9, 23))
    assert told[-2] == f"Lines nine to two two: blank, checks {checks}."
    assert told[-1].startswith("Sheet code: ")
    assert len(told) == 1 + 7 + 1 + 1


def test_a_voice_speaks_spanish_too():
    told = sentences(spoken(EVENING, LAKELAND), "es")
    assert told[1].startswith("Línea dos: cinco dos, control ")
    assert told[-1].startswith("Código de la hoja: ")


def test_the_card_has_a_row_a_line_and_the_code():
    rows = card(spoken(EVENING, LAKELAND)).splitlines()
    assert rows[1] == f"  2         52  check {line_check(2, 52)}  First alignment, Ash"
    assert "blank" in rows[-2]
    assert rows[-1] == f"sheet code {spoken(EVENING, LAKELAND).code}"
    assert len(rows) == 23


@pytest.mark.parametrize("pressed", ["", "12", "#", "12##", "a#", "1*2#", "**1#", "１２#"])
def test_keys_that_are_no_sheet_are_asked_for(pressed):
    assert isinstance(keyed(pressed), Misheard)


@pytest.mark.parametrize("pressed", ["5#12#", "*12#12#"])
def test_a_line_without_count_and_check_is_named(pressed):
    asked = keyed(pressed)
    assert asked.line == 1
    assert "there must be a count, or * for a blank, and one check digit" in asked.what
