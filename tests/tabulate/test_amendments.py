"""The plan is dated: a past moment counts by the plan in force then, or by the latest when that is asked for."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from tabulate.room import PLAN, START, WHOLE, at, entries, report
from tallyroom.faults import InputError
from tallyroom.ledger.faults import LedgerError
from tallyroom.plan.amend import AreaWeight, ReadingInForce, UnitAdded, UnitClosed, UnitDelegates, UnitReopened
from tallyroom.tabulate import Basis, Tabulation, tabulated
from tallyroom.tabulate.filed import fold, latest_plan

ELM = report("elm-1 attending 40 / first ash 40 / final ash 40 / delegates ash 4")


def sde(tabulation, place="orchard", basis=Basis.AS_WRITTEN):
    return tabulation.of_area(place, basis).on("sde").of("ash").exact


class TestWeight:
    ROWS = entries(ELM, AreaWeight("elm", Fraction(14)))

    def test_before_the_amendment_the_old_weight_counts(self):
        assert sde(tabulated(self.ROWS, PLAN, at=at(0))) == Fraction(5 * 4, 7)

    def test_after_it_the_new_one(self):
        assert sde(tabulated(self.ROWS, PLAN)) == 8

    def test_with_hindsight_the_new_one_counts_from_the_start(self):
        assert sde(tabulated(self.ROWS, PLAN, at=at(0), hindsight=True)) == 8
        assert sde(tabulated(self.ROWS, PLAN, hindsight=True)) == 8

    def test_the_digest_is_that_of_the_plan_in_force(self):
        before, after = tabulated(self.ROWS, PLAN, at=at(0)), tabulated(self.ROWS, PLAN)
        assert before.plan.digest == PLAN.digest
        assert after.plan.digest == latest_plan(self.ROWS, PLAN).digest != PLAN.digest

    def test_one_entry_at_a_time_is_the_same(self):
        growing = Tabulation(PLAN)
        for entry in self.ROWS:
            growing.add(entry)
        assert sde(growing) == 8
        assert growing.filed.entries == 2

    def test_an_amendment_made_for_another_plan_is_refused(self):
        raw = self.ROWS[1]
        body = {**msgspec.json.decode(raw.body), "plan": "f" * 64}
        forged = msgspec.structs.replace(raw, body=msgspec.Raw(msgspec.json.encode(body)))
        with pytest.raises(InputError, match=r"entry 1: the amendment leads to plan"):
            tabulated([self.ROWS[0], forged], PLAN)
        with pytest.raises(InputError, match="the amendment leads to plan"):
            latest_plan([self.ROWS[0], forged], PLAN)


def test_more_delegates_share_the_countys_weight_anew():
    rows = entries(ELM, UnitDelegates("elm-2", 5))
    assert sde(tabulated(rows, PLAN)) == Fraction(5 * 4, 10)
    assert sde(tabulated(rows, PLAN, at=at(0))) == Fraction(5 * 4, 7)


class TestUnitClosed:
    ROWS = entries(ELM, UnitClosed("elm-1"), UnitReopened("elm-1"))

    def test_its_report_no_longer_counts_and_it_is_not_expected(self):
        tabulation = tabulated(self.ROWS, PLAN, at=at(1))
        progress = tabulation.top().progress
        assert (progress.expected, progress.reported) == (10, 0)
        assert sde(tabulation) == 0
        assert tabulation.of_unit("elm-1", Basis.AS_WRITTEN).progress.expected == 0

    def test_before_and_after_it_does(self):
        for minute in (0, 2):
            tabulation = tabulated(self.ROWS, PLAN, at=at(minute))
            assert (tabulation.top().progress.expected, tabulation.top().progress.reported) == (11, 1)
            assert sde(tabulation) > 0

    def test_a_report_that_comes_while_it_is_closed_counts_when_it_reopens(self):
        rows = entries(UnitClosed("elm-1"), ELM, UnitReopened("elm-1"))
        assert [sde(tabulated(rows, PLAN, at=at(minute))) > 0 for minute in range(3)] == [False, False, True]

    def test_a_closed_site_no_longer_thins_its_pool(self):
        rows = entries(
            report("north-a attending 30 / final ash 30 / delegates ash 5"),
            report("north-b attending 30 / final birch 30 / delegates birch 5"),
            UnitClosed("north-b"),
        )
        assert [sde(tabulated(rows, PLAN, at=at(minute))) for minute in range(3)] == [2, 1, 2]


class TestUnitAdded:
    NEW = report("elm-4 attending 20 / first ash 20 / final ash 20 / delegates ash 3")
    ROWS = entries(ELM, UnitAdded("elm-4", "elm", "Elm 4", "precinct", 3), NEW)

    def test_it_is_expected_from_then_on(self):
        expected = [tabulated(self.ROWS, PLAN, at=at(minute)).top().progress.expected for minute in range(3)]
        assert expected == [11, 12, 12]

    def test_its_report_before_the_amendment_is_refused_by_name(self):
        rows = entries(ELM)
        stranger = entries(self.NEW)
        with pytest.raises(InputError, match="'elm-4' is not a unit of contest orchard-2031"):
            tabulated([*rows, *stranger], PLAN)

    def test_a_range_of_a_moment_before_it_is_not_troubled_by_its_report(self):
        blank = report("elm-1 attending 40 / final ash 40")
        rows = entries(blank, UnitAdded("elm-4", "elm", "Elm 4", "precinct", 3), self.NEW, ELM)
        tabulation = tabulated(rows, PLAN, at=at(0))
        assert tabulation.top().on("sde").units_without_value == 1
        assert tabulation.top().on("sde").of("ash").highest > 0
        assert tabulated(rows, PLAN, at=at(0), hindsight=True).top().on("sde").units_without_value == 1


class TestReading:
    LINE = report("elm-1 / first ash 20 birch 6 / final ash 15 birch 3 / delegates ash 4")
    ROWS = entries(LINE, ReadingInForce("attendance", "final"))

    def delegates(self, tabulation):
        groups = tabulation.of_unit("elm-1", Basis.BY_RULE).on("delegates").groups
        return {group.group: group.printed for group in groups if group.printed}

    def test_by_rule_follows_the_reading_in_force_then(self):
        assert self.delegates(tabulated(self.ROWS, PLAN, at=at(0))) == {"ash": 4}
        assert self.delegates(tabulated(self.ROWS, PLAN)) == {"ash": 3, "birch": 1}
        assert self.delegates(tabulated(self.ROWS, PLAN, at=at(0), hindsight=True)) == {"ash": 3, "birch": 1}

    def test_a_reading_asked_for_wins_over_both(self):
        asked = tabulated(self.ROWS, PLAN, readings={"attendance": "larger"})
        assert self.delegates(asked) == {"ash": 4}
        assert asked.readings["attendance"] == "larger"


def test_a_moment_before_the_first_entry_is_empty():
    tabulation = tabulated(entries(ELM), PLAN, at=START - (at(1) - START))
    assert (tabulation.top().progress.reported, tabulation.top().on("sde").total) == (0, 0)


class TestRefused:
    def test_an_entry_of_another_contest(self):
        other = msgspec.structs.replace(entries(ELM)[0], contest="meadow-2031")
        with pytest.raises(InputError, match="entry 0 belongs to contest meadow-2031, not to orchard-2031"):
            tabulated([other], PLAN)

    def test_a_group_the_plan_does_not_have(self):
        with pytest.raises(InputError, match=r"'asch' is not a group of contest orchard-2031. Did you mean 'ash'"):
            tabulated(entries(report("elm-1 attending 4 / first asch 4")), PLAN)

    def test_a_body_that_is_no_report_names_file_and_entry(self):
        torn = msgspec.structs.replace(entries(ELM)[0], body=msgspec.Raw(b'{"unit":"elm-1"}'))
        with pytest.raises(InputError, match=r"night\.sqlite"):
            tabulated([torn], PLAN, file="night.sqlite")

    def test_what_is_refused_changes_nothing(self):
        growing = Tabulation(PLAN)
        growing.add(entries(ELM)[0])
        before = growing.top()
        with pytest.raises(InputError):
            growing.add(entries(report("elm-9 attending 4 / first ash 4"))[0])
        assert growing.top() == before
        assert growing.filed.entries == 1


@pytest.mark.parametrize("change", [{"kind": "hold"}, {"version": 2}])
def test_an_entry_of_a_kind_or_version_nobody_knows_is_never_passed_over(change):
    strange = msgspec.structs.replace(entries(ELM)[0], **change)
    with pytest.raises(LedgerError, match="which this Tallyroom cannot read"):
        fold([strange], PLAN)


def test_filings_keep_their_history():
    rows = entries(ELM, report("elm-1 attending 40 / first ash 40 / final ash 40 / delegates ash 3 birch 1"))
    first, second = fold(rows, PLAN).filings["elm-1"]
    assert (first.replaces, second.replaces, second.reason) == (None, 0, "recount")
    assert tabulated(rows, PLAN).of_unit("elm-1", Basis.AS_WRITTEN).progress.changed == 1


def test_the_whole_evening_in_one_look():
    top = tabulated([*entries(*map(report, map(str.strip, WHOLE.strip().splitlines())))], PLAN).top()
    assert (top.progress.expected, top.progress.reported, top.progress.changed) == (11, 11, 0)
    assert sum(group.exact for group in top.on("sde").groups) == 5 + 4 + 7 + 2 + 1
