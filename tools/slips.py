"""Every slip of one kind on every sheet of a recorded night: the share that neither check digits nor code would notice.

    python tools/slips.py [CONTEST ...] [--every N]

Nothing is drawn at random: each kind of slip is made wherever it can be made and changes something. A number that gets
into a wrong row takes its check digit along (heard in a wrong place) or leaves it where it was (typed in a wrong row).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.plan.catalogue import find
from tallyroom.report.check_digits import FIELD, SPOKEN_LIMIT, line_check
from tallyroom.report.spoken import counts_of, worksheet
from tallyroom.report.wire import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallyroom.plan.types import Plan

TEENS = {f"1{digit}": f"{digit}0" for digit in range(3, 10)}
GOAL = 1 / 10_000


@dataclass(frozen=True, slots=True)
class Slip:
    """Lines as they were heard instead: number -> what was heard as the count (empty: blank), and as its check."""

    kind: str
    lines: dict[int, tuple[str, str]]


@dataclass(slots=True)
class Tally:
    """How often one kind of slip was made, and went unnoticed."""

    made: int = 0
    past_lines: int = 0
    past_code: int = 0
    past_both: int = 0
    escaped: list[tuple[str, Slip]] = field(default_factory=list)


def digit_slips(text: str) -> Iterator[tuple[str, str]]:
    """Every other text that one slip of the tongue or ear makes of a number."""
    for place, digit in enumerate(text):
        before, after = text[:place], text[place + 1 :]
        yield from (("one digit wrong", before + other + after) for other in "0123456789" if other != digit)
        yield "a digit dropped", before + after
        yield from (("a digit added", before + other + text[place:]) for other in "0123456789")
    for place in range(len(text) - 1):
        pair, before, after = text[place : place + 2], text[:place], text[place + 2 :]
        if pair[0] != pair[1]:
            yield "neighbours swapped", before + pair[::-1] + after
        else:
            yield from (("twin", before + 2 * other + after) for other in "0123456789" if other != pair[0])
        for teen, ty in TEENS.items():
            if pair in (teen, ty):
                yield "teen for ty", before + (ty if pair == teen else teen) + after
    for place in range(len(text) - 2):
        three = text[place : place + 3]
        if three[0] != three[2]:
            yield "jump swap", text[:place] + three[::-1] + text[place + 3 :]


def number_slips(number: int, count: int | None) -> Iterator[Slip]:
    """Every slip within one line, whose check is heard right."""
    check = checked(number, count)
    if count is None:
        yield Slip("blank heard as 0", {number: ("0", check)})
        return
    if count == 0:
        yield Slip("0 heard as blank", {number: ("", check)})
    for kind, text in digit_slips(str(count)):
        if text and int(text) != count and int(text) < SPOKEN_LIMIT:
            yield Slip(kind, {number: (text, check)})


def row_slips(counts: list[int | None], columns: list[range]) -> Iterator[Slip]:
    """Every slip between rows of a column, and between columns: with the checks of the numbers, and of the rows."""
    for column in columns:
        for row in column:
            if row + 1 in column:
                yield from moved("moved to the next line", counts, {row: None, row + 1: row})
                below = {later + 1: later for later in column[:-1] if later >= row}
                yield from moved("all below shifted by one", counts, {row: None} | below)
            for other in range(row + 1, column.stop):
                kind = "next rows exchanged" if other == row + 1 else "distant rows exchanged"
                yield from moved(kind, counts, {row: other, other: row})
    for column, later in pairwise(columns):
        across = dict(zip(column, later, strict=True))
        for row, other in across.items():
            yield from moved("columns exchanged in one row", counts, {row: other, other: row})
        yield from moved("columns exchanged whole", counts, across | {to: of for of, to in across.items()})


def moved(kind: str, counts: list[int | None], sources: dict[int, int | None]) -> Iterator[Slip]:
    """The slip that puts at each line what stands at another, or a blank; none if that changes nothing.

    A number that goes away with its check leaves a blank for which nobody has one: the worst is assumed, a right one.
    """
    now = {row: None if source is None else counts[source - 1] for row, source in sources.items()}
    changed = [row for row, count in now.items() if count != counts[row - 1]]
    if changed:
        along = {row: (said(now[row]), checked(sources[row] or row, now[row])) for row in changed}
        yield Slip(f"{kind}, check along", along)
        yield Slip(f"{kind}, check stays", {row: (said(now[row]), checked(row, counts[row - 1])) for row in changed})


def said(count: int | None) -> str:
    """A count as it is heard."""
    return "" if count is None else str(count)


checked = cache(line_check)


def past_lines(slip: Slip) -> bool:
    """Whether no line's check digit tells; a number that begins with 0 is asked for again whatever its check."""
    return all(
        str(int(text or 0)) == (text or "0") and check == checked(row, int(text) if text else None)
        for row, (text, check) in slip.lines.items()
    )


