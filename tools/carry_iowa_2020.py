"""Carry the published figures of the Iowa caucuses of 2020 from their source tables into a plan and a record.

Usage: python tools/carry_iowa_2020.py SOURCE_FOLDER

Same tables in, same bytes out. Every row is checked on the way; a figure that does not fit stops the tool.
"""

from __future__ import annotations

import csv
import hashlib
import re
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tallyroom.exact import rounded_half_up

HOUSE = Path(__file__).parents[1] / "src" / "tallyroom"
PLAN = HOUSE / "plans" / "iowa-2020"
RECORD = HOUSE / "records" / "iowa-2020"

GROUPS = (
    *("Bennet", "Biden", "Bloomberg", "Buttigieg", "Delaney", "Gabbard"),
    *("Klobuchar", "Patrick", "Sanders", "Steyer", "Warren", "Yang", "Other", "Uncommitted"),
)
DISTRICTS = {"cd1": "First", "cd2": "Second", "cd3": "Third", "cd4": "Fourth"}
POOLS = {
    "CD1 Satellite": ("First district satellites", "cd1", 6),
    "CD2 Satellite": ("Second district satellites", "cd2", 11),
    "CD3 Satellite": ("Third district satellites", "cd3", 18),
    "CD4 Satellite": ("Fourth district satellites", "cd4", 4),
    "Out of State Satellite": ("Out-of-state satellites", "iowa", 4),
}
SNAPSHOTS = {
    "62pct": "2020-02-04T2200Z-62pct-derived",
    "71pct": "2020-02-05T0530Z-71pct",
    "75pct": "2020-02-05T1905Z-75pct",
    "86pct": "2020-02-05T2152Z-86pct",
    "92pct": "2020-02-06T0100Z-92pct",
    "96pct": "2020-02-06T0341Z-96pct-derived",
    "97pct": "2020-02-06T0458Z-97pct",
    "100pct": "2020-02-07T0128Z-100pct",
    "review": "2020-02-09-corrected",
    "certified": "2020-02-27-recount-final",
}
RELEASES = {snapshot: release for release, snapshot in SNAPSHOTS.items()} | {"2020-02-18-recanvass": "recanvass"}
AGGREGATOR = "A newspaper's own count, not the party's page of that hour: each figure is 7 to 134 above it."
REVIEW_STATE = "Delegates of 47 places are not on record for that day."
RECANVASS_STATE = "No figures by place are on record for that day."
NOT_RECORDED = "not-recorded"

