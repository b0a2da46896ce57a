"""PostgreSQL as a shelf of rows: a session to write, one to read, the few statements, and what a lost one means."""

from __future__ import annotations

import math
import struct
import time
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, cast

import psycopg
from psycopg.pq import DiagnosticField, ExecStatus

from tallyroom.faults import Fault
from tallyroom.ledger.entry import Entry, read_entry
from tallyroom.ledger.faults import DamagedError, LedgerError, StoreError
from tallyroom.ledger.postgres_form import contest_of, make, migrate
from tallyroom.ledger.postgres_session import (
    Session,
    alive,
    connect,
    in_our_words,
    place_of,
    refuse_careless,
    take_lock,
    translated,
)
from tallyroom.ledger.writer import KeyTakenError, Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import LiteralString

    from psycopg.errors import Diagnostic
    from psycopg.pq.abc import PGresult

RETURN_SECONDS = 5.0
"""How long a writer that lost its session tries to get a new one before it refuses: a restart takes about one."""

_FRESH_SECONDS = 0.05
"""How long after an answer a session is taken to be alive: to ask costs a busy writer a tenth of its time."""

_ONE = b"INSERT INTO ledger.entry (seq, key, leaf, raw) VALUES ($1::bigint, $2::text, $3::bytea, $4::bytea)"
_MANY = (
    b"INSERT INTO ledger.entry (seq, key, leaf, raw) SELECT $1::bigint + n - 1, key, leaf, raw"
    b" FROM unnest($2::text[], $3::bytea[], $4::bytea[]) WITH ORDINALITY AS given (key, leaf, raw, n)"
)
_BINARY = (1, 1, 1, 1)
_TEXT_OID, _BYTEA_OID = 25, 17
_PAGE, _LEAVES = 1000, 20_000


