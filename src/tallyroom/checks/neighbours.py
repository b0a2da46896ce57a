"""Checks of a report against other places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.checks.check import Found, Register
from tallyroom.checks.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallyroom.checks.facts import Facts

NEIGHBOURS: Register[Facts] = Register()
_check = NEIGHBOURS.check

CHANCE = 10
"""Places with no more people than this have the same figures by chance."""


@_check(
    "I14",
    "duplicate-of-unit",
    Severity.ERROR,
    "Another place has the very same figures",
    "Compare both sheets: one of the places may have been entered twice.",
)
def duplicate_of_unit(facts: Facts) -> Iterator[Found]:
    """Another unit has the very same people in every group, with more than ten people counted.

    An error where every alignment is alike, a note that says which where only some are.
    """
    twins, stages = facts.context.twins, [stage.id for stage in facts.plan.stages]
    told: set[str] = set()
    for alike, named in (("all", stages), *((stage, [stage]) for stage in stages)):
        others = [unit for unit in twins.get(alike, ()) if unit not in told]
        people = max((facts.report.total(stage) for stage in named), default=0)
        if not others or people <= CHANCE:
            continue
        told.update(others)
        places = ", ".join(facts.plan.units[unit].name if unit in facts.plan.units else unit for unit in others)
        which = " and ".join(stage.name.lower() for stage in facts.plan.stages if stage.id in named)
        yield Found(
            f"The same figures as {places} in: {which}.",
            {"units": others, "alike": named, "people": people},
            severity=None if alike == "all" else Severity.INFO,
        )