def past_code(slip: Slip, counts: list[int | None]) -> bool:
    """Whether the sheet's code does not tell: the change of its digits is a multiple of 97."""
    change = 0
    for row, (text, _check) in slip.lines.items():
        before = counts[row - 1]
        by = (int(text) + 1 if text else 0) - (0 if before is None else before + 1)
        change += by * pow(10, FIELD * (len(counts) - row), 97)
    return change % 97 == 0


def slips(counts: list[int | None], columns: list[range]) -> Iterator[Slip]:
    """Every slip on one sheet."""
    for number, count in enumerate(counts, 1):
        yield from number_slips(number, count)
    yield from row_slips(counts, columns)


def weigh(unit: str, counts: list[int | None], columns: list[range], tallies: dict[str, Tally]) -> None:
    """Make every slip on one sheet and add up what goes unnoticed."""
    for slip in slips(counts, columns):
        tally = tallies.setdefault(slip.kind, Tally())
        lines, code = past_lines(slip), past_code(slip, counts)
        tally.made += 1
        tally.past_lines += lines
        tally.past_code += code
        tally.past_both += lines and code
        if lines and code:
            tally.escaped.append((unit, slip))


def columns_of(plan: Plan) -> list[range]:
    """The lines of each column of groups, in sheet order."""
    size, last = len(plan.groups), worksheet(plan)[-1].number
    return [range(first, first + size) for first in range(2, last, size)]


def sheets(contest: str) -> Iterator[tuple[str, list[int | None]]]:
    """The sheet of every unit as last recorded."""
    plan = find(contest)
    last = {draft.body["unit"]: draft.body for draft in read_night(folder_of(contest), plan).drafts}
    for unit, body in last.items():
        yield unit, list(counts_of(decode(msgspec.json.encode(body)), plan))


def tallied(contest: str, every: int = 1) -> dict[str, Tally]:
    """Weigh every `every`-th sheet of a contest."""
    columns, tallies = columns_of(find(contest)), {}
    for number, (unit, counts) in enumerate(sheets(contest)):
        if number % every == 0:
            weigh(unit, counts, columns, tallies)
    return tallies


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("contests", nargs="*", default=["iowa-2020"])
    options.add_argument("--every", type=int, default=1, help="take every N-th sheet only")
    options.add_argument("--escaped", type=int, default=0, help="show so many of the unnoticed of each kind")
    chosen = options.parse_args()
    for contest in chosen.contests:
        tallies = tallied(contest, chosen.every)
        print(f"{contest}\n{'slip':<48}{'made':>10}{'past lines':>12}{'past code':>12}{'past both':>12}")
        for kind in sorted(tallies):
            tally = tallies[kind]
            parts = (tally.past_lines, tally.past_code, tally.past_both)
            shares = "".join(f"{100 * part / tally.made:>11.4f}%" for part in parts)
            print(f"{kind:<48}{tally.made:>10,}{shares}{'' if tally.past_both < GOAL * tally.made else '  SHORT'}")
            for unit, slip in tally.escaped[: chosen.escaped]:
                print("   ", unit, slip.lines)
        made, past = (sum(getattr(tally, name) for tally in tallies.values()) for name in ("made", "past_both"))
        print(f"{'all kinds together':<48}{made:>10,}{'':>24}{100 * past / made:>11.4f}%\n")


if __name__ == "__main__":
    main()
