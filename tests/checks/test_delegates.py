"""Delegates that do not fit: each check fires, and does not fire beside its border."""

from __future__ import annotations

from fractions import Fraction

import pytest

from checks.room import Evening, contest
from tallyroom.award import award


class TestOrderInverted(Evening):
    kind = "order-inverted"

    def test_two_lines_are_exchanged(self):
        found = self.one("6 / final ash 25 birch 15 / delegates ash 2 birch 4")
        assert (found.code, found.severity) == ("I5", "error")
        assert found.numbers == {"final": {"birch": 15, "ash": 25}, "delegates": {"birch": 4, "ash": 2}}
        assert found.text == "Birch has 15 people and 4 delegates, Ash 25 people and 2 delegates."

    def test_as_many_people_or_as_many_delegates_is_no_inversion(self):
        assert not self.found("6 / final ash 20 birch 20 / delegates ash 2 birch 4")
        assert not self.found("6 / final ash 25 birch 15 / delegates ash 3 birch 3")

    def test_the_widest_inversion_is_told_and_all_groups_are_numbered(self):
        found = self.one("6 / final ash 8 birch 12 cedar 20 / delegates ash 3 birch 2 cedar 1")
        assert found.text.startswith("Ash has 8 people and 3 delegates, Cedar 20 people and 1 delegate")
        assert found.numbers["delegates"] == {"ash": 3, "birch": 2, "cedar": 1}

    def test_one_delegate_is_elected_by_the_whole_caucus(self):
        found = self.one("1 / final ash 25 birch 15 / delegates ash 0 birch 1")
        assert found.severity == "info"
        assert found.todo.startswith("Nothing")

    def test_more_viable_groups_than_delegates(self):
        four = "present 19 / final ash 6 birch 5 cedar 4 elder 4 / delegates ash 0 birch 1 cedar 1 elder 1"
        assert not self.found(f"3 / {four}")
        assert self.found(f"4 / {four}")

    def test_where_chance_decides(self):
        assert not self.found("7 / present 12 / final ash 4 birch 4 cedar 3 / delegates ash 2 birch 2 cedar 3")
        assert self.found("7 / present 12 / final ash 5 birch 4 cedar 3 / delegates ash 2 birch 2 cedar 3")

    def test_where_a_lot_has_decided(self):
        line = "7 / present 11 / final ash 4 birch 3 cedar 4 / delegates ash 2 birch 3 cedar 2"
        lot = award(contest().award, 7, 11, {"ash": 4, "birch": 3, "cedar": 4}).tie.id
        assert not self.found(f"{line} / lot {lot} ash")

    def test_a_lot_that_answers_no_tie_excuses_nothing(self):
        line = "6 / final ash 25 birch 15 / delegates ash 2 birch 4"
        assert self.found(f"{line} / lot lose:1:ash+birch@1/2 ash")

    def test_nobody_present_and_yet_an_order(self):
        assert not self.found("6 / final ash 0 birch 0 / delegates ash 2 birch 4")

    @pytest.mark.parametrize(
        "line",
        ["6 / final ash 25 birch 15 / delegates birch 4", "6 / final birch 15 / delegates ash 2 birch 4"],
        ids=["delegates of one blank", "people of one blank"],
    )
    def test_blank_is_not_less(self, line):
        assert not self.found(line)

    @pytest.mark.parametrize("line", ["6 / final ash 25 birch 15", "6 / delegates ash 2 birch 4"])
    def test_a_column_left_blank_is_not_judged(self, line):
        assert not self.found(line)

    def test_des_moines_14_gave_31_people_more_than_50(self):
        night = contest("biden", "buttigieg", "sanders", "warren")
        line = (
            "6 / present 161 / final biden 25 buttigieg 52 sanders 50 warren 31 "
            "/ delegates biden 1 buttigieg 2 sanders 1 warren 2"
        )
        assert self.one(line, plan=night).numbers["delegates"] == {"warren": 2, "sanders": 1}


