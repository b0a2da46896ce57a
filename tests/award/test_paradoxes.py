"""Questions settled by search, not assumed: who can lose by gaining?"""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from award.evening import RULE, caucus
from tallyroom.award import Awarded, outcomes

LARGEST_ROOM, MOST_DELEGATES = 12, 7


@cache
def least_and_most(reading: str, delegates: int, attending: int, counts: tuple[int, ...]) -> tuple[int, int] | None:
    """Give the fewest and most delegates the first group can get, over all lots; None if nothing is awarded."""
    people = dict(zip("abc", counts, strict=True))
    ways = list(outcomes(RULE.with_readings({"short_award": reading}), delegates, attending, people))
    if not all(isinstance(way, Awarded) for way in ways):
        return None
    shares = [way.delegates.get("a", 0) for way in ways]
    return min(shares), max(shares)


def rooms():
    """Every room of three groups, or two, with people who stand in none; the other two groups in falling order."""
    for attending in range(2, LARGEST_ROOM + 1):
        for a, b, c in product(range(1, attending + 1), range(attending + 1), range(attending + 1)):
            if b >= c and a + b + c <= attending:
                yield attending, a, b, c


def one_more(attending, a, b, c):
    """Give every room in which one person more stands with the first group."""
    yield "through the door", attending + 1, (a + 1, b, c)
    if a + b + c < attending:
        yield "from those who stood in no group", attending, (a + 1, b, c)
    if b:
        yield "from another group", attending, (a + 1, *sorted((b - 1, c), reverse=True))
    if c:
        yield "from another group", attending, (a + 1, b, c - 1)


@pytest.mark.parametrize("reading", ["residual", "cyclic", "lot"])
def test_a_group_that_gains_a_person_loses_no_delegate(reading):
    """None found, by any reading: neither the fewest nor the most delegates it can get (over all lots) ever fall.

    That is a statement about the searched range, not a proof. This test tries every room of up to 12 people, three
    groups and 2 to 7 delegates, with the person coming through the door, from those in no group, or from another
    group. The same search, run once up to 20 people and 8 delegates (and up to 14 people, four groups and 7 delegates)
    found none either; nor, when only a fall that no lot could prevent counts as one, up to 30 people and 12 delegates
    (and 18 people, four groups, 9 delegates). Nor does a group that had a delegate have to realign by gaining a person.
    """
    met = 0
    for delegates in range(2, MOST_DELEGATES + 1):
        for attending, *counts in rooms():
            before = least_and_most(reading, delegates, attending, tuple(counts))
            if before is None:
                continue
            for origin, then, moved in one_more(attending, *counts):
                after = least_and_most(reading, delegates, then, moved)
                if after is None:
                    assert before[1] == 0, (origin, delegates, attending, counts)
                    continue
                met += 1
                assert after >= before, (origin, delegates, attending, counts)
                assert after[1] >= before[1], (origin, delegates, attending, counts)
    assert met > 9_000


def test_a_place_that_elects_one_delegate_more_can_cost_a_group_one():
    """The Alabama paradox of largest remainders (named after the House of 1880) is in the rule, not in our code."""
    rooms = [
        caucus(f"""
            Thirteen   delegates {delegates}   attending 13
            final   ash 5  birch 5  cedar 3
        """).awarded
        for delegates in (6, 7)
    ]
    assert rooms == [{"ash": 2, "birch": 2, "cedar": 2}, {"ash": 3, "birch": 3, "cedar": 1}]
