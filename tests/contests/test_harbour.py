"""A contest that a party wrote from the manual alone: three rounds, five levels, its own count, its own readings.

Every figure here was worked out by hand, from the sheets in `harbour-2033/night/night.csv` and the rules of the plan.
Groups are named in the order anchor, beacon, compass, driftwood, adrift; where there are three, the last two have none.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

import tallyroom
from cli.typed import typed
from house.house import SOURCE

HERE = Path(__file__).parent / "harbour-2033"
PLAN, NIGHT = HERE / "plan", HERE / "night"
GROUPS = ("anchor", "beacon", "compass", "driftwood", "adrift")
YARDSTICKS = ("opening_count", "second_count", "closing_count", "envoys", "berths")

# One envoy is worth, in berths: East Pier 16 / 8 = 2, West Pier 15/2 / 5 = 1.50, Lighthouse 8/3 / 8 = 1/3, Mudflat
# 10 / 8 = 1.25, Saltpan 6 / 6 = 1. The mail boats share 5 by the heads aboard: Aurora 5 x 30/75 = 2, Borealis
# 5 x 45/75 = 3. Every place is rounded to two decimals before it is added: 2/3 is 0.67, 1/3 is 0.33.
#
# Envoys as written, and by rule where that differs:
#   Ropewalk    2 1 2    50 present, so 10 are enough: 22 14 14 x 5/50 = 2.2 1.4 1.4, cut to 2 1 1; one more for the
#                        highest fraction, where Beacon and Compass tie: the straw on the sheet fell on Compass.
#   Chandlery   1 1 1    30 present, 6 are enough: 13 9 7 x 3/30 = 1.3 0.9 0.7, cut to 1 0 0, and everybody has one.
#   Customs     1 2 1    41 present, 8.2 up to 9: 14 11 11 x 4/41 = 1.37 1.07 1.07, cut to 1 1 1; one more for Anchor:
#               2 1 1    by rule.
#   Slipway     1 0 0    one envoy.
#   Lamp Room   2 2 2    60 present, 12 are enough: 24 18 15 x 6/60 = 2.4 1.8 1.5, cut to 2 1 1; one more each for
#                        Beacon (0.8) and Compass (0.5). Before the correction 17 for Compass, 1.7: the same.
#   Keeper      1 1 0    nobody counted heads, so the largest count stands in: 8 + 6 + 6 + 0 = 20, 4 are enough. Three
#               1 1 1    groups for two envoys, and each has one by rule.
#   Jetty       2 2 -    40 present, 8 are enough: 13 11 10 x 5/40 = 1.625 1.375 1.25, cut to 1 1 1; one more each for
#               2 2 1    Anchor and Beacon. Compass was left blank on the sheet.
#   Oyster      0 2 1    24 present, 4.8 up to 5: 0 12 8 x 3/24 = 0 1.5 1, cut to 1 1; one more for Beacon.
#   Salt Pans   1 3 0    40 present, 8 are enough: 10 17 x 4/40 = 1 1.7, cut to 1 1. Two are left, and only Beacon had a
#               2 2 0    fraction cut off: round and round, Beacon (0.7) has one more, then Anchor (0).
#   Tide Mill   0 0 0    20 present, 4 are enough, and five groups of 3: nobody.
#   Aurora      1 1 0    30 present elect 2, 6 are enough: 17 13 x 2/30 = 1.13 0.87, cut to 1 0, and everybody has one.
#   Borealis    (2 1 0)  45 present elect 3, 9 are enough: 27 18 x 3/45 = 1.8 1.2, cut to 1 1; one more for Anchor. Its
#                        sheet has 2.00 1.00 berths and no envoys: by rule it has 2 1 0, as written none are on record.

# Every block adds up rows of the one before it, as its first line says. Columns: the three counts, envoys as written
# and by rule, berths as written and by rule.
WORKED = """
ropewalk+chandlery, customs+slipway, lamp+keeper (no second count), jetty+oyster, pans+mill, aurora+borealis
east-pier    28 22 13 9 8     | 32 22 16 6 4     | 35 23 21 0 1    | 3 2 3   | 3 2 3  | 6 4 6          | 6 4 6
west-pier    16 15 10 5 4     | 20 14 10 4 2     | 19 15 11 3 0    | 2 2 1   | 3 1 1  | 3 3 1.50       | 4.50 1.50 1.50
lighthouse   27 20 16 10 6    | 22 16 14 5 3     | 32 24 21 2 1    | 3 3 2   | 3 3 3  | 1 1 0.67       | 1 1 1
mudflat      13 19 16 9 7     | 14 21 16 7 6     | 13 23 18 0 10   | 2 4 1   | 2 4 2  | 2.50 5 1.25    | 2.50 5 2.50
saltpan      12 18 12 10 8    | 11 19 9 9 7      | 13 20 10 9 3    | 1 3 0   | 2 2 0  | 1 3 0          | 2 2 0
mail-boats   32 18 9 9 7      | 36 20 8 6 5      | 44 31 0 0 0     | 1 1 0   | 3 2 0  | 3 2 0          | 3 2 0

