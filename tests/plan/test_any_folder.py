"""Whatever stands in a plan folder: it is a plan that holds together, or its faults are named."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plan.folders import Shelf, sound
from tallyroom.exact import ratio
from tallyroom.faults import InputError
from tallyroom.plan.folder import load
from tallyroom.plan.show import described

SOUND = sound()
ODD_VALUES = (
    "", "[]", "{}", "[[1]]", "[{}]", '[""]', "1.5", "-1", "0", "1", "7", "true", "inf", "nan", '""', '"none"', '"1/0"',
    '"1/3"', '"x"', '"\\u0000"', "1979-05-27", "07:32:00", "9999-12-31T23:59:59-23:00", "0x" + "f" * 6000, "9" * 30,
    '{ document = "lakeland-plan-2031" }', "{ document = 1 }", '"lakeland-plan-2031"', '["residual"]', "'''", "#",
)  # fmt: skip
ODD_CELLS = ("", "0", "-1", "1e9", "1/0", "1/3", '"', "\x00", "é", "alder", "lakeland", "north", "9" * 40, "nan", "a,b")


def loaded(held):
    """Give the plan, or None, and the faults."""
    try:
        return load(Shelf(held), "lakeland"), ()
    except InputError as refused:
        return None, refused.faults


def holds_together_or_is_refused(held):
    """Load; a plan must be usable in every part, and a refusal must name its faults."""
    plan, faults = loaded(held)
    assert (plan is None) == bool(faults)
    for fault in faults:
        assert fault.what
        assert fault.remedy
        assert fault.file.startswith("lakeland/")
    if plan is None:
        return
    assert plan.official in plan.yardsticks
    assert {plan.lineage(area)[-1] for area in plan.areas} == {plan.top.id}
    assert {unit.area for unit in plan.units.values()} <= plan.areas.keys()
    assert all(ratio(worth) for worth in plan.worth.values())
    assert all(reading.in_force in reading.values for reading in plan.readings.values())
    assert described(plan)


def replaced_line(held, file, place, change):
    """The files with one line of one of them changed; `place` wraps around."""
    lines = held[file].decode().split("\n")
    place %= len(lines)
    lines[place] = change(lines[place])
    return {**held, file: "\n".join(lines).encode()}


def with_value(value):
    return lambda line: f"{line.partition('=')[0]}= {value}" if "=" in line else value


def with_cell(value, column):
    def change(line):
        cells = line.split(",")
        cells[column % len(cells)] = value
        return ",".join(cells)

    return change


def edits():
    """Slips of a person who edits the folder: (file, change of its files)."""
    place = st.integers(0, 400)
    toml = st.sampled_from(["rules.toml", "sources.toml"])
    table = st.sampled_from(["areas.csv", "units.csv", "groups.csv", "published.csv"])
    any_file = st.sampled_from(sorted(SOUND))
    values = st.tuples(toml, place, st.sampled_from(ODD_VALUES).map(with_value))
    cells = st.tuples(table, place, st.builds(with_cell, st.sampled_from(ODD_CELLS), st.integers(0, 6)))
    gone = st.tuples(any_file, place, st.just(lambda _: ""))
    twice = st.tuples(any_file, place, st.just(lambda line: f"{line}\n{line}"))
    cut = st.builds(lambda file, at, left: (file, at, lambda line: line[:left]), any_file, place, st.integers(0, 30))
    return st.one_of(values, cells, gone, twice, cut)


def bytes_changed(content, edit):
    at, drop, put = edit
    at %= len(content) + 1
    return content[:at] + put + content[at + drop :]


@given(slips=st.lists(edits(), min_size=1, max_size=6))
def test_slips_of_the_pen(slips):
    held = SOUND
    for file, place, change in slips:
        held = replaced_line(held, file, place, change)
    holds_together_or_is_refused(held)


@given(
    file=st.sampled_from(sorted(SOUND)),
    edit=st.tuples(st.integers(0, 10**6), st.integers(0, 200), st.binary(max_size=12)),
)
def test_bytes_gone_wrong(file, edit):
    holds_together_or_is_refused({**SOUND, file: bytes_changed(SOUND[file], edit)})


@given(file=st.sampled_from(sorted(SOUND)), content=st.one_of(st.binary(max_size=60), st.text(max_size=60)))
def test_file_of_another_kind(file, content):
    holds_together_or_is_refused({**SOUND, file: content if isinstance(content, bytes) else content.encode()})


@given(files=st.permutations(sorted(SOUND)))
def test_files_exchanged(files):
    holds_together_or_is_refused(dict(zip(sorted(SOUND), (SOUND[file] for file in files), strict=True)))


@pytest.mark.night
@settings(max_examples=2_000, deadline=None)
@given(slips=st.lists(edits(), min_size=1, max_size=6))
def test_slips_of_a_long_night(slips):
    held = SOUND
    for file, place, change in slips:
        held = replaced_line(held, file, place, change)
    holds_together_or_is_refused(held)
