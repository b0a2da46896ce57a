"""A ledger by its address: `postgresql://...` is a database on a server, anything else a SQLite file."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tallyroom.faults import Fault
    from tallyroom.ledger.entry import Head
    from tallyroom.ledger.port import Ledger

SCHEMES = ("postgresql://", "postgres://")
"""How the address of a database on a server begins."""


def on_server(address: str | Path) -> bool:
    """Whether this is the address of a database on a server; if not, it is the path of a file."""
    return isinstance(address, str) and address.startswith(SCHEMES)


def open_ledger(
    address: str | Path, contest: str, *, create: bool = False, read_only: bool = False, kept: Path | None = None
) -> Ledger:
    """Open the ledger of a contest.

    Args:
        address: `postgresql://USER@HOST/DATABASE`, or a path.
        contest: id of the contest; the ledger must be of the same.
        create: make an empty ledger if there is none yet.
        read_only: take no lock and refuse to append; sees what another program commits meanwhile.
        kept: on a server, the file to keep the head in; a file's head is always kept beside it.

    Raises:
        StoreError: missing, locked, no ledger, not to be opened.
        LedgerError: the ledger of another contest.
        DamagedError: it does not agree with its kept head.
    """
    if on_server(address):
        from tallyroom.ledger.postgres import PostgresLedger  # noqa: PLC0415 - a file needs no database client

        return PostgresLedger(str(address), contest, create=create, read_only=read_only, kept=kept)
    from tallyroom.ledger.sqlite import SqliteLedger  # noqa: PLC0415 - a server needs no SQLite

    return SqliteLedger(Path(address), contest, create=create, read_only=read_only)


def verify_ledger(
    address: str | Path, *, contest: str | None = None, published: Head | None = None, kept: Path | None = None
) -> list[Fault]:
    """Every fault of the ledger at an address; see `open_ledger` for the address and `kept`.

    Args:
        address: where it is.
        contest: the contest it should be of; None takes its own word.
        published: a head from elsewhere, checked beside the kept one.
        kept: on a server, the file its head is kept in.

    Raises:
        StoreError: it cannot be read at all.
    """
    if on_server(address):
        from tallyroom.ledger.verify_postgres import verify_postgres  # noqa: PLC0415 - a file needs no database client

        return verify_postgres(str(address), contest=contest, published=published, kept=kept)
    from tallyroom.ledger.verify_sqlite import verify_sqlite  # noqa: PLC0415 - a server needs no SQLite

    return verify_sqlite(Path(address), contest=contest, published=published)


def contest_at(address: str | Path) -> str:
    """The contest whose ledger is at an address.

    Raises:
        StoreError: there is no ledger.
    """
    if on_server(address):
        from tallyroom.ledger import postgres_form, postgres_session  # noqa: PLC0415 - a file needs no database client

        place = postgres_session.place_of(str(address))
        opened = closing(postgres_session.connect(str(address), read_only=True))
        with opened as session, postgres_session.translated(place):
            return postgres_form.contest_of(session, place)
    from tallyroom.ledger import sqlite_shelf  # noqa: PLC0415 - a server needs no SQLite

    with closing(sqlite_shelf.connect(Path(address), read_only=True)) as connection:
        return sqlite_shelf.contest_of(connection, Path(address))
