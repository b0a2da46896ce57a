"""Checks of a report against other places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.checks.check import Found, Register
from tallyroom.checks.finding import Severity
from tallyroom.checks.words import people
from tallyroom.wording import listed

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

    An error where every alignment on record is alike, a note that says which where only some are.
    """
    if not facts.context.twins:
        return
    twins, stages = facts.context.twins, [stage for stage in facts.plan.stages if stage.id in facts.report.alignments]
    told: set[str] = set()
    for alike, named in (("all", stages), *((stage.id, [stage]) for stage in stages)):
        others = [unit for unit in twins.get(alike, ()) if unit not in told]
        most = max((facts.report.total(stage.id) for stage in named), default=0)
        if not others or most <= CHANCE:
            continue
        told.update(others)
        yield Found(
            f"Group by group the very same {listed(stage.name.lower() for stage in named)} as in "
            f"{listed(facts.place(unit) for unit in others)}: {people(most)}.",
            {"units": others, "alike": [stage.id for stage in named], "people": most},
            severity=None if alike == "all" else Severity.INFO,
        )