class TestOverAwarded(Evening):
    kind = "over-awarded"

    def test_one_too_many(self):
        found = self.one("4 / final ash 20 birch 20 / delegates ash 2 birch 3")
        assert (found.code, found.severity) == ("I6", "error")
        assert found.numbers == {"awarded": 5, "delegates": 4}
        assert found.text == "5 delegates awarded, 4 to elect."

    @pytest.mark.parametrize("written", ["ash 2 birch 2", "ash 2 birch 1"])
    def test_as_many_as_it_elects_or_fewer(self, written):
        assert not self.found(f"4 / final ash 20 birch 20 / delegates {written}")

    def test_with_every_other_column_blank(self):
        assert self.found("4 / delegates ash 5")
        assert not self.found("4 / final ash 20")

    def test_by_the_band_that_attendance_reaches(self):
        assert self.found("present 20 / delegates ash 5")
        assert not self.found("present 21 / delegates ash 5")
        assert self.found("present 0 / delegates ash 1")

    def test_attendance_left_blank_does_not_say_how_many_there_are(self):
        assert not self.found("delegates ash 5")
        assert self.found("final ash 20 / delegates ash 5")

    def test_a_plan_without_bands_does_not_say_it_either(self):
        assert not self.found("present 20 / delegates ash 5", plan=contest(bands=()))


class TestUnderAwarded(Evening):
    kind = "under-awarded"

    def test_one_too_few(self):
        found = self.one("4 / final ash 20 birch 20 / delegates ash 2 birch 1")
        assert (found.code, found.severity) == ("I7", "error")
        assert found.numbers == {"awarded": 3, "delegates": 4}

    def test_none_at_all(self):
        assert self.one("4 / final ash 20 / delegates ash 0").text == "No delegate awarded, 4 to elect."

    def test_as_many_as_it_elects(self):
        assert not self.found("4 / final ash 20 birch 20 / delegates ash 2 birch 2")

    def test_nobody_is_viable(self):
        assert not self.found("4 / present 40 / final ash 5 birch 5 / delegates ash 0 birch 0")
        assert self.found("4 / present 40 / final ash 6 birch 5 / delegates ash 0 birch 0")

    def test_one_delegate_can_go_to_any_group_with_people(self):
        assert self.found("1 / final ash 1 birch 0 / delegates ash 0 birch 0")
        assert not self.found("1 / final ash 0 birch 0 / delegates ash 0 birch 0")

    def test_a_viable_group_left_blank_may_have_the_rest(self):
        assert not self.found("4 / final ash 20 birch 20 / delegates ash 2")

    @pytest.mark.parametrize("line", ["4 / final ash 20 birch 20", "4 / delegates ash 2"])
    def test_a_column_left_blank_is_not_judged(self, line):
        assert not self.found(line)


class TestDelegatesToNonviable(Evening):
    kind = "delegates-to-nonviable"

    def test_one_person_is_missing(self):
        found = self.one("4 / present 40 / final ash 35 birch 5 / delegates ash 3 birch 1")
        assert (found.code, found.severity) == ("I8", "error")
        assert found.numbers == {
            "group": "birch",
            "final": 5,
            "delegates": 1,
            "number": 6,
            "attendance": 40,
            "base": "recorded",
        }
        assert found.text == "Birch has 5 people where a group needs 6 of 40 present, and 1 delegate."

    @pytest.mark.parametrize(
        "line",
        [
            "4 / present 40 / final ash 34 birch 6 / delegates ash 3 birch 1",
            "4 / present 40 / final ash 35 birch 5 / delegates ash 4 birch 0",
            "1 / present 40 / final ash 35 birch 5 / delegates ash 0 birch 1",
            "4 / present 40 / final ash 35 / delegates ash 3 birch 1",
            "4 / present 40 / final ash 35 birch 5",
            "4 / present 40 / delegates ash 3 birch 1",
            "4 / present 40 / final ash 0 birch 0 / delegates ash 3 birch 1",
        ],
        ids=["viable", "no delegates", "one elected", "people blank", "delegates blank", "no final", "nobody at all"],
    )
    def test_that_is_none(self, line):
        assert not self.found(line)

    def test_more_viable_groups_than_delegates_excuse_nothing(self):
        assert self.found("2 / present 19 / final ash 6 birch 5 cedar 5 elder 3 / delegates ash 1 elder 1")

    def test_each_group_is_named(self):
        found = self.found("4 / present 40 / final ash 30 birch 5 cedar 5 / delegates ash 2 birch 1 cedar 1")
        assert [row.numbers["group"] for row in found] == ["birch", "cedar"]


