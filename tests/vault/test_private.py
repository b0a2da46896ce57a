"""Nothing private is said by accident, by an error, a log or a record that is printed; and secrets are not kept."""

from __future__ import annotations

import dataclasses
import logging
import traceback

import pytest

from ledger.server import said
from tallyroom.ledger.address import open_ledger
from tallyroom.vault.faults import ConstraintError, VaultError
from tallyroom.vault.people import Grant, Role
from vault.evening import CONTEST, EVENING, HOUR, WORDS, at_once

NAME, PHONE, TEXT, LOGIN = "Zebulon Quagga", "+19995550147", "the ladder of the zebra fell", "quagga.z"
PASSWORD, BODY, PICTURE = "four zebras on a ladder", b"zebra-draft", b"zebra-picture"
PRIVATE = (NAME, PHONE, TEXT, LOGIN, PASSWORD, BODY.decode(), PICTURE.decode(), "zebra")


def everything_kept(vault):
    """A record of each kind, and the secrets that were told once."""
    ann = vault.people.add(NAME, EVENING, grants=[Grant(Role.CHAIR, "polk-12")], phones=[PHONE])
    issued = vault.packets.issue("polk-12", ann.id, EVENING, WORDS)
    vault.staff.enrol(ann.id, LOGIN, EVENING)
    account = vault.staff.set_password(ann.id, PASSWORD)
    passkey = vault.staff.add_passkey(ann.id, b"zebra-id", b"zebra-key", 0, "zebra phone", EVENING)
    session = vault.sessions.open(ann.id, EVENING, HOUR)
    draft = vault.drafts.save("key-1", "polk-12", BODY, ann.id, EVENING)
    photo = vault.photos.keep(PICTURE, "polk-12", "image/jpeg", ann.id, EVENING)
    caller = vault.queue.join(PHONE, EVENING)
    failures = vault.throttle.failed("code", "zebra-address", EVENING, HOUR)
    text = vault.texts.keep(TEXT, EVENING)
    seal = vault.packets.seal_of("polk-12", 1)
    records = (ann, issued, account, passkey, session, draft, photo, caller, failures, text, seal)
    return records, (issued.link, issued.code, issued.code.replace("-", ""), issued.passphrase, session.token)


def test_records_that_are_printed_say_nothing_private(vault):
    records, secrets = everything_kept(vault)
    printed = repr(records) + str(records)
    assert [word for word in (*PRIVATE, *secrets) if word in printed] == []
    assert [type(record).__name__ for record in records if repr(record.__class__) in printed] == []
    assert "p-" in printed
    assert all(dataclasses.is_dataclass(record) and record.__dataclass_params__.frozen for record in records)


