"""The carried figures of 2020 hold together without the tables they came from."""

import csv
import hashlib
import re
import tomllib
from collections import Counter
from fractions import Fraction
from importlib.resources import files

import pytest

from tallyroom.exact import rounded_half_up

PLAN = files("tallyroom") / "plans" / "iowa-2020"
RECORD = files("tallyroom") / "records" / "iowa-2020"
IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TABLES = {
    "areas.csv": (PLAN, 109),
    "groups.csv": (PLAN, 14),
    "units.csv": (PLAN, 1_765),
    "published.csv": (PLAN, 134),
    "night.csv": (RECORD, 1_913),
    "claims.csv": (RECORD, 550),
}
APPEARED = {
    "62pct": 1_099,
    "71pct": 151,
    "75pct": 70,
    "86pct": 200,
    "92pct": 104,
    "96pct": 62,
    "97pct": 25,
    "100pct": 54,
}
CHANGED = {"review": 92, "certified": 56}
DISTRICTS = {"cd1": (20, 560), "cd2": (24, 543), "cd3": (16, 593), "cd4": (39, 411)}


TOTALS = {
    "national_delegates_total",
    "national_delegates_district",
    "national_delegates_at_large",
    "national_delegates_pleo",
    "sde_total",
}


def table(name):
    folder, _ = TABLES[name]
    return list(csv.DictReader((folder / name).read_text(encoding="utf-8").splitlines()))


@pytest.fixture(scope="module")
def areas():
    return {row["id"]: row for row in table("areas.csv")}


@pytest.fixture(scope="module")
def units():
    return {row["id"]: row for row in table("units.csv")}


@pytest.fixture(scope="module")
def groups():
    return [row["id"] for row in table("groups.csv")]


@pytest.fixture(scope="module")
def night():
    return table("night.csv")


@pytest.fixture(scope="module")
def claims():
    return table("claims.csv")


