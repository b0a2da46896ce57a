"""`tallyroom ledger`: whether it is what was written, and what it holds."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tallyroom.cli import terminal
from tallyroom.faults import CannotRunError, Fault, InputError, TallyroomError

if TYPE_CHECKING:
    from tallyroom.ledger.entry import Head

SQLITE = b"SQLite format 3\x00"
"""How every SQLite file begins (sqlite.org/fileformat2.html, 1.3)."""
HEAD_BYTES = 10_000
"""No file with a head is larger."""

_WRITTEN = re.compile(r"\s*([0-9]{1,20})(?: entries, head)? ([0-9a-f]{64})\s*")


@dataclass(frozen=True, slots=True)
class Verified:
    """What a ledger or an export turned out to be; without contest and head if it could not be read that far."""

    contest: str | None
    head: Head | None
    faults: tuple[Fault, ...]


@click.group("ledger")
def command() -> None:
    """Verify a ledger, or export its entries.

    A ledger is append-only: every entry is bound to the one before it, and the head (how many entries, and the root of
    the tree over them) changes with any change of any of them.
    """


@command.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--head", "kept", type=click.Path(path_type=Path), help="A head kept elsewhere, to be met as well.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def verify(file: Path, kept: Path | None, as_json: bool) -> int:  # noqa: FBT001 - click's shape
    """Check that a ledger, or an export of one, is what was written.

    Bytes, hashes, order and keys are checked, and the head kept beside the ledger must be met; so must the one given
    with --head: a `.head` file, an export's last line, or `COUNT ROOT` as this command prints them.

    Exit code 0 and the head, or every fault and 65; 2 if there is no ledger to read.
    """
    published = None if kept is None else _head_in(kept)
    found = _verified(file, published)
    if as_json:
        terminal.print_json(_wire(file, found))
    else:
        for fault in found.faults:
            terminal.error(str(fault))
        if not found.faults and found.head is not None:
            terminal.current().line(f"{found.head.count} entries, head {found.head.root}")
    return InputError.exit_code if found.faults else 0


@command.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write to this file, not to standard output.")
def export(file: Path, out: Path | None) -> None:
    """Write a ledger as text that anybody can check: an entry's canonical bytes a line, and the head.

    An existing file is never overwritten, and one that could not be finished is not left behind.
    """
    from tallyroom.ledger.export import export as write  # noqa: PLC0415 - `--help` needs no ledger
    from tallyroom.ledger.sqlite import SqliteLedger  # noqa: PLC0415 - the same

    _beginning(file)
    with SqliteLedger(file, _contest(file), read_only=True) as ledger:
        if out is None:
            head = write(ledger, sys.stdout.buffer)
        else:
            if out.exists():
                raise CannotRunError(Fault("the file exists already", "Name another one, or move it away.", str(out)))
            unfinished = out.with_name(f".{out.name}.{os.getpid()}")
            try:
                with unfinished.open("xb") as lines:
                    head = write(ledger, lines)
                    lines.flush()
                    os.fsync(lines.fileno())
                unfinished.rename(out)
            finally:
                unfinished.unlink(missing_ok=True)
    terminal.current().note(f"{head.count} entries, head {head.root}")


def _verified(file: Path, published: Head | None) -> Verified:
    """Verify a SQLite ledger or an export, whichever the file is."""
    if _beginning(file) != SQLITE:
        return _verified_export(file, published)
    from tallyroom.ledger.sqlite import SqliteLedger  # noqa: PLC0415 - `--help` needs no ledger
    from tallyroom.ledger.verify_sqlite import verify_sqlite  # noqa: PLC0415 - the same

    faults = tuple(verify_sqlite(file, published=published))
    if faults:
        return Verified(None, None, faults)
    contest = _contest(file)
    with SqliteLedger(file, contest, read_only=True) as ledger:
        return Verified(contest, ledger.head(), ())


def _verified_export(file: Path, published: Head | None) -> Verified:
    from tallyroom.ledger.export import read_export  # noqa: PLC0415 - `--help` needs no ledger

    lines = file.read_bytes().splitlines(keepends=True)
    if not lines[0].startswith(b"{"):
        raise CannotRunError(
            Fault("this is neither a ledger nor an export of one", "Give the file of a ledger.", str(file))
        )
    try:
        entries = read_export(lines, str(file), published=published)
    except TallyroomError as refused:
        return Verified(None, None, refused.faults)
    own = _read_head(lines[-1].decode())
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


def _contest(file: Path) -> str:
    """The contest a SQLite ledger says it is of."""
    from contextlib import closing  # noqa: PLC0415 - `--help` needs no ledger

    from tallyroom.ledger.sqlite_shelf import connect, contest_of  # noqa: PLC0415 - the same

    with closing(connect(file, read_only=True)) as connection:
        return contest_of(connection, file)


def _head_in(file: Path) -> Head:
    """Read a head somebody kept.

    Raises:
        CannotRunError: no such file, or no head in it.
    """
    try:
        with file.open("rb") as lines:
            text = lines.read(HEAD_BYTES).decode(errors="replace")
    except OSError as failure:
        raise CannotRunError(
            Fault(f"the head cannot be read: {failure.strerror}", "Give the file of a kept head.", str(file))
        ) from None
    found = _read_head(text)
    if found is None:
        remedy = "Give a `.head` file, an export's last line, or one line `COUNT ROOT`."
        raise CannotRunError(Fault("there is no head in this file", remedy, str(file), 1))
    return found


def _read_head(text: str) -> Head | None:
    """Find count and root in any of the forms in which a head is written down."""
    import msgspec  # noqa: PLC0415 - `--help` needs no ledger

    from tallyroom.ledger.entry import Head  # noqa: PLC0415 - the same

    written = _WRITTEN.fullmatch(text)
    if written is not None:
        return Head(int(written[1]), written[2])
    try:
        return msgspec.json.decode(text, type=Head)
    except msgspec.DecodeError:
        return None


def _wire(file: Path, found: Verified) -> dict[str, object]:
    return {
        "schema": 1,
        "file": str(file),
        "contest": found.contest,
        "count": found.head.count if found.head else None,
        "root": found.head.root if found.head else None,
        "faults": [fault_object(fault) for fault in found.faults],
    }


def fault_object(fault: Fault) -> dict[str, object]:
    """Give a fault as it always stands in JSON; `file` and `line` are null where there is none."""
    return {"file": fault.file or None, "line": fault.line, "what": fault.what, "remedy": fault.remedy}
