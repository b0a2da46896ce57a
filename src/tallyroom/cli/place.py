"""All there is to know about one place: as written, by rule, what was found, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.award import viability_number
from tallyroom.checks.finding import Severity
from tallyroom.exact import fixed, printed
from tallyroom.tabulate import Basis
from tallyroom.tabulate.findings import findings
from tallyroom.tabulate.wire import finding_object, time

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tallyroom.checks.finding import Finding
    from tallyroom.plan.types import Plan, Unit
    from tallyroom.report.record import Report
    from tallyroom.tabulate import Tabulation
    from tallyroom.tabulate.filed import Filing
    from tallyroom.tabulate.ruled import Ruled

SEVEREST_FIRST = tuple(Severity)
"""The order in which a person looks at findings."""


@dataclass(frozen=True, slots=True)
class Change:
    """One figure that a correction changed: `None` is a blank."""

    column: str
    group: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a place's history, and what it changed; the first report changes nothing."""

    filing: Filing
    release: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """One place at one moment.

    Attributes:
        report: the report in force; None before the first.
        ruled: what the rule makes of it; None before the first report.
        number: the viability number; None where there is none, or nobody is known to be present.
        written, by_rule: value by group on the official yardstick, printed; None where there is none.
        provisional: its worth depends on places of its pool that are still out.
        found: findings, the most severe first.
    """

    unit: Unit
    report: Report | None
    ruled: Ruled | None
    number: int | None
    written: Mapping[str, str] | None
    by_rule: Mapping[str, str] | None
    provisional: bool
    found: tuple[Finding, ...]
    history: tuple[Line, ...]


def account(tabulation: Tabulation, unit: str) -> Account:
    """Gather what is on file about a unit at the moment tabulated."""
    plan, filings = tabulation.plan, tabulation.filed.filings.get(unit, [])
    ruled = tabulation.ruled.get(unit)
    number = None
    if ruled is not None and ruled.delegates and ruled.attendance.people:
        number = viability_number(tabulation.rule, ruled.delegates, ruled.attendance.people)
    return Account(
        unit=plan.units[unit],
        report=filings[-1].report if filings else None,
        ruled=ruled,
        number=number,
        written=_official(tabulation, unit, Basis.AS_WRITTEN),
        by_rule=_official(tabulation, unit, Basis.BY_RULE),
        provisional=bool(tabulation.of_unit(unit, Basis.AS_WRITTEN).provisional),
        found=severest_first(findings(tabulation, within=unit)),
        history=_history(plan, filings),
    )


def severest_first(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Order findings by how much they ask of a person; the same by the order they came in."""
    return tuple(sorted(found, key=lambda finding: SEVEREST_FIRST.index(finding.severity)))


def _official(tabulation: Tabulation, unit: str, basis: Basis) -> Mapping[str, str] | None:
    standing = tabulation.of_unit(unit, basis).on(tabulation.plan.official.id)
    if standing.units_without_value or not standing.total:
        return None
    return {group.group: fixed(group.printed, standing.yardstick.decimals) for group in standing.groups}


def _history(plan: Plan, filings: Sequence[Filing]) -> tuple[Line, ...]:
    releases = {release.at: release.id for release in plan.releases.values()}
    lines: list[Line] = []
    before: Report | None = None
    for filing in filings:
        changes = () if before is None else tuple(_changes(plan, before, filing.report))
        lines.append(Line(filing, releases.get(filing.at, ""), changes))
        before = filing.report
    return tuple(lines)


def _changes(plan: Plan, before: Report, after: Report) -> list[Change]:
    """Give the figures that differ between two reports of a place, in sheet order."""
    was, now = _figures(plan, before), _figures(plan, after)
    keys = dict.fromkeys([*was, *now])
    return [Change(*key, was.get(key), now.get(key)) for key in keys if was.get(key) != now.get(key)]


def _figures(plan: Plan, report: Report) -> dict[tuple[str, str], str]:
    """Give every figure of a report as text, by column and group."""
    columns: dict[str, Mapping[str, object]] = {
        stage.name: report.alignments.get(stage.id, {}) for stage in plan.stages
    }
    values = {group: printed(value, plan.official.decimals) for group, value in (report.values or {}).items()}
    columns |= {"Delegates": report.delegates or {}, plan.official.name: values}
    figures = {
        (column, group): str(values[group])
        for column, values in columns.items()
        for group in plan.groups
        if group in values
    }
    if report.attendance is not None:
        figures["Present", ""] = str(report.attendance)
    for lot in report.lots:
        figures["Lot", lot.tie] = "+".join(lot.drawn)
    return figures


def account_object(plan: Plan, told: Account) -> dict[str, object]:
    """Give the account of a place as JSON; keys are added, never renamed."""
    report, ruled = told.report, told.ruled
    return {
        "id": told.unit.id,
        "county": told.unit.area,
        "name": told.unit.name,
        "kind": told.unit.kind,
        "delegates": told.unit.delegates if ruled is None else ruled.delegates,
        "attendance": ruled and {"people": ruled.attendance.people, "from": ruled.attendance.taken_from},
        "viability_number": told.number,
        "people": report and {stage.id: report.alignments.get(stage.id) for stage in plan.stages},
        "as_written": report and {"delegates": report.delegates, "value": told.written},
        "by_rule": ruled and {"delegates": ruled.awarded, "value": told.by_rule},
        "undetermined": ruled and ruled.undetermined and str(ruled.undetermined),
        "provisional": told.provisional,
        "findings": [finding_object(finding, plan) for finding in told.found],
        "history": [_line_object(line) for line in told.history],
    }


def _line_object(line: Line) -> dict[str, object]:
    filing = line.filing
    return {
        "seq": filing.seq,
        "at": time(filing.at),
        "release": line.release or None,
        "replaces": filing.replaces,
        "reason": filing.reason or None,
        "paper": filing.basis,
        "changes": [
            {"column": change.column, "group": change.group or None, "before": change.before, "after": change.after}
            for change in line.changes
        ],
    }
