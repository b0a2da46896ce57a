"""Carry the Nevada caucuses of 2020 and the planned delegates of 2016 from their source tables into plans and a record.

Usage: python tools/carry_nevada.py SOURCE_FOLDER

The folder holds the folders nevada-2020 and nevada-2016. Same tables in, same bytes out. Every row is checked on the
way, and the record is then played: a published figure that neither agrees nor says why stops the tool.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from carry_national import HOUSE, Row, rows_of, slug, write_table

from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import read_night
from tallyroom.plan.folder import load
from tallyroom.tabulate.published import Verdict, replay

PLAN, RECORD = HOUSE / "plans" / "nevada-2020", HOUSE / "records" / "nevada-2020"
BEFORE = HOUSE / "plans" / "nevada-2016"

GROUPS = (
    *("Bennet", "Biden", "Buttigieg", "Delaney", "Gabbard", "Klobuchar"),
    *("Patrick", "Sanders", "Steyer", "Warren", "Yang", "Uncommitted"),
)
DISTRICTS = {"1": "First", "2": "Second", "3": "Third", "4": "Fourth"}
CAPTURES = {
    "feb22-1934": "2020-02-22T1934-0800-partial",
    "feb22-2007": "2020-02-22T2007-0800-partial",
    "feb22-2135": "2020-02-22T2135-0800-partial",
    "feb22-2252": "2020-02-22T2252-0800-partial",
    "final": "2020-02-24-final",
}
MARKS = {"yes": "reported", "no": "marked-not-reported", "": "not-marked"}
"""The page's mark and the basis of a row that holds figures; the first two captures have no mark at all."""
UNMARKED = {"feb22-1934", "feb22-2007"}
MEASURES = {"county_convention_delegates": "ccd", "national_delegates_to_allocate": ""}
"""Measures of the source table that the plan names otherwise; the sizes of the pools stand in its rules."""