class TestViableWithoutDelegates(Evening):
    kind = "viable-without-delegates"

    def test_a_group_at_the_number_has_none(self):
        found = self.one("4 / present 40 / final ash 34 birch 6 / delegates ash 4 birch 0")
        assert (found.code, found.severity) == ("I9", "error")
        assert (found.numbers["group"], found.numbers["final"], found.numbers["number"]) == ("birch", 6, 6)
        assert found.text == "Birch has 6 people where a group needs 6 of 40 present, and no delegate."

    @pytest.mark.parametrize(
        "line",
        [
            "4 / present 40 / final ash 35 birch 5 / delegates ash 4 birch 0",
            "4 / present 40 / final ash 34 birch 6 / delegates ash 3 birch 1",
            "4 / present 40 / final ash 34 birch 6 / delegates ash 4",
            "4 / present 40 / final ash 34 birch 6",
            "4 / present 40 / delegates ash 4 birch 0",
            "1 / present 40 / final ash 34 birch 6 / delegates ash 1 birch 0",
        ],
        ids=["not viable", "has one", "blank", "all blank", "no final", "one elected"],
    )
    def test_that_is_none(self, line):
        assert not self.found(line)

    def test_douglas_peterson_had_four_viable_groups_for_three_delegates(self):
        night = contest("biden", "buttigieg", "sanders", "warren")
        line = (
            "first biden 4 buttigieg 6 sanders 5 warren 4 / final biden 4 buttigieg 6 sanders 5 warren 4 "
            "/ delegates biden 1 buttigieg 1 sanders 1 warren 0"
        )
        assert not self.found(f"3 / {line}", plan=night)
        assert self.found(f"4 / {line}", plan=night)

    def test_ocheyedan_left_out_the_only_person_of_a_group(self):
        night = contest("buttigieg", "klobuchar", "sanders")
        line = "3 / present 5 / final buttigieg 3 klobuchar 1 sanders 1 / delegates buttigieg 2 klobuchar 1 sanders 0"
        assert self.one(line, plan=night).numbers["group"] == "sanders"


