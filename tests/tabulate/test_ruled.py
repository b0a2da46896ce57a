"""As written and by rule side by side, and every reason why the rule gives no single award."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tabulate.room import PLAN, WHOLE, evening, report
from tallyroom.award import LotsNeeded
from tallyroom.publish.headline import contenders
from tallyroom.publish.reasons import REASONS
from tallyroom.tabulate import Basis, tabulated
from tallyroom.tabulate.ruled import Undetermined, implied, ruled


def by_rule(line, **readings):
    chosen = {**PLAN.in_force, **readings}
    return ruled(PLAN, PLAN.award_under(readings), chosen, report(line))


def test_by_rule_corrects_a_wrong_award_and_as_written_keeps_it():
    rows = evening("elm-1 attending 40 / first ash 30 birch 10 / final ash 30 birch 10 / delegates ash 4")
    tabulation = tabulated(rows, PLAN)
    written, ruled_ = (tabulation.of_unit("elm-1", basis).on("delegates") for basis in Basis)
    assert {g.group: g.printed for g in written.groups if g.printed} == {"ash": 4}
    assert {g.group: g.printed for g in ruled_.groups if g.printed} == {"ash": 3, "birch": 1}
    assert tabulation.top().undetermined == {}


def test_people_are_the_same_on_both_bases():
    tabulation = tabulated(evening(WHOLE), PLAN)
    for yardstick in ("first_alignment", "final_alignment"):
        assert tabulation.top(Basis.AS_WRITTEN).on(yardstick) == tabulation.top(Basis.BY_RULE).on(yardstick)


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        (Undetermined.NO_VOTES, "elm-1 / first ash 0 / final ash 0 / delegates ash 4"),
        (Undetermined.NO_VOTES, "elm-1 attending 12 / delegates ash 4"),
        (Undetermined.NO_VOTES, "elm-1 / delegates ash 4"),
        (
            Undetermined.ONE_DELEGATE,
            "elm-3 attending 9 / first ash 5 birch 4 / final ash 5 birch 4 / delegates birch 1",
        ),
        (Undetermined.OVER_VIABLE, "elm-2 attending 12 / final ash 4 birch 4 cedar 4 / delegates ash 1 cedar 1"),
        (
            Undetermined.NOBODY_VIABLE,
            "elm-2 attending 40 / first ash 9 birch 9 / final ash 9 birch 9 / delegates ash 2",
        ),
        (
            Undetermined.UNSETTLED_TIE,
            "oak-2 attending 20 / first ash 10 birch 10 / final ash 10 birch 10 / delegates ash 3",
        ),
    ],
)
def test_the_written_award_stands_and_the_reason_is_counted(reason, line):
    found = by_rule(line)
    assert found.undetermined is reason
    assert found.awarded == report(line).delegates
    tabulation = tabulated(evening(line), PLAN)
    for area in PLAN.lineage(PLAN.units[found_unit(line)].area):
        assert tabulation.of_area(area, Basis.BY_RULE).undetermined == {reason: 1}
    assert tabulation.of_area("fir", Basis.BY_RULE).undetermined == {}


def found_unit(line):
    return line.split()[0]


def test_a_lot_that_sends_a_group_to_realign_is_a_further_realignment_too():
    line = "elm-2 attending 12 / final ash 4 birch 4 cedar 4 / delegates ash 1 cedar 1"
    found = by_rule(line, over_viable_tie="lot")
    assert isinstance(found.outcome, LotsNeeded)
    assert (found.awarded, found.undetermined) == ({"ash": 1, "cedar": 1}, Undetermined.OVER_VIABLE)


TIE = "oak-2 attending 20 / first ash 10 birch 10 / final ash 10 birch 10"


class TestATie:
    def test_the_rule_asks_for_a_lot(self):
        outcome = by_rule(TIE).outcome
        assert isinstance(outcome, LotsNeeded)
        assert outcome.tie.id == "lose:1:ash+birch@-1/2"

    def test_a_recorded_lot_decides_against_what_was_written(self):
        found = by_rule(f"{TIE} / delegates ash 1 birch 2 / lot lose:1:ash+birch@-1/2 birch")
        assert (found.awarded, found.undetermined) == ({"ash": 2, "birch": 1}, None)

    def test_without_a_lot_a_legal_written_award_stands_and_is_settled(self):
        found = by_rule(f"{TIE} / delegates ash 1 birch 2")
        assert (found.awarded, found.undetermined) == ({"ash": 1, "birch": 2}, None)

    def test_without_a_lot_an_illegal_written_award_stands_and_is_not_settled(self):
        found = by_rule(f"{TIE} / delegates ash 3")
        assert (found.awarded, found.undetermined) == ({"ash": 3}, Undetermined.UNSETTLED_TIE)

    def test_a_lot_of_another_tie_decides_nothing(self):
        found = by_rule(f"{TIE} / delegates ash 3 / lot lose:1:ash+cedar@-1/2 ash")
        assert found.undetermined is Undetermined.UNSETTLED_TIE

    def test_nothing_written_is_nothing_by_rule(self):
        found = by_rule(TIE)
        assert (found.awarded, found.undetermined) == (None, Undetermined.UNSETTLED_TIE)
        top = tabulated(evening(TIE), PLAN).top(Basis.BY_RULE)
        assert top.on("delegates").units_without_value == 1
        assert top.on("sde").units_without_value == 1


class TestAttendanceNotOnRecord:
    LINE = "elm-1 / first ash 20 birch 4 / final ash 20 birch 3"

    @pytest.mark.parametrize(("reading", "people"), [("first", 24), ("final", 23), ("larger", 24)])
    def test_the_reading_in_force_stands_in(self, reading, people):
        present = by_rule(self.LINE, attendance=reading).attendance
        assert (present.people, present.taken_from) == (people, reading)

    def test_the_reading_can_change_the_award(self):
        by_first, by_final = (by_rule(self.LINE, attendance=reading).awarded for reading in ("first", "final"))
        assert by_first == {"ash": 4}
        assert by_final == {"ash": 4}
        line = "elm-1 / first ash 20 birch 6 / final ash 15 birch 3"
        assert by_rule(line, attendance="first").awarded == {"ash": 4}
        assert by_rule(line, attendance="final").awarded == {"ash": 3, "birch": 1}

    @pytest.mark.parametrize(
        ("line", "reading", "reason"),
        [
            ("elm-1 / final ash 40 / delegates ash 4", "first", Undetermined.NO_ATTENDANCE),
            ("north-a / final ash 40 / delegates ash 4", "first", Undetermined.NO_ATTENDANCE),
            ("elm-3 / final ash 4 / delegates ash 1", "first", Undetermined.ONE_DELEGATE),
            ("elm-1 / first ash 40 / delegates ash 4", "final", Undetermined.NO_VOTES),
            ("elm-1 / delegates ash 4", "larger", Undetermined.NO_VOTES),
        ],
    )
    def test_an_unknown_attendance_is_never_nobody(self, line, reading, reason):
        found = by_rule(line, attendance=reading)
        assert (found.attendance.people, found.outcome, found.undetermined) == (None, None, reason)
        assert found.awarded == report(line).delegates

    def test_delegates_by_band_are_then_not_known_either(self):
        assert by_rule("north-a / final ash 40", attendance="first").delegates is None
        assert by_rule("elm-1 / final ash 40", attendance="first").delegates == 4

    def test_every_reason_has_its_words(self):
        assert set(REASONS) == set(Undetermined)

    def test_what_is_recorded_is_never_replaced(self):
        present = by_rule("elm-1 attending 30 / first ash 20", attendance="first").attendance
        assert (present.people, present.taken_from) == (30, "recorded")


class TestSatellites:
    def test_delegates_follow_from_attendance(self):
        assert [by_rule(f"north-a attending {n} / final ash {n}").delegates for n in (1, 20, 21, 40, 41)] == [
            4,
            4,
            5,
            5,
            6,
        ]

    def test_nobody_came_elects_nobody(self):
        found = by_rule("north-a attending 0 / first ash 0 / final ash 0")
        assert (found.delegates, found.undetermined) == (0, Undetermined.NO_VOTES)

    def test_values_in_the_proportion_of_a_legal_award_settle_a_tie(self):
        tie = "north-a attending 30 / final ash 15 birch 15"
        assert by_rule(tie).undetermined is Undetermined.UNSETTLED_TIE
        found = by_rule(f"{tie} / values ash 0.9000 birch 0.6000")
        assert (found.awarded, found.undetermined) == ({"ash": 3, "birch": 2}, None)

    def test_values_that_imply_no_legal_award_settle_nothing(self):
        found = by_rule("north-a attending 30 / final ash 15 birch 15 / values ash 1.2000 birch 0.3000")
        assert (found.awarded, found.undetermined) == (None, Undetermined.UNSETTLED_TIE)

    def test_a_site_without_delegates_has_its_values_as_written_and_its_share_by_rule(self):
        rows = evening("""
            north-a attending 30 / final ash 30 / values ash 1.4999
            north-b attending 10 / final birch 10 / values birch 0.5001
        """)
        tabulation = tabulated(rows, PLAN)
        written, ruled_ = (tabulation.of_area("north-satellite", basis).on("sde") for basis in Basis)
        assert written.of("ash").exact == Fraction(14_999, 10_000)
        assert ruled_.of("ash").exact == Fraction(3, 2)

    def test_sites_can_weigh_by_their_delegates_instead(self):
        rows = evening("""
            north-a attending 30 / final ash 30 / values ash 1.4999
            north-b attending 10 / final birch 10 / values birch 0.5001
        """)
        tabulation = tabulated(rows, PLAN, readings={"satellite_weight": "delegates"})
        assert tabulation.of_unit("north-a", Basis.BY_RULE).on("sde").of("ash").exact == Fraction(2 * 5, 5 + 4)

    def test_an_unknown_weight_of_the_far_pool_means_as_written_there_only(self):
        rows = evening("""
            north-a attending 30 / final ash 30 / values ash 1.4999
            far-a attending 30 / final ash 30 / values ash 0.9999
        """)
        tabulation = tabulated(rows, PLAN, readings={"out_of_state_pool": "turnout"})
        sde = {unit: tabulation.of_unit(unit, Basis.BY_RULE).on("sde").of("ash").exact for unit in ("north-a", "far-a")}
        assert sde == {"north-a": 2, "far-a": Fraction(9_999, 10_000)}

    def test_a_site_of_unknown_size_has_no_share_and_leaves_its_pool_provisional(self):
        rows = evening("""
            north-a attending 30 / final ash 30 / delegates ash 5
            north-b / delegates birch 4
            north-c attending 10 / final cedar 10 / delegates cedar 4
        """)
        for basis in Basis:
            tabulation = tabulated(rows, PLAN)
            pool = tabulation.of_area("north-satellite", basis)
            assert (pool.on("sde").units_without_value, pool.provisional) == (1, ("north-satellite",))
            assert {group: pool.on("sde").of(group).exact for group in ("ash", "birch", "cedar")} == {
                "ash": Fraction(3, 2), "birch": 0, "cedar": Fraction(1, 2),
            }  # fmt: skip
            assert tabulation.of_area("south", basis).provisional == ()

    def test_what_was_written_for_it_stands(self):
        rows = evening("""
            north-a attending 30 / final ash 30 / delegates ash 5
            north-b / values birch 0.5000 / delegates birch 4
        """)
        pool = tabulated(rows, PLAN).of_area("north-satellite", Basis.AS_WRITTEN).on("sde")
        assert (pool.of("birch").exact, pool.units_without_value) == (Fraction(1, 2), 0)

    def test_a_pool_is_provisional_until_all_its_sites_have_reported(self):
        rows = evening(WHOLE)
        seen = []
        for number in range(len(rows) + 1):
            tabulation = tabulated(rows[:number], PLAN)
            seen.append(len(tabulation.top().provisional))
            for pool in tabulation.top().provisional:
                assert pool in tabulation.of_area(pool, Basis.AS_WRITTEN).provisional
                assert tabulation.of_area("south", Basis.AS_WRITTEN).provisional == ()
        assert seen == [2] * 9 + [1, 1, 0]
        assert tabulated(rows[:-1], PLAN).of_unit("far-a", Basis.BY_RULE).provisional == ("far-satellite",)
        assert tabulated(rows[:-1], PLAN).of_unit("elm-1", Basis.BY_RULE).provisional == ()


@pytest.mark.parametrize(
    ("values", "delegates", "award"),
    [
        ({"ash": "0.9000", "birch": "0.6000"}, 5, {"ash": 3, "birch": 2}),
        ({"ash": "0.2022", "birch": "0.2528"}, 9, {"ash": 4, "birch": 5}),
        ({"ash": "0.9000", "birch": "0.6500"}, 5, None),
        ({"ash": "0.9000", "birch": "0.6000"}, 4, None),
        ({"ash": "0", "birch": "0"}, 5, None),
        ({}, 5, None),
    ],
)
def test_printed_values_stand_for_delegates_only_as_closely_as_rounding_allows(values, delegates, award):
    assert implied({group: Fraction(value) for group, value in values.items()}, delegates, 4) == award


class TestBlanks:
    def test_a_blank_stage_is_without_value_and_not_zero(self):
        top = tabulated(evening("elm-1 attending 40 / first ash 20 birch 20"), PLAN).top()
        assert top.on("first_alignment").units_without_value == 0
        assert top.on("final_alignment").units_without_value == 1
        assert top.on("final_alignment").total == 0

    def test_zero_was_counted(self):
        top = tabulated(evening("elm-1 attending 0 / first ash 0 / final ash 0 / delegates ash 0"), PLAN).top()
        assert [row.units_without_value for row in top.yardsticks] == [0, 0, 0, 0]

    def test_blank_delegates_have_no_worth_and_bound_it(self):
        sde = tabulated(evening("elm-1 attending 40 / final ash 40"), PLAN).top().on("sde")
        assert sde.units_without_value == 1
        assert (sde.of("ash").printed, sde.of("ash").lowest) == (0, 0)
        assert sde.of("ash").highest == round(Fraction(5 * 4, 7) * 10_000)

    @pytest.mark.parametrize(
        ("line", "yardstick", "most"),
        [
            ("elm-1 attending 40 / first ash 20 birch 15", "final_alignment", 40),
            ("elm-1 first ash 20 birch 15", "final_alignment", 35),
            ("elm-1 first ash 20 birch 15 / final ash 20 birch 16 / values ash 1", "delegates", 4),
            ("elm-1 final ash 20 birch 15", "first_alignment", 10_000_000),
            ("north-a attending 40 / first ash 20 / final ash 20", "delegates", 6),
        ],
        ids=["those present", "those of the first count", "those it elects", "nobody knows", "the largest band"],
    )
    def test_a_blank_is_bounded_on_every_yardstick(self, line, yardstick, most):
        tabulation = tabulated(evening(line), PLAN)
        for standing in (tabulation.top(), tabulation.of_unit(line.split()[0], Basis.AS_WRITTEN)):
            row = standing.on(yardstick)
            assert row.units_without_value == 1
            assert {(group.lowest, group.highest) for group in row.groups} == {(0, most)}

    def test_nobody_leads_surely_where_a_blank_could_change_it(self):
        rows = evening("""
            elm-1 attending 40 / first ash 25 birch 15 / final ash 25 birch 15 / delegates ash 3 birch 2
            elm-2 attending 40 / first ash 25 birch 15 / delegates ash 3 birch 2
        """)
        final = tabulated(rows, PLAN).top().on("final_alignment")
        assert [(group.group, group.lowest, group.highest) for group in final.groups[:2]] == [
            ("ash", 25, 65),
            ("birch", 15, 55),
        ]
        assert contenders(final) == ("ash", "birch", "cedar", "uncommitted", "other")

    def test_a_value_known_before_and_after_bounds_the_blank_between(self):
        rows = evening("""
            elm-1 attending 40 / first ash 20 birch 20 / final ash 20 birch 20 / delegates ash 1 birch 3
            elm-1 attending 40 / first ash 20 birch 20 / final ash 20 birch 20
            elm-1 attending 40 / first ash 20 birch 20 / final ash 20 birch 20 / delegates ash 2 birch 2
        """)
        ash = tabulated(rows, PLAN, at=rows[1].at).top().on("sde").of("ash")
        assert (ash.printed, ash.lowest, ash.highest) == (0, 7143, 14286)

    def test_a_place_that_has_not_reported_is_nowhere(self):
        row = tabulated([], PLAN).of_unit("elm-1", Basis.AS_WRITTEN)
        assert (row.progress.expected, row.progress.reported) == (1, 0)
        assert [yardstick.units_without_value for yardstick in row.yardsticks] == [0, 0, 0, 0]
        assert {group.share for group in row.on("sde").groups} == {0}


def test_groups_stand_largest_first_and_ties_in_sheet_order():
    top = tabulated(evening("elm-1 attending 40 / first birch 15 ash 15 other 20"), PLAN).top()
    assert [group.group for group in top.on("first_alignment").groups] == [
        "other", "ash", "birch", "cedar", "uncommitted",
    ]  # fmt: skip
    assert top.on("first_alignment").of("other").share == Fraction(20, 50)


def test_an_absurd_number_of_delegates_costs_neither_memory_nor_time():
    line = "elm-1 attending 40 / final ash 40 / delegates ash 9999999"
    assert tabulated(evening(line), PLAN).top().on("delegates").total == 9_999_999
