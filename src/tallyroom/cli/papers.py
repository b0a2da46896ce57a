"""What the codes of papers mean, as the record of a contest says: `scraped` becomes a sentence."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import msgspec

from tallyroom.cli.opened import record_of
from tallyroom.faults import TallyroomError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.plan.types import Plan


class _Head(msgspec.Struct):
    """The part of `record.toml` that is read here."""

    contest: str
    basis: dict[str, str] = {}


def papers(plan: Plan, record: str | None) -> Mapping[str, str]:
    """Give the sentence of every code; none where there is no record of the contest, or a code of another's ledger."""
    try:
        text = (record_of(plan, record) / "record.toml").read_text(encoding="utf-8-sig")
        head = msgspec.convert(tomllib.loads(text), _Head)
    except (TallyroomError, OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError):
        return {}
    return head.basis if head.contest == plan.contest else {}
