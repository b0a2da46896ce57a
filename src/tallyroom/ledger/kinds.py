"""What an entry's body means: a register of kinds by stable name and version, never by a class's path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from tallyroom.faults import Fault
from tallyroom.ledger.faults import LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tallyroom.ledger.entry import Entry

T_co = TypeVar("T_co", covariant=True)


class Kinds(Generic[T_co]):
    """Readers of bodies: `Kinds({("report", 1): msgspec.json.Decoder(ReportBody).decode})`."""

    def __init__(self, readers: Mapping[tuple[str, int], Callable[[msgspec.Raw], T_co]]) -> None:
        self._readers = dict(readers)

    def read(self, entry: Entry) -> T_co:
        """Decode the body of an entry.

        Raises:
            LedgerError: the kind or its version is not known, or the body has another form.
        """
        reader = self._readers.get((entry.kind, entry.version))
        if reader is None:
            what = f"entry {entry.seq} is a {entry.kind} of version {entry.version}, which this Tallyroom cannot read"
            raise LedgerError(Fault(what, "Use the Tallyroom that wrote it, or a later one."))
        try:
            return reader(entry.body)
        except (msgspec.DecodeError, RecursionError) as error:
            what = f"entry {entry.seq} is no {entry.kind} of version {entry.version}: {error}"
            raise LedgerError(Fault(what, "Enter a correction that replaces it.")) from None
