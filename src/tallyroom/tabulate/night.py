"""A contest being tabulated: entries in, standings out, at the cost of one report for one more report."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from tallyroom.plan.types import Plan, Sharing
from tallyroom.tabulate.bulk import uncollected
from tallyroom.tabulate.column import Column
from tallyroom.tabulate.filed import AMENDMENT, Filed, add, latest_plan
from tallyroom.tabulate.ranges import Ranges
from tallyroom.tabulate.ruled import Ruled, ruled
from tallyroom.tabulate.standing import Progress, Scope, Standing, YardstickStanding, ranked
from tallyroom.tabulate.sums import Sums
from tallyroom.tabulate.worth import Site, Worth, pool_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from tallyroom.ledger.entry import Entry
    from tallyroom.plan.types import Unit, Yardstick
    from tallyroom.report.record import Report
    from tallyroom.tabulate.column import Values
    from tallyroom.tabulate.filed import Filing


EXPECTED, REPORTED, CHANGED = "expected", "reported", "changed"
"""What is counted of the units of an area, beside their values."""


class Basis(StrEnum):
    """What counts as a unit's delegates."""

    AS_WRITTEN = "as-written"
    BY_RULE = "by-rule"


class Tabulation:
    """The sums of a contest on every yardstick and both bases, and what is on file behind them.

    Readings not given are those in force. One report costs one report; a report of a pool shared by attendance makes
    that pool be shared again when the next standing is asked for.
    """

    def __init__(
        self,
        plan: Plan,
        readings: Mapping[str, str] | None = None,
        *,
        filed: Filed | None = None,
        later: Iterable[Entry] = (),
    ) -> None:
        self.filed = filed or Filed(plan)
        self.chosen = dict(readings or {})
        self.ranges = Ranges(self, list(later))
        self._start()

    @property
    def plan(self) -> Plan:
        """The plan in force."""
        return self.filed.plan

    @property
    def later(self) -> Sequence[Entry]:
        """Entries of the ledger after the moment tabulated: they count nowhere, but bound what is not on record."""
        return self.ranges.later

    @later.setter
    def later(self, entries: Sequence[Entry]) -> None:
        self.ranges = Ranges(self, entries)

    def add(self, entry: Entry, *, file: str = "") -> None:
        """Count one more entry of the ledger; an amendment counts everything again under the plan it makes.

        A filing that does not take effect (see `Filed`) changes no sum.
        """
        found = add(self.filed, entry, file)
        if isinstance(found, Plan):
            self._start()
        elif found is not None and found.report.unit not in self.plan.closed and self.filed.counts(found):
            self._progress(found.report.unit, *self._count(found))

    def _start(self) -> None:
        """Count everything on file under the plan in force."""
        plan = self.plan
        self.later = self.ranges.later
        self.readings = {**plan.in_force, **self.chosen}
        self.rule = plan.award_under(self.chosen)
        self.lineage = {area: plan.lineage(area) for area in plan.areas}
        self.pools = self._pools_inside()
        self.worth = {y.id: Worth(plan, y) for y in plan.yardsticks if y.counts == "weight"}
        self.counted = [
            (yardstick, basis, Column(self.lineage, plan.groups, self._denominator(yardstick)))
            for yardstick in plan.yardsticks
            for basis in (Basis if yardstick.counts != "people" else (Basis.AS_WRITTEN,))
        ]
        self.columns = {(yardstick.id, basis): column for yardstick, basis, column in self.counted}
        self.ruled: dict[str, Ruled] = {}
        self.progress = Sums(self.lineage, (EXPECTED, REPORTED, CHANGED))
        self.undetermined = Sums(self.lineage)
        self.members: dict[str, list[str]] = {area: [] for area in plan.areas}
        for unit in plan.units.values():
            if unit.id not in plan.closed:
                self.members[unit.area].append(unit.id)
        self.stale: set[str] = set()
        self.unsized: set[str] = set()
        """Pools with a site that has reported, but not what its share is proportional to."""
        for unit, filings in self.filed.filings.items():
            if unit not in plan.closed:
                self._count(filings[-1])
        for area, units in self.members.items():
            there = [unit for unit in units if unit in self.ruled]
            changed = sum(len(self.filed.filings[unit]) > 1 for unit in there)
            self.progress.add(area, {EXPECTED: len(units), REPORTED: len(there), CHANGED: changed})
            reasons = (self.ruled[unit].undetermined for unit in there)
            self.undetermined.add(area, Counter(reason for reason in reasons if reason is not None))
        for sums in (self.progress, self.undetermined, *self.columns.values()):
            sums.add_up()

    def _pools_inside(self) -> dict[str, list[str]]:
        """Give the pools shared by attendance inside every area."""
        inside: dict[str, list[str]] = {area: [] for area in self.plan.areas}
        for pool in self.plan.areas.values():
            if pool.sharing is Sharing.ATTENDANCE and pool.weight is not None:
                for area in self.lineage[pool.id]:
                    inside[area].append(pool.id)
        return inside

    def _denominator(self, yardstick: Yardstick) -> int:
        return self.worth[yardstick.id].denominator if yardstick.id in self.worth else 1

    # -- one report ------------------------------------------------------------------------------------------------

    def _count(self, filing: Filing) -> tuple[Ruled | None, Ruled]:
        """Put the values of a filing in the place of what its unit had before; give both as ruled."""
        unit = self.plan.units[filing.report.unit]
        before = self.ruled.get(unit.id)
        now = self.ruled[unit.id] = ruled(self.plan, self.rule, self.readings, filing.report)
        self.ranges.forget(unit.id)
        pooled = self.plan.areas[unit.area].sharing is Sharing.ATTENDANCE
        for yardstick, basis, column in self.counted:
            if pooled and yardstick.counts == "weight":
                self.stale.add(unit.area)
                continue
            if before is not None:
                column.take(unit.id, unit.area)
            column.put(unit.id, unit.area, self._values(yardstick, basis, unit, filing.report, now))
        return before, now

    def _progress(self, unit: str, before: Ruled | None, now: Ruled) -> None:
        """Count that a unit has reported, was corrected, and why its award is open."""
        area, times = self.plan.units[unit].area, len(self.filed.filings[unit])
        if before is None:
            self.progress.add(area, {REPORTED: 1, CHANGED: int(times > 1)})
        elif times == 2:
            self.progress.add(area, {CHANGED: 1})
        if before is not None and before.undetermined is not None:
            self.undetermined.subtract(area, {before.undetermined: 1})
        if now.undetermined is not None:
            self.undetermined.add(area, {now.undetermined: 1})

    def _values(self, yardstick: Yardstick, basis: Basis, unit: Unit, report: Report, now: Ruled) -> Values | None:
        """Give printed and exact values of one unit; None if it has none."""
        if yardstick.counts == "people":
            people = report.alignments.get(yardstick.stage)
            return None if people is None else (people, people)
        delegates = report.delegates if basis is Basis.AS_WRITTEN else now.awarded
        if yardstick.counts == "delegates":
            return None if delegates is None else (delegates, delegates)
        if delegates is not None:
            return self.worth[yardstick.id].of(unit.area, delegates)
        if report.values is None:
            return None
        return self.worth[yardstick.id].of_values(report.values)

    def _settle(self) -> None:
        """Share every pool again to which a report has come."""
        reading = self.readings.get("satellite_weight", "attendance")
        for pool in sorted(self.stale):
            area = self.plan.areas[pool]
            self.unsized.discard(pool)
            for yardstick, basis, column in self.counted:
                if yardstick.counts == "weight":
                    sites = [self._site(unit, basis) for unit in self.members[pool] if unit in self.ruled]
                    column.put_pool(pool, pool_values(area, sites, reading), yardstick.decimals)
                    if any(site.size(reading) is None for site in sites):
                        self.unsized.add(pool)
        self.stale.clear()

    def _site(self, unit: str, basis: Basis) -> Site:
        """Give what a unit brings to its pool; a pool in no district may have a weight that nobody can compute."""
        now, report = self.ruled[unit], self.filed.filings[unit][-1].report
        awarded = report.delegates if basis is Basis.AS_WRITTEN else now.awarded
        outside = self.plan.areas[self.plan.units[unit].area].parent == self.plan.top.id
        if outside and basis is Basis.BY_RULE and self.readings.get("out_of_state_pool", "fixed") != "fixed":
            awarded = report.delegates
        return Site(unit, now.attendance.people, now.delegates, awarded, report.values)

    # -- standings -------------------------------------------------------------------------------------------------

    def column(self, yardstick: Yardstick, basis: Basis) -> Column:
        """Give the sums of a yardstick; people are the same on both bases."""
        return self.columns[yardstick.id, Basis.AS_WRITTEN if yardstick.counts == "people" else basis]

    def of_area(self, area: str, basis: Basis) -> Standing:
        """Give the standing of an area."""
        self._settle()
        place, pools, row = self.plan.areas[area], self.pools[area], self.progress.rows[area]
        yardsticks: list[YardstickStanding] = []
        for yardstick in self.plan.yardsticks:
            column = self.column(yardstick, basis)
            without = column.blanks(area)
            spread = None
            if without:
                spread = self.ranges.of(yardstick, self.units_without(yardstick, basis, area))
            exact = column.total(area, pools)
            yardsticks.append(ranked(yardstick, self.plan.groups, column.printed.rows[area], exact, without, spread))
        return Standing(
            Scope(place.level, place.id, place.name),
            Progress(row[EXPECTED], row[REPORTED], 0, row[CHANGED]),
            {reason: count for reason, count in sorted(self.undetermined.rows[area].items()) if count},
            tuple(yardsticks),
            tuple(pool for pool in pools if self._incomplete(pool)),
        )

    def _incomplete(self, pool: str) -> bool:
        row = self.progress.rows[pool]
        return row[REPORTED] < row[EXPECTED] or pool in self.unsized

    def top(self, basis: Basis = Basis.AS_WRITTEN) -> Standing:
        """Give the standing of the whole contest."""
        return self.of_area(self.plan.top.id, basis)

    def of_unit(self, unit: str, basis: Basis) -> Standing:
        """Give the standing of one unit."""
        self._settle()
        place, reported = self.plan.units[unit], unit in self.ruled
        yardsticks: list[YardstickStanding] = []
        for yardstick in self.plan.yardsticks:
            found = self.column(yardstick, basis).of_unit(unit)
            if found is None:
                spread = self.ranges.of(yardstick, (unit,)) if reported else None
                yardsticks.append(ranked(yardstick, self.plan.groups, {}, (), int(reported), spread))
            else:
                yardsticks.append(ranked(yardstick, self.plan.groups, found[0], (found[1],), 0))
        why = self.ruled[unit].undetermined if reported else None
        pool = place.area if self.plan.areas[place.area].sharing is Sharing.ATTENDANCE else ""
        return Standing(
            Scope("unit", place.id, place.name),
            Progress(int(unit not in self.plan.closed), int(reported), 0, int(reported and self._times(unit) > 1)),
            {why: 1} if why is not None else {},
            tuple(yardsticks),
            (pool,) if pool and self._incomplete(pool) else (),
        )

    def _times(self, unit: str) -> int:
        return len(self.filed.filings.get(unit, ()))

    def units_without(self, yardstick: Yardstick, basis: Basis, area: str) -> Iterator[str]:
        """Give the units of an area that have reported but have no value on a yardstick."""
        for unit in self.column(yardstick, basis).blank_of:
            if area in self.lineage[self.plan.units[unit].area]:
                yield unit

    def written_value(self, yardstick: Yardstick, report: Report) -> Mapping[str, int] | None:
        """Give what one report alone says on a yardstick, printed; None if it says nothing."""
        if yardstick.counts == "people":
            return report.alignments.get(yardstick.stage)
        if yardstick.counts == "delegates":
            return report.delegates
        unit, worth = self.plan.units[report.unit], self.worth[yardstick.id]
        if report.delegates is not None and unit.area in self.plan.worth:
            return worth.of(unit.area, report.delegates)[0]
        return None if report.values is None else worth.of_values(report.values)[0]


def tabulated(
    entries: Iterable[Entry],
    plan: Plan,
    *,
    at: datetime | None = None,
    readings: Mapping[str, str] | None = None,
    hindsight: bool = False,
    file: str = "",
) -> Tabulation:
    """Tabulate the entries recorded up to `at` (all if None).

    With `hindsight` the plan after the last amendment of the whole ledger counts from the start.
    """
    with uncollected():
        rows = list(entries)
        if hindsight:
            plan = latest_plan(rows, plan, file)
        filed = Filed(plan)
        later: list[Entry] = []
        for entry in rows:
            if at is not None and entry.at > at:
                later.append(entry)
            elif hindsight and entry.kind == AMENDMENT:
                filed.amendments.append((entry.seq, plan))
            else:
                add(filed, entry, file)
        return Tabulation(plan, readings, filed=filed, later=later)
