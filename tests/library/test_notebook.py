"""The notebooks of the documentation run from top to bottom."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))

RUN = """
import sys, nbformat
from nbclient import NotebookClient
played = NotebookClient(nbformat.read(sys.argv[1], 4), timeout=120, kernel_name="python3").execute()
nbformat.write(played, sys.argv[2])
"""


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs(notebook, tmp_path):
    played = tmp_path / "played.ipynb"
    done = subprocess.run([sys.executable, "-c", RUN, notebook, played], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    cells = [cell for cell in nbformat.read(played, 4).cells if cell.cell_type == "code"]
    assert all(cell.outputs for cell in cells)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_is_kept_in_the_repository(notebook):
    cells = [cell for cell in nbformat.read(notebook, 4).cells if cell.cell_type == "code"]
    assert cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)
