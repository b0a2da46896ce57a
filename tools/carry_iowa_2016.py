"""Carry the county delegates of the Iowa Democratic caucuses of 2016 from their source tables into a plan and a record.

Usage: python tools/carry_iowa_2016.py SOURCE_FOLDER

The folder holds iowa-2016, and geo with the districts of the counties. Same tables in, same bytes out. Every row is
checked on the way, and the record is then played: a published figure that neither agrees nor says why stops the tool.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from fractions import Fraction
from html import unescape
from pathlib import Path

from carry_national import HOUSE, Row, rows_of, slug, write_table

from tallyroom.exact import fixed, rounded_half_up
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import read_night
from tallyroom.plan.folder import load
from tallyroom.tabulate.published import Verdict, replay

PLAN, RECORD = HOUSE / "plans" / "iowa-2016", HOUSE / "records" / "iowa-2016"
ORDER = ("Other", "Uncommitted", "Clinton", "O'Malley", "Sanders")
"""Candidates as the feed lists them."""
GROUPS = ("Clinton", "O'Malley", "Sanders", "Other", "Uncommitted")
EXPANSION = "Caucus Expansion Results"
"""Heading of the feed for the tele-caucus and the satellites, which no county plans delegates for."""
EXPANSION_ID = "caucus-expansion"
SHORT = {"Fremont": 2, "Hancock": 1, "Kossuth": 1, "Wapello": 1}
"""Planned delegates that were not elected, by county: one place of each has none."""
EXACT = Fraction(1, 10**9)
"""Decimals of the feed have binary noise far below this."""
DISTRICTS = {"1": "First", "2": "Second", "3": "Third", "4": "Fourth"}
SHOWN = 4
LATER = "After five of 14 reviewed places were corrected: the state by place of that day is not on record."
POOLS = "The New York Times, delegate calculator, March 2016"

Place = tuple[str, str]
"""County heading and precinct as in the feed."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One precinct or heading as the plan names it; `written` are its delegates in `GROUPS` order."""

    id: str
    area: str
    county: str
    name: str
    kind: str
    planned: int
    written: tuple[int, ...]


def plain(county: str) -> str:
    """A county's name, however a table writes it."""
    return re.sub(r"[^a-z]", "", county.lower())


def area_id(county: str) -> str:
    # One county is named as its state is.
    return {"Iowa": "iowa-county", EXPANSION: EXPANSION_ID}.get(county, slug(county))


def planned_delegates(source: Path) -> dict[str, dict[str, int]]:
    """Planned delegates by county and precinct; most names carry the county in front."""
    found: dict[str, dict[str, int]] = {}
    for row in rows_of(source / "precinct-delegates-planned.csv"):
        county, name = row["county"], row["precinct"]
        own = re.sub(rf"^{re.escape(county)}-", "", name, flags=re.IGNORECASE)
        places = found.setdefault(plain(county), {})
        assert own not in places, row
        places[own] = int(row["county_convention_delegates"])
    return found


def results(source: Path) -> dict[Place, list[Row]]:
    found: dict[Place, list[Row]] = {}
    for row in rows_of(source / "democratic-precinct-results.csv"):
        found.setdefault((row["county"], row["precinct"]), []).append(row)
    for place, rows in found.items():
        assert tuple(row["candidate"] for row in rows) == ORDER, place
        (total,) = {row["precinct_county_delegates_total"] for row in rows}
        assert sum(int(row["county_convention_delegates"]) for row in rows) == int(total), place
    return found


def units(source: Path) -> list[Unit]:
    planned, found = planned_delegates(source), list[Unit]()
    for (county, published), rows in results(source).items():
        written = {row["candidate"]: int(row["county_convention_delegates"]) for row in rows}
        total = sum(written.values())
        # Where a county calls its places otherwise in the plan, the feed's number stands: see `agree`.
        elects = planned.get(plain(county), {}).get(published, total)
        name, kind = unescape(published), "satellite" if county == EXPANSION else "precinct"
        identifier = f"{area_id(county)}-{slug(name)}"
        delegates = tuple(written[group] for group in GROUPS)
        found.append(Unit(identifier, area_id(county), county, name, kind, elects, delegates))
    assert len({unit.id for unit in found}) == len(found), "two places share an id"
    agree(found, planned)
    return found


def agree(found: list[Unit], planned: dict[str, dict[str, int]]) -> None:
    """Hold the delegates of each county against those planned, whatever its places are called."""
    by_county: dict[str, list[Unit]] = {}
    for unit in found:
        by_county.setdefault(unit.county, []).append(unit)
    assert {plain(county) for county in by_county} == planned.keys() | {plain(EXPANSION)}
    for county, places in by_county.items():
        if county != EXPANSION:
            assert sorted(unit.planned for unit in places) == sorted(planned[plain(county)].values()), county
            short = sum(unit.planned - sum(unit.written) for unit in places)
            assert short == SHORT.get(county, 0), county


