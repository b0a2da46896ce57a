"""The standing of an area for people: every yardstick side by side, what is open, and national delegates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.cli.layout import Block, moment_words, prose, table
from tallyroom.exact import printed
from tallyroom.publish.headline import headline, margin, shown
from tallyroom.publish.pools import counts, last_delegate, on_record
from tallyroom.publish.reasons import reason_words
from tallyroom.tabulate.wire import without_value
from tallyroom.wording import counted, listed

if TYPE_CHECKING:
    from tallyroom.cli.opened import Opened
    from tallyroom.cli.terminal import Terminal
    from tallyroom.tabulate import Basis, Standing, YardstickStanding
    from tallyroom.tabulate.national import National


def show_standing(page: Terminal, found: Opened, standing: Standing, pools: National, basis: Basis) -> None:
    """Print the standing of an area at the moment asked for."""
    plan, progress = found.tabulation.plan, standing.progress
    page.line(plan.name)
    prose(page, f"{standing.scope.name}, {basis.replace('-', ' ')}; {moment_words(found.moment, plan)}")
    changed = f"; {progress.changed:,} changed since they first reported" if progress.changed else ""
    prose(page, f"{progress.reported:,} of {progress.expected:,} places reported{changed}")
    names = {group.id: group.name for group in plan.groups.values()}
    prose(page, headline(standing, names))
    official = next(row for row in standing.yardsticks if row.yardstick.official)
    if not progress.reported:
        prose(page, f"{official.yardstick.name} settle this contest.")
        return
    page.line()
    order = [group.group for group in official.groups]
    head = Block(("Group",), tuple((plan.groups[group].name,) for group in order))
    table(page, head, [_block(row, order) for row in standing.yardsticks])
    page.line()
    whole = standing.scope.id == plan.top.id
    prose(page, margin(standing, names) if whole else f"{official.yardstick.name} settle this contest.")
    _show_open(page, found, standing)
    if pools.pools:
        _show_national(page, found, standing, pools)


def _block(row: YardstickStanding, order: list[str]) -> Block:
    """Give the columns of one yardstick; where part is not on record, also how far it may go."""
    headings = (row.yardstick.name, "%")
    rows: list[tuple[str, ...]] = []
    for group in order:
        mine = row.of(group)
        cells = [shown(row, mine.printed), printed(100 * mine.share, 1)]
        if row.units_without_value:
            open_ = mine.lowest != mine.highest
            cells.append(f"{shown(row, mine.lowest)} to {shown(row, mine.highest)}" if open_ else "")
        rows.append(tuple(cells))
    return Block((*headings, "when complete") if row.units_without_value else headings, tuple(rows))


def _show_open(page: Terminal, found: Opened, standing: Standing) -> None:
    """Say what is not on record, what is to be settled or provisional, and where the rule gives no single award."""
    plan = found.tabulation.plan
    for row in standing.yardsticks:
        if without := row.units_without_value:
            places = f"{counted(without, 'place')} {'has' if without == 1 else 'have'}"
            prose(page, f"{places} reported without {row.yardstick.name.lower()}: not counted, and not as zero.")
    if unsettled := _unsettled(found, standing.scope.id):
        places = f"{counted(unsettled, 'place')} {'has' if unsettled == 1 else 'have'}"
        prose(page, f"{places} sent other figures than those in force: counted as first sent, and to be settled.")
    if standing.provisional:
        names = listed([plan.areas[pool].name for pool in standing.provisional])
        prose(page, f"Provisional: not all places of {names} are in, and what those are worth will still change.")
    if standing.undetermined:
        total = sum(standing.undetermined.values())
        prose(page, f"At {counted(total, 'place')} the rule gives no single award, and what was written stands:")
        for reason, count in sorted(standing.undetermined.items(), key=lambda item: -item[1]):
            prose(page, reason_words(reason), f"{count:>6,}  ", hang=" " * 8)


def _unsettled(found: Opened, area: str) -> int:
    """Count places inside an area with a report that waits to be settled."""
    plan, waiting = found.tabulation.plan, found.tabulation.filed.unsettled
    return sum(area in plan.lineage(plan.units[unit].area) for unit in waiting if unit in plan.units)


def _show_national(page: Terminal, found: Opened, standing: Standing, pools: National) -> None:
    """Print national delegates by pool, what decided the last of each, and what they rest on."""
    plan, progress = found.tabulation.plan, standing.progress
    names = {group.id: group.name for group in plan.groups.values()}
    rests = on_record(without_value(plan, standing, pools))
    far = "so far" if progress.reported < progress.expected else ""
    page.heading(", ".join(filter(None, [f"National delegates ({pools.total})", far, rests])))
    prose(page, counts(pools.groups, names) or NOBODY)
    for pool in pools.pools:
        shared = counts(pool.allocation.groups, names) or NOBODY
        prose(page, f"{pool.pool.name} ({pool.pool.delegates}): {shared}", "  ", hang="    ")
        if text := last_delegate(pool, names):
            prose(page, text, "    ")


NOBODY = "nobody yet"
"""Who has the delegates of a pool while nothing decides it."""
