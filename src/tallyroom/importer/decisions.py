"""Answers of a person, kept in a small CSV file and given again when the same question comes with the next file.

Columns: `question,where,text,asks,proposal,answer`. An answer is an id or a number, `yes` for the proposal, or
`leave-out`; an empty one still waits for somebody.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallyroom.faults import Fault, refuse
from tallyroom.importer.export import neutral
from tallyroom.importer.fold import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tallyroom.importer.outcomes import Question

COLUMNS = ("question", "where", "text", "asks", "proposal", "answer")
YES = "yes"
"""The proposal is right."""
LEAVE_OUT = "leave-out"
"""It is not to be counted."""
KINDS = frozenset(
    {"column", "area", "place", "group", "stage", "count", "total", "row-total", "duplicate", "row", "filed"}
)


@dataclass(frozen=True, slots=True)
class Decision:
    """One line: a question as it was asked, and its answer, empty while it waits."""

    kind: str
    where: str
    text: str
    asks: str
    proposal: str
    answer: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What a question finds it by."""
        return self.kind, plain(self.where), plain(self.text)


@dataclass(frozen=True, slots=True)
class Decisions:
    """All lines, in order, by key; the first of a key counts."""

    lines: Mapping[tuple[str, str, str], Decision] = field(default_factory=dict[tuple[str, str, str], Decision])

    def answer(self, question: Question) -> str:
        """Give the answer to a question; empty if nobody has answered it. `yes` is given as what was proposed then."""
        found = self.lines.get(question.key)
        if found is None:
            return ""
        return (found.proposal or YES) if found.answer.casefold() == YES else found.answer

    def given(self, kind: str, where: str, text: str) -> str:
        """Give the answer to a question that was never asked in so many words: somebody wrote the line by hand."""
        found = self.lines.get((kind, plain(where), plain(text)))
        if found is None:
            return ""
        return (found.proposal or YES) if found.answer.casefold() == YES else found.answer

    def asked(self, questions: Iterable[Question]) -> Decisions:
        """Give these decisions with a line for each question that has none yet."""
        lines = dict(self.lines)
        for question in questions:
            if question.key not in lines:
                lines[question.key] = Decision(
                    question.kind, question.where, question.text, question.asks, question.proposal, ""
                )
        return Decisions(lines)


def read_decisions(text: str, file: str) -> Decisions:
    """Read the decisions file.

    Raises:
        InputError: all faults of it: another header, an unknown kind of question, two answers to one.
    """
    found, faults = dict[tuple[str, str, str], Decision](), list[Fault]()
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    try:
        header = next(reader, list[str]())
        if tuple(cell.strip().casefold() for cell in header) != COLUMNS:
            refuse([Fault("this is no file of decisions", f"Its first line is {','.join(COLUMNS)}.", file, 1)])
        for cells in reader:
            if any(cell.strip() for cell in cells):
                faults += _take(cells, found, file, reader.line_num)
    except csv.Error as error:
        faults.append(Fault(f"this is not CSV: {error}", "Close every quotation mark.", file, reader.line_num))
    refuse(faults)
    return Decisions(found)


def _take(cells: list[str], found: dict[tuple[str, str, str], Decision], file: str, line: int) -> Iterable[Fault]:
    if len(cells) != len(COLUMNS):
        yield Fault(f"the row has {len(cells)} cells for {len(COLUMNS)} columns", "Correct the row.", file, line)
        return
    kind, *others = (_unguarded(cell.strip()) for cell in cells)
    decision = Decision(kind, *others)
    if kind not in KINDS:
        yield Fault(f"{kind!r} is no kind of question", f"There are {', '.join(sorted(KINDS))}.", file, line)
        return
    before = found.setdefault(decision.key, decision)
    if before.answer != decision.answer:
        what = f"the question about {decision.text!r} is answered twice, {before.answer!r} and {decision.answer!r}"
        yield Fault(what, "Keep one of the two lines.", file, line)


def write_decisions(decisions: Decisions) -> str:
    """Write the decisions file; cells that a spreadsheet would take for formulas are guarded."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for line in decisions.lines.values():
        cells = (line.kind, line.where, line.text, line.asks, line.proposal, line.answer)
        writer.writerow(neutral(cell) for cell in cells)
    return out.getvalue()


def _unguarded(cell: str) -> str:
    """Take off the apostrophe that `neutral` puts before what looks like a formula."""
    return cell[1:] if cell[:1] == "'" and neutral(cell[1:]) == cell else cell
