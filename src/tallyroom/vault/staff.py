"""How the staff signs in: a name with a password hash, a secret for changing codes, and passkeys."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallyroom.vault import password as passwords
from tallyroom.vault import totp
from tallyroom.vault.faults import ConstraintError
from tallyroom.vault.refused import Reason, Refused
from tallyroom.vault.stored import moment, moment_or_none, stamp, writable

if TYPE_CHECKING:
    from datetime import datetime
    from typing import LiteralString

    from tallyroom.vault.mint import Mint
    from tallyroom.vault.password import Cost
    from tallyroom.vault.shelf import Shelf, Value

_LOGIN = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])")


@dataclass(frozen=True, slots=True)
class Account:
    """What somebody of the staff can sign in with.

    Attributes:
        person: opaque id.
        login: the name to sign in under.
        has_password: a password is set.
        has_totp: an authenticator is set up.
        added: when.
        closed: since when nobody signs in with it; None: it is open.
    """

    person: str
    login: str = field(repr=False)
    has_password: bool
    has_totp: bool
    added: datetime
    closed: datetime | None = None


@dataclass(frozen=True, slots=True)
class Passkey:
    """A registered passkey (WebAuthn).

    Attributes:
        id: the credential's id, from the device.
        person: opaque id of its owner.
        public_key: COSE key, from the device.
        uses: the device's signature counter when it was last seen.
        label: what the owner calls the device.
        added: when.
    """

    id: bytes = field(repr=False)
    person: str
    public_key: bytes = field(repr=False)
    uses: int
    label: str = field(repr=False)
    added: datetime


class Staff:
    """The accounts of one contest."""

    def __init__(self, shelf: Shelf, mint: Mint, cost: Cost) -> None:
        self._shelf, self._mint, self._cost = shelf, mint, cost
        self._nobody = ""

    def enrol(self, person: str, login: str, at: datetime) -> Account | Refused:
        """Open an account; refused: `login-form`, `login-taken`, `has-account`, `no-person`."""
        if _LOGIN.fullmatch(login) is None:
            return Refused(Reason.LOGIN_FORM)
        try:
            with self._shelf.changing() as changing:
                put = changing.change(
                    "INSERT INTO vault_account (person, login, totp_step, added) VALUES (?, ?, 0, ?)"
                    " ON CONFLICT DO NOTHING",
                    person,
                    login,
                    stamp(at),
                )
        except ConstraintError:
            return Refused(Reason.NO_PERSON)
        if not put:
            return Refused(Reason.HAS_ACCOUNT if self.account(person) else Reason.LOGIN_TAKEN)
        return Account(person, login, has_password=False, has_totp=False, added=moment(stamp(at)))

    def account(self, person: str) -> Account | None:
        """The account of a person."""
        return self._account(" WHERE person = ?", person)

    def by_login(self, login: str) -> Account | None:
        """The account under a name."""
        return self._account(" WHERE login = ?", login)

    def close(self, person: str, at: datetime) -> Account | Refused:
        """Let nobody sign in with an account any more; end its sessions too. Refused: `no-account`."""
        return self._changed(
            person, "UPDATE vault_account SET closed = ? WHERE person = ? AND closed IS NULL", stamp(at), person
        )

    def reopen(self, person: str) -> Account | Refused:
        """Let it be used again. Refused: `no-account`."""
        return self._changed(person, "UPDATE vault_account SET closed = NULL WHERE person = ?", person)

    def set_password(self, person: str, password: str) -> Account | Refused:
        """Set or replace a password. Takes a tenth of a second. Refused: by its length, `no-account`."""
        objection = passwords.objection(password)
        if objection is not None:
            return Refused(objection)
        kept = passwords.hashed(password, self._mint, self._cost)
        return self._changed(person, "UPDATE vault_account SET password = ? WHERE person = ?", kept, person)

    def by_password(self, login: str, password: str) -> Account | None:
        """The open account with this name and password; None takes as long, whatever was wrong."""
        found = self._shelf.rows(
            "SELECT person, password FROM vault_account WHERE login = ? AND closed IS NULL AND password IS NOT NULL",
            login,
        )
        person, kept = found[0] if found else ("", self._hash_of_nobody())
        if not passwords.matches(kept, password, self._mint) or not found:
            return None
        if passwords.dated(kept, self._cost):
            self.set_password(person, password)
        return self.account(person)

    def set_totp(self, person: str) -> bytes | Refused:
        """Give a person a new secret for changing codes, to be shown once; the old one ends. Refused: `no-account`."""
        secret = self._mint.random(totp.SECRET_BYTES)
        done = self._changed(
            person, "UPDATE vault_account SET totp = ?, totp_step = 0 WHERE person = ?", secret, person
        )
        return done if isinstance(done, Refused) else secret

    def take_code(self, person: str, typed: str, at: datetime) -> bool:
        """Whether a changing code is right; each is taken once, also by two programs at once."""
        found = self._shelf.rows(
            "SELECT totp FROM vault_account WHERE person = ? AND closed IS NULL AND totp IS NOT NULL", person
        )
        step = totp.matching_step(found[0][0], typed, at) if found else None
        if step is None:
            return False
        with self._shelf.changing() as changing:
            query = "UPDATE vault_account SET totp_step = ? WHERE person = ? AND totp = ? AND totp_step < ?"
            return changing.change(query, step, person, found[0][0], step) == 1

    def add_passkey(
        self, person: str, passkey: bytes, public_key: bytes, uses: int, label: str, at: datetime
    ) -> Passkey | Refused:
        """Register a passkey; refused: `passkey-known`, `no-account`, `unwritable`."""
        if not writable(label):
            return Refused(Reason.UNWRITABLE)
        try:
            with self._shelf.changing() as changing:
                put = changing.change(
                    "INSERT INTO vault_passkey (id, person, public_key, uses, label, added) VALUES (?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT DO NOTHING",
                    *(passkey, person, public_key, uses, label, stamp(at)),
                )
        except ConstraintError:
            return Refused(Reason.NO_ACCOUNT)
        made = Passkey(passkey, person, public_key, uses, label, moment(stamp(at)))
        return made if put else Refused(Reason.PASSKEY_KNOWN)

    def passkey(self, passkey: bytes) -> Passkey | None:
        """The passkey with this id, if its owner's account is open."""
        found = self._passkeys(" WHERE p.id = ? AND a.closed IS NULL", passkey)
        return found[0] if found else None

    def passkeys(self, person: str) -> tuple[Passkey, ...]:
        """All passkeys of a person, oldest first."""
        return self._passkeys(" WHERE p.person = ?", person)

    def use_passkey(self, passkey: bytes, uses: int) -> bool:
        """Note a device's signature counter; False if it did not grow, as that of a copied passkey would not.

        Devices that do not count always say 0, which is no fault (WebAuthn, section 6.1.1).
        """
        with self._shelf.changing() as changing:
            query = "UPDATE vault_passkey SET uses = ? WHERE id = ? AND (uses < ? OR (uses = 0 AND ? = 0))"
            return changing.change(query, uses, passkey, uses, uses) == 1

    def drop_passkey(self, passkey: bytes) -> bool:
        """Forget a passkey; False if there was none."""
        with self._shelf.changing() as changing:
            return changing.change("DELETE FROM vault_passkey WHERE id = ?", passkey) == 1

    def _account(self, where: LiteralString, value: str) -> Account | None:
        fields = "SELECT person, login, password IS NOT NULL, totp IS NOT NULL, added, closed FROM vault_account"
        for person, login, password, secret, added, closed in self._shelf.rows(fields + where, value):
            return Account(person, login, bool(password), bool(secret), moment(added), moment_or_none(closed))
        return None

    def _passkeys(self, where: LiteralString, value: Value) -> tuple[Passkey, ...]:
        fields = (
            "SELECT p.id, p.person, p.public_key, p.uses, p.label, p.added FROM vault_passkey AS p"
            " JOIN vault_account AS a ON a.person = p.person"
        )
        found = sorted(self._shelf.rows(fields + where, value), key=lambda row: (row[-1], row[0]))
        return tuple(
            Passkey(passkey, person, public_key, uses, label, moment(added))
            for passkey, person, public_key, uses, label, added in found
        )

    def _changed(self, person: str, query: LiteralString, *values: Value) -> Account | Refused:
        with self._shelf.changing() as changing:
            changing.change(query, *values)
        return self.account(person) or Refused(Reason.NO_ACCOUNT)

    def _hash_of_nobody(self) -> str:
        self._nobody = self._nobody or passwords.hashed(self._mint.token(), self._mint, self._cost)
        return self._nobody
