"""Malformed files, one for each kind of fault: its bytes, the line at fault, and how that line must end."""

from __future__ import annotations

import io
import struct
import zipfile
from dataclasses import dataclass, replace

import openpyxl
import xlsxwriter
from openpyxl.styles import numbers

from importer.county import PLAN, csv_of, ods_cell, ods_of, ods_raw, saved, xlsx_of, zipped
from tallyroom.importer.sheet import LIMITS, Limits

HEAD = ["Precinct", "Ash final", "Birch final", "Cedar final"]
ROWS = [["Alder Town Hall", 63, 52, 36], ["Alder School", 52, 34, 0], ["Alder Harbor", 24, 20, 17]]


@dataclass(frozen=True)
class Case:
    """A file, the line that is looked at, how it must end, and words that must be said."""

    id: str
    content: bytes
    line: int
    ends: str
    says: str = ""
    limits: Limits = LIMITS
    accents: bool = False
    filed: int | None = None
    """Places that are read although another line is at fault; None where it does not matter."""


def table(*rows, head=HEAD):
    return [head, *(rows or ROWS)]


def changed(place, column, cell):
    """The good table with one cell changed; `place` 0 is the header."""
    rows = [list(row) for row in table()]
    rows[place][column] = cell
    return rows


def count_cases():
    """A count of Alder School, line 3, written in every way that is none."""
    read = ["52", " 52 ", "052", "52.0", "52.00", "52.", "0", "1,052", "1 052", "1\u00a0052", "1\u202f052", "'52",
    '="52"',
            "", "-", "–", "n/a", "N/A", "#N/A", "not reported", "?", "..."]  # fmt: skip
    doubtful = {
        "5O": "50", "l2": "12", "I2": "12", "O": "0", "52*": "52", "52†": "52", "52 †": "52", "52[1]": "52",
        "52 (a)": "52", "52?": "52", "1.052": "1052", "1'052": "1052", "52,0": "52", "+52": "52", "52 votes": "52",
        "52 people": "52", "５２": "52", "٥٢": "52", "none": "0", "zero": "0", "S2": "52",
    }  # fmt: skip
    refused = {
        "-4": "negative", "−4": "negative", "(4)": "negative", "4-": "negative", "52.5": "not whole", ".5": "not whole",
        "31%": "percentage", "31 %": "percentage", "1/2": "fraction", "½": "fraction", "1e9": "shortened",
        "1E+05": "shortened",
        "5.2E+01": "shortened", "10000000": "larger than any place", "9999999999999": "larger than any place",
        "9" * 80: "not a number", "3-Jan": "date", "Jan-03": "date", "2031-01-03": "date", "1/3/2031": "date",
        "#REF!": "error of a formula", "#DIV/0!": "error of a formula", "#VALUE!": "error of a formula",
        "=SUM(B2:B9)": "formula without its value", "=1+1": "formula without its value",
        "@SUM(1)": "formula without its value",
        "fifty-two": "not a number", "TRUE": "yes or no", "x": "yes or no", "<5": "no exact count",
        "~50": "no exact count",
        "50-54": "range", "$52": "not a number", "52 / 60": "fraction", "52;": "not a number", "abc": "not a number",
        "1,05": "not a number", "1,0522": "not a number", "١٢a": "not a number", "NaN": "not a number",
        "inf": "not a number",
        "0x34": "not a number", "1_000": "not a number", "--4": "not a number",
    }  # fmt: skip
    for text in read:
        yield Case(f"count {text!r}", csv_of(changed(2, 1, text)), 3, "Read", filed=3)
    for text, proposal in doubtful.items():
        yield Case(f"count {text!r}", csv_of(changed(2, 1, text)), 3, "Questioned", f"proposal='{proposal}'", filed=2)
    for text, says in refused.items():
        yield Case(f"count {text[:20]!r}", csv_of(changed(2, 1, text)), 3, "Refused", says, filed=2)


