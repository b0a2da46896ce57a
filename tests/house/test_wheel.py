"""The wheel holds all that a reader without the source needs, and works from where it is unpacked."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile

import pytest

from house.house import ROOT, SOURCE

RUN = "import sys; from tallyroom.cli.main import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """A folder with nothing but the wheel's content."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [ROOT / ".uv" / "bin" / "uv", "build", "--quiet", "--wheel", "--out-dir", folder, ROOT],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


@pytest.mark.night
def test_wheel_holds_every_file_of_the_package(unpacked):
    here = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    there = {
        path.relative_to(unpacked / "tallyroom").as_posix()
        for path in (unpacked / "tallyroom").rglob("*")
        if path.is_file()
    }
    assert here - there == set()
    assert {path.name for path in unpacked.rglob("LICENSE*")} == {"LICENSE", "LICENSE-DATA"}


@pytest.mark.night
@pytest.mark.parametrize("command", [["plan", "check", "iowa-2020"], ["award", "iowa-2020"], ["tabulate", "iowa-2020"]])
def test_command_works_from_the_wheel(unpacked, tmp_path, command):
    done = subprocess.run(
        [sys.executable, "-c", RUN, *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
