"""`tallyroom ledger`: whether it is what was written, and what it holds."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

import click

from tallyroom.cli import terminal
from tallyroom.faults import CannotRunError, Fault, InputError, TallyroomError

if TYPE_CHECKING:
    from tallyroom.ledger.entry import Head
    from tallyroom.ledger.port import Ledger

SQLITE = b"SQLite format 3\x00"
"""How every SQLite file begins (sqlite.org/fileformat2.html, 1.3)."""
HEAD_BYTES = 10_000
"""The end of a file in which its head stands: no line with one is longer."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a ledger or an export turned out to be; without contest and head if it could not be read that far."""

    contest: str | None
    head: Head | None
    faults: tuple[Fault, ...]


@click.group("ledger")
def command() -> None:
    """Verify a ledger, or export its entries. LEDGER is a file, or the address postgresql://... of a database.

    A ledger is append-only: every entry is bound to the one before it, and the head (how many entries, and the root of
    the tree over them) changes with any change of any of them.
    """


@command.command("verify")
@click.argument("address", metavar="LEDGER")
@click.option("--head", "kept", metavar="HEAD|FILE", help="A head kept elsewhere, to be met as well.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def verify(address: str, kept: str | None, as_json: bool) -> int:  # noqa: FBT001 - click's shape
    """Check that a ledger, or an export of one, is what was written. LEDGER is a file or postgresql://....

    Bytes, hashes, order and keys are checked, and the head kept beside the ledger must be met; so must the one given
    with --head: "COUNT ROOT" as this command prints it, or a file that ends in it, such as a `.head` file or an export.

    Exit code 0 and the head as COUNT ROOT, or every fault and 65; 2 if there is no ledger to read.
    """
    from tallyroom.ledger.written import read_written, written  # noqa: PLC0415 - `--help` needs no ledger

    published = None if kept is None else read_written(kept) or _head_in(Path(kept))
    found = _verified(address, published)
    if as_json:
        terminal.print_json(_wire(address, found))
    else:
        for fault in found.faults:
            terminal.error(str(fault))
        if not found.faults and found.head is not None:
            terminal.current().line(written(found.head))
    return InputError.exit_code if found.faults else 0


@command.command("export")
@click.argument("address", metavar="LEDGER")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write to this file, not to standard output.")
def export(address: str, out: Path | None) -> None:
    """Write a ledger as text that anybody can check: an entry's canonical bytes a line, and the head.

    An existing file is never overwritten, and one that could not be finished is not left behind.
    """
    from tallyroom.ledger.address import contest_at, on_server, open_ledger  # noqa: PLC0415 - `--help` needs no ledger
    from tallyroom.ledger.export import export as write  # noqa: PLC0415 - the same
    from tallyroom.ledger.written import written  # noqa: PLC0415 - the same

    if not on_server(address):
        _beginning(Path(address))
    with open_ledger(address, contest_at(address), read_only=True) as ledger:
        head = write(ledger, sys.stdout.buffer) if out is None else _write(ledger, out)
    terminal.current().note(written(head))


def _write(ledger: Ledger, out: Path) -> Head:
    """Export to a new file, which is there as a whole or not at all."""
    from tallyroom.ledger.export import export as write  # noqa: PLC0415 - `--help` needs no ledger

    if os.path.lexists(out):
        raise _taken(out)
    unfinished = out.with_name(f".export-{token_hex(8)}")
    try:
        with unfinished.open("xb") as lines:
            head = write(ledger, lines)
            lines.flush()
            os.fsync(lines.fileno())
        _name(unfinished, out)
    finally:
        unfinished.unlink(missing_ok=True)
    return head


def _name(finished: Path, out: Path) -> None:
    """Give a finished file its name, unless something has taken it meanwhile."""
    try:
        os.link(finished, out)
    except FileExistsError:
        raise _taken(out) from None
    except OSError:  # no second names on this file system: take the name first, then put the file there
        try:
            out.touch(exist_ok=False)
        except FileExistsError:
            raise _taken(out) from None
        finished.replace(out)


def _taken(out: Path) -> CannotRunError:
    return CannotRunError(Fault("the file exists already", "Name another one, or move it away.", str(out)))


def _verified(address: str, published: Head | None) -> Verified:
    """Verify a ledger or an export, whichever is there."""
    from tallyroom.ledger.address import (  # noqa: PLC0415 - `--help` needs no ledger
        contest_at,
        on_server,
        open_ledger,
        verify_ledger,
    )

    if not on_server(address) and _beginning(Path(address)) != SQLITE:
        return _verified_export(Path(address), published)
    faults = tuple(verify_ledger(address, published=published))
    if faults:
        return Verified(None, None, faults)
    contest = contest_at(address)
    with open_ledger(address, contest, read_only=True) as ledger:
        return Verified(contest, ledger.head(), ())


def _verified_export(file: Path, published: Head | None) -> Verified:
    from tallyroom.ledger.export import read_export  # noqa: PLC0415 - `--help` needs no ledger
    from tallyroom.ledger.written import read_written  # noqa: PLC0415 - the same

    lines = file.read_bytes().splitlines(keepends=True)
    if not lines[0].startswith(b"{"):
        raise CannotRunError(
            Fault("this is neither a ledger nor an export of one", "Give the file of a ledger.", str(file))
        )
    try:
        entries = read_export(lines, str(file), published=published)
    except TallyroomError as refused:
        return Verified(None, None, refused.faults)
    own = read_written(lines[-1].decode())
    return Verified(entries[0].contest if entries else None, own, ())


def _beginning(file: Path) -> bytes:
    """The first bytes of a file that is to be a ledger.

    Raises:
        CannotRunError: there is nothing to read.
    """
    try:
        with file.open("rb") as lines:
            start = lines.read(len(SQLITE))
    except OSError as failure:
        what = (
            "there is no such file"
            if isinstance(failure, FileNotFoundError)
            else f"it cannot be read: {failure.strerror}"
        )
        raise CannotRunError(Fault(what, "Give the file of a ledger.", str(file))) from None
    if not start:
        raise CannotRunError(Fault("the file is empty: this is no ledger", "Give the file of a ledger.", str(file)))
    return start


def _head_in(file: Path) -> Head:
    """Read a head somebody kept in a file, where it stands at the end.

    Raises:
        CannotRunError: no such file, or no head in it.
    """
    from tallyroom.ledger.written import read_written  # noqa: PLC0415 - `--help` needs no ledger

    remedy = 'Give "COUNT ROOT", a `.head` file, or an export.'
    try:
        with file.open("rb") as lines:
            if lines.seekable():
                lines.seek(max(0, lines.seek(0, os.SEEK_END) - HEAD_BYTES))
            text = lines.read().decode(errors="replace")
    except (OSError, ValueError) as failure:  # ValueError: a name that no file system can have
        reason = failure.strerror if isinstance(failure, OSError) and failure.strerror else str(failure)
        what = f"this is no head, and no file with one: {reason.lower()}"
        raise CannotRunError(Fault(what, remedy, str(file))) from None
    found = read_written(text)
    if found is None:
        raise CannotRunError(Fault("there is no head at the end of this file", remedy, str(file)))
    return found


def _wire(address: str, found: Verified) -> dict[str, object]:
    return {
        "schema": 1,
        "file": address,
        "contest": found.contest,
        "count": found.head.count if found.head else None,
        "root": found.head.root if found.head else None,
        "faults": [fault_object(fault) for fault in found.faults],
    }


def fault_object(fault: Fault) -> dict[str, object]:
    """Give a fault as it always stands in JSON; `file` and `line` are null where there is none."""
    return {"file": fault.file or None, "line": fault.line, "what": fault.what, "remedy": fault.remedy}
