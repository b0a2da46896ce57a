"""The check on games of chance: a tie without its lot, a lot without its tie."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tallyroom.award import could_give
from tallyroom.award.outcome import LotsNeeded, TieKind
from tallyroom.checks.check import Found, Register
from tallyroom.checks.finding import Severity
from tallyroom.exact import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallyroom.checks.facts import Facts
    from tallyroom.checks.finding import Number

CHANCE: Register[Facts] = Register()

_VERBS = {TieKind.GAIN: "gain a delegate", TieKind.LOSE: "lose a delegate", TieKind.REALIGN: "realign"}
_TIE = re.compile(r"[a-z]+:\d+:([^@]+)@.*")


@CHANCE.check(
    "I13",
    "lot-expected",
    Severity.INFO,
    "Chance decides, and no lot that does is on record",
    "Ask who was drawn, who called and who saw it, and record the lot.",
)
def lot_expected(facts: Facts) -> Iterator[Found]:
    """Groups tie for the last delegate and no recorded lot answers that tie; or a recorded lot answers no tie.

    The second is a warning, and so is a lot for the right tie that names groups who cannot have been drawn in it. A tie
    is an error where two or more are elected and no draw gives the delegates as written.
    """
    outcome = facts.context.outcome
    if outcome is None:
        return
    if isinstance(outcome, LotsNeeded):
        tie = outcome.tie
        tied = f"{facts.names(tie.groups)} tie, and {tie.take} of them must {_VERBS[tie.kind]}"
        numbers: dict[str, Number] = {"tie": tie.id, "groups": list(tie.groups), "take": tie.take, "at": ratio(tie.at)}
        if written := _impossible(facts, outcome):
            yield Found(
                f"{tied}; no draw gives what is written: {facts.counts(written)}.",
                {**numbers, "written": written},
                severity=Severity.ERROR,
                todo="Work the award out with `tallyroom award`, and ask who was drawn; the sheet stands until then.",
            )
        else:
            yield Found(f"{tied}.", numbers)
    open_tie = outcome.tie.id if isinstance(outcome, LotsNeeded) else ""
    for lot in facts.report.lots:
        if lot.tie not in outcome.stray:
            continue
        drawn = facts.names(lot.drawn)
        text = f"{drawn} cannot have been drawn in this tie" if lot.tie == open_tie else _no_such_tie(facts, lot.tie)
        yield Found(
            f"{text}.",
            {"tie": lot.tie, "drawn": list(lot.drawn)},
            severity=Severity.WARNING,
            todo="Look on the sheet who was drawn, and whether a count was changed after the lot.",
        )


def _impossible(facts: Facts, needed: LotsNeeded) -> dict[str, int]:
    """Give the delegates as written, if all are on record, two or more are elected and no draw gives them."""
    written = facts.written
    if written is None or needed.viability_number is None or needed.tie.kind is TieKind.REALIGN:
        return {}
    if not written.keys() >= set(facts.contenders) or could_give(needed, written):
        return {}
    return {group: count for group, count in written.items() if count or group in facts.contenders}


def _no_such_tie(facts: Facts, tie: str) -> str:
    """Say which tie a recorded lot names that is not there."""
    match = _TIE.fullmatch(tie)
    named = set(match[1].split("+")) if match else set[str]()
    between = facts.names(group for group in facts.plan.groups if group in named)
    if not named or not named <= facts.plan.groups.keys():
        return f"A lot is on record for {tie!r}, which is no tie here"
    return f"A lot between {between} is on record, and there is no such tie"
