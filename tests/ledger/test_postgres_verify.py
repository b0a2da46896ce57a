"""Nothing in a PostgreSQL ledger can be changed, moved or cut without `verify` telling, past triggers and past SQL."""

from __future__ import annotations

import random

import psycopg
import pytest

from ledger.drafts import CONTEST, report, reports
from ledger.server import Server, said
from ledger.test_verify import flipped, harmed
from tallyroom.ledger.entry import Head
from tallyroom.ledger.postgres import PostgresLedger
from tallyroom.ledger.verify_postgres import verify_postgres

UNGUARDED = (
    "ALTER TABLE ledger.entry DISABLE TRIGGER ALL",
    "ALTER TABLE ledger.entry DROP CONSTRAINT entry_seq_check",
)
"""What an owner of the database with bad intentions does first."""


@pytest.fixture
def kept(tmp_path):
    return tmp_path / "night.head"


@pytest.fixture
def filled(address, kept):
    """The address of a closed ledger of twelve reports, whose guards its owner has taken away."""
    with PostgresLedger(address, CONTEST, create=True, kept=kept) as ledger:
        ledger.append(reports(12))
    assert verify_postgres(address, contest=CONTEST, kept=kept) == []
    for statement in UNGUARDED:
        said(address, statement)
    return address


def stored(session):
    return session.execute("SELECT seq, key, leaf, raw FROM ledger.entry ORDER BY seq").fetchall()


def put(session, rows):
    session.execute("DELETE FROM ledger.entry")
    with session.cursor() as cursor:
        cursor.executemany("INSERT INTO ledger.entry VALUES (%s, %s, %s, %s)", rows)


def test_every_bit_of_a_stored_row_counts(filled, kept):
    chance, refused = random.Random(11), 0
    with psycopg.connect(filled, autocommit=True) as session:
        whole = stored(session)
        for _ in range(80):
            _at, part, changed = harmed(whole, chance)
            try:
                with session.transaction():
                    put(session, changed)
            except (psycopg.Error, ValueError):  # a number or key twice, or text that is none
                refused += 1
                continue
            assert verify_postgres(filled, contest=CONTEST, kept=kept), part
        put(session, whole)
    assert refused < 25
    assert verify_postgres(filled, contest=CONTEST, kept=kept) == []


def test_cut_is_found_by_the_kept_head_and_by_a_published_one(filled, kept):
    with PostgresLedger(filled, CONTEST, read_only=True) as desk:
        published = desk.head()
    for left in range(11, -1, -1):
        said(filled, f"DELETE FROM ledger.entry WHERE seq = {left}")
        told = f"it was cut: {left} entries are there, and the kept head counts 12"
        assert [fault.what for fault in verify_postgres(filled, kept=kept)] == [told]
        assert [fault.what for fault in verify_postgres(filled, published=published)] == [told]
    assert verify_postgres(filled) == []  # the database alone cannot know


def test_entry_taken_out_of_the_middle(filled):
    said(filled, "DELETE FROM ledger.entry WHERE seq = 7")
    assert any("entry 7: it is stored under number 8" in fault.what for fault in verify_postgres(filled))


def test_forged_ledger_meets_a_published_head(address, server):
    with PostgresLedger(address, CONTEST, create=True) as ledger:
        published = ledger.append(reports(12))[-1].head
    assert verify_postgres(address, published=published) == []
    server.empty(address)
    with PostgresLedger(address, CONTEST, create=True) as ledger:
        ledger.append([report(99), *reports(11, start=1)])
    (fault,) = verify_postgres(address, published=published)
    assert fault.what.startswith("the root of the first 12 entries is not that of the kept head")
    assert fault.file.startswith("postgresql://tests@")


def test_older_head_still_guards_what_it_counts(filled):
    with PostgresLedger(filled, CONTEST, read_only=True) as desk:
        leaves = list(desk._shelf.leaves(0, 9))
    from tallyroom.ledger.tree import head

    older = Head(9, head(leaves).hex())
    assert verify_postgres(filled, published=older) == []
    said(filled, "UPDATE ledger.entry SET raw = raw || '\\x20' WHERE seq = 3")
    assert any("first 9 entries" in fault.what for fault in verify_postgres(filled, published=older))


def test_entries_of_another_evening(filled):
    faults = verify_postgres(filled, contest="hilltown-2024")
    assert len(faults) == 12
    assert faults[0].what == "entry 0: it is of lakeland-2024, not of hilltown-2024"


def test_verifying_changes_nothing(filled, kept):
    before = said(filled, "SELECT pg_current_wal_insert_lsn(), sum(n_tup_ins + n_tup_upd) FROM pg_stat_user_tables")
    verify_postgres(filled, contest=CONTEST, kept=kept)
    with psycopg.connect(filled) as session:
        session.execute("SET default_transaction_read_only = on")
        assert len(stored(session)) == 12
    assert said(filled, "SELECT sum(n_tup_ins + n_tup_upd) FROM pg_stat_user_tables")[0][0] == before[0][1]


class TestBelowSql:
    """Bits flipped in the server's own files while it is stopped."""

    @pytest.fixture
    def own(self):
        running = Server()
        yield running
        running.close()

    def file_of(self, own, place, relation):
        ((name,),) = said(place, f"SELECT pg_relation_filepath('{relation}')")
        return own.data / name

    def harm(self, own, place, relation, old, new):
        file = self.file_of(own, place, relation)
        own.stop()
        octets = file.read_bytes()
        assert old in octets
        file.write_bytes(octets.replace(old, new, 1))
        own.start()

    def test_page_that_fails_its_checksum_is_told(self, own):
        place = own.database()
        with PostgresLedger(place, CONTEST, create=True) as ledger:
            ledger.append(reports(12))
        own.say("CHECKPOINT")
        self.harm(own, place, "ledger.entry", b'"kind":"report"', flipped(b'"kind":"report"', 77))
        (fault,) = verify_postgres(place)
        assert fault.what.startswith("the database is damaged: invalid page")
        assert fault.remedy.startswith("Restore the ledger")

    def test_without_page_checksums_the_hashes_tell(self, own):
        """The row's bytes, and a key in the index alone, by which a filing sent again would be entered twice."""
        place = own.database()
        with PostgresLedger(place, CONTEST, create=True) as ledger:
            ledger.append(reports(12))
        own.stop()
        own._run("pg_checksums", "--disable", "-D", own.data)
        own.start()
        self.harm(own, place, "ledger.entry_key_is_new", b"device-7", b"device-6")
        assert [fault.what for fault in verify_postgres(place)] == ["the index of key does not agree with the table"]
        self.harm(own, place, "ledger.entry", b'"kind":"report"', flipped(b'"kind":"report"', 77))
        faults = [fault.what for fault in verify_postgres(place)]
        assert any(fault.startswith("entry ") and "leaf hash" in fault for fault in faults)
