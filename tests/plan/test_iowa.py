"""The plan of a real contest: its 1,765 places, what their delegates are worth, and who says so."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from tallyroom.plan.catalogue import find
from tallyroom.plan.readings import KNOWN
from tallyroom.plan.types import Sharing, Source


@pytest.fixture(scope="module")
def plan():
    return find("iowa-2020")


def test_places(plan):
    assert Counter(unit.kind for unit in plan.units.values()) == {"precinct": 1678, "satellite": 87}
    assert Counter(area.level for area in plan.areas.values()) == {"state": 1, "district": 4, "county": 104}
    assert len(plan.groups) == 14


def test_one_delegate_of_polk_is_worth_392_of_1401(plan):
    assert plan.worth["polk"] == Fraction(392, 1401)


def test_worth_adds_up_to_the_weight_of_every_county(plan):
    counties = [area for area in plan.areas.values() if area.weight is not None and area.sharing is Sharing.DELEGATES]
    assert len(counties) == 99
    for county in counties:
        assert plan.worth[county.id] * plan.area_delegates[county.id] == county.weight


def test_weights_of_the_districts(plan):
    weights = Counter()
    for area in plan.areas.values():
        if area.weight is not None:
            weights.update(dict.fromkeys(plan.lineage(area.id)[1:], area.weight))
    assert weights == {"cd1": 566, "cd2": 554, "cd3": 611, "cd4": 415, "iowa": 2150}


def test_delegates_of_all_precincts(plan):
    assert sum(plan.area_delegates.values()) == 11_402


def test_readings_in_force(plan):
    assert plan.in_force == {
        "short_award": "residual",
        "over_viable_tie": "all-realign",
        "one_delegate": "plurality",
        "nobody_viable": "no-award",
        "satellite_weight": "attendance",
        "out_of_state_pool": "fixed",
        "attendance": "larger",
        "empty_unit": "vacant",
        "national_tie": "lot",
    }
    assert plan.readings.keys() == KNOWN.keys() - {"early_second_choice", "over_viable", "rounding"}


def test_viability_by_delegates(plan):
    assert [(step.delegates_at_least, step.share) for step in plan.award.viability] == [
        (1, None),
        (2, Fraction(1, 4)),
        (3, Fraction(1, 6)),
        (4, Fraction(3, 20)),
    ]


def test_delegates_are_awarded_from_the_final_alignment(plan):
    assert plan.final_stage == "final"


def test_national_pools(plan):
    assert {pool.id: pool.delegates for pool in plan.pools.values()} == {
        "cd1": 7, "cd2": 7, "cd3": 8, "cd4": 5, "at-large": 9, "pleo": 5,
    }  # fmt: skip
    assert plan.national is not None
    assert plan.national.threshold == Fraction(3, 20)


def test_published_figures(plan):
    assert len(plan.published) == 134
    assert {figure.release for figure in plan.published} <= plan.releases.keys()
    assert not plan.releases["recanvass"].reproducible


def sources_in(value):
    """Every source in a plan, however deep."""
    if isinstance(value, Source):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from sources_in(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from sources_in(inner)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from sources_in(getattr(value, name))


def test_every_source_is_a_document_of_the_register(plan):
    named = {source.document for source in sources_in(plan)}
    assert len(named) > 15
    assert named <= plan.sources.keys()


def test_every_document_is_cited(plan):
    cited = {source.document for source in sources_in(plan)}
    notes = " ".join(source.note for source in sources_in(plan))
    assert [document for document in plan.sources if document not in cited and document not in notes] == []


def test_no_rule_of_the_file_is_dropped(plan):
    assert plan.rules["awarding"]["too_few"] == "highest-decimal-gains"
    assert plan.rules["lots"]["compare"] == "decimal"
    assert plan.rules["viability_number"]["equality_viable"] is True
    assert plan.rules["national"]["method"] == "largest-remainder"
    assert plan.rules["contest"]["kind"] == "caucus"
    assert isinstance(plan.rules["tables"]["units"], Source)
