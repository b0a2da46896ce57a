"""What becomes of a filing: the plan's policy applied to what is on file before it. Pure: anyone can check it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tallyroom.intake.differing import differing
from tallyroom.plan.acceptance import Policy
from tallyroom.tabulate.decision import Because, Decision, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallyroom.plan.types import Plan
    from tallyroom.tabulate.filed import Filed, Filing

MATCHES = "matches"
"""The caller's check digits and code are those of what was heard."""


def decide(filed: Filed, filing: Filing, errors: Sequence[str]) -> Decision:
    """Decide about a filing.

    Args:
        filed: what is on file; the filing waits there already, and nothing behind it is.
        filing: it.
        errors: codes of the errors that the checks find in it alone.
    """
    plan = filed.plan
    policy = plan.policy_of(filing.channel)
    blank = Decision(filing.seq + 1, filing.at, filing.seq, Outcome.WAITS, Because.ERRORS, author=filing.author)
    standing = filed.filings.get(filing.report.unit)
    if standing:
        return _against(standing[-1], filing, plan, policy, blank)
    others = [other for other in filed.undecided(filing.report.unit) if other.seq != filing.seq]
    return _first(others, filing, plan, policy, replace(blank, findings=tuple(errors)))


def _against(standing: Filing, filing: Filing, plan: Plan, policy: Policy, blank: Decision) -> Decision:
    """Decide about a filing of a unit that has one in force: only who is vouched for, and names it, corrects it."""
    compared = replace(blank, beside=standing.seq)
    if not differing(standing.report, filing.report, plan):
        return replace(compared, outcome=Outcome.REPEAT, because=Because.SAME_FIGURES)
    if policy is Policy.AUTHORITY and filing.replaces == standing.seq:
        return replace(compared, outcome=Outcome.ACCEPTED, because=Because.AUTHORITY, replaces=standing.seq)
    return replace(compared, outcome=Outcome.DIFFERS, because=Because.OTHER_FIGURES)


def _first(others: Sequence[Filing], filing: Filing, plan: Plan, policy: Policy, blank: Decision) -> Decision:
    """Decide about a filing of a unit that has none in force yet."""
    if policy is Policy.AUTHORITY:
        return replace(blank, outcome=Outcome.ACCEPTED, because=Because.AUTHORITY, findings=())
    if policy is Policy.EVIDENCE:
        return replace(blank, outcome=Outcome.EVIDENCE, because=Because.EVIDENCE, findings=())
    unlike = next((one for one in others if differing(one.report, filing.report, plan)), None)
    if unlike is not None:
        return replace(blank, outcome=Outcome.DIFFERS, because=Because.OTHER_FIGURES, beside=unlike.seq)
    partner = next((one for one in others if one.author != filing.author), None)
    compared = replace(blank, beside=partner.seq if partner else None)
    if blank.findings:
        return compared
    if policy is Policy.IF_SOUND:
        return replace(compared, outcome=Outcome.ACCEPTED, because=Because.SOUND)
    if filing.card == MATCHES:
        return replace(compared, outcome=Outcome.ACCEPTED, because=Because.CARD)
    if partner is not None:
        return replace(compared, outcome=Outcome.ACCEPTED, because=Because.SECOND_ENTRY)
    return replace(blank, because=Because.SECOND_ENTRY)
