"""The door's judge: it stands in the ledger's writer, and decides about every filing in ledger order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.checks.finding import Severity
from tallyroom.faults import InputError
from tallyroom.intake.decide import decide
from tallyroom.ledger.entry import Draft
from tallyroom.ledger.faults import LedgerError
from tallyroom.tabulate.decision import DECISION, FILING, decision_body
from tallyroom.tabulate.filed import Filed, Filing, add
from tallyroom.tabulate.findings import alone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tallyroom.checks.finding import Finding
    from tallyroom.ledger.entry import Entry
    from tallyroom.plan.types import Plan
    from tallyroom.tabulate.decision import Decision


class DoorJudge:
    """Folds the ledger as it grows, uncommitted entries too, and gives a decision behind every filing.

    Args:
        plan: before all amendments.
        entries: gives the entries of the ledger from one number up to another.
    """

    def __init__(self, plan: Plan, entries: Callable[[int, int], Iterator[Entry]]) -> None:
        self._plan, self._entries = plan, entries
        self._filed = Filed(plan)
        self._count = 0

    def behind(self, entry: Entry) -> Sequence[Draft]:
        """See `Judge.behind`."""
        self._stand_at(entry.seq)
        try:
            found = add(self._filed, entry)
        except InputError as refused:
            raise LedgerError(*refused.faults) from None
        self._count = entry.seq + 1
        if entry.kind != FILING or not isinstance(found, Filing):
            return ()
        decision = decide(self._filed, found, errors_of(alone(found.report, self._filed.plan)))
        return (_draft(entry, decision),)

    def at(self, count: int) -> None:
        """See `Judge.at`."""
        if count < self._count:
            self._filed, self._count = Filed(self._plan), 0

    def _stand_at(self, count: int) -> None:
        """Take into account what came into the ledger without being asked about."""
        if self._count < count:
            for entry in self._entries(self._count, count):
                add(self._filed, entry)
            self._count = count


def errors_of(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Give the codes of those that are errors, each once, in their order."""
    return tuple(dict.fromkeys(finding.code for finding in findings if finding.severity is Severity.ERROR))


def _draft(entry: Entry, decision: Decision) -> Draft:
    return Draft(
        DECISION, 1, entry.contest, entry.at, f"{entry.key}:decision", entry.author, entry.channel,
        decision_body(decision),
    )  # fmt: skip
