"""Counts of people that do not fit: each check fires, and does not fire beside its border."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks.room import STAGES, Evening, contest, context, findings
from tallyroom.checks import examine
from tallyroom.plan.types import Component
from tallyroom.report.record import Report


def three_rounds(second, final):
    """Three counts, by who may move on the way into the second and the last."""
    between = replace(STAGES[1], id="second", name="Second alignment", may_move=second)
    return (STAGES[0], between, replace(STAGES[1], may_move=final))


class TestFinalExceedsFirst(Evening):
    kind = "final-exceeds-first"

    def test_somebody_came_in_after_the_first_count(self):
        found = self.one("4 / first ash 20 birch 12 / final ash 20 birch 13")
        assert (found.code, found.severity) == ("I1", "error")
        assert found.numbers == {"first": 32, "final": 33, "added": 1}
        assert found.text.startswith("32 people in the first alignment, 33 in the final: 1 more")

    def test_as_many_as_before(self):
        assert not self.found("4 / first ash 20 birch 12 cedar 1 / final ash 20 birch 13")

    def test_somebody_left(self):
        assert not self.found("4 / first ash 20 birch 12 / final ash 20 birch 11")

    @pytest.mark.parametrize("line", ["4 / final ash 33", "4 / first ash 33", "4 / present 33"])
    def test_an_alignment_left_blank_is_not_judged(self, line):
        assert not self.found(line)

    def test_a_group_left_blank_at_first_may_have_been_there(self):
        assert not self.found("4 / first ash 20 / final ash 20 birch 13")

    def test_a_group_left_blank_that_ends_with_nobody_hides_nothing(self):
        assert self.found("4 / first ash 20 / final ash 21 birch 0")

    def test_even_where_nobody_elects(self):
        assert self.found("1 / first ash 20 birch 12 / final ash 33 birch 0")

    def test_west_des_moines_312_has_a_first_column_of_another_place(self):
        night = contest("biden", "buttigieg", "klobuchar", "sanders", "warren", "yang")
        line = "10 / first klobuchar 43 yang 18 0 else / final biden 65 buttigieg 108 sanders 74 warren 92 0 else"
        assert self.one(line, plan=night).numbers["added"] == 278


class TestAlignmentTotalsDiffer(Evening):
    kind = "alignment-totals-differ"

    @pytest.mark.parametrize("final", [39, 41])
    def test_people_left_or_came(self, final):
        found = self.one(f"4 / first ash 40 / final ash {final}")
        assert (found.code, found.severity) == ("I2", "info")
        assert found.numbers == {"first": 40, "final": final}

    def test_as_many_as_before(self):
        assert not self.found("4 / first ash 20 birch 20 / final ash 40")

    @pytest.mark.parametrize("line", ["4 / first ash 40", "4 / final ash 40"])
    def test_an_alignment_left_blank_is_not_judged(self, line):
        assert not self.found(line)


class TestExceedsAttendance(Evening):
    kind = "exceeds-attendance"

    def test_more_people_in_groups_than_in_the_room(self):
        found = self.one("4 / present 40 / first ash 41 / final ash 40")
        assert (found.code, found.severity) == ("I3", "error")
        assert found.numbers == {"stage": "first", "people": 41, "attendance": 40}
        assert found.text == "41 people in the first alignment, but only 40 present."

    def test_each_alignment_is_named(self):
        found = self.found("4 / present 40 / first ash 41 / final ash 42")
        assert [row.numbers["stage"] for row in found] == ["first", "final"]

    def test_exactly_those_present(self):
        assert not self.found("4 / present 40 / first ash 40 / final ash 39")

    def test_attendance_left_blank_is_not_exceeded(self):
        assert not self.found("4 / first ash 41 / final ash 41")

    def test_nobody_present_is_a_count(self):
        assert self.one("4 / present 0 / first ash 1").text == "1 person in the first alignment, but only 0 present."


class TestViableGroupLostPeople(Evening):
    kind = "viable-group-lost-people"

    def test_a_group_at_the_number_loses_one(self):
        found = self.one("4 / present 40 / first ash 34 birch 6 / final ash 35 birch 5")
        assert (found.code, found.severity) == ("I4", "error")
        assert found.numbers == {
            "group": "birch",
            "first": 6,
            "final": 5,
            "number": 6,
            "attendance": 40,
            "base": "recorded",
        }
        assert found.text == "Birch had 6 people at first, viable with 6 of 40 present, and ends with 5."

    def test_one_below_the_number_may_go(self):
        assert not self.found("4 / present 40 / first ash 35 birch 5 / final ash 40 birch 0")

    def test_a_viable_group_that_grows(self):
        assert not self.found("4 / present 40 / first ash 34 birch 6 / final ash 34 birch 6")

    def test_one_delegate_has_no_viability(self):
        assert not self.found("1 / present 40 / first ash 34 birch 6 / final ash 40 birch 0")

    def test_more_viable_groups_than_delegates_must_dissolve_one(self):
        three = "present 12 / first ash 4 birch 4 cedar 4 / final ash 6 birch 6 cedar 0"
        assert not self.found(f"2 / {three}")
        assert self.found(f"3 / {three}")

    def test_a_group_left_blank_at_the_end_is_not_judged(self):
        assert not self.found("4 / present 40 / first ash 34 birch 6 / final ash 34")

    @pytest.mark.parametrize("may_move", ["all", "nobody"])
    def test_only_where_the_plan_locks_viable_groups(self, may_move):
        plan = contest(stages=(STAGES[0], replace(STAGES[1], may_move=may_move)))
        assert not self.found("4 / present 40 / first ash 34 birch 6 / final ash 40 birch 0", plan=plan)

    @pytest.mark.parametrize(
        ("ways", "counts", "lost"),
        [
            (("all", "nonviable"), "first ash 20 birch 20 / second ash 26 birch 14 / final ash 26 birch 14", []),
            (("all", "nonviable"), "first ash 20 birch 20 / second ash 26 birch 14 / final ash 24 birch 16", ["ash"]),
            (("all", "nonviable"), "first ash 20 birch 20 / final ash 26 birch 14", []),
            (("nonviable", "all"), "first ash 20 birch 20 / second ash 20 birch 20 / final ash 26 birch 14", []),
            (("nonviable", "all"), "first ash 20 birch 20 / second ash 26 birch 14 / final ash 26 birch 14", ["birch"]),
            (("nonviable", "nonviable"), "first ash 20 birch 20 / final ash 26 birch 14", ["birch"]),
            (("nonviable", "nonviable"), "first ash 9 birch 9 / second ash 19 birch 9 / final ash 18 birch 9", ["ash"]),
        ],
        ids=[
            "everybody moved when all may",
            "lost after the lock",
            "the count before the lock is not on record",
            "everybody moved after the lock",
            "lost before all may move",
            "locked all the way, the middle not on record",
            "grown and shrunk again",
        ],
    )
    def test_of_three_rounds_each_way_has_its_own_lock(self, ways, counts, lost):
        plan = contest(stages=three_rounds(*ways))
        found = self.found(f"4 / present 40 / {counts}", plan=plan)
        assert [finding.numbers["group"] for finding in found] == lost

    def test_of_three_rounds_the_two_counts_are_named(self):
        plan = contest(stages=three_rounds("all", "nonviable"))
        found = self.one("4 / present 40 / first ash 9 birch 9 / second ash 26 / final ash 24", plan=plan)
        assert found.text == (
            "Ash had 26 people in the second alignment, viable with 6 of 40 present, and 24 in the final alignment."
        )
        assert found.numbers["stages"] == ("second", "final")

    def test_the_base_is_named_where_attendance_is_not_on_record(self):
        found = self.one("4 / first ash 34 birch 6 / final ash 35 birch 4", base="first")
        assert "6 of 40 counted in the first alignment" in found.text
        assert found.numbers["base"] == "first"

    def test_arcadia_had_three_viable_groups_for_two_delegates(self):
        night = contest("biden", "buttigieg", "sanders", "uncommitted")
        line = (
            "first biden 2 buttigieg 7 sanders 5 uncommitted 5 / final biden 6 buttigieg 7 sanders 6 uncommitted 0 "
            "/ delegates buttigieg 1 sanders 1 0 else"
        )
        assert not self.found(f"2 / {line}", plan=night)
        assert self.found(f"3 / {line}", plan=night)


class TestNonviableKeptPeople(Evening):
    kind = "nonviable-kept-people"

    def test_some_stay_where_they_are(self):
        found = self.one("4 / present 40 / final ash 32 birch 5 cedar 3")
        assert (found.code, found.severity) == ("I10", "warning")
        assert found.numbers["final"] == {"birch": 5, "cedar": 3}
        assert found.text == "At the end Birch 5 and Cedar 3, where a group needs 6 people."

    def test_a_group_at_the_number_or_empty(self):
        assert not self.found("4 / present 40 / final ash 34 birch 6 cedar 0")

    @pytest.mark.parametrize("line", ["1 / present 40 / final ash 39 birch 1", "4 / present 40 / first ash 39 birch 1"])
    def test_without_viability_or_final_alignment(self, line):
        assert not self.found(line)


class TestGroupFromNothing(Evening):
    kind = "group-from-nothing"

    def test_nobody_at_first_and_six_at_the_end(self):
        found = self.one("4 / first ash 40 birch 0 / final ash 34 birch 6")
        assert (found.code, found.severity) == ("I11", "info")
        assert found.numbers == {"final": {"birch": 6}}
        assert found.text == "At the end Birch 6, at first nobody."

    def test_one_at_first(self):
        assert not self.found("4 / first ash 39 birch 1 / final ash 34 birch 6")

    def test_blank_is_not_nobody(self):
        assert not self.found("4 / first ash 40 / final ash 34 birch 6")

    @pytest.mark.parametrize("line", ["4 / first ash 40 birch 0", "4 / final ash 40 birch 6"])
    def test_an_alignment_left_blank_is_not_judged(self, line):
        assert not self.found(line)


class TestColumnsShifted(Evening):
    kind = "columns-shifted"

    def test_two_neighbours_are_exchanged(self):
        found = self.one("4 / first ash 30 birch 10 cedar 0 / final ash 30 birch 0 cedar 10")
        assert (found.code, found.severity) == ("I15", "error")
        assert found.numbers["first"] == {"birch": 10, "cedar": 0}
        assert found.numbers["final"] == {"birch": 0, "cedar": 10}
        assert found.text == "Birch 10 at first and none at the end, beside it Cedar none and 10."

    def test_in_the_other_direction(self):
        assert self.found("4 / first ash 30 birch 0 cedar 10 / final ash 30 birch 10 cedar 0")

    @pytest.mark.parametrize(
        "columns",
        [
            "first ash 30 birch 10 cedar 0 elder 0 / final ash 30 birch 0 cedar 0 elder 10",
            "first ash 30 birch 10 cedar 1 / final ash 30 birch 0 cedar 10",
            "first ash 30 birch 10 cedar 0 / final ash 30 birch 1 cedar 10",
            "first ash 30 birch 10 / final ash 30 birch 0 cedar 10",
            "first ash 30 birch 10 cedar 0 / final ash 30 cedar 10",
            "first ash 30 birch 10 cedar 0",
            "final ash 30 birch 0 cedar 10",
        ],
        ids=[
            "not neighbours",
            "one was there",
            "one is left",
            "blank at first",
            "blank at the end",
            "no end",
            "no first",
        ],
    )
    def test_that_is_no_exchange(self, columns):
        assert not self.found(f"4 / {columns}")

    @pytest.mark.parametrize(("before", "after", "large"), [(6, 6, True), (5, 6, False), (6, 5, False)])
    def test_large_is_the_viability_number(self, before, after, large):
        line = f"4 / present 40 / first ash 30 birch {before} cedar 0 / final ash 30 birch 0 cedar {after}"
        assert bool(self.found(line)) is large

    def test_one_delegate_has_no_viability(self):
        assert not self.found("1 / first ash 30 birch 10 cedar 0 / final ash 30 birch 0 cedar 10")

    def test_where_a_group_had_to_dissolve_it_may_be_true(self):
        line = "present 20 / first ash 7 birch 6 uncommitted 0 cedar 0 elder 7 / final ash 7 birch 0 cedar 6 elder 7"
        assert self.one(f"2 / {line}").severity == "warning"
        assert self.one(f"4 / {line}").severity == "error"

    def test_where_everybody_may_move_it_may_be_true(self):
        plan = contest(stages=three_rounds("all", "nonviable"))
        line = "4 / first ash 30 birch 10 cedar 0 / final ash 30 birch 0 cedar 10"
        assert self.one(line, plan=plan).severity == "warning"
        plan = contest(stages=three_rounds("nonviable", "nonviable"))
        assert self.one(line, plan=plan).severity == "error"

    def test_the_first_and_the_last_column_have_one_neighbour(self):
        line = "4 / first ash 20 birch 0 uncommitted 0 other 20 / final ash 0 birch 20 uncommitted 20 other 0"
        assert self.one(line).numbers["first"] == {"ash": 20, "birch": 0, "other": 20, "uncommitted": 0}

    def test_a_neighbour_takes_the_column_closest_in_number(self):
        found = self.one("4 / first ash 20 birch 0 cedar 12 / final ash 0 birch 12 cedar 0")
        assert found.numbers["first"] == {"cedar": 12, "birch": 0}

    def test_a_column_goes_to_one_neighbour_only(self):
        found = self.one("4 / first ash 0 birch 30 cedar 0 / final ash 20 birch 0 cedar 28")
        assert found.numbers["final"] == {"birch": 0, "cedar": 28}

    def test_indianola_2_has_two_pairs_side_by_side(self):
        night = contest("klobuchar", "patrick", "sanders", "steyer", "warren", "yang")
        line = "9 / first klobuchar 30 patrick 41 steyer 50 0 else / final klobuchar 39 sanders 44 warren 51 0 else"
        found = self.one(line, plan=night)
        assert found.numbers["first"] == {"patrick": 41, "steyer": 50, "sanders": 0, "warren": 0}
        assert found.numbers["final"] == {"patrick": 0, "steyer": 0, "sanders": 44, "warren": 51}


class TestViabilityNumberDiffers(Evening):
    kind = "viability-number-differs"

    def test_rounded_down_by_the_chair(self):
        found = self.one("4 / present 41 / needed 6")
        assert (found.code, found.severity) == ("I21", "error")
        assert found.numbers == {"written": 6, "number": 7, "attendance": 41, "delegates": 4}
        assert found.text == "The sheet says a group needs 6, but with 41 present and 4 delegates it needs 7."

    @pytest.mark.parametrize(
        "line",
        ["4 / present 40 / needed 6", "4 / present 41", "4 / final ash 41 / needed 6", "1 / present 41 / needed 6"],
        ids=["right", "not on the sheet", "attendance blank", "no viability"],
    )
    def test_nothing_to_compare(self, line):
        assert not self.found(line)


class TestAttendanceDiffers(Evening):
    kind = "attendance-differs"

    def test_check_in_and_cards(self):
        found = self.one("4 / present 484 / counted cards 424 check-in 484")
        assert (found.code, found.severity) == ("I22", "warning")
        assert found.numbers == {"attendance": 484, "others": {"cards": 424, "check-in": 484}}
        assert found.text == "Present are 484 by attendance, 424 by cards and 484 by check-in."

    def test_two_counts_and_no_attendance(self):
        assert self.one("4 / counted cards 424 check-in 425").numbers["attendance"] is None

    @pytest.mark.parametrize(
        "line", ["4 / present 40 / counted cards 40", "4 / counted cards 40", "4 / present 40", "4"]
    )
    def test_nothing_differs(self, line):
        assert not self.found(line)

    def test_some_stand_in_no_group(self):
        found = self.one("4 / present 40 / first ash 39 0 else")
        assert found.severity == "info"
        assert found.numbers == {"attendance": 40, "first": 39}
        assert found.todo.startswith("Nothing, if")

    @pytest.mark.parametrize(
        "line",
        [
            "4 / present 40 / first ash 40 0 else",
            "4 / present 40 / first ash 41 0 else",
            "4 / present 40 / first ash 39",
        ],
        ids=["all stand", "more stand, which is another finding", "a group is blank"],
    )
    def test_the_first_alignment_says_nothing(self, line):
        assert not self.found(line)


def test_a_contest_with_one_count_has_no_realignment():
    line = "4 / present 40 / final ash 31 birch 5 cedar 0 0 else"
    kinds = {finding.kind for finding in findings(line, plan=contest(stages=(STAGES[1],)))}
    assert kinds == {"nonviable-kept-people", "attendance-differs"}


class TestComponents:
    """Early ballots and the room, counted apart and added in."""

    PARTS = (
        Component("early", "early ballots", STAGES[0].source, early=True),
        Component("room", "the room", STAGES[0].source),
    )

    def found(self, ash=12, **parts):
        plan = replace(contest(), components=self.PARTS)
        report = Report("mill", {"first": {"ash": ash, "birch": 4}}, components=parts)
        return [row for row in examine(report, plan, context(report, 4, plan)) if row.kind == "components-differ"]

    def test_parts_that_do_not_add_up(self):
        (found,) = self.found(early={"first": {"ash": 5}}, room={"first": {"ash": 8}})
        assert (found.code, found.severity) == ("I26", "error")
        assert found.text == ("Ash has 12 people in First alignment, but 5 of early ballots and 8 of the room are 13.")
        assert found.numbers == {"group": "ash", "stage": "first", "written": 12, "together": 13}

    def test_parts_that_add_up_are_no_finding(self):
        assert not self.found(early={"first": {"ash": 5}}, room={"first": {"ash": 7}})

    def test_a_part_left_blank_could_hold_what_is_missing(self):
        assert not self.found(early={"first": {"ash": 5}})
        assert not self.found(early={"first": {"ash": 5}}, room={"first": {}})
        assert not self.found()
