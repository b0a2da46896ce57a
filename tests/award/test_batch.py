"""Whole states at once: the batch comes to what `award` comes to, unit by unit, or refuses what it cannot hold."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from random import Random

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from award.evening import RULE, SOURCE, caucus
from award.precincts import precinct
from tabulate.iowa import entries, plan
from tallyroom.award import Awarded, AwardError, LotsNeeded, MustRealign, NoViableGroup, award, batch, batch_compiled
from tallyroom.award import batch_kernel as kernel
from tallyroom.award.batch import Awards, OutcomeCode, award_many
from tallyroom.exact import COUNT_LIMIT, DELEGATES_LIMIT
from tallyroom.plan.types import ViabilityStep
from tallyroom.tabulate.filed import read
from tallyroom.tabulate.ruled import ruled

READINGS = {
    "rounding": ("half-up", "down"),
    "over_viable": ("smallest-realigns", "each-has-minimum"),
    "short": ("residual", "cyclic", "lot"),
    "over_viable_tie": ("all-realign", "lot"),
    "one_delegate": ("plurality", "majority", "caucus-vote"),
    "nobody_viable": ("no-award", "chair-decides", "realign-again"),
}
CODES = {
    Awarded: OutcomeCode.AWARDED,
    LotsNeeded: OutcomeCode.LOTS_NEEDED,
    MustRealign: OutcomeCode.MUST_REALIGN,
    NoViableGroup: OutcomeCode.NO_VIABLE_GROUP,
}


def numbers(values) -> np.ndarray:
    return np.array(values, np.int64)


def together(rule, places, order=None) -> Awards:
    """Award places, each (delegates, attending, people by group in order), as one batch."""
    delegates, attending, final = zip(*places, strict=True)
    drawing = None if order is None else numbers(order)
    return award_many(rule, numbers(delegates), numbers(attending), numbers(final), order=drawing)


def names(place) -> tuple[str, ...]:
    return tuple(f"g{number:02}" for number in range(len(place[2])))


def alone(rule, place, lots=None):
    """What `award` says, without what the batch does not keep."""
    delegates, attending, final = place
    outcome = award(rule, delegates, attending, dict(zip(names(place), final, strict=True)), lots)
    return replace(outcome, steps=()) if isinstance(outcome, Awarded | LotsNeeded) else outcome


def drawn_in_order(rule, place, order):
    """`award` until no lot is open, each answered by those of its groups that come first in the order."""
    ranks, lots = dict(zip(names(place), order, strict=True)), {}
    while isinstance(outcome := alone(rule, place, lots), LotsNeeded):
        lots[outcome.tie.id] = sorted(outcome.tie.groups, key=lambda group: (ranks[group], group))[: outcome.tie.take]
    return outcome


def agrees(rule, places) -> list:
    """Hold a batch to `award`, with lots open and with lots drawn; give what the units come to."""
    awards, outcomes = together(rule, places), [alone(rule, place) for place in places]
    assert [awards.unit(row, names(place)) for row, place in enumerate(places)] == outcomes
    assert awards.outcome.tolist() == [CODES[type(outcome)] for outcome in outcomes]
    chance = Random(len(places))
    order = [chance.choices(range(-1, len(place[2])), k=len(place[2])) for place in places]
    settled = together(rule, places, order)
    expected = [drawn_in_order(rule, place, ranks) for place, ranks in zip(places, order, strict=True)]
    assert [settled.unit(row, names(place)) for row, place in enumerate(places)] == expected
    return outcomes


@pytest.fixture(params=["compiled", "as written"])
def either_way(request, monkeypatch):
    """The kernel as machine code, and as plain Python, where a number beyond 64 bits is a warning and so an error."""
    if request.param == "as written":
        monkeypatch.setattr(batch, "_compiled", lambda: kernel.award_units)


@st.composite
def rules(draw):
    steps = draw(st.lists(st.integers(1, 9), max_size=4))
    share = st.one_of(
        st.none(),
        st.sampled_from([Fraction(3, 20), Fraction(1, 6), Fraction(1, 4), Fraction(0), Fraction(1), Fraction(7, 5)]),
        st.fractions(0, 1, max_denominator=1000),
    )
    first = ViabilityStep(1, draw(share), SOURCE)
    # Every other table is the plan's; a step need not be in order.
    table = (first, *(ViabilityStep(least, draw(share), SOURCE) for least in steps))
    readings = {name: draw(st.sampled_from(values)) for name, values in READINGS.items()}
    minimum = draw(st.sampled_from([1, 1, 1, 0, 2, 5]))
    return replace(RULE, viability=draw(st.sampled_from([RULE.viability, table])), minimum=minimum, **readings)


@st.composite
def states(draw):
    """A rule and units it can award: some sound, some with more people in groups than there are."""
    rule, groups = draw(rules()), draw(st.integers(0, 8))
    most = draw(st.sampled_from([3, 20, 200, COUNT_LIMIT - 1]))
    count = st.one_of(st.integers(0, min(most, 12)), st.integers(0, most))
    places = []
    for _ in range(draw(st.integers(1, 6))):
        final = draw(st.lists(count, min_size=groups, max_size=groups))
        attending = draw(st.one_of(st.just(min(sum(final), COUNT_LIMIT - 1)), st.integers(1, most)))
        delegates = draw(st.one_of(st.integers(1, 12), st.integers(1, 60)))
        places.append((delegates, max(attending, 1 if any(final) else 0), final))
    return rule, [place for place in places if not refused(rule, place)] or [(1, 0, [0] * groups)]


def refused(rule, place) -> bool:
    try:
        alone(rule, place)
    except AwardError:
        return True
    return False


@given(states())
@settings(max_examples=400, deadline=None)
def test_any_state_under_any_rule_comes_to_what_its_units_come_to(state):
    agrees(*state)


@given(state=states())
@settings(max_examples=150, deadline=None)
def test_the_kernel_as_written_does_the_same_and_never_leaves_64_bits(state):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "_compiled", lambda: kernel.award_units)
        agrees(*state)


EVENINGS = {
    "too many, and a tie for who loses": ("", "delegates 6 attending 200\nfirst a 100 b 50 c 50"),
    "too few, and the highest decimal gains": ("", "delegates 5 attending 100\nfirst a 45 b 33 c 22"),
    "an only delegate is kept": ("", "delegates 3 attending 90\nfirst a 75 b 15"),
    "left over, nobody rounded down": ("", "delegates 7 attending 100\nfirst a 15 b 16 c 17"),
    "left over, round and round": ("short_award cyclic", "delegates 9 attending 100\nfirst a 15 b 16 c 17"),
    "left over, lots among all": ("short_award lot", "delegates 8 attending 100\nfirst a 15 b 16 c 17"),
    "more viable than delegates": ("", "delegates 2 attending 12\nfirst a 5 b 4 c 3"),
    "more viable than delegates, two smallest": ("over_viable_tie lot", "delegates 2 attending 12\nfirst a 6 b 3 c 3"),
    "more viable than delegates, all keep one": (
        "over_viable each-has-minimum",
        "delegates 2 attending 12\nfirst a 5 b 4 c 3",
    ),
    "rounded down": ("rounding down", "delegates 7 attending 37\nfirst a 20 b 10 c 7"),
    "one delegate, two largest": ("", "delegates 1 attending 9\nfirst a 4 b 4 c 1"),
    "one delegate without a majority": ("", "delegates 1 attending 9\nfirst a 4 b 3 c 2"),
    "one delegate needs a majority": ("one_delegate majority", "delegates 1 attending 9\nfirst a 4 b 3 c 2"),
    "one delegate, the caucus votes": ("one_delegate caucus-vote", "delegates 1 attending 9\nfirst a 8 b 1"),
    "nobody viable": ("", "delegates 4 attending 100\nfirst a 14 b 14 c 14"),
    "nobody stands in a group": ("", "delegates 4 attending 100\nfirst a 0 b 0"),
    "nobody came": ("", "delegates 4 attending 0\nfirst a 0 b 0"),
    "far more people than were there": ("", "delegates 4 attending 1\nfirst a 9999999 b 9999998 c 1"),
}


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("evening", EVENINGS)
def test_the_evening_of(evening):
    reading, text = EVENINGS[evening]
    night = caucus(f"Polk {text}" + (f"\nreading {reading}" if reading else ""))
    place = (night.delegates, night.attending, list(night.final.values()))
    (outcome,) = agrees(night.rule, [place])
    assert type(outcome) is type(night.outcome)


def test_the_evenings_come_to_every_outcome_every_reason_and_every_kind_of_tie():
    seen = set()
    for reading, text in EVENINGS.values():
        outcome = caucus(f"Polk {text}" + (f"\nreading {reading}" if reading else "")).outcome
        detail = {LotsNeeded: lambda it: it.tie.kind, NoViableGroup: lambda it: it.why}.get(type(outcome), type)
        seen.add(str(detail(outcome)))
    assert {"gain", "lose", "realign", "nobody-viable", "nobody-present", "no-majority", "caucus-votes"} <= seen
    assert {str(Awarded), str(MustRealign)} <= seen


@pytest.mark.parametrize("seed", range(5))
def test_random_precincts_of_every_reading(seed):
    chance, seen = Random(seed), set()
    groups = 14
    by_rule = {}
    for place in (precinct(chance) for _ in range(3000)):
        people = [*place.final.values()]
        by_rule.setdefault(place.rule, []).append(
            (place.delegates, place.attending, people + [0] * (groups - len(people)))
        )
    for rule, places in by_rule.items():
        seen |= {type(outcome) for outcome in agrees(rule, places)}
    assert seen == set(CODES)


@pytest.fixture(scope="module")
def record():
    """(delegates, attending, final) of every filing of the recorded night that the rule can be asked about."""
    found = []
    for entry in entries():
        report = read(entry, plan()).report
        place = ruled(plan(), plan().award_under({}), {}, report)
        final = report.alignments.get(plan().final_stage, {})
        if place.delegates and place.attendance.people is not None:
            found.append((place.delegates, place.attendance.people, [final.get(group, 0) for group in plan().groups]))
    return found


@pytest.mark.parametrize("short", READINGS["short"])
@pytest.mark.parametrize("over_viable_tie", READINGS["over_viable_tie"])
def test_the_recorded_night(record, short, over_viable_tie):
    rule = plan().award_under({"short_award": short, "over_viable_tie": over_viable_tie})
    assert len(record) > 1_890
    outcomes = agrees(rule, record)
    assert {type(outcome) for outcome in outcomes} == set(CODES)


def test_the_same_awards_are_written_over():
    places = [(6, 200, [100, 50, 50]), (2, 12, [5, 4, 3]), (1, 9, [4, 4, 1]), (4, 9, [0, 0, 0])]
    awards = together(RULE, places)
    for again in (places[::-1], places):
        columns = map(numbers, zip(*again, strict=True))
        assert award_many(RULE, *columns, into=awards) is awards
        assert [awards.unit(row, names(place)) for row, place in enumerate(again)] == [alone(RULE, p) for p in again]


def test_another_rule_writes_over_the_same_arrays():
    places = [(2, 12, [5, 4, 3])]
    strict = together(RULE, places)
    free = replace(RULE, over_viable="each-has-minimum")
    awards = award_many(free, *map(numbers, zip(*places, strict=True)), into=strict)
    assert awards.rule == free
    assert awards.delegates is strict.delegates
    assert awards.unit(0, names(places[0])) == alone(free, places[0])


def test_columns_tell_what_the_units_tell():
    places = [(6, 200, [100, 50, 50]), (2, 12, [5, 4, 3]), (1, 9, [4, 3, 2]), (7, 100, [15, 16, 17])]
    awards = together(RULE, places)
    assert awards.viability_number.tolist() == [30, 3, -1, 15]
    assert awards.viable.tolist() == [[True] * 3, [True] * 3, [False] * 3, [True] * 3]
    assert awards.take.tolist() == [1, 0, 0, 0]
    assert awards.tied.tolist() == [[False, True, True], [False] * 3, [False] * 3, [False] * 3]
    assert awards.realigning.tolist() == [[False] * 3, [False, False, True], [False] * 3, [False] * 3]
    assert awards.needs_majority.tolist() == [False, False, True, False]
    assert awards.short_without_rounding_down.tolist() == [False, False, False, True]
    assert not awards.drawn.any()


def test_an_open_tie_says_nothing_of_a_majority():
    assert together(RULE, [(1, 9, [4, 4, 1])]).needs_majority.tolist() == [False]
    assert together(RULE, [(1, 9, [4, 4, 1])], [[0, 1, 2]]).needs_majority.tolist() == [True]


@pytest.mark.usefixtures("either_way")
def test_a_share_of_nothing_makes_no_empty_group_viable():
    free = replace(RULE, viability=(ViabilityStep(1, Fraction(0), SOURCE),))
    (outcome,) = agrees(free, [(5, 9, [8, 0, 1])])
    assert outcome.viable == ("g00", "g02")


@pytest.mark.usefixtures("either_way")
def test_without_a_minimum_a_viable_group_can_begin_with_nothing_and_gain():
    free = replace(RULE, minimum=0, rounding="down")
    (outcome,) = agrees(free, [(4, 100, [80, 20, 0])])
    assert outcome.delegates == {"g00": 3, "g01": 1}  # 3.2 and 0.8


def test_the_lot_on_record_decides_where_its_groups_come_first():
    place = (6, 200, [100, 50, 50])
    tie = together(RULE, [place]).unit(0, names(place)).tie
    settled = together(RULE, [place], [[1, 1, 0]])
    assert settled.unit(0, names(place)) == alone(RULE, place, {tie.id: ("g02",)})
    assert settled.drawn.tolist() == [[False, False, True]]


def test_no_units_and_no_groups_are_nothing_to_award():
    nothing = award_many(RULE, numbers([]), numbers([]), numbers([]).reshape(0, 3))
    assert nothing.delegates.shape == (0, 3)
    empty = award_many(RULE, numbers([3]), numbers([5]), numbers([]).reshape(1, 0))
    assert empty.unit(0, ()) == award(RULE, 3, 5, {})


def test_columns_of_another_array_are_read_as_they_lie():
    wide = numbers([[6, 200, 100, 50, 50], [2, 12, 5, 4, 3]])
    awards = award_many(RULE, wide[:, 0], wide[:, 1], wide[:, 2:])
    assert awards.delegates.tolist() == together(RULE, [(6, 200, [100, 50, 50]), (2, 12, [5, 4, 3])]).delegates.tolist()


FINE = {"delegates": numbers([6, 2]), "attending": numbers([200, 12]), "final": numbers([[100, 50, 50], [5, 4, 3]])}
ONE_SHARE = replace(RULE, viability=(ViabilityStep(4, Fraction(3, 20), SOURCE),))
REFUSED = {
    "a delegate too few": ({"delegates": numbers([6, 0])}, "unit 1: a unit elects at least one delegate"),
    "delegates below 0": ({"delegates": numbers([-1, 2])}, "unit 0: a unit elects at least one delegate"),
    "delegates beyond any place": ({"delegates": numbers([6, DELEGATES_LIMIT])}, "fewer than 10,001"),
    "attendance below 0": ({"attending": numbers([200, -1])}, "unit 1: attendance is 0 or more"),
    "attendance beyond any place": (
        {"attending": numbers([COUNT_LIMIT, 12])},
        "unit 0: attendance .* below 10,000,000",
    ),
    "people below 0": ({"final": numbers([[100, 50, 50], [5, -4, 3]])}, "unit 1: counts of people are 0 or more"),
    "people beyond any place": ({"final": numbers([[1, 2, 3], [5, COUNT_LIMIT, 3]])}, "unit 1: counts .* 10,000,000"),
    "the largest number there is": ({"final": numbers([[1, 2, 2**63 - 1], [5, 4, 3]])}, "unit 0: counts of people"),
    "the smallest number there is": ({"final": numbers([[1, 2, -(2**63)], [5, 4, 3]])}, "unit 0: counts of people"),
    "people although nobody attends": ({"attending": numbers([200, 0])}, "unit 1: people stand in groups"),
    "no share for two delegates": ({"rule": ONE_SHARE}, "unit 1: the plan gives no viability share"),
    "one unit too many": ({"delegates": numbers([6, 2, 1])}, r"delegates has the shape \(3,\), not \(2,\)"),
    "an order of other groups": ({"order": numbers([[1, 2], [1, 2]])}, r"order has the shape \(2, 2\), not \(2, 3\)"),
    "a flat final": ({"final": numbers([1, 2])}, "final has to be an array of int64 with 2 dimensions"),
    "a scalar": ({"attending": np.int64(3)}, "attending has to be an array of int64 with 1 dimension"),
    "a list": ({"attending": [200, 12]}, "attending has to be an array of int64 with 1 dimension"),
    "floats": ({"final": FINE["final"].astype(float)}, "final has to be an array of int64"),
    "small integers": ({"delegates": FINE["delegates"].astype(np.int32)}, "delegates has to be an array of int64"),
    "unsigned": ({"order": FINE["final"].astype(np.uint64)}, "order has to be an array of int64"),
    "groups beyond any sheet": ({"final": np.zeros((2, 70_000), np.int64)}, "at most 65,535 groups, not 70,000"),
    "a minimum below 0": ({"rule": replace(RULE, minimum=-1)}, "at least 0 delegates"),
    "a minimum beyond any place": ({"rule": replace(RULE, minimum=DELEGATES_LIMIT)}, "fewer than 10,001"),
    "a share below 0": (
        {"rule": replace(RULE, viability=(ViabilityStep(1, Fraction(-1, 2), SOURCE),))},
        "share of -1/2 is no share to compute with",
    ),
    "a share of too many figures": (
        {"rule": replace(RULE, viability=(ViabilityStep(1, Fraction(1, 2**39 + 1), SOURCE),))},
        "is no share to compute with",
    ),
}


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("kind", REFUSED)
def test_refused_with_the_unit_and_the_reason(kind):
    wrong, told = REFUSED[kind]
    asked = {"rule": RULE, **FINE, **wrong}
    order = {"order": asked.pop("order")} if "order" in asked else {}
    with pytest.raises(ValueError, match=told) as found:
        award_many(asked["rule"], asked["delegates"], asked["attending"], asked["final"], **order)
    assert isinstance(found.value, AwardError)


def test_awards_of_another_size_are_not_written_over():
    with pytest.raises(AwardError, match=r"into has the shape \(1, 3\), not \(2, 3\)"):
        award_many(RULE, *FINE.values(), into=together(RULE, [(6, 200, [100, 50, 50])]))


@pytest.mark.usefixtures("either_way")
def test_the_largest_numbers_of_all_are_awarded_exactly():
    most, share = COUNT_LIMIT - 1, Fraction(2**39 - 1, 2**39)
    rule = replace(RULE, viability=(ViabilityStep(1, share, SOURCE),), rounding="half-up")
    for minimum in (0, 1, 4):
        agrees(
            replace(rule, minimum=minimum),
            [
                (DELEGATES_LIMIT - 1, most, [most, most, most]),
                (DELEGATES_LIMIT - 1, 1, [most, most - 1, 1]),
                (1, most, [most, 0, most]),
            ],
        )


def test_machine_code_is_made_even_where_it_cannot_be_kept(monkeypatch):
    def njit(*, cache=False, **_):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    assert batch_compiled.compiled(kernel.award_units, ()) is kernel.award_units


def test_the_compiler_is_loaded_only_when_a_state_is_awarded():
    asked = "import sys, tallyroom.award, tallyroom.award.batch; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
    asked = "import sys, tallyroom.award; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
