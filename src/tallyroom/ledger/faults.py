"""The ledger's exceptions: one base, few leaves, each says what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.faults import CannotRunError, Fault, TallyroomError

if TYPE_CHECKING:
    from collections.abc import Sequence


class LedgerError(TallyroomError):
    """A broken contract: a draft that cannot be written down, a draft of another contest."""


class KeyConflictError(LedgerError):
    """A key that stands in the ledger came again with another content. Nothing of the request was written.

    Attributes:
        key: the key both use.
        seq: number of the entry that has it.
        standing: canonical bytes of that entry.
        offered: canonical bytes the new draft would have had in its place.
        differing: names of the fields that differ.
    """

    exit_code = 65

    def __init__(self, key: str, seq: int, standing: bytes, offered: bytes, differing: Sequence[str]) -> None:
        self.key, self.seq, self.standing, self.offered, self.differing = key, seq, standing, offered, differing
        what = f"key {key} already names entry {seq}, and what came now differs in {', '.join(differing)}"
        super().__init__(Fault(what, f"File a correction that replaces entry {seq}, under a key of its own."))


class StoreError(LedgerError, CannotRunError):
    """The place where entries are kept cannot be used: missing, locked, full, read-only, not a ledger."""


class DamagedError(LedgerError):
    """What is kept is not what was written: bytes, order or number of entries differ from their hashes or the head."""

    exit_code = 65
