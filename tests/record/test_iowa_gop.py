"""The Iowa Republican caucuses of 2016: votes by county share thirty delegates without a threshold."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tallyroom.award import allocate
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.plan.catalogue import find
from tallyroom.tabulate.national import national
from tallyroom.tabulate.night import Basis
from tallyroom.tabulate.published import Verdict, replay

CONTEST = "iowa-gop-2016"
WON = {
    "cruz": 8,
    "trump": 7,
    "rubio": 7,
    "carson": 3,
    "paul": 1,
    "bush": 1,
    "fiorina": 1,
    "kasich": 1,
    "huckabee": 1,
}


@pytest.fixture(scope="module")
def night():
    plan = find(CONTEST)
    with MemoryLedger(CONTEST) as ledger:
        ledger.append(read_night(folder_of(CONTEST), plan).drafts)
        (played,) = replay(ledger.entries(), plan)
    return played


@pytest.fixture(scope="module")
def pool(night):
    (standing,) = national(night.tabulation, Basis.AS_WRITTEN).pools
    return standing


def test_thirty_delegates_go_8_7_7_3_1_1_1_1_1(pool):
    assert {group: count for group, count in pool.allocation.groups.items() if count} == WON


def test_the_last_delegate_is_61_votes_away_from_the_next(night, pool):
    closest = pool.allocation.closest
    assert (closest.winner, closest.loser) == ("huckabee", "christie")
    votes = night.tabulation.of_area("iowa", Basis.AS_WRITTEN).on("votes")
    assert votes.of("huckabee").exact - votes.of("christie").exact == 61


def test_rounding_to_the_nearest_gives_one_too_many_and_the_correction_takes_the_same_seat(pool):
    """The rule as told: round to the nearest whole, then move the value closest to the rounding line."""
    raw = pool.allocation.raw
    rounded = {group: int(share + Fraction(1, 2)) for group, share in raw.items()}
    assert sum(rounded.values()) == 31
    rounded_up = [group for group, share in raw.items() if rounded[group] > share]
    rounded[min(rounded_up, key=lambda group: raw[group] % 1)] -= 1
    assert {group: count for group, count in rounded.items() if count} == WON


def test_all_13_statewide_figures_and_every_delegate_agree(night):
    assert {row.verdict for row in night.compared} == {Verdict.AGREES}
    assert sum(row.figure.measure == "votes" for row in night.compared) == 13
    assert sum(row.figure.measure == "national_delegates" for row in night.compared) == len(WON)


def test_99_counties_and_the_heading_for_the_military_report():
    plan = find(CONTEST)
    assert len(plan.units) == 100
    assert [unit for unit in plan.units if not unit.endswith("-county")] == ["military"]
    assert not plan.elects


def test_without_the_heading_for_the_military_no_figure_of_the_leaders_agrees(night):
    military = night.tabulation.of_unit("military", Basis.AS_WRITTEN).on("votes")
    assert {group: military.of(group).exact for group in ("cruz", "trump", "rubio")} == {
        "cruz": 3,
        "trump": 8,
        "rubio": 1,
    }


def test_a_threshold_would_have_given_all_to_three(night):
    plan = find(CONTEST)
    votes = night.tabulation.of_area("iowa", Basis.AS_WRITTEN).on("votes")
    standing = {group: votes.of(group).exact for group in plan.groups}
    assert allocate(30, standing, Fraction(3, 20), cannot_win=["other"]).qualified == ("cruz", "trump", "rubio")