@pytest.fixture(scope="module")
def described():
    return tomllib.loads((RECORD / "record.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def worth(areas, units):
    """SDE of one county delegate, by county."""
    delegates = Counter()
    for unit in units.values():
        delegates[unit["area"]] += int(unit["delegates"] or 0)
    return {area: Fraction(int(areas[area]["weight"]), total) for area, total in delegates.items() if total}


def state_at(night, release):
    """The last row of each unit up to a release."""
    order = [*APPEARED, *CHANGED]
    known = set(order[: order.index(release) + 1])
    return {row["unit"]: row for row in night if row["release"] in known}


def people(night, groups, release, stage):
    totals = Counter()
    for row in state_at(night, release).values():
        totals.update(dict(zip(groups, map(int, row[stage].split()), strict=True)))
    return totals


def sde(night, groups, units, worth, release):
    """SDE by group in units of 0.0001, as each place's figure was printed."""
    totals = Counter()
    for row in state_at(night, release).values():
        for group, written in zip(groups, (row["delegates"] or row["value"]).split(), strict=True):
            share = Fraction(written) * (worth[units[row["unit"]]["area"]] if row["delegates"] else 1)
            totals[group] += rounded_half_up(share, 4)
    return totals


@pytest.mark.parametrize("name", TABLES)
def test_each_table_is_plain_and_complete(name):
    folder, rows = TABLES[name]
    text = (folder / name).read_text(encoding="utf-8")
    cells = list(csv.reader(text.splitlines()))
    assert len(cells) == rows + 1
    assert {len(row) for row in cells} == {len(cells[0])}
    assert all(cell == cell.strip() for row in cells for cell in row)
    assert "\r" not in text
    assert text.endswith("\n")
    assert not re.search(r"[ \t]$", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["areas.csv", "units.csv", "groups.csv"])
def test_ids_are_unique_and_made_of_the_name(name):
    ids = [row["id"] for row in table(name)]
    assert len(set(ids)) == len(ids)
    assert all(IDENTIFIER.fullmatch(identifier) for identifier in ids)


def test_every_unit_id_starts_with_its_area(units, areas):
    assert all(unit["id"].startswith(unit["area"] + "-") and unit["area"] in areas for unit in units.values())


def test_the_county_that_is_named_as_its_state_has_an_id_of_its_own(areas):
    assert (areas["iowa"]["level"], areas["iowa-county"]["level"]) == ("state", "county")
    assert areas["iowa"]["name"] == areas["iowa-county"]["name"]


def test_1678_precincts_elect_11402_county_delegates_and_87_satellites_none_in_advance(units):
    assert Counter(unit["kind"] for unit in units.values()) == {"precinct": 1_678, "satellite": 87}
    assert sum(int(unit["delegates"]) for unit in units.values() if unit["kind"] == "precinct") == 11_402
    assert {unit["delegates"] for unit in units.values() if unit["kind"] == "satellite"} == {""}


def test_99_counties_weigh_2107_state_delegates_and_the_pools_43(areas):
    counties = [area for area in areas.values() if area["sharing"] == "delegates"]
    pools = {area["id"]: int(area["weight"]) for area in areas.values() if area["sharing"] == "attendance"}
    assert len(counties) == 99
    assert sum(int(county["weight"]) for county in counties) == 2_107
    assert pools == {
        "cd1-satellite": 6,
        "cd2-satellite": 11,
        "cd3-satellite": 18,
        "cd4-satellite": 4,
        "out-of-state-satellite": 4,
    }


@pytest.mark.parametrize("district", DISTRICTS)
def test_each_district_has_its_counties_and_state_delegates(areas, district):
    counties = [area for area in areas.values() if area["parent"] == district and area["sharing"] == "delegates"]
    assert (len(counties), sum(int(county["weight"]) for county in counties)) == DISTRICTS[district]


def test_a_place_has_no_alias_that_another_of_its_county_answers_to(units):
    answers = Counter()
    for unit in units.values():
        answers.update({(unit["area"], name) for name in (unit["name"], *unit["aliases"].split(";")) if name})
    assert max(answers.values()) == 1


def test_three_private_homes_are_named_by_town_alone(units):
    homes = [unit for unit in units.values() if unit["name"].startswith("Private home, ")]
    assert [home["id"] for home in homes] == [
        "out-of-state-satellite-private-home-glasgow-scotland",
        "out-of-state-satellite-private-home-tbilisi-republic-of-georgia",
        "out-of-state-satellite-private-home-tucson-az",
    ]
    assert {home["aliases"] for home in homes} == {""}
    assert homes == [unit for unit in units.values() if unit["name_digest"]]
    assert all(re.fullmatch(r"[0-9a-f]{64}", home["name_digest"]) for home in homes)


def test_no_hosts_name_is_carried(units):
    digests = {unit["name_digest"] for unit in units.values()} - {""}
    for unit in units.values():
        for name in (unit["name"], *unit["aliases"].split(";")):
            assert hashlib.sha256(name.encode()).hexdigest() not in digests
    for folder in (PLAN, RECORD):
        for file in folder.iterdir():
            assert "home of" not in file.read_text(encoding="utf-8").lower().replace("-", " ")


def test_rows_of_the_record_by_release(night):
    assert Counter(row["release"] for row in night) == APPEARED | CHANGED


def test_each_place_appears_once_before_it_is_corrected(night, units):
    appeared = [row["unit"] for row in night if row["release"] in APPEARED]
    assert sorted(appeared) == sorted(units)
    assert max(Counter((row["release"], row["unit"]) for row in night).values()) == 1


def test_rows_stand_by_release_and_then_in_the_order_of_the_plan(night, units):
    releases, places = [*APPEARED, *CHANGED], list(units)
    order = [(releases.index(row["release"]), places.index(row["unit"])) for row in night]
    assert order == sorted(order)


def test_a_correction_changes_something(night):
    last = {}
    for row in night:
        state = tuple(row[column] for column in ("first", "final", "delegates", "value"))
        assert last.get(row["unit"]) != state
        last[row["unit"]] = state


def test_every_row_counts_whole_people_in_every_group(night, groups):
    for row in night:
        for stage in ("first", "final"):
            counts = row[stage].split(" ")
            assert len(counts) == len(groups)
            assert all(re.fullmatch(r"0|[1-9]\d*", count) for count in counts)


def test_precincts_write_whole_delegates_and_satellites_printed_values(night, units, groups):
    for row in night:
        if row["value"] == "not-recorded":
            assert (row["delegates"], row["basis"]) == ("", "not-recorded")
            continue
        precinct = units[row["unit"]]["kind"] == "precinct"
        filled, blank = ("delegates", "value") if precinct else ("value", "delegates")
        form = r"0|[1-9]\d*" if precinct else r"0|\d+\.\d{4}"
        written = row[filled].split(" ")
        assert row[blank] == ""
        assert len(written) == len(groups)
        assert all(re.fullmatch(form, number) for number in written)


def test_delegates_of_47_places_are_not_recorded_at_the_review_and_nowhere_else(night):
    missing = [row for row in night if row["value"] == "not-recorded"]
    assert len(missing) == 47
    assert {row["release"] for row in missing} == {"review"}
    certified = {row["unit"] for row in night if row["release"] == "certified"}
    assert {row["unit"] for row in missing} <= certified


def test_the_record_describes_every_release_and_basis_it_uses(night, groups, described):
    assert described["contest"] == "iowa-2020"
    assert described["licence"] == "CC0-1.0"
    assert described["groups"] == groups
    assert list(described["release"]) == list(dict.fromkeys(row["release"] for row in night))
    assert set(described["basis"]) == {row["basis"] for row in night}


@pytest.mark.parametrize(
    ("release", "stage", "group", "count"),
    [
        ("62pct", "first", "sanders", 27_088),
        ("62pct", "final", "buttigieg", 27_030),
        ("71pct", "first", "buttigieg", 27_418),
        ("review", "final", "sanders", 45_842),
        ("review", "final", "buttigieg", 43_274),
        ("certified", "first", "sanders", 43_581),
        ("certified", "first", "buttigieg", 37_572),
        ("certified", "final", "sanders", 45_652),
        ("certified", "final", "buttigieg", 43_209),
    ],
)
def test_head_counts_add_up_to_the_published_ones(night, groups, release, stage, group, count):
    assert people(night, groups, release, stage)[group] == count


@pytest.mark.parametrize(
    ("release", "buttigieg", "sanders"),
    [
        ("62pct", 3_626_366, 3_378_865),
        ("100pct", 5_640_124, 5_624_973),
        ("certified", 5_629_538, 5_620_214),
    ],
)
def test_printed_sde_add_up_to_the_published_ones(night, groups, units, worth, release, buttigieg, sanders):
    totals = sde(night, groups, units, worth, release)
    assert (totals["buttigieg"], totals["sanders"]) == (buttigieg, sanders)


def test_published_figures_say_why_where_they_cannot_agree():
    figures = table("published.csv")
    explained = Counter((figure["release"], figure["measure"]) for figure in figures if figure["note"])
    assert explained == {
        ("71pct", "first_alignment"): 6,
        ("71pct", "final_alignment"): 4,
        ("review", "sde"): 2,
        ("review", "national_delegates"): 5,
        ("recanvass", "sde"): 2,
        ("recanvass", "national_delegates"): 5,
    }


def test_published_figures_name_known_groups_or_a_total(groups):
    for figure in table("published.csv"):
        assert figure["group"] in groups or (figure["group"] == "" and figure["measure"] in TOTALS)
        assert re.fullmatch(r"\d+(\.\d+)?", figure["value"])
        assert figure["source"]


def test_claims_by_kind(claims):
    assert Counter(claim["kind"] for claim in claims) == {
        "final-total-exceeds-first-total": 249,
        "viable-candidate-has-zero-final": 163,
        "duplicate-of-another-precinct": 79,
        "delegate-order-contradicts-final-count": 23,
        "viable-candidate-lost-support": 12,
        "no-data": 8,
        "aggregate-count": 5,
        "columns-shifted": 4,
        "viable-group-without-delegate": 3,
        "delegate-rounding": 2,
        "over-allocation": 1,
        "wrong-delegate-total": 1,
    }


def test_claims_name_places_groups_and_releases_of_the_record(claims, areas, units, groups, night):
    releases = {row["release"] for row in night} | {"withdrawn-85pct"}
    for claim in claims:
        assert claim["release"] in releases
        assert claim["area"] in areas
        assert claim["unit"] == "" or units[claim["unit"]]["area"] == claim["area"]
        assert all(group in groups for group in claim["groups"].split(";") if group)
        assert all(other in units for other in claim["also"].split(";") if other)
        assert claim["text"]
        assert claim["source"]


def test_a_claim_of_a_lost_group_stands_in_the_release_it_names(claims, night, groups):
    states = {release: state_at(night, release) for release in (*APPEARED, *CHANGED)}
    checked = Counter()
    for claim in claims:
        if claim["kind"] not in {"viable-candidate-has-zero-final", "viable-candidate-lost-support"}:
            continue
        numbers = re.findall(r"first:? (\d+)(?: of (\d+))?, final:? (\d+)(?: of (\d+))?", claim["text"])
        row = states[claim["release"]][claim["unit"]]
        first, final = ([int(count) for count in row[stage].split()] for stage in ("first", "final"))
        for group, (before, all_before, after, all_after) in zip(claim["groups"].split(";"), numbers, strict=True):
            place = groups.index(group)
            assert (first[place], final[place]) == (int(before), int(after))
            assert (all_before, all_after) in {("", ""), (str(sum(first)), str(sum(final)))}
        checked[claim["kind"]] += 1
    assert checked == {"viable-candidate-has-zero-final": 163, "viable-candidate-lost-support": 12}


def test_the_record_of_the_night_stays_small():
    assert len((RECORD / "night.csv").read_bytes()) < 400_000
