"""The project works wherever it is cloned: no path of one machine, no address of a package index."""

from __future__ import annotations

import re

import pytest

from house.house import ROOT, files, name_of

TEXT = (".py", ".md", ".toml", ".csv", ".html", ".sql", ".css", ".js", ".j2", ".yml", ".cfg", ".txt", ".svg")
MACHINE = re.compile(r"(?<![\w.])/(?:work|root|home|tmp|Users)/\w")
INDEX = re.compile(r"py" r"pi\.org|python" r"hosted|npm" r"js\.(?:org|com)|--(?:extra-)?index" r"-url", re.IGNORECASE)


def written():
    """All the project's texts but the lock file, whose task is to name addresses."""
    return files(
        *("src", "docs", "tests", "bench", "tools"),
        *("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Makefile", "pyproject.toml", ".ci/run"),
        suffixes=TEXT,
    )


@pytest.mark.parametrize("text", ["/home/" + "ann/x", "'/tmp/" + "x'", "(/root/" + "a)"])
def test_a_machines_path_is_found(text):
    assert MACHINE.search(text)


@pytest.mark.parametrize("text", ["docs/home/a", "./work/x", "Private home, Tucson", "and/or"])
def test_a_path_of_the_project_is_none(text):
    assert not MACHINE.search(text)


@pytest.mark.parametrize("path", written(), ids=name_of)
def test_no_address_of_one_machine_or_index(path):
    text = path.read_text(encoding="utf-8")
    assert [match[0] for pattern in (MACHINE, INDEX) for match in pattern.finditer(text)] == []


def test_the_texts_are_seen():
    seen = {name_of(path) for path in written()}
    assert {"Makefile", "README.md", "src/tallyroom/faults.py", "tests/house/house.py"} <= seen
    assert not any("/.venv/" in f"/{name}" for name in seen)
    assert (ROOT / "uv.lock").exists()
