"""Contests that come along are found by id, plans of one's own by their folder; each has one digest."""

from __future__ import annotations

from hashlib import sha256

import pytest

from plan.folders import CONTEST, Shelf, sound
from tallyroom.faults import CannotRunError, InputError
from tallyroom.plan.catalogue import contests, find
from tallyroom.plan.folder import load


@pytest.fixture
def folder(tmp_path):
    """The fictional contest in a folder of one's own."""
    for name, content in sound().items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_contests_that_come_along():
    assert {"iowa-2020", CONTEST} <= set(contests())
    assert list(contests()) == sorted(contests())


@pytest.mark.parametrize("contest", contests())
def test_contest_is_found_by_its_own_id(contest):
    assert find(contest).contest == contest


def test_folder_is_found_by_its_path(folder):
    assert find(str(folder)) == find(CONTEST)


def test_folder_of_the_same_name_does_not_hide_a_contest(folder, monkeypatch):
    (folder / CONTEST).mkdir()
    monkeypatch.chdir(folder)
    assert find(CONTEST).contest == CONTEST


def test_faults_name_the_folder_as_it_was_given(folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    (folder / "groups.csv").write_text("id,name,kind\nash,Ash,tree\n", encoding="utf-8")
    with pytest.raises(InputError) as refused:
        find(f"{folder.name}/")
    assert {fault.file for fault in refused.value.faults if "tree" in fault.what} == {f"{folder.name}/groups.csv"}


@pytest.mark.parametrize("name", ["lakeland-2013", "", " ", "nowhere/at/all", "\x00", "x" * 5000, "rules.toml"])
def test_unknown_name_tells_the_contests_there_are(name):
    with pytest.raises(CannotRunError) as refused:
        find(name)
    (fault,) = refused.value.faults
    assert "neither a contest that comes with Tallyroom nor a folder" in fault.what
    assert all(contest in fault.remedy for contest in contests())
    assert len(str(fault)) < 200 + len(", ".join(contests()))


def test_closest_contest_is_named():
    with pytest.raises(CannotRunError, match=f"Did you mean '{CONTEST}'"):
        find("lakeland-2013")


def test_empty_folder_misses_every_file(tmp_path):
    with pytest.raises(InputError) as refused:
        find(str(tmp_path))
    assert len(refused.value.faults) == 5


def test_loading_what_is_no_folder(tmp_path):
    with pytest.raises(CannotRunError, match="there is no such folder"):
        load(tmp_path / "gone")


def test_file_that_cannot_be_read_is_named(folder):
    (folder / "groups.csv").unlink()
    (folder / "groups.csv").mkdir()
    with pytest.raises(InputError) as refused:
        find(str(folder))
    assert [fault.file for fault in refused.value.faults] == [f"{folder}/groups.csv"]


def test_disk_that_fails_is_a_fault_of_the_file():
    class Failing:
        def is_dir(self):
            return True

        def __truediv__(self, name):
            return self

        def is_file(self):
            return True

        def read_bytes(self):
            raise OSError(5, "Input/output error")

    with pytest.raises(InputError, match=r"lakeland/rules\.toml: the file cannot be read: input/output error"):
        load(Failing(), "lakeland")


def test_digest_is_over_names_lengths_and_contents_in_order_of_name():
    expected = sha256()
    for name, content in sorted(sound().items()):
        expected.update(f"{name}\n{len(content)}\n".encode() + content)
    assert find(CONTEST).digest == expected.hexdigest()


def test_digest_changes_with_any_file_and_with_nothing_else():
    plain = load(Shelf(sound())).digest
    assert load(Shelf(dict(reversed(sound().items())))).digest == plain
    assert load(Shelf({**sound(), "README.md": b"about this plan"})).digest == plain
    changed = {load(Shelf({**sound(), name: content + b"\n"})).digest for name, content in sound().items()}
    assert len(changed | {plain}) == len(sound()) + 1


def test_contest_is_read_once():
    assert find(CONTEST) is find(CONTEST)
