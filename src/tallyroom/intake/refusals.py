"""Every reason for which the door keeps nothing, in sentences: what is wrong, where, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.intake.answer import Refusal, refusal_of

if TYPE_CHECKING:
    from tallyroom.intake.bearer import Bearer
    from tallyroom.ledger.entry import Receipt
    from tallyroom.ledger.faults import KeyConflictError, LedgerError, StoreError
    from tallyroom.plan.acceptance import Channel
    from tallyroom.plan.types import Plan, Unit

NOTHING_UNDER_KEY = Refusal(
    404, "nothing-under-key", "Nothing of yours was received under this key",
    "Nothing that you sent under this key has arrived. Send the report again under the same key.",
)  # fmt: skip
NOT_A_FILING = Refusal(
    404, "not-a-filing", "There is no such filing",
    "No filing has this number. Look at the place again, and name one of its filings.",
)  # fmt: skip
DECIDED = Refusal(
    409, "already-decided", "This filing is decided already",
    "Nothing is left to decide about this filing. Look at the place again.",
)  # fmt: skip
CHANGED_MEANWHILE = Refusal(
    409, "changed-meanwhile", "The place has changed meanwhile",
    "Another filing is in force than when you looked. Look at the place again before you decide.",
)  # fmt: skip
OWN_FILING = Refusal(
    403, "own-filing", "Another person has to decide this",
    "You entered one of these figures yourself, so another person has to decide. Leave it in the list.",
)  # fmt: skip


def no_role(what: str, roles: str) -> Refusal:
    """Refuse what takes a role that the bearer does not hold."""
    return Refusal(
        403, "no-role", f"You may not {what}", f"To {what} takes the role of {roles}. Ask a director for it."
    )


def not_yours(bearer: Bearer, unit: str, channel: Channel, plan: Plan) -> Refusal:
    """Refuse a report by who may not file this place this way."""
    if bearer.unit and bearer.unit != unit:
        detail = (
            f"Your packet is that of {plan.units[bearer.unit].name}; this is a report of {plan.units[unit].name}."
            " Choose your own precinct. Nothing was filed."
        )
        return Refusal(403, "wrong-precinct", "This is another precinct than yours", detail)
    detail = f"You hold no role that may file {plan.units[unit].name} as {channel.value!r}: {channel.meaning}."
    return Refusal(403, "not-yours", "You may not file this", f"{detail} Sign in with that role. Nothing was filed.")


def closed(unit: Unit) -> Refusal:
    """Refuse a report of a place that does not meet."""
    detail = f"{unit.name} does not meet in this contest, so it has no report. Check the name of the precinct."
    return Refusal(422, "does-not-meet", "This precinct does not meet", detail)


def misplaced(replaces: int, unit: Unit) -> Refusal:
    """Refuse a correction of what is no filing of the place."""
    detail = (
        f"Entry {replaces} is no filing of {unit.name}, so it cannot be corrected by one."
        " Name the filing of this place that is wrong, or leave it out."
    )
    return Refusal(422, "misplaced", "It corrects what is not there", detail)


def key_conflict(error: KeyConflictError, receipt: Receipt) -> Refusal:
    """Refuse a key that stands for something else; what came was kept for a person under a number of its own."""
    parts = ", ".join(sorted({part.partition(".")[0] for part in error.differing}))
    detail = (
        f"Under this key entry {error.seq} was filed before, and what came now differs in {parts}. Nothing was"
        f" overwritten: what came now is kept as entry {receipt.seq}, and a person will look at both."
        f" To correct your report, file it under a new key and say that it replaces entry {error.seq}."
    )
    return Refusal(409, "key-conflict", "Another report was sent under the same key", detail, seq=receipt.seq)


def store(error: StoreError) -> Refusal:
    """Refuse what cannot be put on disk now."""
    what = error.faults[0].what
    detail = (
        f"The report could not be kept: {what}. It is not filed. Keep it, and send it again under the same key in a"
        " minute; if that fails too, read it to headquarters by telephone."
    )
    return Refusal(503, "not-kept", "The report could not be kept", detail)


def unwritten(error: LedgerError) -> Refusal:
    """Refuse what cannot be an entry."""
    return refusal_of(422, "cannot-be-entered", "This cannot be entered", *error.faults)