def place_cases():
    """A place, line 3, named in every way."""
    read = ["ALDER SCHOOL", "alder school", "  Alder   School ", "Alder-School", "AlderSchool", "Álder Schôol",
    "Alder, School",
            "alder-school", "A-2", "a2", "A 02", "A-002", "Alder: Alder School", "Alder\nSchool",
            "Alder\u00a0School"]  # fmt: skip
    doubtful = ["Aldr School", "Alder Sch", "School Alder", "Alder School (late)", "Alder School*2", "Alder Schol",
    "The Alder School",
                "School", "Alder School Gym"]  # fmt: skip
    refused = ["Nowhere", "Alder 7", "A-9", "7", "3-Jan", "2031-02-03", "x" * 500, "???", "=A1"]
    for text in read:
        yield Case(f"place {text!r}", csv_of(changed(2, 0, text)), 3, "Read", filed=3)
    for text in doubtful:
        says = "alder-school" if text != "Alder School*2" else "Alder School"
        ends = "Questioned" if text != "Alder School*2" else "Refused"
        yield Case(f"place {text!r}", csv_of(changed(2, 0, text)), 3, ends, says, filed=2)
    for text in refused:
        yield Case(f"place {text[:20]!r}", csv_of(changed(2, 0, text)), 3, "Refused", filed=2)
    yield Case("place 'Alder'", csv_of(changed(2, 0, "Alder")), 3, "Questioned", "it may be several", filed=2)
    yield Case("place blank", csv_of(changed(2, 0, "")), 3, "Refused", "no place is named", filed=2)
    digest = [["Precinct", "Ash final"], ["Private home, Southmere", 5]]
    yield Case("place of a private person by its public name", csv_of(digest), 2, "Read", filed=1)


def header_cases():
    """Headings, line 2 being the first row of counts."""
    yield from (
        Case(f"heading {text!r}", csv_of(changed(0, 1, text)), 2, ends, says)
        for text, ends, says in (
            ("ASH FINAL", "Read", ""),
            ("Ash - Final alignment", "Read", ""),
            ("Final alignment: Ash", "Read", ""),
            ("Ash (final)", "Read", ""),
            ("Ash final votes", "Read", ""),
            ("Äsh final", "Read", ""),
            ("Ahs final", "Questioned", "ash"),
            ("Jane Ash final", "Questioned", "final:ash"),
            ("Ash second", "Questioned", "final:ash"),
            ("Ash", "Questioned", "Which count"),
            ("Oak final", "Questioned", "Oak final"),
            ("", "Questioned", "column B"),
            ("Ash Birch final", "Questioned", "Ash Birch final"),
            ("Registered voters", "Read", ""),
            ("Ash final %", "Read", ""),
            ("Turnout", "Read", ""),
            ("x" * 500, "Questioned", "xxx"),
            ("Birch final", "Questioned", "which is right"),
        )
    )
    yield Case("no header", csv_of(ROWS), 1, "Refused", "no header")
    yield Case(
        "header of another contest",
        csv_of(table(head=["Store", "Apples", "Pears", "Plums"])),
        2,
        "Refused",
        "no header",
    )
    yield Case("only a header", csv_of([HEAD]), 2, "Refused", "no row of counts")
    yield Case("header again", csv_of([HEAD, ROWS[0], HEAD, ROWS[1]]), 3, "Furniture", "the header", filed=2)
    yield Case(
        "titles above",
        csv_of([["Alder County"], ["Official results"], [], *table()]),
        2,
        "Furniture",
        "a title",
        filed=3,
    )
    yield Case("footnote", csv_of([*table(), ["* one sheet came late"]]), 5, "Furniture", "a note", filed=3)
    yield Case("blank rows", csv_of([HEAD, [], ROWS[0], ["", "", "", ""], ROWS[1]]), 4, "Furniture", "blank", filed=2)
    yield Case(
        "percentages below", csv_of([*table(), ["", "41%", "35%", "24%"]]), 5, "Furniture", "percentages", filed=3
    )


