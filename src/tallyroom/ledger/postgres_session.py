"""Sessions with a PostgreSQL server: where it is, what it must promise, who may write, and its errors in our words."""

from __future__ import annotations

import os
import select
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tallyroom.faults import Fault
from tallyroom.ledger.faults import DamagedError, LedgerError, StoreError

if TYPE_CHECKING:
    from collections.abc import Generator

Session: TypeAlias = psycopg.Connection[tuple[object, ...]]

LOCK = (0x54_61_6C_79, 1)
"""The advisory lock that the one writer of a database holds ("Taly")."""

PATIENCE_SECONDS = 5.0
"""How long a writer waits for the one before it to let go: a server needs a moment to see that a program was killed."""

_SILENCE = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}
"""A host that falls silent is given up after about 25 seconds; an address may say otherwise."""

_PROMISES = {"fsync": ("on",), "full_page_writes": ("on",), "synchronous_commit": ("on", "remote_apply")}
"""What a server must be set to, or a receipt would promise more than a crash leaves."""

_NO_LIMITS = "statement_timeout lock_timeout idle_session_timeout transaction_timeout"
_SEND_AGAIN = "Send again: nothing was written."
_DOWN = ("the database server is stopping or starting", "Wait until it answers, then send again.")
_DAMAGED = {"XX000", "XX001", "XX002", "58P01"}
_REMEDIES = {
    "53100": ("the disk of the database server is full", f"Make room. {_SEND_AGAIN}"),
    "53200": ("the database server is out of memory", f"See its log. {_SEND_AGAIN}"),
    "53300": ("the database server has no session left", "End other programs' sessions or raise max_connections."),
    "58030": ("the disk of the database server refuses to be read or written", "Check the disk, then send again."),
    "25006": ("the database server is read-only: a standby", "Give the address of the primary."),
    "42501": ("this account may not do that in the database", "Give an account that may write to the ledger."),
    "55P03": ("the ledger is locked by another program", "Stop that program and send again."),
    "57P01": _DOWN,
    "57P02": _DOWN,
    "57P03": _DOWN,
    "TY001": ("the database refuses to change an entry", "Enter a correction."),
    "TY002": ("another program has entered something meanwhile", _SEND_AGAIN),
    "TY003": (
        "the database server is set so that a crash may lose entries",
        f"Turn on fsync, full_page_writes and synchronous_commit. {_SEND_AGAIN}",
    ),
}


def place_of(address: str) -> str:
    """An address as it may be shown: who, where and which database, never a password.

    Raises:
        StoreError: it is no address of a PostgreSQL database.
    """
    try:
        parts = conninfo_to_dict(address)
    except psycopg.Error:  # its message may repeat the address, and with it the password
        what = "this is no address of a PostgreSQL database"
        raise StoreError(Fault(what, "Write it as postgresql://USER@HOST/DATABASE.")) from None
    user, host, port = (str(parts.get(name) or "") for name in ("user", "host", "port"))
    shown = f"{user}@" if user else ""
    shown += "" if host.startswith("/") else host
    shown += f":{port}" if port else ""
    at = f" at {host}" if host.startswith("/") else ""
    return f"postgresql://{shown}/{parts.get('dbname') or ''}{at}"


def in_our_words(code: str, message: str, place: str) -> LedgerError:
    """What an error of the server means to the operator, with place and remedy.

    Args:
        code: its SQLSTATE; empty where there was no server to give one.
        message: what server or library said.
        place: the database, as it may be shown.
    """
    said = " ".join(message.split())[:300].rstrip(".")
    if code in _DAMAGED:
        remedy = "Restore the ledger from an export or a copy."
        return DamagedError(Fault(f"the database is damaged: {said}", remedy, place))
    if code in _REMEDIES:
        return StoreError(Fault(*_REMEDIES[code], place))
    if not code:
        remedy = "Start the server or correct the address; `createdb` makes a database."
        return StoreError(Fault(f"the database server cannot be used: {said}", remedy, place))
    return StoreError(Fault(f"the database refuses: {said}", "See the message and try again.", place))


@contextmanager
def translated(place: str) -> Generator[None]:
    """Raise the server's errors in our words."""
    try:
        yield
    except psycopg.Error as error:
        raise in_our_words(error.sqlstate or error.diag.sqlstate or "", str(error), place) from error


def connect(address: str, *, read_only: bool) -> Session:
    """A session in which each statement is a transaction of its own.

    Raises:
        StoreError: no such server or database, or it does not let us in.
    """
    place = place_of(address)
    wanted = conninfo_to_dict(address)
    given = {
        **_SILENCE,
        "fallback_application_name": f"tallyroom {os.getpid()} on {socket.gethostname()}"[:63],
        "target_session_attrs": "any" if read_only else "read-write",
        **{name: value for name, value in wanted.items() if value is not None},
    }
    with translated(place):
        session = psycopg.connect(make_conninfo("", **given), autocommit=True)
        try:
            session.execute(
                "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = ANY(%s)", (_NO_LIMITS.split(),)
            )
        except BaseException:
            session.close()
            raise
        return session


def alive(session: Session) -> bool:
    """Whether an idle session is still good: a server that has something to say to it unasked is taking leave."""
    if session.closed:
        return False
    waiting = select.poll()
    waiting.register(session.fileno(), select.POLLIN)
    return not waiting.poll(0)


def refuse_careless(session: Session, place: str) -> None:
    """Hold a server to what receipts promise, and this session to what the server is set to now.

    Raises:
        StoreError: it is set so that a crash may lose what was committed.
    """
    with translated(place):
        for name, promised in _PROMISES.items():
            found = session.execute("SELECT current_setting(%s)", (name,)).fetchone()
            value = str(found[0]) if found else ""
            if value not in promised:
                what = f"the database server has {name} = {value}: a crash could lose what was acknowledged"
                raise StoreError(Fault(what, f"Set {name} = {promised[0]} on the server.", place))
            if name == "synchronous_commit":
                session.execute("SELECT set_config(%s, %s, false)", (name, value))


def take_lock(session: Session, place: str) -> None:
    """Become the one writer of a database until the session ends; waits a moment for the one before.

    Raises:
        StoreError: another program writes to it; the fault names it.
    """
    with translated(place):
        session.execute("SELECT set_config('lock_timeout', %s, false)", (f"{PATIENCE_SECONDS * 1000:.0f}ms",))
        try:
            session.execute("SELECT pg_advisory_lock(%s::integer, %s::integer)", LOCK)
        except psycopg.errors.LockNotAvailable:
            holder = _holder(session)
            what = f"another program writes to this ledger ({holder})"
            raise StoreError(Fault(what, "Stop that program, or send it the filing.", place)) from None
        session.execute("SELECT set_config('lock_timeout', '0', false)")


def _holder(session: Session) -> str:
    found = session.execute(
        "SELECT a.application_name, a.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
        " WHERE l.locktype = 'advisory' AND l.granted AND l.classid = %s::oid AND l.objid = %s::oid AND l.objsubid = 2"
        " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        LOCK,
    ).fetchone()
    return f"{found[0] or 'unnamed'}, the server's process {found[1]}" if found else "unknown"
