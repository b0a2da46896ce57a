"""Carry national allocations of 2016, 2020 and 2024 from their source tables into plans and records.

Usage: python tools/carry_national.py SOURCE_FOLDER

Same tables in, same bytes out; what the tables do not say stands in carry_national.toml. Each contest is then played
from the files just written: a published figure that neither agrees nor says why stops the tool.
"""

from __future__ import annotations

import csv
import re
import sys
import tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import read_night
from tallyroom.plan.folder import load
from tallyroom.tabulate.published import Verdict, replay

HOUSE = Path(__file__).parents[1] / "src" / "tallyroom"
KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
SOURCE_FIRST = {"2016": "nyt-calculator-2016"}
"""Document of pools and dates where the table has no source column."""
KINDS = {"pleo": "pleo", "at-large": "at-large", "pleo and at-large together": "at-large", "all pledged": "pledged"}
RECOMPUTED = ("at-large", "pleo")
FALLBACKS = {"2016": "ten-points-below-leader", "2020": "half-of-leader", "2024": "half-of-leader"}
POOL_NAMES = {
    "pleo": "Pledged party leaders and elected officials",
    "at-large": "At large",
    "pleo and at-large together": "Party leaders and at large together",
    "all pledged": "All pledged delegates",
    "CD at large": "The one district",
}
COUNT_ONLY = {"Other": "other", "All Others": "other", "Blank Votes": "other", "Write-in": "other"}
UNCOMMITTED = {"Uncommitted", "No Preference"}
REST = "votes not given by district"
UNKNOWN = "district unknown"
NOT_NESTED = "From another source than the returns by district on record here, which add up to other sums."

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Contest:
    """One contest with its rows of the source tables; `votes` by scope and then candidate."""

    id: str
    year: str
    known: dict[str, Any]  # a table of TOML: keys are read where they are used
    pools: list[Row]
    votes: dict[str, dict[str, int]]
    rows: list[Row]
    awarded: list[Row]

    @property
    def place(self) -> tuple[str, str, str]:
        """Id, name and time zone of the state."""
        identifier, name, zone = KNOWN["place"][self.known["postal"]]
        return identifier, name, zone

    @property
    def day(self) -> date:
        return date.fromisoformat(self.known.get("date") or self.pools[0]["date"])

    @property
    def returns(self) -> str:
        """Document of the finest returns there are."""
        by_district = [row for row in self.rows if row["scope"] != "state"]
        return document((by_district or self.rows)[0]["source"])

    @property
    def districts(self) -> list[str]:
        return [scope for scope in self.votes if re.fullmatch(r"CD\d+", scope)]


@dataclass(frozen=True, slots=True)
class Unit:
    """A reporting place: the returns of one scope."""

    id: str
    area: str
    name: str
    votes: dict[str, int]
    basis: str


