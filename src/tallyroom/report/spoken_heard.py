"""A sheet as it was heard: every line a count or a question to ask, and whether the whole agrees with its code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.report.check_digits import SPOKEN_LIMIT, line_check, sheet_code
from tallyroom.report.spoken import Line, report_of, worksheet
from tallyroom.report.spoken_count import in_plain_digits, parse_spoken_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report

_DIGIT = re.compile(r"[0-9]")
_CODE = re.compile(r"[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Said:
    """What was heard of one line.

    Attributes:
        line: the line's number.
        count: as heard or typed; empty or the word for it is a blank.
        check: the check digit heard.
    """

    line: int
    count: str
    check: str = ""


@dataclass(frozen=True, slots=True)
class Misheard:
    """One thing that does not agree.

    Attributes:
        line: number of the line; None for the sheet's code.
        what: one sentence that says what is wrong, without a full stop.
        ask: one sentence that says what to ask.
    """

    line: int | None
    what: str
    ask: str

    def __str__(self) -> str:
        """Give both as one line."""
        return f"{self.what}. {self.ask}"


@dataclass(frozen=True, slots=True)
class Heard:
    """A sheet as far as it was understood.

    Attributes:
        counts: by line number, of the lines that agree with their check; None is a blank.
        ask: everything to ask, in sheet order; the code's question comes only when all lines hold.
        report: the report, when there is nothing to ask.
    """

    counts: Mapping[int, int | None]
    ask: tuple[Misheard, ...]
    report: Report | None


def heard(said: Iterable[Said], code: str, plan: Plan, unit: str) -> Heard:
    """Read back what was said of a unit's sheet, in any order; a line that was not said is asked for, not blank."""
    lines = {line.number: line for line in worksheet(plan)}
    counts: dict[int, int | None] = {}
    ask: dict[int, Misheard] = {}
    for one in said:
        found = _line(one, lines)
        if isinstance(found, Misheard):
            ask[one.line] = found
        elif one.line in counts and counts[one.line] != found:
            what = f"{_place(lines[one.line])} was said twice, with different numbers"
            ask[one.line] = Misheard(one.line, what, _again(one.line))
        else:
            counts[one.line] = found
    for number, line in lines.items():
        if number not in counts and number not in ask:
            ask[number] = Misheard(number, f"{_place(line)} was not said", f"Ask for line {number}, or if it is blank.")
    if ask:
        good = {number: counts[number] for number in sorted(counts) if number not in ask}
        return Heard(good, tuple(ask[number] for number in sorted(ask)), None)
    ordered = [counts[number] for number in lines]
    if wrong := _code(code, sheet_code(ordered)):
        return Heard(counts, (wrong,), None)
    return Heard(counts, (), report_of(unit, ordered, plan))


def _line(said: Said, lines: dict[int, Line]) -> int | Misheard | None:
    """Give the count of one line, or what to ask."""
    line = lines.get(said.line)
    if line is None:
        what = f"the sheet has no line {said.line}: it ends with line {len(lines)}"
        return Misheard(said.line, what, "Ask which line was meant.")
    try:
        count = parse_spoken_count(said.count, SPOKEN_LIMIT)
    except ValueError as error:
        return Misheard(said.line, f"{_place(line)}: {error}", _again(said.line))
    check = in_plain_digits(said.check).strip()
    plain = in_plain_digits(said.count).strip()
    if plain.startswith("0") and plain != "0":
        return Misheard(said.line, f"{_place(line)}: {plain!r} begins with 0, and no count does", _again(said.line))
    if not _DIGIT.fullmatch(check):
        what = f"{_place(line)} has no check digit" if not check else f"{_place(line)}: {check!r} is no check digit"
        return Misheard(said.line, what, f"Ask for the check digit of line {said.line}.")
    if check != line_check(said.line, count):
        number = "blank" if count is None else f"{count}"
        what = f"{_place(line)}: {number} and check {check} do not belong together"
        return Misheard(said.line, what, _again(said.line))
    return count


def _code(code: str, computed: str) -> Misheard | None:
    plain = in_plain_digits(code).strip()
    if not _CODE.fullmatch(plain):
        what = "the sheet's code was not said" if not plain else f"{plain[:40]!r} is no sheet code: it has two digits"
        return Misheard(None, what, "Ask for the two digits at the end of the sheet.")
    if plain == computed:
        return None
    what = f"every line agrees with its check, but the sheet's code is {plain} and these lines make {computed}"
    return Misheard(
        None, what, "Have the code said again; then all lines in order, and look for a number in a wrong row."
    )


def _place(line: Line) -> str:
    return f"line {line.number} ({line.title})"


def _again(number: int) -> str:
    return f"Ask for line {number} again, digit by digit, with its check."
