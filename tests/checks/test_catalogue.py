"""The checks as a whole: complete, unambiguous, documented, in order, quick to say what they want."""

from __future__ import annotations

import re

import pytest

from checks.room import findings
from tallyroom.checks import Severity, catalogue, reference
from tallyroom.checks.words import delegates, people, places
from tallyroom.wording import listed

KINDS = {
    "final-exceeds-first": "I1",
    "alignment-totals-differ": "I2",
    "exceeds-attendance": "I3",
    "viable-group-lost-people": "I4",
    "order-inverted": "I5",
    "over-awarded": "I6",
    "under-awarded": "I7",
    "delegates-to-nonviable": "I8",
    "viable-without-delegates": "I9",
    "nonviable-kept-people": "I10",
    "group-from-nothing": "I11",
    "award-differs": "I12",
    "lot-expected": "I13",
    "duplicate-of-unit": "I14",
    "columns-shifted": "I15",
    "delegates-without-votes": "I16a",
    "votes-without-delegates": "I16b",
    "not-a-whole-delegate": "I17",
    "viability-number-differs": "I21",
    "attendance-differs": "I22",
    "batch-jump": "I23",
    "unit-missing": "I24",
    "county-total-differs": "I25",
    "components-differ": "I26",
}
"""Kinds and codes that other programs rely on, in the order of the codes."""


def test_the_kinds_and_their_codes_are_those_promised():
    assert [(check.kind, check.code) for check in catalogue()] == list(KINDS.items())


@pytest.mark.parametrize("check", catalogue(), ids=lambda check: check.kind)
class TestCheck:
    def test_it_says_what_it_means_and_what_to_do(self, check):
        assert isinstance(check.severity, Severity)
        assert re.fullmatch(r"[A-Z][^.]+", check.title)
        assert re.fullmatch(r"[A-Z].+\.", check.specification, re.DOTALL)

    def test_what_to_do_is_one_sentence(self, check):
        assert re.fullmatch(r"[A-Z][^.]+\.", check.todo)

    def test_it_is_in_the_reference(self, check):
        page = reference()
        assert f"\n## {check.kind}\n" in page
        assert f"| {check.code} | `{check.kind}` | {check.severity} | {check.title} |" in page
        assert check.specification in page
        assert check.todo in page


def test_the_reference_is_one_page_that_ends_with_a_line():
    page = reference()
    assert page.startswith("# Findings\n")
    assert page.endswith(".\n")
    assert "\n\n\n" not in page


def test_findings_come_in_the_order_of_the_codes():
    line = (
        "4 / present 30 / needed 4 / counted cards 31 / first ash 20 birch 10 cedar 0 / final ash 20 birch 0 cedar 12 "
        "/ delegates ash 1 birch 2 cedar 2 / values ash 0.1 / lot coin ash"
    )
    found = [finding.kind for finding in findings(line)]
    assert found == sorted(found, key=list(KINDS).index)
    assert set(found) == {
        "final-exceeds-first",
        "alignment-totals-differ",
        "exceeds-attendance",
        "viable-group-lost-people",
        "order-inverted",
        "over-awarded",
        "delegates-to-nonviable",
        "group-from-nothing",
        "award-differs",
        "lot-expected",
        "columns-shifted",
        "not-a-whole-delegate",
        "viability-number-differs",
        "attendance-differs",
    }


def test_a_right_report_has_no_findings():
    line = (
        "4 / present 40 / needed 6 / counted cards 40 / first ash 21 birch 14 cedar 5 0 else "
        "/ final ash 23 birch 17 0 else / delegates ash 2 birch 2 0 else"
    )
    assert findings(line) == ()


def test_a_finding_names_its_place():
    (found,) = findings("4 / present 40 / first ash 41")
    assert (found.unit, found.area) == ("mill", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (people(0), "0 people"),
        (people(1), "1 person"),
        (people(2), "2 people"),
        (delegates(0), "no delegate"),
        (delegates(1), "1 delegate"),
        (delegates(2), "2 delegates"),
        (places(1), "1 place"),
        (places(2), "2 places"),
        (places(1765), "1,765 places"),
        (listed([]), ""),
        (listed(["Ash"]), "Ash"),
        (listed(["Ash", "Birch"]), "Ash and Birch"),
        (listed(["Ash", "Birch", "Cedar"]), "Ash, Birch and Cedar"),
    ],
)
def test_counts_and_lists_are_said_as_people_say_them(words, said):
    assert words == said
