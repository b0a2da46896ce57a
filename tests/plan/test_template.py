"""A plan to begin with: it has no fault, explains every key, and overwrites nothing."""

from __future__ import annotations

import tomllib

import pytest

from plan.folders import Shelf
from tallyroom.faults import CannotRunError
from tallyroom.plan.catalogue import find
from tallyroom.plan.folder import NEEDED, OPTIONAL, load
from tallyroom.plan.form import FORM
from tallyroom.plan.readings import EARLY, KNOWN, OPEN_OVER_VIABLE, OPEN_ROUNDING
from tallyroom.plan.template import template, write_template

LEFT_OPEN = {EARLY, OPEN_ROUNDING, OPEN_OVER_VIABLE}
"""What the contest of the template does not have."""


@pytest.fixture(scope="module")
def rules():
    return template("my-town-2032")["rules.toml"]


def test_template_loads(tmp_path):
    write_template(tmp_path / "deep" / "down", "my-town-2032")
    plan = find(str(tmp_path / "deep" / "down"))
    assert plan.contest == "my-town-2032"
    assert plan.official.id == "sde"
    assert sorted(path.name for path in (tmp_path / "deep" / "down").iterdir()) == sorted((*NEEDED, *OPTIONAL))


def test_every_table_and_key_of_the_format_stands_in_it(rules):
    written = tomllib.loads(rules)
    for name, table in FORM.items():
        first = written[name][0] if table.many else written[name]
        assert first.keys() == table.fields.keys(), name


def test_every_key_is_explained_above_its_table(rules):
    parts = rules.split("\n\n# ")
    for name, table in FORM.items():
        (block,) = [part for part in parts if part.startswith(table.meaning)]
        assert f"[{name}]" in block
        for key, field in table.fields.items():
            assert f"#   {key}" in block
            assert field.meaning in block


def test_every_reading_that_can_arise_is_there_with_its_meanings(rules):
    written = {row["name"]: row["values"] for row in tomllib.loads(rules)["reading"]}
    assert written == {name: list(known.meaning) for name, known in KNOWN.items() if known.needs not in LEFT_OPEN}
    for name in written:
        assert all(f"# {value}: {meaning}" in rules for value, meaning in KNOWN[name].meaning.items())


def test_lines_are_not_longer_than_a_page(rules):
    assert [line for line in rules.splitlines() if len(line) > 200] == []


def test_shared_by_attendance_can_be_left_out_with_all_that_belongs_to_it():
    held = {name: text.encode() for name, text in template("my-town-2032").items()}
    text = held["rules.toml"].decode()
    for name in ("satellite_weight", "out_of_state_pool"):
        start = text.index(f'[[reading]]\nname = "{name}"')
        text = text[:start] + text[text.index("[[reading]]", start + 1) :]
    held["rules.toml"] = text.encode()
    for file in ("areas.csv", "units.csv"):
        held[file] = b"\n".join(line for line in held[file].split(b"\n") if not line.startswith(b"satellites"))
    assert len(load(Shelf(held)).units) == 2


def test_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(CannotRunError, match="the folder is not empty"):
        write_template(tmp_path, "my-town-2032")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_empty_folder_is_used(tmp_path):
    write_template(tmp_path, "my-town-2032")
    assert find(str(tmp_path)).contest == "my-town-2032"


def test_place_that_is_no_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CannotRunError, match="the folder cannot be written"):
        write_template(tmp_path / "file", "my-town-2032")
    with pytest.raises(CannotRunError, match="the folder cannot be written"):
        write_template(tmp_path / "file" / "below", "my-town-2032")


@pytest.mark.parametrize("contest", ["", "My Town", 'a"b', "a\nb", "a--b", "x" * 200])
def test_id_that_is_none_writes_nothing(tmp_path, contest):
    with pytest.raises(CannotRunError, match=r"an id.*such as my-town-2032"):
        write_template(tmp_path / "new", contest)
    assert not (tmp_path / "new").exists()
