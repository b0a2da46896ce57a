"""An award in words: golden explanations, and what holds for every one of them."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from award.evening import RULE, Caucus, caucus
from award.golden import golden
from award.precincts import precinct
from tallyroom.award import Awarded, Breach, BreachKind, LotsNeeded, award, outcomes
from tallyroom.award.words import breach_sentence, decimal, rule_sentences, sentences, share_words, step_sentences
from tallyroom.plan.types import AwardRule

EVENINGS = {
    "highest-decimal-gains": """
        Polk 12   delegates 6   attending 100
        final   ash 52  birch 34  cedar 14
    """,
    "rounds-to-a-full-house": """
        Des Moines-14   delegates 6   attending 161
        final   biden 25  buttigieg 52  sanders 50  warren 31
    """,
    "keeps-the-only-delegate": """
        Ocheyedan   delegates 3   attending 5
        final   buttigieg 3  klobuchar 1  sanders 1
    """,
    "lowest-decimal-loses": """
        Campaign test   delegates 7   attending 200
        final   a 100  b 50  c 50
    """,
    "nobody-rounded-up-can-lose": """
        Four groups   delegates 4   attending 100
        final   ash 55  birch 15  cedar 15  dogwood 15
    """,
    "coin-toss": """
        Osceola-2   delegates 7   attending 11
        final   a 4  b 3  c 4
    """,
    "coin-tossed": """
        Osceola-2   delegates 7   attending 11
        final   a 4  b 3  c 4
        lot     lose:1:a+c@-5/11  c
    """,
    "drawing-of-lots": """
        Campaign test   delegates 18   attending 60
        final   a 15  b 15  c 15  d 15
    """,
    "rounded-down": """
        Churchill 8   delegates 7   attending 100
        final   ash 52  birch 33  cedar 15
        reading rounding down
    """,
    "each-keeps-its-minimum": """
        Clark 1607   delegates 2   attending 15
        final   biden 5  buttigieg 5  sanders 5
        reading over_viable each-has-minimum
    """,
    "tie-to-gain": """
        Even   delegates 7   attending 100
        final   ash 35  birch 35  cedar 30
    """,
    "short-residual": """
        Short   delegates 5   attending 124
        final     ash 71  birch 19
    """,
    "short-cyclic": """
        Short   delegates 5   attending 124
        final     ash 71  birch 19
        reading   short_award cyclic
    """,
    "short-lot": """
        Short   delegates 5   attending 124
        final     ash 71  birch 19
        reading   short_award lot
    """,
    "short-lot-drawn": """
        Short   delegates 5   attending 124
        final     ash 71  birch 19
        reading   short_award lot
        lot       gain:1:ash+birch@0  birch
    """,
    "short-lot-enough-for-all": """
        Empty hall   delegates 9   attending 120
        final     ash 30  birch 20
        reading   short_award lot
    """,
    "must-realign": """
        Arcadia   delegates 2   attending 19
        final   buttigieg 7  sanders 5  uncommitted 5  biden 2
    """,
    "lot-to-realign": """
        Arcadia   delegates 2   attending 19
        final     buttigieg 7  sanders 5  uncommitted 5  biden 2
        reading   over_viable_tie lot
    """,
    "nobody-viable": """
        Linn Jackson   delegates 2   attending 54
        final   biden 10  buttigieg 9  klobuchar 7  sanders 8  steyer 4  warren 12  uncommitted 4
    """,
    "nobody-present": """
        Satellite   delegates 4   attending 0
        final   ash 0  birch 0
    """,
    "nobody-in-a-group": """
        Silent   delegates 4   attending 12
        final   ash 0  birch 0
    """,
    "one-delegate": """
        Lone Tree   delegates 1   attending 20
        final   ash 9  birch 8  cedar 2
    """,
    "one-delegate-tied": """
        Lone Tree   delegates 1   attending 20
        final   ash 9  birch 9  cedar 2
    """,
    "one-delegate-drawn": """
        Lone Tree   delegates 1   attending 20
        final   ash 9  birch 9  cedar 2
        lot     gain:1:ash+birch@9  birch
        lot     gain:1:ash+cedar@2  cedar
    """,
    "one-delegate-majority": """
        Lone Tree   delegates 1   attending 20
        final     ash 11  birch 8
        reading   one_delegate majority
    """,
    "one-delegate-no-majority": """
        Lone Tree   delegates 1   attending 20
        final     ash 9  birch 8
        reading   one_delegate majority
    """,
    "one-delegate-caucus-votes": """
        Lone Tree   delegates 1   attending 20
        final     ash 9  birch 8
        reading   one_delegate caucus-vote
    """,
    "large-hall": """
        Arena   delegates 3   attending 12001
        final   ash 7000  birch 5000
    """,
}


def told(night: Caucus) -> tuple[str, ...]:
    names = {group: group.capitalize() for group in night.final}
    return sentences(night.outcome, names, night.delegates, night.attending, night.final, rule=night.rule)


@pytest.mark.parametrize("name", EVENINGS)
def test_the_evening_in_words(name):
    golden(name, "\n".join(told(caucus(EVENINGS[name]))) + "\n")


def test_every_golden_text_belongs_to_an_evening():
    from award.golden import GOLDEN

    assert {path.stem for path in GOLDEN.glob("*.txt")} == {*EVENINGS, "rule", "rule-other-readings", "minimum-of-two"}


def test_a_minimum_of_two_in_words():
    night = caucus("""
        Two each   delegates 6   attending 100
        final   ash 60  birch 20  cedar 20
    """)
    golden("minimum-of-two", "\n".join(told(replace(night, rule=replace(RULE, minimum=2)))) + "\n")


def test_the_rule_in_words():
    golden("rule", "\n".join(rule_sentences(RULE)) + "\n")
    readings = {"short_award": "cyclic", "over_viable_tie": "lot", "one_delegate": "majority"}
    other = RULE.with_readings({**readings, "nobody_viable": "chair-decides"})
    golden("rule-other-readings", "\n".join(rule_sentences(other)) + "\n")
    assert rule_sentences(AwardRule(viability=()))


@pytest.mark.parametrize(
    ("share", "words"),
    [
        ("1/4", "25 percent"),
        ("1/6", "one sixth"),
        ("3/20", "15 percent"),
        ("1/2", "50 percent"),
        ("1", "100 percent"),
        ("1/8", "12.5 percent"),
        ("2/3", "two thirds"),
        ("3/7", "three sevenths"),
        ("1/16", "6.25 percent"),
        ("5/13", "5/13"),
    ],
)
def test_a_share_is_said_as_people_say_it(share, words):
    assert share_words(Fraction(share)) == words


@pytest.mark.parametrize(
    ("value", "text"),
    [("3", "3"), ("10", "10"), ("3.12", "3.12"), ("2/3", "0.6667"), ("-1/2", "-0.5"), ("-5/11", "-0.4545"), ("0", "0")],
)
def test_a_decimal_is_exact_where_it_can_be(value, text):
    assert decimal(Fraction(value)) == text


def test_a_breach_in_words():
    names = {"ash": "Ash"}
    lost = Breach(BreachKind.LOCKED_GROUP_LOST_PEOPLE, "ash", 52, 50)
    assert breach_sentence(lost, names) == (
        "Ash was viable, so its members were locked, but it went from 52 people to 50."
    )
    added = Breach(BreachKind.PEOPLE_ADDED, "", 86, 92)
    assert breach_sentence(added, names) == (
        "86 people stood in groups at first and 92 in the end: 6 more than were let in."
    )


def test_a_group_without_a_printed_name_is_called_by_its_id():
    night = caucus(EVENINGS["coin-toss"])
    assert "a: 4 x 7 / 11 is about 2.5455, rounded to 3." in sentences(
        night.outcome, {}, night.delegates, night.attending, night.final, rule=night.rule
    )


def test_every_award_can_be_told():
    """Each step has its sentence with the number that moved; numbers that differ never print the same."""
    chance = Random(1_765)
    for _ in range(3_000):
        place = precinct(chance)
        plain = award(place.rule, place.delegates, place.attending, place.final)
        for outcome in [plain, *outcomes(place.rule, place.delegates, place.attending, place.final)][:3]:
            lines = sentences(outcome, {}, place.delegates, place.attending, place.final, rule=place.rule)
            assert all(line[0].isupper() or line[0].isdigit() or line[0] in place.final for line in lines)
            assert all(line.endswith(".") and "  " not in line and "None" not in line for line in lines)
            if not isinstance(outcome, Awarded | LotsNeeded):
                continue
            steps = step_sentences(outcome, {}, place.delegates, place.attending, rule=place.rule)
            assert set(steps) <= set(lines)
            for step, sentence in zip(outcome.steps, steps, strict=True):
                assert re.search(rf"\b{step.group}\b", sentence)
                _prints_apart(step, sentence)


def _prints_apart(step, sentence):
    numbers = step.because.numbers()
    shown = [(numbers[g], text) for g, text in re.findall(r"\b([a-n]) (-?\d+(?:\.\d+)?)", sentence) if g in numbers]
    for (one, text), (other, again) in combinations(shown, 2):
        assert (one == other) == (text == again), sentence