class TestAwardDiffers(Evening):
    kind = "award-differs"

    def test_the_wrong_group_rounded(self):
        found = self.one("4 / present 40 / final ash 24 birch 16 / delegates ash 3 birch 1")
        assert (found.code, found.severity) == ("I12", "error")
        assert found.numbers == {
            "written": {"ash": 3, "birch": 1},
            "by_rule": {"ash": 2, "birch": 2},
            "attendance": 40,
            "base": "recorded",
            "delegates": 4,
        }
        assert found.text == "Written: Ash 3 and Birch 1; by rule: Ash 2 and Birch 2 (40 present)."

    @pytest.mark.parametrize(
        ("base", "words"),
        [
            ("first", "40 counted in the first"),
            ("final", "38 counted in the final"),
            ("larger", "40 counted in the la"),
        ],
    )
    def test_the_base_is_named(self, base, words):
        found = self.one("4 / first ash 40 / final ash 23 birch 15 / delegates ash 4 birch 0", base=base)
        assert found.numbers["base"] == base
        assert words in found.text

    def test_the_award_depends_on_the_base(self):
        line = "6 / first ash 26 birch 14 / final ash 24 birch 11 / delegates ash 4 birch 2"
        assert not self.found(line, base="final")
        assert self.found("7 / present 40 / final ash 20 birch 14 / delegates ash 5 birch 2")
        assert not self.found("7 / present 34 / final ash 20 birch 14 / delegates ash 4 birch 3")

    @pytest.mark.parametrize(
        "line",
        [
            "4 / present 40 / final ash 24 birch 16 / delegates ash 2 birch 2",
            "4 / present 40 / final ash 24 birch 16 / delegates ash 2 birch 2 cedar 0",
            "4 / present 40 / final ash 24 birch 16 / delegates ash 2",
            "4 / present 40 / final ash 24 birch 16",
            "4 / present 40 / delegates ash 3 birch 1",
            "1 / present 40 / final ash 24 birch 16 / delegates ash 0 birch 1",
            "2 / present 12 / final ash 4 birch 4 cedar 4 / delegates ash 2",
            "4 / present 40 / final ash 5 birch 5 / delegates ash 4",
        ],
        ids=[
            "right",
            "right with a 0",
            "one blank",
            "all blank",
            "no final",
            "one elected",
            "over-viable",
            "none viable",
        ],
    )
    def test_that_is_no_difference(self, line):
        assert not self.found(line)

    def test_a_tie_has_no_single_award(self):
        assert not self.found("7 / present 11 / final ash 4 birch 3 cedar 4 / delegates ash 3 birch 1 cedar 3")

    def test_a_recorded_lot_settles_it(self):
        tie = award(contest().award, 7, 11, {"ash": 4, "birch": 3, "cedar": 4}).tie.id
        line = f"7 / present 11 / final ash 4 birch 3 cedar 4 / lot {tie} ash"
        assert not self.found(f"{line} / delegates ash 2 birch 2 cedar 3")
        assert self.one(f"{line} / delegates ash 3 birch 2 cedar 2").numbers["by_rule"] == {"ash": 2, "cedar": 3}

    def test_where_nobody_was_rounded_down_a_reading_decides(self):
        line = "5 / present 124 / final ash 71 birch 19 / delegates ash 3 birch 2"
        found = self.one(line)
        assert found.numbers["reading"] == "short_award"
        assert found.numbers["by_rule"] == {"ash": 4, "birch": 1}
        assert "it depends on a reading" in found.text

    def test_ocheyedan_and_des_moines_14(self):
        night = contest("biden", "buttigieg", "klobuchar", "sanders", "warren")
        ocheyedan = "3 / first buttigieg 3 klobuchar 1 sanders 1 / final buttigieg 3 klobuchar 1 sanders 1"
        found = self.one(f"{ocheyedan} / delegates buttigieg 2 klobuchar 1 sanders 0", plan=night)
        assert found.numbers["by_rule"] == {"buttigieg": 1, "sanders": 1}
        polk = "6 / present 161 / final biden 25 buttigieg 52 sanders 50 warren 31"
        found = self.one(f"{polk} / delegates biden 1 buttigieg 2 sanders 1 warren 2", plan=night)
        assert found.numbers["by_rule"] == {"sanders": 2, "warren": 1}


