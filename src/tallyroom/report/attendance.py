"""Who counts as present: the attendance on record, else what the reading in force puts in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallyroom.plan.types import Band, Stage, Unit
    from tallyroom.report.record import Report


@dataclass(frozen=True, slots=True)
class Attendance:
    """People present, and where the number comes from: `recorded`, or the reading `first`, `final` or `larger`.

    `people` is None where neither the attendance nor what stands in for it is on record: that is not nobody.
    """

    people: int | None
    taken_from: str


def attendance(report: Report, reading: str, stages: Sequence[Stage]) -> Attendance:
    """Give the attendance on record, else the stand-in: the sum of an alignment, or the larger of the sums on record.

    The first and the final alignment are the first and last of `stages`: a report keeps them in no order. One without
    a single count is not on record.
    """
    if report.attendance is not None:
        return Attendance(report.attendance, "recorded")
    counted = [stage.id for stage in stages if report.alignments.get(stage.id)]
    if reading == "first":
        counted = [stage for stage in counted if stage == stages[0].id]
    elif reading == "final":
        counted = [stage for stage in counted if stage == stages[-1].id]
    else:
        reading = "larger"
    return Attendance(max(map(report.total, counted), default=None), reading)


@overload
def delegates_of(unit: Unit, bands: tuple[Band, ...], attending: int) -> int: ...
@overload
def delegates_of(unit: Unit, bands: tuple[Band, ...], attending: int | None) -> int | None: ...
def delegates_of(unit: Unit, bands: tuple[Band, ...], attending: int | None) -> int | None:
    """Give the delegates a unit elects: fixed in advance, or by the band its attendance reaches (0 below the first).

    None where they follow from an attendance that nobody knows.
    """
    if unit.delegates is not None:
        return unit.delegates
    if attending is None:
        return None
    reached = [band.delegates for band in bands if attending >= band.attending_at_least]
    return reached[-1] if reached else 0
