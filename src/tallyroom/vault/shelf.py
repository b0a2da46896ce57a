"""What the vault needs of a database: statements, transactions, and a way to leave no trace of what was deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tallyroom.faults import Fault
from tallyroom.vault.faults import VaultError
from tallyroom.vault.stored import writable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from typing import LiteralString

BUSY_SECONDS = 5.0
"""How long a change waits for another program that changes the same database or row."""

Value: TypeAlias = int | str | bytes | None
Row: TypeAlias = tuple[Any, ...]  # Any: the schema says what a column holds, and it is checked there


class Transaction:
    """Statements that are committed together. Parameters are written `?` in every database.

    After a statement that failed nothing of it is kept, in any database, whether or not the error was caught.

    Args:
        run: runs one statement in the open transaction: its rows, and how many it changed.
        place: the database as it may be shown.
    """

    def __init__(self, run: Callable[[LiteralString, tuple[Value, ...]], tuple[list[Row], int]], place: str) -> None:
        self._run, self._place, self._failed = run, place, False

    def rows(self, query: LiteralString, *values: Value) -> list[Row]:
        """Run a statement and give its rows, of which a change may also return some.

        Raises:
            ConstraintError: the rows that are there do not allow it.
            VaultStoreError: the database cannot be used.
            VaultError: a text among the values cannot be written down, or a statement before this one failed.
        """
        return self._done(query, values)[0]

    def change(self, query: LiteralString, *values: Value) -> int:
        """Run a statement and say how many rows it changed; raises as `rows` does."""
        return self._done(query, values)[1]

    def refuse_if_failed(self) -> None:
        """Stop a commit that would keep a part.

        Raises:
            VaultError: a statement failed.
        """
        if self._failed:
            what = "a statement failed, and nothing of its transaction is kept"
            raise VaultError(Fault(what, "Begin the change again.", self._place))

    def _done(self, query: LiteralString, values: tuple[Value, ...]) -> tuple[list[Row], int]:
        self.refuse_if_failed()
        try:
            refuse_unwritable(values, self._place)
            return self._run(query, values)
        except BaseException:
            self._failed = True
            raise


class Shelf(Protocol):
    """A database of one contest, safe to use from many threads and by many programs at once.

    Attributes:
        place: the database as it may be shown: a file, or an address without its password.
    """

    @property
    def place(self) -> str: ...  # noqa: D102 - see the class

    def rows(self, query: LiteralString, *values: Value) -> list[Row]:
        """Read outside of a transaction; a text that no database can hold is found nowhere."""
        ...

    def changing(self, *, lasting: bool = True) -> AbstractContextManager[Transaction]:
        """A transaction: committed at the end of the block, rolled back if the block raises.

        Args:
            lasting: synced before the block ends. If not, a loss of power may take it back, a killed program not.
        """
        ...

    def scrub(self, tables: Iterable[str]) -> str:
        """Rewrite what held deleted rows, so that the files of the database hold none of them.

        Returns:
            A sentence on what could not be cleared and what to do; empty if all was.
        """
        ...

    def close(self) -> None:
        """Let go of the database. Closing twice is no fault."""
        ...


def refuse_unwritable(values: Iterable[Value], place: str) -> None:
    """Stop a text that not every database can hold before a library repeats it in an error of its own.

    Raises:
        VaultError: there is one.
    """
    if not all(writable(value) for value in values if isinstance(value, str)):
        what = "a text holds characters that cannot be kept"
        raise VaultError(Fault(what, "Leave out NUL and halves of surrogate pairs.", place))
