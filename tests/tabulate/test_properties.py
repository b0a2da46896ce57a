"""What holds on every evening, also of places that misadd, leave blanks and correct themselves."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabulate import iowa
from tabulate.nights import few, many, nights, reports
from tabulate.oracle import tally
from tabulate.room import GROUPS, PLACES, PLAN, at, entries, evening
from tallyroom.tabulate import Basis, Tabulation, tabulated
from tallyroom.tabulate.filed import fold


def standing(tabulation, place, basis):
    return tabulation.of_unit(place, basis) if place in tabulation.plan.units else tabulation.of_area(place, basis)


def everything(tabulation, places=PLACES):
    """All there is to say of a contest, with exact values, in a form that compares by value."""
    said = {}
    for place in places:
        for basis in Basis:
            found = standing(tabulation, place, basis)
            exact = {(y.yardstick.id, g.group): g.exact for y in found.yardsticks for g in y.groups}
            said[place, basis] = (found, exact)
    return said


def unbounded(said):
    """Leave out the bounds of what is not on record: whoever looks back knows what came later."""

    def of(row):
        return replace(row, groups=tuple(replace(group, lowest=0, highest=0) for group in row.groups))

    return {
        where: (replace(found, yardsticks=tuple(map(of, found.yardsticks))), exact)
        for where, (found, exact) in said.items()
    }


def assert_as_the_oracle_says(tabulation, reports, places, by="attendance"):
    for basis in Basis:
        counts = tally(tabulation.plan, reports, basis, places, by)
        for place in places:
            for row in standing(tabulation, place, basis).yardsticks:
                count = counts[place, row.yardstick.id]
                where = (place, row.yardstick.id, basis)
                assert row.units_without_value == count.without, where
                for group in row.groups:
                    scale = 10**row.yardstick.decimals
                    assert Fraction(group.printed, scale) == count.printed.get(group.group, 0), (*where, group.group)
                    assert group.exact == count.exact.get(group.group, 0), (*where, group.group)


def assert_growing_is_the_same(night):
    rows = entries(*night)
    growing = Tabulation(PLAN)
    for number, entry in enumerate(rows, start=1):
        growing.add(entry)
        assert everything(growing) == everything(tabulated(rows[:number], PLAN))


@few
@given(nights)
def test_one_more_report_at_a_time_gives_the_same_as_all_at_once(night):
    assert_growing_is_the_same(night)


@pytest.mark.night
@many
@given(nights)
def test_one_more_report_gives_the_same_all_night_long(night):
    assert_growing_is_the_same(night)


@few
@given(nights, st.randoms(use_true_random=False))
def test_standings_may_be_read_at_any_time_or_never(night, chance):
    rows = entries(*night)
    read_often = Tabulation(PLAN)
    for entry in rows:
        read_often.add(entry)
        if chance.random() < 0.5:
            read_often.of_area(chance.choice(tuple(PLAN.areas)), chance.choice(tuple(Basis)))
    assert everything(read_often) == everything(tabulated(rows, PLAN))


@few
@given(nights, st.randoms(use_true_random=False))
def test_the_order_of_places_does_not_matter(night, chance):
    last = {row.unit: row for row in night}
    shuffled = list(last.values())
    chance.shuffle(shuffled)
    assert everything(tabulated(entries(*last.values()), PLAN)) == everything(tabulated(entries(*shuffled), PLAN))


@few
@given(nights)
def test_the_slow_oracle_agrees(night):
    assert_oracle(night)


@pytest.mark.night
@many
@given(nights)
def test_the_slow_oracle_agrees_all_night_long(night):
    assert_oracle(night)


def assert_oracle(night):
    last = {row.unit: row for row in night}
    assert_as_the_oracle_says(tabulated(entries(*night), PLAN), list(last.values()), PLACES)


@few
@given(nights)
def test_the_slow_oracle_agrees_when_sites_weigh_by_delegates(night):
    last = {row.unit: row for row in night}
    tabulation = tabulated(entries(*night), PLAN, readings={"satellite_weight": "delegates"})
    assert_as_the_oracle_says(tabulation, list(last.values()), PLACES, by="delegates")


@pytest.mark.parametrize("release", ["100pct", "review"])
def test_the_slow_oracle_agrees_on_the_real_night(release):
    reports = [filing.report for filing in iowa.release(release).filed.in_force()]
    places = ["iowa", "cd1", "cd4", "polk", "scott", "osceola", "cd1-satellite", "out-of-state-satellite"]
    assert_as_the_oracle_says(iowa.release(release), reports, places)


@few
@given(nights)
def test_units_add_up_to_counties_districts_and_the_state(night):
    tabulation = tabulated(entries(*night), PLAN)
    for basis in Basis:
        for area in PLAN.areas:
            parts = [child.id for child in PLAN.areas.values() if child.parent == area]
            parts += [unit.id for unit in PLAN.units.values() if unit.area == area]
            whole, shares = standing(tabulation, area, basis), [standing(tabulation, part, basis) for part in parts]
            assert whole.progress.reported == sum(share.progress.reported for share in shares)
            assert whole.progress.expected == sum(share.progress.expected for share in shares)
            assert whole.progress.changed == sum(share.progress.changed for share in shares)
            for row in whole.yardsticks:
                of_parts = [share.on(row.yardstick.id) for share in shares]
                assert row.units_without_value == sum(part.units_without_value for part in of_parts)
                assert row.total == sum(group.printed for group in row.groups)
                for group in GROUPS:
                    assert row.of(group).printed == sum(part.of(group).printed for part in of_parts)
                    assert row.of(group).exact == sum(part.of(group).exact for part in of_parts)


@pytest.mark.parametrize("release", ["62pct", "100pct", "certified"])
def test_the_real_counties_add_up_to_the_state(release):
    tabulation, plan = iowa.release(release), iowa.plan()
    for basis in Basis:
        top = tabulation.top(basis)
        counties = [tabulation.of_area(area.id, basis) for area in plan.areas.values() if area.level == "county"]
        for row in top.yardsticks:
            for group in plan.groups:
                assert row.of(group).exact == sum(part.on(row.yardstick.id).of(group).exact for part in counties)
                assert row.of(group).printed == sum(part.on(row.yardstick.id).of(group).printed for part in counties)


@few
@given(nights, st.data())
def test_a_report_replaced_and_replaced_back_leaves_nothing_behind(night, data):
    if not night:
        return
    unit = data.draw(st.sampled_from([row.unit for row in night]))
    before = next(row for row in reversed(night) if row.unit == unit)
    other = data.draw(reports(unit))
    there_and_back = tabulated(entries(*night, other, before), PLAN)
    never = tabulated(entries(*night), PLAN)
    for place in PLACES:
        for basis in Basis:
            one, two = standing(there_and_back, place, basis), standing(never, place, basis)
            assert one.yardsticks == two.yardsticks
            assert [[g.exact for g in y.groups] for y in one.yardsticks] == [
                [g.exact for g in y.groups] for y in two.yardsticks
            ]
            assert one.undetermined == two.undetermined


@few
@given(nights, st.integers(-1, 30))
def test_a_past_moment_is_the_fold_of_what_was_recorded_by_then(night, minute):
    rows = entries(*night)
    known = [entry for entry in rows if entry.at <= at(minute)]
    looked_back = everything(tabulated(rows, PLAN, at=at(minute)))
    assert unbounded(looked_back) == unbounded(everything(tabulated(known, PLAN)))
    assert list(fold(rows, PLAN, at=at(minute)).in_force()) == list(fold(known, PLAN).in_force())


@few
@given(nights, st.data())
def test_a_satellites_report_changes_its_pool_and_nothing_else(night, data):
    unit = data.draw(st.sampled_from([unit.id for unit in PLAN.units.values() if unit.kind == "satellite"]))
    pool = PLAN.units[unit].area
    rows = entries(*night, data.draw(reports(unit)))
    before, after = tabulated(rows[:-1], PLAN), tabulated(rows, PLAN)
    untouched = [place for place in PLAN.units if PLAN.units[place].area != pool]
    untouched += [area for area in PLAN.areas if area not in PLAN.lineage(pool)]
    assert everything(before, untouched) == everything(after, untouched)


def test_one_satellite_more_rescales_the_others_of_its_pool():
    rows = evening("""
        north-a attending 30 / first ash 30 / final ash 30 / delegates ash 5
        north-b attending 10 / first birch 10 / final birch 10 / delegates birch 4
    """)
    alone, both = tabulated(rows[:1], PLAN), tabulated(rows, PLAN)
    assert alone.of_unit("north-a", Basis.BY_RULE).on("sde").of("ash").exact == 2
    assert both.of_unit("north-a", Basis.BY_RULE).on("sde").of("ash").exact == Fraction(3, 2)
    assert both.of_unit("north-b", Basis.BY_RULE).on("sde").of("birch").exact == Fraction(1, 2)
    assert both.top().on("sde").total == 2_0000
