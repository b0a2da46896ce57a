"""National delegates from the standings, pool by pool, ties told and lots obeyed."""

from __future__ import annotations

from tabulate.room import PLAN, WHOLE, evening
from tallyroom.tabulate import Basis, tabulated
from tallyroom.tabulate.national import national

THREE = "oak-2 attending 30 / final ash 10 birch 10 cedar 10 / delegates ash 1 birch 1 cedar 1"


def test_every_pool_is_shared_from_its_own_area():
    found = national(tabulated(evening(WHOLE), PLAN), Basis.AS_WRITTEN)
    assert [(row.pool.id, row.pool.area, sum(row.allocation.groups.values())) for row in found.pools] == [
        ("north-3", "north", 3),
        ("south-2", "south", 2),
        ("large", "orchard", 4),
    ]
    assert found.total == 9
    assert sum(found.groups.values()) == 9
    assert list(found.groups.values()) == sorted(found.groups.values(), reverse=True)


def test_within_a_district_only_its_pools():
    tabulation = tabulated(evening(WHOLE), PLAN)
    assert [row.pool.id for row in national(tabulation, Basis.AS_WRITTEN, within="south").pools] == ["south-2"]
    assert [row.pool.id for row in national(tabulation, Basis.AS_WRITTEN, within="oak").pools] == []


def test_an_open_tie_leaves_its_delegates_out():
    south = national(tabulated(evening(THREE), PLAN), Basis.AS_WRITTEN).pools[1].allocation
    assert south.tie.take == 2
    assert sum(south.groups.values()) == 0


def test_a_recorded_lot_settles_it():
    tabulation = tabulated(evening(THREE), PLAN)
    tie = national(tabulation, Basis.AS_WRITTEN).pools[1].allocation.tie
    settled = national(tabulation, Basis.AS_WRITTEN, lots={tie.id: ("cedar", "ash")}).pools[1].allocation
    assert (settled.tie, settled.groups) == (None, {"ash": 1, "birch": 0, "cedar": 1})


def test_other_counts_but_cannot_win():
    line = "oak-1 attending 80 / final other 60 ash 20 / delegates other 6 ash 2"
    south = national(tabulated(evening(line), PLAN), Basis.AS_WRITTEN).pools[1].allocation
    assert south.groups == {"ash": 2}


def test_by_rule_and_as_written_may_share_them_otherwise():
    line = "oak-1 attending 80 / final ash 60 birch 20 / delegates ash 8"
    tabulation = tabulated(evening(line), PLAN)
    assert national(tabulation, Basis.AS_WRITTEN).groups == {"ash": 6}
    found = national(tabulation, Basis.BY_RULE)
    assert found.groups == {"ash": 4, "birch": 1}
    assert [row.pool.id for row in found.pools if row.allocation.tie is not None] == ["south-2"]
