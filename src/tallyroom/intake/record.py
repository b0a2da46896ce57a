"""What the door knows of a contest: everything committed, folded as it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from tallyroom.tabulate.filed import Filed, add

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.ledger.port import Ledger
    from tallyroom.plan.types import Plan
    from tallyroom.tabulate.decision import Decision
    from tallyroom.tabulate.filed import Filing


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """What is on file of one place.

    Attributes:
        in_force: the filing that counts; None if there is none.
        corrected: those that counted before it.
        waiting: those that need a second entry or a person.
        unsettled: those that say something else.
        repeats: those that say the same.
        aside: copies, those their sender corrected, those that were rejected.
        decisions: what became of each, by its number.
    """

    unit: str
    in_force: Filing | None
    corrected: tuple[Filing, ...]
    waiting: tuple[Filing, ...]
    unsettled: tuple[Filing, ...]
    repeats: tuple[Filing, ...]
    aside: tuple[Filing, ...]
    decisions: Mapping[int, tuple[Decision, ...]]

    @property
    def filings(self) -> tuple[Filing, ...]:
        """All of them, in ledger order."""
        force = () if self.in_force is None else (self.in_force,)
        found = (*self.corrected, *force, *self.waiting, *self.unsettled, *self.repeats, *self.aside)
        return tuple(sorted(found, key=lambda filing: filing.seq))


class Record:
    """The committed entries of a ledger, folded. Safe to use from many threads.

    Args:
        ledger: whose entries.
        plan: before all amendments.
    """

    def __init__(self, ledger: Ledger, plan: Plan) -> None:
        self._ledger, self._lock = ledger, Lock()
        self._filed, self._count = Filed(plan), 0

    @property
    def plan(self) -> Plan:
        """The plan in force."""
        return self.filed().plan

    def filed(self) -> Filed:
        """What is on file now. To be looked at at once and not kept: it grows."""
        if self._count < self._ledger.head().count:
            with self._lock:
                for entry in self._ledger.entries(self._count):
                    add(self._filed, entry)
                    self._count = entry.seq + 1
        return self._filed

    def of(self, unit: str) -> UnitRecord:
        """What is on file of one place."""
        filed = self.filed()
        with self._lock:
            standing = filed.filings.get(unit, [])
            return UnitRecord(
                unit,
                standing[-1] if standing else None,
                tuple(standing[:-1]),
                tuple(filed.waiting.get(unit, ())),
                tuple(filed.unsettled.get(unit, ())),
                tuple(filed.repeats.get(unit, ())),
                tuple(filed.aside.get(unit, ())),
                {filing.seq: tuple(filed.decisions.get(filing.seq, ())) for filing in filed.all_of(unit)},
            )

    def filing(self, seq: int) -> Filing | None:
        """The filing with this number."""
        filed = self.filed()
        return next((filing for filing in filed.all_of(filed.units.get(seq, "")) if filing.seq == seq), None)

    def decided(self, seq: int) -> Decision | None:
        """What was decided about a filing when it came in."""
        found = self.filed().decisions.get(seq)
        return found[0] if found else None
