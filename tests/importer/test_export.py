"""Tables for spreadsheets: what was text stays text, and nothing runs."""

from __future__ import annotations

import csv
import io
import zipfile

import openpyxl
import pytest
import python_calamine
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyroom.importer.export import CELL_CHARACTERS, csv_bytes, neutral, write_xlsx

DANGEROUS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "=cmd|' /C calc'!A0",
    "-",
    "+",
    "＝1+1",
    "-2+3+cmd|x",
]
HARMLESS = ["007", "Alder School", "3-1", "12", "-4", "+5", "0.0784", "-0.5", "", "'", "1e9", "a=b", "0"]


def workbook(rows, heads=("a",)):
    out = io.BytesIO()
    write_xlsx(heads, rows, out)
    return out.getvalue()


def part(content, name):
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return packed.read(name)


@pytest.mark.parametrize("cell", DANGEROUS)
def test_a_formula_is_neutral_in_csv(cell):
    assert neutral(cell) == "'" + cell


@pytest.mark.parametrize("cell", HARMLESS)
def test_everything_else_stays_letter_for_letter_in_csv(cell):
    assert neutral(cell) == cell
    rows = list(csv.reader(io.StringIO(csv_bytes(["a"], [[cell]]).decode("utf-8-sig"), newline="")))
    assert rows == [["a"], [cell]]


@pytest.mark.parametrize("cell", [*DANGEROUS, *HARMLESS])
def test_a_workbook_keeps_every_cell_and_runs_none(cell):
    kept = openpyxl.load_workbook(io.BytesIO(workbook([[cell]]))).active["A2"]
    value = "" if kept.value is None else kept.value
    assert str(value).replace("_x000D_", "\r") == cell
    assert isinstance(value, int) is (cell in {"12", "0"})
    assert b"<f>" not in part(workbook([[cell]]), "xl/worksheets/sheet1.xml")


def test_leading_zeros_are_text_in_a_workbook():
    raw = workbook([["007"], ["7"]])
    assert python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(raw)).get_sheet_by_index(0).to_python() == [
        ["a"],
        ["007"],
        [7.0],
    ]


def test_a_cell_that_a_workbook_cannot_hold_is_not_cut_off():
    with pytest.raises(ValueError, match="letters"):
        workbook([["x" * (CELL_CHARACTERS + 1)]])


@settings(deadline=None, max_examples=50)
@given(st.lists(st.lists(st.text(st.characters(codec="utf-8"), max_size=20), min_size=2, max_size=2), max_size=5))
def test_no_cell_of_a_csv_begins_as_a_formula(rows):
    for row in csv.reader(io.StringIO(csv_bytes(["a", "b"], rows).decode("utf-8-sig"), newline="")):
        for cell in row:
            assert not cell.lstrip().startswith(("=", "@")) or cell.startswith("'")
            if cell.startswith(("+", "-")):
                assert float(cell) is not None


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("Cc",)), max_size=20), min_size=1, max_size=5))
def test_what_is_exported_is_read_again(cells):
    from tallyroom.importer.sheet import sheets

    rows = [
        row.cells
        for sheet in sheets(io.BytesIO(csv_bytes(["x", "y"], [[cell, "z"] for cell in cells])), "e")
        for row in sheet.rows
    ]
    assert rows == [("x", "y"), *((neutral(cell), "z") for cell in cells)]
    in_book = [
        row.cells
        for sheet in sheets(io.BytesIO(workbook([[cell, "z"] for cell in cells], ["x", "y"])), "e")
        for row in sheet.rows
    ]
    assert in_book == [("x", "y"), *((cell, "z") for cell in cells)]
