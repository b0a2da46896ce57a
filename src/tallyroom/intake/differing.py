"""In which lines of the sheet two filings of a place differ: what a second entry is compared by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.report.spoken import counts_of, worksheet

if TYPE_CHECKING:
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report


def differing(one: Report, other: Report, plan: Plan) -> tuple[str, ...]:
    """Give the titles of the lines that differ, in sheet order; a blank is not the same as a 0.

    Attendance, every count of people and the delegates are compared, and what satellites write in their place.
    Signatures, pictures, lots and the number that was needed are not: two who enter a sheet need not both see them.
    """
    pairs = zip(worksheet(plan), counts_of(one, plan), counts_of(other, plan), strict=True)
    found = tuple(line.title for line, here, there in pairs if here != there)
    if one.values != other.values:
        found += ("Values",)
    if one.components != other.components:
        found += ("Components",)
    return found
