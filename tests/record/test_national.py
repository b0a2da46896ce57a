"""National delegates of real contests: from the votes on record to what was awarded, and pool by pool where known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from tallyroom.award import allocate
from tallyroom.exact import rounded_half_up
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.plan.amend import Amendment, GroupWithdrawn, amend
from tallyroom.plan.catalogue import contests, find
from tallyroom.tabulate import tabulated
from tallyroom.tabulate.national import national
from tallyroom.tabulate.night import Basis
from tallyroom.tabulate.published import Verdict, replay

AWARDED = {
    "dem-2016-nv": "clinton 20, sanders 15",
    "dem-2016-ma": "clinton 46, sanders 45",
    "dem-2016-wv": "sanders 18, clinton 11",
    "dem-2016-ks": "sanders 23, clinton 10",
    "dem-2016-vt": "sanders 16",
    "dem-2016-ak": "sanders 13, clinton 3",
    "dem-2016-nd": "sanders 13, clinton 5",
    "dem-2016-sd": "clinton 10, sanders 10",
    "dem-2016-wy": "sanders 7, clinton 7",
    "dem-2016-as": "clinton 4, sanders 2",
    "dem-2016-mp": "clinton 4, sanders 2",
    "iowa-2020": "buttigieg 14, sanders 12, warren 8, biden 6, klobuchar 1",
    "new-hampshire-2020": "sanders 9, buttigieg 9, klobuchar 6",
    "dem-2020-me": "biden 11, sanders 9, warren 4",
    "dem-2020-vt": "sanders 11, biden 5",
    "dem-2020-nd": "sanders 8, biden 6",
    "dem-2020-ak": "biden 8, sanders 7",
    "dem-2020-as": "bloomberg 4, gabbard 2",
    "dem-2020-mp": "sanders 4, biden 2",
    "dem-2020-da": "sanders 9, biden 4",
    "dem-2024-as": "palmer 3, biden 3",
    "dem-2024-mi": "biden 115, uncommitted 2",
    "dem-2024-al": "biden 52",
    "dem-2024-co": "biden 72",
    "dem-2024-ct": "biden 60",
    "dem-2024-ia": "biden 40",
    "dem-2024-ma": "biden 92",
    "dem-2024-md": "biden 95",
    "dem-2024-nm": "biden 34",
    "dem-2024-tn": "biden 63",
    "dem-2024-wv": "biden 20",
}
CARRIED = [contest for contest in AWARDED if contest != "iowa-2020"]
"""The contests whose plans are made by tools/carry_national.py."""

POOL_BY_POOL = {
    ("dem-2016-nv", "district"): "clinton 13, sanders 10",
    ("dem-2016-nv", "pleo"): "clinton 3, sanders 2",
    ("dem-2016-nv", "at-large"): "clinton 4, sanders 3",
    ("new-hampshire-2020", "district"): "sanders 6, buttigieg 6, klobuchar 4",
    ("dem-2020-nd", "district"): "sanders 5, biden 4",
    ("dem-2020-nd", "at-large"): "sanders 2, biden 1",
    ("dem-2020-nd", "pleo"): "sanders 1, biden 1",
}

NOT_COVERED = {
    ("MN", 2024): "the shares of the third and later candidates by district are estimates",
    ("NC", 2024): "the shares of the third and later candidates by district are estimates",
    ("HI", 2024): "how the eight statewide delegates split is not sourced",
    ("WY", 2020): "votes are known as percentages only, and the sizes of the pools are those of 2016",
    ("KY", 2024): "the rule gives 45 to 8, awarded were 43 to 10: the votes by district are probably sums of counties",
    ("NE", 2024): "the rule gives one delegate to a second candidate, awarded was none",
    ("RI", 2024): "the awards in the source do not add up to the delegates",
    ("WI", 2024): "the awards in the source do not add up to the delegates",
    ("AZ", 2024): "the votes by district in the source repeat values",
    ("NV", 2024): "the votes by district in the source repeat values",
    ("PA", 2024): "the votes by district in the source repeat values",
    ("WA", 2024): "the votes by district in the source repeat values",
    ("CA", 2020): "votes by district were not found",
    ("CO", 2020): "votes by district were not found",
    ("HI", 2020): "votes by district were not found",
    ("KS", 2020): "votes by district were not found",
    ("MA", 2020): "votes by district were not found",
    ("MN", 2020): "votes by district were not found",
    ("NC", 2020): "votes by district were not found",
}


@cache
def drafts(contest):
    return read_night(folder_of(contest), find(contest)).drafts


@cache
def entries(contest):
    with MemoryLedger(contest) as ledger:
        ledger.append(drafts(contest))
        return tuple(ledger.entries())


def shared(contest, *, plan=None, within=None):
    """National delegates at the end of the record, under the contest's plan or another."""
    tabulation = tabulated(entries(contest), plan or find(contest))
    return national(tabulation, Basis.AS_WRITTEN, within=within)