Row = dict[str, str]
Place = tuple[str, str]
"""County heading and name as published."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One reporting place as the plan names it."""

    id: str
    area: str
    name: str
    delegates: int | None
    aliases: tuple[str, ...]
    name_digest: str
    private: str
    """The part of the published name that must not be carried; empty for most."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a release showed for one place; counts and SDE in `GROUPS` order, as printed."""

    first: tuple[str, ...]
    final: tuple[str, ...]
    sde: tuple[str, ...]
    basis: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the record: what became known of a place with a release."""

    release: str
    unit: Unit
    shown: Shown


def rows_of(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write(path: Path, header: str, rows: list[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(header.split(","))
        table.writerows(rows)
    print(f"{path.relative_to(HOUSE.parents[1])}: {len(rows):,} rows, {path.stat().st_size:,} bytes")


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-")


def area_id(county: str) -> str:
    # One county is named as its state is.
    return "iowa-county" if county == "Iowa" else slug(county)


def without_repeats(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


# ---- The plan's tables


def areas(source: Path) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [("iowa", "state", "Iowa", "", "", "")]
    found += [(district, "district", f"{name} district", "iowa", "", "") for district, name in DISTRICTS.items()]
    for row in rows_of(source / "counties.csv"):
        parent, weight = f"cd{row['congressional_district']}", row["state_convention_delegates"]
        found.append((area_id(row["county"]), "county", row["county"], parent, weight, "delegates"))
    found += [
        (area_id(heading), "county", name, parent, str(weight), "attendance")
        for heading, (name, parent, weight) in POOLS.items()
    ]
    assert len({row[0] for row in found}) == len(found), "two areas share an id"
    return found


def unit(row: Row) -> Unit:
    area, published = area_id(row["county"]), row["precinct"]
    town, _, site = published.partition(" - ")
    if site.startswith("Home of "):
        name, digest = f"Private home, {town}", hashlib.sha256(published.encode()).hexdigest()
        return Unit(f"{area}-{slug(name)}", area, name, None, (), digest, site.removeprefix("Home of "))
    # The feed escapes apostrophes; the place has no backslash in its name.
    codes = without_repeats(row["idp_short_name"], row["feed_precinct_code"].replace("\\'", "'"))
    if row["county"] in POOLS:
        return Unit(f"{area}-{slug(published)}", area, published, None, codes, "", "")
    delegates = int(row["county_convention_delegates"])
    return Unit(f"{area}-{slug(published)}", area, published, delegates, codes, "", "")


def units(source: Path) -> dict[Place, Unit]:
    found = {(row["county"], row["precinct"]): unit(row) for row in rows_of(source / "precincts.csv")}
    assert len({unit.id for unit in found.values()}) == len(found), "two places share an id"
    assert not any(";" in alias for unit in found.values() for alias in unit.aliases)
    return found


def unit_row(unit: Unit) -> tuple[str, ...]:
    kind, delegates = ("satellite", "") if unit.delegates is None else ("precinct", str(unit.delegates))
    return (unit.id, unit.area, unit.name, kind, delegates, ";".join(unit.aliases), unit.name_digest)


def group_row(name: str) -> tuple[str, ...]:
    return (slug(name), name, slug(name) if name in {"Other", "Uncommitted"} else "candidate")


def published_row(row: Row) -> tuple[str, ...]:
    release, group = RELEASES[row["release"]], row["candidate"]
    note = ""
    if row["check"] == "differs":
        note = AGGREGATOR
    elif release == "recanvass":
        note = RECANVASS_STATE
    elif release == "review" and row["check"] == "not-comparable":
        note = REVIEW_STATE
    known = "" if group == "(all)" else slug(group)
    return (release, row["measure"], known, row["published_value"], note, row["source"])


# ---- The record


def basis_of(release: str, row: Row) -> str:
    if SNAPSHOTS[release].endswith("-derived"):
        return "derived-from-feed-times"
    basis = row.get("sde_basis", "scraped")
    return NOT_RECORDED if basis == "unknown" else basis


def snapshot(source: Path, release: str, units: dict[Place, Unit]) -> dict[str, Shown]:
    by_place: dict[Place, list[Row]] = {}
    for row in rows_of(source / f"results-{SNAPSHOTS[release]}.csv"):
        by_place.setdefault((row["county"], row["precinct"]), []).append(row)
    shown: dict[str, Shown] = {}
    for place, rows in by_place.items():
        rows.sort(key=lambda row: GROUPS.index(row["candidate"]))
        assert tuple(row["candidate"] for row in rows) == GROUPS, place
        (basis,) = {basis_of(release, row) for row in rows}
        first, final, sde = (
            tuple(row[column] for row in rows) for column in ("first_alignment", "final_alignment", "sde")
        )
        assert all(count == str(int(count)) for count in first + final), place
        assert all(sde) != (basis == NOT_RECORDED), place
        shown[units[place].id] = Shown(first, final, sde, basis)
    return shown


def entries(source: Path, units: dict[Place, Unit]) -> list[Entry]:
    found: list[Entry] = []
    known: dict[str, Shown] = {}
    for release in SNAPSHOTS:
        shown = snapshot(source, release, units)
        assert known.keys() <= shown.keys(), f"{release}: a place that had been released is gone"
        for unit in units.values():
            now, before = shown.get(unit.id), known.get(unit.id)
            if now and (not before or (now.first, now.final, now.sde) != (before.first, before.final, before.sde)):
                found.append(Entry(release, unit, now))
                known[unit.id] = now
    return found


def whole_delegates(sde: tuple[str, ...], worth: Fraction) -> str:
    """County delegates behind published SDE; each must be whole and give the very decimals back."""
    delegates: list[int] = []
    for value in sde:
        count = round(Fraction(value) / worth)
        assert abs(Fraction(value) / worth - count) <= Fraction(1, 50), (value, worth)
        assert rounded_half_up(count * worth, 4) == Fraction(value) * 10**4, (value, worth)
        delegates.append(count)
    return " ".join(str(count) for count in delegates)


def night_row(entry: Entry, worth: dict[str, Fraction]) -> tuple[str, ...]:
    unit, shown = entry.unit, entry.shown
    delegates = value = ""
    if not all(shown.sde):
        value = NOT_RECORDED
    elif unit.delegates is None:
        assert all(re.fullmatch(r"0|\d+\.\d{4}", printed) for printed in shown.sde), unit.id
        value = " ".join(shown.sde)
    else:
        delegates = whole_delegates(shown.sde, worth[unit.area])
    first, final = " ".join(shown.first), " ".join(shown.final)
    return (entry.release, unit.id, first, final, delegates, value, shown.basis)


def worths(source: Path) -> dict[str, Fraction]:
    """SDE of one county delegate, by county."""
    weight, delegates = "state_convention_delegates", "county_convention_delegates"
    counties = rows_of(source / "counties.csv")
    return {area_id(row["county"]): Fraction(int(row[weight]), int(row[delegates])) for row in counties}


# ---- What others said was wrong


def groups_named(text: str) -> tuple[str, ...]:
    # A feed writes `warrene`, a newspaper `Warren`; `other` is a group only where figures follow it.
    names = [slug(name) for name in GROUPS if name != "Other"]
    pattern = rf"\b(?:({'|'.join(names)})[a-z]?|(other)(?= \(|:))\b"
    return without_repeats(*(match[1] or match[2] for match in re.finditer(pattern, text.lower())))


def figures_described(text: str) -> dict[tuple[str, str], str]:
    """Counts by stage and group that a description gives (`warrene: first 5 of 28, final 0 of 28`)."""
    if match := re.fullmatch(r"(\w+): first (\d+) of \d+, final (\d+) of \d+", text):
        (group,) = groups_named(match[1])
        return {("first", group): match[2], ("final", group): match[3]}
    return {
        (stage, slug(name)): count
        for stage, clause in re.findall(r"(first|final): ([^;]*)", text)
        for name, count in re.findall(r"([A-Z][a-z]+) (\d+)", clause)
    }


def shows(shown: Shown, figures: dict[tuple[str, str], str]) -> bool:
    ids = [slug(name) for name in GROUPS]
    stages = {"first": shown.first, "final": shown.final}
    return all(stages[stage][ids.index(group)] == count for (stage, group), count in figures.items())


def release_of(row: Row, history: list[Entry]) -> str:
    when = row["snapshot"]
    if "at 85%" in when:
        return "withdrawn-85pct"
    day = when.removeprefix("partial ").removeprefix("results of ")[:10]
    if day == "2020-02-07":
        return "100pct"
    if day == "2020-02-09":
        return "review"
    assert day in {"2020-02-05", "2020-02-06"}, when
    figures = figures_described(row["description"])
    fitting = [entry.release for entry in history if figures and shows(entry.shown, figures)]
    return fitting[0] if fitting and fitting[0] not in {"100pct", "review", "certified"} else "97pct"


COUNTED = {
    "final than first votes": "final-exceeds-first",
    "the final is higher": "final-exceeds-first",
    "lost support": "viable-group-lost-people",
    "fewer SDE": "order-inverted",
    "totals differ": "alignment-totals-differ",
    "impossible under the rules": "any-error",
}
"""What a description of a number of places is about, as the kind of finding that counts it."""


def places_counted(text: str) -> str:
    """Kind of finding and number in each part of a description (`more than 600 precincts whose totals differ`)."""
    parts: list[str] = []
    for part in text.split(";"):
        (kind,) = [kind for words, kind in COUNTED.items() if words in part]
        (number,) = re.findall(r"\d+", part)
        parts.append(f"{kind} {number}")
    return ";".join(parts)


def claims(source: Path, units: dict[Place, Unit], record: list[Entry]) -> list[tuple[str, ...]]:
    history: dict[str, list[Entry]] = {}
    for entry in record:
        history.setdefault(entry.unit.id, []).append(entry)
    found: list[tuple[str, ...]] = []
    for row in rows_of(source / "known-irregularities.csv"):
        unit = units[row["county"], row["precinct"]].id if row["precinct"] else ""
        area = area_id(row["county"]) if row["county"] else "iowa"
        text = row["description"]
        other = re.search(r"equal those of (.+?) / (.+)$", text)
        also = units[other[1], other[2]].id if other else ""
        release = release_of(row, history.get(unit, []))
        counts = places_counted(text) if row["kind"] == "aggregate-count" else ""
        groups = ";".join(groups_named(text))
        found.append((area, unit, row["kind"], groups, release, also, counts, text, row["source"]))
    return found


def refuse_private_names(units: dict[Place, Unit]) -> None:
    hosts = {word.lower() for unit in units.values() for word in unit.private.split()}
    assert hosts, "the tables name no host: the check would prove nothing"
    for path in sorted([*PLAN.iterdir(), *RECORD.iterdir()]):
        text = path.read_text(encoding="utf-8").lower()
        assert not any(host in text for host in hosts), f"{path}: names a private person"


def main(source: Path) -> None:
    places = units(source)
    record = entries(source, places)
    worth = worths(source)
    PLAN.mkdir(parents=True, exist_ok=True)
    RECORD.mkdir(parents=True, exist_ok=True)
    write(PLAN / "areas.csv", "id,level,name,parent,weight,sharing", areas(source))
    write(PLAN / "units.csv", "id,area,name,kind,delegates,aliases,name_digest", [*map(unit_row, places.values())])
    write(PLAN / "groups.csv", "id,name,kind", [*map(group_row, GROUPS)])
    figures = [published_row(row) for row in rows_of(source / "published-totals.csv")]
    write(PLAN / "published.csv", "release,measure,group,value,note,source", figures)
    night = [night_row(entry, worth) for entry in record]
    write(RECORD / "night.csv", "release,unit,first,final,delegates,value,basis", night)
    header = "area,unit,kind,groups,release,also,counts,text,source"
    write(RECORD / "claims.csv", header, claims(source, places, record))
    refuse_private_names(places)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
