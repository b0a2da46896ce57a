"""The tree over the leaf hashes a database holds, and whether it agrees with the head kept elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger.entry import NO_ENTRY
from tallyroom.ledger.faults import DamagedError
from tallyroom.ledger.tree import EMPTY, Frontier

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallyroom.ledger.entry import Head


def grown(count: int, leaves: Iterable[bytes], kept: Head | None, place: str) -> tuple[Frontier, str]:
    """The tree over the stored leaf hashes, held to the kept head on the way, and the last leaf (hex).

    Args:
        count: entries there should be.
        leaves: their leaf hashes in order.
        kept: a head to be met; None where none is kept.
        place: the database, for the fault.

    Raises:
        DamagedError: entries are missing, or database and head do not agree.
    """
    frontier, last = Frontier(), bytes.fromhex(NO_ENTRY)
    root = EMPTY if kept is None or kept.count == 0 else b""
    for leaf in leaves:
        frontier.append(leaf)
        last = leaf
        if kept is not None and frontier.count == kept.count:
            root = frontier.root()
    remedy = "Restore it from an export or a copy; `tallyroom ledger verify` names each fault."
    if kept is not None and (frontier.count != count or root.hex() != kept.root):
        known = f"{kept.count} with root {kept.root[:16]}..."
        what = f"the database and its kept head do not agree: {frontier.count} entries, the head knows {known}"
        raise DamagedError(Fault(what, remedy, place))
    if frontier.count != count:
        what = f"entries are missing: numbers go up to {count - 1}, and {frontier.count} entries are there"
        raise DamagedError(Fault(what, remedy, place))
    return frontier, last.hex()


def refuse_unkept(count: int, place: str) -> None:
    """Refuse a ledger with entries whose head should be kept and is not.

    Args:
        count: entries of the ledger.
        place: the file in which the head should be.

    Raises:
        DamagedError: there are entries.
    """
    if count > 0:
        what = f"the head of its {count} entries is not kept beside the database"
        raise DamagedError(Fault(what, "Copy it back from where it was moved.", place))