def weights(source: Path, places: list[Unit]) -> dict[str, int]:
    """State delegates of each heading: its state delegate equivalents stretched from delegates elected to planned."""
    equivalents: dict[str, Fraction] = {}
    for row in rows_of(source / "democratic-county-sde.csv"):
        assert row["precincts_reporting"] == row["precincts_total"], row
        equivalents[row["county"]] = equivalents.get(row["county"], Fraction(0)) + Fraction(row["sde"])
    found: dict[str, int] = {}
    for county, value in equivalents.items():
        mine = [unit for unit in places if unit.county == county]
        elected, planned = sum(sum(unit.written) for unit in mine), sum(unit.planned for unit in mine)
        weight = value * planned / elected
        assert abs(weight - round(weight)) < EXACT, (county, weight)
        found[county] = round(weight)
    hold(source, places, found)
    return found


def hold(source: Path, places: list[Unit], weight: dict[str, int]) -> None:
    """Hold every group's equivalents of every county against its delegates times their worth."""
    for row in rows_of(source / "democratic-county-sde.csv"):
        mine = [unit for unit in places if unit.county == row["county"]]
        worth = Fraction(weight[row["county"]], sum(unit.planned for unit in mine))
        won = sum(unit.written[GROUPS.index(row["candidate"])] for unit in mine)
        assert abs(won * worth - Fraction(row["sde"])) < EXACT, row


def areas(weight: dict[str, int], districts: Path) -> list[tuple[str, ...]]:
    lies = {row["county"]: row["congressional_district"] for row in rows_of(districts)}
    assert lies.keys() == weight.keys() - {EXPANSION}
    found = [("iowa", "state", "Iowa", "", "", "")]
    found += [(f"cd{number}", "district", f"{name} district", "iowa", "", "") for number, name in DISTRICTS.items()]
    for county, district in lies.items():
        found.append((area_id(county), "county", county, f"cd{district}", str(weight[county]), "delegates"))
    name = "Tele-caucus and satellites"
    return [*found, (EXPANSION_ID, "county", name, "iowa", str(weight[EXPANSION]), "delegates")]


def figures(source: Path) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for row in rows_of(source / "published-totals.csv"):
        group, measure, value = slug(row["candidate"]), row["measure"], row["published_value"]
        if measure == "attendance":
            continue  # The whole state's alone: no place has one on record.
        if measure == "sde" and row["check"] == "match":
            printed = fixed(rounded_half_up(Fraction(value), SHOWN), SHOWN)
            found.append(("feed", measure, group, printed, "", f"{row['source']} ({value} there)"))
        elif measure == "sde":
            found.append(("reviewed", measure, group, value, LATER, row["source"]))
        else:
            found.append(("feed", measure, group, value, "", row["source"]))
    return [*found, ("feed", "national_delegates_total", "", "44", "", POOLS)]


def prove() -> str:
    """Play the record from the files just written; gives how many figures agree, and how many are said not to."""
    plan = load(PLAN, PLAN.name)
    with MemoryLedger(plan.contest) as ledger:
        ledger.append(read_night(RECORD, plan).drafts)
        compared = [row for played in replay(ledger.entries(), plan) for row in played.compared]
    for row in compared:
        assert (row.verdict is Verdict.AGREES) != bool(row.figure.note), row
    agreeing = sum(row.verdict is Verdict.AGREES for row in compared)
    return f"{agreeing} published figures agree, {len(compared) - agreeing} cannot"


def main(source: Path) -> None:
    PLAN.mkdir(parents=True, exist_ok=True)
    RECORD.mkdir(parents=True, exist_ok=True)
    tables = source / "iowa-2016"
    places = units(tables)
    weight = weights(tables, places)
    header = "id,level,name,parent,weight,sharing"
    write_table(PLAN / "areas.csv", header, areas(weight, source / "geo" / "iowa-counties.csv"))
    rows = [(unit.id, unit.area, unit.name, unit.kind, str(unit.planned)) for unit in places]
    write_table(PLAN / "units.csv", "id,area,name,kind,delegates", rows)
    kinds = {"Other": "other", "Uncommitted": "uncommitted"}
    write_table(
        PLAN / "groups.csv", "id,name,kind", [(slug(name), name, kinds.get(name, "candidate")) for name in GROUPS]
    )
    write_table(PLAN / "published.csv", "release,measure,group,value,note,source", figures(tables))
    night = [("feed", unit.id, " ".join(map(str, unit.written)), "", "published") for unit in places]
    write_table(RECORD / "night.csv", "release,unit,delegates,value,basis", night)
    planned = sum(unit.planned for unit in places)
    state = sum(weight.values())
    print(f"iowa-2016: {len(places):,} places, {planned:,} county and {state:,} state delegates; {prove()}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
