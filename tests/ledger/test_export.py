"""The ledger as a file: anybody can check it, and it becomes the same ledger again."""

from __future__ import annotations

import io
import sqlite3

import pytest

from ledger.drafts import CONTEST, report, reports
from tallyroom.faults import InputError
from tallyroom.ledger.entry import Head
from tallyroom.ledger.export import export, read_export, restore
from tallyroom.ledger.faults import DamagedError, KeyConflictError
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.sqlite import SqliteLedger


@pytest.fixture(scope="module")
def evening():
    """An export and its head."""
    with MemoryLedger(CONTEST) as ledger:
        ledger.append([*reports(9), report(20, replaces=2, reason="misread")])
        out = io.BytesIO()
        return (export(ledger, out), out.getvalue())


def refused(octets, answer, **how):
    with pytest.raises(InputError, match=answer) as caught:
        read_export(io.BytesIO(octets), "night.jsonl", **how)
    assert caught.value.exit_code == 65
    assert all(fault.file == "night.jsonl" and fault.remedy for fault in caught.value.faults)
    return caught.value.faults


def test_an_entry_a_line_and_the_head_last(evening):
    head, octets = evening
    lines = octets.splitlines()
    assert len(lines) == 11
    assert lines[10].decode() == (
        f'{{"contest":"lakeland-2024","count":10,"format":"tallyroom-ledger-1","root":"{head.root}"}}'
    )
    assert [entry.raw for entry in read_export(io.BytesIO(octets), "night.jsonl")] == lines[:10]


def test_empty_ledger_is_exported_too():
    with MemoryLedger(CONTEST) as ledger:
        out = io.BytesIO()
        assert export(ledger, out).count == 0
    assert read_export(io.BytesIO(out.getvalue()), "night.jsonl") == []


def test_export_of_an_export_is_the_same_file(evening, tmp_path):
    head, octets = evening
    with SqliteLedger(tmp_path / "night.db", CONTEST, create=True) as ledger:
        assert restore(read_export(io.BytesIO(octets), "night.jsonl"), ledger) == head
        out = io.BytesIO()
        export(ledger, out)
    assert out.getvalue() == octets


def test_night_of_many_batches_is_restored():
    with MemoryLedger(CONTEST) as ledger, MemoryLedger(CONTEST) as again:
        ledger.append(reports(1203))
        assert restore(ledger.entries(), again) == ledger.head()


def test_damaged_ledger_is_not_exported_as_if_it_were_sound(tmp_path):
    path, out = tmp_path / "night.db", io.BytesIO()
    with SqliteLedger(path, CONTEST, create=True) as ledger:
        ledger.append(reports(5))
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("DROP TRIGGER entry_stays")
        connection.execute("UPDATE entry SET raw = CAST(replace(raw, 'chair', 'chief') AS BLOB) WHERE seq = 3")
        connection.close()
        with pytest.raises(DamagedError, match="do not give the ledger's head of 5 entries"):
            export(ledger, out)
    refused(out.getvalue(), "the last line is not the head")


def test_broken_off_restore_goes_on(evening):
    head, octets = evening
    entries = read_export(io.BytesIO(octets), "night.jsonl")
    with MemoryLedger(CONTEST) as ledger:
        restore(entries[:4], ledger)
        assert restore(entries, ledger) == head


def test_restore_over_other_entries_is_refused(evening):
    entries = read_export(io.BytesIO(evening[1]), "night.jsonl")
    with MemoryLedger(CONTEST) as ledger:
        ledger.append([report(77)])
        with pytest.raises(DamagedError, match="Restore into an empty ledger"):
            restore(entries, ledger)
    with MemoryLedger(CONTEST) as ledger:
        ledger.append([report(77, key="device-3")])
        with pytest.raises(KeyConflictError):
            restore(entries, ledger)


def test_every_cut_of_the_file_is_refused(evening):
    """At any byte; only the line end after the head may be missing."""
    octets = evening[1]
    lengths = {len(b"".join(octets.splitlines(keepends=True)[:count])) for count in range(11)}
    for size in sorted({*range(0, len(octets) - 1, 31), *lengths}):
        refused(octets[:size], "the last line is not the head")
    assert len(read_export(io.BytesIO(octets[:-1]), "night.jsonl")) == 10


def test_missing_line_is_refused(evening):
    lines = evening[1].splitlines(keepends=True)
    faults = refused(b"".join([*lines[:4], *lines[5:]]), "it was cut or lengthened: 9 entries")
    assert any(fault.line == 5 and "number 5" in fault.what for fault in faults)
    refused(b"".join([*lines[:9], *lines[10:]]), "it was cut or lengthened: 9 entries")


def test_changed_line_is_named(evening):
    faults = refused(evening[1].replace(b'"unit":"unit-6"', b'"unit":"unit-7"', 1), "does not follow")
    assert [fault.line for fault in faults] == [8, None]
    faults = refused(evening[1].replace(b'{"at"', b'{"at', 1), "not an entry")
    assert faults[0].line == 1


def test_head_from_elsewhere_tells_a_rebuilt_file(evening):
    with MemoryLedger(CONTEST) as ledger:
        ledger.append([report(99), *reports(8, start=1), report(20, replaces=2, reason="misread")])
        out = io.BytesIO()
        export(ledger, out)
    assert len(read_export(io.BytesIO(out.getvalue()), "night.jsonl")) == 10
    refused(out.getvalue(), "is not that of the kept head", published=evening[0])
    refused(out.getvalue(), "it was cut", published=Head(11, "00" * 32))


def test_other_files_are_refused(evening):
    refused(b"", "the last line is not the head")
    refused(b"Precinct,Votes\nPond 1,12\n", "the last line is not the head")
    refused(evening[1].replace(b"tallyroom-ledger-1", b"tallyroom-ledger-9"), "the form is 'tallyroom-ledger-9'")
    refused(b"x" * 2_000_000 + b"\n" + evening[1], "the line is longer")


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'{"contest":'])
def test_a_nest_without_end_is_refused_wherever_it_stands(evening, opening):
    nest = opening * 100_000
    refused(nest, "the last line is not the head")
    refused(evening[1] + nest, "the last line is not the head")
    assert refused(nest + b"\n" + evening[1], "entry 0: not an entry")[0].line in {1, 12}
