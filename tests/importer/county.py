"""A county's files, built by code: the evening of the fictional contest in any shape and form."""

from __future__ import annotations

import csv
import io
import zipfile
from functools import cache
from xml.sax.saxutils import escape, quoteattr

import openpyxl

from tallyroom.importer.decisions import Decisions
from tallyroom.importer.reading import Reader
from tallyroom.importer.sheet import LIMITS
from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.plan.catalogue import find
from tallyroom.report.wire import decode

PLAN = find("lakeland-2031")
GROUPS = list(PLAN.groups.values())
STAGES = list(PLAN.stages)


@cache
def evening():
    """What every place said in the end: unit -> (first, final, delegates) by group, and attendance."""
    from tallyroom.ledger.memory import MemoryLedger

    with MemoryLedger(PLAN.contest) as ledger:
        ledger.append(read_night(folder_of(PLAN.contest), PLAN).drafts)
        found = {}
        for entry in ledger.entries():
            report = decode(entry.body)
            found[report.unit] = report
    return {unit: found[unit] for unit in PLAN.units}


def text_of(rows, delimiter=",", quoting=csv.QUOTE_MINIMAL, end="\r\n"):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)
    return out.getvalue()


def csv_of(rows, encoding="utf-8", **how):
    return text_of(rows, **how).encode(encoding)


