"""Numbered scripts that bring a database to the form this Tallyroom writes: forward only, applied by a writer."""

from __future__ import annotations

from importlib.resources import files

from tallyroom.faults import Fault
from tallyroom.ledger.faults import StoreError

SQLITE = ("sqlite-0001.sql",)
"""Applied in order; the database's `user_version` counts those it has."""

POSTGRES = ("postgres-0001.sql",)
"""Applied in order; the table `ledger.form` names those the database has."""


def script(name: str) -> str:
    """The text of one script."""
    return files("tallyroom.ledger").joinpath("schema", name).read_text("utf-8")


def missing(scripts: tuple[str, ...], form: int, place: str) -> tuple[tuple[int, str], ...]:
    """Number and name of each script that a database of this form lacks, in order.

    Raises:
        StoreError: a later Tallyroom has written it.
    """
    if form > len(scripts):
        what = f"the ledger has form {form}, and this Tallyroom knows forms up to {len(scripts)}"
        raise StoreError(Fault(what, "Use the Tallyroom that wrote it, or a later one.", place))
    return tuple(enumerate(scripts, 1))[form:]


def refuse_older(scripts: tuple[str, ...], form: int, place: str) -> None:
    """Let a reader go on only with the newest form: it may not migrate, and knows no other.

    Raises:
        StoreError: the database is older or newer.
    """
    if missing(scripts, form, place):
        what = f"the ledger has form {form}, and this Tallyroom reads form {len(scripts)}"
        raise StoreError(Fault(what, "Open it once for writing: that brings it up to date.", place))
