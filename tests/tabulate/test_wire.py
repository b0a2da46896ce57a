"""The JSON that other programs rely on: exactly its keys (more may come), its types, and fractions that read back."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from tabulate import iowa
from tabulate.room import PLAN, WHOLE, evening
from tallyroom.checks import catalogue
from tallyroom.tabulate import Basis, tabulated
from tallyroom.tabulate.findings import findings
from tallyroom.tabulate.moment import Moment, moment
from tallyroom.tabulate.national import National, national
from tallyroom.tabulate.wire import findings_object, standing_object

ID = re.compile(r"[a-z0-9-]+")
DECIMAL = re.compile(r"\d+(\.\d+)?")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def through_json(value):
    return json.loads(json.dumps(value))


def tabulate(tabulation, basis=Basis.AS_WRITTEN, area=None, unit=None, release=None):
    when = moment(tabulation.plan, None, release)
    if unit:
        found, pools = tabulation.of_unit(unit, basis), National(())
    else:
        area = area or tabulation.plan.top.id
        found, pools = tabulation.of_area(area, basis), national(tabulation, basis, within=area)
    return through_json(standing_object(tabulation, found, pools, basis, when))


def check(tabulation, release=None):
    kinds = [row.kind for row in catalogue()]
    when = moment(tabulation.plan, None, release)
    return through_json(findings_object(tabulation, findings(tabulation), kinds, when))


@pytest.fixture(scope="module", params=["100pct", "review", "certified"])
def release(request):
    return request.param


@pytest.fixture(scope="module")
def iowa_object(release):
    return tabulate(iowa.release(release), release=release)


class TestTabulate:
    def test_keys_and_types(self, iowa_object, release):
        found = iowa_object
        assert found.keys() >= {
            "schema", "contest", "plan", "at", "release", "basis", "readings", "scope", "units", "undetermined",
            "yardsticks", "national",
        }  # fmt: skip
        assert (found["schema"], found["contest"], found["release"]) == (1, "iowa-2020", release)
        assert found["basis"] == "as-written"
        assert TIME.fullmatch(found["at"])
        assert re.fullmatch(r"[0-9a-f]{64}", found["plan"])
        assert {type(value) for value in found["readings"].values()} == {str}
        assert found["scope"] == {"kind": "state", "id": "iowa", "name": "Iowa"}
        assert {key: type(value) for key, value in found["units"].items()} == dict.fromkeys(
            ("expected", "reported", "held", "changed"), int
        )
        assert {type(count) for count in found["undetermined"].values()} == {int}

    def test_yardsticks(self, iowa_object):
        assert [row["id"] for row in iowa_object["yardsticks"]] == ["first_alignment", "final_alignment", "sde"]
        assert [row["official"] for row in iowa_object["yardsticks"]] == [False, False, True]
        assert [row["unit"] for row in iowa_object["yardsticks"]] == ["people", "people", "sde"]
        for row in iowa_object["yardsticks"]:
            assert row.keys() >= {"id", "official", "unit", "units_without_value", "total", "groups"}
            assert type(row["units_without_value"]) is int
            assert DECIMAL.fullmatch(row["total"])
            for group in row["groups"]:
                assert group.keys() >= {"id", "name", "value", "exact", "share"}
                assert ID.fullmatch(group["id"])
                assert DECIMAL.fullmatch(group["value"])
                assert re.fullmatch(r"[01]\.\d+", group["share"])
                assert re.fullmatch(r"\d+/\d+", group["exact"])

    def test_exact_reads_back_and_stays_within_the_rounding_of_every_place(self, iowa_object):
        for row in iowa_object["yardsticks"]:
            for group in row["groups"]:
                apart = abs(Fraction(group["exact"]) - Fraction(group["value"]))
                assert apart <= (Fraction(1765, 20_000) if row["id"] == "sde" else 0)

    def test_values_add_up_to_the_total_and_shares_to_one(self, iowa_object):
        for row in iowa_object["yardsticks"]:
            assert sum(Fraction(group["value"]) for group in row["groups"]) == Fraction(row["total"])
            assert abs(sum(Fraction(group["share"]) for group in row["groups"]) - 1) < Fraction(1, 10_000)

    def test_a_range_stands_only_where_something_is_not_on_record(self, iowa_object, release):
        sde = next(row for row in iowa_object["yardsticks"] if row["id"] == "sde")
        assert sde["units_without_value"] == (47 if release == "review" else 0)
        for group in sde["groups"]:
            assert ("range" in group) == (release == "review")
            if "range" in group:
                low, high = map(Fraction, group["range"])
                assert Fraction(group["value"]) <= low <= high

    def test_national(self, iowa_object):
        found = iowa_object["national"]
        assert found["total"] == 41
        assert {type(count) for count in found["groups"].values()} == {int}
        for pool in found["pools"]:
            assert pool.keys() >= {
                "id", "scope", "delegates", "threshold", "qualified", "raw", "groups", "tied", "closest",
            }  # fmt: skip
            assert ID.fullmatch(pool["id"])
            assert pool["scope"] in iowa.plan().areas
            assert sum(pool["groups"].values()) == pool["delegates"]
            assert sum(map(Fraction, pool["raw"].values())) == pool["delegates"]
            assert Fraction(pool["threshold"]) == Fraction(3, 20)
            assert pool["qualified"] == list(pool["raw"])
            assert pool["tied"] == []
            assert pool["closest"].keys() >= {"winner", "loser", "remainders"}
            won, lost = map(Fraction, pool["closest"]["remainders"])
            assert 1 > won > lost >= 0

    def test_the_last_pleo_seat_is_named_with_its_remainders(self):
        pleo = tabulate(iowa.release("100pct"), release="100pct")["national"]["pools"][-1]
        assert pleo["id"] == "pleo"
        assert (pleo["closest"]["winner"], pleo["closest"]["loser"]) == ("buttigieg", "sanders")
        assert [round(Fraction(value), 4) for value in pleo["closest"]["remainders"]] == [
            Fraction("0.5205"),
            Fraction("0.5164"),
        ]

    def test_a_county_has_no_pools_and_a_district_its_own(self):
        county = tabulate(iowa.release("100pct"), area="polk")["national"]
        assert county == {"total": 0, "groups": {}, "pools": [], "units_without_value": 0}
        district = tabulate(iowa.release("100pct"), area="cd4")
        assert [pool["id"] for pool in district["national"]["pools"]] == ["cd4"]
        assert district["scope"] == {"kind": "district", "id": "cd4", "name": iowa.plan().areas["cd4"].name}

    def test_a_unit(self):
        found = tabulate(iowa.release("100pct"), unit="polk-des-moines-80")
        assert found["scope"] == {"kind": "unit", "id": "polk-des-moines-80", "name": "DES MOINES-80"}
        assert found["units"] == {"expected": 1, "reported": 1, "held": 0, "changed": 0}
        assert (found["release"], found["at"]) == (None, None)

    def test_a_tie_for_the_last_delegate_is_told_and_not_broken(self):
        rows = evening("""
            oak-1 attending 80 / first ash 40 birch 40 / final ash 40 birch 40 / delegates ash 4 birch 4
            elm-1 attending 40 / first ash 40 / final ash 40 / delegates ash 4
        """)
        pools = {pool["id"]: pool for pool in tabulate(tabulated(rows, PLAN))["national"]["pools"]}
        assert pools["south-2"]["groups"] == {"ash": 1, "birch": 1}
        odd = tabulated(evening("oak-1 attending 80 / final ash 40 birch 40 / delegates ash 4 birch 4"), PLAN)
        assert tabulate(odd)["national"]["pools"][2]["tied"] == []
        three = evening("oak-2 attending 30 / final ash 10 birch 10 cedar 10 / delegates ash 1 birch 1 cedar 1")
        tied = tabulate(tabulated(three, PLAN))["national"]["pools"][1]
        assert (tied["tied"], tied["closest"]) == (["ash", "birch", "cedar"], None)
        assert sum(tied["groups"].values()) == 0

    def test_before_the_first_report(self):
        found = tabulate(tabulated([], PLAN))
        assert found["units"]["reported"] == 0
        assert {group["share"] for row in found["yardsticks"] for group in row["groups"]} == {"0.000000"}
        assert {group["exact"] for row in found["yardsticks"] for group in row["groups"]} == {"0/1"}
        assert found["national"]["groups"] == {}

    def test_an_incomplete_pool_is_named(self):
        found = tabulate(tabulated(evening(WHOLE)[:-1], PLAN))
        assert found["provisional"] == ["far-satellite"]

    def test_by_rule(self):
        found = tabulate(iowa.release("100pct"), basis=Basis.BY_RULE)
        assert found["basis"] == "by-rule"
        assert found["undetermined"]["one-delegate"] == 120


@pytest.fixture(scope="module")
def found():
    return check(iowa.release("certified"), release="certified")


class TestCheck:
    def test_keys(self, found):
        assert found.keys() >= {"contest", "at", "readings", "counts", "findings"}
        assert TIME.fullmatch(found["at"])

    def test_every_kind_is_counted(self, found):
        assert found["counts"].keys() == {row.kind for row in catalogue()}
        assert found["counts"]["over-awarded"] == 6
        assert sum(found["counts"].values()) == len(found["findings"])
        assert all(ID.fullmatch(kind) for kind in found["counts"])

    def test_findings(self, found):
        for row in found["findings"]:
            assert row.keys() >= {"code", "kind", "severity", "unit", "numbers", "text", "todo"}
            assert row["severity"] in {"error", "warning", "info"}
            assert isinstance(row["numbers"], dict)
            assert row["text"]
            assert row["todo"]
            if row["unit"] is not None:
                assert row["unit"].keys() == {"id", "county", "name"}
                assert row["unit"]["id"] in iowa.plan().units
                assert row["unit"]["county"] == iowa.plan().units[row["unit"]["id"]].area

    def test_a_finding_about_an_area_has_no_unit(self, found):
        areas = [row["area"]["id"] for row in found["findings"] if row["kind"] == "county-total-differs"]
        assert len(areas) == 11
        assert set(areas) <= iowa.plan().areas.keys()
        assert {row["unit"] for row in found["findings"] if row["kind"] == "county-total-differs"} == {None}


def test_ids_of_the_real_contest_are_stable_slugs():
    plan = iowa.plan()
    for ids in (plan.units, plan.areas, plan.groups, plan.pools):
        assert all(ID.fullmatch(name) for name in ids)


def test_nothing_asked_is_null():
    found = tabulated(evening(WHOLE), PLAN)
    whole = standing_object(found, found.top(), National(()), Basis.AS_WRITTEN, Moment())
    assert (whole["at"], whole["release"]) == (None, None)