class TestDelegatesWithoutVotes(Evening):
    kind = "delegates-without-votes"

    def test_the_final_column_is_all_zeros(self):
        found = self.one("4 / final ash 0 birch 0 / delegates ash 3 birch 1")
        assert (found.code, found.severity) == ("I16a", "error")
        assert found.numbers == {"delegates": 4}
        assert found.text == "Nobody in the final alignment, and 4 delegates awarded."

    def test_a_value_stands_for_delegates(self):
        found = self.one("4 / final ash 0 / values ash 0.2333")
        assert found.numbers == {"value": "2333/10000"}
        assert found.text == "Nobody in the final alignment, and a value of 0.2333 awarded."

    @pytest.mark.parametrize(
        "line",
        [
            "4 / final ash 1 / delegates ash 4",
            "4 / final ash 0 / delegates ash 0",
            "4 / final ash 0 / values ash 0",
            "4 / final ash 0",
            "4 / delegates ash 4",
            "4 / final birch 0 / delegates ash 4",
        ],
        ids=["one person", "no delegate", "no value", "delegates blank", "final blank", "people of the winner blank"],
    )
    def test_that_is_none(self, line):
        assert not self.found(line)

    def test_only_groups_that_were_counted_prove_it(self):
        assert self.one("4 / final birch 0 / delegates ash 3 birch 1").numbers == {"delegates": 1}

    def test_des_moines_80_had_ten_delegates_and_nobody(self):
        night = contest("biden", "buttigieg", "sanders")
        line = "10 / first biden 0 buttigieg 0 sanders 0 / final biden 0 buttigieg 0 sanders 0"
        found = self.one(f"{line} / delegates biden 2 buttigieg 4 sanders 4", plan=night)
        assert found.text == "Nobody in the final alignment, and 10 delegates awarded."


class TestVotesWithoutDelegates(Evening):
    kind = "votes-without-delegates"

    def test_the_delegates_are_all_zeros(self):
        found = self.one("4 / final ash 30 birch 10 / delegates ash 0 birch 0")
        assert (found.code, found.severity) == ("I16b", "error")
        assert found.numbers == {"final": 40, "delegates": 4}
        assert found.text == "40 people in the final alignment, and no delegate awarded."

    def test_values_are_all_zeros(self):
        assert self.found("present 40 / final ash 40 / values ash 0")

    def test_nobody_is_viable(self):
        found = self.one("4 / present 40 / final ash 5 birch 5 / delegates ash 0 birch 0")
        assert found.severity == "warning"
        assert found.todo.startswith("Record who decides")

    def test_one_delegate_and_one_person(self):
        assert self.one("1 / final ash 1 / delegates ash 0").severity == "error"

    @pytest.mark.parametrize(
        "line",
        [
            "4 / final ash 30 birch 10 / delegates ash 0 birch 1",
            "4 / final ash 30 birch 10 / delegates ash 0",
            "4 / final ash 30 birch 10",
            "4 / final ash 0 / delegates ash 0",
            "4 / delegates ash 0",
            "4 / final ash 30 / values birch 0",
            "0 / final ash 30 / delegates ash 0",
        ],
        ids=["one awarded", "one blank", "all blank", "nobody", "no final", "value blank", "elects none"],
    )
    def test_that_is_none(self, line):
        assert not self.found(line)


class TestNotAWholeDelegate(Evening):
    kind = "not-a-whole-delegate"

    @pytest.mark.parametrize("value", ["0.2333", "0.4667", "0.23337", "0.23329", "0", "2.3333"])
    def test_whole_delegates_as_printed(self, value):
        assert not self.found(f"4 / values ash {value}")

    @pytest.mark.parametrize("value", ["0.2334", "0.2332", "0.3500", "0.1"])
    def test_anything_else(self, value):
        found = self.one(f"4 / values ash {value}")
        assert (found.code, found.severity) == ("I17", "error")
        assert found.numbers == {"group": "ash", "value": self.exact(value), "worth": "7/30"}

    @staticmethod
    def exact(value):
        exact = Fraction(value)
        return f"{exact.numerator}/{exact.denominator}"

    def test_it_names_the_worth_of_one(self):
        assert self.one("4 / values ash 0.3500").text == "Ash has 0.3500, where one delegate is worth 0.2333."

    @pytest.mark.parametrize("worth", [None, Fraction(0)])
    def test_a_worth_that_depends_on_others_is_no_measure(self, worth):
        assert not self.found("4 / values ash 0.3500", worth=worth)

    def test_blank_values_are_not_judged(self):
        assert not self.found("4 / delegates ash 4")