class PostgresShelf:
    """Rows of one database, with one session to write and one to read.

    Attributes:
        place: the database, as it may be shown.
        contest: the contest it is the ledger of.
    """

    def __init__(self, address: str, *, read_only: bool, make_for: str | None = None) -> None:
        """Open, and as a writer make (for contest `make_for`) or migrate.

        Raises:
            StoreError: no server, no ledger, another writer, a careless or read-only server.
        """
        self.place, self._address = place_of(address), address
        self._reading, self._warning, self._closed = Lock(), "", False
        self._answered = -math.inf
        self._pen: Session | None = None
        self._reader: Session | None = None
        try:
            if not read_only:
                self._pen = self._take_pen(make_for)
            self._reader = connect(address, read_only=True)
            with translated(self.place):
                self.contest = contest_of(self._reader, self.place)
        except BaseException:
            self.close()
            raise

    def put(self, rows: list[Row]) -> None:
        """See `Shelf.put`: one statement, which is its own transaction."""
        if self._pen is None:
            raise StoreError(Fault("the ledger has no session to write", "Open it for writing.", self.place))
        self._warning = ""
        try:
            result = self._enter(self._pen, rows)
        except psycopg.OperationalError as error:
            raise self._unknown(len(rows), error) from error
        if result.status != ExecStatus.COMMAND_OK:
            self._refuse(result, self._pen, len(rows))
        self._answered = time.monotonic()
        if self._warning:  # committed here, but not on the standby that the server is to wait for
            raise self._unknown(len(rows), self._warning)

    def resume(self, count: int, prev: str) -> Sequence[bytes]:
        """See `Shelf.resume`: nothing to do while the session lasts."""
        if self._pen is not None and not self._warning and self._lives(self._pen):
            return ()
        if self._pen is not None:
            self._pen.close()
        self._pen, self._warning = None, ""
        pen = self._take_pen_again()
        query = "SELECT seq, leaf FROM ledger.entry WHERE seq >= %s ORDER BY seq"
        with translated(self.place):
            found = pen.execute(query, (max(count - 1, 0),), binary=True).fetchall()
        leaves = [cast("bytes", leaf) for _seq, leaf in found]  # a bytea column
        if count > 0 and (not found or found[0][0] != count - 1 or leaves.pop(0).hex() != prev):
            pen.close()
            what = f"the {count} acknowledged entries are not there any more"
            remedy = "Stop: this server is older than the one written to, or was changed. Restore it from a copy."
            raise DamagedError(Fault(what, remedy, self.place))
        self._pen = pen
        return leaves

    def find(self, key: str) -> Entry | None:
        """See `Shelf.find`."""
        found = self._read("SELECT raw FROM ledger.entry WHERE key = %s", (key,))
        return read_entry(found[0]) if found else None

    def count(self) -> int:
        """Committed entries."""
        (count,) = self._read("SELECT int8send(coalesce(max(seq) + 1, 0)) FROM ledger.entry", ())
        return int.from_bytes(count, "big")

    def raws(self, start: int, stop: int) -> Iterator[bytes]:
        """Canonical bytes of entries `start` to `stop - 1`, read by the page so that no reader holds a snapshot."""
        query = "SELECT raw FROM ledger.entry WHERE seq >= %s AND seq < %s ORDER BY seq"
        for first in range(start, stop, _PAGE):
            yield from self._read(query, (first, min(first + _PAGE, stop)))

    def leaves(self, start: int, stop: int) -> Iterator[bytes]:
        """Leaf hashes of entries `start` to `stop - 1`."""
        query = "SELECT leaf FROM ledger.entry WHERE seq >= %s AND seq < %s ORDER BY seq"
        for first in range(start, stop, _LEAVES):
            yield from self._read(query, (first, min(first + _LEAVES, stop)))

    def close(self) -> None:
        """End both sessions, and with the writer's its lock."""
        self._closed = True
        for session in (self._reader, self._pen):
            if session is not None:
                with suppress(psycopg.Error):
                    session.close()

    def _read(self, query: LiteralString, values: tuple[str | int, ...]) -> list[bytes]:
        """The one column of some rows; asked once more if the session was lost."""
        with self._reading, translated(self.place):
            try:
                found = self._reading_session().execute(query, values, prepare=True, binary=True).fetchall()
            except psycopg.OperationalError:
                if self._reader is not None and alive(self._reader):
                    raise
                found = self._reading_session().execute(query, values, prepare=True, binary=True).fetchall()
            return [cast("bytes", value) for (value,) in found]  # every query here asks for bytea

    def _reading_session(self) -> Session:
        if self._closed:
            raise StoreError(Fault("the ledger is closed", "Open it again.", self.place))
        if self._reader is None or not alive(self._reader):
            if self._reader is not None:
                self._reader.close()
            self._reader = None
            self._reader = connect(self._address, read_only=True)
        return self._reader

    def _take_pen(self, make_for: str | None = None) -> Session:
        session = connect(self._address, read_only=False)
        try:
            refuse_careless(session, self.place)
            take_lock(session, self.place)
            with translated(self.place):
                if make_for is not None:
                    make(session, make_for, self.place)
                migrate(session, self.place)
                session.add_notice_handler(self._heed)
                for name, statement in ((b"one", _ONE), (b"many", _MANY)):
                    session.pgconn.prepare(name, statement)
        except BaseException:
            session.close()
            raise
        return session

    def _lives(self, pen: Session) -> bool:
        if time.monotonic() - self._answered < _FRESH_SECONDS:
            return not pen.closed
        return alive(pen)

    def _take_pen_again(self) -> Session:
        until = time.monotonic() + RETURN_SECONDS
        while True:
            try:
                return self._take_pen()
            except StoreError as error:
                if time.monotonic() > until:
                    fault = error.faults[0]
                    remedy = f"{fault.remedy} Nothing was entered; send again under the same key."
                    raise StoreError(Fault(fault.what, remedy, self.place)) from error
                time.sleep(0.05)

    def _enter(self, pen: Session, rows: list[Row]) -> PGresult:
        """Below psycopg's cursors, whose conversions cost as much as all the rest of an append."""
        first = rows[0][0].to_bytes(8, "big")
        if len(rows) == 1:
            _seq, key, leaf, raw = rows[0]
            return pen.pgconn.exec_prepared(b"one", [first, key.encode(), leaf, raw], _BINARY)
        keys = _array(_TEXT_OID, [key.encode() for _seq, key, _leaf, _raw in rows])
        leaves = _array(_BYTEA_OID, [leaf for _seq, _key, leaf, _raw in rows])
        raws = _array(_BYTEA_OID, [raw for _seq, _key, _leaf, raw in rows])
        return pen.pgconn.exec_prepared(b"many", [first, keys, leaves, raws], _BINARY)

    def _heed(self, notice: Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            self._warning = notice.message_primary or "the server warned"

    def _refuse(self, result: PGresult, pen: Session, many: int) -> None:
        said = (result.error_message or b"").decode("utf-8", "replace").strip()
        code = (result.error_field(DiagnosticField.SQLSTATE) or b"").decode()
        if not code or not alive(pen):
            raise self._unknown(many, said)
        if result.error_field(DiagnosticField.CONSTRAINT_NAME) == b"entry_key_is_new":
            raise KeyTakenError
        if code == psycopg.errors.UniqueViolation.sqlstate:
            code = "TY002"
        if code == "TY002":
            self._warning = said  # so that `resume` looks what stands there
        raise in_our_words(code, said, self.place)

    def _unknown(self, many: int, cause: object) -> LedgerError:
        said = " ".join(str(cause).split())[:200].rstrip(".")
        entries = "an entry" if many == 1 else f"{many} entries"
        what = f"the session was lost while {entries} went in, and whether they are in is unknown: {said}"
        remedy = "Send again under the same key: what is in is answered as repeated, nothing is entered twice."
        return StoreError(Fault(what, remedy, self.place))


def _array(element: int, items: list[bytes]) -> bytes:
    """A PostgreSQL array of one dimension without nulls, in its binary form."""
    parts = [struct.pack(">iiiii", 1, 0, element, len(items), 1)]
    for item in items:
        parts += (len(item).to_bytes(4, "big"), item)
    return b"".join(parts)
