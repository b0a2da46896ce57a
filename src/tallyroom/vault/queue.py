"""Callers who wait for an operator: a place in the line is kept when the call drops, and for a call-back."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from tallyroom.vault.people import phone_number
from tallyroom.vault.refused import Reason, Refused
from tallyroom.vault.stored import moment, stamp

if TYPE_CHECKING:
    from datetime import datetime

    from tallyroom.vault.mint import Mint
    from tallyroom.vault.shelf import Row, Shelf

_ALL = "SELECT id, number, unit, arrived, state, operator, changed FROM vault_caller"


class Waiting(StrEnum):
    """How somebody waits."""

    ON_LINE = "on-line"
    """Holds the line."""
    CALL_BACK = "call-back"
    """Has hung up or was cut off, and is to be called."""
    TAKEN = "taken"
    """An operator speaks with the caller or calls."""
    DONE = "done"
    """Has been heard, or does not wait any more."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who called.

    Attributes:
        id: opaque.
        number: the number that called; empty if it was withheld.
        unit: the place, as far as the caller has told; empty if not.
        arrived: when the call first came; the line is in this order.
        state: how the caller waits.
        operator: opaque id of who has taken the call; empty if nobody.
        changed: when the state last changed.
    """

    id: str
    number: str = field(repr=False)
    unit: str
    arrived: datetime
    state: Waiting
    operator: str
    changed: datetime


class Queue:
    """The waiting callers of one contest."""

    def __init__(self, shelf: Shelf, mint: Mint) -> None:
        self._shelf, self._mint = shelf, mint

    def join(self, number: str, at: datetime, *, unit: str = "") -> Caller | Refused:
        """Put a caller in line; a number that waits or is spoken with already keeps its place: the call was cut.

        Args:
            number: the number that calls; empty if it is withheld.
            at: now.
            unit: the place, if the caller has told it.

        Returns:
            The caller, or refused: `not-a-number`.
        """
        plain = phone_number(number) if number else ""
        if plain is None:
            return Refused(Reason.NOT_A_NUMBER)
        while True:
            with self._shelf.changing() as changing:
                found = changing.rows(
                    "UPDATE vault_caller SET state = 'on-line', operator = '', changed = ?,"
                    " unit = CASE WHEN unit = '' THEN ? ELSE unit END"
                    " WHERE number = ? AND number <> '' AND state <> 'done'"
                    " RETURNING id, number, unit, arrived, state, operator, changed",
                    *(stamp(at), unit, plain),
                ) or changing.rows(
                    "INSERT INTO vault_caller (id, number, unit, arrived, state, operator, changed)"
                    " VALUES (?, ?, ?, ?, 'on-line', '', ?) ON CONFLICT DO NOTHING"
                    " RETURNING id, number, unit, arrived, state, operator, changed",
                    *(self._mint.id("c"), plain, unit, stamp(at), stamp(at)),
                )
            if found:
                return _caller(found[0])

    def line(self) -> tuple[Caller, ...]:
        """Everybody who waits and is not spoken with, in the order of the line."""
        waiting = self._shelf.rows(_ALL + " WHERE state IN ('on-line', 'call-back')")
        return tuple(sorted(map(_caller, waiting), key=lambda caller: (caller.arrived, caller.id)))

    def find(self, caller: str) -> Caller | None:
        """The caller with this id."""
        found = self._shelf.rows(_ALL + " WHERE id = ?", caller)
        return _caller(found[0]) if found else None

    def take(self, operator: str, at: datetime) -> Caller | None:
        """Give an operator the first in line; two operators never get the same. None: nobody waits."""
        while True:
            waiting = self.line()
            if not waiting:
                return None
            with self._shelf.changing() as changing:
                taken = changing.rows(
                    "UPDATE vault_caller SET state = 'taken', operator = ?, changed = ?"
                    " WHERE id = ? AND state IN ('on-line', 'call-back')"
                    " RETURNING id, number, unit, arrived, state, operator, changed",
                    *(operator, stamp(at), waiting[0].id),
                )
            if taken:
                return _caller(taken[0])

    def call_back(self, caller: str, at: datetime) -> Caller | None:
        """Keep the place in line of somebody who hung up or was cut off; None: does not wait any more."""
        return self._move(caller, Waiting.CALL_BACK, at)

    def done(self, caller: str, at: datetime) -> Caller | None:
        """Let somebody go; None: was not in line."""
        return self._move(caller, Waiting.DONE, at)

    def _move(self, caller: str, to: Waiting, at: datetime) -> Caller | None:
        with self._shelf.changing() as changing:
            found = changing.rows(
                "UPDATE vault_caller SET state = ?, changed = ? WHERE id = ? AND state <> 'done'"
                " RETURNING id, number, unit, arrived, state, operator, changed",
                *(to, stamp(at), caller),
            )
        return _caller(found[0]) if found else None


def _caller(row: Row) -> Caller:
    id_, number, unit, arrived, state, operator, changed = row
    return Caller(id_, number, unit, moment(arrived), Waiting(state), operator, moment(changed))
