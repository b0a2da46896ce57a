"""A contest as polars frames, for people who work in Python: standings, places, counts, awards, findings, pools.

    import tallyroom

    night = tallyroom.load("iowa-2020", release="100pct")
    tallyroom.standings(night, level="county")

Counts are integers; a sum on a yardstick is a decimal with as many places as the plan rounds it to, beside its exact
fraction as text. What is not on record is null, never 0. A share is the nearest float of an exact fraction.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias

import polars as pl

from tallyroom.award.viability import viability_number
from tallyroom.exact import ratio
from tallyroom.faults import CannotRunError, Fault
from tallyroom.ledger.reading import recorded_entries, stored_entries
from tallyroom.plan.catalogue import find
from tallyroom.plan.closest import closest
from tallyroom.plan.readings import choose
from tallyroom.tabulate import Basis, Tabulation, tabulated
from tallyroom.tabulate.findings import findings as found_in
from tallyroom.tabulate.moment import moment
from tallyroom.tabulate.national import national as shared_in
from tallyroom.tabulate.wire import numbers_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tallyroom.tabulate.ruled import Ruled

Rows: TypeAlias = "Iterator[tuple[object, ...]]"

_DECIMAL_DIGITS = 38
"""Digits of a decimal column, the most that polars has."""


def load(
    contest: str,
    *,
    ledger: str | Path | None = None,
    record: str | None = None,
    at: str | None = None,
    release: str | None = None,
    readings: Mapping[str, str] | None = None,
    hindsight: bool = False,
) -> Tabulation:
    """Open a contest at a moment.

    Args:
        contest: id of a plan that comes with Tallyroom, or the folder of one.
        ledger: a ledger, as a file or as `postgresql://...`; without it the recorded night of the contest is read.
        record: folder of another recorded night.
        at: only what was recorded by then, as `2020-02-07T01:28:00Z`; everything by default.
        release: the same by the id of a release of the plan.
        readings: readings other than those in force, value by name.
        hindsight: count by the plan after its last amendment instead of the one in force then.

    Raises:
        CannotRunError: no such contest, ledger, record, moment or reading.
        InputError: the plan or the record has faults; all are named.
    """
    plan = find(contest)
    chosen = choose(plan, readings or {})
    when = moment(plan, at, release)
    if ledger is not None and record is not None:
        raise CannotRunError(Fault("a ledger and a record were both given", "Give one of them."))
    entries = recorded_entries(plan, record) if ledger is None else stored_entries(ledger, plan)
    return tabulated(entries, plan, at=when.at, readings=chosen, hindsight=hindsight, file=str(ledger or ""))


def standings(night: Tabulation, *, basis: str = "as-written", level: str | None = None) -> pl.DataFrame:
    """Give the standing of every area on every yardstick, a row an area, yardstick and group.

    Columns: `level`, `area`, `name`, `yardstick`, `official`, `group`, `value` (decimal), `exact` (`p/q`), `share`
    (of all groups, 0 to 1), `lowest` and `highest` (bounds of `value` where some places have no value on record),
    `reported` and `expected` (places), `without_value` (places that have reported, but not on this yardstick).

    Args:
        night: what `load` gave.
        basis: `as-written` or `by-rule`.
        level: only areas of this level, such as `county`; all levels by default.

    Raises:
        CannotRunError: no such basis or level.
    """
    plan, by = night.plan, _basis(basis)
    if level is not None and level not in plan.levels:
        raise CannotRunError(Fault(f"{level!r} is not a level of {plan.contest}", closest(level, plan.levels)))
    places = max(yardstick.decimals for yardstick in plan.yardsticks)

    def rows() -> Rows:
        for area in plan.areas.values():
            if level in (None, area.level):
                standing = night.of_area(area.id, by)
                for one in standing.yardsticks:
                    decimals = one.yardstick.decimals
                    for group in one.groups:
                        yield (
                            *(area.level, area.id, area.name, one.yardstick.id, one.yardstick.official, group.group),
                            _decimal(group.printed, decimals),
                            ratio(group.exact),
                            float(group.share),
                            _decimal(group.lowest, decimals),
                            _decimal(group.highest, decimals),
                            *(standing.progress.reported, standing.progress.expected, one.units_without_value),
                        )

    value = pl.Decimal(_DECIMAL_DIGITS, places)
    schema = {
        **dict.fromkeys(("level", "area", "name", "yardstick"), pl.String()),
        "official": pl.Boolean(),
        "group": pl.String(),
        "value": value,
        "exact": pl.String(),
        "share": pl.Float64(),
        "lowest": value,
        "highest": value,
        **dict.fromkeys(("reported", "expected", "without_value"), pl.Int64()),
    }
    return _frame(rows(), schema)


def places(night: Tabulation) -> pl.DataFrame:
    """Give every reporting place, a row each.

    Columns: `unit`, `area`, `name`, `kind`, `elects` (delegates; null if not known), `reported`, `filings` (reports
    and corrections), `at` (UTC, of the one in force), `attendance`, `attendance_from` (`recorded` or the reading that
    stands in), `viability_number`, `undetermined` (why the rule gives no single award; null where it does).
    """
    plan = night.plan

    def rows() -> Rows:
        for unit in plan.units.values():
            ruled, filings = night.ruled.get(unit.id), night.filed.filings.get(unit.id, [])
            present = ruled.attendance if ruled is not None else None
            yield (
                *(unit.id, unit.area, unit.name, unit.kind, unit.delegates if ruled is None else ruled.delegates),
                *(ruled is not None, len(filings), filings[-1].at if filings else None),
                present and present.people,
                present and present.taken_from,
                None if ruled is None else _number(night, ruled),
                None if ruled is None or ruled.undetermined is None else str(ruled.undetermined),
            )

    schema = {
        **dict.fromkeys(("unit", "area", "name", "kind"), pl.String()),
        "elects": pl.Int64(),
        "reported": pl.Boolean(),
        "filings": pl.Int64(),
        "at": pl.Datetime("us", "UTC"),
        "attendance": pl.Int64(),
        "attendance_from": pl.String(),
        "viability_number": pl.Int64(),
        "undetermined": pl.String(),
    }
    return _frame(rows(), schema)


def counts(night: Tabulation) -> pl.DataFrame:
    """Give the people counted, a row a place, stage and group: `unit`, `area`, `stage`, `group`, `people`.

    A group that was left blank has a row with null; a place that has not reported, or a stage it left out, has none.
    """
    plan = night.plan

    def rows() -> Rows:
        for filing in night.filed.in_force():
            area = plan.units[filing.report.unit].area
            for stage in plan.stages:
                people = filing.report.alignments.get(stage.id)
                if people is not None:
                    for group in plan.groups:
                        yield filing.report.unit, area, stage.id, group, people.get(group)

    schema = {**dict.fromkeys(("unit", "area", "stage", "group"), pl.String()), "people": pl.Int64()}
    return _frame(rows(), schema)


def awards(night: Tabulation) -> pl.DataFrame:
    """Give the delegates awarded, a row a place and group that has reported.

    Columns: `unit`, `area`, `group`, `written` (as on the sheet; null if not on record), `by_rule` (null where
    neither the rule nor the sheet gives any), `undetermined` (why the rule gives no single award, so that the written
    one counts), `differs` (the two are known and not the same).
    """
    plan = night.plan

    def rows() -> Rows:
        for filing in night.filed.in_force():
            ruled = night.ruled.get(filing.report.unit)
            if ruled is None:
                continue
            why = None if ruled.undetermined is None else str(ruled.undetermined)
            for group in plan.groups:
                written = None if filing.report.delegates is None else filing.report.delegates.get(group)
                by_rule = None if ruled.awarded is None else ruled.awarded.get(group, 0)
                differs = None if written is None or by_rule is None else written != by_rule
                yield filing.report.unit, plan.units[filing.report.unit].area, group, written, by_rule, why, differs

    schema = {
        **dict.fromkeys(("unit", "area", "group"), pl.String()),
        "written": pl.Int64(),
        "by_rule": pl.Int64(),
        "undetermined": pl.String(),
        "differs": pl.Boolean(),
    }
    return _frame(rows(), schema)


def findings(night: Tabulation) -> pl.DataFrame:
    """Give everything the checks find, a row each.

    Columns: `code`, `kind`, `severity`, `unit` and `area` (null where it is about neither), `text`, `todo`, and
    `numbers`, the figures that prove it as JSON.
    """
    rows = (
        (
            *(row.code, row.kind, str(row.severity), row.unit or None, row.area or None, row.text, row.todo),
            json.dumps(numbers_object(row.numbers), ensure_ascii=False),
        )
        for row in found_in(night)
    )
    names = ("code", "kind", "severity", "unit", "area", "text", "todo", "numbers")
    return _frame(rows, dict.fromkeys(names, pl.String()))


def national(night: Tabulation, *, basis: str = "as-written") -> pl.DataFrame:
    """Give the national delegates, a row a pool and qualified group.

    Columns: `pool`, `kind`, `area`, `group`, `delegates`, `raw` (exact share of the pool, `p/q`), `tied` (its
    remainder ties for the pool's last delegates, which nobody has until a lot is on record).

    Raises:
        CannotRunError: no such basis.
    """
    rows = (
        (
            *(one.pool.id, one.pool.kind, one.pool.area, group, one.allocation.groups[group], ratio(raw)),
            one.allocation.tie is not None and group in one.allocation.tie.groups,
        )
        for one in shared_in(night, _basis(basis)).pools
        for group, raw in one.allocation.raw.items()
    )
    schema = {
        **dict.fromkeys(("pool", "kind", "area", "group"), pl.String()),
        "delegates": pl.Int64(),
        "raw": pl.String(),
        "tied": pl.Boolean(),
    }
    return _frame(rows, schema)


def _frame(rows: Rows, schema: Mapping[str, pl.DataType]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=dict(schema), orient="row")


def _basis(name: str) -> Basis:
    try:
        return Basis(name)
    except ValueError:
        raise CannotRunError(
            Fault(f"{name!r} is not a basis", closest(name, [str(basis) for basis in Basis]))
        ) from None


def _decimal(value: int, decimals: int) -> Decimal:
    return Decimal(value).scaleb(-decimals)


def _number(night: Tabulation, ruled: Ruled) -> int | None:
    """Give the viability number of a place; None where there is none or its numbers are not known."""
    if not (ruled.delegates and ruled.attendance.people):
        return None
    return viability_number(night.rule, ruled.delegates, ruled.attendance.people)
