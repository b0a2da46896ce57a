"""Entries folded into what every unit has on file, under the plan in force: the state behind all standings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from tallyroom.faults import Fault, InputError
from tallyroom.ledger.kinds import Kinds
from tallyroom.plan.amend import amended
from tallyroom.report.fits import misfits
from tallyroom.report.record import Report
from tallyroom.report.wire import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from tallyroom.ledger.entry import Entry
    from tallyroom.plan.types import Plan

REPORT = "report"
"""Kind of an entry that files a report or corrects one."""
AMENDMENT = "amendment"
"""Kind of an entry that changes the plan from then on."""

KINDS: Kinds[Report | object] = Kinds({(REPORT, 1): decode, (AMENDMENT, 1): msgspec.json.decode})
"""Readers of the entries that count, by kind and version."""


@dataclass(frozen=True, slots=True)
class Filing:
    """One report as it stands in the ledger."""

    seq: int
    at: datetime
    report: Report
    replaces: int | None
    reason: str
    basis: str
    """Code of the paper or source it rests on."""


@dataclass(slots=True)
class Filed:
    """What is on file, unit by unit, in ledger order. The last filing of a unit is in force."""

    plan: Plan
    filings: dict[str, list[Filing]] = field(default_factory=dict[str, list[Filing]])
    amendments: list[tuple[int, Plan]] = field(default_factory=list[tuple[int, "Plan"]])
    """Sequence number of each amendment and the plan after it."""
    entries: int = 0

    def in_force(self) -> Iterator[Filing]:
        """Give the filing in force of every unit that has one."""
        return (filings[-1] for filings in self.filings.values())


def read(entry: Entry, plan: Plan, file: str = "") -> Filing | Plan:
    """Read one entry: a filing, or the plan after an amendment.

    Raises:
        InputError: of another contest, not a report or amendment, or naming what the plan does not have.
        LedgerError: of a kind or version that this Tallyroom cannot read: it is never passed over.
    """
    if entry.contest != plan.contest:
        what = f"entry {entry.seq} belongs to contest {entry.contest}, not to {plan.contest}"
        raise InputError(Fault(what, "Open the ledger with the plan of its own contest.", file))
    place = file or f"entry {entry.seq}"
    try:
        body = KINDS.read(entry)
        if not isinstance(body, Report):
            return amended(plan, body)
    except InputError as error:
        raise InputError(*(replace(fault, file=place) for fault in error.faults)) from None
    if faults := misfits(body, plan, place):
        raise InputError(*faults)
    return Filing(entry.seq, entry.at, body, entry.replaces, entry.reason, entry.paper)


def fold(entries: Iterable[Entry], plan: Plan, *, at: datetime | None = None, file: str = "") -> Filed:
    """Fold entries recorded up to `at` (all if None) into what is on file, under the plan in force then."""
    filed = Filed(plan)
    for entry in entries:
        if at is not None and entry.at > at:
            continue
        add(filed, entry, file)
    return filed


def add(filed: Filed, entry: Entry, file: str = "") -> Filing | Plan:
    """Add one more entry to what is on file."""
    found = read(entry, filed.plan, file)
    filed.entries += 1
    if isinstance(found, Filing):
        filed.filings.setdefault(found.report.unit, []).append(found)
    else:
        filed.plan = found
        filed.amendments.append((entry.seq, found))
    return found


def latest_plan(entries: Iterable[Entry], plan: Plan) -> Plan:
    """Give the plan after every amendment, for looking back with hindsight."""
    for entry in entries:
        if entry.kind == AMENDMENT:
            plan = amended(plan, KINDS.read(entry))
    return plan
