"""Growth of tabulation: the night with ten and a hundred times the counties and places.

Every county and pool stands k times in the plan, and so do the entries of its places; the state and the districts stay
one. Each size is tabulated from entries in memory and its standing read on both bases; cost is process time a place,
the median of the runs (the best would favour the small, which can run often), and the ratio is to the plain night in
the same run. What makes it grow is memory: the figures of one state fit into the cache, those of a hundred do not, and
the one pass of garbage collection at the end meets all of them.
"""

from __future__ import annotations

import gc
import json
import time
from dataclasses import replace
from statistics import median

from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.plan.catalogue import find
from tallyroom.tabulate import Basis, tabulated

CONTEST = "iowa-2020"
TIMES = (1, 10, 100)
RUNS = {1: 9, 10: 3, 100: 1}
GOAL = 1.5


def name(id_: str, copy: int) -> str:
    """Give the name of a copy; the first keeps its own."""
    return id_ if copy == 0 else f"{id_}-copy-{copy}"


def grown(plan, times: int):
    """Give a plan in which every county and pool stands `times` times."""
    counties = {id_ for id_, area in plan.areas.items() if area.level == plan.levels[-1]}
    areas, units = {}, {}
    for id_, area in plan.areas.items():
        for copy in range(times if id_ in counties else 1):
            areas[name(id_, copy)] = replace(area, id=name(id_, copy))
    for copy in range(times):
        for unit in plan.units.values():
            copied = replace(unit, id=name(unit.id, copy), area=name(unit.area, copy))
            units[copied.id] = copied
    return replace(plan, areas=areas, units=units, published=())


def entries_of(drafts, times: int):
    """Give the entries of as many nights; corrections name what they correct in their own."""
    with MemoryLedger(CONTEST) as ledger:
        for copy in range(times):
            first = copy * len(drafts)
            ledger.append(
                [
                    replace(
                        draft,
                        key=f"{draft.key}/{copy}",
                        body={**draft.body, "unit": name(draft.body["unit"], copy)},
                        replaces=None if draft.replaces is None else draft.replaces + first,
                    )
                    for draft in drafts
                ]
            )
        return list(ledger.entries())


def seconds(entries, plan) -> float:
    """Tabulate once and give the process time; the plan's own tables are made before."""
    gc.collect()
    begun = time.process_time()
    tabulation = tabulated(entries, plan)
    standings = [tabulation.top(basis) for basis in Basis]
    spent = time.process_time() - begun
    assert [standing.progress.reported for standing in standings] == [len(plan.units)] * 2
    return spent


def rows():
    """Give the rows for `var/bench.json`."""
    plan = find(CONTEST)
    drafts = read_night(folder_of(CONTEST), plan).drafts
    each = {}
    for times in TIMES:
        larger = grown(plan, times)
        entries = entries_of(drafts, times)
        each[times] = median(seconds(entries, larger) for _ in range(RUNS[times])) / len(larger.units) * 1e6
    return [
        {
            "id": f"tabulate-growth-{times}x",
            "value": round(each[times] / each[1], 3),
            "goal": GOAL,
            "better": "lower",
            "ours": round(each[times], 1),
            "reference": round(each[1], 1),
            "unit": f"microseconds of process time a place, {times} times the places; reference: the plain night",
        }
        for times in TIMES[1:]
    ]


if __name__ == "__main__":
    print(json.dumps(rows(), indent=2))
