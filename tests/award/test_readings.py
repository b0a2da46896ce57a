"""What the sources leave open, reading by reading: short awards, over-viable rooms, single delegates."""

from __future__ import annotations

import pytest

from award.evening import caucus
from tallyroom.award import Awarded, AwardError, StepRule, TieKind, award
from tallyroom.plan.types import AwardRule


def short(reading: str, people: str = "a 71  b 19", delegates: int = 5, attending: int = 124):
    return caucus(f"""
        Short   delegates {delegates}   attending {attending}
        final     {people}
        reading   short_award {reading}
    """)


def test_left_over_and_nobody_rounded_down_residual():
    """2.863 and 0.766 round to 3 and 1; one is missing and nobody was rounded down."""
    night = short("residual")
    assert night.awarded == {"a": 4, "b": 1}
    assert night.outcome.steps[-1].rule is StepRule.SHORT_RESIDUAL


def test_left_over_and_nobody_rounded_down_cyclic():
    night = short("cyclic")
    assert night.awarded == {"a": 3, "b": 2}  # whole parts 2 and 1, then a, then b
    assert [step.moved for step in night.outcome.steps] == [3, 1, -1, 1, 1]


def test_left_over_and_nobody_rounded_down_lot():
    night = short("lot")
    tie = night.lots_needed.tie
    assert (tie.kind, tie.groups, tie.take) == (TieKind.GAIN, ("a", "b"), 1)
    assert night.possible == [{"a": 3, "b": 2}, {"a": 4, "b": 1}]


def test_rounded_down_the_highest_decimal_gains_what_is_left():
    night = caucus("""
        Churchill 8   delegates 7   attending 100
        final     ash 52  birch 33  cedar 15
        reading   rounding down
    """)
    assert night.awarded == {"ash": 4, "birch": 2, "cedar": 1}
    assert [step.rule for step in night.outcome.steps].count(StepRule.ROUND_DOWN) == 3


def test_more_viable_groups_than_delegates_and_each_has_its_minimum():
    """Clark 1607 of the caucuses of 22 February 2020: two delegates to elect, three groups of five, one each."""
    night = caucus("""
        Clark 1607   delegates 2   attending 15
        first     biden 5  buttigieg 5  sanders 5
        reading   over_viable each-has-minimum
    """)
    outcome = night.outcome
    assert isinstance(outcome, Awarded)
    assert outcome.delegates == {"biden": 1, "buttigieg": 1, "sanders": 1}
    assert {step.rule for step in outcome.steps} == {StepRule.MINIMUM}
    assert night.locked == {"biden", "buttigieg", "sanders"}


@pytest.mark.parametrize("reading", ["residual", "cyclic", "lot"])
def test_one_viable_group_takes_all_by_every_reading(reading):
    assert short(reading, "a 30", delegates=9, attending=124).awarded == {"a": 9}


def test_the_lot_goes_round_the_whole_room_before_it_is_drawn():
    night = short("lot", "a 30  b 20", delegates=9, attending=120)  # 2.25 and 1.5: 2 + 2, a gains, then 4 missing
    assert night.awarded == {"a": 5, "b": 4}
    assert [step.rule for step in night.outcome.steps].count(StepRule.SHORT_LOT) == 4


def test_equal_groups_left_over_tie_by_every_reading():
    for reading in ("residual", "cyclic", "lot"):
        night = short(reading, "a 30  b 30", delegates=5, attending=100)  # 1.5 each, rounded to 2
        assert night.lots_needed.tie.groups == ("a", "b")
        assert night.lots_needed.tie.take == 1


def arcadia(reading: str, lot: str = ""):
    return caucus(f"""
        Arcadia   delegates 2   attending 19
        final     buttigieg 7  sanders 5  uncommitted 5  biden 2
        reading   over_viable_tie {reading}
        {lot}
    """)


def test_more_viable_groups_than_delegates_all_tied_smallest_realign():
    night = arcadia("all-realign")
    assert night.number == 5
    assert night.must_realign == {"sanders", "uncommitted"}


def test_more_viable_groups_than_delegates_chance_decides_who_realigns():
    night = arcadia("lot")
    tie = night.lots_needed.tie
    assert (tie.kind, tie.groups, tie.take) == (TieKind.REALIGN, ("sanders", "uncommitted"), 1)
    drawn = arcadia("lot", f"lot {tie.id} uncommitted")
    assert drawn.must_realign == {"uncommitted"}


def test_arcadia_is_still_over_viable_after_realigning():
    night = caucus("""
        Arcadia   delegates 2   attending 19
        final   biden 6  buttigieg 7  sanders 6
    """)
    assert night.must_realign == {"biden", "sanders"}  # published: Buttigieg 1, Sanders 1


def test_bear_grove_where_the_smallest_viable_group_dissolved():
    night = caucus("""
        Bear Grove   delegates 3   attending 27
        first   biden 7  buttigieg 5  klobuchar 6  sanders 2  warren 7
        final   biden 7  buttigieg 0  klobuchar 11  sanders 2  warren 7
    """)
    assert night.locked == set()
    assert night.breaches == ()
    assert night.awarded == {"biden": 1, "klobuchar": 1, "warren": 1}
    before = caucus("""
        Bear Grove   delegates 3   attending 27
        first   biden 7  buttigieg 5  klobuchar 6  sanders 2  warren 7
    """)
    assert before.must_realign == {"buttigieg"}