east-pier+west-pier, lighthouse, mudflat, saltpan+mail-boats
dune         44 37 23 14 12   | 52 36 26 10 6    | 54 38 32 3 1    | 5 4 4   | 6 3 4  | 9 7 7.50       | 10.50 5.50 7.50
reef         27 20 16 10 6    | 22 16 14 5 3     | 32 24 21 2 1    | 3 3 2   | 3 3 3  | 1 1 0.67       | 1 1 1
marsh        13 19 16 9 7     | 14 21 16 7 6     | 13 23 18 0 10   | 2 4 1   | 2 4 2  | 2.50 5 1.25    | 2.50 5 2.50
cape         44 36 21 19 15   | 47 39 17 15 12   | 57 51 10 9 3    | 2 4 0   | 5 4 0  | 4 5 0          | 5 4 0

dune, reef, marsh+cape
gull         44 37 23 14 12   | 52 36 26 10 6    | 54 38 32 3 1    | 5 4 4   | 6 3 4  | 9 7 7.50       | 10.50 5.50 7.50
tern         27 20 16 10 6    | 22 16 14 5 3     | 32 24 21 2 1    | 3 3 2   | 3 3 3  | 1 1 0.67       | 1 1 1
heron        57 55 37 28 22   | 61 60 33 22 18   | 70 74 28 9 13   | 4 8 1   | 7 8 2  | 6.50 10 1.25   | 7.50 9 2.50

gull+tern, heron
north-shore  71 57 39 24 18   | 74 52 40 15 9    | 86 62 53 5 2    | 8 7 6   | 9 6 7  | 10 8 8.17      | 11.50 6.50 8.50
south-shore  57 55 37 28 22   | 61 60 33 22 18   | 70 74 28 9 13   | 4 8 1   | 7 8 2  | 6.50 10 1.25   | 7.50 9 2.50

