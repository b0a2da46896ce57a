"""Numbered scripts that make the vault's tables: one text for both databases, forward only."""

from __future__ import annotations

from importlib.resources import files

from tallyroom.faults import Fault
from tallyroom.vault.faults import VaultStoreError

SCRIPTS = ("0001.sql",)
"""Applied in order, in SQLite's words; the table `vault_form` names those a database has."""

_POSTGRES = (("INTEGER", "bigint"), ("BLOB", "bytea"), (") STRICT;", ");"))
"""SQLite's words and PostgreSQL's for the same. Times are microseconds, so integers have 64 bits in both."""


def statements(name: str, *, postgres: bool = False) -> tuple[str, ...]:
    """The statements of one script, without comments; none has a semicolon inside."""
    text = files("tallyroom.vault").joinpath("schema", name).read_text("utf-8")
    if postgres:
        for ours, theirs in _POSTGRES:
            text = text.replace(ours, theirs)
    lines = (line for line in text.splitlines() if not line.startswith("--"))
    return tuple(statement for part in "\n".join(lines).split(";") if (statement := part.strip()))


def missing(form: int, place: str) -> tuple[tuple[int, str], ...]:
    """Number and name of each script that a database of this form lacks, in order.

    Raises:
        VaultStoreError: a later Tallyroom has written it.
    """
    if form > len(SCRIPTS):
        what = f"the vault has form {form}, and this Tallyroom knows forms up to {len(SCRIPTS)}"
        raise VaultStoreError(Fault(what, "Use the Tallyroom that wrote it, or a later one.", place))
    return tuple(enumerate(SCRIPTS, 1))[form:]


def no_vault(place: str) -> VaultStoreError:
    """The error of a ledger that has no vault beside it."""
    return VaultStoreError(Fault("there is no vault beside this ledger", "Make one: open it to create.", place))


def of_another(contest: str, asked: str, place: str) -> VaultStoreError:
    """The error of a database of another contest."""
    what = f"this is the ledger of {contest}, not of {asked}"
    return VaultStoreError(Fault(what, f"Give the ledger of {asked}.", place))
