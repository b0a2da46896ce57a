"""Checks on areas and batches: what no single report can show."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tallyroom.checks.check import Found, Register
from tallyroom.checks.finding import AreaContext, BatchContext, Severity
from tallyroom.checks.words import delegates, places
from tallyroom.exact import printed, ratio
from tallyroom.plan.types import Sharing

if TYPE_CHECKING:
    from collections.abc import Iterator

BATCHES: Register[BatchContext] = Register()
AREAS: Register[AreaContext] = Register()

BATCH_UNITS = 20
"""Smaller batches jump for good reasons: one town, one campus."""
JUMP = Fraction(1, 10)
"""A group whose share of a batch lies this far from its share before is looked at."""
FROM_NOTHING = (Fraction(1, 100), Fraction(1, 20))
"""So is one that had less than the first share and has more than the second: in a release withdrawn on 5 February 2020
one group went from nothing to 21 state delegates (Des Moines Register of that day), which is more than the second share
of any batch below 420 of the 2,151."""


@BATCHES.check(
    "I23",
    "batch-jump",
    Severity.WARNING,
    "A group jumped in one batch",
    "Look at the reports of the batch before publishing: a column may be shifted, or they are from one kind of place.",
)
def batch_jump(batch: BatchContext) -> Iterator[Found]:
    """A group's share of the official yardstick in a batch of 20 places or more is far from its share before.

    That is 10 points or more in either direction, or a rise from less than 1 percent to more than 5.
    """
    before, added = sum(batch.before.values(), Fraction(0)), sum(batch.batch.values(), Fraction(0))
    if batch.units < BATCH_UNITS or not before or not added:
        return
    when = f" received on {batch.at:%Y-%m-%d at %H:%M %Z}" if batch.at is not None else ""
    for group in {**batch.before, **batch.batch}:
        value = batch.batch.get(group, Fraction(0))
        was, now = batch.before.get(group, Fraction(0)) / before, value / added
        if abs(now - was) >= JUMP or (was < FROM_NOTHING[0] and now > FROM_NOTHING[1]):
            yield Found(
                f"{batch.group_names.get(group, group)} has {printed(100 * now, 1)} percent of {batch.yardstick} in "
                f"the batch of {places(batch.units)}{when}, after {printed(100 * was, 1)} percent before.",
                {
                    "group": group,
                    "before": ratio(was),
                    "batch": ratio(now),
                    "added": ratio(value),
                    "units": batch.units,
                },
            )


@AREAS.check(
    "I24",
    "unit-missing",
    Severity.WARNING,
    "One place is missing where all others have reported",
    "Call its chair, and ask for the sheet.",
)
def unit_missing(area: AreaContext) -> Iterator[Found]:
    """Exactly one unit of an area with three or more has not reported."""
    if len(area.missing) == 1 and area.units > 2:
        yield Found(
            f"This place has not reported, and the other {area.units - 1} of {area.area.name} have.",
            {"missing": list(area.missing), "units": area.units},
            unit=area.missing[0],
        )


@AREAS.check(
    "I25",
    "county-total-differs",
    Severity.ERROR,
    "The delegates of a complete county do not add up to its number",
    "Look at its places with too many or too few delegates.",
)
def county_total_differs(area: AreaContext) -> Iterator[Found]:
    """The delegates of an area, all reported and on record, do not add up to the number it elects.

    Only for areas whose units have delegates fixed in advance. `off` is the difference in weight.
    """
    complete = area.units and area.allotted and not area.missing and not area.unrecorded
    if not complete or area.allotted is None or area.area.sharing is not Sharing.DELEGATES:
        return
    if area.allotted <= area.written <= max(area.allotted, area.by_rule):
        return
    off = (area.written - area.allotted) * (area.worth or Fraction(0))
    yield Found(
        f"{area.area.name} elects {delegates(area.allotted)}, and its places awarded {area.written}.",
        {"allotted": area.allotted, "written": area.written, "off": ratio(off)},
    )