north-shore+south-shore
federation   128 112 76 52 40 | 135 112 73 37 27 | 156 136 81 14 15 | 12 15 7 | 16 14 9 | 16.50 18 9.42 | 19 15.50 11
"""
WORKED_ROWS = {
    row.split()[0]: [column.split() for column in row.split(None, 1)[1].split("|")]
    for row in WORKED.splitlines()
    if "|" in row
}

# First light has no Oyster Shed and no Borealis, the Lamp Room before its correction (Compass 17), and the Salt Pans
# with 0 4 0. Aurora alone has all 5 berths of the mail boats, 2.50 each.
#   anchor   9 + 1 + 2.50 + 0 + 2.50 = 15;   beacon 7 + 1 + 2.50 + 4 + 2.50 = 17;   compass 7.50 + 0.67 = 8.17
#   closing  156 - 0 - 27 = 129              136 - 12 - 18 = 106                    81 - 8 - 0 + 2 = 75
FIRST_LIGHT = {"closing_count": (129, 106, 75), "berths": (15, 17, Decimal("8.17"))}

# National delegates as written: largest remainders among those with a fifth of the pool's berths.
#   gull 5   of 9 7 7.50 (23.50):   1.91 1.49 1.60, 1 1 1 and two more for Anchor and Compass
#   tern 3   of 1 1 0.67 (2.67):    1.12 1.12 0.75, 1 1 0 and one more for Compass
#   heron 4  of 6.50 10 (16.50), for a fifth of 17.75 is 3.55 and Compass has 1.25:  1.58 2.42, 1 2 and Anchor
#   north 4  of 10 8 8.17 (26.17):  1.53 1.22 1.25, 1 1 1 and Anchor
#   south 3  of 6.50 10 (16.50):    1.18 1.82, 1 1 and Beacon
POOLS = {
    "gull-pool": {"anchor": 2, "beacon": 1, "compass": 2},
    "tern-pool": {"anchor": 1, "beacon": 1, "compass": 1},
    "heron-pool": {"anchor": 2, "beacon": 2},
    "north-pool": {"anchor": 2, "beacon": 1, "compass": 1},
    "south-pool": {"anchor": 1, "beacon": 2},
}
# At first light heron stood at 5 9 0: of 14, 4 x 5/14 = 1.43 and 2.57, 1 2 and Beacon. The other pools shared alike:
# south 3 x 5/14 = 1.07 and 1.93.
FIRST_LIGHT_POOLS = POOLS | {"heron-pool": {"anchor": 1, "beacon": 3}}

# By rule: gull 10.50 5.50 7.50, 2.23 1.17 1.60; heron 7.50 9 (Compass 2.50 of 19, a fifth is 3.80), 1.82 2.18;
# north 11.50 6.50 8.50, 1.74 0.98 1.28; south 7.50 9, 1.36 1.64. Other fractions, the same delegates.

NONVIABLE, TOTALS = ("nonviable-kept-people", "warning"), ("alignment-totals-differ", "info")
EXCEEDS, AWARD = ("final-exceeds-first", "error"), ("award-differs", "error")
EMPTY_HANDED = ("viable-without-delegates", "error")
FOUND = {
    "chandlery": {NONVIABLE},  # Adrift 1; Beacon went from 10 to 9 while everybody could move
    "customs": {
        NONVIABLE,  # Driftwood 3
        TOTALS,  # 41 and 39
        ("viable-group-lost-people", "error"),  # Anchor 12, 16, then 14: it was locked after the second count
        ("order-inverted", "error"),  # 11 people have 2 and 14 have 1
        AWARD,
    },
    "keeper": {EXCEEDS, TOTALS, EMPTY_HANDED, AWARD},  # 19 and 20; Compass has 6 of 4 needed
    "lamp": {NONVIABLE},  # Driftwood 2, Adrift 1
    "jetty": {NONVIABLE},  # Adrift 6; the blank accuses nobody
    "oyster": {NONVIABLE},  # Adrift 4
    "pans": {NONVIABLE, AWARD},  # Compass 7, Driftwood 6
    "mill": {NONVIABLE, TOTALS, ("votes-without-delegates", "warning")},  # five groups of 3; 20 and 15
    "saltpan": {("county-total-differs", "error")},  # 4 + 0 of 6
}
FOUND_AT_FIRST_LIGHT = {unit: kinds for unit, kinds in FOUND.items() if unit != "oyster"} | {
    "lamp": {NONVIABLE, EXCEEDS, TOTALS, ("exceeds-attendance", "error")},  # 60 and 62 of 60
    "pans": {NONVIABLE, AWARD, EMPTY_HANDED},  # 0 4 0
}


def said(*words):
    """What a command says on standard output; it must have been carried out."""
    done = typed(*words)
    assert done.code == 0, done.err
    return done.out


def told(*words):
    """The object a command prints."""
    return json.loads(said(*words, "--json"))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The folder of the night, played once."""
    folder = tmp_path_factory.mktemp("harbour") / "night"
    words = said("--quiet", "night", PLAN, "--record", NIGHT, "--folder", folder)
    assert "Of 11 published figures 10 agree to the last decimal, 0 differ and 1 cannot be given" in words
    return folder


def loaded(played, **chosen):
    return tallyroom.load(str(PLAN), ledger=played / "ledger.sqlite", **chosen)


def values(night, basis):
    """The printed sums of every area, by yardstick and group."""
    frame = tallyroom.standings(night, basis=basis)
    keys = ("area", "yardstick", "group", "value")
    return {(area, yardstick, group): value for area, yardstick, group, value in frame.select(keys).rows()}


def test_the_plan_has_no_fault():
    assert said("plan", "check", PLAN).startswith(
        "harbour-2033: no fault found in 12 units, 16 areas, 5 groups and 11 readings\n"
    )


def test_the_plan_is_shown_in_its_own_words():
    shown = said("plan", "show", PLAN, "--units")
    assert "nation, province, district, county, ward" in shown
    assert "a bucket of numbered corks" in shown
    assert "lighthouse   ward      Lighthouse          8/3     2      8          1/3" in shown


@pytest.mark.parametrize(("basis", "envoys", "berths"), [("as-written", 3, 5), ("by-rule", 4, 6)])
def test_every_yardstick_at_every_level(played, basis, envoys, berths):
    ours = values(loaded(played), basis)
    columns = dict(zip(YARDSTICKS, (0, 1, 2, envoys, berths), strict=True))
    worked = {
        (area, yardstick, group): Decimal((row[column] + ["0", "0"])[place])
        for area, row in WORKED_ROWS.items()
        for yardstick, column in columns.items()
        for place, group in enumerate(GROUPS)
    }
    assert len(worked) == 16 * 5 * 5
    assert ours == worked


