"""CSV files of a plan folder: rows with their lines, ragged rows and unknown columns named."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallyroom.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(slots=True)
class Table:
    """Rows of a CSV file in the order of `columns`, each with its line, and the faults found on the way."""

    file: str
    columns: Sequence[str]
    rows: list[tuple[int, list[str]]] = field(default_factory=list["tuple[int, list[str]]"])
    faults: list[Fault] = field(default_factory=list[Fault])
    broken: bool = False
    """Rows are missing because the file could not be read to its end: nothing else is to be held against it."""

    @property
    def sound(self) -> bool:
        """Whether every row could be read: only then is missing what is not there."""
        return not (self.broken or self.faults)

    def fault(self, what: str, remedy: str, line: int) -> None:
        """Note a fault of a row."""
        self.faults.append(Fault(what, remedy, self.file, line))


def read_table(text: str | None, file: str, columns: Sequence[str], optional: Sequence[str] = ()) -> Table:
    """Read a CSV file with a header row; columns may stand in any order, optional ones may be missing (empty cells).

    Without a text (the file is missing, or is none) the table is broken; whoever looked for the file names the fault.
    """
    table = Table(file, (*columns, *optional), broken=text is None)
    if text is None:
        return table
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, list[str]())
        order = _order(table, [name.strip() for name in header], columns, optional)
        if order is None:
            table.broken = True
            return table
        for row in reader:
            if not row:
                continue
            if len(row) != len(header):
                table.fault(
                    f"the row has {len(row)} cells for {len(header)} columns",
                    "Put a cell that holds a comma in quotation marks.",
                    reader.line_num,
                )
                continue
            table.rows.append((reader.line_num, [row[place].strip() if place is not None else "" for place in order]))
    except csv.Error as error:
        table.broken = True
        table.fault(f"this is not CSV: {error}", "Correct the row; close every quotation mark.", reader.line_num)
    return table


def _order(
    table: Table, header: Sequence[str], columns: Sequence[str], optional: Sequence[str]
) -> list[int | None] | None:
    """Give where each column stands in the file; None if the header cannot be used."""
    missing = [name for name in columns if name not in header]
    strange = [name for name in header if name not in columns and name not in optional]
    twice = sorted({name for name in header if header.count(name) > 1})
    for names, what in ((missing, "is missing"), (strange, "is not known"), (twice, "stands twice")):
        for name in names:
            table.fault(f"column {name!r} {what}", f"The columns are {', '.join((*columns, *optional))}.", 1)
    if missing or twice:
        return None
    return [header.index(name) if name in header else None for name in (*columns, *optional)]
