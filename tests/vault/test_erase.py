"""Erasing: what is private goes without a trace, and the ledger stays as it is."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from ledger.drafts import reports
from ledger.server import said
from tallyroom.ledger.address import open_ledger, verify_ledger
from tallyroom.vault.erase import EVERYTHING, Kind
from tallyroom.vault.faults import VaultError
from tallyroom.vault.stored import stamp
from vault.evening import CONTEST, DAY, EVENING, HOUR, WORDS, later

TERM = EVENING + 365 * DAY
MARKS = ("Zebulon Quagga", "9995550", "the ladder of the zebra fell", "zebra-draft", "zebra-picture", "quagga.z")
"""What only private records hold."""


def fill(vault, count=1, at=EVENING):
    """Records of every kind; gives what they are found by."""
    keys = []
    for number in range(count):
        ann = vault.people.add(f"Zebulon Quagga {number}", at, phones=[f"9995550{number:04}"])
        issued = vault.packets.issue(f"polk-{at:%d%H%M}-{number}", ann.id, at, WORDS)
        vault.staff.enrol(ann.id, f"quagga.z{number}{at:%j%H%M}", at)
        vault.staff.add_passkey(ann.id, f"key{number}{at:%j%H%M}".encode(), b"x", 0, "phone of Zebulon Quagga", at)
        token = vault.sessions.open(ann.id, at, HOUR * 24 * 900).token
        vault.drafts.save(f"key-{number}-{at:%j%H%M}", "polk", b"zebra-draft" * 30, ann.id, at)
        picture = vault.photos.keep(f"zebra-picture {number} {at}".encode() * 200, "polk", "image/jpeg", ann.id, at)
        caller = vault.queue.join(f"9995550{number:04}", at)
        vault.queue.done(caller.id, at)
        vault.throttle.failed("code", f"quagga {number} {at}", at, HOUR)
        text = vault.texts.keep(f"On evening {number} the ladder of the zebra fell.", at)
        keys.append((ann.id, issued.link, token, f"key-{number}-{at:%j%H%M}", picture.digest, caller.id, text.digest))
    return keys


def found(vault, keys, at):
    """Which of the records with these keys are still there."""
    person, link, token, draft, picture, caller, text = keys
    return {
        Kind.PEOPLE: vault.people.find(person) is not None,
        Kind.CREDENTIALS: vault.packets.by_link(link) is not None or vault.staff.account(person) is not None,
        Kind.SESSIONS: vault.sessions.find(token, at, 900 * DAY) is not None,
        Kind.DRAFTS: vault.drafts.find(draft) is not None,
        Kind.PHOTOS: vault.photos.picture(picture) is not None,
        Kind.CALLERS: vault.queue.find(caller) is not None,
        Kind.TEXTS: hasattr(vault.texts.find(text), "text"),
    }


@pytest.fixture
def ledgered(bare):
    """A ledger with entries, and no vault, of each kind."""
    with open_ledger(bare, CONTEST, create=True) as ledger:
        ledger.append(reports_here(20))
    return bare


def reports_here(count):
    return [replace(draft, contest=CONTEST) for draft in reports(count)]


def test_everything_private_goes_and_the_ledger_stays(ledgered, open_at):
    vault = open_at(ledgered)
    (keys,) = fill(vault)
    assert all(found(vault, keys, EVENING).values())
    with open_ledger(ledgered, CONTEST, read_only=True) as ledger:
        before = ledger.head(), [entry.raw for entry in ledger.entries()], verify_ledger(ledgered, contest=CONTEST)
    erasure = vault.erase(CONTEST, EVERYTHING, TERM, TERM, by="p-chief")
    with open_ledger(ledgered, CONTEST, read_only=True) as ledger:
        after = ledger.head(), [entry.raw for entry in ledger.entries()], verify_ledger(ledgered, contest=CONTEST)
    assert after == before
    assert after[2] == []
    assert not any(found(vault, keys, EVENING).values())
    assert erasure.many == {**dict.fromkeys(EVERYTHING, 1), Kind.CREDENTIALS: 2}
    assert erasure.left == ""
    left = ("vault_form", "vault_mark", "vault_erasure")
    tables = [table for table in all_tables(vault) if table not in left]
    assert [table for table in tables if vault._shelf.rows(f"SELECT 1 FROM {table}")] == []
    assert len(tables) == 12


def all_tables(vault):
    in_file = "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 6) = 'vault_'"
    on_server = "SELECT tablename FROM pg_tables WHERE schemaname = 'vault'"
    rows = vault._shelf.rows(on_server if vault.place.startswith("postgres") else in_file)
    return [table for (table,) in rows]


def test_ledger_that_is_open_goes_on_while_the_vault_is_emptied(ledgered, open_at):
    vault = open_at(ledgered)
    fill(vault, 5)
    with open_ledger(ledgered, CONTEST) as ledger:
        assert vault.erase(CONTEST, EVERYTHING, TERM, TERM).left == ""
        assert ledger.append(reports_here(21))[-1].seq == 20
    assert verify_ledger(ledgered, contest=CONTEST) == []


@pytest.mark.parametrize("kind", sorted(EVERYTHING - {Kind.PEOPLE, Kind.THROTTLE}))
def test_one_kind_goes_alone(vault, kind):
    (keys,) = fill(vault)
    erasure = vault.erase(CONTEST, [kind], TERM, TERM)
    assert set(erasure.many) == {kind}
    assert {one for one, there in found(vault, keys, EVENING).items() if not there} == {kind}


def test_with_a_person_goes_what_is_the_persons(vault):
    (keys,) = fill(vault)
    vault.erase(CONTEST, [Kind.PEOPLE], TERM, TERM)
    gone = {one for one, there in found(vault, keys, EVENING).items() if not there}
    assert gone == {Kind.PEOPLE, Kind.CREDENTIALS, Kind.SESSIONS}


def test_counters_go(vault):
    vault.throttle.failed("code", "device-1", EVENING, HOUR)
    assert vault.erase(CONTEST, [Kind.THROTTLE], later(1), TERM).many == {Kind.THROTTLE: 1}
    assert vault.throttle.failures("code", "device-1", EVENING, HOUR) is None


def test_what_is_younger_than_the_term_stays(vault):
    (old,), (young,) = fill(vault), fill(vault, at=later(1))
    erasure = vault.erase(CONTEST, EVERYTHING, later(1), TERM)
    assert not any(found(vault, old, later(2)).values())
    assert all(found(vault, young, later(2)).values())
    assert erasure.many[Kind.PEOPLE] == 1


def test_nothing_of_another_contest_is_erased(vault):
    (keys,) = fill(vault)
    with pytest.raises(VaultError, match="the vault of lakeland-2031, not of hilltown-2031"):
        vault.erase("hilltown-2031", EVERYTHING, TERM, TERM)
    assert all(found(vault, keys, EVENING).values())
    assert vault.erasures() == ()


def test_digest_of_an_erased_text_says_so(vault):
    (keys,) = fill(vault)
    vault.erase(CONTEST, [Kind.DRAFTS], TERM, TERM)
    assert vault.texts.find("0" * 64).erased is None
    vault.erase(CONTEST, [Kind.TEXTS], TERM, TERM + DAY)
    answer = vault.texts.find(keys[-1])
    assert answer.sentence == (
        "The text cannot be read any more: texts kept before 2032-02-04 were erased on 2032-02-05."
        " The ledger still proves that there was one, and when."
    )
    assert (answer.digest, answer.erased) == (keys[-1], TERM + DAY)


def test_erasures_are_noted_without_what_they_erased(vault):
    fill(vault, 3)
    first = vault.erase(CONTEST, [Kind.TEXTS, Kind.PHOTOS], later(1), TERM, by="p-chief")
    second = vault.erase(CONTEST, EVERYTHING, later(1), TERM + DAY)
    assert vault.erasures() == (first, second)
    assert first.many == {Kind.TEXTS: 3, Kind.PHOTOS: 3}
    assert second.many[Kind.TEXTS] == 0
    again = vault.erase(CONTEST, [Kind.TEXTS], later(1), TERM)
    assert again.many == {Kind.TEXTS: 0}
    assert vault.erasures()[0].many[Kind.TEXTS] == 3


class TestNoTrace:
    """What the files hold, byte for byte."""

    def test_files_of_a_ledger_hold_nothing_of_it_any_more(self, tmp_path, open_at):
        path = tmp_path / "night.db"
        open_ledger(path, CONTEST, create=True).close()
        vault = open_at(path)
        fill(vault, 120)
        for person in vault.people.everyone():
            vault.people.rename(person.id, person.name + " the Third" * 9)
        assert marks_in(path.parent) == set(MARKS)
        assert vault.erase(CONTEST, EVERYTHING, TERM, TERM).left == ""
        assert marks_in(path.parent) == set()

    @pytest.mark.parametrize("seed", [0, 4, 5, 6, 10])
    def test_copies_that_moving_rows_leave_in_their_pages_go_too(self, tmp_path, open_at, seed):
        """Found by search: after these evenings a deletion alone, though overwritten, leaves a copy in a page."""
        path, chance = tmp_path / "night.db", Random(seed)
        open_ledger(path, CONTEST, create=True).close()
        vault = open_at(path, random=chance.randbytes)
        query = "INSERT INTO vault_draft (key, unit, version, author, updated, body) VALUES (?, 'polk', 1, 'p-1', ?, ?)"
        with vault._shelf.changing() as changing:
            for _ in range(600):
                at, body = (EVENING, b"zebra!") if chance.random() < 0.5 else (later(10), b"heron!")
                key = chance.randbytes(9).hex()
                changing.change(query, key, stamp(at), body * chance.randrange(1, 150))
        vault.erase(CONTEST, EVERYTHING, later(5), TERM)
        held = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
        assert held.count(b"zebra!") == 0
        assert held.count(b"heron!") > 0

    def test_files_of_a_server_hold_nothing_of_it_any_more(self, server, bare_database, open_at):
        open_ledger(bare_database, CONTEST, create=True).close()
        vault = open_at(bare_database)
        fill(vault, 40)
        said(bare_database, "CHECKPOINT")
        ((number,),) = said(bare_database, "SELECT oid::text FROM pg_database WHERE datname = current_database()")
        folder = server.data / "base" / number
        # The server compresses long values of its own accord, so those are not looked for.
        assert marks_in(folder) >= {"Zebulon Quagga", "9995550", "quagga.z"}
        assert vault.erase(CONTEST, EVERYTHING, TERM, TERM).left == ""
        said(bare_database, "CHECKPOINT")
        assert marks_in(folder) == set()

    def test_reader_who_stays_is_named_as_the_reason_for_what_is_left(self, tmp_path, open_at):
        path = tmp_path / "night.db"
        open_ledger(path, CONTEST, create=True).close()
        vault = open_at(path)
        (keys,) = fill(vault)
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM vault_person").fetchall()
        vault._shelf._writer.execute("PRAGMA busy_timeout = 50")
        left = vault.erase(CONTEST, EVERYTHING, TERM, TERM).left
        assert left.startswith("The records are deleted, but")
        assert left.endswith("Erase once more later.")
        assert not any(found(vault, keys, EVENING).values())
        reader.close()
        assert vault.erase(CONTEST, EVERYTHING, TERM, TERM + DAY).left == ""
        assert marks_in(path.parent) == set()

    def test_writer_who_comes_between_is_named_as_the_reason_for_what_is_left(self, tmp_path, open_at, monkeypatch):
        path = tmp_path / "night.db"
        open_ledger(path, CONTEST, create=True).close()
        vault, writer = open_at(path), sqlite3.connect(path, isolation_level=None)
        (keys,) = fill(vault)
        vault._shelf._writer.execute("PRAGMA busy_timeout = 50")
        scrub = vault._shelf.scrub
        monkeypatch.setattr(vault._shelf, "scrub", lambda tables: writer.execute("BEGIN IMMEDIATE") and scrub(tables))
        left = vault.erase(CONTEST, EVERYTHING, TERM, TERM).left
        assert "the file could not be rewritten: the database is locked by another program" in left
        assert not any(found(vault, keys, EVENING).values())
        writer.close()

    def test_table_that_is_in_use_is_named_as_the_reason_for_what_is_left(self, bare_database, open_at):
        open_ledger(bare_database, CONTEST, create=True).close()
        vault = open_at(bare_database)
        fill(vault)
        other = open_at(bare_database)
        vault._shelf.rows("SELECT set_config('lock_timeout', '50ms', false)")
        with other._shelf.changing() as changing:
            changing.rows("SELECT count(*) FROM vault_person")
            left = vault.erase(CONTEST, EVERYTHING, TERM, TERM).left
        assert "tables could not be rewritten: the vault is locked by another program" in left
        assert vault.people.everyone() == ()


def marks_in(folder):
    """Marks that stand in any file of a folder."""
    held = b"\n".join(path.read_bytes() for path in Path(folder).rglob("*") if path.is_file())
    return {mark for mark in MARKS if mark.encode() in held}
