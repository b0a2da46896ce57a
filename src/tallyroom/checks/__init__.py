"""Findings on a report: alone, against the plan, against its history and its neighbours. Never exceptions."""

from tallyroom.checks.check import Check
from tallyroom.checks.examine import catalogue, examine, examine_area, examine_batch
from tallyroom.checks.finding import AreaContext, BatchContext, Context, Finding, Severity
from tallyroom.checks.reference import reference

__all__ = [
    "AreaContext",
    "BatchContext",
    "Check",
    "Context",
    "Finding",
    "Severity",
    "catalogue",
    "examine",
    "examine_area",
    "examine_batch",
    "reference",
]
