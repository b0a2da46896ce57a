"""Whole states in a batch without steps: against PyPI `apportionment`, PyPI `votelib`, and the same rule in C.

All get the places of bench/award.py. The libraries know no viability: they are handed the viable groups only, in the
form they can use at once, and are timed for plain largest remainder. Ours finds the viable groups, awards by the whole
rule and says where a lot is needed. The C program (award_batch.c) does the same work, checks included, and its results
are held to ours before it is timed; both write over results made beforehand. Without a C compiler its row is left out.
Times are the thread's own, without what others had of the processor meanwhile.
"""

from __future__ import annotations

import ctypes
import gc
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import thread_time

import apportionment.methods
import numpy as np
from votelib.evaluate.proportional import LargestRemainder

from award import places
from tallyroom.award import batch, batch_kernel, viability_number, viable_groups

PAIRS, LIBRARY_PAIRS, STATES = 400, 9, 50
SOURCE = Path(__file__).with_suffix(".c")


def timed(work, times=1):
    start = thread_time()
    for _ in range(times):
        work()
    return (thread_time() - start) / times


def compared(ours, reference, pairs, states, again):
    """Time both by turns; give seconds a state of each, and the median of reference / ours."""
    ours(), reference()
    gc.collect()
    measured = [(timed(ours, states), timed(reference, again)) for _ in range(pairs)]
    return (*(median(column) for column in zip(*measured, strict=True)), median(b / a for a, b in measured))


def libraries(rule, met):
    """Give the same state as each library takes it."""
    viable = []
    for delegates, attending, final in met:
        number = viability_number(rule, delegates, attending)
        groups = viable_groups(number, final) or [group for group, people in final.items() if people]
        viable.append(({group: final[group] for group in groups}, delegates))
    lists = [([*people.values()], delegates) for people, delegates in viable]
    hare = LargestRemainder("hare")
    yield "apportionment", lambda: [apportionment.methods.largest_remainder(*place) for place in lists]
    yield "votelib", lambda: [hare.evaluate(*place) for place in viable]


def in_c(rule, delegates, attending, final, expected, folder):
    """Build the C program and hold it to our results; give one call of it, or None without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        print("no C compiler here: the row against C is left out", file=sys.stderr)
        return None
    built = Path(folder) / "award_batch.so"
    subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", built, SOURCE], check=True)
    award_units = ctypes.CDLL(str(built)).award_units
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    award_units.argtypes = [pointer, pointer, number, number, number, *[pointer] * 6]
    award_units.restype = number
    switches, table = batch._switches(rule), batch._table(rule.viability)
    units, groups = final.shape
    columns = batch_kernel.SHORT + 1
    results = (np.empty((units, columns), np.int64), np.empty(final.shape, np.int64), np.empty(final.shape, np.uint8))
    given = [array.ctypes.data for array in (delegates, attending, final, *results)]

    def call():
        return award_units(switches.ctypes.data, table.ctypes.data, len(table), units, groups, *given)

    assert call() == units
    for ours, theirs in zip((expected.facts[:, :columns], expected.delegates, expected.marks), results, strict=True):
        assert np.array_equal(ours, theirs)
    call.results = results
    return call


def row(name, goal, measured, unit):
    ours, reference, ratio = measured
    return {
        "id": f"award-batch-against-{name}",
        "value": round(ratio, 3),
        "goal": goal,
        "better": "higher",
        "ours": round(ours * 1e6, 1),
        "reference": round(reference * 1e6, 1),
        "unit": f"their time / ours; microseconds a state of {unit}",
    }


def rows():
    """Give the rows for `var/bench.json`."""
    rule, found = places()
    met = [place for place in found if place[0] and any(place[2].values())]
    delegates, attending = (np.array([place[column] for place in met], np.int64) for column in (0, 1))
    final = np.array([[*place[2].values()] for place in met], np.int64)
    awards = batch.award_many(rule, delegates, attending, final)

    def ours():
        batch.award_many(rule, delegates, attending, final, into=awards)

    size = f"{len(met):,} of {len(found):,} places"
    measured = [
        row(name, 200, compared(ours, library, LIBRARY_PAIRS, STATES, 1), size)
        for name, library in libraries(rule, met)
    ]
    with tempfile.TemporaryDirectory() as folder:
        program = in_c(rule, delegates, attending, final, awards, folder)
        if program is not None:
            measured.append(row("c", 0.8, compared(ours, program, PAIRS, 5, 5), size))
    return measured


if __name__ == "__main__":
    print(json.dumps(rows(), indent=2))
