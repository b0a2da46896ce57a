"""The JSON that other programs rely on: keys are added, never renamed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from tallyroom.exact import fixed, printed, ratio

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tallyroom.checks.finding import Finding, Number
    from tallyroom.plan.types import Plan
    from tallyroom.tabulate.moment import Moment
    from tallyroom.tabulate.national import National, PoolStanding
    from tallyroom.tabulate.night import Basis, Tabulation
    from tallyroom.tabulate.standing import GroupStanding, Standing, YardstickStanding

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

SCHEMA = 1
SHARE_DECIMALS = 6


def time(at: datetime | None) -> str | None:
    """Write a time in UTC, or null."""
    return None if at is None else at.strftime("%Y-%m-%dT%H:%M:%SZ")


def unit(plan: Plan, unit_id: str) -> dict[str, Json]:
    """Give a unit as it always stands in JSON."""
    place = plan.units[unit_id]
    return {"id": place.id, "county": place.area, "name": place.name}


def standing_object(
    tabulation: Tabulation, standing: Standing, pools: National, basis: Basis, moment: Moment
) -> dict[str, Json]:
    """Give the object of `tallyroom tabulate --json`."""
    progress = standing.progress
    return {
        "schema": SCHEMA,
        "contest": tabulation.plan.contest,
        "plan": tabulation.plan.digest,
        "at": time(moment.at),
        "release": moment.release or None,
        "basis": str(basis),
        "readings": dict(tabulation.readings),
        "scope": {"kind": standing.scope.kind, "id": standing.scope.id, "name": standing.scope.name},
        "units": {
            "expected": progress.expected,
            "reported": progress.reported,
            "held": progress.held,
            "changed": progress.changed,
        },
        "undetermined": dict(standing.undetermined),
        "provisional": list(standing.provisional),
        "yardsticks": [_yardstick(yardstick, tabulation.plan) for yardstick in standing.yardsticks],
        "national": {
            "total": pools.total,
            "groups": dict(pools.groups),
            "pools": [_pool(pool) for pool in pools.pools],
            "units_without_value": without_value(tabulation.plan, standing, pools),
        },
    }


def without_value(plan: Plan, standing: Standing, pools: National) -> int:
    """Count units without a value on the yardstick that the pools of a place are shared by: they count nowhere."""
    if plan.national is None or not pools.pools:
        return 0
    return standing.on(plan.national.yardstick).units_without_value


def _yardstick(standing: YardstickStanding, plan: Plan) -> dict[str, Json]:
    yardstick = standing.yardstick
    return {
        "id": yardstick.id,
        "name": yardstick.name,
        "official": yardstick.official,
        "unit": yardstick.unit,
        "units_without_value": standing.units_without_value,
        "total": fixed(standing.total, yardstick.decimals),
        "groups": [_group(group, standing, plan) for group in standing.groups],
    }


def _group(group: GroupStanding, standing: YardstickStanding, plan: Plan) -> dict[str, Json]:
    decimals = standing.yardstick.decimals
    row: dict[str, Json] = {
        "id": group.group,
        "name": plan.groups[group.group].name,
        "value": fixed(group.printed, decimals),
        "exact": ratio(group.exact),
        "share": printed(group.share, SHARE_DECIMALS),
    }
    if standing.units_without_value:
        row["range"] = [fixed(group.lowest, decimals), fixed(group.highest, decimals)]
    return row


def _pool(standing: PoolStanding) -> dict[str, Json]:
    shared = standing.allocation
    closest = shared.closest
    return {
        "id": standing.pool.id,
        "scope": standing.pool.area,
        "delegates": standing.pool.delegates,
        "threshold": ratio(shared.threshold),
        "qualified": list(shared.qualified),
        "raw": {group: ratio(value) for group, value in shared.raw.items()},
        "groups": dict(shared.groups),
        "tied": list(shared.tie.groups) if shared.tie is not None else [],
        "closest": None
        if closest is None
        else {
            "winner": closest.winner,
            "loser": closest.loser,
            "remainders": [ratio(remainder) for remainder in closest.remainders],
        },
    }


def findings_object(
    tabulation: Tabulation, found: Iterable[Finding], kinds: Iterable[str], moment: Moment
) -> dict[str, Json]:
    """Give the object of `tallyroom check --json`; every kind of finding is counted, also those not found."""
    rows = list(found)
    counts: dict[str, Json] = {kind: sum(row.kind == kind for row in rows) for kind in kinds}
    return {
        "schema": SCHEMA,
        "contest": tabulation.plan.contest,
        "at": time(moment.at),
        "release": moment.release or None,
        "readings": dict(tabulation.readings),
        "counts": counts,
        "findings": [finding_object(row, tabulation.plan) for row in rows],
    }


def finding_object(finding: Finding, plan: Plan) -> dict[str, Json]:
    """Give one finding; `unit` is null where it is about an area or a batch."""
    area = plan.areas.get(finding.area)
    return {
        "code": finding.code,
        "kind": finding.kind,
        "severity": str(finding.severity),
        "unit": unit(plan, finding.unit) if finding.unit else None,
        "area": None if area is None else {"id": area.id, "name": area.name},
        "numbers": numbers_object(finding.numbers),
        "text": finding.text,
        "todo": finding.todo,
    }


def numbers_object(numbers: Mapping[str, Number]) -> dict[str, Json]:
    """Give the numbers that prove a finding."""
    return {name: _number(value) for name, value in numbers.items()}


def _number(value: Number) -> Json:
    if value is None or isinstance(value, int | str):
        return value
    return dict(value) if isinstance(value, Mapping) else list(value)
