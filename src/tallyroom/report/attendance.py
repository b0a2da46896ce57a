"""Who counts as present: the attendance on record, else what the reading in force puts in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallyroom.plan.types import Band, Stage, Unit
    from tallyroom.report.record import Report


@dataclass(frozen=True, slots=True)
class Attendance:
    """People present, and where the number comes from: `recorded`, or the reading `first`, `final` or `larger`."""

    people: int
    taken_from: str


def attendance(report: Report, reading: str, stages: Sequence[Stage]) -> Attendance:
    """Give the attendance on record, else the stand-in: the sum of an alignment, or the larger of the sums.

    `stages` say which alignment on record is the first and which the final: a report keeps them in no order.
    """
    if report.attendance is not None:
        return Attendance(report.attendance, "recorded")
    totals = [report.total(stage.id) for stage in stages if stage.id in report.alignments] or [0]
    if reading == "first":
        return Attendance(totals[0], reading)
    if reading == "final":
        return Attendance(totals[-1], reading)
    return Attendance(max(totals), "larger")


def delegates_of(unit: Unit, bands: tuple[Band, ...], attending: int) -> int:
    """Give the delegates a unit elects: fixed in advance, or by the band its attendance reaches (0 below the first)."""
    if unit.delegates is not None:
        return unit.delegates
    reached = [band.delegates for band in bands if attending >= band.attending_at_least]
    return reached[-1] if reached else 0
