"""Entries folded into what every unit has on file, under the plan in force: the state behind all standings.

A report takes effect if it is the first of its unit or names the one in force as what it replaces. Any other one waits
to be settled if its figures differ, and is a repeat if they are the same (`docs/decisions/0007`). A filing that came
through the door takes effect when a decision says so (`docs/decisions/0012`).
"""

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
from tallyroom.tabulate.decision import (
    DECISION,
    FILING,
    Decision,
    DecisionBody,
    FilingRead,
    Outcome,
    decision_of,
    read_decision,
    read_filing,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from tallyroom.ledger.entry import Entry
    from tallyroom.plan.types import Plan

REPORT = "report"
"""Kind of an entry that files a report or corrects one."""
AMENDMENT = "amendment"
"""Kind of an entry that changes the plan from then on."""

KINDS: Kinds[Report | FilingRead | DecisionBody | object] = Kinds(
    {
        (REPORT, 1): decode,
        (AMENDMENT, 1): msgspec.json.decode,
        (FILING, 1): read_filing,
        (DECISION, 1): read_decision,
    }
)
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
    key: str = ""
    channel: str = ""
    author: str = ""
    """Opaque id of who filed it."""
    role: str = ""
    card: str = ""
    """Whether the caller's check digits agreed: `matches`, `differs` or empty."""
    decided: bool = True
    """False: it came through the door, and counts only by a decision."""


@dataclass(slots=True)
class Filed:
    """What is on file, unit by unit, in ledger order."""

    plan: Plan
    filings: dict[str, list[Filing]] = field(default_factory=dict[str, list[Filing]])
    """Those that took effect; the last of a unit is in force."""
    unsettled: dict[str, list[Filing]] = field(default_factory=dict[str, list[Filing]])
    """Those with other figures than the one in force: each is a difference to settle. No unit has an empty list."""
    repeats: dict[str, list[Filing]] = field(default_factory=dict[str, list[Filing]])
    """Those that said the same as the one then in force."""
    waiting: dict[str, list[Filing]] = field(default_factory=dict[str, list[Filing]])
    """Those that need a second entry or a person. No unit has an empty list."""
    aside: dict[str, list[Filing]] = field(default_factory=dict[str, list[Filing]])
    """Copies kept as evidence, filings that were corrected by their own sender, and those that a person rejected."""
    decisions: dict[int, list[Decision]] = field(default_factory=dict[int, list[Decision]])
    """What became of a filing, by its number, oldest first."""
    units: dict[int, str] = field(default_factory=dict[int, str])
    """The unit of every filing, by its number."""
    amendments: list[tuple[int, Plan]] = field(default_factory=list[tuple[int, "Plan"]])
    """Sequence number of each amendment and the plan after it."""
    entries: int = 0

    def in_force(self) -> Iterator[Filing]:
        """Give the filing in force of every unit that has one."""
        return (filings[-1] for filings in self.filings.values())

    def counts(self, filing: Filing) -> bool:
        """Whether a filing on file is the one in force of its unit."""
        standing = self.filings.get(filing.report.unit)
        return standing is not None and standing[-1] is filing

    def all_of(self, unit: str) -> Iterator[Filing]:
        """Give the filings of a unit, whether they took effect or not; without those corrected before they did."""
        for kept in (self.filings, self.unsettled, self.repeats, self.waiting, self.aside):
            yield from kept.get(unit, ())

    def undecided(self, unit: str) -> Iterator[Filing]:
        """Give the filings of a unit that wait or differ."""
        yield from self.waiting.get(unit, ())
        yield from self.unsettled.get(unit, ())


def read(entry: Entry, plan: Plan, file: str = "") -> Filing | Decision | Plan:
    """Read one entry: a filing, what became of one, or the plan after an amendment.

    Raises:
        InputError: of another contest, not a report or amendment, or naming what the plan does not have.
        LedgerError: of a kind or version that this Tallyroom cannot read: it is never passed over.
    """
    if entry.contest != plan.contest:
        what = f"entry {entry.seq} belongs to contest {entry.contest}, not to {plan.contest}"
        raise InputError(Fault(what, "Open the ledger with the plan of its own contest.", file))
    try:
        body = KINDS.read(entry)
        if isinstance(body, DecisionBody):
            return decision_of(entry, body)
        if not isinstance(body, Report | FilingRead):
            return amended(plan, body)
    except InputError as error:
        raise _of_entry(entry, file, error.faults) from None
    except RecursionError:
        raise _of_entry(entry, file, [Fault("it is nested too deeply to be read", "Enter it again.")]) from None
    report, card = (body, "") if isinstance(body, Report) else (body.report, body.card)
    if faults := misfits(report, plan):
        raise _of_entry(entry, file, faults)
    return Filing(
        entry.seq, entry.at, report, entry.replaces, entry.reason, entry.paper,
        entry.key, entry.channel, entry.author.id, entry.author.role, card, isinstance(body, Report),
    )  # fmt: skip


def fold(entries: Iterable[Entry], plan: Plan, *, at: datetime | None = None, file: str = "") -> Filed:
    """Fold entries recorded up to `at` (all if None) into what is on file, under the plan in force then."""
    filed = Filed(plan)
    for entry in entries:
        if at is not None and entry.at > at:
            continue
        add(filed, entry, file)
    return filed


def add(filed: Filed, entry: Entry, file: str = "") -> Filing | Plan | None:
    """Add one more entry to what is on file; `Filed.counts` says whether a filing took effect.

    Returns:
        The filing that was filed or decided about, the plan after an amendment, or None if nothing can have changed.

    Raises:
        InputError: as `read`, a filing replaces what is no report of its unit, or a decision is about what is no
            filing. Nothing is added then.
    """
    found = read(entry, filed.plan, file)
    if isinstance(found, Decision):
        found = _decide(filed, found, entry, file)
    elif isinstance(found, Filing) and not found.decided:
        _wait(filed, found, entry, file)
    elif isinstance(found, Filing):
        _file(filed, found, entry, file)
    else:
        filed.plan = found
        filed.amendments.append((entry.seq, found))
    if isinstance(found, Filing):
        filed.units[found.seq] = found.report.unit
    filed.entries += 1
    return found


def latest_plan(entries: Iterable[Entry], plan: Plan, file: str = "") -> Plan:
    """Give the plan after every amendment, for looking back with hindsight.

    Raises:
        InputError: as `read`.
    """
    for entry in entries:
        if entry.kind == AMENDMENT and not isinstance(found := read(entry, plan, file), Filing | Decision):
            plan = found
    return plan


def effective(entries: Iterable[Entry]) -> Iterator[tuple[int, int | None, Report]]:
    """Give every report that would take effect, in the order it would: its number, what it replaces, the report."""
    filings: dict[int, Report] = {}
    for entry in entries:
        if entry.kind in {REPORT, FILING, DECISION}:
            body = KINDS.read(entry)
            if isinstance(body, Report):
                yield entry.seq, entry.replaces, body
            elif isinstance(body, FilingRead):
                filings[entry.seq] = body.report
            elif isinstance(body, DecisionBody) and body.outcome is Outcome.ACCEPTED and body.filing in filings:
                yield body.filing, body.replaces, filings[body.filing]


def figures(report: Report) -> Report:
    """Give what two filings of a unit are compared by: everything but the signatures and the picture."""
    return replace(report, signed=(), photo="")


def _file(filed: Filed, found: Filing, entry: Entry, file: str) -> None:
    unit = found.report.unit
    before = filed.filings.get(unit)
    if before is None or found.replaces != before[-1].seq:
        if what := _misplaced(filed, found):
            remedy = f"Enter the report of {unit} again, and name the entry of {unit} that it replaces."
            raise _of_entry(entry, file, [Fault(what, remedy)])
        if before is not None:
            _set_beside(filed, before[-1], found)
            return
    filed.filings.setdefault(unit, []).append(found)
    if unit in filed.unsettled:
        waiting = filed.unsettled.pop(unit)
        for other in waiting:
            _set_beside(filed, found, other)


def _wait(filed: Filed, found: Filing, entry: Entry, file: str) -> None:
    """Keep a filing until a decision says what becomes of it; one that its own sender corrects is set aside."""
    unit = found.report.unit
    if what := _misplaced(filed, found):
        raise _of_entry(entry, file, [Fault(what, f"Enter the report of {unit} again, and name its own entry.")])
    before = next((other for other in filed.undecided(unit) if other.seq == found.replaces), None)
    if before is not None and before.author == found.author:
        _take(filed, before)
        filed.aside.setdefault(unit, []).append(before)
    filed.waiting.setdefault(unit, []).append(found)


def _decide(filed: Filed, decision: Decision, entry: Entry, file: str) -> Filing | None:
    """Do what a decision says about the filing that it names."""
    unit = filed.units.get(decision.filing, "")
    about = next((one for one in filed.undecided(unit) if one.seq == decision.filing), None)
    if about is None:
        what = f"it decides about entry {decision.filing}, which is no filing that waits"
        raise _of_entry(entry, file, [Fault(what, "Enter the decision again, and name a filing that waits.")])
    _take(filed, about)
    filed.decisions.setdefault(about.seq, []).append(decision)
    match decision.outcome:
        case Outcome.ACCEPTED:
            return _accept(filed, about, decision)
        case Outcome.WAITS:
            filed.waiting.setdefault(unit, []).append(about)
        case Outcome.DIFFERS:
            filed.unsettled.setdefault(unit, []).append(about)
        case Outcome.REPEAT:
            filed.repeats.setdefault(unit, []).append(about)
        case Outcome.EVIDENCE | Outcome.REJECTED:
            filed.aside.setdefault(unit, []).append(about)
    return None


def _accept(filed: Filed, about: Filing, decision: Decision) -> Filing:
    """Let a filing take effect, unless the one in force is another than the decision names."""
    unit = about.report.unit
    accepted = replace(about, replaces=decision.replaces, decided=True)
    before = filed.filings.get(unit)
    if before is not None and decision.replaces != before[-1].seq:
        _set_beside(filed, before[-1], accepted)
        return accepted
    filed.filings.setdefault(unit, []).append(accepted)
    for other in [*filed.undecided(unit)]:
        if other.seq == decision.beside or figures(other.report) == figures(accepted.report):
            _take(filed, other)
            filed.repeats.setdefault(unit, []).append(other)
        elif other in filed.waiting.get(unit, ()):
            _take(filed, other)
            filed.unsettled.setdefault(unit, []).append(other)
    return accepted


def _take(filed: Filed, filing: Filing) -> None:
    """Take a filing out of those that wait or differ."""
    unit = filing.report.unit
    for kept in (filed.waiting, filed.unsettled):
        left = [other for other in kept.get(unit, ()) if other.seq != filing.seq]
        if left:
            kept[unit] = left
        else:
            kept.pop(unit, None)


def _set_beside(filed: Filed, standing: Filing, found: Filing) -> None:
    """Keep a filing that does not take effect, in the place of one that it corrects."""
    unit = standing.report.unit
    waiting = [other for other in filed.unsettled.pop(unit, ()) if other.seq != found.replaces]
    if figures(found.report) == figures(standing.report):
        filed.repeats.setdefault(unit, []).append(found)
    else:
        waiting.append(found)
    if waiting:
        filed.unsettled[unit] = waiting


def _misplaced(filed: Filed, found: Filing) -> str:
    """Say what a filing replaces, if that is no report of its unit.

    An entry that is not on file at all was recorded after the moment folded, by a clock that was set back.
    """
    unit, seq = found.report.unit, found.replaces
    if seq is None or any(other.seq == seq for other in filed.all_of(unit)):
        return ""
    if any(number == seq for number, _ in filed.amendments):
        return f"this report of {unit} replaces entry {seq}, which is an amendment of the plan"
    for other in {**filed.filings, **filed.unsettled}:
        if any(filing.seq == seq for filing in filed.all_of(other)):
            return f"this report of {unit} replaces entry {seq}, which is a report of {other}"
    return ""


def _of_entry(entry: Entry, file: str, faults: Iterable[Fault]) -> InputError:
    """Name the entry in each fault, and the file if there is one."""
    return InputError(*(replace(fault, what=f"entry {entry.seq}: {fault.what}", file=file) for fault in faults))
