"""Carry the votes of the Iowa Republican caucuses of 2016, county by county, into a plan and a record.

Usage: python tools/carry_iowa_gop_2016.py SOURCE_FOLDER AWARDED_TABLE

The folder holds county-results.csv and published-totals.csv, the table says who won how many delegates. Same tables in,
same bytes out. The contest is then played: a published figure that neither agrees nor says why stops the tool.
"""

from __future__ import annotations

import sys
from pathlib import Path

from carry_national import HOUSE, Row, cited, prove, rows_of, slug, write_table

CONTEST = "iowa-gop-2016"
DELEGATES = 30
MILITARY = "Military"
"""Heading of the feed beside the 99 counties: 19 votes of its own."""
SUMMARY = (
    f"Votes of 99 counties and of a heading for the military share {DELEGATES} national delegates in one pool, without "
    "a threshold. The figures are votes by county: those of the 1,682 places are not on record here."
)
RULES = f"""\
# Made by tools/carry_iowa_gop_2016.py: change the tables or the tool, then run it again.

format = 1

[contest]
id = "{CONTEST}"
name = "Iowa Republican caucuses, 1 February 2016"
summary = "{SUMMARY}"
timezone = "America/Chicago"
kind = "preference-poll"
levels = ["state"]
source = {cited("nyt-calculator-2016")}

[tables]
areas = {cited("gazette-counties-2016")}
units = {cited("gazette-counties-2016")}
groups = {cited("gazette-statewide-2016")}

[[stage]]
id = "votes"
name = "Votes"
may_move = "nobody"
source = {cited("gazette-counties-2016")}

[[yardstick]]
id = "votes"
name = "Votes"
counts = "people"
stage = "votes"
unit = "votes"
official = true
source = {cited("gazette-counties-2016")}

# The rule as told rounds to the nearest whole and then moves the value closest to the rounding line until the sum fits.
[national]
yardstick = "votes"
method = "largest-remainder"
threshold = "0"
fallback = "none"
source = {cited("nyt-calculator-2016", "Ordinary rounding, then a correction; largest remainders give the same.")}

[[pool]]
id = "all"
name = "All delegates, shared statewide"
kind = "statewide"
area = "iowa"
delegates = {DELEGATES}
source = {cited("nyt-calculator-2016", "15 at large, 12 of districts and 3 of the party, shared together.")}

[[reading]]
name = "national_tie"
question = "Remainders tie for the last national delegate: what decides?"
values = ["lot", "state-plan"]
in_force = "lot"
source = {cited("nyt-calculator-2016", "No text on ties was found.")}

[[release]]
id = "result"
name = "Result on record"
at = "2016-02-02T12:00:00Z"
approximate = true
source = {cited("gazette-counties-2016", "The hour is not on record: noon of the day after stands in.")}
"""
SOURCES = """\
# Documents that rules and figures rest on: a public address, or a public GitHub repository and path.

[gazette-counties-2016]
title = "Feed of the party, results by county"
publisher = "Republican Party of Iowa, kept by The Gazette"
where = "GitHub thegazettedata/data-processing: projects/caucus-results/raw_feeds/iagop-counties.json"

[gazette-statewide-2016]
title = "Feed of the party, statewide record"
publisher = "Republican Party of Iowa, kept by The Gazette"
where = "GitHub thegazettedata/data-processing: projects/caucus-results/output/iagop-statewide.csv"

[nyt-calculator-2016]
title = "Delegate calculator of March 2016: rules and delegates won so far"
publisher = "The New York Times"
where = "nytimes.com, module 2016-03-15-delegate-calculator, in a stored copy of the home page of mid-March 2016"

[edgecaseberg-2016]
title = "Results of the primaries of 2016"
publisher = "EdgeCaseBerg"
where = "GitHub EdgeCaseBerg/Election2016: data/primaries.csv"
"""
RECORD = """\
# Made by tools/carry_iowa_gop_2016.py: change the tables or the tool, then run it again.

contest = "{contest}"
title = "The result of 1 February 2016"
summary = "99 counties and the heading for the military in one release."
licence = "CC0-1.0"

# Order of the counts in night.csv.
groups = [{groups}]
stages = ["votes"]

[basis]
published = "Read from the feed of the party, all places of the county reported."

[release.result]
publisher = "Republican Party of Iowa"
source = "GitHub thegazettedata/data-processing: projects/caucus-results/raw_feeds/iagop-counties.json"
note = "The county votes add up to all 13 statewide figures."
"""


def by_county(rows: list[Row], candidates: list[str]) -> dict[tuple[str, str], list[str]]:
    """Votes of every county in the order of the candidates; the key is its name and its census code."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        assert row["precincts_reporting"] == row["precincts_total"], row
        votes = found.setdefault((row["county"], row["fips"]), {})
        assert row["candidate"] not in votes, row
        votes[row["candidate"]] = row["votes"]
    assert all(len(votes) == len(candidates) for votes in found.values())
    return {county: [votes[candidate] for candidate in candidates] for county, votes in found.items()}


def figures(source: Path, awarded: Path) -> list[tuple[str, ...]]:
    won: dict[tuple[str, str], list[str]] = {}
    for row in rows_of(awarded):
        if (row["contest"], row["pool"]) == ("IA", "total"):
            won.setdefault((row["candidate"], row["delegates"]), []).append(row["source"])
    rows = [("national_delegates", slug(name), count, "; ".join(by)) for (name, count), by in won.items()]
    rows.append(("national_delegates_total", "", str(DELEGATES), "The New York Times, delegate calculator, March 2016"))
    votes = rows_of(source / "published-totals.csv")
    rows += [("votes", slug(row["candidate"]), row["published_votes"], row["source"]) for row in votes]
    return [("result", measure, group, value, "", where) for measure, group, value, where in rows]


def main(source: Path, awarded: Path) -> None:
    plan, record = HOUSE / "plans" / CONTEST, HOUSE / "records" / CONTEST
    plan.mkdir(parents=True, exist_ok=True)
    record.mkdir(parents=True, exist_ok=True)
    totals = {row["candidate"]: int(row["published_votes"]) for row in rows_of(source / "published-totals.csv")}
    candidates = sorted(totals, key=lambda name: (name == "Other", -totals[name]))
    counties = by_county(rows_of(source / "county-results.csv"), candidates)
    write_table(plan / "areas.csv", "id,level,name,parent,weight,sharing", [("iowa", "state", "Iowa", "", "", "")])
    ids = {name: slug(name) + ("" if name == MILITARY else "-county") for name, _ in counties}
    units = [(ids[name], "iowa", name, "area", "", fips) for name, fips in counties]
    write_table(plan / "units.csv", "id,area,name,kind,delegates,aliases", units)
    groups = [(slug(name), name, "other" if name == "Other" else "candidate") for name in candidates]
    write_table(plan / "groups.csv", "id,name,kind", groups)
    write_table(plan / "published.csv", "release,measure,group,value,note,source", figures(source, awarded))
    (plan / "rules.toml").write_text(RULES, encoding="utf-8")
    (plan / "sources.toml").write_text(SOURCES, encoding="utf-8")
    night = [
        ("result", unit[0], " ".join(votes), "", "", "published")
        for unit, votes in zip(units, counties.values(), strict=True)
    ]
    write_table(record / "night.csv", "release,unit,votes,delegates,value,basis", night)
    order = ", ".join(f'"{slug(name)}"' for name in candidates)
    head = RECORD.format(contest=CONTEST, groups=order)
    (record / "record.toml").write_text(head, encoding="utf-8")
    print(f"{CONTEST}: {prove(CONTEST)}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
