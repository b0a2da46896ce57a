"""The Iowa caucuses of 2016: county delegates by precinct and nothing else, and the weights they follow."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from tallyroom.exact import printed
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.plan.catalogue import find
from tallyroom.tabulate.findings import findings
from tallyroom.tabulate.national import national
from tallyroom.tabulate.night import Basis
from tallyroom.tabulate.published import Verdict, replay

CONTEST = "iowa-2016"
HEADING = "caucus-expansion"
SHORT = {"fremont": 2, "hancock": 1, "kossuth": 1, "wapello": 1}
FEED = {"clinton": "700.5896", "sanders": "696.8157", "omalley": "7.6112", "uncommitted": "0.4618", "other": "0.0000"}
POOLS = {"cd1": (4, 4), "cd2": (4, 4), "cd3": (4, 3), "cd4": (3, 3), "at-large": (5, 4), "pleo": (3, 3)}


@pytest.fixture(scope="module")
def plan():
    return find(CONTEST)


@pytest.fixture(scope="module")
def played(plan):
    with MemoryLedger(CONTEST) as ledger:
        ledger.append(read_night(folder_of(CONTEST), plan).drafts)
        return tuple(replay(ledger.entries(), plan))


@pytest.fixture(scope="module")
def night(played):
    return played[-1].tabulation


@pytest.fixture(scope="module")
def sde(night):
    return night.of_area("iowa", Basis.AS_WRITTEN).on("sde")


@pytest.fixture(scope="module")
def elected(plan, night):
    """County delegates elected, by area."""
    found = Counter()
    for unit, filings in night.filed.filings.items():
        found[plan.units[unit].area] += sum(filings[-1].report.delegates.values())
    return found


def test_state_delegates_are_those_of_the_feed(plan, sde):
    assert {group: printed(sde.of(group).exact, 4) for group in plan.groups} == FEED


def test_places_are_not_rounded_before_they_are_added(plan, sde):
    scale = 10**sde.yardstick.decimals
    assert scale == 10**12
    for group in plan.groups:
        assert abs(Fraction(sde.of(group).printed, scale) - sde.of(group).exact) < Fraction(1, 10**8)


def test_figures_of_the_feed_agree_and_the_later_ones_say_why_they_cannot(played):
    feed, reviewed = played
    assert {row.verdict for row in feed.compared} == {Verdict.AGREES}
    assert Counter(row.figure.measure for row in feed.compared) == {
        "sde": 4,
        "national_delegates": 2,
        "national_delegates_total": 1,
    }
    assert {(row.figure.value, row.verdict) for row in reviewed.compared} == {
        ("700.47", Verdict.NOT_IN_RECORD),
        ("696.92", Verdict.NOT_IN_RECORD),
    }
    assert all("not on record" in row.figure.note for row in reviewed.compared)


def test_the_one_correction_that_moved_a_third_group_gives_its_later_figure(plan, night, sde):
    """At Ashton 3 and 4 became 4 and 3; the later figure of the third group was 7.63."""
    (ashton,) = [unit for unit in plan.units.values() if unit.area == "osceola" and unit.name.startswith("Ashton")]
    report = night.filed.filings[ashton.id][-1].report
    assert (report.delegates["omalley"], report.delegates["sanders"]) == (3, 4)
    assert printed(sde.of("omalley").exact + plan.worth["osceola"], 2) == "7.63"


def test_23_to_21_pool_by_pool(night):
    shared = national(night, Basis.AS_WRITTEN)
    assert shared.groups == {"clinton": 23, "sanders": 21}
    found = {standing.pool.id: standing.allocation.groups for standing in shared.pools}
    assert {pool: (groups["clinton"], groups["sanders"]) for pool, groups in found.items()} == POOLS


def test_99_counties_and_the_heading_weigh_whole_state_delegates(plan):
    weights = {area.id: area.weight for area in plan.areas.values() if area.weight is not None}
    assert len(weights) == 100
    assert all(weight.denominator == 1 for weight in weights.values())
    assert sum(weights.values()) == 1_406
    assert weights[HEADING] == 5


def test_1681_precincts_elect_11065_county_delegates_and_the_heading_five_more(plan):
    by_kind = Counter(unit.kind for unit in plan.units.values())
    assert by_kind == {"precinct": 1_681, "satellite": 2}
    elects = Counter()
    for unit in plan.units.values():
        elects[unit.kind] += unit.delegates
    assert elects == {"precinct": 11_065, "satellite": 5}
    assert {unit.area for unit in plan.units.values() if unit.kind == "satellite"} == {HEADING}


def test_four_counties_elected_fewer_than_planned(plan, elected):
    short = {area: plan.area_delegates[area] - count for area, count in elected.items()}
    assert {area: count for area, count in short.items() if count} == SHORT


def test_their_weight_is_shared_by_the_planned_delegates(plan, night, elected):
    """Otherwise the delegates that nobody elected would be worth something to those that were."""
    for county, missing in SHORT.items():
        area = plan.areas[county]
        standing = night.of_area(county, Basis.AS_WRITTEN).on("sde")
        total = sum(standing.of(group).exact for group in plan.groups)
        assert total == area.weight * Fraction(elected[county], elected[county] + missing)
        assert total < area.weight


def test_the_check_finds_the_four_and_nothing_else(night):
    assert {(finding.kind, finding.area) for finding in findings(night)} == {
        ("county-total-differs", county) for county in SHORT
    }


def test_one_place_of_each_elected_nobody(plan, night):
    empty = [unit for unit, filings in night.filed.filings.items() if not any(filings[-1].report.delegates.values())]
    assert {plan.units[unit].area: plan.units[unit].delegates for unit in empty} == SHORT


def test_nobody_counted_people_for_the_public(plan, night):
    assert [yardstick.id for yardstick in plan.yardsticks] == ["sde"]
    assert all(
        not report.alignments and report.attendance is None
        for report in (filings[-1].report for filings in night.filed.filings.values())
    )
    by_rule = night.of_area("iowa", Basis.BY_RULE)
    assert {str(reason): count for reason, count in by_rule.undetermined.items()} == {"no-votes": 1_683}
    assert {group: printed(by_rule.on("sde").of(group).exact, 4) for group in plan.groups} == FEED


def test_members_of_viable_groups_may_move(plan):
    assert [stage.may_move for stage in plan.stages] == ["all", "all"]
