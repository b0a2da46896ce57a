"""The vault's tables in the PostgreSQL database of a ledger, in a schema of their own.

What the server says about a row that it refuses repeats the row, so of its errors only the code is told. A lost
session is taken anew: a read is asked again, a change is not, for it may be in.
"""

from __future__ import annotations

import select
from contextlib import contextmanager, suppress
from threading import RLock
from typing import TYPE_CHECKING, TypeAlias

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tallyroom.faults import Fault
from tallyroom.vault import migrations
from tallyroom.vault.faults import ConstraintError, VaultDamagedError, VaultError, VaultStoreError
from tallyroom.vault.shelf import BUSY_SECONDS, Row, Transaction, Value
from tallyroom.vault.stored import writable

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from typing import LiteralString

Session: TypeAlias = psycopg.Connection[Row]

_MAKING = (0x54_61_6C_79, 2)
"""The advisory lock that programs take in turn to make the tables ("Taly")."""

_AGAIN = "Do it again: nothing was kept."
_REMEDIES = {
    "53100": ("the disk of the database server is full", f"Make room. {_AGAIN}"),
    "53200": ("the database server is out of memory", f"See its log. {_AGAIN}"),
    "53300": ("the database server has no session left", "End other programs' sessions or raise max_connections."),
    "25006": ("the database server is read-only: a standby", "Give the address of the primary."),
    "42501": ("this account may not do that in the database", "Give an account that may write to the vault."),
    "55P03": ("the vault is locked by another program", "Stop that program and do it again."),
    "40P01": ("another program changes the same records", _AGAIN),
    "40001": ("another program changes the same records", _AGAIN),
}
_DAMAGED = {"XX000", "XX001", "XX002", "58P01"}
_SILENCE = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
    "target_session_attrs": "read-write",
    "fallback_application_name": "tallyroom vault",
}
"""A host that falls silent is given up after about 25 seconds; an address may say otherwise."""


