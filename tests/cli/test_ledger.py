"""`tallyroom ledger` on ledgers as they are found: sound, damaged, cut, missing, locked."""

from __future__ import annotations

import json
import os
import sqlite3
from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest

from tallyroom.cli.ledger import HEAD_BYTES
from tallyroom.cli.main import main
from tallyroom.ledger.entry import Author, Draft
from tallyroom.ledger.sqlite import SqliteLedger

EVENING = datetime(2031, 2, 3, 19, tzinfo=UTC)


def filed(number):
    return Draft(
        kind="report",
        version=1,
        contest="lakeland-2031",
        at=EVENING + timedelta(minutes=number),
        key=f"key-{number}",
        author=Author("chair-7", "chair"),
        channel="paper",
        body={"unit": f"unit-{number}", "alignments": {"first": {"ash": number}}},
    )


@pytest.fixture
def ledger(tmp_path):
    """A ledger of five reports on disk, closed."""
    path = tmp_path / "night.db"
    with SqliteLedger(path, "lakeland-2031", create=True) as store:
        store.append([filed(number) for number in range(5)])
    return path


def tamper(path, *statements):
    """Do what the triggers refuse, as somebody with the file in their hands would."""
    connection = sqlite3.connect(path, isolation_level=None)
    for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f'DROP TRIGGER "{trigger}"')
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_sound_ledger_prints_its_head(ledger, capsys):
    assert main(["ledger", "verify", str(ledger)]) == 0
    count, root = capsys.readouterr().out.split()
    assert (count, len(root)) == ("5", 64)


