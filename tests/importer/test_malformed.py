"""Malformed files, one for each kind of fault: the line at fault ends as it must, and no other line is lost."""

from __future__ import annotations

import pytest

from importer.county import PLAN, reading, told
from importer.malformed import ACCENTS, cases
from tallyroom.importer.outcomes import Read

CASES = cases()


def test_there_are_enough_kinds_of_fault():
    assert len({case.id for case in CASES}) == len(CASES) >= 150
    assert len([case for case in CASES if case.ends != "Read"]) >= 150


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_malformed_file(case):
    found = reading(case.content, limits=case.limits, plan=ACCENTS if case.accents else PLAN)
    here = [outcome for outcome in found.outcomes if outcome.where.first <= case.line <= outcome.where.last]
    assert len(here) == 1, told(found)
    assert type(here[0]).__name__ == case.ends, told(found)
    assert case.says in str(here[0]), told(found)
    if case.filed is not None:
        assert len(found.reports) == case.filed, told(found)
    assert found.clean is (case.ends in {"Read", "Furniture"}) or case.ends in {"Read", "Furniture"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_row_ends_in_exactly_one_way(case):
    from io import BytesIO

    from tallyroom.importer.sheet import UnreadableError, sheets

    lines = []
    try:
        for sheet in sheets(BytesIO(case.content), "1", case.limits):
            lines.extend((sheet.name, row.line) for row in sheet.rows)
    except UnreadableError:
        pass
    found = reading(case.content, limits=case.limits, plan=ACCENTS if case.accents else PLAN)
    if not found.broken:
        assert sum(outcome.where.rows for outcome in found.outcomes) == len(lines), told(found)
        for outcome in found.outcomes:
            assert (outcome.where.sheet, outcome.where.first) in lines
    assert all(outcome.units or outcome.note for outcome in found.outcomes if isinstance(outcome, Read))
