"""What decided the last delegate of a pool, in the same words wherever it is told."""

from __future__ import annotations

import pytest

from tabulate.room import GROUPS, PLAN, WHOLE, evening
from tallyroom.publish.pools import counts, last_delegate, on_record
from tallyroom.tabulate import Basis, tabulated
from tallyroom.tabulate.national import national

NAMES = {group: group.capitalize() for group in GROUPS}
THREE = "oak-1 attending 90 / final ash 30 birch 30 cedar 30 / delegates ash 3 birch 3 cedar 3"


def pools(text):
    return national(tabulated(evening(text), PLAN), Basis.AS_WRITTEN).pools


def test_the_last_goes_to_the_larger_remainder_and_the_next_is_named():
    told = [last_delegate(pool, NAMES) for pool in pools(WHOLE)]
    closest = [pool.allocation.closest for pool in pools(WHOLE)]
    for sentence, close in zip(told, closest, strict=True):
        assert sentence.startswith(f"last to {NAMES[close.winner]} (0.") if close else not sentence


def test_a_tie_is_told_with_what_is_at_stake():
    tied = [pool for pool in pools(THREE) if pool.allocation.tie is not None]
    assert tied
    for pool in tied:
        take = pool.allocation.tie.take
        what = "delegate" if take == 1 else f"{take} delegates"
        assert last_delegate(pool, NAMES).endswith(f" tie for the last {what}")


def test_counts_stand_most_first_and_those_without_are_left_out():
    assert counts({"ash": 1, "birch": 3, "cedar": 0, "dogwood": 3}, NAMES | {"dogwood": "Dogwood"}) == (
        "Birch 3, Dogwood 3, Ash 1"
    )
    assert counts({}, NAMES) == ""


@pytest.mark.parametrize(
    ("without", "said"),
    [
        (0, ""),
        (1, "computed from what is on record; 1 unit has no value"),
        (1_047, "computed from what is on record; 1,047 units have no value"),
    ],
)
def test_figures_that_miss_a_value_say_so(without, said):
    assert on_record(without) == said