def test_first_light(played):
    ours = values(loaded(played, release="first-light"), "as-written")
    for yardstick, worked in FIRST_LIGHT.items():
        assert tuple(ours["federation", yardstick, group] for group in GROUPS[:3]) == worked
    top = told("tabulate", PLAN, "--record", NIGHT, "--release", "first-light")
    assert top["units"] == {"expected": 12, "reported": 10, "held": 0, "changed": 0}
    assert top["provisional"] == ["mail-boats"]


def test_what_is_not_on_record_is_bounded_and_not_zero(played):
    frame = tallyroom.standings(loaded(played), level="nation")
    bounds = {
        (row["yardstick"], row["group"]): (row["lowest"], row["highest"], row["without_value"])
        for row in frame.iter_rows(named=True)
    }
    assert bounds["second_count", "anchor"] == (135, 155, 1)  # the 20 people of the Keeper's Cottage
    assert bounds["envoys", "anchor"] == (12, 15, 1)  # the 3 envoys of the Borealis
    assert bounds["envoys", "beacon"] == (15, 18, 1)
    assert bounds["berths", "beacon"] == (18, 18, 0)
    headline = json.loads((played / "index.json").read_text(encoding="utf-8"))["headline"]
    assert headline == (
        "Anchor leads in opening count, second count and closing count; Beacon or Anchor may lead in envoys; "
        "Beacon leads in berths."
    )


@pytest.mark.parametrize(
    ("words", "worked", "total"),
    [
        ((), POOLS, {"anchor": 8, "beacon": 7, "compass": 4}),
        (("--basis", "by-rule"), POOLS, {"anchor": 8, "beacon": 7, "compass": 4}),
        (("--release", "first-light"), FIRST_LIGHT_POOLS, {"anchor": 7, "beacon": 8, "compass": 4}),
    ],
    ids=["as written", "by rule", "first light"],
)
def test_national_delegates_of_provinces_and_districts(words, worked, total):
    shared = told("tabulate", PLAN, "--record", NIGHT, *words)["national"]
    assert {pool["id"]: pool["groups"] for pool in shared["pools"]} == worked
    assert shared["groups"] == total
    assert shared["total"] == 19


@pytest.mark.parametrize(("release", "worked"), [("high-water", FOUND), ("first-light", FOUND_AT_FIRST_LIGHT)])
def test_findings(release, worked):
    found = {}
    for finding in told("check", PLAN, "--record", NIGHT, "--release", release)["findings"]:
        place = (finding["unit"] or finding["area"])["id"]
        found.setdefault(place, []).append((finding["kind"], finding["severity"]))
    assert {place: sorted(kinds) for place, kinds in found.items()} == {
        place: sorted(kinds) for place, kinds in worked.items()
    }


@pytest.mark.parametrize(
    ("kind", "unit", "numbers"),
    [
        ("final-exceeds-first", "keeper", {"first": 19, "final": 20, "added": 1}),
        ("alignment-totals-differ", "mill", {"first": 20, "final": 15}),  # the first and the last, not the second: 15
        (
            "viable-group-lost-people",
            "customs",
            {"group": "anchor", "first": 16, "final": 14, "stages": ["second", "closing"]},
        ),
    ],
)
def test_which_rounds_a_finding_compares(kind, unit, numbers):
    found = told("check", PLAN, "--record", NIGHT, "--kind", kind, "--unit", unit)["findings"]
    assert len(found) == 1
    assert found[0]["numbers"].items() >= numbers.items()


def award(*words):
    return told("award", PLAN, *words)


def test_a_tie_asks_for_straws_and_takes_the_one_on_record():
    room = ("--unit", "ropewalk", "--attending", "50", "anchor=22", "beacon=14", "compass=14")
    assert "1 delegate is left and Beacon and Compass tie at 0.4: a pulling of straws decides" in said(
        "award", PLAN, *room
    )
    asked = award(*room)
    assert (asked["outcome"], asked["viability_number"]) == ("lots-needed", 10)
    drawn = award(*room, "--lot", f"{asked['lots_needed']['id']}=compass")
    assert drawn["delegates"] == {"anchor": 2, "beacon": 1, "compass": 2}


def test_a_tie_of_three_asks_for_corks():
    room = ("--delegates", "4", "--attending", "30", "anchor=10", "beacon=10", "compass=10")
    assert "a bucket of numbered corks decides who gains" in said("award", PLAN, *room)