class PostgresShelf:
    """The `Shelf` in a PostgreSQL database that holds a ledger.

    Args:
        address: `postgresql://USER@HOST/DATABASE`, as libpq reads it.
        contest: id of the contest; the ledger must be of the same.
        create: make the tables if there are none yet.
        busy: seconds to wait for another program.

    Raises:
        VaultStoreError: no server, no ledger, no vault, of another contest, of a later Tallyroom.
    """

    def __init__(self, address: str, contest: str, *, create: bool = False, busy: float = BUSY_SECONDS) -> None:
        self._lock, self._closed, self._busy = RLock(), False, busy
        self._given, self._place = _read(address)
        self._session = self._connect()
        try:
            self._open(contest, create=create)
        except BaseException:
            self.close()
            raise

    @property
    def place(self) -> str:
        """See `Shelf.place`."""
        return self._place

    def rows(self, query: LiteralString, *values: Value) -> list[Row]:
        """See `Shelf.rows`."""
        if not all(writable(value) for value in values if isinstance(value, str)):
            return []
        with self._lock:
            self._return()
            try:
                return self._run(_theirs(query), values)[0]
            except VaultStoreError:
                if _alive(self._session):
                    raise
            self._return()
            return self._run(_theirs(query), values)[0]

    @contextmanager
    def changing(self, *, lasting: bool = True) -> Generator[Transaction]:
        """See `Shelf.changing`."""
        with self._lock:
            self._return()
            self._run("BEGIN", ())
            try:
                if not lasting:
                    self._run("SET LOCAL synchronous_commit = off", ())
                transaction = Transaction(lambda query, values: self._run(_theirs(query), values), self._place)
                yield transaction
                transaction.refuse_if_failed()
                self._commit()
            except BaseException:
                with suppress(psycopg.Error):
                    self._session.rollback()
                raise

    def scrub(self, tables: Iterable[str]) -> str:
        """See `Shelf.scrub`: each table is written anew into files of its own, and the old ones are removed."""
        with self._lock:
            try:
                self._return()
                for table in sorted(tables):
                    self._run(sql.SQL("VACUUM FULL {}").format(sql.Identifier(table)), ())
            except VaultStoreError as error:
                what = error.faults[0].what
                return f"The records are deleted, but tables could not be rewritten: {what}. Erase once more later."
        return ""

    def close(self) -> None:
        """See `Shelf.close`."""
        self._closed = True
        with suppress(psycopg.Error):
            self._session.close()

    def _connect(self) -> Session:
        try:
            session = psycopg.connect(make_conninfo("", **self._given), autocommit=True)
            session.execute("SELECT set_config('search_path', 'vault, pg_catalog, pg_temp', false)")
            session.execute("SELECT set_config('lock_timeout', %s, false)", (f"{self._busy * 1000:.0f}ms",))
        except psycopg.Error as error:
            refused = self._in_our_words(error)
        else:
            return session
        raise refused

    def _return(self) -> None:
        """Have a session, a new one if the server ended the last."""
        if self._closed:
            raise VaultStoreError(Fault("the vault is closed", "Open it again.", self._place))
        if not _alive(self._session):
            self._session.close()
            self._session = self._connect()

    def _run(self, query: LiteralString | bytes | sql.Composed, values: tuple[Value, ...]) -> tuple[list[Row], int]:
        """Raise after the handler, so that the server's own words are not even the context of ours."""
        try:
            cursor = self._session.execute(query, values or None)
            return (cursor.fetchall() if cursor.description else []), cursor.rowcount
        except psycopg.Error as error:
            refused = self._in_our_words(error)
        raise refused

    def _commit(self) -> None:
        try:
            self._session.commit()
        except psycopg.Error:
            what = "the session was lost at the commit, and whether the change was kept is unknown"
            refused = VaultStoreError(Fault(what, "Look what is there, then do it again.", self._place))
        else:
            return
        raise refused

    def _in_our_words(self, error: psycopg.Error) -> VaultError:
        code = error.sqlstate or error.diag.sqlstate or ""
        if code.startswith("23"):
            return ConstraintError(Fault("a row does not fit those that are there", "See what is there.", self._place))
        if code in _DAMAGED:
            return VaultDamagedError(Fault("the database is damaged", "Restore it from a copy.", self._place))
        if not code or code.startswith(("57P", "08")):
            what = "the database server cannot be reached"
            return VaultStoreError(Fault(what, "Start the server or correct the address.", self._place))
        unknown = f"the database refuses (code {code})"
        what, remedy = _REMEDIES.get(code, (unknown, "Look the code up among PostgreSQL's error codes."))
        return VaultStoreError(Fault(what, remedy, self._place))

    def _open(self, contest: str, *, create: bool) -> None:
        self._refuse_other(contest)
        lacking = migrations.missing(self._form(), self._place)
        if len(lacking) == len(migrations.SCRIPTS) and not create:
            raise migrations.no_vault(self._place)
        if lacking:
            with self.changing():
                self._run("SELECT pg_advisory_xact_lock(%s::integer, %s::integer)", _MAKING)
                self._run("CREATE SCHEMA IF NOT EXISTS vault", ())
                for number, name in migrations.missing(self._form(), self._place):  # another may have been quicker
                    for statement in migrations.statements(name, postgres=True):
                        self._run(statement.encode(), ())
                    self._run("INSERT INTO vault_form (version) VALUES (%s)", (number,))

    def _refuse_other(self, contest: str) -> None:
        if self._run("SELECT to_regclass('ledger.contest') IS NULL", ())[0] == [(True,)]:
            remedy = "Make a ledger first, or give the ledger's database."
            raise VaultStoreError(Fault("there is no ledger in this database", remedy, self._place))
        found = self._run("SELECT id FROM ledger.contest", ())[0]
        if found != [(contest,)]:
            raise migrations.of_another(str(found[0][0]) if found else "no contest", contest, self._place)

    def _form(self) -> int:
        if self._run("SELECT to_regclass('vault.vault_form') IS NULL", ())[0] == [(True,)]:
            return 0
        return self._run("SELECT coalesce(max(version), 0) FROM vault_form", ())[0][0][0]


def _read(address: str) -> tuple[dict[str, str], str]:
    """The parameters of an address, and the address as it may be shown: without its password.

    Raises:
        VaultStoreError: it is no address of a PostgreSQL database.
    """
    try:
        wanted = {name: str(value) for name, value in conninfo_to_dict(address).items() if value is not None}
    except psycopg.Error:
        what = "this is no address of a PostgreSQL database"
        refused = VaultStoreError(Fault(what, "Write it as postgresql://USER@HOST/DATABASE."))
    else:
        user, host, port, name = (wanted.get(part, "") for part in ("user", "host", "port", "dbname"))
        server = f"{user}@" * bool(user) + host * (not host.startswith("/")) + f":{port}" * bool(port)
        return {**_SILENCE, **wanted}, f"postgresql://{server}/{name}" + f" at {host}" * host.startswith("/")
    raise refused


def _theirs(query: LiteralString) -> LiteralString:
    """A statement with its parameters as the library wants them; no statement here has a `?` or `%` otherwise."""
    return query.replace("?", "%s")


def _alive(session: Session) -> bool:
    """Whether an idle session is still good: a server that has something to say to it unasked is taking leave."""
    if session.closed:
        return False
    waiting = select.poll()
    waiting.register(session.fileno(), select.POLLIN)
    return not waiting.poll(0)