def said(groups):
    return ", ".join(f"{group} {count}" for group, count in groups.items() if count)


def of_kind(result, kind):
    sums = {}
    for standing in result.pools:
        for group, count in standing.allocation.groups.items() if standing.pool.kind == kind else ():
            sums[group] = sums.get(group, 0) + count
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


def without(contest, *groups):
    plan = find(contest)
    for group in groups:
        plan = amend(plan, Amendment(GroupWithdrawn(group), "announcement"))
    return plan


@pytest.mark.parametrize("contest", AWARDED)
def test_votes_on_record_give_the_delegates_that_were_awarded(contest):
    result = shared(contest)
    assert said(result.groups) == AWARDED[contest]
    assert sum(result.groups.values()) == result.total
    assert [standing.pool.id for standing in result.pools if standing.allocation.tie is not None] == []


@pytest.mark.parametrize(("contest", "kind"), POOL_BY_POOL)
def test_each_tier_is_shared_as_published(contest, kind):
    assert said(of_kind(shared(contest), kind)) == POOL_BY_POOL[contest, kind]


@pytest.mark.parametrize("contest", CARRIED)
def test_published_figures_agree_or_say_why_not(contest):
    (played,) = replay(entries(contest), find(contest))
    assert [row for row in played.compared if row.verdict is not Verdict.AGREES and not row.figure.note] == []
    assert any(row.figure.measure.startswith("national_delegates") for row in played.compared)


def test_figures_that_differ_are_those_of_other_sources_and_of_later_counts():
    differing = {}
    for contest in CARRIED:
        (played,) = replay(entries(contest), find(contest))
        for row in played.compared:
            if row.verdict is not Verdict.AGREES:
                differing.setdefault(contest, set()).add(row.figure.measure)
    assert differing == {
        "dem-2016-ma": {"votes"},
        "dem-2016-wv": {"votes"},
        "dem-2016-ks": {"national_delegates"},
        "new-hampshire-2020": {"votes"},
        "dem-2020-me": {"national_delegates"},
        "dem-2020-ak": {"national_delegates"},
        "dem-2024-ct": {"votes"},
        "dem-2024-tn": {"votes"},
        "dem-2024-wv": {"votes"},
    }


@pytest.mark.parametrize("contest", CARRIED)
def test_plan_only_counts_votes_and_says_which_it_has(contest):
    plan = find(contest)
    assert not plan.elects
    assert set(plan.readings) == {"national_tie"}
    assert [draft.body["unit"] for draft in drafts(contest)] == list(plan.units)
    assert all(figure.source for figure in plan.published)


# ---- Votes without a district ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("district", ["cd1", "cd2", "cd3", "cd4"])
def test_delegates_without_a_district_change_nothing_whichever_is_theirs(district):
    plan = find("dem-2016-nv")
    (lost,) = [unit for unit in plan.units.values() if unit.area == plan.top.id]
    moved = replace(plan, units={**plan.units, lost.id: replace(lost, area=district)})
    held, before = shared("dem-2016-nv", plan=moved), shared("dem-2016-nv")
    assert [s.allocation.groups for s in held.pools] == [s.allocation.groups for s in before.pools]
    assert held.pools != before.pools


def test_state_convention_shares_the_statewide_delegates_as_the_precincts_did():
    counted = {"clinton": Fraction(1695), "sanders": Fraction(1662)}
    for standing in shared("dem-2016-nv").pools:
        if standing.pool.kind != "district":
            again = allocate(standing.pool.delegates, counted, Fraction(3, 20), fallback="ten-points-below-leader")
            assert again.groups == standing.allocation.groups


def test_statewide_votes_that_districts_do_not_give_count_only_statewide():
    plan = find("dem-2020-me")
    tabulation = tabulated(entries("dem-2020-me"), plan)
    totals = {area: tabulation.of_area(area, Basis.AS_WRITTEN).on("votes") for area in plan.areas}
    assert totals["maine"].of("biden").exact == 68_729
    assert totals["cd1"].of("biden").exact + totals["cd2"].of("biden").exact == 63_922


