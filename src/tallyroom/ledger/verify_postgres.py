"""Verify a PostgreSQL ledger as it lies in the database, whatever its state: nothing is written or repaired."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import psycopg
from psycopg import sql

from tallyroom.faults import Fault
from tallyroom.ledger.faults import DamagedError
from tallyroom.ledger.kept import kept_path, read_kept
from tallyroom.ledger.postgres import beside
from tallyroom.ledger.postgres_form import contest_of
from tallyroom.ledger.postgres_session import Session, connect, place_of, translated
from tallyroom.ledger.verify import verify_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tallyroom.ledger.entry import Head
    from tallyroom.ledger.writer import Row

_FETCHED = 2000
_BY_HEAP = "enable_indexscan enable_indexonlyscan enable_bitmapscan"
_BY_INDEX = "enable_seqscan enable_sort enable_bitmapscan"


def verify_postgres(
    address: str, *, contest: str | None = None, published: Head | None = None, kept: Path | None = None
) -> list[Fault]:
    """Every fault of a PostgreSQL ledger: its rows against their bytes, its bytes against a head, its indexes.

    Args:
        address: the database.
        contest: the contest it should be of; None takes the database's word.
        published: a head from elsewhere, checked beside the kept one.
        kept: the file its head is kept in, if any: without a head from somewhere a cut at the end cannot be seen.

    Raises:
        StoreError: it cannot be read at all: no server, no ledger.
    """
    faults, head, place = list[Fault](), None, place_of(address)
    try:
        head = read_kept(beside(kept)) if kept else None  # before the rows: a writer may be adding some
    except DamagedError as error:
        faults.extend(error.faults)
    session = connect(address, read_only=True)
    try:
        with translated(place), session.transaction():
            session.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            found = contest_of(session, place)
            for known in [head] if published is None else [head, published]:
                faults.extend(verify_rows(_rows(session), known, contest or found, file=place))
            faults.extend(_index_faults(session, place))
    except DamagedError as error:
        faults.extend(error.faults)
    finally:
        session.close()
    if kept is not None and head is None and not kept_path(beside(kept)).exists():
        remedy = "Copy it back from where it was moved; without it a cut cannot be seen."
        faults.append(Fault("the head is not kept where it should be", remedy, str(kept_path(beside(kept)))))
    return list(dict.fromkeys(faults))


def _rows(session: Session) -> Iterator[Row]:
    """The rows of the table itself in the order of their numbers, past its indexes, a part at a time."""
    _without(session, _BY_HEAP)
    with psycopg.ServerCursor(session, "verified") as cursor:
        cursor.itersize = _FETCHED
        cursor.execute("SELECT seq, key, leaf, raw FROM ledger.entry ORDER BY seq", binary=True)
        for row in cursor:
            yield cast("Row", row)  # the columns say so


def _index_faults(session: Session, place: str) -> Iterator[Fault]:
    """Rows that the table has and an index does not, or the other way round: by such an index a key would be new."""
    for column in ("seq", "key"):
        _without(session, _BY_HEAP)
        there = _digest(session, column)
        _without(session, _BY_INDEX)
        if _digest(session, column) != there:
            what = f"the index of {column} does not agree with the table"
            yield Fault(what, "REINDEX TABLE ledger.entry makes it anew from the table.", place)


def _digest(session: Session, column: str) -> tuple[object, ...] | None:
    query = sql.SQL(
        "SELECT count(*), coalesce(sum(hashtextextended({column}::text, 0)::numeric), 0)"
        " FROM (SELECT {column} FROM ledger.entry ORDER BY {column}) AS walked"
    ).format(column=sql.Identifier(column))
    return session.execute(query).fetchone()


def _without(session: Session, ways: str) -> None:
    """Let the server read rows only in the other ways."""
    for way in f"{_BY_HEAP} {_BY_INDEX}".split():
        session.execute("SELECT set_config(%s, %s, true)", (way, "off" if way in ways.split() else "on"))
