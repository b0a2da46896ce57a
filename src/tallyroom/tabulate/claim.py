"""Claims as others made them: what they called irregular, where, and where it is written."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.checks import catalogue
from tallyroom.exact import parse_count
from tallyroom.faults import Fault, InputError, refuse
from tallyroom.ledger.recorded import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

    from tallyroom.plan.types import Plan

COLUMNS = ("area", "unit", "kind", "groups", "release", "also", "counts", "text", "source")
ANY_ERROR = "any-error"
"""In `counts`: places with any finding that is an error, instead of those with one kind of finding."""
AGGREGATE = "aggregate-count"
"""Kind of a claim about how many places are affected."""
KINDS = frozenset(
    {
        AGGREGATE,
        "columns-shifted",
        "delegate-order-contradicts-final-count",
        "delegate-rounding",
        "duplicate-of-another-precinct",
        "final-total-exceeds-first-total",
        "no-data",
        "over-allocation",
        "viable-candidate-has-zero-final",
        "viable-candidate-lost-support",
        "viable-group-without-delegate",
        "wrong-delegate-total",
    }
)
"""Kinds of claim that can be decided."""
COUNTABLE = frozenset(check.kind for check in catalogue())
"""Kinds of finding, of which a claim can name a number."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One irregularity that somebody reported.

    Attributes:
        line: its line in the file.
        unit: id of the place; empty where it is about an area.
        groups: ids of the groups it is about.
        release: the release whose state it describes; one that the plan does not have is not on record.
        also: id of another place it is about.
        counts: of a claim about a number of places: what is counted (a kind of finding, or `any-error`) and the number
            claimed; empty where nothing is counted here that compares.
        text: what was claimed, in the claimant's words.
    """

    line: int
    area: str
    unit: str
    kind: str
    groups: tuple[str, ...]
    release: str
    also: str
    counts: tuple[tuple[str, int], ...]
    text: str
    source: str


def read_claims(folder: Traversable, plan: Plan) -> tuple[Claim, ...]:
    """Read `claims.csv` of a recorded night; a folder without one makes no claims.

    Raises:
        InputError: all faults together: a ragged row, a kind that cannot be decided, a place or group the plan lacks.
    """
    path = folder / "claims.csv"
    file = str(path)
    if not path.is_file():
        return ()
    rows = csv.DictReader(io.StringIO(text_of(path), newline=""), strict=True)
    claims: list[Claim] = []
    faults: list[Fault] = []
    whole = 0  # lines read as rows: a torn one begins on the next
    try:
        if tuple(rows.fieldnames or ()) != COLUMNS:
            raise InputError(Fault("these are not the columns of claims", f"They are {', '.join(COLUMNS)}.", file, 1))
        whole = rows.line_num
        for row in rows:
            whole = rows.line_num
            try:
                claim = _claim(row, whole)
            except ValueError as error:
                faults.append(Fault(str(error), "Correct the row.", file, whole))
                continue
            faults.extend(Fault(what, "Correct the row.", file, claim.line) for what in _misfits(claim, plan))
            claims.append(claim)
    except csv.Error as error:
        remedy = "Correct the row; close every quotation mark."
        faults.append(Fault(f"this is not a table: {error}", remedy, file, whole + 1))
    refuse(faults)
    return tuple(claims)


def _claim(row: Mapping[str, str | None], line: int) -> Claim:
    """Read one row; the ValueError of a cell says what is wrong with it."""
    cells = {name: value for name, value in row.items() if value is not None}
    if None in row or len(cells) != len(COLUMNS):
        raise ValueError(f"the row has not {len(COLUMNS)} cells")
    area, unit, kind, groups, release, also, counts, text, source = (cells[name] for name in COLUMNS)
    of = tuple(filter(None, groups.split(";")))
    return Claim(line, area, unit, kind, of, release, also, tuple(_counts(counts)), text, source)


def _counts(cell: str) -> Iterator[tuple[str, int]]:
    """Read `final-exceeds-first 70; any-error 100`."""
    for part in filter(None, map(str.strip, cell.split(";"))):
        kind, _, number = part.rpartition(" ")
        count = parse_count(number)
        if count is None or (kind not in COUNTABLE and kind != ANY_ERROR):
            raise ValueError(f"{part!r} does not name a kind of finding and a number of places")
        yield kind, count


def _misfits(claim: Claim, plan: Plan) -> Iterator[str]:
    if claim.counts and claim.kind != AGGREGATE:
        yield f"places are counted for a claim of kind {claim.kind!r}, which is about one place"
    if claim.kind not in KINDS:
        yield f"{claim.kind!r} is not a kind of claim that can be decided"
    if claim.area not in plan.areas:
        yield f"{claim.area!r} is not an area of contest {plan.contest}"
    yield from (
        f"{unit!r} is not a unit of contest {plan.contest}"
        for unit in (claim.unit, claim.also)
        if unit and unit not in plan.units
    )
    yield from (
        f"{group!r} is not a group of contest {plan.contest}" for group in claim.groups if group not in plan.groups
    )
