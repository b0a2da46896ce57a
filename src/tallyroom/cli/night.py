"""`tallyroom night`: replay a recorded night from a real ledger, and hold every published figure against it."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import click

from tallyroom.cli import complete, terminal
from tallyroom.faults import CannotRunError, Fault, TallyroomError

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tallyroom.checks.finding import Finding
    from tallyroom.cli.terminal import Terminal
    from tallyroom.ledger.entry import Draft, Entry, Head
    from tallyroom.ledger.port import Ledger
    from tallyroom.plan.types import Plan, Release
    from tallyroom.publish.night_page import NightPage, ReleaseLine
    from tallyroom.tabulate import Tabulation
    from tallyroom.tabulate.claims import Decided
    from tallyroom.tabulate.published import Compared

BATCH = 100
"""Reports entered in one commit."""
PACE = 0.6
"""Seconds a release stays on the screen of a person who watches."""
LEDGER = "ledger.sqlite"
LOCK = f"{LEDGER}.lock"
"""What keeps two programs from writing to one ledger."""
BESIDE = (f"{LEDGER}-wal", f"{LEDGER}-shm")
"""What SQLite keeps beside an open ledger; left over from a killed program, it would spoil the next one."""
UNFINISHED = ".night-"
"""How the folder begins in which a night is written until it is whole."""
ROOM = "Make room, or give another folder with --folder."
DISAGREES = 1
"""Exit code: a figure that must agree does not, or a page shows another value than it was given."""


@click.command("night")
@click.argument("contest", required=False, shell_complete=complete.contests)
@click.option("--record", metavar="FOLDER", help="Play the recorded night in this folder.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("var/night"),
    show_default=True,
    help="Where the page and the ledger go.",
)
@click.option(
    "--pace",
    type=click.FloatRange(0, 10),
    default=None,
    metavar="SECONDS",
    help=f"How long a release stays on the screen of a person who watches, at most 10.  [default: {PACE}]",
)
def command(contest: str | None, record: str | None, folder: Path, pace: float | None) -> int:
    """Replay a recorded night, release by release, up to certification.

    CONTEST is the id of a contest that comes with Tallyroom, or the folder of a plan; the reference night if none is
    given. Every report goes into a ledger on disk in the order it became known; standings, findings and national
    delegates are made from that ledger alone, and every figure that was published is held against them.

    Writes `index.html`, `index.json` and `ledger.sqlite` into the folder, all at the end; an earlier night there
    stands until then. Exit code 1 if a figure that the record can give does not agree.
    """
    from tallyroom.cli.night_told import tell  # noqa: PLC0415 - `--help` needs none of this
    from tallyroom.cli.opened import night_of, record_of  # noqa: PLC0415 - the same
    from tallyroom.ledger.recorded import reference_night  # noqa: PLC0415 - the same
    from tallyroom.plan.catalogue import find  # noqa: PLC0415 - the same
    from tallyroom.tabulate.claims import decide, read_claims  # noqa: PLC0415 - the same

    page = terminal.current()
    plan = find(contest or reference_night())
    recorded = night_of(plan, record)
    claims = read_claims(record_of(plan, record), plan)
    with _unfinished(folder) as making:
        night, head = _played(page, plan, recorded.drafts, making / LEDGER, PACE if pace is None else pace)
        night.decided = decide(claims, plan, night.entries)
        context = night.page(f"{head.count:,} entries, root {head.root}")
        wrong = _write(making, context)
        _finish(making, folder)
    tell(page, context, folder)
    for misprint in wrong:
        terminal.error(misprint)
    differing = night.unexplained()
    for row in differing:
        terminal.error(_difference(plan, row))
    return DISAGREES if wrong or differing else 0


def _difference(plan: Plan, row: Compared) -> str:
    """Say which published figure is not ours."""
    figure = row.figure
    group = f" of {plan.groups[figure.group].name}" if figure.group else ""
    what = f"release {figure.release}: {figure.measure.replace('_', ' ')}{group}"
    return f"{what} was published as {figure.value}, the record gives {row.ours}. Look at published.csv and the record."


@contextmanager
def _unfinished(folder: Path) -> Generator[Path]:
    """Give a folder to write in beside what an earlier night left; nothing of it stays if the night fails."""
    made = [path for path in (folder, *folder.parents, folder / LOCK) if not path.exists()]
    try:
        making = None
        with _usable(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with _held(folder):
            for left in folder.glob(f"{UNFINISHED}*"):
                rmtree(left, ignore_errors=True)
            try:
                with _usable(folder):
                    making = Path(mkdtemp(prefix=UNFINISHED, dir=folder))
                with _told_of(folder, making):
                    yield making
            finally:
                if making is not None:
                    rmtree(making, ignore_errors=True)
    except BaseException:
        _unmake(folder, made)
        raise


def _unmake(folder: Path, made: Sequence[Path]) -> None:
    """Take away what a failed night made: the lock, and folders in which nothing else lies."""
    if folder / LOCK in made and not (folder / LEDGER).exists():
        with suppress(OSError):
            (folder / LOCK).unlink()
    for path in made:
        with suppress(OSError):
            path.rmdir()


@contextmanager
def _usable(folder: Path) -> Generator[None]:
    """Refuse a folder where nothing can be made."""
    try:
        yield
    except OSError as failure:
        raise _refused("the folder cannot be used", failure, "Give another one with --folder.", folder) from None


@contextmanager
def _held(folder: Path) -> Generator[None]:
    """Keep every other program from writing to the ledger of the folder."""
    from tallyroom.ledger.faults import StoreError  # noqa: PLC0415 - `--help` needs no ledger
    from tallyroom.ledger.lock import WriterLock  # noqa: PLC0415 - the same

    try:
        lock = WriterLock(folder / LEDGER)
    except StoreError as refused:
        remedy = "Wait until it is done, or give another folder with --folder."
        raise CannotRunError(*(replace(fault, remedy=remedy) for fault in refused.faults)) from None
    try:
        yield
    finally:
        lock.close()


@contextmanager
def _told_of(folder: Path, making: Path) -> Generator[None]:
    """Tell what goes wrong of the folder that was asked for, not of the one that will be gone."""
    try:
        yield
    except TallyroomError as refused:
        refused.faults = tuple(
            replace(fault, remedy=ROOM, file=str(folder / Path(fault.file).name))
            if fault.file.startswith(f"{making}{os.sep}")
            else fault
            for fault in refused.faults
        )
        raise
    except OSError as failure:
        raise _refused("the night cannot be written", failure, ROOM, folder) from None


def _refused(what: str, failure: OSError, remedy: str, folder: Path) -> CannotRunError:
    reason = (failure.strerror or str(failure)).lower()
    return CannotRunError(Fault(f"{what}: {reason}", remedy, str(folder)))


def _finish(making: Path, folder: Path) -> None:
    """Put the finished files in the place of those of an earlier night."""
    for name in BESIDE:
        (folder / name).unlink(missing_ok=True)
    for name in (LEDGER, f"{LEDGER}.head", "index.json", "index.html"):
        (making / name).replace(folder / name)


class _Night:
    """A night as it is played: what stood at every release, and how published figures compare."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.lines: list[ReleaseLine] = []
        self.compared: list[Compared] = []
        self.hue: dict[str, int] = {}
        self.found: tuple[Finding, ...] = ()
        self.entries: Sequence[Entry] = ()
        self.decided: Sequence[Decided] = ()
        self.tabulation: Tabulation | None = None
        self.last: Release | None = None

    def release(self, release: Release, tabulation: Tabulation, compared: Sequence[Compared]) -> None:
        """Keep what stands at a release."""
        from tallyroom.publish.night_page import hues, release_line  # noqa: PLC0415 - `--help` needs none of this
        from tallyroom.tabulate.findings import findings  # noqa: PLC0415 - the same

        self.tabulation, self.last = tabulation, release
        self.compared.extend(compared)
        self.hue = self.hue or hues(tabulation.top().on(self.plan.official.id))
        self.lines.append(release_line(release, tabulation))
        self.found = findings(tabulation)

    def unexplained(self) -> list[Compared]:
        """Give the figures that the record can give, that do not agree, and for which nobody has a reason."""
        return [row for row in self.compared if row.verdict == "differs" and not row.figure.note]

    def page(self, head: str) -> NightPage:
        """Give the context of the page."""
        from tallyroom.publish.night_page import night_page  # noqa: PLC0415 - `--help` needs none of this

        if self.tabulation is None or self.last is None:
            raise CannotRunError(
                Fault(f"contest {self.plan.contest} has no releases to replay", "Add [[release]] tables to its rules.")
            )
        return night_page(
            self.tabulation, self.last, self.lines, self.found, self.compared, self.decided, self.hue, head
        )


