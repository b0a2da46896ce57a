"""National delegates from the standings: every pool from the exact standing of its area."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.award import Allocation, allocate
from tallyroom.plan.types import GroupKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tallyroom.plan.types import Pool
    from tallyroom.tabulate.night import Basis, Tabulation


@dataclass(frozen=True, slots=True)
class PoolStanding:
    """One pool and how it is shared at this moment."""

    pool: Pool
    allocation: Allocation


@dataclass(frozen=True, slots=True)
class National:
    """National delegates by pool. `groups` adds up what is decided; an open tie leaves delegates out of it."""

    pools: tuple[PoolStanding, ...]

    @property
    def total(self) -> int:
        """Delegates of all pools."""
        return sum(standing.pool.delegates for standing in self.pools)

    @property
    def groups(self) -> Mapping[str, int]:
        """Delegates by group that has any, most first."""
        sums: dict[str, int] = {}
        for standing in self.pools:
            for group, count in standing.allocation.groups.items():
                sums[group] = sums.get(group, 0) + count
        return dict(sorted(((g, n) for g, n in sums.items() if n), key=lambda item: -item[1]))


def national(
    tabulation: Tabulation,
    basis: Basis,
    *,
    within: str | None = None,
    lots: Mapping[str, Iterable[str]] | None = None,
) -> National:
    """Share the pools whose area lies in `within` (all by default), under the plan in force.

    A group that has withdrawn is left out of the pools that are shared again for it, and stays in the others.

    Args:
        tabulation: the contest at a moment.
        basis: as written or by rule.
        within: id of an area.
        lots: games of chance on record for tied remainders.
    """
    plan = tabulation.plan
    if plan.national is None:
        return National(())
    rule = plan.national
    cannot_win = [group.id for group in plan.groups.values() if group.kind is GroupKind.OTHER]
    found: list[PoolStanding] = []
    for pool in plan.pools.values():
        if within is not None and within not in plan.lineage(pool.area):
            continue
        standing = tabulation.of_area(pool.area, basis).on(rule.yardstick)
        out = plan.withdrawn if pool.kind in rule.recomputed else frozenset[str]()
        exact = {group: standing.of(group).exact for group in plan.groups if group not in out}
        shared = allocate(
            pool.delegates, exact, rule.threshold, fallback=rule.fallback, cannot_win=cannot_win, lots=lots
        )
        found.append(PoolStanding(pool, shared))
    return National(tuple(found))
