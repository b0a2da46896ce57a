"""What a check found, and what a check may know besides the report."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from fractions import Fraction

    from tallyroom.award import Outcome
    from tallyroom.plan.types import Area, Unit
    from tallyroom.report.attendance import Attendance

Number: TypeAlias = "int | str | Sequence[int | str] | Mapping[str, int | str | None] | None"
"""A number that proves a finding: an integer, an exact fraction as `p/q`, or names with such numbers."""


class Severity(StrEnum):
    """How much a finding asks of a person."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of one place, with the numbers that prove it.

    Attributes:
        code: number of the check (`I1`), stable for ever.
        kind: slug of the check (`final-exceeds-first`).
        unit: id of the place; empty when the finding is about an area or a batch as a whole.
        area: id of the area whose reports show it; empty when one report does, or a batch.
        numbers: what was compared, by name.
        text: one sentence for people.
        todo: one sentence that says what to do.
    """

    code: str
    kind: str
    severity: Severity
    unit: str
    area: str
    numbers: Mapping[str, Number]
    text: str
    todo: str


@dataclass(frozen=True, slots=True)
class Context:
    """What the checks of one report may know besides the report and the plan; built by `tabulate`.

    Attributes:
        unit: the place as the plan in force has it.
        delegates: delegates it elects (by band where attendance decides; 0 where that is not known either).
        attendance: people present and where the number comes from.
        outcome: what the rule makes of the final alignment, recorded lots used; None where it cannot be asked
            (nobody present, or no delegates).
        worth: weight of one delegate; None where it depends on other places.
        twins: other places with the very same figures, by stage, and by `all` when every stage is alike.
        group_names: printed names by group id, in sheet order.
    """

    unit: Unit
    delegates: int
    attendance: Attendance
    outcome: Outcome | None
    worth: Fraction | None
    group_names: Mapping[str, str]
    twins: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])


@dataclass(frozen=True, slots=True)
class AreaContext:
    """What the checks of one area (a county, a pool) may know.

    Attributes:
        units: reporting places it has.
        allotted: delegates of its units by plan; None if one of them has a number that is not on record.
        by_rule: the same, where the rule gives a unit more than it has by plan with what it gives; 0 if never.
        written: delegates its units awarded as written.
        missing: units that have not reported.
        unrecorded: units whose delegates are not on record.
        worth: weight of one delegate; None where it depends on attendance.
    """

    area: Area
    units: int
    allotted: int | None
    written: int
    missing: tuple[str, ...]
    unrecorded: tuple[str, ...]
    worth: Fraction | None
    by_rule: int = 0


@dataclass(frozen=True, slots=True)
class BatchContext:
    """What the checks of one batch of new reports may know.

    Attributes:
        before: the official yardstick by group before the batch.
        batch: what the batch adds to it.
        units: places in the batch.
        yardstick: what is counted, as a sentence says it: the name of the official yardstick.
        at: when it came, in the contest's own zone, so that it can be found again; None if the caller does not say.
    """

    before: Mapping[str, Fraction]
    batch: Mapping[str, Fraction]
    units: int
    group_names: Mapping[str, str]
    yardstick: str
    at: datetime | None = None