# ---- Who wins nothing, and where it was close ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contest", "pool", "group", "share"),
    [("dem-2016-wv", "cd3", "farrell", "13.494"), ("dem-2016-vt", "at-large", "clinton", "13.625")],
)
def test_group_below_the_threshold_gets_nothing(contest, pool, group, share):
    (standing,) = [standing for standing in shared(contest).pools if standing.pool.id == pool]
    held = tabulated(entries(contest), find(contest)).of_area(standing.pool.area, Basis.AS_WRITTEN).on("votes")
    assert rounded_half_up(Fraction(held.of(group).exact, held.total) * 100, 3) == Fraction(share) * 1000
    assert group not in standing.allocation.qualified


def test_seven_delegates_to_seven_with_156_votes_to_124():
    assert [said(standing.allocation.groups) for standing in shared("dem-2016-wy").pools] == [
        "sanders 4, clinton 4",
        "sanders 1, clinton 1",
        "sanders 2, clinton 2",
    ]


def test_uncommitted_wins_a_delegate_in_two_districts():
    won = [s.pool.id for s in shared("dem-2024-mi").pools if s.allocation.groups.get("uncommitted")]
    assert won == ["cd6", "cd12"]


def test_write_ins_and_blanks_count_and_win_nothing():
    for contest in CARRIED:
        able = {group.id for group in find(contest).groups.values() if group.kind.value != "other"}
        assert all(set(standing.allocation.qualified) <= able for standing in shared(contest).pools)


@pytest.mark.parametrize("contest", AWARDED)
@pytest.mark.parametrize("decimals", [5, 3])
def test_shares_rounded_as_in_the_party_s_recipe_give_the_same(contest, decimals):
    """Percentages of three decimals, or shares of three: no pool on record tells the two apart from exact shares."""
    for standing in shared(contest).pools:
        if standing.allocation.raw:
            whole = sum(standing.allocation.raw.values())
            rounded = {group: rounded_half_up(raw / whole, decimals) for group, raw in standing.allocation.raw.items()}
            again = allocate(standing.pool.delegates, {g: Fraction(n) for g, n in rounded.items()}, Fraction(0))
            assert (again.groups, again.tie) == (standing.allocation.groups, None)


# ---- Candidates who withdraw -----------------------------------------------------------------------------------------


def test_statewide_delegates_of_one_who_withdraws_are_shared_again_and_districts_stay():
    before, after = shared("dem-2020-me"), shared("dem-2020-me", plan=without("dem-2020-me", "warren"))
    assert said(before.groups) == "biden 11, sanders 9, warren 4"
    assert said(after.groups) == "biden 13, sanders 9, warren 2"
    assert of_kind(after, "district") == of_kind(before, "district")
    assert said({group: after.groups[group] - of_kind(after, "district")[group] for group in after.groups}) == (
        "biden 5, sanders 3"
    )


def test_all_statewide_delegates_go_to_the_only_one_left():
    """The Associated Press counted so, the party as the votes are."""
    assert said(shared("dem-2020-ak", plan=without("dem-2020-ak", "sanders")).groups) == "biden 11, sanders 4"


def test_withdrawn_keep_exactly_their_district_delegates():
    """Buttigieg 9, Warren 5 and Klobuchar 1 as published; of the 18 and 8 left, four were given over by agreement."""
    plan = without("iowa-2020", "buttigieg", "warren", "klobuchar", "sanders")
    after = shared("iowa-2020", plan=plan).groups
    assert after == {"biden": 18, "buttigieg": 9, "sanders": 8, "warren": 5, "klobuchar": 1}
    assert (after["biden"] - 4, after["sanders"] + 4) == (14, 12)


# ---- What is not covered ---------------------------------------------------------------------------------------------


def test_contests_that_need_assumed_figures_are_named_with_the_reason_and_not_carried():
    page = (Path(__file__).parents[2] / "docs" / "contests.md").read_text(encoding="utf-8")
    for (state, year), reason in NOT_COVERED.items():
        assert f"dem-{year}-{state.lower()}" not in contests()
        assert any(state in line and str(year) in line and reason in line for line in page.splitlines()), (state, year)


def test_the_carried_contests_stay_small():
    folders = [folder_of(contest) for contest in CARRIED] + [folder_of(c).parent.parent / "plans" / c for c in CARRIED]
    assert sum(len(file.read_bytes()) for folder in folders for file in folder.iterdir()) < 200_000
