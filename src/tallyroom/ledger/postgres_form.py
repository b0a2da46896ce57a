"""The form of a ledger in a PostgreSQL database: made, brought up to date by a writer, recognised by a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.ledger import migrations
from tallyroom.ledger.faults import StoreError

if TYPE_CHECKING:
    from tallyroom.ledger.postgres_session import Session

_OTHER = "Give the ledger's database: each ledger has one of its own."


def make(session: Session, contest: str, place: str) -> None:
    """Make an empty ledger, or leave alone what is there; the caller holds the writer's lock.

    Raises:
        StoreError: the database holds something else under the ledger's name.
    """
    if _form(session, place) > 0:
        return
    with session.transaction():
        _apply(session, migrations.missing(migrations.POSTGRES, 0, place))
        session.execute("INSERT INTO ledger.contest (one, id) VALUES (1, %s)", (contest,))


def migrate(session: Session, place: str) -> None:
    """Bring a ledger of an earlier Tallyroom to the newest form; the caller holds the writer's lock.

    Raises:
        StoreError: no ledger, or one of a later Tallyroom.
    """
    lacking = migrations.missing(migrations.POSTGRES, _found(session, place), place)
    if lacking:
        with session.transaction():
            _apply(session, lacking)


def contest_of(session: Session, place: str) -> str:
    """The contest a database is the ledger of.

    Raises:
        StoreError: no ledger, one of a later Tallyroom, or one that a writer must first bring up to date.
    """
    migrations.refuse_older(migrations.POSTGRES, _found(session, place), place)
    found = session.execute("SELECT id FROM ledger.contest").fetchone()
    return str(found[0]) if found else ""


def _found(session: Session, place: str) -> int:
    form = _form(session, place)
    if form == 0:
        raise StoreError(Fault("there is no ledger in this database", f"{_OTHER} Or make a new ledger.", place))
    return form


def _form(session: Session, place: str) -> int:
    """How many migrations a database has; 0 if there is no ledger."""
    known = session.execute("SELECT to_regnamespace('ledger') IS NULL, to_regclass('ledger.form') IS NULL").fetchone()
    if known is None or known[0]:
        return 0
    if known[1]:
        what = "this is not a ledger: the database holds something else in its schema `ledger`"
        raise StoreError(Fault(what, _OTHER, place))
    newest = session.execute("SELECT coalesce(max(version), 0) FROM ledger.form").fetchone()
    return int(str(newest[0])) if newest else 0


def _apply(session: Session, lacking: tuple[tuple[int, str], ...]) -> None:
    for number, name in lacking:
        session.execute(migrations.script(name).encode())
        session.execute("INSERT INTO ledger.form (version) VALUES (%s)", (number,))
