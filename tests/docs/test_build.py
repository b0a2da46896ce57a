"""The documentation builds without a single warning."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.night
def test_documentation_builds_without_a_warning(tmp_path):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sphinx", "-n", "-W", "--keep-going", "-q"),
            *("-d", str(tmp_path / "trees"), str(ROOT / "docs"), str(tmp_path / "html")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "html" / "reference" / "generated" / "commands.html").exists()
