"""What became of a filing that came through the door: an entry right behind it, or a person's, later."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from tallyroom.report.wire import decode

if TYPE_CHECKING:
    from datetime import datetime

    from tallyroom.ledger.entry import Entry, Json
    from tallyroom.report.record import Report

FILING = "filing"
"""Kind of an entry that files a report through the door: it counts when a decision says so, and not before."""
DECISION = "decision"
"""Kind of an entry that says what became of a filing."""


class Outcome(StrEnum):
    """What became of a filing."""

    ACCEPTED = "accepted"
    """It counts."""
    WAITS = "waits"
    """It is kept, and needs a second entry or a person."""
    DIFFERS = "differs"
    """It says something else than what is in force or waits: a difference to settle."""
    REPEAT = "repeat"
    """It says the same as what is in force."""
    EVIDENCE = "evidence"
    """A copy: kept beside what counts."""
    REJECTED = "rejected"
    """A person decided that it does not count."""


class Because(StrEnum):
    """Why."""

    SOUND = "sound"
    """No check found an error."""
    SECOND_ENTRY = "second-entry"
    """Another person entered the same figures unseen, or has to."""
    CARD = "card"
    """The check digits and the sheet code that the caller said are those of what was heard."""
    AUTHORITY = "authority"
    """The channel is vouched for."""
    ERRORS = "errors"
    """A check found an error: a person must look."""
    EVIDENCE = "evidence"
    """The channel never counts."""
    SAME_FIGURES = "same-figures"
    OTHER_FIGURES = "other-figures"
    PERSON = "person"
    """A person decided; the entry's reason says why."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a filing.

    Attributes:
        seq: number of its entry.
        filing: number of the filing it is about.
        beside: number of the filing that it was compared with; None if with none.
        replaces: number of the filing in force that an accepted one takes the place of.
        findings: codes of the errors that were found, in their order.
        author: opaque id of who decided; the filer's own where the rule did.
        reason: code, where a person decided.
    """

    seq: int
    at: datetime
    filing: int
    outcome: Outcome
    because: Because
    beside: int | None = None
    replaces: int | None = None
    findings: tuple[str, ...] = ()
    author: str = ""
    reason: str = ""


class FilingBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Body of a `filing`, version 1.

    Attributes:
        report: the report's own wire form.
        card: whether the check digits and sheet code that the caller said agree: `matches`, `differs`, or empty if
            none were said.
        device_at: when it was made, by the sender's clock: evidence only.
    """

    report: msgspec.Raw
    card: str = ""
    device_at: str = ""


class DecisionBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of a `decision`, version 1."""

    filing: int
    outcome: Outcome
    because: Because
    beside: int | None = None
    replaces: int | None = None
    findings: list[str] = msgspec.field(default_factory=list[str])


_filing = msgspec.json.Decoder(FilingBody)
_decision = msgspec.json.Decoder(DecisionBody)


@dataclass(frozen=True, slots=True)
class FilingRead:
    """A filing's body as read."""

    report: Report
    card: str


def read_filing(raw: msgspec.Raw) -> FilingRead:
    """Read the body of a filing.

    Raises:
        msgspec.DecodeError: it is none.
        InputError: its report is none.
    """
    found = _filing.decode(raw)
    return FilingRead(decode(found.report), found.card)


def read_decision(raw: msgspec.Raw) -> DecisionBody:
    """Read the body of a decision.

    Raises:
        msgspec.DecodeError: it is none.
    """
    return _decision.decode(raw)


def decision_of(entry: Entry, body: DecisionBody) -> Decision:
    """Put together what an entry and its body say."""
    return Decision(
        entry.seq, entry.at, body.filing, body.outcome, body.because, body.beside, body.replaces,
        tuple(body.findings), entry.author.id, entry.reason,
    )  # fmt: skip


def decision_body(decision: Decision) -> dict[str, Json]:
    """Give the body of a decision's entry; what is not there is left out."""
    body: dict[str, Json] = {
        "filing": decision.filing,
        "outcome": decision.outcome.value,
        "because": decision.because.value,
        "beside": decision.beside,
        "replaces": decision.replaces,
        "findings": list(decision.findings) or None,
    }
    return {key: value for key, value in body.items() if value is not None}
