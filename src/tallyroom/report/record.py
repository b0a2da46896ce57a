"""The record of one place, whatever the channel. A missing key or None is blank; 0 was counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class RecordedLot:
    """A game of chance as written on the sheet: the tie it answers and who was drawn.

    Attributes:
        tie: id of the very tie (see `award.Tie.id`); no other text is taken.
        drawn: the groups that gained, lost or must realign.
    """

    tie: str
    drawn: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """One place's report as written on its signed sheet.

    Attributes:
        unit: id of the reporting place.
        alignments: people by stage, then by group; a group that is not there was left blank.
        attendance: people present, counted once; None if not on record.
        viability_number: as written on the sheet; None if not on record.
        delegates: delegates by group as written; None if not on record, never 0 instead.
        values: the official yardstick's value by group as written, where the sheet or page gives it instead of
            delegates (satellites); exact decimals.
        lots: games of chance recorded.
        other_attendance: further counts of the same people, by where they were made (`check-in`, `cards`).
        signed: roles or groups whose signature stands on the sheet, as ids; never a name.
        photo: digest of the sheet's picture in hex; empty if there is none.
        components: parts of the alignments that were counted apart (early ballots, the room), by component, stage and
            group; `alignments` hold the sums.
    """

    unit: str
    alignments: Mapping[str, Mapping[str, int]]
    attendance: int | None = None
    viability_number: int | None = None
    delegates: Mapping[str, int] | None = None
    values: Mapping[str, Fraction] | None = None
    lots: tuple[RecordedLot, ...] = ()
    other_attendance: Mapping[str, int] = field(default_factory=dict[str, int])
    signed: tuple[str, ...] = ()
    photo: str = ""
    components: Mapping[str, Mapping[str, Mapping[str, int]]] = field(
        default_factory=dict[str, "Mapping[str, Mapping[str, int]]"]
    )

    def count(self, stage: str, group: str) -> int | None:
        """People of a group at a stage; None if left blank."""
        return self.alignments.get(stage, {}).get(group)

    def total(self, stage: str) -> int:
        """People counted in groups at a stage."""
        return sum(self.alignments.get(stage, {}).values())