@pytest.mark.parametrize(
    ("words", "number", "delegates"),
    [
        ("--unit chandlery --attending 30 anchor=13 beacon=9 compass=7", 6, (1, 1, 1)),
        ("--unit customs --attending 41 anchor=14 beacon=11 compass=11", 9, (2, 1, 1)),
        ("--unit keeper --attending 20 anchor=8 beacon=6 compass=6", 4, (1, 1, 1)),
        ("--unit pans --attending 40 anchor=10 beacon=17 compass=7", 8, (2, 2, 0)),
        ("--unit slipway --attending 9 anchor=5 beacon=4 compass=0", None, (1, 0, 0)),
        ("--unit borealis --attending 45 anchor=27 beacon=18 compass=0", 9, (2, 1, 0)),
        # 5 x 23/50 = 2.3, 5 x 27/50 = 2.7: cut off 2 2, and one more for Beacon
        ("--delegates 5 --attending 50 anchor=23 beacon=27 compass=0", 10, (2, 3, 0)),
        # rounded the other way 5 x 25/50 = 2.5 is 3 for both, and one too many
        ("--delegates 4 --attending 50 --reading rounding=half-up anchor=31 beacon=19 compass=0", 10, (2, 2, 0)),
    ],
)
def test_awards(words, number, delegates):
    outcome = award(*words.split())
    assert (outcome["outcome"], outcome["viability_number"]) == ("awarded", number)
    assert tuple(outcome["delegates"][group] for group in GROUPS[:3]) == delegates


def test_nobody_has_a_fifth():
    words = [f"{group}=3" for group in GROUPS]
    assert award("--unit", "mill", "--attending", "20", *words)["outcome"] == "no-viable-group"


def test_half_of_those_present_is_no_majority():
    assert award("--unit", "slipway", "--attending", "8", "anchor=4", "beacon=3")["outcome"] == "no-viable-group"


@pytest.mark.parametrize(
    ("unit", "written", "ruled", "undetermined"),
    [
        ("customs", {"anchor": 1, "beacon": 2, "compass": 1}, {"anchor": 2, "beacon": 1, "compass": 1}, None),
        ("keeper", {"anchor": 1, "beacon": 1}, {"anchor": 1, "beacon": 1, "compass": 1}, None),
        ("jetty", {"anchor": 2, "beacon": 2}, {"anchor": 2, "beacon": 2, "compass": 1}, None),
        ("pans", {"anchor": 1, "beacon": 3}, {"anchor": 2, "beacon": 2}, None),
        ("borealis", None, {"anchor": 2, "beacon": 1}, None),
        ("mill", {}, {}, "nobody-viable"),
    ],
)
def test_places_as_written_and_by_rule(unit, written, ruled, undetermined):
    place = told("tabulate", PLAN, "--record", NIGHT, "--unit", unit)["place"]
    given = place["as_written"]["delegates"]
    assert written == (given and {group: count for group, count in given.items() if count})
    assert ruled == {group: count for group, count in place["by_rule"]["delegates"].items() if count}
    assert place["undetermined"] == undetermined


def test_a_blank_is_kept_apart_from_a_zero():
    place = told("tabulate", PLAN, "--record", NIGHT, "--unit", "jetty")["place"]
    assert "compass" not in place["as_written"]["delegates"]
    assert place["as_written"]["delegates"]["driftwood"] == 0
    place = told("tabulate", PLAN, "--record", NIGHT, "--unit", "keeper")["place"]
    assert place["people"]["second"] is None
    assert place["attendance"] == {"people": 20, "from": "larger"}


def test_corrections_replace_and_stay_on_record():
    history = told("tabulate", PLAN, "--record", NIGHT, "--unit", "pans")["place"]["history"]
    assert [line["release"] for line in history] == ["first-light", "high-water"]
    assert [(line["group"], line["before"], line["after"]) for line in history[1]["changes"]] == [
        ("anchor", "0", "1"),
        ("beacon", "4", "3"),
    ]


def test_the_ledger_of_the_night_is_whole(played):
    assert said("ledger", "verify", played / "ledger.sqlite").startswith("14 ")
    assert len(said("ledger", "export", played / "ledger.sqlite").splitlines()) == 14 + 1


def test_no_code_knows_its_words():
    words = ("harbour", "berths", "envoys", "driftwood", "numbered corks")
    shipped = [path for path in SOURCE.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert len(shipped) > 100
    known = [
        (path.name, word)
        for path in shipped
        for word in words
        if word in path.read_bytes().decode("utf-8", "replace").casefold()
    ]
    # The importer's list of spellings knows that a harbor may be written harbour.
    assert known == [("names.py", "harbour")]
