"""Standings once more, slowly: from the reports in force alone, in plain fractions, one place after another.

Nothing here is shared with `tallyroom.tabulate`; the award is that of `award.oracle`. Recorded lots are not known here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from award.oracle import ends, needed


@dataclass
class Count:
    """One yardstick of one place: printed and exact sums by group, and places that reported without a value."""

    printed: dict[str, Fraction] = field(default_factory=dict)
    exact: dict[str, Fraction] = field(default_factory=dict)
    without: int = 0

    def add(self, values, decimals):
        if values is None:
            self.without += 1
            return
        for group, value in values.items():
            self.printed[group] = self.printed.get(group, Fraction(0)) + half_up(value, decimals)
            self.exact[group] = self.exact.get(group, Fraction(0)) + value


def half_up(value, decimals):
    return Fraction(floor(value * 10**decimals + Fraction(1, 2)), 10**decimals)


def present(report):
    """Attendance on record, else the larger alignment; None if nobody counted anything."""
    if report.attendance is not None:
        return report.attendance
    return max((sum(people.values()) for people in report.alignments.values() if people), default=None)


def elects(plan, report):
    unit, number = plan.units[report.unit], 0
    if unit.delegates is not None:
        return unit.delegates
    if present(report) is None:
        return None
    for band in plan.bands:
        if present(report) >= band.attending_at_least:
            number = band.delegates
    return number


def by_rule(plan, report):
    """Give the award by rule, or as written where the rule gives no single one; and whether it does."""
    delegates, people = elects(plan, report), present(report)
    final = {g: n for g, n in report.alignments.get(plan.stages[-1].id, {}).items() if n}
    if not people or delegates < 2 or not final:
        return report.delegates, False
    number = needed(delegates, people)
    viable = [group for group, n in final.items() if n >= number]
    if not viable or len(viable) > delegates:
        return report.delegates, False
    possible = [dict(end) for end in ends(delegates, people, final, "residual")]
    if len(possible) == 1:
        return possible[0], True
    for end in possible:
        if report.delegates is not None and {g: n for g, n in report.delegates.items() if n} == end:
            return end, True
        if report.delegates is None and report.values is not None and stands_for(report.values, end, delegates):
            return end, True
    return report.delegates, False


def stands_for(values, award, delegates):
    """Whether printed values (four decimals) are those of an award: the nearest to their proportion, give or take."""
    whole, half = sum(values.values()), Fraction(1, 20000)
    if not whole or {g: n for g in values if (n := half_up(values[g] * delegates / whole, 0))} != award:
        return False
    some = sum(1 for value in values.values() if value)
    return all(
        abs(value * delegates - award.get(group, 0) * whole) <= half * (delegates + award.get(group, 0) * some)
        for group, value in values.items()
    )


def awarded(plan, report, basis):
    return report.delegates if basis == "as-written" else by_rule(plan, report)[0]


def worth(plan, report, basis, all_reports, by="attendance"):
    """Give what one place's delegates are worth."""
    unit = plan.units[report.unit]
    area, given = plan.areas[unit.area], awarded(plan, report, basis)
    if area.sharing == "delegates":
        if given is None:
            return report.values
        total = sum(other.delegates for other in plan.units.values() if other.area == area.id)
        return {group: Fraction(area.weight) * count / total for group, count in given.items()}
    size = present if by == "attendance" else (lambda other: elects(plan, other))
    whole = sum(size(other) or 0 for other in all_reports if plan.units[other.unit].area == area.id)
    if given is None or size(report) is None or not whole:
        return report.values
    if not sum(given.values()):
        return {}
    share = Fraction(area.weight) * size(report) / whole
    return {group: share * Fraction(count, sum(given.values())) for group, count in given.items()}


def inside(plan, unit, place):
    """Whether a unit is a place or lies in it, climbing parent by parent."""
    if place == unit:
        return True
    area = plan.units[unit].area
    while area:
        if area == place:
            return True
        area = plan.areas[area].parent
    return False


def tally(plan, reports, basis, places, by="attendance"):
    """Give the `Count` of every place and yardstick."""
    reports = [report for report in reports if report.unit not in plan.closed]
    counts = {}
    for yardstick in plan.yardsticks:
        values = {}
        for report in reports:
            if yardstick.counts == "people":
                values[report.unit] = report.alignments.get(yardstick.stage)
            elif yardstick.counts == "delegates":
                values[report.unit] = awarded(plan, report, basis)
            else:
                values[report.unit] = worth(plan, report, basis, reports, by)
        for place in places:
            count = counts[place, yardstick.id] = Count()
            for unit, value in values.items():
                if inside(plan, unit, place):
                    count.add(value, yardstick.decimals)
    return counts
