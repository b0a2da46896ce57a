"""What a sender offers at the door, in the form in which it is sent."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads it
from typing import Annotated

import msgspec

from tallyroom.plan.acceptance import Channel  # noqa: TC001 - msgspec reads it

Key = Annotated[
    str, msgspec.Meta(pattern=r"^[!-9;-~]{1,160}$", description="idempotency key, minted where it began; no colon")
]
"""Keys of decisions and of conflicting filings have a colon, so that nobody can take one of them beforehand."""


class Offered(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One report, whatever the channel.

    Attributes:
        key: idempotency key, minted on the device when the draft began: what is sent again has the same.
        channel: how it came.
        report: the report in its wire form (`report.wire`), as JSON.
        replaces: number of the filing that it corrects.
        checks: check digits of the lines as the sender said them, in sheet order; empty if none were said.
        code: the sheet's two-digit code as the sender said it.
        device_at: when it was made, by the sender's clock: kept as evidence, never used.
        paper: digest or code of the paper it rests on.
        comment: free text; kept in the vault, the ledger has its digest.
    """

    key: Key
    channel: Channel
    report: msgspec.Raw
    replaces: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] | None = None
    checks: Annotated[str, msgspec.Meta(max_length=400)] = ""
    code: Annotated[str, msgspec.Meta(max_length=8)] = ""
    device_at: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    paper: Annotated[str, msgspec.Meta(max_length=128)] = ""
    comment: Annotated[str, msgspec.Meta(max_length=2_000)] = ""


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a person decides about a filing that waits or differs.

    Attributes:
        key: idempotency key.
        filing: number of the filing.
        accept: whether it shall count; if not, it is set aside.
        reason: why, as a code.
        standing: number of the filing in force when the person looked; None if there was none.
    """

    key: Key
    filing: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
    accept: bool
    reason: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$", max_length=64)]
    standing: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] | None = None


class Amending(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A change of the plan, from now on.

    Attributes:
        key: idempotency key.
        amendment: its body in the form of `plan.amend`, as JSON.
        reason: why, as a code.
        paper: digest or code of the paper it rests on.
    """

    key: Key
    amendment: msgspec.Raw
    reason: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]*(?:-[a-z0-9]+)*$", max_length=64)] = ""
    paper: Annotated[str, msgspec.Meta(max_length=128)] = ""