def rows_of(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write_table(path: Path, header: str, rows: list[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(header.split(","))
        table.writerows(rows)


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-")


def quoted(text: str) -> str:
    assert not {'"', "\\"} & {*text}, text
    return f'"{text}"'


def document(source: str) -> str:
    """Id of the document a source column names."""
    found = [name for name, row in KNOWN["document"].items() if any(part in source for part in row.get("in", ()))]
    assert found, f"no document for {source!r}"
    return found[0]


def cited(name: str, note: str = "") -> str:
    return f"{{ document = {quoted(name)}{f', note = {quoted(note)}' if note else ''} }}"


def read(source: Path, name: str, known: dict[str, Any]) -> Contest:
    (year,) = re.findall(r"20\d\d", name)
    postal = known.setdefault("postal", name.rpartition("-")[2].upper())
    mine = {
        table: [row for row in rows_of(source / f"dem-{year}-{table}.csv") if row["contest"] == postal]
        for table in ("pools", "votes", "awarded")
    }
    same, scopes = known.get("same", {}), known.get("scopes")
    rows = [{**row, "candidate": same.get(row["candidate"], row["candidate"])} for row in mine["votes"]]
    rows = [row for row in rows if scopes is None or row["scope"] in scopes]
    votes: dict[str, dict[str, int]] = {}
    for row in rows:
        assert row["candidate"] not in votes.setdefault(row["scope"], {}), row
        votes[row["scope"]][row["candidate"]] = int(row["votes"])
    ordered = dict(sorted(votes.items(), key=lambda item: (len(item[0]) if item[0][:2] == "CD" else 9, item[0])))
    return Contest(name, year, known, mine["pools"], ordered, rows, mine["awarded"])


# ---- What is made of the votes


def remainder(contest: Contest) -> dict[str, int] | None:
    """Statewide votes the districts do not cover; None if the two do not nest."""
    left = dict(contest.votes.get("state", {}))
    for scope, votes in contest.votes.items():
        for candidate, count in votes.items() if scope != "state" else ():
            left[candidate] = left.get(candidate, 0) - count
    return None if any(count < 0 for count in left.values()) else left


def units(contest: Contest) -> list[Unit]:
    place, name, _ = contest.place
    if not contest.districts:
        return [Unit(f"{place}-returns", place, f"{name}, all returns", contest.votes["state"], "published")]
    found = [
        Unit(f"{slug(scope)}-returns", slug(scope), f"{district(scope)}, all returns", votes, "published")
        for scope, votes in contest.votes.items()
        if scope in contest.districts
    ]
    if UNKNOWN in contest.votes:
        unknown = "Returns whose district is not on record"
        found.append(Unit(f"{place}-{slug(UNKNOWN)}", place, unknown, contest.votes[UNKNOWN], "published"))
    left = {candidate: count for candidate, count in (remainder(contest) or {}).items() if count}
    if left:
        found.append(Unit(f"{place}-{slug(REST)}", place, REST.capitalize(), left, "remainder"))
    return found


def district(scope: str) -> str:
    return f"District {scope.removeprefix('CD')}"


def groups(contest: Contest) -> dict[str, str]:
    """Name and kind of each group that some unit counts, candidates first."""
    names = dict.fromkeys(candidate for unit in units(contest) for candidate in unit.votes)
    kinds = {name: "uncommitted" if name in UNCOMMITTED else COUNT_ONLY.get(name, "candidate") for name in names}
    order = ("candidate", "uncommitted", "other")
    return dict(sorted(kinds.items(), key=lambda item: order.index(item[1])))


def figures(contest: Contest) -> list[tuple[str, ...]]:
    """Rows of published.csv: awards, and statewide votes if they were published; one row for equal figures."""
    found: dict[tuple[str, str, str, str], list[str]] = {}
    early, why_early = contest.known.get("early", ("", ""))
    for row in contest.awarded:
        kind = {"total": "", "district total": "_district", "districts total": "_district", "CD at large": "_district"}
        tier = kind.get(row["pool"], f"_{row['pool'].replace('-', '_')}" if row["pool"] in RECOMPUTED else "")
        note = ""
        if row["pool"].startswith("total") and "reallocat" in row["pool"]:
            note = "After delegates of candidates who had withdrawn were shared again."
        elif document(row["source"]) == early:
            note = why_early
        group = slug(contest.known.get("same", {}).get(row["candidate"], row["candidate"]))
        found.setdefault((f"national_delegates{tier}", group, row["delegates"], note), []).append(row["source"])
    total = str(sum(int(row["delegates"]) for row in contest.pools))
    found["national_delegates_total", "", total, ""] = list(dict.fromkeys(map(pool_source, contest.pools)))
    known, note = groups(contest), ""
    if contest.districts and remainder(contest) is None:
        note = NOT_NESTED
    for row in contest.rows if not contest.known.get("made") else ():
        if row["scope"] == "state" and row["candidate"] in known:
            found["votes", slug(row["candidate"]), row["votes"], note] = [row["source"]]
    for group, count in contest.known.get("published", ()):
        where = KNOWN["document"][contest.known["published_source"]]
        found["votes", group, count, contest.known["published_note"]] = [f"{where['publisher']}, {where['title']}"]
    return [("result", *figure, "; ".join(dict.fromkeys(sources))) for figure, sources in found.items()]


def pool_source(row: Row) -> str:
    return row.get("source") or KNOWN["document"][SOURCE_FIRST[row["date"][:4]]]["where"]


# ---- The files


def summary(contest: Contest) -> str:
    total = sum(int(row["delegates"]) for row in contest.pools)
    pools = f"{len(contest.pools)} pools" if len(contest.pools) > 1 else "one pool"
    what = contest.known.get("counts", "Votes")
    by = "by congressional district" if contest.districts else "of the whole contest"
    parts = [f"{what} {by} share {total} national delegates in {pools}.", contest.known.get("says", "")]
    if any("two first candidates" in row["status"] for row in contest.rows):
        parts.append("By district only the two first candidates are on record, so their shares there are too large.")
    if contest.districts and "state" in contest.votes and remainder(contest) is None:
        parts.append("Statewide figures of another source do not fit the districts: the sum of the districts stands.")
    return " ".join(part for part in parts if part)


def rules(contest: Contest) -> str:
    known, (_, name, zone) = contest.known, contest.place
    first = contest.returns
    day = f"{contest.day.day} {contest.day:%B %Y}"
    fallback, method = FALLBACKS[contest.year], KNOWN["rule"]["method"]
    pools = [pool(contest, row) for row in contest.pools]
    kinds = [kind for kind in RECOMPUTED if any(KINDS.get(row["pool"]) == kind for row in contest.pools)]
    recomputed = f"recomputed = [{', '.join(map(quoted, kinds))}]\n" if kinds else ""
    levels = '["state", "district"]' if contest.districts else '["state"]'
    calendar = known.get("calendar") or document(pool_source(contest.pools[0]))
    kinds_from = KNOWN["kinds"].get(contest.year, "") if known["form"] != "contest" else ""
    returns = known.get("counts", "Votes")
    return f"""\
# Made by tools/carry_national.py: change the tables or the tool, then run it again.

format = 1

[contest]
id = "{contest.id}"
name = "Democratic {known["form"]} of {"the " if "Islands" in name else ""}{name}, {day}"
summary = {quoted(summary(contest))}
timezone = "{zone}"
kind = "{known["kind"]}"
levels = {levels}
source = {cited(calendar, kinds_from)}

[tables]
areas = {cited(first if contest.districts else calendar)}
units = {cited(first)}
groups = {cited(first)}

[[stage]]
id = "votes"
name = {quoted(returns)}
may_move = "nobody"
source = {cited(first)}

[[yardstick]]
id = "votes"
name = {quoted(returns)}
counts = "people"
stage = "votes"
unit = "{known.get("unit", "votes")}"
official = true
source = {cited(first)}

[national]
yardstick = "votes"
method = "largest-remainder"
threshold = "3/20"
fallback = "{fallback}"
{recomputed}source = {cited(method, KNOWN["rule"][fallback])}

{"".join(pools)}\
[[reading]]
name = "national_tie"
question = "Remainders tie for a pool's last national delegate: what decides?"
values = ["lot", "state-plan"]
in_force = "lot"
source = {cited(method, "No text on ties was found; state plans usually draw lots.")}

[[release]]
id = "result"
name = "Result on record"
at = "{contest.day + timedelta(days=1)}T12:00:00Z"
approximate = true
source = {cited(first, "The hour is not on record: noon of the day after stands in.")}
"""


def pool(contest: Contest, row: Row) -> str:
    name = row["pool"]
    area = slug(name) if name in contest.districts else contest.place[0]
    source = pool_source(row)
    where = KNOWN["document"][document(source)]["where"]
    note = "" if source in where else source
    identifier = {"CD at large": "district", "pleo and at-large together": "at-large-and-pleo"}.get(name, slug(name))
    return f"""\
[[pool]]
id = "{identifier}"
name = {quoted(POOL_NAMES.get(name) or district(name))}
kind = "{KINDS.get(name, "district")}"
area = "{area}"
delegates = {row["delegates"]}
source = {cited(document(source), note)}

"""


def sources(contest: Contest, texts: str) -> str:
    named = {*re.findall(r'document = "([^"]+)"', texts), "fhq-2018-05-09", *map(document, all_sources(contest))}
    parts = ["# Documents that rules and figures rest on: a public address, or a public GitHub repository and path.\n"]
    for name, row in KNOWN["document"].items():
        if name in named:
            keys = ("title", "publisher", "where")
            parts.append(f"\n[{name}]\n" + "".join(f"{key} = {quoted(row[key])}\n" for key in keys))
    return "".join(parts)


def all_sources(contest: Contest) -> list[str]:
    return [row["source"] for row in (*contest.rows, *contest.awarded)] + [*map(pool_source, contest.pools)]


def record(contest: Contest) -> str:
    kept = units(contest)
    document_of = KNOWN["document"][contest.returns]
    codes = {"published": "Read from the source of the release."}
    if any(unit.basis == "remainder" for unit in kept):
        state = next(row["source"] for row in contest.rows if row["scope"] == "state")
        codes["remainder"] = f"Statewide figures less those by district; statewide: {state}."
    statuses = dict.fromkeys(row["status"] for row in contest.rows if row["scope"] != "state" or not contest.districts)
    ids = ", ".join(quoted(slug(name)) for name in groups(contest))
    return f"""\
# Made by tools/carry_national.py: change the tables or the tool, then run it again.

contest = "{contest.id}"
title = "The result of {contest.day.day} {contest.day:%B %Y}"
summary = "{len(kept)} {"returns" if len(kept) > 1 else "return"} in one release."
licence = "CC0-1.0"

# Order of the counts in night.csv.
groups = [{ids}]
stages = ["votes"]

[basis]
{"".join(f"{code} = {quoted(text)}{chr(10)}" for code, text in codes.items())}
[release.result]
publisher = {quoted(document_of["publisher"])}
source = {quoted(document_of["where"])}
note = {quoted(f"Status in the tables: {'; '.join(statuses)}.")}
"""


def carry(contest: Contest) -> int:
    """Write plan and record of one contest; gives their bytes."""
    plan, recorded = HOUSE / "plans" / contest.id, HOUSE / "records" / contest.id
    plan.mkdir(parents=True, exist_ok=True)
    recorded.mkdir(parents=True, exist_ok=True)
    place, name, _ = contest.place
    areas = [(place, "state", name, "", "", "")]
    areas += [(slug(scope), "district", district(scope), place, "", "") for scope in contest.districts]
    write_table(plan / "areas.csv", "id,level,name,parent,weight,sharing", areas)
    kept = units(contest)
    write_table(plan / "units.csv", "id,area,name,kind,delegates", [(u.id, u.area, u.name, "area", "") for u in kept])
    known = groups(contest)
    write_table(plan / "groups.csv", "id,name,kind", [(slug(name), name, kind) for name, kind in known.items()])
    write_table(plan / "published.csv", "release,measure,group,value,note,source", figures(contest))
    (plan / "rules.toml").write_text(rules(contest), encoding="utf-8")
    (plan / "sources.toml").write_text(sources(contest, rules(contest)), encoding="utf-8")
    counted = [(u, " ".join(str(u.votes.get(name, "-")) for name in known)) for u in kept]
    night = [("result", unit.id, counts, "", "", unit.basis) for unit, counts in counted]
    write_table(recorded / "night.csv", "release,unit,votes,delegates,value,basis", night)
    (recorded / "record.toml").write_text(record(contest), encoding="utf-8")
    return sum(path.stat().st_size for folder in (plan, recorded) for path in folder.iterdir())


def prove(contest: str) -> str:
    """Play a contest from its files; gives its awards, and fails on a figure that neither agrees nor says why."""
    plan = load(HOUSE / "plans" / contest, contest)
    with MemoryLedger(contest) as ledger:
        ledger.append(read_night(HOUSE / "records" / contest, plan).drafts)
        (played,) = replay(ledger.entries(), plan)
    for row in played.compared:
        assert row.verdict is Verdict.AGREES or row.figure.note, (contest, row)
    won = [row.figure for row in played.compared if row.figure.measure == "national_delegates" and not row.figure.note]
    return ", ".join(f"{figure.group} {figure.value}" for figure in won)


def main(source: Path) -> None:
    total = 0
    for name, known in KNOWN["contest"].items():
        contest = read(source, name, known)
        size = carry(contest)
        total += size
        print(f"{name}: {size:,} bytes; {prove(name)}")
    print(f"{len(KNOWN['contest'])} contests, {total:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
