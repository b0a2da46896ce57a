"""Awarding with every step, against the largest remainder of PyPI `apportionment`, on the same 1,765 places.

Both sides get the final alignment of the first complete release of Iowa 2020, with the larger alignment sum as
attendance. The library knows no viability: it is handed the viable groups only, as lists it can use at once, and is
timed for the plain method it offers (floating point, ties broken by order). Ours finds the viable groups, awards
exactly, stops at ties and keeps the numbers behind each step. Places where nobody stood are left out on both sides.
"""

from __future__ import annotations

import csv
import gc
import json
from importlib.resources import files
from statistics import median
from time import perf_counter

import apportionment.methods as theirs

from tallyroom.award import award, viability_number, viable_groups
from tallyroom.plan.catalogue import find

PAIRS = 9
RELEASES = ("62pct", "71pct", "75pct", "86pct", "92pct", "96pct", "97pct", "100pct")


def places():
    """Give (delegates, attending, final alignment) of each place as of the first complete release."""
    plan = find("iowa-2020")
    night = files("tallyroom") / "records" / "iowa-2020" / "night.csv"
    latest = {}
    with night.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["release"] in RELEASES:
                latest[row["unit"]] = row
    found = []
    for unit, row in latest.items():
        first, final = ([int(people) for people in row[stage].split()] for stage in ("first", "final"))
        attending = max(sum(first), sum(final))
        delegates = plan.units[unit].delegates
        if delegates is None:
            reached = [band.delegates for band in plan.bands if band.attending_at_least <= attending]
            delegates = reached[-1] if reached else 0
        found.append((delegates, attending, dict(zip(plan.groups, final, strict=True))))
    return plan.award_under({}), found


def timed(work):
    gc.collect()
    start = perf_counter()
    work()
    return perf_counter() - start


def rows():
    """Give the rows for `var/bench.json`."""
    rule, found = places()
    met = [place for place in found if place[0] and any(place[2].values())]
    viable = []
    for delegates, attending, final in met:
        number = viability_number(rule, delegates, attending)
        groups = viable_groups(number, final) or [group for group, people in final.items() if people]
        viable.append(([final[group] for group in groups], delegates))

    def ours():
        for delegates, attending, final in met:
            award(rule, delegates, attending, final)

    def reference():
        for people, delegates in viable:
            theirs.largest_remainder(people, delegates)

    ours(), reference()
    pairs = [(timed(ours), timed(reference)) for _ in range(PAIRS)]
    return [
        {
            "id": "award-against-apportionment",
            "value": round(median(b / a for a, b in pairs), 3),
            "goal": 0.5,
            "better": "higher",
            "ours": round(median(a for a, _ in pairs) * 1e6 / len(met), 2),
            "reference": round(median(b for _, b in pairs) * 1e6 / len(met), 2),
            "unit": f"their time / ours; microseconds a place, {len(met):,} of {len(found):,} places",
        }
    ]


if __name__ == "__main__":
    print(json.dumps(rows(), indent=2))
