"""The standing of an area for people: every yardstick side by side, what is open, and national delegates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.cli.layout import Block, moment_words, prose, table
from tallyroom.exact import printed
from tallyroom.publish.headline import headline, listed, margin, shown
from tallyroom.publish.reasons import reason_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.cli.opened import Opened
    from tallyroom.cli.terminal import Terminal
    from tallyroom.plan.types import Plan
    from tallyroom.tabulate import Basis, Standing, YardstickStanding
    from tallyroom.tabulate.national import National, PoolStanding


def show_standing(page: Terminal, found: Opened, standing: Standing, pools: National, basis: Basis) -> None:
    """Print the standing of an area at the moment asked for."""
    plan, progress = found.tabulation.plan, standing.progress
    page.line(plan.name)
    prose(page, f"{standing.scope.name}, {basis.replace('-', ' ')}; {moment_words(found.moment, plan)}")
    changed = f"; {progress.changed:,} changed since they first reported" if progress.changed else ""
    prose(page, f"{progress.reported:,} of {progress.expected:,} places reported{changed}")
    names = {group.id: group.name for group in plan.groups.values()}
    prose(page, headline(standing, names))
    page.line()
    official = next(row for row in standing.yardsticks if row.yardstick.official)
    order = [group.group for group in official.groups]
    head = Block(("Group",), tuple((plan.groups[group].name,) for group in order))
    table(page, head, [_block(row, order) for row in standing.yardsticks])
    page.line()
    whole = standing.scope.id == plan.top.id
    prose(page, margin(standing, names) if whole else f"{official.yardstick.name} settle this contest.")
    _show_open(page, plan, standing)
    if pools.pools:
        _show_national(page, plan, pools, complete=progress.reported >= progress.expected)


def _block(row: YardstickStanding, order: list[str]) -> Block:
    """Give the columns of one yardstick; where part is not on record, also how far it may go."""
    headings = (row.yardstick.name, "%")
    rows: list[tuple[str, ...]] = []
    for group in order:
        mine = row.of(group)
        cells = [shown(row, mine.printed), printed(100 * mine.share, 1)]
        if row.units_without_value:
            cells.append(f"{shown(row, mine.lowest)} to {shown(row, mine.highest)}")
        rows.append(tuple(cells))
    return Block((*headings, "when complete") if row.units_without_value else headings, tuple(rows))


def _show_open(page: Terminal, plan: Plan, standing: Standing) -> None:
    """Say what is not on record, what is provisional, and where the rule gives no single award."""
    for row in standing.yardsticks:
        if without := row.units_without_value:
            places = "1 place has" if without == 1 else f"{without:,} places have"
            prose(page, f"{places} reported without {row.yardstick.name.lower()}: not counted, and not as zero.")
    if standing.provisional:
        names = listed([plan.areas[pool].name for pool in standing.provisional])
        prose(page, f"Provisional: not all places of {names} are in, and what those are worth will still change.")
    if standing.undetermined:
        total = sum(standing.undetermined.values())
        places = "At 1 place" if total == 1 else f"At {total:,} places"
        prose(page, f"{places} the rule gives no single award, and what was written stands:")
        for reason, count in sorted(standing.undetermined.items(), key=lambda item: -item[1]):
            prose(page, reason_words(reason), f"{count:>6,}  ", hang=" " * 8)


def _show_national(page: Terminal, plan: Plan, pools: National, *, complete: bool) -> None:
    page.heading(f"National delegates ({pools.total})" if complete else f"National delegates ({pools.total}), so far")
    prose(page, _counts(plan, pools.groups))
    for pool in pools.pools:
        shared = pool.allocation
        prose(page, f"{pool.pool.name} ({pool.pool.delegates}): {_counts(plan, shared.groups)}", "  ", hang="    ")
        if text := _last(plan, pool):
            prose(page, text, "    ")


def _counts(plan: Plan, groups: Mapping[str, int]) -> str:
    """List groups that have any, most first."""
    rows = sorted(((count, group) for group, count in groups.items() if count), key=lambda row: -row[0])
    return ", ".join(f"{plan.groups[group].name} {count}" for count, group in rows) or "nobody yet"


def _last(plan: Plan, pool: PoolStanding) -> str:
    """Say what decided the last delegate of a pool."""
    shared = pool.allocation
    if shared.tie is not None:
        return f"{listed([plan.groups[group].name for group in shared.tie.groups])} tie for the last {shared.tie.take}"
    if shared.closest is None:
        return ""
    close = shared.closest
    won, next_ = (printed(value, 4) for value in close.remainders)
    return f"last to {plan.groups[close.winner].name} ({won}), next {plan.groups[close.loser].name} ({next_})"
