"""Findings for people: how many of each kind, then place by place, those with the most severe finding first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tallyroom.checks import catalogue
from tallyroom.cli.layout import finding_lines, moment_words, prose
from tallyroom.cli.place import SEVEREST_FIRST, severest_first, severity_rank
from tallyroom.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallyroom.checks.finding import Finding
    from tallyroom.cli.opened import Opened
    from tallyroom.cli.terminal import Terminal
    from tallyroom.plan.types import Plan

PLURAL = {"error": "errors", "warning": "warnings", "info": "notes"}
SINGULAR = {"error": "error", "warning": "warning", "info": "note"}


def show_findings(page: Terminal, found: Opened, rows: Sequence[Finding], within: str | None) -> None:
    """Print findings: the counts, so that the first page says how it stands, then every place."""
    plan = found.tabulation.plan
    page.line(plan.name)
    prose(page, f"{_scope(plan, within)}; {moment_words(found.moment, plan)}")
    places = _by_place(plan, rows)
    if not rows:
        page.line("Nothing was found.")
        return
    prose(page, f"{counted(len(rows), 'finding')} at {counted(len(places), 'place')}: {_severities(rows)}")
    page.line()
    _show_counts(page, rows)
    for name, here in places.items():
        page.heading(name)
        for finding in severest_first(here):
            finding_lines(page, finding)


def _scope(plan: Plan, within: str | None) -> str:
    if within is None:
        return plan.top.name
    return plan.areas[within].name if within in plan.areas else _unit_name(plan, within)


def _unit_name(plan: Plan, unit: str) -> str:
    place = plan.units[unit]
    return f"{plan.areas[place.area].name}, {place.name} ({unit})"


def _severities(rows: Sequence[Finding]) -> str:
    counts = Counter(str(row.severity) for row in rows)
    words = [
        f"{counts[word]:,} {(SINGULAR if counts[word] == 1 else PLURAL)[word]}"
        for word in map(str, SEVEREST_FIRST)
        if counts[word]
    ]
    return ", ".join(words)


def _show_counts(page: Terminal, rows: Sequence[Finding]) -> None:
    """Print how many findings there are of each kind, and what each means."""
    counts = Counter(row.kind for row in rows)
    lines = [[check.kind, f"{counts[check.kind]:,}", check.title] for check in catalogue() if counts[check.kind]]
    page.table(["Kind", "Found", "Meaning"], lines, right={1})


def _by_place(plan: Plan, rows: Sequence[Finding]) -> Mapping[str, list[Finding]]:
    """Group findings by place, the most severe first.

    Places whose worst finding is equally severe stand as the plan lists them: the whole contest, then area by area,
    each before its units.
    """
    areas = {area: place for place, area in enumerate(plan.areas)}
    units = {unit: place for place, unit in enumerate(plan.units)}

    def order(row: Finding) -> tuple[int, int]:
        if row.unit:
            return areas[plan.units[row.unit].area], units[row.unit]
        return areas.get(row.area, -1), -1

    grouped: dict[str, list[Finding]] = {}
    for row in sorted(rows, key=order):
        name = _unit_name(plan, row.unit) if row.unit else plan.areas[row.area].name if row.area else plan.top.name
        grouped.setdefault(name, []).append(row)
    return dict(sorted(grouped.items(), key=lambda item: min(severity_rank(row) for row in item[1])))