def sum_cases():
    """Totals, duplicates, counties."""
    right = ["Total", 139, 106, 53]
    for words in (
        "Total",
        "TOTALS",
        "Grand total",
        "Alder County total",
        "Sum",
        "Subtotal",
        "Totals:",
        "All precincts",
    ):
        yield Case(
            f"total named {words!r}", csv_of([*table(), [words, *right[1:]]]), 5, "Furniture", "a total", filed=3
        )
    yield Case("total without a name", csv_of([*table(), ["", *right[1:]]]), 5, "Furniture", "a total", filed=3)
    yield Case("total above its rows", csv_of([HEAD, right, *ROWS]), 2, "Furniture", "a total", filed=3)
    yield Case(
        "total named as its county", csv_of([*table(), ["Alder", *right[1:]]]), 5, "Furniture", "a total", filed=3
    )
    yield Case("wrong total", csv_of([*table(), ["Total", 140, 106, 53]]), 5, "Questioned", "add up to 139", filed=3)
    yield Case(
        "wrong total of a county", csv_of([*table(), ["Alder total", 138, 106, 53]]), 5, "Questioned", "139", filed=3
    )
    with_total = [[*HEAD, "Total final"], *([*row, sum(row[1:])] for row in ROWS)]
    yield Case("total in a column", csv_of(with_total), 2, "Read", filed=3)
    with_total[2][4] = 99
    yield Case("wrong total in a column", csv_of(with_total), 3, "Questioned", "add up to 86", filed=2)
    yield Case("duplicate, equal", csv_of([*table(), ROWS[1]]), 5, "Read", "says again", filed=3)
    yield Case(
        "duplicate, other numbers",
        csv_of([*table(), ["Alder School", 53, 34, 0]]),
        5,
        "Questioned",
        "which is right",
        filed=2,
    )
    yield Case(
        "duplicate: the first is questioned too",
        csv_of([*table(), ["Alder School", 53, 34, 0]]),
        3,
        "Questioned",
        "which is right",
    )
    yield Case(
        "duplicate under its code", csv_of([*table(), ["A-2", 53, 34, 0]]), 5, "Questioned", "which is right", filed=2
    )
    county = [["County", *HEAD], *(["Alder", *row] for row in ROWS)]
    yield Case("county column", csv_of(county), 3, "Read", filed=3)
    for text, ends, says in (
        ("ALDER COUNTY", "Read", ""),
        ("", "Read", ""),
        ("Brook", "Questioned", "not in Brook"),
        ("Oz", "Refused", "no area"),
        ("Aldre", "Questioned", "Alder"),
        ("North district", "Read", ""),
    ):
        rows = [list(row) for row in county]
        rows[2][0] = text
        yield Case(f"county {text!r}", csv_of(rows), 3, ends, says)
    codes = [["Precinct", "Code", *HEAD[1:]], *([row[0], f"A-{n}", *row[1:]] for n, row in enumerate(ROWS, 1))]
    for name, code, ends in (
        ("Alder School", "A-3", "Questioned"),
        ("Aldr School", "A-2", "Read"),
        ("Nowhere", "A-2", "Questioned"),
        ("Alder School", "77", "Read"),
        ("", "A-2", "Read"),
        ("Nowhere", "77", "Refused"),
    ):
        rows = [list(row) for row in codes]
        rows[2][:2] = name, code
        yield Case(f"name {name!r} with code {code!r}", csv_of(rows), 3, ends)
    long = [["Precinct", "Candidate", "Final"], ["Alder School", "Ash", 52], ["", "Birch", 34], ["", "Total", 86]]
    yield Case("place carried down", csv_of(long), 3, "Read", filed=1)
    yield Case("total of a place", csv_of(long), 4, "Furniture", "a total", filed=1)
    yield Case(
        "wrong total of a place", csv_of([*long[:3], ["", "Total", 87]]), 4, "Questioned", "add up to 86", filed=0
    )
    for text, ends in (
        ("ASH", "Read"),
        ("Ahs", "Questioned"),
        ("Ash, Jane", "Questioned"),
        ("Oak", "Refused"),
        ("", "Refused"),
        ("Ash %", "Furniture"),
    ):
        rows = [list(row) for row in long[:3]]
        rows[1][1] = text
        yield Case(f"group {text!r}", csv_of(rows), 2, ends)
    stages = [["Precinct", "Round", "Ash", "Birch"], ["Alder School", "Final", 52, 34]]
    for text, ends in (("final alignment", "Read"), ("1st", "Questioned"), ("third", "Questioned"), ("", "Questioned")):
        yield Case(f"round {text!r}", csv_of([stages[0], ["Alder School", text, 52, 34]]), 2, ends)