def causes(error):
    """An error with all that it was caused by or came after."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize(
    "statement",
    [
        ("INSERT INTO vault_person (id, name, added) VALUES ('p-1', ?, 0), ('p-1', ?, 0)", NAME, NAME),
        ("INSERT INTO vault_phone (person, number) VALUES (?, ?)", NAME, PHONE),
        ("INSERT INTO vault_person (id, name, added) VALUES (?, ?, ?)", NAME, None, 1),
        ("INSERT INTO vault_person (id, name, added) VALUES (?, ?, ?)", NAME, NAME, TEXT),
        ("INSERT INTO vault_person (id, name, added) VALUES (?, ?, ?)", NAME, NAME, 2**70),
        ("INSERT INTO vault_person (id, name, added) VALUES (?, ?, ?)", NAME, NAME + "\ud800", 1),
        ("INSERT INTO vault_person (id, name, added) VALUES (?, ?, ?)", NAME, NAME + "\0", 1),
        ("UPDATE vault_nothing SET name = ?", NAME),
    ],
)
def test_errors_of_the_database_say_nothing_private(vault, statement, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    with pytest.raises(VaultError) as caught, vault._shelf.changing() as changing:
        changing.change(*statement)
    told = "".join(repr(error) + str(error) + repr(error.args) for error in causes(caught.value))
    told += "".join(traceback.format_exception(caught.value)[-1:]) + caplog.text + "".join(capfd.readouterr())
    assert [word for word in PRIVATE if word in told] == []
    assert len(list(causes(caught.value))) == 1
    assert "remedy" not in told
    assert vault.people.everyone() == ()


def test_refusals_say_nothing_private(vault):
    everything_kept(vault)
    ben = vault.people.add("Ben", EVENING)
    refusals = [
        vault.staff.enrol(ben.id, LOGIN, EVENING),
        vault.staff.add_passkey(ben.id, b"zebra-id", b"zebra-key", 0, "zebra", EVENING),
        vault.people.reach_at(ben.id, [PHONE + "zebra"]),
        vault.people.rename(ben.id, NAME + "\ud800"),
        vault.texts.keep(TEXT + "\0", EVENING),
        vault.drafts.save("key-1", "polk-12", b"zebra", "p-2", EVENING),
        vault.staff.set_password(ben.id, "zebra"),
    ]
    told = "".join(repr(refused) + refused.sentence for refused in refusals)
    assert [word for word in PRIVATE if word in told] == []


def test_usual_conflicts_make_the_server_log_nothing_of_a_row(server, on_server, open_at):
    vault = open_at(on_server)
    log = server.folder / "log"
    level = "SELECT set_config('log_min_messages', 'info', false)"
    vault._shelf.rows(level)
    before = log.stat().st_size
    everything_kept(vault)
    ben = vault.people.add("Ben", EVENING)
    vault.staff.enrol(ben.id, LOGIN, EVENING)
    vault.staff.add_passkey(ben.id, b"zebra-id", b"zebra-key", 0, "zebra", EVENING)
    vault.people.reach_at("p-nobody", [PHONE])
    at_once(*[lambda: vault.queue.join(PHONE, EVENING)] * 3)
    with pytest.raises(VaultError), vault._shelf.changing() as changing:
        changing.change("UPDATE vault_nothing SET name = ''")
    logged = log.read_bytes()[before:].decode()
    assert "vault_nothing" in logged
    assert [word for word in PRIVATE if word in logged.replace(f"({PHONE})", PHONE)] == []


def test_files_of_a_ledger_hold_no_secret_that_was_told(tmp_path, open_at):
    path = tmp_path / "night.db"
    open_ledger(path, CONTEST, create=True).close()
    vault = open_at(path)
    _records, secrets = everything_kept(vault)
    secret_of_codes = vault.staff.set_totp(vault.people.everyone()[0].id)
    held = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert [secret for secret in (*secrets, PASSWORD, "zebra-address") if secret.encode() in held] == []
    assert NAME.encode() in held
    assert secret_of_codes in held


def test_tables_of_a_server_hold_no_secret_that_was_told(on_server, open_at):
    vault = open_at(on_server)
    _records, secrets = everything_kept(vault)
    tables = said(on_server, "SELECT tablename FROM pg_tables WHERE schemaname = 'vault'")
    rows = [said(on_server, f"SELECT * FROM vault.{table}") for (table,) in tables]
    held = repr(rows)
    assert [secret for secret in (*secrets, PASSWORD, "zebra-address") if secret in held] == []
    assert NAME in held


def test_digests_of_two_vaults_have_nothing_in_common(tmp_path, open_at):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        open_ledger(tmp_path / folder / "night.db", CONTEST, create=True).close()
    one = open_at(tmp_path / "one" / "night.db", random=lambda many: b"\x07" * many)
    two = open_at(tmp_path / "two" / "night.db", random=lambda many: b"\x07" * many, secret=bytes(32))
    kept = []
    for vault in (one, two):
        ann = vault.people.add(NAME, EVENING)
        vault.packets.issue("polk-12", ann.id, EVENING, WORDS)
        kept.append(vault._shelf.rows("SELECT link, code, passphrase FROM vault_packet")[0])
    assert len({*kept[0], *kept[1]}) == 6


def test_constraint_error_is_one_of_the_vault():
    assert issubclass(ConstraintError, VaultError)
