"""Nothing in a ledger can be changed, moved, cut or rebuilt without the kept head telling."""

from __future__ import annotations

import random
import sqlite3

import pytest

from ledger.drafts import CONTEST, report, reports
from tallyroom.ledger.entry import Head
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.sqlite import SqliteLedger
from tallyroom.ledger.tree import head, leaf_hash
from tallyroom.ledger.verify import verify, verify_rows
from tallyroom.ledger.verify_sqlite import verify_sqlite

COUNT = 23


@pytest.fixture(scope="module")
def night():
    """Canonical bytes and head of an evening."""
    with MemoryLedger(CONTEST) as ledger:
        ledger.append([*reports(COUNT - 1), report(40, replaces=3, reason="misread", paper="sheet-3")])
        return [entry.raw for entry in ledger.entries()], ledger.head()


@pytest.fixture
def rows(night):
    return [(seq, f"device-{seq if seq < 22 else 40}", leaf_hash(raw), raw) for seq, raw in enumerate(night[0])]


def flipped(octets, bit):
    changed = bytearray(octets)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def harmed(rows, chance):
    """One random bit of one row's bytes, hash, number or key turned over; rows lie in the order of their numbers."""
    at, part = chance.randrange(len(rows)), chance.choice(("raw", "raw", "leaf", "seq", "key"))
    seq, key, leaf, raw = rows[at]
    match part:
        case "raw":
            raw = flipped(raw, chance.randrange(len(raw) * 8))
        case "leaf":
            leaf = flipped(leaf, chance.randrange(256))
        case "seq":
            seq ^= 1 << chance.randrange(63)
        case _:
            key = flipped(key.encode(), chance.randrange(len(key) * 8)).decode("latin-1")
    return at, part, sorted([*rows[:at], (seq, key, leaf, raw), *rows[at + 1 :]], key=lambda row: row[0])


def test_sound_ledger_has_no_fault(night, rows):
    raws, kept = night
    assert verify(raws, kept, CONTEST) == []
    assert verify(raws, None, CONTEST) == []
    assert verify_rows(rows, kept, CONTEST) == []
    assert verify([], Head(0, head([]).hex()), CONTEST) == []


def test_every_one_of_1000_flipped_bits_is_found_and_placed(night, rows):
    chance, parts = random.Random(20200203), set()
    for _ in range(1000):
        at, part, changed = harmed(rows, chance)
        faults = verify_rows(changed, night[1], CONTEST)
        assert faults, (at, part)
        parts.add(part)
        if part != "seq":
            assert any(fault.what.startswith(f"entry {at}: ") for fault in faults), (at, part)
    assert parts == {"raw", "leaf", "seq", "key"}


def test_flipped_bits_in_the_bytes_alone_are_found_by_the_head(night):
    """Without stored hashes, as in an export: the head tells, even for the last entry, which no other follows."""
    chance = random.Random(7)
    raws, kept = night
    for _ in range(300):
        at = chance.choice((chance.randrange(COUNT), COUNT - 1))
        changed = [*raws[:at], flipped(raws[at], chance.randrange(len(raws[at]) * 8)), *raws[at + 1 :]]
        faults = verify(changed, kept, CONTEST)
        assert any("is not that of the kept head" in fault.what for fault in faults)
        if at < COUNT - 1:
            assert any(fault.what.startswith(f"entry {at + 1}: it does not follow") for fault in faults)


def test_every_bit_of_a_stored_database_row_counts(tmp_path):
    """The same on a real file, past its triggers."""
    path, chance = tmp_path / "night.db", random.Random(11)
    with SqliteLedger(path, CONTEST, create=True) as ledger:
        ledger.append(reports(12))
    connection = sqlite3.connect(path, isolation_level=None)
    for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {trigger}")
    refused = 0
    for _ in range(60):
        stored = connection.execute("SELECT seq, key, leaf, raw FROM entry ORDER BY seq").fetchall()
        _at, part, changed = harmed(stored, chance)
        connection.execute("BEGIN")
        connection.execute("DELETE FROM entry")
        try:
            connection.executemany("INSERT INTO entry VALUES (?, ?, ?, ?)", changed)
        except sqlite3.IntegrityError:  # now a number or key twice
            connection.execute("ROLLBACK")
            refused += 1
            continue
        connection.execute("COMMIT")
        assert verify_sqlite(path, contest=CONTEST), part
        connection.execute("DELETE FROM entry")
        connection.executemany("INSERT INTO entry VALUES (?, ?, ?, ?)", stored)
        assert verify_sqlite(path, contest=CONTEST) == []
    connection.close()
    assert refused < 20


def test_every_cut_is_found(night):
    raws, kept = night
    whole = b"\n".join(raws)
    for size in [*range(0, len(whole), 37), *(len(b"\n".join(raws[:count])) for count in range(COUNT))]:
        rest = whole[:size].split(b"\n") if size else []
        assert any("it was cut" in fault.what or "not that of" in fault.what for fault in verify(rest, kept, CONTEST))


def test_cut_at_an_entry_boundary_says_how_many_are_missing(night):
    raws, kept = night
    for count in range(COUNT):
        assert [fault.what for fault in verify(raws[:count], kept, CONTEST)] == [
            f"it was cut: {count} entries are there, and the kept head counts {COUNT}"
        ]