def xlsx_of(sheets):
    """A workbook; `sheets` is name -> rows of values."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        page = book.create_sheet(name)
        for row in rows:
            page.append([None if cell == "" else cell for cell in row])
    return saved(book)


def saved(book):
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def ods_cell(cell):
    if cell == "" or cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, int):
        kind = f'office:value-type="float" office:value="{cell}"'
        return f"<table:table-cell {kind}><text:p>{cell}</text:p></table:table-cell>"
    if isinstance(cell, tuple):  # a cell of another kind: attributes, and what is shown
        attributes = " ".join(f"{name}={quoteattr(value)}" for name, value in cell[0].items())
        return f"<table:table-cell {attributes}><text:p>{escape(cell[1])}</text:p></table:table-cell>"
    return f'<table:table-cell office:value-type="string"><text:p>{escape(cell)}</text:p></table:table-cell>'


ODS_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?><office:document-content '
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:automatic-styles>'
    '<style:style style:name="gone" style:family="table"><style:table-properties table:display="false"/></style:style>'
    "</office:automatic-styles><office:body><office:spreadsheet>"
)
ODS_FOOT = "</office:spreadsheet></office:body></office:document-content>"


def ods_of(sheets, more=""):
    body = "".join(
        f"<table:table table:name={quoteattr(name)}>"
        + "".join(f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets.items()
    )
    return ods_raw(body + more)


def ods_raw(body, **parts):
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": ODS_HEAD + body + ODS_FOOT,
            "META-INF/manifest.xml": '<manifest xmlns="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
            **parts,
        }
    )


def zipped(parts, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return out.getvalue()


def reading(*contents, decisions=None, area="", limits=LIMITS, plan=PLAN):
    """Read contents as files `1`, `2` ..."""
    reader = Reader(plan, decisions or Decisions(), area=area, limits=limits)
    for number, content in enumerate(contents, 1):
        reader.read(io.BytesIO(content), str(number))
    return reader.finish()


def told(found):
    """Outcomes in a few words each, for a failing test to show."""
    return "\n".join(str(outcome) for outcome in found.outcomes)


# ---- Shapes ---------------------------------------------------------------------------------------------------------


def count(report, stage, group):
    found = report.count(stage, group)
    return "" if found is None else found


def wide():
    """A row a place, a column for each group and stage, and the attendance."""
    heads = [f"{group.name} {stage.name}" for stage in STAGES for group in GROUPS]
    yield ["County", "Precinct", *heads, *(f"{group.name} delegates" for group in GROUPS), "Attendance"]
    for unit, report in evening().items():
        yield [
            PLAN.areas[PLAN.units[unit].area].name,
            PLAN.units[unit].name,
            *(count(report, stage.id, group.id) for stage in STAGES for group in GROUPS),
            *delegates(report),
            "" if report.attendance is None else report.attendance,
        ]


def delegates(report):
    return [(report.delegates or {}).get(group.id, "") for group in GROUPS]


def facts(report):
    """Every number of a report: (stage or measure, group name or empty, number)."""
    for stage in STAGES:
        for group in GROUPS:
            if (number := report.count(stage.id, group.id)) is not None:
                yield stage.name, group.name, number
    for group in GROUPS:
        if report.delegates is not None and group.id in report.delegates:
            yield "Delegates", group.name, report.delegates[group.id]
    if report.attendance is not None:
        yield "Attendance", "", report.attendance


def long():
    """A row a number."""
    yield ["County", "Precinct", "Round", "Candidate", "Votes"]
    for unit, report in evening().items():
        for stage, group, number in facts(report):
            area = PLAN.areas[PLAN.units[unit].area].name
            if stage == "Attendance":
                yield [area, PLAN.units[unit].name, "", "Attendance", number]
            else:
                yield [area, PLAN.units[unit].name, stage, group, number]


def stage_above():
    """Two header rows: the stage above, merged, the groups below; titles before, totals and a footnote after."""
    yield ["Lakeland caucuses 2031"]
    yield ["Official results"]
    yield []
    blanks = [""] * (len(GROUPS) - 1)
    names = [group.name for group in GROUPS]
    yield ["", "", "First alignment", *blanks, "Final alignment", *blanks, "Delegates", *blanks, ""]
    yield ["County", "Precinct", *names, *names, *names, "Total attendance"]
    sums = [0] * (3 * len(GROUPS) + 1)
    for row in list(wide())[1:]:
        yield row
        sums = [total + (number or 0) for total, number in zip(sums, row[2:], strict=True)]
    yield ["", "Total", *sums]
    yield ["* Clover Church came in late"]


def group_above():
    """Two header rows: the group above, merged, what is counted below."""
    measures = ["First alignment", "Final alignment", "Delegates"]
    yield ["", "", *(cell for group in GROUPS for cell in (group.name, "", "")), ""]
    yield ["County", "Precinct", *(measure for _ in GROUPS for measure in measures), "Attendance"]
    for row in list(wide())[1:]:
        size = len(GROUPS)
        counts = [row[2 + size * kind + place] for place in range(size) for kind in range(3)]
        yield [*row[:2], *counts, row[-1]]


def stage_in_rows():
    """A row a place and stage; the county and the place stand only in the first row of theirs."""
    yield ["County", "Place", "Stage", *(group.name for group in GROUPS), "Total"]
    last = ""
    for unit, report in evening().items():
        area = PLAN.areas[PLAN.units[unit].area].name
        name = PLAN.units[unit].name
        for stage in STAGES:
            counts = [count(report, stage.id, group.id) for group in GROUPS]
            yield [area if area != last else "", name, stage.name, *counts, sum(counts)]
            last, name = area, ""
        yield ["", "", "Delegates", *delegates(report), sum(number or 0 for number in delegates(report))]


def sections():
    """A table for each county, under its name, each with its own header and total."""
    for area in dict.fromkeys(unit.area for unit in PLAN.units.values()):
        rows = [row for row in list(wide())[1:] if row[0] == PLAN.areas[area].name]
        yield [PLAN.areas[area].name + " County" if "satellite" not in area else PLAN.areas[area].name]
        yield next(wide())[1:]
        yield from (row[1:] for row in rows)
        yield ["Total", *(sum(number or 0 for number in column) for column in list(zip(*rows, strict=True))[2:])]
        yield []


def by_code():
    """Places by their codes where they have one, in another hand; a chair and shares beside the counts."""
    yield [
        "Pct No",
        "Chair",
        *(
            cell
            for group in GROUPS
            for stage in STAGES
            for cell in (f"{group.name.upper()} ({stage.id})", f"{group.name} %")
        ),
    ]
    for unit, report in evening().items():
        aliases = PLAN.units[unit].aliases
        counts = [count(report, stage.id, group.id) for group in GROUPS for stage in STAGES]
        yield [
            f" {aliases[0].lower().replace('-', ' 0')} " if aliases else PLAN.units[unit].name.upper(),
            "N. N.",
            *(cell for number in counts for cell in (f"{number}.0" if number else number, "12.5%")),
        ]


def transposed(stage):
    """A row a group, a column a place."""
    units = list(evening())
    yield ["", *(PLAN.areas[PLAN.units[unit].area].name for unit in units)]
    yield ["Candidate", *(PLAN.units[unit].name for unit in units)]
    for group in GROUPS:
        yield [group.name, *(count(evening()[unit], stage.id, group.id) for unit in units)]
    yield ["Total", *(evening()[unit].total(stage.id) for unit in units)]


def of_stage(stage):
    """A table of one stage, whose name stands in the sheet's name or the title."""
    yield ["Precinct", *(group.name for group in GROUPS), "Total"]
    for unit, report in evening().items():
        yield [PLAN.units[unit].name, *(count(report, stage.id, group.id) for group in GROUPS), report.total(stage.id)]


def rest():
    """What tables of stages leave out: delegates and attendance."""
    yield ["Precinct", *(f"{group.name} delegates" for group in GROUPS), "Attendance"]
    for row in list(wide())[1:]:
        yield [row[1], *row[2 + 2 * len(GROUPS) :]]
