"""Whatever arrives, it ends as outcomes: no input raises anything."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from importer import county as c
from importer.malformed import HEAD, shared, swapped, table
from tallyroom.importer.outcomes import Furniture, Questioned, Read, Refused
from tallyroom.importer.sheet import UnreadableError, sheets

patient = settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
"""A file is read in a few thousandths of a second, more where others work beside."""

ALL_NIGHT = {}
"""The same tests again, by name, with more examples."""


def fuzzed(*strategies):
    """Make a test of any input twice: a short one, and one for the long runs."""

    def decorate(body):
        longer = settings(patient, max_examples=1500, suppress_health_check=list(HealthCheck))
        ALL_NIGHT[body.__name__] = longer(given(*strategies)(body))
        return patient(given(*strategies)(body))

    return decorate


GOOD = [
    c.csv_of(c.wide()),
    c.csv_of(c.long()),
    c.csv_of(c.sections(), "utf-16"),
    c.csv_of(c.stage_above(), "cp1252", delimiter=";"),
    c.xlsx_of({"S": table()}),
    shared(),
    c.ods_of({"S": table()}),
]
CELLS = st.sampled_from(
    ["Alder School", "A-2", "Ash", "ASH", "Total", "Alder", "First alignment", "final", "52", "5O", "-4", "31%",
    "=A1", "", "-",
     "Precinct", "Candidate", "County", "Round", "Votes", "Ash final", "Delegates", "Attendance", "n/a", "1-Mar",
     "\0", '"', "x" * 400]
) | st.text(max_size=12) | st.integers(-5, 10**9).map(str)  # fmt: skip


def whole(found):
    """What must be true of every reading."""
    for outcome in found.outcomes:
        assert isinstance(outcome, Read | Questioned | Refused | Furniture)
        assert outcome.where.first <= outcome.where.last
        if isinstance(outcome, Questioned):
            assert all(question.asks for question in outcome.questions)
            assert outcome.questions
        if isinstance(outcome, Refused):
            assert outcome.reason
            assert outcome.remedy
    assert not {report.unit for report in found.reports} & set(found.held)
    for report in found.reports:
        for counts in report.alignments.values():
            assert all(0 <= number < 10_000_000 for number in counts.values())


def rows_of(content):
    lines = 0
    try:
        for sheet in sheets(io.BytesIO(content), "f"):
            lines += sum(1 for _ in sheet.rows)
    except UnreadableError:
        return None
    return lines


def read_whole(content):
    found = c.reading(content)
    whole(found)
    if not found.broken:
        assert sum(found.rows.values()) == rows_of(content)
    return found


@fuzzed(st.binary(max_size=3000))
def test_any_bytes(content):
    read_whole(content)


@fuzzed(
    st.binary(max_size=500),
    st.sampled_from([b"PK\x03\x04", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"Precinct,Ash final\n", b"sep=;\n"]),
)
def test_any_bytes_after_a_beginning(content, beginning):
    read_whole(beginning + content)


@fuzzed(
    st.sampled_from(GOOD),
    st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=6), st.integers(0, 30)), min_size=1, max_size=6),
)
def test_good_files_with_bytes_changed(content, changes):
    raw = bytearray(content)
    for anywhere, bytes_, gone in changes:
        place = anywhere % (len(raw) + 1)
        raw[place : place + gone] = bytes_
    read_whole(bytes(raw))


@fuzzed(st.sampled_from(GOOD[4:]), st.data())
def test_workbooks_whose_parts_are_changed(content, data):
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        name = data.draw(st.sampled_from(sorted(packed.namelist())))
        part = bytearray(packed.read(name))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(part)))
        part[place : place + data.draw(st.integers(0, 20))] = data.draw(
            st.binary(max_size=8)
            | st.sampled_from(
                [
                    b"<row>",
                    b"<c>",
                    b"</c>",
                    b'r="Z9999"',
                    b"<v>1e999</v>",
                    b"<v>9</v>",
                    b't="s"',
                    b"</table:table>",
                    b"<table:table>",
                    b'table:number-columns-repeated="99999"',
                ]
            )
        )
    read_whole(swapped(content, name, lambda _: bytes(part)))


@fuzzed(st.lists(st.lists(CELLS, max_size=8), max_size=12))
def test_any_table(rows):
    read_whole(c.csv_of(rows, "utf-8", end="\n") if all("\0" not in cell for row in rows for cell in row) else b"x")


@fuzzed(st.lists(st.lists(CELLS, min_size=4, max_size=5), max_size=8))
def test_any_rows_below_a_header(rows):
    found = read_whole(c.text_of([HEAD, *rows]).encode("utf-8", "surrogatepass"))
    assert found.rows["furniture"] >= 1


@given(st.permutations(list(c.wide())[1:]))
@settings(patient, max_examples=15)
def test_the_order_of_rows_changes_nothing(rows):
    found = c.reading(c.csv_of([next(c.wide()), *rows]))
    assert found.clean
    assert found.reports == c.reading(c.csv_of(c.wide())).reports


@given(st.sampled_from(c.GROUPS), st.sampled_from(list(c.evening())), st.integers(1, 5))
@settings(patient, max_examples=30)
def test_a_digit_more_in_any_cell_is_noticed_by_its_total(group, unit, more):
    rows = [list(row) for row in c.of_stage(c.STAGES[0])]
    place, column = 1 + list(c.evening()).index(unit), 1 + c.GROUPS.index(group)
    rows[place][column] += more
    found = c.reading(c.csv_of(rows))
    assert not found.clean
    assert unit in found.held


@patient
@given(st.text(max_size=30))
def test_a_name_of_no_place_is_never_read_as_one(text):
    from tallyroom.importer.fold import folded

    found = c.reading(c.text_of([HEAD, [text, 1, 2, 3]]).encode("utf-8", "replace"))
    known = {folded(name) for unit in c.PLAN.units.values() for name in (unit.id, unit.name, *unit.aliases)}
    known |= {
        folded(f"{c.PLAN.areas[unit.area].name} {name}")
        for unit in c.PLAN.units.values()
        for name in (unit.name, *unit.aliases)
    }
    if folded(text) not in known:
        assert found.reports == ()


@pytest.mark.night
@pytest.mark.parametrize("name", list(ALL_NIGHT))
def test_a_night_of_any_bytes(name):
    ALL_NIGHT[name]()
