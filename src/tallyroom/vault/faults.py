"""The vault's exceptions: none of them, nor what they were caused by, repeats a value that is kept here."""

from __future__ import annotations

from tallyroom.faults import CannotRunError, TallyroomError


class VaultError(TallyroomError):
    """A broken contract: an erasure of another contest, a text that no database can keep, too short a secret."""


class VaultStoreError(VaultError, CannotRunError):
    """The place where records are kept cannot be used: missing, locked, full, read-only, opened with another secret."""


class VaultDamagedError(VaultError):
    """What is kept is not what was put in: a photo differs from its digest."""

    exit_code = 65


class ConstraintError(VaultError):
    """The database refused a row because of the rows that are there; a drawer answers it with a value."""
