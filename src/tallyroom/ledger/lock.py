"""One writing program at a time: a lock file beside the database, let go by the system when the program dies."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger.faults import StoreError

if TYPE_CHECKING:
    from pathlib import Path


class WriterLock:
    """The right to write to a database, held until closed."""

    def __init__(self, database: Path) -> None:
        path = database.with_name(database.name + ".lock")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            what = f"the ledger cannot be locked for writing: {error.strerror}"
            raise StoreError(Fault(what, "Give a folder that is there and writable.", str(path))) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._file)
            what = f"another program writes to this ledger (process {holder})"
            raise StoreError(Fault(what, f"Stop process {holder}, or send it the filing.", str(database))) from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def close(self) -> None:
        """Let another program write."""
        os.close(self._file)
