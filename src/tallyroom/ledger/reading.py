"""All entries of a contest at once: those of a ledger that has been verified, or those of a recorded night."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger.address import open_ledger, verify_ledger
from tallyroom.ledger.faults import DamagedError
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import folder_of, read_night

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.resources.abc import Traversable

    from tallyroom.ledger.entry import Entry
    from tallyroom.plan.types import Plan


def recorded_entries(plan: Plan, folder: Traversable | str | None = None) -> Sequence[Entry]:
    """Give the entries of a recorded night: of a folder, or of the record of this contest that comes with Tallyroom.

    Raises:
        CannotRunError: there is no such folder or record, or a file of it cannot be read.
        InputError: names every fault of the record.
    """
    if folder is None:
        folder = folder_of(plan.contest)
    night = read_night(Path(folder) if isinstance(folder, str) else folder, plan)
    with MemoryLedger(plan.contest) as memory:
        memory.append(night.drafts)
        return list(memory.entries())


def stored_entries(address: str | Path, plan: Plan) -> Sequence[Entry]:
    """Give the entries of a ledger, in a file or on a server, once it is known to be what was written.

    Raises:
        StoreError: there is no such ledger, or it cannot be opened.
        DamagedError: it is not what was written.
        LedgerError: it is of another contest.
    """
    with open_ledger(address, plan.contest, read_only=True) as stored:
        if faults := verify_ledger(address, contest=plan.contest):
            more = f", and {len(faults) - 1:,} more such faults" if len(faults) > 1 else ""
            remedy = f"`tallyroom ledger verify {address}` names every fault; restore it from an export or a copy."
            raise DamagedError(Fault(f"{faults[0].what}{more}", remedy, faults[0].file, faults[0].line))
        return list(stored.entries())