Place = tuple[str, str]
"""County and precinct as published."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One reporting place as the plan names it; `delegates` is empty where they are not on record."""

    id: str
    area: str
    name: str
    delegates: str
    aliases: str

    @property
    def row(self) -> tuple[str, ...]:
        return (self.id, self.area, self.name, "precinct", self.delegates, self.aliases)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a capture showed for one place; counts in `GROUPS` order."""

    attendance: str
    first: tuple[str, ...]
    final: tuple[str, ...]
    delegates: tuple[str, ...]
    mark: str

    @property
    def figures(self) -> tuple[str | tuple[str, ...], ...]:
        return (self.attendance, self.first, self.final, self.delegates)

    @property
    def reported(self) -> bool:
        """Whether it is a report: marked as one, or not marked and yet with a figure."""
        return self.mark == "yes" or any({*counts} != {"0"} for counts in self.figures)


# ---- The plan's tables


def districts_of(source: Path) -> dict[str, list[str]]:
    """Districts of each county in the apportionment."""
    found: dict[str, set[str]] = {}
    for row in rows_of(source / "apportionment.csv"):
        found.setdefault(row["county"], set()).add(row["congressional_district"])
    return {county: sorted(districts) for county, districts in found.items()}


def area_id(county: str, district: str, split: dict[str, list[str]]) -> str:
    """Area of a place: its county, or the part of it that lies in the district."""
    if len(split[county]) == 1:
        # The one district of the county is that of its places without one on record too.
        assert district in {"", *split[county]}, (county, district)
        return slug(county)
    assert district in {"", *split[county]}, (county, district)
    return f"{slug(county)}-cd{district}" if district else f"{slug(county)}-no-district"


def areas(split: dict[str, list[str]], used: set[str]) -> list[tuple[str, ...]]:
    found = [("nevada", "state", "Nevada", "", "", "")]
    found += [(f"cd{number}", "district", f"{name} district", "nevada", "", "") for number, name in DISTRICTS.items()]
    for county in sorted(split):
        found += [
            (area_id(county, district, split), "county", county, f"cd{district}", "", "") for district in split[county]
        ]
        if (none := f"{slug(county)}-no-district") in used:
            found.append((none, "county", f"{county}, district not on record", "nevada", "", ""))
    assert used == {row[0] for row in found if row[1] == "county"}, "an area without a place, or the other way"
    return found


def place_names(published: str) -> tuple[str, str]:
    """Printed name and alias: a precinct that is only a number says what it is."""
    return (f"Precinct {published}", published) if published.isdigit() else (published, "")


def units(source: Path, split: dict[str, list[str]]) -> dict[Place, Unit]:
    allotted = {(row["county"], row["precinct"]): row for row in rows_of(source / "apportionment.csv")}
    found: dict[Place, Unit] = {}
    for row in rows_of(source / f"results-{CAPTURES['final']}.csv"):
        place = (row["county"], row["precinct"])
        planned, district = allotted.get(place, {}), row["congressional_district"]
        # Four numbers of a digit and five zeros lost district and delegates on the page, not in the apportionment.
        assert not (planned and district) or district == planned["congressional_district"], place
        delegates, district = planned.get("county_convention_delegates", ""), planned.get("congressional_district", "")
        assert not (planned and row["precinct_delegates"]) or delegates == row["precinct_delegates"], place
        name, alias = place_names(place[1])
        identifier = f"{slug(place[0])}-{slug(place[1])}"
        found[place] = Unit(identifier, area_id(place[0], district, split), name, delegates, alias)
    assert len({unit.id for unit in found.values()}) == len(found), "two places share an id"
    return found


def group_row(name: str) -> tuple[str, ...]:
    return (slug(name), name, "uncommitted" if name == "Uncommitted" else "candidate")


def figures(source: Path) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    total = 0
    for row in rows_of(source / "published-totals.csv"):
        measure = MEASURES.get(row["measure"], row["measure"])
        if measure:
            found.append(("final", measure, slug(row["candidate_or_unit"]), row["published_value"], "", row["source"]))
        else:
            total += int(row["published_value"])
            where = row["source"]
    found.append(("final", "national_delegates_total", "", str(total), "", where))
    return found


# ---- The record


def capture(source: Path, release: str) -> dict[Place, Shown]:
    by_place: dict[Place, list[Row]] = {}
    for row in rows_of(source / f"results-{CAPTURES[release]}.csv"):
        by_place.setdefault((row["county"], row["precinct"]), []).append(row)
    shown: dict[Place, Shown] = {}
    for place, rows in by_place.items():
        assert tuple(row["candidate"] for row in rows) == GROUPS, place
        ((attendance, mark),) = {(row["total_attendance"], row["reported"]) for row in rows}
        assert mark in MARKS, place
        assert release not in UNMARKED or not mark, place
        first, final, delegates = (
            tuple(row[column] for row in rows)
            for column in ("first_alignment", "final_alignment", "county_convention_delegates")
        )
        assert all(count == str(int(count)) for count in (attendance, *first, *final, *delegates)), place
        shown[place] = Shown(attendance, first, final, delegates, mark)
    return shown


def night(source: Path, places: dict[Place, Unit]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    known: dict[Place, Shown] = {}
    for release in CAPTURES:
        shown = capture(source, release)
        assert shown.keys() <= places.keys(), f"{release}: a place that the last capture does not have"
        for place, unit in places.items():
            now, before = shown.get(place), known.get(place)
            if now is None or not now.reported or (before and now.figures == before.figures):
                assert now is None or now.reported or not before, f"{place}: a report was taken back"
                continue
            known[place] = now
            counts = (" ".join(counts) for counts in (now.first, now.final, now.delegates))
            basis = "shown-without-marks" if release in UNMARKED else MARKS[now.mark]
            first, final, delegates = counts
            found.append((release, unit.id, now.attendance, first, final, delegates, "", basis))
    return found


def prove() -> str:
    """Play the record from the files just written; gives how many figures agree."""
    plan = load(PLAN, PLAN.name)
    with MemoryLedger(plan.contest) as ledger:
        ledger.append(read_night(RECORD, plan).drafts)
        compared = [row for played in replay(ledger.entries(), plan) for row in played.compared]
    for row in compared:
        assert row.verdict is Verdict.AGREES or row.figure.note, row
    return f"{len(compared)} published figures agree"


# ---- Nevada 2016


def planned_before(source: Path) -> list[Unit]:
    found: list[Unit] = []
    for row in rows_of(source / "precinct-delegates-planned.csv"):
        name, alias = place_names(row["precinct"])
        area = slug(row["county"])
        found.append(Unit(f"{area}-{slug(row['precinct'])}", area, name, row["county_convention_delegates"], alias))
    assert len({unit.id for unit in found}) == len(found), "two places share an id"
    return found


def carry_2020(source: Path) -> None:
    split = districts_of(source)
    places = units(source, split)
    write_table(
        PLAN / "areas.csv",
        "id,level,name,parent,weight,sharing",
        areas(split, {unit.area for unit in places.values()}),
    )
    write_table(PLAN / "units.csv", "id,area,name,kind,delegates,aliases", [unit.row for unit in places.values()])
    write_table(PLAN / "groups.csv", "id,name,kind", [group_row(name) for name in GROUPS])
    write_table(PLAN / "published.csv", "release,measure,group,value,note,source", figures(source))
    rows = night(source, places)
    write_table(RECORD / "night.csv", "release,unit,attendance,first,final,delegates,value,basis", rows)
    print(f"nevada-2020: {len(places):,} places, {len(rows):,} entries; {prove()}")


def carry_2016(source: Path) -> None:
    places = planned_before(source)
    counties = {row["county"] for row in rows_of(source / "precinct-delegates-planned.csv")}
    rows = [("nevada", "state", "Nevada", "", "", "")]
    rows += [(slug(county), "county", county, "nevada", "", "") for county in sorted(counties)]
    write_table(BEFORE / "areas.csv", "id,level,name,parent,weight,sharing", rows)
    write_table(BEFORE / "units.csv", "id,area,name,kind,delegates,aliases", [unit.row for unit in places])
    groups = [group_row(name) for name in ("Clinton", "Sanders", "Uncommitted")]
    write_table(BEFORE / "groups.csv", "id,name,kind", groups)
    delegates = sum(int(unit.delegates) for unit in places)
    load(BEFORE, BEFORE.name)
    print(f"nevada-2016: {len(places):,} places, {delegates:,} county convention delegates")


def main(source: Path) -> None:
    for folder in (PLAN, RECORD, BEFORE):
        folder.mkdir(parents=True, exist_ok=True)
    carry_2020(source / "nevada-2020")
    carry_2016(source / "nevada-2016")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
