"""A recorded night: a folder with `record.toml` and `night.csv` becomes drafts for a ledger.

`night.csv` has a row an entry, in the order things became known: release, unit, a column of people for each of the
`stages` of `record.toml`, delegates, values in their place, a code for where the figures come from, and perhaps
attendance and lots. Counts are separated by blanks in the order of `groups` of `record.toml`; `-` is a blank, an empty
cell is not on record.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from tallyroom.exact import parse_count
from tallyroom.faults import CannotRunError, Fault, InputError, refuse
from tallyroom.ledger.entry import Author, Draft
from tallyroom.plan.closest import closest
from tallyroom.plan.lines import Lines
from tallyroom.report.fits import misfits
from tallyroom.report.record import RecordedLot, Report
from tallyroom.report.wire import TIE, VERSION, parse_decimal, to_wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from importlib.resources.abc import Traversable

    from tallyroom.plan.types import Plan

AUTHOR = Author("record", "record-keeper")
"""Nobody filed these reports with us: they were carried from what was published."""
NOT_RECORDED = "not-recorded"
OPTIONAL = ("attendance", "lots")
"""Columns that `night.csv` may leave out."""


def columns(stages: Sequence[str]) -> tuple[str, ...]:
    """Give the columns that `night.csv` must have: that of a stage has the stage's id."""
    return ("release", "unit", *stages, "delegates", "value", "basis")


_tie = re.compile(TIE)


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
        CannotRunError: there is no such folder, or a file of it is missing or cannot be read.
        InputError: all faults of the files together: of another contest, not a count, an unknown unit.
    """
    if not _is_folder(folder):
        raise CannotRunError(Fault("there is no such folder", "Give the folder of a recorded night.", str(folder)))
    head = _head(folder / "record.toml", plan)
    reading = _Reading(plan, head, str(folder / "night.csv"))
    with io.StringIO(text_of(folder / "night.csv"), newline="") as lines:
        rows = csv.DictReader(lines, strict=True)
        whole = 0  # lines read as rows: a torn one begins on the next
        try:
            if faulty := _columns(rows.fieldnames or (), reading.columns, reading.file):
                raise InputError(faulty)
            whole = rows.line_num
            for row in rows:
                whole = rows.line_num
                reading.row(row, whole)
        except csv.Error as error:
            remedy = "Correct the row; close every quotation mark."
            reading.faults.append(Fault(f"this is not a table: {error}", remedy, reading.file, whole + 1))
    refuse(reading.faults)
    return RecordedNight(plan.contest, head.title, head.basis, tuple(reading.drafts))


_FIX = "Correct the row, or leave it out and file the report by hand."


class _Reading:
    """Rows of `night.csv` as they become drafts, and what is wrong with them."""

    def __init__(self, plan: Plan, head: _Head, file: str) -> None:
        self.plan, self.file = plan, file
        self.groups, self.stages, self.basis = tuple(head.groups), tuple(head.stages), head.basis
        self.columns = columns(self.stages)
        self.drafts: list[Draft] = []
        self.faults: list[Fault] = []
        self._latest: dict[str, int] = {}
        self._lines: dict[str, int] = {}

    def row(self, row: Mapping[str, str | None], line: int) -> None:
        """Take one row."""
        try:
            report = _report(row, self.groups, self.stages, self.columns)
        except ValueError as error:
            self.faults.append(Fault(str(error), _FIX, self.file, line))
            return
        faults = [*self._faults(row, report.unit, line), *misfits(report, self.plan, self.file, line)]
        self.faults.extend(faults)
        if not faults:
            self._file(report, row["release"] or "", row["basis"] or "")

    def _faults(self, row: Mapping[str, str | None], unit: str, line: int) -> Iterator[Fault]:
        """Give what is wrong with a row beside its figures."""
        release, basis = row["release"] or "", row["basis"] or ""
        if release not in self.plan.releases:
            yield Fault(f"release {release!r} is not in the plan", _FIX, self.file, line)
        if basis not in self.basis:
            remedy = f"Say in [basis] of record.toml what it means, or use one of {', '.join(self.basis)}."
            yield Fault(f"basis {basis!r} is not explained", remedy, self.file, line)
        before = self._lines.setdefault(f"{release}/{unit}", line)
        if before != line:
            what = f"{unit} stands twice in release {release}, first on line {before}"
            yield Fault(what, "Keep one of the two rows.", self.file, line)

    def _file(self, report: Report, release: str, basis: str) -> None:
        before = self._latest.get(report.unit)
        self._latest[report.unit] = len(self.drafts)
        self.drafts.append(
            Draft(
                kind="report",
                version=VERSION,
                contest=self.plan.contest,
                at=self.plan.releases[release].at,
                key=f"record/{release}/{report.unit}",
                author=AUTHOR,
                channel="file",
                body=to_wire(report),
                replaces=before,
                reason="" if before is None else "published-change",
                paper=basis,
            )
        )


class _Head(msgspec.Struct):
    contest: str
    title: str
    groups: list[str]
    stages: list[str]
    basis: dict[str, str]
    reference: bool = False


def reference_night() -> str:
    """Give the contest whose record is played when none is named: the one marked as the reference."""
    for folder in sorted((files("tallyroom") / "records").iterdir(), key=lambda found: found.name):
        head = folder / "record.toml"
        if head.is_file() and _decoded(head).reference:
            return folder.name
    raise CannotRunError(Fault("no recorded night is marked as the reference", "Name the contest to play."))


def _head(path: Traversable, plan: Plan) -> _Head:
    head = _decoded(path)
    if head.contest != plan.contest:
        what = f"this is the record of contest {head.contest}, not of {plan.contest}"
        raise InputError(Fault(what, f"Give the record of {plan.contest}, or name contest {head.contest}.", str(path)))
    known = {"group": [*plan.groups], "stage": [stage.id for stage in plan.stages]}
    lines = Lines(text_of(path))
    refuse(
        Fault(what, remedy, str(path), lines.of(f"{word}s"))
        for word, names in (("group", head.groups), ("stage", head.stages))
        for what, remedy in _misnamed(word, names, known[word], plan.contest)
    )
    return head


def _misnamed(word: str, names: Sequence[str], known: Sequence[str], contest: str) -> Iterator[tuple[str, str]]:
    """Give what is wrong with the groups or stages of a record."""
    for name in dict.fromkeys(names):
        if name not in known:
            yield f"{name!r} is not a {word} of {contest}", closest(name, known)
        if names.count(name) > 1:
            yield f"{word} {name!r} stands there twice", "Name it once."
        if word == "stage" and name in (*columns(()), *OPTIONAL):
            yield f"stage {name!r} has the name of a column of night.csv", "Give the stage another id in the plan."


def _decoded(path: Traversable) -> _Head:
    text = text_of(path)
    try:
        return msgspec.toml.decode(text, type=_Head)
    except (msgspec.MsgspecError, RecursionError) as error:
        what = f"this is not the head of a recorded night: {str(error).rstrip('.')}"
        place = re.search(r"at line (\d+)", str(error))
        remedy = "It needs contest, title, groups, stages and a [basis] table; see docs/parts/ledger."
        raise InputError(Fault(what, remedy, str(path), int(place[1]) if place else None)) from None


def _is_folder(folder: Traversable) -> bool:
    try:
        return folder.is_dir()
    except (OSError, ValueError):  # a name that no file system can have
        return False


def text_of(path: Traversable) -> str:
    """Read a file of a recorded night.

    Raises:
        InputError: it is not UTF-8.
        CannotRunError: it is missing or cannot be read.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        what = f"byte {error.start} is not UTF-8"
        raise InputError(Fault(what, "Save the file as UTF-8.", str(path), line)) from None
    except FileNotFoundError:
        what = "the file is missing"
        remedy = "A recorded night is a folder with record.toml and night.csv."
        raise CannotRunError(Fault(what, remedy, str(path))) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CannotRunError(Fault(f"the file cannot be read: {reason}", "Make it readable.", str(path))) from None


