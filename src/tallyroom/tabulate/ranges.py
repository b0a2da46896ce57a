"""Bounds for what is not on record: a value known before and a value known later, unit by unit."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from tallyroom.exact import COUNT_LIMIT, DELEGATES_LIMIT, rounded_half_up
from tallyroom.plan.types import Sharing
from tallyroom.tabulate.filed import effective

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tallyroom.ledger.entry import Entry
    from tallyroom.plan.types import Yardstick
    from tallyroom.report.record import Report
    from tallyroom.tabulate.night import Tabulation

Bounds: TypeAlias = "tuple[dict[str, int], dict[str, int]]"
"""Least and most that missing values can add, by group, in the yardstick's printed units; 0 is left out."""


class Ranges:
    """What units without a value on a yardstick can add; worked out once until the unit reports again.

    A unit whose value is known before and after lies between the two; one that is known on one side only, or never,
    lies between nothing and all that the unit can be worth, elect or hold.
    """

    def __init__(self, tabulation: Tabulation, later: Sequence[Entry]) -> None:
        self.later = later
        """Entries after the moment tabulated."""
        self._tabulation = tabulation
        self._afterwards: dict[str, list[Report]] | None = None
        self._known: dict[tuple[str, str], Bounds] = {}

    def forget(self, unit: str) -> None:
        """Forget what was worked out for a unit: it has reported again."""
        for yardstick in self._tabulation.plan.yardsticks:
            self._known.pop((unit, yardstick.id), None)

    def of(self, yardstick: Yardstick, units: Iterable[str]) -> Bounds:
        """Bound what units without a value would add together."""
        lower: dict[str, int] = {}
        upper: dict[str, int] = {}
        for unit in units:
            least, most = self._known.get((unit, yardstick.id)) or self._work_out(yardstick, unit)
            for group, count in least.items():
                lower[group] = lower.get(group, 0) + count
            for group, count in most.items():
                upper[group] = upper.get(group, 0) + count
        return lower, upper

    def _work_out(self, yardstick: Yardstick, unit: str) -> Bounds:
        around = list(self._around(yardstick, unit))
        found: Bounds = {}, {}
        if len(around) == 2:
            before, after = around
            for group in before | after:
                found[0][group], found[1][group] = sorted((before.get(group, 0), after.get(group, 0)))
        else:
            found[1].update(dict.fromkeys(self._tabulation.plan.groups, self._most(yardstick, unit)))
        self._known[unit, yardstick.id] = found
        return found

    def _around(self, yardstick: Yardstick, unit: str) -> Iterator[dict[str, int]]:
        """Give the value on record last before and first after, as far as they are there."""
        earlier = [filing.report for filing in reversed(self._tabulation.filed.filings[unit])]
        for reports in (earlier, self._reports_afterwards().get(unit, [])):
            values = (self._tabulation.written_value(yardstick, report) for report in reports)
            found = next((value for value in values if value is not None), None)
            if found is not None:
                yield dict(found)

    def _reports_afterwards(self) -> dict[str, list[Report]]:
        if self._afterwards is None:
            self._afterwards = {}
            standing = {filing.report.unit: filing.seq for filing in self._tabulation.filed.in_force()}
            for seq, replaces, report in effective(self.later):
                if standing.get(report.unit, replaces) == replaces:  # others take no effect
                    standing[report.unit] = seq
                    self._afterwards.setdefault(report.unit, []).append(report)
        return self._afterwards

    def _most(self, yardstick: Yardstick, unit: str) -> int:
        """Give all that a unit can be worth: its delegates, or the whole pool where attendance decides."""
        plan = self._tabulation.plan
        place = plan.units[unit]
        if yardstick.counts == "people":
            return self._present(unit)
        if yardstick.counts == "delegates":
            return (
                max((band.delegates for band in plan.bands), default=DELEGATES_LIMIT)
                if place.delegates is None
                else place.delegates
            )
        area = plan.areas[place.area]
        if area.sharing is Sharing.ATTENDANCE:
            return rounded_half_up(area.weight, yardstick.decimals) if area.weight is not None else 0
        return rounded_half_up(plan.worth.get(area.id, Fraction(0)) * (place.delegates or 0), yardstick.decimals)

    def _present(self, unit: str) -> int:
        """Give the most people that a unit can have counted at once.

        Nobody comes in after the first count. Without that count and without attendance only the size of a count
        bounds it.
        """
        report, stages = self._tabulation.filed.filings[unit][-1].report, self._tabulation.plan.stages
        if report.attendance is not None:
            return report.attendance
        if stages[0].id in report.alignments:
            return max(map(report.total, report.alignments))
        return COUNT_LIMIT
