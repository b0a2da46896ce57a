"""All checks on a report, an area or a batch, in the order of their codes."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from tallyroom.checks.alignments import ALIGNMENTS
from tallyroom.checks.chance import CHANCE
from tallyroom.checks.delegates import DELEGATES
from tallyroom.checks.facts import facts_of
from tallyroom.checks.neighbours import NEIGHBOURS
from tallyroom.checks.totals import AREAS, BATCHES

if TYPE_CHECKING:
    from tallyroom.checks.check import Check
    from tallyroom.checks.finding import AreaContext, BatchContext, Context, Finding
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report


def _place(check: Check[Any]) -> tuple[int, str]:  # the order of a check does not depend on its facts
    match = re.fullmatch(r"I(\d+)([a-z]?)", check.code)
    assert match is not None, check.code
    return int(match[1]), match[2]


_REPORT = tuple(sorted((*ALIGNMENTS.checks, *DELEGATES.checks, *CHANCE.checks, *NEIGHBOURS.checks), key=_place))


def catalogue() -> tuple[Check[Any], ...]:  # checks on reports, areas and batches together
    """Give every check, in the order of the codes."""
    return tuple(sorted((*_REPORT, *AREAS.checks, *BATCHES.checks), key=_place))


def examine(report: Report, plan: Plan, context: Context) -> tuple[Finding, ...]:
    """Give everything wrong with one report."""
    facts = facts_of(report, plan, context)
    return tuple(chain.from_iterable(check.findings(facts, unit=report.unit) for check in _REPORT))


def examine_area(area: AreaContext) -> tuple[Finding, ...]:
    """Give everything wrong with the sum of an area."""
    return tuple(chain.from_iterable(check.findings(area, area=area.area.id) for check in AREAS.checks))


def examine_batch(batch: BatchContext) -> tuple[Finding, ...]:
    """Give everything odd about a batch of new reports."""
    return tuple(chain.from_iterable(check.findings(batch) for check in BATCHES.checks))
