"""What can be asked for is described: every command, finding, reading and word has its place in the documentation."""

from __future__ import annotations

import importlib.util
import re
import sys

import pytest

from house.house import ROOT
from tallyroom.cli.main import SUBCOMMANDS

WORDS = [
    "precinct",
    "satellite",
    "unit",
    "chair",
    "preference group",
    "viable",
    "viability number",
    "first alignment",
    "realignment",
    "final alignment",
    "county convention delegate",
    "state delegate equivalent",
    "national delegate",
    "pool",
    "PLEO",
    "at-large",
    "lot",
    "worksheet",
    "as written",
    "by rule",
    "reading",
    "finding",
    "filing",
    "hold",
    "adjudication",
    "release",
    "recanvass",
    "recount",
    "certification",
    "yardstick",
    "standing",
]


@pytest.fixture(scope="module")
def generate():
    """The module that writes the reference pages."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault("generate", module)
    spec.loader.exec_module(module)
    return module


def headings(page):
    return {line.lstrip("# ").strip() for line in page.splitlines() if line.startswith("#")}


def test_every_command_has_a_heading(generate):
    found = headings(generate.commands())
    assert {"tallyroom", "tallyroom plan check", "tallyroom ledger verify"} <= found
    assert {f"tallyroom {name}" for name in SUBCOMMANDS} <= found


def test_every_command_stands_on_the_page_of_the_command_line():
    page = (ROOT / "docs" / "parts" / "cli.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `tallyroom ([a-z]+)` \|", page, re.MULTILINE)) == set(SUBCOMMANDS)


def test_every_finding_is_described(generate):
    from tallyroom.checks import catalogue

    page = generate.findings()
    assert [check.kind for check in catalogue() if check.kind not in page or check.code not in page] == []
    assert len(catalogue()) >= 23


def test_every_reading_is_described_with_its_values(generate):
    from tallyroom.plan.catalogue import contests, find

    page = generate.readings()
    for contest in contests():
        for name, reading in find(contest).readings.items():
            assert name in page
            assert [value for value in reading.values if value not in page] == []


@pytest.mark.parametrize("word", WORDS)
def test_every_word_of_the_room_is_defined(word):
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(word)}\n: \S", page, re.MULTILINE)


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "decisions").glob("*.md")), ids=lambda path: path.stem)
def test_decision_is_a_page_with_context_choice_and_consequence(path):
    text = path.read_text(encoding="utf-8")
    number = int(path.stem[:4])
    assert text.startswith(f"# {number} ")
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Context",
        "## Choice",
        "## Consequence",
    ]
    assert len(text.splitlines()) <= 70


def test_changelog_names_the_version_or_is_ahead_of_it():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[(Unreleased|\d+\.\d+\.\d+)\]", text, re.MULTILINE)