def test_douglas_peterson_has_two_smallest_groups_and_one_too_many():
    text = """
        Douglas-Peterson   delegates 3   attending 19
        final     biden 4  buttigieg 6  sanders 5  warren 4
        reading   over_viable_tie {}
    """
    assert caucus(text.format("all-realign")).must_realign == {"biden", "warren"}
    assert caucus(text.format("lot")).lots_needed.tie.take == 1


def test_two_too_many_and_two_smallest_need_no_lot():
    night = caucus("""
        Crowded   delegates 2   attending 20
        final     a 5  b 5  c 5  d 5
        reading   over_viable_tie lot
    """)
    assert night.lots_needed.tie.take == 2
    uneven = caucus("""
        Crowded   delegates 3   attending 27
        final     a 5  b 5  c 5  d 6  e 6
        reading   over_viable_tie lot
    """)
    assert uneven.lots_needed.tie.take == 2
    even = caucus("""
        Crowded   delegates 3   attending 27
        final     a 5  b 5  c 5  d 5  e 7
        reading   over_viable_tie lot
    """)
    assert even.lots_needed.tie.take == 2
    none = caucus("""
        Crowded   delegates 3   attending 28
        final     a 5  b 5  c 6  d 6  e 6
        reading   over_viable_tie lot
    """)
    assert none.must_realign == {"a", "b"}


def single(reading: str, people: str = "ash 9  birch 8  cedar 3", lot: str = ""):
    return caucus(f"""
        Lone Tree   delegates 1   attending 20
        final     {people}
        reading   one_delegate {reading}
        {lot}
    """)


def test_one_delegate_goes_to_the_largest_group_and_the_want_of_a_majority_is_flagged():
    night = single("plurality")
    assert night.number is None
    assert night.awarded == {"ash": 1}
    assert night.outcome.needs_majority
    assert not single("plurality", "ash 11  birch 9").outcome.needs_majority
    assert single("plurality", "ash 10  birch 9").outcome.needs_majority  # half is not more than half


def test_one_delegate_and_two_largest_groups_need_a_lot():
    night = single("plurality", "ash 9  birch 9  cedar 2")
    tie = night.lots_needed.tie
    assert (tie.kind, tie.groups, tie.take) == (TieKind.GAIN, ("ash", "birch"), 1)
    drawn = single("plurality", "ash 9  birch 9  cedar 2", f"lot {tie.id} birch")
    assert drawn.awarded == {"birch": 1}
    assert drawn.outcome.needs_majority
    assert drawn.outcome.stray == ()


def test_one_delegate_by_majority():
    assert single("majority", "ash 11  birch 9").awarded == {"ash": 1}
    assert single("majority").unawarded == "no-majority"
    assert single("majority", "ash 10  birch 10").unawarded == "no-majority"


def test_one_delegate_by_vote_of_the_caucus_does_not_follow_the_groups():
    assert single("caucus-vote", "ash 20").unawarded == "caucus-votes"


def test_a_lot_nobody_asked_for_is_stray_whatever_the_outcome():
    lot = "lot gain:1:ash+birch@9 ash"
    assert single("plurality", "ash 11  birch 9", lot).outcome.stray == ("gain:1:ash+birch@9",)
    assert single("majority", lot=lot).outcome.stray == ("gain:1:ash+birch@9",)
    assert single("caucus-vote", lot=lot).outcome.stray == ("gain:1:ash+birch@9",)
    assert arcadia("all-realign", lot).outcome.stray == ("gain:1:ash+birch@9",)


def test_a_plan_without_a_share_for_two_delegates_is_a_broken_contract():
    with pytest.raises(AwardError, match="2 delegates"):
        award(AwardRule(viability=()), 2, 10, {"ash": 10})


def test_a_plan_may_give_every_viable_group_more_than_one():
    """With a minimum of two, three viable groups are too many for five delegates."""
    night = caucus("""
        Two each   delegates 6   attending 100
        final   a 60  b 20  c 20
    """)
    rule = AwardRule(viability=night.rule.viability, minimum=2)
    six = award(rule, 6, 100, night.final)
    assert six.delegates == {"a": 2, "b": 2, "c": 2}
    raised = [(step.group, step.moved) for step in six.steps if step.rule is StepRule.MINIMUM]
    assert raised == [("b", 1), ("c", 1)]
    five = award(rule, 5, 100, night.final)
    assert set(five.groups) == {"b", "c"}


def test_far_more_people_than_are_present_end_in_an_award_all_the_same():
    """A slip of the keyboard in attendance: one delegate at a time this would never end."""
    outcome = award(
        caucus("Slip delegates 8 attending 1\nfinal a 1").rule, 8, 1, {"ash": 9_999_999, "birch": 9_999_998, "cedar": 3}
    )
    assert isinstance(outcome, Awarded)
    assert sum(outcome.delegates.values()) == 8
    moved = {group: sum(step.moved for step in outcome.steps if step.group == group) for group in outcome.delegates}
    assert moved == outcome.delegates
    assert len(outcome.steps) < 40
