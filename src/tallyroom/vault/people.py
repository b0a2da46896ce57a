"""Who takes part: the person behind an opaque id of the ledger, with roles and telephone numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from tallyroom.vault.faults import ConstraintError
from tallyroom.vault.refused import Reason, Refused
from tallyroom.vault.stored import moment, stamp, writable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from typing import LiteralString

    from tallyroom.vault.mint import Mint
    from tallyroom.vault.shelf import Shelf, Transaction, Value


_WHOLE = (
    "SELECT p.id, p.name, p.added, g.role, g.scope, f.number FROM vault_person AS p"
    " LEFT JOIN vault_grant AS g ON g.person = p.id LEFT JOIN vault_phone AS f ON f.person = p.id"
)


class Role(StrEnum):
    """What somebody may be trusted with; what each may do is said by the doors, not here."""

    OPERATOR = "operator"
    ADJUDICATOR = "adjudicator"
    COUNTY = "county"
    DIRECTOR = "director"
    OBSERVER = "observer"
    AUDITOR = "auditor"
    CHAIR = "chair"


@dataclass(frozen=True, slots=True, order=True)
class Grant:
    """A role, and where it holds.

    Attributes:
        role: what it is.
        scope: id of an area or unit; empty: the whole contest.
    """

    role: Role
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who takes part.

    Attributes:
        id: opaque; the only part of it that the ledger knows.
        name: as the person writes it.
        grants: roles held.
        phones: numbers the person is reached at; others may share them.
        added: when.
    """

    id: str
    name: str = field(repr=False)
    grants: frozenset[Grant]
    phones: frozenset[str] = field(repr=False)
    added: datetime

    def holds(self, role: Role, *scopes: str) -> bool:
        """Whether the person holds a role, for the whole contest or for one of these scopes."""
        return any(grant.role is role and grant.scope in {"", *scopes} for grant in self.grants)


def phone_number(typed: str) -> str | None:
    """A telephone number as it is compared: digits, with a `+` before them if it was typed; None if it is none."""
    plain = re.sub(r"[\s().\-/\u2010-\u2015]", "", typed)
    return plain if re.fullmatch(r"\+?[0-9]{4,15}", plain) else None


class People:
    """The people of one contest."""

    def __init__(self, shelf: Shelf, mint: Mint) -> None:
        self._shelf, self._mint = shelf, mint

    def add(
        self, name: str, at: datetime, *, grants: Iterable[Grant] = (), phones: Iterable[str] = (), by: str = ""
    ) -> Person | Refused:
        """Add a person under a new id.

        Args:
            name: as the person writes it; may be empty.
            at: now.
            grants: first roles.
            phones: numbers in any usual form.
            by: id of who gives the roles.

        Returns:
            The person, or refused: `not-a-number`, `unwritable`.
        """
        numbers = {phone_number(phone) for phone in phones}
        if not writable(name):
            return Refused(Reason.UNWRITABLE)
        person = Person(
            self._mint.id("p"), name, frozenset(grants), frozenset(filter(None, numbers)), moment(stamp(at))
        )
        if None in numbers:
            return Refused(Reason.NOT_A_NUMBER)
        with self._shelf.changing() as changing:
            changing.change("INSERT INTO vault_person (id, name, added) VALUES (?, ?, ?)", person.id, name, stamp(at))
            _put_phones(changing, person.id, person.phones)
            for grant in person.grants:
                _put_grant(changing, person.id, grant, stamp(at), by)
        return person

    def find(self, person: str) -> Person | None:
        """The person with this id."""
        found = self._read(" WHERE p.id = ?", person)
        return found[0] if found else None

    def by_phone(self, typed: str) -> tuple[Person, ...]:
        """Everybody who is reached at a number, oldest first: telephones are shared."""
        number = phone_number(typed)
        if number is None:
            return ()
        return self._read(" WHERE p.id IN (SELECT person FROM vault_phone WHERE number = ?)", number)

    def everyone(self) -> tuple[Person, ...]:
        """All people, oldest first."""
        return self._read("")

    def rename(self, person: str, name: str) -> Person | Refused:
        """Correct a name; refused: `no-person`, `unwritable`."""
        if not writable(name):
            return Refused(Reason.UNWRITABLE)
        with self._shelf.changing() as changing:
            changing.change("UPDATE vault_person SET name = ? WHERE id = ?", name, person)
        return self.find(person) or Refused(Reason.NO_PERSON)

    def reach_at(self, person: str, phones: Iterable[str]) -> Person | Refused:
        """Replace all telephone numbers; refused: `no-person`, `not-a-number`."""
        numbers = {phone_number(phone) for phone in phones}
        if None in numbers:
            return Refused(Reason.NOT_A_NUMBER)
        try:
            with self._shelf.changing() as changing:
                changing.change("DELETE FROM vault_phone WHERE person = ?", person)
                _put_phones(changing, person, filter(None, numbers))
        except ConstraintError:
            return Refused(Reason.NO_PERSON)
        return self.find(person) or Refused(Reason.NO_PERSON)

    def grant(self, person: str, grant: Grant, at: datetime, *, by: str) -> Person | Refused:
        """Give a role; one that is held already stays as it was given. Refused: `no-person`."""
        try:
            with self._shelf.changing() as changing:
                _put_grant(changing, person, grant, stamp(at), by)
        except ConstraintError:
            return Refused(Reason.NO_PERSON)
        return self.find(person) or Refused(Reason.NO_PERSON)

    def withdraw(self, person: str, grant: Grant) -> Person | Refused:
        """Take a role away; sessions go on, so ask `Person.holds` at each request. Refused: `no-person`."""
        with self._shelf.changing() as changing:
            changing.change(
                "DELETE FROM vault_grant WHERE person = ? AND role = ? AND scope = ?", person, grant.role, grant.scope
            )
        return self.find(person) or Refused(Reason.NO_PERSON)

    def _read(self, where: LiteralString, *values: Value) -> tuple[Person, ...]:
        """People with all that is theirs, in one statement, so that no half of a change is seen."""
        grants, phones, known = dict[str, set[Grant]](), dict[str, set[str]](), dict[str, tuple[int, str]]()
        for person, name, added, role, scope, number in self._shelf.rows(_WHOLE + where, *values):
            known[person] = (added, name)
            grants.setdefault(person, set()).update([] if role is None else [Grant(Role(role), scope)])
            phones.setdefault(person, set()).update([] if number is None else [number])
        oldest_first = sorted(known, key=lambda person: (known[person][0], person))
        return tuple(
            Person(
                person, known[person][1], frozenset(grants[person]), frozenset(phones[person]), moment(known[person][0])
            )
            for person in oldest_first
        )


def _put_grant(changing: Transaction, person: str, grant: Grant, given: int, by: str) -> None:
    changing.change(
        "INSERT INTO vault_grant (person, role, scope, given, author) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        person,
        grant.role,
        grant.scope,
        given,
        by,
    )


def _put_phones(changing: Transaction, person: str, numbers: Iterable[str]) -> None:
    for number in numbers:
        changing.change("INSERT INTO vault_phone (person, number) VALUES (?, ?)", person, number)
