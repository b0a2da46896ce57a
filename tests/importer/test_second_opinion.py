"""Another reader's opinion: calamine sees the same cells in the same workbooks."""

from __future__ import annotations

import io
from datetime import date

import openpyxl
import pytest
import python_calamine
from hypothesis import given, settings
from hypothesis import strategies as st

from importer import county as c
from importer.malformed import shared
from tallyroom.importer.sheet import sheets
from tallyroom.importer.written import decimal_text, shown

TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=12
).filter(lambda text: text[0] != "=")  # openpyxl takes that for a formula


def ours(content):
    return {
        sheet.name: [list(row.cells) for row in sheet.rows if not row.blank]
        for sheet in sheets(io.BytesIO(content), "f")
    }


def theirs(content):
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
    found = {}
    for name in book.sheet_names:
        rows = [[plain(cell) for cell in row] for row in book.get_sheet_by_name(name).to_python(skip_empty_area=False)]
        found[name] = [trimmed(row) for row in rows if any(row)]
    return found


def plain(cell):
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def trimmed(row):
    while row and not row[-1]:
        row = row[:-1]
    return row


@pytest.mark.parametrize(
    "content",
    [
        c.xlsx_of({"A": list(c.wide()), "B": list(c.long())}),
        c.ods_of({"A": list(c.wide()), "B": list(c.long())}),
        shared(),
    ],
    ids=["XLSX", "ODS", "XLSX with texts apart"],
)
def test_both_see_the_same_evening(content):
    assert {name: [trimmed(row) for row in rows] for name, rows in ours(content).items()} == theirs(content)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.lists(TEXT | st.integers(0, 10**9), min_size=1, max_size=4), min_size=1, max_size=4))
def test_both_see_the_same_cells(rows):
    for content in (c.xlsx_of({"S": rows}), c.ods_of({"S": rows})):
        assert ours(content) == theirs(content)


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("12", "12"), ("12.0", "12"), ("1.2E1", "12"), ("12.000000000000002", "12"), ("0.1", "0.1"), ("-0", "0"),
        ("0.0", "0"),
        ("0.30000000000000004", "0.3"), ("1E+5", "100000"), ("123456789012345", "123456789012345"), ("1e999", None),
        ("NaN", None),
        ("", None), ("abc", None), ("1_0", None), ("-4", "-4"), ("1" * 50, None), (".5", "0.5"), ("100", "100"),
    ],
)  # fmt: skip
def test_a_stored_number_has_no_noise(stored, text):
    assert decimal_text(stored) == text


@pytest.mark.parametrize(
    ("code", "number", "text"),
    [("d-mmm", 164, "1-Mar"), ("", 16, "1-Mar"), ("mmm-yy", 164, "Mar-31"), ("", 17, "Mar-31"), ("yyyy-mm-dd", 164,
    "2031-03-01"),
     ("", 14, "2031-03-01"), ('"Day" 0', 164, "47908"), ("0", 1, "47908"), ("[Red]0", 164, "47908"), ("0%", 9,
     "4790800%"),
     ("0000000", 164, "0047908"), ("#,##0", 3, "47908"), ("General", 0, "47908"), ("[$-409]d-mmm;@", 164, "1-Mar")],
)  # fmt: skip
def test_a_number_is_written_as_its_format_shows_it(code, number, text):
    assert shown("47908", code, number) == text


def test_dates_are_those_that_openpyxl_writes():
    book = openpyxl.Workbook()
    for number, day in enumerate((date(1900, 1, 1), date(1900, 2, 28), date(1900, 3, 1), date(2031, 2, 3)), 1):
        book.active.cell(1, number, day)
    rows = ours(c.saved(book))["Sheet"]
    assert rows == [["1900-01-01", "1900-02-28", "1900-03-01", "2031-02-03"]]
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    book.active.cell(1, 4, date(2031, 2, 3))
    assert ours(c.saved(book))["Sheet"][0][3] == "2031-02-03"
