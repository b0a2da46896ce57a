"""A ledger as one text file anybody can check: an entry's canonical bytes a line, and the head as the last line.

The head line is `{"contest":ID,"count":N,"format":"tallyroom-ledger-1","root":HEX}`. A file without it was cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import msgspec

from tallyroom.faults import Fault, InputError
from tallyroom.ledger.entry import BYTES_LIMIT, Entry, Head, read_entry
from tallyroom.ledger.faults import DamagedError
from tallyroom.ledger.tree import Frontier, leaf_hash
from tallyroom.ledger.verify import verify

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallyroom.ledger.port import Ledger

FORMAT = "tallyroom-ledger-1"
"""Name and version of the file's form."""

_AGAIN = "Export the ledger again, or fetch the file again."
_BATCH = 500


class _HeadLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    contest: str
    count: int
    format: str
    root: str


_HEAD = msgspec.json.Decoder(_HeadLine)


def export(ledger: Ledger, out: BinaryIO) -> Head:
    """Write all that is committed, and the head of just that.

    Raises:
        DamagedError: what the ledger holds does not give its own head. The file then has no head line.
    """
    head, tree = ledger.head(), Frontier()
    for entry in ledger.entries(0, head.count):
        out.write(entry.raw + b"\n")
        tree.append(leaf_hash(entry.raw))
    if Head(tree.count, tree.root().hex()) != head:
        what = f"the entries do not give the ledger's head of {head.count} entries"
        raise DamagedError(Fault(what, "`tallyroom ledger verify` names each fault; restore the ledger from a copy."))
    out.write(msgspec.json.encode(_HeadLine(ledger.contest, head.count, FORMAT, head.root)) + b"\n")
    return head


def read_export(lines: Iterable[bytes], file: str, *, published: Head | None = None) -> list[Entry]:
    """Verify an export and give its entries.

    Args:
        lines: the file's lines.
        file: its name, for the faults.
        published: a head from elsewhere, checked beside the file's own.

    Raises:
        InputError: it is not what was exported; names all faults with their lines.
    """
    raws = [line.removesuffix(b"\n") for line in lines]
    last = _head_line(raws.pop() if raws else b"", file, len(raws) + 1)
    own = Head(last.count, last.root)
    faults = [
        Fault(f"the line is longer than {BYTES_LIMIT:,} bytes", _AGAIN, file, number)
        for number, raw in enumerate(raws, 1)
        if len(raw) > BYTES_LIMIT
    ]
    if own.count != len(raws):
        what = f"it was cut or lengthened: {len(raws)} entries, and its head line counts {own.count}"
        faults.append(Fault(what, _AGAIN, file, len(raws) + 1))
    for head in [own] if published is None else [own, published]:
        faults.extend(verify(raws, head, last.contest, file=file, by_line=True))
    if faults:
        raise InputError(*dict.fromkeys(faults))
    return [read_entry(raw) for raw in raws]


def restore(entries: Iterable[Entry], ledger: Ledger) -> Head:
    """Enter exported entries in an empty ledger, or go on with a restore that was broken off.

    Raises:
        DamagedError: the ledger holds other entries.
    """
    batch = list[Entry]()
    for entry in entries:
        batch.append(entry)
        if len(batch) == _BATCH:
            _enter(batch, ledger)
            batch.clear()
    _enter(batch, ledger)
    return ledger.head()


def _enter(batch: list[Entry], ledger: Ledger) -> None:
    for entry, receipt in zip(batch, ledger.append([entry.draft() for entry in batch]), strict=True):
        if receipt.leaf != leaf_hash(entry.raw).hex():
            what = f"entry {entry.seq} of the export became entry {receipt.seq} with another hash"
            raise DamagedError(Fault(what, "Restore into an empty ledger."))


def _head_line(raw: bytes, file: str, line: int) -> _HeadLine:
    try:
        found = _HEAD.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        what = "the last line is not the head: the file was cut, or is no export"
        raise InputError(Fault(what, _AGAIN, file, line)) from None
    if found.format != FORMAT:
        what = f"the form is {found.format!r}, and this Tallyroom reads {FORMAT!r}"
        raise InputError(Fault(what, "Use the Tallyroom that wrote it, or a later one.", file, line))
    return found
