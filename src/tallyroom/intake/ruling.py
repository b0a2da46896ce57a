"""What a person decides about a filing, as an entry; who may, and when it is too late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.intake import refusals
from tallyroom.ledger.entry import Author, Draft
from tallyroom.tabulate.decision import DECISION, Because, Decision, Outcome, decision_body
from tallyroom.vault.people import Role

if TYPE_CHECKING:
    from datetime import datetime

    from tallyroom.intake.answer import Refusal
    from tallyroom.intake.bearer import Bearer
    from tallyroom.intake.offered import Ruling
    from tallyroom.intake.record import Record, UnitRecord

DESK = "desk"
"""Channel of what a person of the staff enters that is no report."""


def ruled_draft(ruling: Ruling, bearer: Bearer, record: Record, at: datetime) -> Draft | Refusal:
    """Give the entry of a decision, or why it may not be."""
    role = next((role for role in (Role.ADJUDICATOR, Role.DIRECTOR) if bearer.may(role)), None)
    if role is None:
        return refusals.no_role("decide about a filing", "an adjudicator")
    filing = record.filing(ruling.filing)
    if filing is None:
        return refusals.NOT_A_FILING
    unit = record.of(filing.report.unit)
    if filing not in (*unit.waiting, *unit.unsettled):
        return refusals.DECIDED
    if bearer.person in _entered(unit):
        return refusals.OWN_FILING
    standing = unit.in_force.seq if unit.in_force else None
    if standing != ruling.standing:
        return refusals.CHANGED_MEANWHILE
    outcome = Outcome.ACCEPTED if ruling.accept else Outcome.REJECTED
    decision = Decision(0, at, filing.seq, outcome, Because.PERSON, replaces=standing if ruling.accept else None)
    return Draft(
        DECISION, 1, record.plan.contest, at, ruling.key, Author(bearer.person, role), DESK,
        decision_body(decision), reason=ruling.reason,
    )  # fmt: skip


def _entered(unit: UnitRecord) -> set[str]:
    """Give who entered what is to be compared."""
    force = () if unit.in_force is None else (unit.in_force,)
    return {filing.author for filing in (*force, *unit.waiting, *unit.unsettled)}