def text_cases():
    """Files of text that are torn, of another kind, or too large."""
    good = csv_of(table())
    yield Case("empty file", b"", 1, "Refused", "empty")
    yield Case("only blank lines", b"\r\n\r\n\r\n", 2, "Furniture", "blank")
    yield Case("no line end at the end", good.rstrip(), 4, "Read", filed=3)
    yield Case("lone carriage returns", good.replace(b"\r\n", b"\r"), 3, "Read", filed=3)
    yield Case("line feeds alone", good.replace(b"\r\n", b"\n"), 3, "Read", filed=3)
    yield Case("mixed line ends", good.replace(b"\r\n", b"\n", 1).replace(b"\r\n", b"\r", 1), 3, "Read", filed=3)
    yield Case("cut off in the last row", good[: good.rindex(b",")], 4, "Questioned", "is it whole", filed=2)
    yield Case(
        "a row too short", csv_of([*table()[:2], ROWS[1][:3], ROWS[2]]), 3, "Questioned", "3 of 4 cells", filed=2
    )
    yield Case(
        "a row too long", csv_of([*table()[:2], [*ROWS[1], 7], ROWS[2]]), 3, "Refused", "beyond the header", filed=2
    )
    yield Case(
        "a comma that is not quoted",
        good.replace(b"Alder School,52", b"Alder, School,52"),
        3,
        "Refused",
        "beyond",
        filed=2,
    )
    yield Case(
        "thousands that are not quoted", good.replace(b"School,52,", b"School,1,052,"), 3, "Refused", "beyond", filed=2
    )
    yield Case("zero bytes in a row", good.replace(b"School", b"Sch\0\0l"), 3, "Refused", "zero bytes", filed=2)
    yield Case("zero bytes at the end", good + b"\0" * 300, 5, "Refused", "zero bytes", filed=3)
    yield Case(
        "a quotation mark never closed",
        good.replace(b"Alder School", b'"Alder School'),
        3,
        "Refused",
        "not closed",
        filed=2,
    )
    yield Case(
        "text after a quotation mark",
        good.replace(b"Alder School", b'"Alder" School'),
        3,
        "Refused",
        "after a closing",
        filed=2,
    )
    yield Case("quotation marks inside", good.replace(b"Alder School", b'Alder "School"'), 3, "Read", filed=3)
    yield Case("a line break inside a cell", good.replace(b"Alder School", b'"Alder\nSchool"'), 3, "Read", filed=3)
    yield Case("everything quoted", csv_of(table(), quoting=1), 3, "Read", filed=3)
    single = csv_of(table(), quoting=1).replace(b'"', b"'")
    yield Case("single quotation marks", single, 3, "Read", filed=3)
    for name, delimiter in (("semicolons", ";"), ("tabs", "\t"), ("bars", "|")):
        yield Case(f"cells between {name}", csv_of(table(), delimiter=delimiter), 3, "Read", filed=3)
    yield Case("a line sep=;", b"sep=;\r\n" + csv_of(table(), delimiter=";"), 4, "Read", filed=3)
    small = replace(LIMITS, line_characters=200, cell_characters=100, row_cells=20, record_lines=3)
    yield Case(
        "a line too long",
        good.replace(b"Alder School", b"Alder School" * 30),
        3,
        "Refused",
        "longer than",
        small,
        filed=2,
    )
    yield Case(
        "a cell too long", good.replace(b"Alder School", b"A" * 120), 3, "Refused", "a cell is longer", small, filed=2
    )
    yield Case(
        "too many cells",
        good.replace(b"Alder School", b"Alder School" + b"," * 30),
        3,
        "Refused",
        "cells",
        small,
        filed=2,
    )
    yield Case(
        "a cell over many lines",
        good.replace(b"Alder School", b'"Alder\n\n\n\n\n\nSchool"'),
        3,
        "Refused",
        "",
        small,
        filed=2,
    )
    noisy = csv_of([HEAD, *([f"Nowhere {n}", n, 1, 1] for n in range(60))])
    yield Case(
        "too much of its own to say", noisy, 52, "Refused", "more than 50", replace(LIMITS, outcomes=50), filed=0
    )
    for name, head in (
        ("old Excel", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        ("PDF", b"%PDF-1.7\n"),
        ("gzip", b"\x1f\x8b\x08\x00"),
        ("bzip2", b"BZh91AY"),
        ("7-Zip", b"7z\xbc\xaf\x27\x1c"),
        ("RAR", b"Rar!\x1a\x07"),
        ("picture", b"\x89PNG\r\n\x1a\n"),
        ("picture of another kind", b"\xff\xd8\xff\xe0"),
        ("RTF", b"{\\rtf1\\ansi"),
        ("database", b"SQLite format 3\x00"),
        ("HTML", b"<html><table><tr><td>"),
        ("HTML with a mark", b"\xef\xbb\xbf\n <!DOCTYPE html>"),
        ("XML", b"<?xml version='1.0'?><Workbook>"),
        ("zip of something", zipped({"a.csv": good})),
        ("zip that is none", b"PK\x03\x04" + b"\0" * 60),
    ):
        yield Case(f"a file of another kind: {name}", head + (b"" if head[:2] == b"PK" else b"\0" * 64), 1, "Refused")
    yield Case("random bytes", bytes(range(256)) * 4, 1, "Refused")
    yield Case("JSON", b'{"precinct": "Alder School", "ash": 52}\n[1, 2, 3]', 3, "Refused", "no ")


def encoding_cases():
    """Places with marks over their letters, in every code page."""
    rows = [HEAD, ["Cañón Résidence", 1, 2, 3], ["Alder School", 52, 34, 0]]
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "latin-1", "cp437", "cp850", "mac-roman"):
        yield Case(f"encoding {encoding}", csv_of(rows, encoding), 2, "Read", accents=True, filed=2)
    for encoding, mark in (
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\0\0"),
        ("utf-32-be", b"\0\0\xfe\xff"),
    ):
        yield Case(
            f"encoding {encoding} with its mark", mark + csv_of(rows, encoding), 2, "Read", accents=True, filed=2
        )
    for encoding in ("utf-16-le", "utf-16-be"):
        yield Case(f"encoding {encoding} without a mark", csv_of(rows, encoding), 2, "Read", accents=True, filed=2)
    yield Case(
        "letters composed of two signs",
        csv_of([HEAD, ["Can\u0303o\u0301n Re\u0301sidence", 1, 2, 3]]),
        2,
        "Read",
        accents=True,
    )
    mixed = csv_of([*rows, *[["Cañón Résidence", 1, 2, 3]] * 9]).replace("ñ".encode(), b"\xf1", 1)
    yield Case("one letter of another code page", mixed, 2, "Questioned", "proposal='canon'", accents=True)
    yield Case("UTF-16 cut in half", csv_of(table(), "utf-16")[:-9], 4, "Questioned", "whole")
    yield Case(
        "twice encoded",
        csv_of([HEAD, ["Cañón Résidence".encode().decode("cp1252"), 1, 2, 3]]),
        2,
        "Questioned",
        "canon",
        accents=True,
    )
    yield Case("quotes of a word processor", csv_of(changed(2, 0, "Alder ‘School’"), "cp1252"), 3, "Read", filed=3)


