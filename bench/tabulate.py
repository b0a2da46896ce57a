"""Tabulating Iowa 2020: cold from the ledger's file, one report more, and the memory that takes.

Cold is: open the SQLite file, read and decode its 1,913 entries, tabulate both bases, give the state's standing on
both. One more is: count one report and give the state's standing, for every report in random order, corrections
after what they correct. Both are process time, the best of several runs, for other programs share the machine;
`reference` is the wall clock of the same run. Loading the plan and importing are not part of it.
"""

from __future__ import annotations

import gc
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.ledger.sqlite import SqliteLedger
from tallyroom.plan.catalogue import find
from tallyroom.tabulate import Basis, Tabulation, tabulated

CONTEST = "iowa-2020"
RUNS = 15
COLD_MS = 100
ONE_MORE_US = 200
PEAK_MB = 96
"""Room for eight such processes beside everything else on a rented machine of 1 GB."""


def written(folder):
    """Write the night into a ledger and give its file."""
    path, plan = folder / "ledger.sqlite", find(CONTEST)
    with SqliteLedger(path, CONTEST, create=True) as ledger:
        ledger.append(read_night(folder_of(CONTEST), plan).drafts)
    return path


def cold(path):
    """Tabulate from the file alone."""
    with SqliteLedger(path, CONTEST, read_only=True) as ledger:
        tabulation = tabulated(ledger.entries(), find(CONTEST))
    standings = [tabulation.top(basis) for basis in Basis]
    assert [standing.progress.reported for standing in standings] == [1765, 1765]
    return tabulation


def timed(work):
    """Give process and wall seconds."""
    gc.collect()
    wall, process = time.perf_counter(), time.process_time()
    work()
    return time.process_time() - process, time.perf_counter() - wall


def one_by_one(entries):
    """Count one report after the other and read the state's standing each time."""
    tabulation = Tabulation(find(CONTEST))
    for entry in entries:
        tabulation.add(entry)
        tabulation.top()


def in_random_order(entries):
    """Shuffle places; a place's own entries stay in order."""
    by_unit = {}
    for entry in entries:
        by_unit.setdefault(json.loads(bytes(entry.body))["unit"], []).append(entry)
    order = [unit for unit, rows in by_unit.items() for _ in rows]
    random.Random(2020).shuffle(order)
    waiting = {unit: iter(rows) for unit, rows in by_unit.items()}
    return [next(waiting[unit]) for unit in order]


def peak(path):
    """Give the peak memory (MB) of a fresh process that tabulates cold."""
    done = subprocess.run([sys.executable, __file__, "--peak", path], stdout=subprocess.PIPE, check=True)
    return int(done.stdout) / 1024


def row(name, best, goal, scale, unit):
    process, wall = best
    return {
        "id": name,
        "value": round(process * scale, 1),
        "goal": goal,
        "better": "lower",
        "ours": round(process * scale, 1),
        "reference": round(wall * scale, 1),
        "unit": unit,
    }


def rows():
    """Give the rows for `var/bench.json`."""
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder))
        with SqliteLedger(path, CONTEST, read_only=True) as ledger:
            entries = in_random_order(list(ledger.entries()))
        first = min(timed(lambda: cold(path)) for _ in range(RUNS))
        more = min(timed(lambda: one_by_one(entries)) for _ in range(RUNS // 3))
        megabytes = round(peak(path), 1)
    said = "process time, best of several; reference: wall clock of that run"
    return [
        row("tabulate-cold", first, COLD_MS, 1e3, f"ms, {said}"),
        row("tabulate-one-more", more, ONE_MORE_US, 1e6 / len(entries), f"microseconds a report, {said}"),
        {
            "id": "tabulate-peak-memory",
            "value": megabytes,
            "goal": PEAK_MB,
            "better": "lower",
            "ours": megabytes,
            "reference": None,
            "unit": "MB, peak of a fresh process that loads the plan and tabulates cold",
        },
    ]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peak"]:
        cold(sys.argv[2])
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    else:
        print(json.dumps(rows(), indent=2))