def _columns(found: Sequence[str], needed: Sequence[str], file: str) -> Fault | None:
    may_be = (*needed, *OPTIONAL)
    parts = [f"column {name!r} is missing" for name in needed if name not in found]
    parts += [f"column {name!r} is unknown" for name in dict.fromkeys(found) if name not in may_be]
    parts += [f"column {name!r} stands there twice" for name in may_be if found.count(name) > 1]
    if not parts:
        return None
    remedy = f"The columns are {', '.join(needed)}, and if need be {' and '.join(OPTIONAL)}."
    return Fault("; ".join(parts), remedy, file, 1)


def _report(
    row: Mapping[str, str | None], groups: Sequence[str], stages: Sequence[str], columns: Sequence[str]
) -> Report:
    """Read one row; the ValueError of a cell says what is wrong with it."""
    cells = {name: value for name, value in row.items() if value is not None}
    if None in row or not all(name in cells for name in columns):
        raise ValueError(f"the row has more or fewer cells than the {len(row) - (None in row)} columns")
    value = cells["value"]
    recorded = value not in ("", NOT_RECORDED)
    return Report(
        unit=cells["unit"],
        alignments={stage: _counts(cells[stage], groups, stage) for stage in stages if cells[stage]},
        attendance=parse_count(cells.get("attendance", "")),
        delegates=_counts(cells["delegates"], groups, "delegates") if cells["delegates"] else None,
        values={group: parse_decimal(cell) for group, cell in _cells(value, groups)} if recorded else None,
        lots=tuple(_lots(cells.get("lots", ""))),
    )


def _cells(cell: str, groups: Sequence[str]) -> Iterator[tuple[str, str]]:
    parts = cell.split()
    if len(parts) != len(groups):
        raise ValueError(f"it has {len(parts)} numbers for {len(groups)} groups")
    return ((group, part) for group, part in zip(groups, parts, strict=True) if part != "-")


def _counts(cell: str, groups: Sequence[str], column: str) -> dict[str, int]:
    try:
        return {group: _count(part) for group, part in _cells(cell, groups)}
    except ValueError as error:
        raise ValueError(f"column {column!r}: {error}") from None


@cache
def _count(text: str) -> int:
    """Read one count; nearly all of a night's are the same few hundred numbers."""
    count = parse_count(text)
    assert count is not None, "a part of a cell is never blank"
    return count


def _lots(cell: str) -> Iterator[RecordedLot]:
    for part in cell.split():
        tie, sign, drawn = part.rpartition("=")
        if not (sign and _tie.fullmatch(tie)):
            raise ValueError(f"{part!r} is not a lot such as gain:1:ash+birch@1/2=ash: TIE=group+group")
        yield RecordedLot(tie, tuple(drawn.split("+")))
