"""A place is asked for by its id, its name, or another name it goes by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tallyroom.cli.opened import unit_named
from tallyroom.faults import CannotRunError
from tallyroom.plan.catalogue import find

PLAN = find("lakeland-2031")


def with_aliases(**aliases):
    """The fictional contest with these aliases of places, `_` for `-`."""
    given = {unit.replace("_", "-"): names for unit, names in aliases.items()}
    units = {unit.id: replace(unit, aliases=given.get(unit.id, unit.aliases)) for unit in PLAN.units.values()}
    return replace(PLAN, units=units)


@pytest.mark.parametrize("name", ["alder-harbor", "Alder Harbor", "A-3", "a-3", "The Harbor", "THE HARBOR", " a-3 "])
def test_place_is_found_by_id_by_name_or_by_alias(name):
    assert unit_named(PLAN, name) == "alder-harbor"


@pytest.mark.parametrize("name", ["A-33", "The Harbour Inn", "A 3", "Harbor"])
def test_alias_is_taken_exactly(name):
    with pytest.raises(CannotRunError, match="is not a unit of lakeland-2031"):
        unit_named(PLAN, name)


def test_alias_of_several_places_is_answered_with_their_ids():
    plan = with_aliases(alder_mill=("5",), dale_bridge=("5", "D-3"))
    with pytest.raises(CannotRunError, match=r"2 places of lakeland-2031 are named '5'.*alder-mill, dale-bridge\."):
        unit_named(plan, "5")


def test_name_of_a_place_goes_before_the_alias_of_another():
    plan = with_aliases(alder_mill=("Dale Bridge", "dale-north"))
    assert unit_named(plan, "dale bridge") == "dale-bridge"
    assert unit_named(plan, "dale-north") == "dale-north"


def test_alias_twice_at_one_place_is_still_that_place():
    assert unit_named(with_aliases(alder_mill=("M", "m")), "M") == "alder-mill"
