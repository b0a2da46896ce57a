"""Whether a ledger is what was written: bytes, chain, order, keys and the kept head; all faults at once.

What it proves: against a kept or published head of n entries, the first n are the very bytes that were there then.
What it cannot: entries behind that head could be cut or rewritten unseen, by whoever can also rebuild their chain.
A kept head older than the ledger is no fault (see `kept`); one that counts more entries than there are is a cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger.contract import canonical
from tallyroom.ledger.entry import NO_ENTRY, Entry, read_entry
from tallyroom.ledger.faults import DamagedError
from tallyroom.ledger.tree import Frontier, leaf_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tallyroom.ledger.entry import Head
    from tallyroom.ledger.writer import Row

RESTORE = "Restore the ledger from an export or a copy."


def verify(
    entries_raw: Iterable[bytes], kept_head: Head | None, contest: str, *, file: str = "", by_line: bool = False
) -> list[Fault]:
    """Every fault of a ledger given as canonical bytes in order.

    Args:
        entries_raw: the bytes of each entry.
        kept_head: head kept or published at any moment; None checks bytes and chain alone.
        contest: the contest it should be of.
        file: where the bytes come from, for the faults.
        by_line: an entry a line, so that faults name lines.
    """
    check = _Check(contest, file, by_line=by_line)
    for raw in entries_raw:
        check.take(raw)
        check.meet(kept_head)
    check.end(kept_head)
    return check.faults


def verify_rows(rows: Iterable[Row], kept_head: Head | None, contest: str, *, file: str = "") -> list[Fault]:
    """Every fault of a ledger given as stored rows in stored order: number, key and leaf are held to the bytes too."""
    check = _Check(contest, file, by_line=False)
    for seq, key, leaf, raw in rows:
        check.hold(seq, key, leaf, raw)
        check.take(raw)
        check.meet(kept_head)
    check.end(kept_head)
    return check.faults


class _Check:
    """A pass over the entries in order."""

    def __init__(self, contest: str, file: str, *, by_line: bool) -> None:
        self.faults: list[Fault] = []
        self._contest, self._file, self._by_line = contest, file, by_line
        self._tree, self._prev = Frontier(), NO_ENTRY
        self._numbers: dict[str, int] = {}
        self._met = False

    def take(self, raw: bytes) -> None:
        """Check one entry's bytes at its place."""
        number = self._tree.count
        try:
            entry = read_entry(raw)
        except DamagedError as error:
            self._fault(number, error.faults[0].what)
        else:
            for what in self._wrong(entry, number):
                self._fault(number, what)
            self._numbers.setdefault(entry.key, number)
        leaf = leaf_hash(raw)
        self._tree.append(leaf)
        self._prev = leaf.hex()

    def hold(self, seq: int, key: str, leaf: bytes, raw: bytes) -> None:
        """Check what a database stores beside one entry's bytes."""
        number = self._tree.count
        if leaf != leaf_hash(raw):
            self._fault(number, "the stored leaf hash is not that of the bytes")
        if seq != number:
            self._fault(number, f"it is stored under number {seq}")
        try:
            entry = read_entry(raw)
        except DamagedError:
            return
        if key != entry.key:
            self._fault(number, f"it is stored under key {key!r}, and its bytes say {entry.key!r}")

    def meet(self, kept: Head | None) -> None:
        """Compare with the kept head when as many entries have passed as it counts."""
        if kept is None or self._tree.count != kept.count:
            return
        self._met = True
        if self._tree.root().hex() != kept.root:
            what = f"the root of the first {kept.count} entries is not that of the kept head: {kept.root}"
            self.faults.append(Fault(what, f"Entries were changed, moved or rechained. {RESTORE}", self._file))

    def end(self, kept: Head | None) -> None:
        """Say what is missing at the end."""
        if self._tree.count == 0:
            self.meet(kept)
        if kept is not None and not self._met:
            what = f"it was cut: {self._tree.count} entries are there, and the kept head counts {kept.count}"
            self.faults.append(Fault(what, RESTORE, self._file))

    def _wrong(self, entry: Entry, number: int) -> Iterator[str]:
        if entry.seq != number:
            yield f"its bytes say number {entry.seq}"
        if entry.prev != self._prev:
            yield "it does not follow the entry before it: that one, or this one's chain, was changed"
        if entry.contest != self._contest:
            yield f"it is of {entry.contest}, not of {self._contest}"
        if entry.key in self._numbers:
            yield f"entry {self._numbers[entry.key]} has its key"
        if entry.replaces is not None and not 0 <= entry.replaces < number:
            yield f"it replaces entry {entry.replaces}, which is not before it"
        if not canonical(entry):
            yield "its bytes are not in canonical form"

    def _fault(self, number: int, what: str) -> None:
        line = number + 1 if self._by_line else None
        self.faults.append(Fault(f"entry {number}: {what}", RESTORE, self._file, line))
