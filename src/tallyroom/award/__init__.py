"""Delegate arithmetic: viability, realignment, awarding, lots, national pools. Exact, pure, step by step."""

from tallyroom.award.legal import could_give
from tallyroom.award.national import Allocation, Closest, allocate
from tallyroom.award.outcome import (
    Awarded,
    AwardError,
    Comparison,
    LotsNeeded,
    MustRealign,
    NoViableGroup,
    Outcome,
    Step,
    StepRule,
    Tie,
    TieKind,
    Unawarded,
)
from tallyroom.award.precinct import award, outcomes
from tallyroom.award.realignment import Breach, BreachKind, breaches, locked
from tallyroom.award.viability import viability_number, viable_groups

__all__ = [
    "Allocation",
    "AwardError",
    "Awarded",
    "Breach",
    "BreachKind",
    "Closest",
    "Comparison",
    "LotsNeeded",
    "MustRealign",
    "NoViableGroup",
    "Outcome",
    "Step",
    "StepRule",
    "Tie",
    "TieKind",
    "Unawarded",
    "allocate",
    "award",
    "breaches",
    "could_give",
    "locked",
    "outcomes",
    "viability_number",
    "viable_groups",
]
