"""Games of chance: a tie without its lot, and a lot without its tie."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks.room import PLAN, Evening, contest
from tallyroom.award import award


class TestLotExpected(Evening):
    kind = "lot-expected"
    TIE = "7 / present 11 / final ash 4 birch 3 cedar 4"
    """Osceola 2 of 2020: 3 + 2 + 3 are eight, and one of the two fours has to lose one."""

    def tie(self):
        return award(PLAN.award, 7, 11, {"ash": 4, "birch": 3, "cedar": 4}).tie

    def test_two_groups_tie(self):
        found = self.one(self.TIE)
        assert (found.code, found.severity) == ("I13", "info")
        assert found.numbers == {"tie": self.tie().id, "groups": ["ash", "cedar"], "take": 1, "at": "-5/11"}
        assert found.text == "Ash and Cedar tie, and 1 of them must lose a delegate."

    def test_the_lot_is_on_record(self):
        assert not self.found(f"{self.TIE} / lot {self.tie().id} ash")

    @pytest.mark.parametrize("written", ["ash 2 birch 2 cedar 3", "ash 3 birch 2 cedar 2"])
    def test_what_some_draw_gives_is_no_error(self, written):
        assert self.one(f"{self.TIE} / delegates {written}").severity == "info"

    def test_what_no_draw_gives_is_an_error(self):
        """Osceola 2 as published: the three lost a delegate that one of the fours had to lose."""
        found = self.one(f"{self.TIE} / delegates ash 3 birch 1 cedar 3")
        assert found.severity == "error"
        assert found.numbers["written"] == {"ash": 3, "birch": 1, "cedar": 3}
        assert found.text.endswith("; no draw gives what is written: Ash 3, Birch 1 and Cedar 3.")

    def test_a_blank_may_hold_what_a_draw_gives(self):
        assert self.one(f"{self.TIE} / delegates ash 3 birch 1").severity == "info"

    def test_one_person_more_and_there_is_no_tie(self):
        assert not self.found("7 / present 12 / final ash 5 birch 3 cedar 4")

    def test_groups_tie_for_a_delegate_more(self):
        found = self.one("5 / present 20 / final ash 9 birch 9")
        assert found.text == "Ash and Birch tie, and 1 of them must gain a delegate."

    def test_groups_tie_for_having_to_dissolve(self):
        rule = replace(PLAN.award, over_viable_tie="lot")
        found = self.one("2 / present 14 / final ash 6 birch 4 cedar 4", plan=contest(award=rule))
        assert found.text == "Birch and Cedar tie, and 1 of them must realign."

    def test_the_only_delegate(self):
        assert self.one("1 / final ash 4 birch 4").numbers["take"] == 1

    @pytest.mark.parametrize("line", ["7 / present 11", "7 / first ash 4 birch 3 cedar 4 / lot gain:1:ash+cedar@4 ash"])
    def test_a_final_alignment_left_blank_has_no_tie(self, line):
        assert not self.found(line)

    def test_a_lot_for_a_tie_that_is_not_there(self):
        found = self.one("4 / present 40 / final ash 24 birch 16 / lot gain:1:birch+ash@1/2 ash")
        assert found.severity == "warning"
        assert found.numbers == {"tie": "gain:1:birch+ash@1/2", "drawn": ["ash"]}
        assert found.text == "A lot between Ash and Birch is on record, and there is no such tie."

    @pytest.mark.parametrize("tie", ["coin", "gain:1:ash+elm@1/2"])
    def test_a_lot_for_something_else(self, tie):
        found = self.one(f"4 / present 40 / final ash 24 birch 16 / lot {tie} ash")
        assert found.text == f"A lot is on record for {tie!r}, which is no tie here."

    def test_a_lot_that_draws_a_group_outside_the_tie(self):
        missing, wrong = self.found(f"{self.TIE} / lot {self.tie().id} birch")
        assert missing.severity == "info"
        assert wrong.severity == "warning"
        assert wrong.text == "Birch cannot have been drawn in this tie."

    def test_a_lot_of_an_earlier_count_beside_the_open_tie(self):
        _, wrong = self.found(f"{self.TIE} / lot lose:1:ash+birch@1/11 birch")
        assert wrong.text == "A lot between Ash and Birch is on record, and there is no such tie."

    def test_a_good_lot_beside_a_stray_one(self):
        found = self.one(f"{self.TIE} / lot {self.tie().id} ash / lot lose:1:ash+birch@1/11 birch")
        assert found.severity == "warning"
