"""The head kept beside a ledger's database: a cut or rewritten database no longer agrees with it.

The file is one line of fixed width, `COUNT ROOT`, written in place after each commit: 86 bytes lie in one sector, and a
rename for each commit was measured at half the cost of the commit itself. A crash may leave the kept head older than
the database, never newer. So an older head is no fault: its root must be that of the first COUNT entries, and whoever
opens the ledger to write brings it up to date.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger.entry import Head
from tallyroom.ledger.faults import DamagedError, StoreError

if TYPE_CHECKING:
    from pathlib import Path

_LINE = re.compile(rb"(\d{20}) ([0-9a-f]{64})\n")


def kept_path(database: Path) -> Path:
    """Where the head of a database is kept."""
    return database.with_name(database.name + ".head")


def read_kept(database: Path) -> Head | None:
    """The kept head of a database; None if there is no such file.

    Raises:
        DamagedError: the file is no head.
        StoreError: the file cannot be read.
    """
    path = kept_path(database)
    try:
        line, again = path.read_bytes(), path.read_bytes()
        while line != again:  # the writer was at it
            line, again = again, path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(
            Fault(f"the kept head cannot be read: {error.strerror}", "Make it readable.", str(path))
        ) from None
    match = _LINE.fullmatch(line)
    if match is None:
        remedy = "Copy back the file that was kept beside the database, or verify against a published head."
        raise DamagedError(Fault("this is no kept head", remedy, str(path), 1))
    return Head(int(match[1]), match[2].decode())


class KeptHead:
    """The kept head of a database while one program writes to it."""

    def __init__(self, database: Path) -> None:
        path = kept_path(database)
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            what = f"the head cannot be kept: {error.strerror}"
            raise StoreError(Fault(what, "Make the file and its folder writable.", str(path))) from None

    def keep(self, head: Head) -> None:
        """Replace the head. A failure is passed over: the entries are on disk, and the kept head may be older."""
        with suppress(OSError):
            os.pwrite(self._file, f"{head.count:020d} {head.root}\n".encode(), 0)

    def close(self) -> None:
        """Sync and close the file."""
        with suppress(OSError):
            os.fsync(self._file)
        os.close(self._file)
