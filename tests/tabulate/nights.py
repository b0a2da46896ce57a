"""Random evenings of the small contest: blanks, corrections, wrong awards, satellites with and without values."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from tabulate.room import GROUPS, PLAN
from tallyroom.report.record import Report

people = st.dictionaries(st.sampled_from(GROUPS), st.integers(0, 30), max_size=len(GROUPS))
awards = st.dictionaries(st.sampled_from(GROUPS), st.integers(0, 8), max_size=len(GROUPS))
decimals = st.integers(0, 20_000).map(lambda number: Fraction(number, 10_000))


@st.composite
def reports(draw, unit=None):
    unit = unit or draw(st.sampled_from(sorted(PLAN.units)))
    alignments = {stage.id: draw(people) for stage in PLAN.stages if draw(st.integers(0, 7))}
    present = max((sum(counts.values()) for counts in alignments.values()), default=0)
    return Report(
        unit,
        alignments,
        attendance=draw(st.none() | st.integers(present, present + 40)),
        delegates=draw(st.none() | awards),
        values=draw(st.none() | st.dictionaries(st.sampled_from(GROUPS), decimals)),
    )


nights = st.lists(reports(), max_size=12)
"""Reports in the order they come; a unit that comes again corrects itself."""

few = settings(max_examples=20, deadline=None)
many = settings(max_examples=500, deadline=None)
