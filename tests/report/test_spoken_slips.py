"""One slip in a whole sheet goes unnoticed less than once in ten thousand times, on sheets of the real night."""

from __future__ import annotations

import pytest

from report.spoken_tools import tool
from tallyroom.plan.catalogue import find
from tallyroom.report.check_digits import sheet_code
from tallyroom.report.spoken import report_of, worksheet
from tallyroom.report.spoken_heard import Said, heard

SLIPS = tool("slips")
CONTEST = "iowa-2020"
EVERY = 20
ALWAYS_IN_THE_LINE = ("one digit wrong", "neighbours swapped", "blank heard as 0", "0 heard as blank")
ALWAYS_IN_THE_CODE = (*ALWAYS_IN_THE_LINE, "twin", "jump swap", "teen for ty")


@pytest.fixture(scope="module")
def tallies():
    return SLIPS.tallied(CONTEST, EVERY)


def test_one_slip_in_a_sheet_is_noticed(tallies):
    made = sum(tally.made for tally in tallies.values())
    assert made > 100_000
    assert sum(tally.past_both for tally in tallies.values()) / made < SLIPS.GOAL


@pytest.mark.parametrize("kind", ALWAYS_IN_THE_LINE)
def test_these_slips_never_pass_their_line(tallies, kind):
    assert tallies[kind].made > 5
    assert tallies[kind].past_lines == 0


@pytest.mark.parametrize("kind", ALWAYS_IN_THE_CODE)
def test_these_slips_never_pass_the_code(tallies, kind):
    assert tallies[kind].made > 5
    assert tallies[kind].past_code == 0


def test_every_kind_is_made(tallies):
    rows = [kind for kind in tallies if "check" in kind]
    assert len(rows) == 12
    assert len(tallies) == len(rows) + 9


def test_the_slips_are_weighed_as_the_sheet_is_heard():
    """The tool's quick way to tell and the reading that operators use agree, slip by slip."""
    plan = find("lakeland-2031")
    lines, columns = worksheet(plan), SLIPS.columns_of(plan)
    counts = [103, 52, 34, 113, None, 0, 0, 3, 61, 42, 0, 0, 0, 155, 0, 4, 2, 0, 107, 300, None, 0]
    unit = next(iter(plan.units))
    code = sheet_code(counts)
    compared = noticed_by_lines = 0
    for slip in SLIPS.slips(counts, columns):
        said = {
            line.number: Said(line.number, SLIPS.said(count), SLIPS.checked(line.number, count))
            for line, count in zip(lines, counts, strict=True)
        }
        said |= {row: Said(row, text, check) for row, (text, check) in slip.lines.items()}
        result = heard(said.values(), code, plan, unit)
        past_lines = all(one.line is None for one in result.ask)
        assert past_lines == SLIPS.past_lines(slip), slip
        assert (result.report is not None) == (past_lines and SLIPS.past_code(slip, counts)), slip
        compared += 1
        noticed_by_lines += not past_lines
    assert compared > 500
    assert 0 < noticed_by_lines < compared
    assert report_of(unit, counts, plan).attendance == 103


@pytest.mark.night
def test_every_kind_that_the_field_names_is_noticed_on_every_sheet():
    lengths = ("a digit dropped", "a digit added")
    for kind, tally in SLIPS.tallied(CONTEST).items():
        limit = 3 * SLIPS.GOAL if kind in lengths else SLIPS.GOAL
        assert tally.past_both < limit * tally.made, kind
