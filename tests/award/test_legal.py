"""Whether an award as written is one that the rule gives, whatever way the lots fall."""

from __future__ import annotations

import random

from award.evening import RULE
from tallyroom.award import Awarded, LotsNeeded, MustRealign, award, could_give, outcomes


def tie():
    return award(RULE, 3, 20, {"ash": 10, "birch": 10})


def test_either_of_two_tied_groups_may_have_lost():
    assert could_give(tie(), {"ash": 2, "birch": 1})
    assert could_give(tie(), {"ash": 1, "birch": 2, "cedar": 0})


def test_what_no_draw_gives_is_not_legal():
    for written in ({"ash": 2, "birch": 2}, {"ash": 3}, {"ash": 1, "birch": 1}, {"ash": 2, "cedar": 1}, {}):
        assert not could_give(tie(), written)


def test_without_a_tie_only_the_award_itself():
    outcome = award(RULE, 6, 100, {"ash": 52, "birch": 48})
    assert could_give(outcome, {"ash": 3, "birch": 3, "cedar": 0})
    assert not could_give(outcome, {"ash": 4, "birch": 2})


def test_where_a_group_must_realign_nothing_is_legal():
    outcome = award(RULE, 2, 20, {"ash": 10, "birch": 5, "cedar": 5})
    assert isinstance(outcome, MustRealign)
    assert not could_give(outcome, {"ash": 1, "birch": 1})


def test_it_is_exactly_what_trying_every_draw_gives():
    """The slow way: every outcome of every way the lots can fall, and slips of one delegate beside each."""
    dice, ties = random.Random(1765), 0
    for _ in range(3000):
        people = {group: dice.randint(0, 9) for group in "abcde"}
        attending, delegates = max(sum(people.values()), 1), dice.randint(2, 9)
        outcome = award(RULE, delegates, attending, people)
        if not isinstance(outcome, Awarded | LotsNeeded):
            continue
        ties += isinstance(outcome, LotsNeeded)
        legal = [o.delegates for o in outcomes(RULE, delegates, attending, people) if isinstance(o, Awarded)]
        for written in legal:
            assert could_give(outcome, written)
            one, other = dice.sample("abcde", 2)
            slip = {**written, one: written.get(one, 0) + 1, other: written.get(other, 0) - 1}
            expected = any({g: n for g, n in o.items() if n} == {g: n for g, n in slip.items() if n} for o in legal)
            assert could_give(outcome, slip) is expected
    assert ties > 100