def _played(page: Terminal, plan: Plan, drafts: Sequence[Draft], path: Path, pace: float) -> tuple[_Night, Head]:
    """Play the night from a new ledger at `path`, and give the head that it ends with."""
    from tallyroom.ledger.sqlite import SqliteLedger  # noqa: PLC0415 - `--help` needs no ledger

    with SqliteLedger(path, plan.contest, create=True) as ledger:
        return _play(page, plan, ledger, drafts, pace), ledger.head()


def _play(page: Terminal, plan: Plan, ledger: Ledger, drafts: Sequence[Draft], pace: float) -> _Night:
    """Enter the reports in the order they became known, and tabulate from the ledger release by release."""
    from tallyroom.cli.night_view import view  # noqa: PLC0415 - `--help` needs none of this
    from tallyroom.tabulate.published import replay  # noqa: PLC0415 - the same

    night = _Night(plan)
    if page.live:
        page.note(f"{len(drafts):,} reports go into a ledger on this disk, in the order they became known.")
    for start in range(0, len(drafts), BATCH):
        ledger.append(drafts[start : start + BATCH])
    night.entries = list(ledger.entries())
    with view(page, plan, pace) as show:
        for played in replay(night.entries, plan):
            night.release(played.release, played.tabulation, played.compared)
            show(played.release, played.tabulation, night.found)
    return night


def _write(folder: Path, context: NightPage) -> tuple[str, ...]:
    """Write the page and its twin, read the page back, and give every value it shows wrongly."""
    import json  # noqa: PLC0415 - `--help` needs no JSON

    from tallyroom.publish.night_page import as_html, as_json, misprints  # noqa: PLC0415 - the same

    page = folder / "index.html"
    page.write_text(as_html(context), encoding="utf-8")
    twin = json.dumps(as_json(context), ensure_ascii=False, indent=1)
    (folder / "index.json").write_text(twin + "\n", encoding="utf-8")
    return misprints(page.read_text(encoding="utf-8"), context)