def workbook(change):
    """The good table as XLSX, changed by a function of the workbook and its sheet."""
    book = openpyxl.Workbook()
    page = book.active
    for row in table():
        page.append(row)
    change(book, page)
    return saved(book)


def swapped(content, name, change):
    """A workbook with one part of it changed."""
    parts = {}
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        parts = {part: packed.read(part) for part in packed.namelist()}
    if change is None:
        del parts[name]
    else:
        parts[name] = change(parts[name])
    return zipped(parts)


def shared():
    """The good table as a workbook whose texts stand in a part of their own."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out)
    page = book.add_worksheet("Sheet")
    for number, row in enumerate(table()):
        page.write_row(number, 0, row)
    book.close()
    return out.getvalue()


def set_cell(where, value, number_format=None):
    def change(_, page):
        page[where] = value
        if number_format:
            page[where].number_format = number_format

    return workbook(change)


def hide(what):
    def change(book, page):
        if what == "row":
            page.row_dimensions[3].hidden = True
        elif what == "column":
            page.column_dimensions["B"].hidden = True
        else:
            book.create_sheet("seen")
            page.sheet_state = "hidden"

    return workbook(change)


def xlsx_cases():
    """Faults of XLSX."""
    from datetime import date

    good, sheet, strings = xlsx_of({"Sheet": table()}), "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
    yield Case("XLSX, good", good, 3, "Read", filed=3)
    yield Case("XLSX, texts apart", shared(), 3, "Read", filed=3)
    yield Case("XLSX: a number with noise", set_cell("B3", 52.00000000000001), 3, "Read", filed=3)
    yield Case("XLSX: a number that is not whole", set_cell("B3", 52.5), 3, "Refused", "not whole", filed=2)
    yield Case("XLSX: a percentage", set_cell("B3", 0.31, numbers.FORMAT_PERCENTAGE), 3, "Refused", "31%", filed=2)
    yield Case(
        "XLSX: a date as a count", set_cell("B3", date(2031, 3, 1), "d-mmm"), 3, "Refused", "'1-Mar' is a date", filed=2
    )
    yield Case(
        "XLSX: a date as a place",
        set_cell("A3", date(2031, 3, 1), "d-mmm"),
        3,
        "Refused",
        "date that a spreadsheet made",
        filed=2,
    )
    yield Case("XLSX: text as a count", set_cell("B3", "52"), 3, "Read", filed=3)
    yield Case("XLSX: true as a count", set_cell("B3", True), 3, "Refused", "yes or no", filed=2)
    yield Case(
        "XLSX: a formula without its value", set_cell("B3", "=SUM(B4:B9)"), 3, "Refused", "formula without", filed=2
    )
    yield Case("XLSX: the error of a formula", set_cell("B3", "#REF!"), 3, "Refused", "error of a formula", filed=2)
    yield Case("XLSX: leading zeros by format", set_cell("B3", 52, "0000"), 3, "Read", filed=3)
    yield Case("XLSX: negative", set_cell("B3", -4), 3, "Refused", "negative", filed=2)
    yield Case("XLSX: huge", set_cell("B3", 1e15), 3, "Refused", "larger", filed=2)
    yield Case("XLSX: hidden row", hide("row"), 3, "Questioned", "hidden", filed=2)
    yield Case("XLSX: hidden column", hide("column"), 3, "Questioned", "stands hidden", filed=0)
    yield Case("XLSX: hidden sheet", hide("sheet"), 3, "Questioned", "hidden", filed=0)
    yield Case("XLSX cut off", good[: len(good) // 2], 1, "Refused", "damaged")
    yield Case("XLSX without its sheet", swapped(good, sheet, None), 1, "Refused", "missing")
    yield Case("XLSX without its texts", swapped(shared(), strings, None), 1, "Refused", "")
    yield Case("XLSX with broken XML", swapped(good, sheet, lambda xml: xml[:300]), 1, "Refused", "XML breaks")
    yield Case("XLSX with broken texts", swapped(shared(), strings, lambda xml: xml[:-30]), 1, "Refused", "XML breaks")
    yield Case(
        "XLSX with no sheets listed",
        swapped(good, "xl/workbook.xml", lambda _: b"<workbook/>"),
        1,
        "Refused",
        "no sheet",
    )
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>'
    yield Case("XLSX with entities", swapped(good, sheet, lambda _: bomb), 1, "Refused", "document type")
    huge = swapped(good, sheet, lambda xml: xml.replace(b"</sheetData>", b" " * 3_000_000 + b"</sheetData>"))
    yield Case(
        "XLSX that unpacks without end",
        huge,
        5,
        "Refused",
        "larger than",
        replace(LIMITS, unpacked_bytes=1_000_000),
        filed=0,
    )
    yield Case("XLSX with too much text", shared(), 1, "Refused", "letters of text", replace(LIMITS, kept_bytes=50))
    yield Case(
        "XLSX with too many sheets",
        xlsx_of({str(n): [] for n in range(4)}),
        1,
        "Refused",
        "sheets",
        replace(LIMITS, sheets=3),
    )
    yield Case(
        "XLSX with a cell far out",
        workbook(lambda _, page: page.__setitem__("XFA3", 1)),
        3,
        "Refused",
        "more than",
        filed=2,
    )
    yield Case(
        "XLSX with a cell too long",
        set_cell("A3", "A" * 200),
        3,
        "Refused",
        "longer",
        replace(LIMITS, cell_characters=100),
    )
    locked = bytearray(good)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = -1
        while (place := locked.find(mark, place + 1)) >= 0:
            struct.pack_into("<H", locked, place + offset, struct.unpack_from("<H", locked, place + offset)[0] | 1)
    yield Case("XLSX locked", bytes(locked), 1, "Refused", "password")
    yield Case("XLSX, binary", zipped({"xl/workbook.bin": b"x", "[Content_Types].xml": b"<x/>"}), 1, "Refused", "XLSB")
    flipped = bytearray(good)
    place = good.index(b"sheet1.xml") + 60
    flipped[place] ^= 0xFF
    yield Case("XLSX with a flipped byte", bytes(flipped), 1, "Refused", "damaged")


def ods_cases():
    """Faults of ODS."""
    good = ods_of({"Sheet": table()})

    def with_cell(attributes, shown):
        return ods_of({"Sheet": changed(2, 1, (attributes, shown))})

    yield Case("ODS, good", good, 3, "Read", filed=3)
    value = {"office:value-type": "float", "office:value": "52.00000000000001"}
    yield Case("ODS: a number with noise", with_cell(value, "52"), 3, "Read", filed=3)
    yield Case(
        "ODS: a percentage",
        with_cell({"office:value-type": "percentage", "office:value": "0.31"}, "31%"),
        3,
        "Refused",
        "percentage",
        filed=2,
    )
    day = {"office:value-type": "date", "office:date-value": "2031-03-01"}
    yield Case("ODS: a date as a count", with_cell(day, "1. Mar"), 3, "Refused", "date", filed=2)
    yield Case(
        "ODS: a date as a place", ods_of({"S": changed(2, 0, (day, "1. Mar"))}), 3, "Refused", "date that", filed=2
    )
    yield Case(
        "ODS: true as a count",
        with_cell({"office:value-type": "boolean", "office:boolean-value": "true"}, "TRUE"),
        3,
        "Refused",
        "yes or no",
    )
    yield Case(
        "ODS: a formula without its value",
        with_cell({"table:formula": "of:=SUM([.B1])"}, ""),
        3,
        "Refused",
        "formula without",
    )
    yield Case(
        "ODS: an error", with_cell({"office:value-type": "string"}, "Err:502"), 3, "Refused", "error of a formula"
    )
    yield Case("ODS cut off", good[: len(good) // 2], 1, "Refused", "damaged")
    yield Case("ODS with broken XML", ods_raw("<table:table>"), 1, "Refused", "XML breaks")
    yield Case("ODS with no sheet", ods_raw(""), 1, "Refused", "no sheet")
    yield Case(
        "ODS locked", ods_raw("", **{"META-INF/manifest.xml": "<m><encryption-data/></m>"}), 1, "Refused", "password"
    )

    def body(rows, attributes=""):
        return ods_raw(f'<table:table table:name="S"{attributes}>{rows}</table:table>')

    def row(cells, attributes=""):
        return f"<table:table-row{attributes}>{''.join(map(ods_cell, cells))}</table:table-row>"

    first = row(HEAD) + row(ROWS[0])
    blanks = (
        '<table:table-row table:number-rows-repeated="1048500">'
        '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    )
    yield Case("ODS with a million blank rows", body(first + blanks), 3, "Furniture", "blank", filed=1)
    many = ' table:number-rows-repeated="1000000"'
    yield Case(
        "ODS with a row a million times",
        body(first + row(ROWS[1], many)),
        3,
        "Refused",
        "repeated 1,000,000 times",
        filed=1,
    )
    yield Case(
        "ODS with a row twice",
        body(first + row(ROWS[1], ' table:number-rows-repeated="2"')),
        4,
        "Read",
        "says again",
        filed=2,
    )
    wide = (
        '<table:table-cell office:value-type="float" office:value="1" '
        'table:number-columns-repeated="16000"><text:p>1</text:p></table:table-cell>'
    )
    yield Case(
        "ODS with a cell repeated without end",
        body(first + f"<table:table-row>{wide}</table:table-row>"),
        3,
        "Refused",
        "more than",
        filed=1,
    )
    yield Case(
        "ODS: hidden row",
        body(first + row(ROWS[1], ' table:visibility="collapse"')),
        3,
        "Questioned",
        "hidden",
        filed=1,
    )
    yield Case("ODS: hidden sheet", body(first, ' table:style-name="gone"'), 2, "Questioned", "hidden", filed=0)
    note = "<office:annotation><text:p>7</text:p></office:annotation>"
    pinned = first.replace("<text:p>63</text:p>", f"{note}<text:p>63</text:p>")
    yield Case("ODS: a note pinned to a cell", body(pinned), 2, "Read", filed=1)
    yield Case(
        "ODS with entities",
        swapped(good, "content.xml", lambda xml: xml.replace(b"?>", b'?><!DOCTYPE x [<!ENTITY a "b">]>', 1)),
        1,
        "Refused",
        "document type",
    )


def cases():
    """All of them."""
    return [
        case
        for found in (
            count_cases, place_cases, header_cases, sum_cases, text_cases, encoding_cases, xlsx_cases, ods_cases,
        )
        for case in found()
    ]  # fmt: skip


ACCENTS = replace(
    PLAN,
    units={**PLAN.units, "canon": replace(PLAN.units["alder-mill"], id="canon", name="Cañón Résidence", aliases=())},
)
"""The plan with a place that no code page writes alike."""
