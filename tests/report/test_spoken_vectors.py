"""The vectors that other programs are held to are those the code makes today."""

from __future__ import annotations

import json

from house.house import ROOT
from report.spoken_tools import tool

FILE = ROOT / "tests" / "vectors" / "spoken.json"


def test_the_vectors_are_up_to_date():
    """If this was meant to change: `python tools/spoken_vectors.py`, and say so in the change log."""
    assert FILE.read_text(encoding="utf-8") == tool("spoken_vectors").text()


def test_the_vectors_hold_the_cases_that_matter():
    vectors = json.loads(FILE.read_text(encoding="utf-8"))
    assert [sheet["name"] for sheet in vectors["sheets"]] == ["blank", "zeros", "ordinary", "full"]
    assert len({sheet["sheet_code"] for sheet in vectors["sheets"][:3]}) == 3
    assert len(vectors["sheets"][3]["texts"]) > 1
    assert sum("refused" in count for count in vectors["counts"]) >= 7
