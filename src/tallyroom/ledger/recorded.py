"""A recorded night: a folder with `record.toml` and `night.csv` becomes drafts for a ledger.

`night.csv` has a row an entry, in the order things became known: release, unit, the people of every stage, delegates,
values in their place, attendance, lots, and a code for where the figures come from. Counts are separated by blanks
in the order of `groups` of `record.toml`; `-` is a blank, an empty cell is not on record.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from tallyroom.exact import parse_count, parse_fraction
from tallyroom.faults import CannotRunError, Fault, InputError, refuse
from tallyroom.ledger.entry import Author, Draft
from tallyroom.report.fits import misfits
from tallyroom.report.record import RecordedLot, Report
from tallyroom.report.wire import VERSION, to_wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from importlib.resources.abc import Traversable

    from tallyroom.plan.types import Plan

AUTHOR = Author("record", "record-keeper")
"""Nobody filed these reports with us: they were carried from what was published."""
NOT_RECORDED = "not-recorded"
COLUMNS = ("release", "unit", "first", "final", "delegates", "value", "basis")
OPTIONAL = ("attendance", "lots")


@dataclass(frozen=True, slots=True)
class RecordedNight:
    """A night as it became known.

    Attributes:
        basis: code -> sentence saying where figures of that basis come from.
        drafts: one an entry, in order; `at` is the time of the release that first showed it.
    """

    contest: str
    title: str
    basis: Mapping[str, str]
    drafts: tuple[Draft, ...]


def folder_of(contest: str) -> Traversable:
    """Give the folder of a recorded night that comes with Tallyroom.

    Raises:
        CannotRunError: there is no record of that contest.
    """
    folder = files("tallyroom") / "records" / contest
    if not (folder / "record.toml").is_file():
        what = f"there is no recorded night of contest {contest!r}"
        raise CannotRunError(Fault(what, "Give a ledger with --ledger FILE, or name a contest that has a record."))
    return folder


def read_night(folder: Traversable, plan: Plan) -> RecordedNight:
    """Read a recorded night.

    Raises:
        InputError: all faults of the files together: of another contest, not a count, an unknown unit.
    """
    head = _head(folder / "record.toml", plan)
    groups, stages = tuple(head.groups), tuple(head.stages)
    file = f"{folder.name}/night.csv"
    faults: list[Fault] = []
    drafts: list[Draft] = []
    latest: dict[str, int] = {}
    with io.StringIO(_text(folder / "night.csv")) as lines:
        rows = csv.DictReader(lines, strict=True)
        if faulty := _columns(rows.fieldnames or (), file):
            raise InputError(faulty)
        for row in rows:
            try:
                report = _report(row, groups, stages)
                release = plan.releases[row["release"]]
            except KeyError:
                faults.append(Fault(f"release {row['release']!r} is not in the plan", _FIX, file, rows.line_num))
                continue
            except ValueError as error:
                faults.append(Fault(str(error), _FIX, file, rows.line_num))
                continue
            faults.extend(misfits(report, plan, file, rows.line_num))
            before = latest.get(report.unit)
            latest[report.unit] = len(drafts)
            drafts.append(
                Draft(
                    kind="report",
                    version=VERSION,
                    contest=plan.contest,
                    at=release.at,
                    key=f"record/{release.id}/{report.unit}",
                    author=AUTHOR,
                    channel="file",
                    body=to_wire(report),
                    replaces=before,
                    reason="" if before is None else "published-change",
                    paper=row["basis"],
                )
            )
    refuse(faults)
    return RecordedNight(plan.contest, head.title, head.basis, tuple(drafts))


_FIX = "Correct the row, or leave it out and file the report by hand."


class _Head(msgspec.Struct):
    contest: str
    title: str
    groups: list[str]
    stages: list[str]
    basis: dict[str, str]


def _head(path: Traversable, plan: Plan) -> _Head:
    try:
        head = msgspec.toml.decode(path.read_text(encoding="utf-8-sig"), type=_Head)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        what = f"this is not the head of a recorded night: {str(error).rstrip('.')}"
        raise InputError(Fault(what, "Correct the file; see docs/parts/ledger.", path.name)) from None
    if head.contest != plan.contest:
        what = f"this is the record of contest {head.contest}, not of {plan.contest}"
        raise InputError(Fault(what, "Name the plan of the record's own contest.", path.name))
    return head


def _text(path: Traversable) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8"
        raise InputError(Fault(what, "Save the file as UTF-8.", path.name)) from None


def _columns(found: Sequence[str], file: str) -> Fault | None:
    wrong = [name for name in found if name not in (*COLUMNS, *OPTIONAL)]
    missing = [name for name in COLUMNS if name not in found]
    if not wrong and not missing:
        return None
    parts = [f"column {name!r} is missing" for name in missing] + [f"column {name!r} is unknown" for name in wrong]
    return Fault("; ".join(parts), f"The columns are {', '.join((*COLUMNS, *OPTIONAL))}.", file, 1)


def _report(row: Mapping[str, str | None], groups: Sequence[str], stages: Sequence[str]) -> Report:
    """Read one row; the ValueError of a cell says what is wrong with it."""
    cells = {name: value for name, value in row.items() if value is not None}
    if None in row or not all(name in cells for name in COLUMNS):
        raise ValueError(f"the row has more or fewer cells than the {len(row) - (None in row)} columns")
    value = cells["value"]
    recorded = value not in ("", NOT_RECORDED)
    return Report(
        unit=cells["unit"],
        alignments={stage: dict(_counts(cells[stage], groups, stage)) for stage in stages if cells[stage]},
        attendance=parse_count(cells.get("attendance", "")),
        delegates=dict(_counts(cells["delegates"], groups, "delegates")) if cells["delegates"] else None,
        values={group: parse_fraction(cell) for group, cell in _cells(value, groups, "value")} if recorded else None,
        lots=tuple(_lots(cells.get("lots", ""))),
    )


def _cells(cell: str, groups: Sequence[str], column: str) -> Iterator[tuple[str, str]]:
    parts = cell.split()
    if len(parts) != len(groups):
        raise ValueError(f"column {column!r} has {len(parts)} numbers for {len(groups)} groups")
    return ((group, part) for group, part in zip(groups, parts, strict=True) if part != "-")


def _counts(cell: str, groups: Sequence[str], column: str) -> Iterator[tuple[str, int]]:
    for group, part in _cells(cell, groups, column):
        count = parse_count(part)
        if count is not None:
            yield group, count


def _lots(cell: str) -> Iterator[RecordedLot]:
    for part in cell.split():
        tie, sign, drawn = part.rpartition("=")
        if not sign:
            raise ValueError(f"{part!r} is not a lot such as TIE=group+group")
        yield RecordedLot(tie, tuple(drawn.split("+")))
