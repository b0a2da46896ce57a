"""Plan folders in memory: a sound one to begin with, and what is said about one that was changed."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tallyroom.faults import TallyroomError
from tallyroom.plan.folder import load

CONTEST = "lakeland-2031"


class Shelf:
    """A folder in memory, as far as loading needs one: its files by name."""

    def __init__(self, held):
        self.held = held

    def is_dir(self):
        return True

    def __truediv__(self, name):
        return Sheet(self.held.get(name))


class Sheet:
    """One file of a shelf; None is a file that is not there."""

    def __init__(self, content):
        self.content = content

    def is_file(self):
        return self.content is not None

    def read_bytes(self):
        return self.content


def sound():
    """The files of the fictional contest, by name."""
    folder = files("tallyroom") / "plans" / CONTEST
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def changed(file, old, new, held=None):
    """The files with the first `old` of one of them replaced; `old` must be there."""
    held = sound() if held is None else held
    text = held[file].decode()
    assert old in text, f"{file} has no {old!r}"
    return {**held, file: text.replace(old, new, 1).encode()}


def faults_of(held):
    """All faults that loading these files names; it must name some."""
    with pytest.raises(TallyroomError) as refused:
        load(Shelf(held), "lakeland")
    return refused.value.faults


def line_of(held, file, part):
    """The line of the one place in a file where a text stands."""
    lines = [number for number, line in enumerate(held[file].decode().split("\n"), 1) if part in line]
    assert len(lines) == 1, f"{part!r} stands on lines {lines} of {file}"
    return lines[0]
