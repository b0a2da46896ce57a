"""`tallyroom import`: the files that counties send, read row by row, and what is certain filed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tallyroom.cli import complete, terminal
from tallyroom.faults import CannotRunError, Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallyroom.cli.import_filing import Filings
    from tallyroom.importer.decisions import Decisions
    from tallyroom.importer.outcomes import Question
    from tallyroom.importer.reading import Reading
    from tallyroom.plan.types import Plan
    from tallyroom.tabulate.filed import Filed


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to.

    Attributes:
        plan: the plan in force.
        reading: how every row ended.
        digests: SHA-256 (hex) of each file, by name.
        filings: what would be filed, and what stands in its way.
        entries: number in the ledger of each unit's new entry; empty when nothing was to be written.
        dry: nothing was to be written.
    """

    plan: Plan
    reading: Reading
    digests: Mapping[str, str]
    filings: Filings
    entries: Mapping[str, int] = field(default_factory=dict[str, int])
    dry: bool = True

    @property
    def questions(self) -> tuple[Question, ...]:
        """Everything that is asked: of rows, and of reports that differ from what stands in the ledger."""
        return (*self.reading.questions, *self.filings.questions)

    @property
    def clean(self) -> bool:
        """Whether nothing is questioned and nothing refused."""
        return self.reading.clean and not self.filings.questions


@click.command("import")
@click.argument("contest", shell_complete=complete.contests)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--ledger", metavar="FILE", help="File what was read into this ledger, a file or postgresql://....")
@click.option("--county", metavar="NAME", help="The county the files are of, where they do not say so themselves.")
@click.option("--dry-run", "dry", is_flag=True, help="Read and tell, and file nothing.")
@click.option(
    "--decisions",
    "kept",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take answers from this CSV file, and add to it what is asked.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(
    contest: str,
    files: tuple[Path, ...],
    ledger: str | None,
    county: str | None,
    dry: bool,  # noqa: FBT001 - click's shape
    kept: Path | None,
    as_json: bool,  # noqa: FBT001 - click's shape
) -> int:
    """Read the files that counties send: CSV in any code page, XLSX, ODS, of any shape.

    Every row is read, questioned (with a proposal) or refused (with the reason); titles, blanks and totals are named as
    such. Only what is written as the plan writes it is read; anything else is asked about, once, and the answer is kept
    with --decisions for the next file: write `yes`, another answer, or `leave-out` into its last column.

    A place is filed when no row about it is open. Importing a file twice files nothing twice.

    Exit code 0 if all was read; 65 if a row was questioned or refused.
    """
    from tallyroom.cli.import_view import import_object, show_import  # noqa: PLC0415 - `--help` needs none of this

    if ledger is None and not dry:
        raise CannotRunError(Fault("nowhere to file the reports", "Give --ledger FILE, or --dry-run to only look."))
    done = _imported(contest, files, ledger, county, kept, dry=dry)
    if as_json:
        terminal.print_json(import_object(done))
    else:
        show_import(terminal.current(), done)
    return 0 if done.clean else InputError.exit_code


def _imported(
    contest: str, files: Sequence[Path], ledger: str | None, county: str | None, kept: Path | None, *, dry: bool
) -> Imported:
    from tallyroom.cli.import_filing import file_reports, filings  # noqa: PLC0415 - `--help` needs none of this
    from tallyroom.cli.opened import area_named  # noqa: PLC0415 - the same
    from tallyroom.importer.reading import Reader  # noqa: PLC0415 - the same
    from tallyroom.plan.catalogue import find  # noqa: PLC0415 - the same

    plan = find(contest)
    filed = _on_file(plan, ledger)
    plan = filed.plan
    decisions = _decisions(kept)
    area = "" if county is None else area_named(plan, county, "county")
    reader, digests = Reader(plan, decisions, area=area), dict[str, str]()
    for file in files:
        digests[str(file)] = _read(file, reader)
    reading = reader.finish()
    found = filings(filed, reading, digests, decisions)
    entries = file_reports(plan, ledger, reading, digests, decisions) if found.drafts and ledger and not dry else {}
    done = Imported(plan, reading, digests, found, entries, dry)
    if kept is not None:
        _keep(kept, decisions, done.questions)
    return done


def _on_file(plan: Plan, ledger: str | None) -> Filed:
    """What the ledger holds, and the plan in force by it; nothing where there is no ledger yet."""
    from tallyroom.cli.opened import entries_of  # noqa: PLC0415 - `--help` needs no ledger
    from tallyroom.ledger.address import on_server  # noqa: PLC0415 - `--help` needs no ledger
    from tallyroom.tabulate.filed import Filed, fold  # noqa: PLC0415 - the same

    if ledger is None or not (on_server(ledger) or Path(ledger).exists()):
        return Filed(plan)
    return fold(entries_of(plan, ledger), plan, file=ledger)


def _read(file: Path, reader: object) -> str:
    """Read a file and give its digest."""
    from hashlib import file_digest  # noqa: PLC0415 - `--help` needs no digest

    from tallyroom.importer.reading import Reader  # noqa: PLC0415 - the same

    assert isinstance(reader, Reader)
    try:
        with file.open("rb") as stream:
            digest = file_digest(stream, "sha256").hexdigest()
            stream.seek(0)
            reader.read(stream, str(file))
            return digest
    except OSError as failure:
        what = "there is no such file" if isinstance(failure, FileNotFoundError) else f"{failure.strerror}".lower()
        raise CannotRunError(Fault(what, "Give the file that the county sent.", str(file))) from None


def _decisions(kept: Path | None) -> Decisions:
    from tallyroom.importer.decisions import Decisions, read_decisions  # noqa: PLC0415 - `--help` needs none

    if kept is None or not kept.exists():
        return Decisions()
    try:
        return read_decisions(kept.read_text(encoding="utf-8-sig", errors="replace"), str(kept))
    except OSError as failure:
        what = f"the decisions cannot be read: {failure.strerror}".lower()
        raise CannotRunError(Fault(what, "Make the file readable.", str(kept))) from None


def _keep(kept: Path, decisions: Decisions, questions: Sequence[Question]) -> None:
    """Add to the decisions what is asked, in one step: a file half written would lose answers."""
    from tallyroom.importer.decisions import write_decisions  # noqa: PLC0415 - `--help` needs none

    asked = decisions.asked(questions)
    if asked.lines == decisions.lines:
        return
    unfinished = kept.with_name(f".{kept.name}.{os.getpid()}")
    try:
        unfinished.write_text(write_decisions(asked), encoding="utf-8", errors="replace", newline="")
        unfinished.replace(kept)
    finally:
        unfinished.unlink(missing_ok=True)