def test_sound_ledger_as_json(ledger, capsys):
    assert main(["ledger", "verify", str(ledger), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["schema", "file", "contest", "count", "root", "faults"]
    assert (found["contest"], found["count"], found["faults"]) == ("lakeland-2031", 5, [])


def test_changed_entry_is_found_and_named(ledger, capsys):
    tamper(ledger, "UPDATE entry SET raw = CAST(replace(CAST(raw AS TEXT), 'unit-3', 'unit-9') AS BLOB) WHERE seq = 3")
    assert main(["ledger", "verify", str(ledger)]) == 65
    streams = capsys.readouterr()
    assert streams.out == ""
    assert "entry 3: " in streams.err
    assert all(line.startswith("error: ") for line in streams.err.splitlines())


def test_changed_entry_as_json(ledger, capsys):
    tamper(ledger, "UPDATE entry SET leaf = zeroblob(32) WHERE seq = 2")
    assert main(["ledger", "verify", str(ledger), "--json"]) == 65
    found = json.loads(capsys.readouterr().out)
    assert found["root"] is None
    assert any("entry 2" in fault["what"] for fault in found["faults"])


def test_cut_at_an_entry_is_found_against_the_kept_head(ledger, capsys):
    tamper(ledger, "DELETE FROM entry WHERE seq = 4")
    assert main(["ledger", "verify", str(ledger)]) == 65
    assert "cut" in capsys.readouterr().err


def head_forms(capsys, ledger):
    main(["ledger", "verify", str(ledger)])
    printed = capsys.readouterr().out
    main(["ledger", "verify", str(ledger), "--json"])
    told = capsys.readouterr().out
    main(["ledger", "export", str(ledger)])
    export = capsys.readouterr().out
    return {
        "printed": printed,
        "told": told,
        "kept": ledger.with_name("night.db.head").read_text(encoding="utf-8"),
        "export": export,
        "last line": export.splitlines()[-1],
    }


FORMS = ["printed", "told", "kept", "export", "last line"]


@pytest.mark.parametrize("form", FORMS)
def test_head_kept_elsewhere_is_met(ledger, tmp_path, capsys, form):
    head = tmp_path / "head.txt"
    head.write_text(head_forms(capsys, ledger)[form], encoding="utf-8")
    with SqliteLedger(ledger, "lakeland-2031") as store:
        store.append([filed(5)])
    assert main(["ledger", "verify", str(ledger), "--head", str(head)]) == 0
    assert capsys.readouterr().out.startswith("6 ")


@pytest.mark.parametrize("form", FORMS)
def test_head_typed_or_pasted_is_met_or_not(ledger, capsys, form):
    head = head_forms(capsys, ledger)[form]
    assert main(["ledger", "verify", str(ledger), "--head", head]) == 0
    tamper(ledger, "DELETE FROM entry WHERE seq = 4")
    capsys.readouterr()
    assert main(["ledger", "verify", str(ledger), "--head", head]) == 65
    assert "it was cut: 4 entries are there, and the kept head counts 5" in capsys.readouterr().err


def test_an_export_too_long_to_be_read_at_once_is_a_head_too(ledger, tmp_path, capsys):
    with SqliteLedger(ledger, "lakeland-2031") as store:
        store.append([filed(number) for number in range(5, 100)])
    out = tmp_path / "night.jsonl"
    main(["ledger", "export", str(ledger), "-o", str(out)])
    assert out.stat().st_size > 2 * HEAD_BYTES
    assert main(["ledger", "verify", str(ledger), "--head", str(out)]) == 0
    assert main(["ledger", "verify", str(out), "--head", str(out)]) == 0


def test_a_head_may_come_through_a_pipe(ledger, tmp_path, capsys):
    main(["ledger", "verify", str(ledger)])
    printed = capsys.readouterr().out
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(printed,))
    writer.start()
    assert main(["ledger", "verify", str(ledger), "--head", str(pipe)]) == 0
    writer.join()


def test_rewritten_ledger_does_not_meet_a_head_kept_elsewhere(ledger, tmp_path, capsys):
    main(["ledger", "verify", str(ledger)])
    head = tmp_path / "head.txt"
    head.write_text(capsys.readouterr().out, encoding="utf-8")
    other = tmp_path / "other.db"
    with SqliteLedger(other, "lakeland-2031", create=True) as store:
        store.append([filed(number) for number in (0, 1, 2, 4, 3)])
    assert main(["ledger", "verify", str(other)]) == 0
    assert main(["ledger", "verify", str(other), "--head", str(head)]) == 65
    assert "head" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    ["", "5 abc", '{"count": "x"}', "5 entries, head " + "ab" * 32, "\u00ff", "[" * 100_000, '{"count":' * 100_000],
    ids=["empty", "short", "other JSON", "with words", "other letters", "nested lists", "nested objects"],
)
def test_file_without_a_head_is_refused(ledger, tmp_path, capsys, text):
    head = tmp_path / "head.txt"
    head.write_text(text, encoding="utf-8")
    assert main(["ledger", "verify", str(ledger), "--head", str(head)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: {head}: there is no head at the end of this file. Give ")
    assert said.count("\n") == 1


def test_a_ledger_is_no_head_of_itself(ledger, capsys):
    assert main(["ledger", "verify", str(ledger), "--head", str(ledger)]) == 2
    assert "no head at the end of this file" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["nowhere", "5 abc", "", "a\0b", "x" * 5_000, "5 entries, head " + "ab" * 32])
def test_what_is_neither_a_head_nor_a_file_is_refused(ledger, capsys, text):
    assert main(["ledger", "verify", str(ledger), "--head", text]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert "this is no head, and no file with one" in said


@pytest.mark.parametrize("content", [None, b"", b"not a ledger\n", b"SQLite format 3\x00 and nothing"])
@pytest.mark.parametrize("task", ["verify", "export"])
def test_what_is_no_ledger_is_refused_in_a_sentence(tmp_path, capsys, content, task):
    path = tmp_path / "odd.db"
    if content is not None:
        path.write_bytes(content)
    before = sorted(tmp_path.iterdir())
    assert main(["ledger", task, str(path)]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith(f"error: {path}")
    assert streams.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_folder_is_refused(tmp_path, capsys):
    assert main(["ledger", "verify", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_other_database_is_refused(tmp_path, capsys):
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    assert main(["ledger", "verify", str(path)]) == 2
    assert "not a ledger" in capsys.readouterr().err


def test_truncated_ledger_is_a_sentence(ledger, capsys):
    ledger.write_bytes(ledger.read_bytes()[:5000])
    assert main(["ledger", "verify", str(ledger)]) in {2, 65}
    shown = capsys.readouterr().err
    assert "Traceback" not in shown
    assert "a bug in" not in shown
    assert str(ledger) in shown


def test_export_is_an_entry_a_line_and_the_head(ledger, capsysbinary):
    assert main(["ledger", "export", str(ledger)]) == 0
    lines = capsysbinary.readouterr().out.splitlines()
    assert len(lines) == 6
    assert [json.loads(line)["seq"] for line in lines[:5]] == [0, 1, 2, 3, 4]
    assert json.loads(lines[5])["count"] == 5


def test_export_to_a_file_verifies_like_the_ledger(ledger, tmp_path, capsys):
    out = tmp_path / "night.jsonl"
    main(["ledger", "verify", str(ledger)])
    head = capsys.readouterr().out
    assert main(["ledger", "export", str(ledger), "-o", str(out)]) == 0
    streams = capsys.readouterr()
    assert (streams.out, streams.err) == ("", head)
    assert main(["ledger", "verify", str(out)]) == 0
    assert capsys.readouterr().out == head


def test_export_never_overwrites(ledger, tmp_path, capsys):
    before = ledger.read_bytes()
    assert main(["ledger", "export", str(ledger), "-o", str(ledger)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert ledger.read_bytes() == before


def test_export_into_no_folder_leaves_nothing(ledger, tmp_path, capsys):
    assert main(["ledger", "export", str(ledger), "-o", str(tmp_path / "none" / "x.jsonl")]) == 2
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize("meanwhile", ["a file", "a folder", "a link to nothing"])
@pytest.mark.parametrize("links", [True, False])
def test_what_takes_the_name_while_it_is_written_is_not_overwritten(
    ledger, tmp_path, capsys, monkeypatch, meanwhile, links
):
    folder = tmp_path / "out"
    folder.mkdir()
    out = folder / "night.jsonl"
    really = os.link

    def link(finished, name):
        if meanwhile == "a file":
            out.write_text("mine", encoding="utf-8")
        elif meanwhile == "a folder":
            out.mkdir()
        else:
            out.symlink_to(folder / "nothing")
        if not links:
            raise PermissionError(1, "Operation not permitted")
        really(finished, name)

    monkeypatch.setattr(os, "link", link)
    assert main(["ledger", "export", str(ledger), "-o", str(out)]) == 2
    assert f"error: {out}: the file exists already" in capsys.readouterr().err
    assert list(folder.iterdir()) == [out]
    assert not out.is_file() or out.read_text(encoding="utf-8") == "mine"


def test_file_system_without_second_names_takes_an_export_too(ledger, tmp_path, monkeypatch):
    def link(_finished, _name):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    folder = tmp_path / "out"
    folder.mkdir()
    out = folder / "night.jsonl"
    assert main(["ledger", "export", str(ledger), "-o", str(out)]) == 0
    assert main(["ledger", "verify", str(out)]) == 0
    assert list(folder.iterdir()) == [out]


@pytest.mark.parametrize("name", ["nothing", "night.db"])
def test_a_link_is_not_written_through(ledger, tmp_path, capsys, name):
    out = tmp_path / "link.jsonl"
    out.symlink_to(tmp_path / name)
    before = ledger.read_bytes()
    assert main(["ledger", "export", str(ledger), "-o", str(out)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert (ledger.read_bytes(), out.is_symlink()) == (before, True)


def test_damaged_ledger_leaves_no_export_behind(ledger, tmp_path, capsys):
    tamper(ledger, "UPDATE entry SET raw = CAST(replace(CAST(raw AS TEXT), 'unit-3', 'unit-9') AS BLOB) WHERE seq = 3")
    folder = tmp_path / "out"
    folder.mkdir()
    assert main(["ledger", "export", str(ledger), "-o", str(folder / "x.jsonl")]) == 65
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("change", ["cut", "edited", "no head"])
def test_faulty_export_is_named_by_line(ledger, tmp_path, capsys, change):
    out = tmp_path / "night.jsonl"
    main(["ledger", "export", str(ledger), "-o", str(out)])
    lines = out.read_bytes().splitlines(keepends=True)
    if change == "cut":
        del lines[2]
    elif change == "edited":
        lines[2] = lines[2].replace(b"unit-2", b"unit-8")
    else:
        del lines[-1]
    out.write_bytes(b"".join(lines))
    capsys.readouterr()
    assert main(["ledger", "verify", str(out)]) == 65
    assert f"{out}:" in capsys.readouterr().err


@pytest.mark.parametrize("opening", ["[", '{"at":', '{"body":'])
@pytest.mark.parametrize("place", ["alone", "an entry", "the last line"])
def test_a_nest_without_end_is_a_sentence(ledger, tmp_path, capsys, opening, place):
    out = tmp_path / "night.jsonl"
    main(["ledger", "export", str(ledger), "-o", str(out)])
    lines = out.read_text(encoding="utf-8").splitlines()
    nest = "{" + '"a":' + opening * 100_000
    lines = {"alone": [nest], "an entry": [lines[0], nest, *lines[1:]], "the last line": [*lines, nest]}[place]
    out.write_text("\n".join(lines), encoding="utf-8")
    capsys.readouterr()
    assert main(["ledger", "verify", str(out)]) == 65
    said = capsys.readouterr().err
    assert said.startswith(f"error: {out}")
    assert "a bug in" not in said


def test_a_nest_without_end_in_a_ledger_is_a_sentence(ledger, capsys):
    tamper(ledger, f"UPDATE entry SET raw = CAST('{'[' * 100_000}' AS BLOB) WHERE seq = 2")
    assert main(["ledger", "verify", str(ledger)]) == 65
    said = capsys.readouterr().err
    assert "entry 2: not an entry" in said
    assert "a bug in" not in said


def test_verify_reads_while_another_writes(ledger, capsys):
    with SqliteLedger(ledger, "lakeland-2031") as store:
        store.append([filed(9)])
        assert main(["ledger", "verify", str(ledger)]) == 0
    assert capsys.readouterr().out.startswith("6 ")
