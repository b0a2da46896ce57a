"""The one door: whatever the channel, a report is proved, checked, entered and answered in one way."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from tallyroom.faults import InputError
from tallyroom.intake import refusals
from tallyroom.intake.answer import Answer, Refusal, refusal_of
from tallyroom.intake.card import card
from tallyroom.intake.differing import differing
from tallyroom.intake.judge import DoorJudge
from tallyroom.intake.pending import Pending
from tallyroom.intake.record import Record
from tallyroom.intake.ruling import DESK, ruled_draft
from tallyroom.ledger.entry import Author, Draft, Receipt
from tallyroom.ledger.faults import KeyConflictError, LedgerError, StoreError
from tallyroom.ledger.tree import leaf_hash
from tallyroom.plan.amend import amended
from tallyroom.report.fits import misfits
from tallyroom.report.wire import decode, to_wire
from tallyroom.tabulate.decision import FILING, Because, Outcome
from tallyroom.tabulate.filed import AMENDMENT
from tallyroom.tabulate.findings import alone
from tallyroom.vault.people import Role
from tallyroom.vault.refused import Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tallyroom.checks.finding import Finding
    from tallyroom.intake.bearer import Bearer
    from tallyroom.intake.offered import Amending, Offered, Ruling
    from tallyroom.ledger.entry import Json
    from tallyroom.ledger.port import Ledger
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report
    from tallyroom.vault.vault import Vault


class Door:
    """Lets reports in.

    Args:
        plan: before all amendments.
        ledger: where they go; from now on it is judged by this door.
        vault: where free text goes.
        now: the clock of the house, UTC: the time of receipt is this one.

    Attributes:
        record: what is on file.
    """

    def __init__(self, plan: Plan, ledger: Ledger, vault: Vault, now: Callable[[], datetime]) -> None:
        self._ledger, self._vault, self._now = ledger, vault, now
        self.record = Record(ledger, plan)
        ledger.judged_by(DoorJudge(plan, ledger.entries))

    @property
    def plan(self) -> Plan:
        """The plan in force."""
        return self.record.plan

    def offer(self, offered: Offered, bearer: Bearer) -> Pending | Refusal:
        """Check a report and hand it to the ledger; nothing is answered before it is on disk."""
        try:
            return self._offer(offered, bearer)
        except StoreError as error:
            return refusals.store(error)

    def _offer(self, offered: Offered, bearer: Bearer) -> Pending | Refusal:
        report = self._read(offered)
        if isinstance(report, Refusal):
            return report
        role = bearer.role_for(offered.channel, report.unit, self.plan)
        if role is None:
            return refusals.not_yours(bearer, report.unit, offered.channel, self.plan)
        if offered.replaces is not None and (refused := self._misplaced(offered.replaces, report.unit)):
            return refused
        draft = self._draft(offered, report, Author(bearer.person, role))
        if isinstance(draft, Refusal):
            return draft
        return self._submit(draft, partial(self._answer, report), partial(self._failed, offered, draft))

    def file(self, offered: Offered, bearer: Bearer) -> Answer | Refusal:
        """Let a report in, and wait until it is on disk."""
        pending = self.offer(offered, bearer)
        return pending if isinstance(pending, Refusal) else pending.result()

    def look(self, report: Report) -> tuple[Finding, ...]:
        """Give what the checks find in a report alone; nothing is kept.

        Raises:
            InputError: it names what the plan does not have.
        """
        faults = misfits(report, self.plan)
        if faults:
            raise InputError(*faults)
        return alone(report, self.plan)

    def found(self, key: str, bearer: Bearer) -> Answer | Refusal:
        """Give the receipt of what was sent under a key, to its sender: for answers that were lost."""
        entry = self._ledger.find(key)
        if entry is None or entry.kind != FILING or entry.author.id != bearer.person:
            return refusals.NOTHING_UNDER_KEY
        filing = self.record.filing(entry.seq)
        assert filing is not None, "what was committed is on file"
        receipt = Receipt(entry.seq, leaf_hash(entry.raw).hex(), self._ledger.head(), repeated=True)
        return self._answer(filing.report, receipt)

    def rule(self, ruling: Ruling, bearer: Bearer) -> Answer | Refusal:
        """Let a person decide about a filing that waits or differs; never one that the person entered."""
        draft = ruled_draft(ruling, bearer, self.record, self._now())
        if isinstance(draft, Refusal):
            return draft
        try:
            receipt = self._ledger.append([draft])[0]
        except StoreError as error:
            return refusals.store(error)
        except KeyConflictError as error:
            return refusals.unwritten(error)
        except LedgerError:
            return refusals.DECIDED  # another person was a moment earlier
        force = self.record.of(self.record.filed().units[ruling.filing]).in_force
        took = force is not None and force.seq == ruling.filing
        outcome = Outcome.REJECTED if not ruling.accept else Outcome.ACCEPTED if took else Outcome.DIFFERS
        return Answer(receipt.seq, receipt.leaf, receipt.head, receipt.repeated, outcome, Because.PERSON)

    def amend(self, amending: Amending, bearer: Bearer, at: datetime | None = None) -> Answer | Refusal:
        """Let a director change the plan from now on."""
        if not bearer.may(Role.DIRECTOR):
            return refusals.no_role("change the plan", "a director")
        try:
            body = msgspec.json.decode(amending.amendment)
            amended(self.plan, body)
        except InputError as refused:
            return refusal_of(422, "not-an-amendment", "The plan cannot be changed so", *refused.faults)
        draft = Draft(
            AMENDMENT, 1, self._ledger.contest, at or self._now(), amending.key,
            Author(bearer.person, Role.DIRECTOR), DESK, body, None, amending.reason, amending.paper,
        )  # fmt: skip
        try:
            receipt = self._ledger.append([draft])[0]
        except StoreError as error:
            return refusals.store(error)
        except LedgerError as error:
            return refusals.unwritten(error)
        return Answer(receipt.seq, receipt.leaf, receipt.head, receipt.repeated, Outcome.ACCEPTED, Because.PERSON)

    def _read(self, offered: Offered) -> Report | Refusal:
        try:
            report = decode(offered.report)
        except InputError as refused:
            return refusal_of(422, "not-a-report", "This is not a report", *refused.faults)
        faults = misfits(report, self.plan)
        if faults:
            return refusal_of(422, "not-of-this-contest", "The report does not belong to this contest", *faults)
        if report.unit in self.plan.closed:
            return refusals.closed(self.plan.units[report.unit])
        return report

    def _misplaced(self, replaces: int, unit: str) -> Refusal | None:
        filing = self.record.filing(replaces)
        if filing is not None and filing.report.unit == unit:
            return None
        return refusals.misplaced(replaces, self.plan.units[unit])

    def _draft(self, offered: Offered, report: Report, author: Author) -> Draft | Refusal:
        text = self._text(offered.comment, offered.key)
        if isinstance(text, Refusal):
            return text
        try:
            said = card(report, self.plan, offered.checks, offered.code)
        except InputError as refused:
            return refusal_of(422, "not-spoken", "This sheet cannot be spoken", *refused.faults)
        body: dict[str, Json] = {"report": to_wire(report)}
        if said:
            body["card"] = said
        if offered.device_at is not None:
            body["device_at"] = offered.device_at.astimezone(UTC).isoformat()
        return Draft(
            FILING, 1, self._ledger.contest, self._now(), offered.key, author, offered.channel.value, body,
            offered.replaces, "", offered.paper, text,
        )  # fmt: skip

    def _text(self, comment: str, key: str) -> str | Refusal:
        """Keep a comment in the vault, and give its digest."""
        if not comment:
            return ""
        text = self._vault.texts.keep(comment, self._now(), key=key)
        if isinstance(text, Refused):
            return Refusal(422, text.reason, "The comment cannot be kept", text.sentence)
        return text.digest

    def _submit(
        self,
        draft: Draft,
        answered: Callable[[Receipt], Answer | Refusal],
        failed: Callable[[LedgerError], Refusal | Pending],
    ) -> Pending | Refusal:
        try:
            return Pending(self._ledger.submit(draft), answered, failed)
        except StoreError as error:
            return refusals.store(error)
        except LedgerError as error:
            return refusals.unwritten(error)

    def _failed(self, offered: Offered, draft: Draft, error: LedgerError) -> Refusal | Pending:
        """Say why nothing was kept; but keep what came under a taken key, under one of its own, for a person."""
        if isinstance(error, StoreError):
            return refusals.store(error)
        if not isinstance(error, KeyConflictError):
            return refusals.unwritten(error)
        content = msgspec.json.encode((draft.author, draft.channel, draft.body, draft.replaces, draft.paper))
        key = f"{draft.key}:other:{sha256(content + offered.comment.encode()).hexdigest()[:16]}"
        text = self._text(offered.comment, key)
        again = replace(draft, key=key, text=text if isinstance(text, str) else "")
        return self._submit(again, partial(refusals.key_conflict, error), refusals.unwritten)

    def _answer(self, report: Report, receipt: Receipt) -> Answer:
        decision = self.record.decided(receipt.seq)
        assert decision is not None, "the writer put a decision behind every filing"
        beside = None if decision.beside is None else self.record.filing(decision.beside)
        plan = self.plan
        return Answer(
            receipt.seq, receipt.leaf, receipt.head, receipt.repeated, decision.outcome, decision.because,
            alone(report, plan), differing(report, beside.report, plan) if beside else (), decision.beside,
        )  # fmt: skip
