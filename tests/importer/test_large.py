"""Memory stays bounded whatever the size: a gigabyte is read, or refused, in less than 200 MB."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from house.house import ROOT

BOUND_MB = 200


def read(kind, megabytes):
    """Read a made file in a process of its own, and give what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "importer.large", kind, str(megabytes)],
        cwd=ROOT / "tests",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.night
@pytest.mark.parametrize(
    ("kind", "megabytes", "reports", "refused"),
    [
        ("rows with long notes", 1000, 17, ""),
        ("one line without end", 1000, 17, "longer than"),
        ("nothing but zeros", 1000, 0, "no table"),
        ("a quotation mark never closed", 3, 16, "not closed"),
        ("places of another contest", 8, 0, "more than 100,000"),
        ("short rows", 4, 17, ""),
        ("a bomb", 1000, 0, "larger than 200,000,000 bytes"),
    ],
)
def test_memory_is_bounded(kind, megabytes, reports, refused):
    found = read(kind, megabytes)
    assert found["peak_mb"] < BOUND_MB, found
    assert found["reports"] == reports, found
    assert refused in found["refused"], found


def test_a_megabyte_of_long_rows_is_read_to_its_end():
    found = read("rows with long notes", 2)
    assert found["reports"] == 17
    assert found["rows"]["read"] > 300
    assert not found["broken"]
