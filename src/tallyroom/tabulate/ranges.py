"""Bounds for what is not on record: a value known before and a value known later, unit by unit."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tallyroom.exact import rounded_half_up
from tallyroom.plan.types import Sharing
from tallyroom.report.wire import decode
from tallyroom.tabulate.filed import REPORT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tallyroom.plan.types import Yardstick
    from tallyroom.report.record import Report
    from tallyroom.tabulate.night import Basis, Tabulation

Bounds = tuple[dict[str, int], dict[str, int]]
"""Least and most that the missing values can add, by group, in the yardstick's printed units."""


def bounds(tabulation: Tabulation, yardstick: Yardstick, basis: Basis, area: str) -> Bounds:
    """Bound what the units of an area without a value would add to a weighted yardstick.

    A unit whose value is known before and after lies between the two; one that is known on one side only, or never,
    lies between nothing and all that the unit can be worth.
    """
    lower: dict[str, int] = {}
    upper: dict[str, int] = {}
    missing = list(tabulation.units_without(yardstick, basis, area))
    later = _later(tabulation, frozenset(missing)) if missing else {}
    for unit in missing:
        around = list(_around(tabulation, yardstick, unit, later))
        most = _most(tabulation, yardstick, unit)
        for group in tabulation.plan.groups:
            known = [values.get(group, 0) for values in around]
            lower[group] = lower.get(group, 0) + (min(known) if len(known) == 2 else 0)
            upper[group] = upper.get(group, 0) + (max(known) if len(known) == 2 else most)
    return lower, upper


def _later(tabulation: Tabulation, units: frozenset[str]) -> dict[str, list[Report]]:
    """Give what these units reported afterwards; a unit added afterwards is none of them."""
    found: dict[str, list[Report]] = {}
    for entry in tabulation.later:
        if entry.kind == REPORT and (report := decode(entry.body, f"entry {entry.seq}")).unit in units:
            found.setdefault(report.unit, []).append(report)
    return found


def _around(
    tabulation: Tabulation, yardstick: Yardstick, unit: str, later: Mapping[str, list[Report]]
) -> Iterator[Mapping[str, int]]:
    """Give the value on record last before and first after, as far as they are there."""
    earlier = [filing.report for filing in reversed(tabulation.filed.filings[unit])]
    for reports in (earlier, later.get(unit, [])):
        values = (tabulation.written_value(yardstick, report) for report in reports)
        found = next((value for value in values if value is not None), None)
        if found is not None:
            yield found


def _most(tabulation: Tabulation, yardstick: Yardstick, unit: str) -> int:
    """Give all that a unit can be worth: its delegates, or the whole pool where attendance decides."""
    plan = tabulation.plan
    place = plan.units[unit]
    area = plan.areas[place.area]
    if area.sharing is Sharing.ATTENDANCE:
        return rounded_half_up(area.weight, yardstick.decimals) if area.weight is not None else 0
    return rounded_half_up(plan.worth.get(area.id, Fraction(0)) * (place.delegates or 0), yardstick.decimals)