def test_cut_database_is_found(tmp_path):
    path = tmp_path / "night.db"
    with SqliteLedger(path, CONTEST, create=True) as ledger:
        ledger.append(reports(12))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DROP TRIGGER entry_remains")
    for left in range(11, -1, -1):
        connection.execute("DELETE FROM entry WHERE seq = ?", (left,))
        (fault,) = verify_sqlite(path)
        assert fault.what == f"it was cut: {left} entries are there, and the kept head counts 12"
        assert fault.file == str(path)
    connection.close()


def test_published_head_guards_a_database_whose_own_head_was_replaced(tmp_path):
    path, other = tmp_path / "night.db", tmp_path / "other.db"
    with SqliteLedger(path, CONTEST, create=True) as ledger:
        published = ledger.append(reports(12))[-1].head
    assert verify_sqlite(path, published=published) == []
    with SqliteLedger(other, CONTEST, create=True) as ledger:
        ledger.append([report(99), *reports(11, start=1)])
    assert verify_sqlite(other) == []
    (fault,) = verify_sqlite(other, published=published)
    assert fault.what.startswith("the root of the first 12 entries is not that of the kept head")


def test_entry_taken_out_of_the_middle(night):
    raws, kept = night
    faults = verify([*raws[:9], *raws[10:]], kept, CONTEST)
    assert any(fault.what == "entry 9: its bytes say number 10" for fault in faults)
    assert any("it was cut" in fault.what for fault in faults)


def test_every_swap_of_neighbours_is_found(rows, night):
    for at in range(COUNT - 1):
        swapped = [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]]
        assert any("root of the first" in fault.what for fault in verify_rows(swapped, night[1], CONTEST))


@pytest.mark.parametrize("from_entry", [0, 11, COUNT - 1])
def test_rechained_ledger_is_perfect_but_for_the_kept_head(from_entry, night):
    """Somebody changes a report and builds all hashes anew: only the kept head can tell, and does."""
    raws, kept = night
    with MemoryLedger(CONTEST) as ledger, MemoryLedger(CONTEST) as forged:
        ledger.append([*reports(COUNT - 1), report(40, replaces=3, reason="misread", paper="sheet-3")])
        drafts = [entry.draft() for entry in ledger.entries()]
        drafts[from_entry] = report(50, first={"ash": 99})
        forged.append(drafts)
        changed = [entry.raw for entry in forged.entries()]
    assert verify(changed, None, CONTEST) == []
    assert changed[:from_entry] == raws[:from_entry]
    (fault,) = verify(changed, kept, CONTEST)
    assert fault.what.startswith(f"the root of the first {COUNT} entries is not that of the kept head")


def test_older_head_still_guards_what_it_counts(night):
    raws, _kept = night
    older = Head(9, head([leaf_hash(raw) for raw in raws[:9]]).hex())
    assert verify(raws, older, CONTEST) == []
    assert verify(raws[:9], older, CONTEST) == []
    assert verify(raws[:8], older, CONTEST) != []
    assert verify([raws[1], *raws[1:]], older, CONTEST) != []


def test_all_faults_are_told_at_once_each_with_its_entry(rows, night):
    seq, key, leaf, raw = rows[4]
    rows[4] = (seq, key, flipped(leaf, 3), raw)
    seq, key, leaf, raw = rows[8]
    rows[8] = (seq, "device-1", leaf, raw)
    seq, key, leaf, raw = rows[15]
    rows[15] = (seq, key, leaf, b"gone")
    faults = [fault.what for fault in verify_rows(rows, night[1], CONTEST, file="night.db")]
    assert [fault.split(":")[0] for fault in faults[:4]] == ["entry 4", "entry 8", "entry 15", "entry 15"]
    assert faults[4].startswith("entry 16: it does not follow")
    assert faults[5].startswith(f"the root of the first {COUNT}")


def test_lines_are_named_where_there_are_lines(night):
    raws, kept = night
    fault = verify([*raws[:5], raws[5].replace(b"chair", b"chief"), *raws[6:]], kept, CONTEST, file="f", by_line=True)[
        0
    ]
    assert str(fault).startswith("f:7: entry 6: it does not follow the entry before it")


def test_entries_of_another_evening(night):
    raws, kept = night
    faults = verify(raws, kept, "hilltown-2024")
    assert len(faults) == COUNT
    assert faults[0].what == "entry 0: it is of lakeland-2024, not of hilltown-2024"


def test_ledger_written_by_a_program_without_scruples():
    """Chained and hashed as it should be, yet with a key twice and a correction of what comes later."""
    with MemoryLedger(CONTEST) as ledger:
        ledger.append(reports(2))
        first, second = ledger.entries()
    twice = second.raw.replace(b'"key":"device-1"', b'"key":"device-0"')
    later = second.raw.replace(b'"replaces":null', b'"replaces":1')
    assert [fault.what for fault in verify([first.raw, twice], None, CONTEST)] == ["entry 1: entry 0 has its key"]
    assert ["which is not before it" in fault.what for fault in verify([first.raw, later], None, CONTEST)] == [True]
    loose = first.raw.replace(b'"seq":0', b'"seq": 0')
    assert ["not in canonical form" in fault.what for fault in verify([loose], None, CONTEST)] == [True]
