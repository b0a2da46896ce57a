"""One place for people: as written and by rule side by side, the arithmetic in words, findings, and its history."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from tallyroom.award import LotsNeeded
from tallyroom.award.viability import threshold
from tallyroom.award.words import sentences, share_words
from tallyroom.cli.layout import Block, finding_lines, moment_words, prose, table
from tallyroom.exact import parse_fraction, printed
from tallyroom.publish.reasons import reason_words
from tallyroom.publish.times import local
from tallyroom.tabulate.ruled import Undetermined
from tallyroom.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallyroom.cli.opened import Opened
    from tallyroom.cli.place import Account, Change, Line
    from tallyroom.cli.terminal import Terminal
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report
    from tallyroom.tabulate.ruled import Ruled

Values: TypeAlias = "Mapping[str, int | str] | Mapping[str, int] | Mapping[str, str] | None"

BLANK = "-"
"""What stands where the sheet is blank or nothing is on record: not zero."""
NOT_ON_RECORD = "not on record, and nothing that could stand for it"
STANDS_IN = {
    "first": "the first alignment stands for it",
    "final": "the final alignment stands for it",
    "larger": "the larger alignment stands for it",
}
"""What takes the place of attendance that is not on record, by reading."""
TIMES = {1: "once", 2: "twice"}
MARGIN = "  "


def show_place(page: Terminal, found: Opened, told: Account, papers: Mapping[str, str]) -> None:
    """Print all there is to know about one place; `papers` says what the codes of papers mean."""
    plan, unit = found.tabulation.plan, told.unit
    page.line(plan.name)
    prose(page, f"{plan.areas[unit.area].name}, {unit.name} ({unit.kind} {unit.id})")
    prose(page, f"{_status(told, closed=unit.id in plan.closed)}; {moment_words(found.moment, plan)}")
    if told.report is None or told.ruled is None:
        return
    page.line()
    _show_room(page, found, told, told.report, told.ruled)
    page.line()
    _show_figures(page, plan, told, told.report, told.ruled)
    if told.provisional:
        area = plan.areas[unit.area].name
        prose(page, f"Provisional: {area} is not complete, so what this place is worth may still change.")
    if plan.elects:
        _show_rule(page, found, told.report, told.ruled)
    _show_findings(page, told)
    page.heading("How it came to stand so")
    for line in told.history:
        _show_line(page, plan, line, papers)
    if told.unsettled:
        page.heading("Not in force: to be settled")
    for line in told.unsettled:
        _show_line(page, plan, line, papers)


def _status(told: Account, *, closed: bool) -> str:
    if closed:
        return "Does not meet: closed by an amendment of the plan"
    if not told.history:
        return "Not reported yet"
    times = len(told.history) - 1
    status = "Reported" if not times else f"Reported and corrected {TIMES.get(times, f'{times} times')}"
    if told.repeats:
        again = len(told.repeats)
        status += f", and {TIMES.get(again, f'{again} times')} more with the same figures"
    if told.unsettled:
        status += (
            f"; other figures were sent {TIMES.get(len(told.unsettled), f'{len(told.unsettled)} times')}, not settled"
        )
    return status


def _show_room(page: Terminal, found: Opened, told: Account, report: Report, ruled: Ruled) -> None:
    """Say who was there, what the place elects, and what a group needs."""
    present, delegates = ruled.attendance, told.delegates
    base = "on record" if present.taken_from == "recorded" else f"not on record, {STANDS_IN[present.taken_from]}"
    lines = [("Present", NOT_ON_RECORD if present.people is None else f"{present.people:,} ({base})")]
    plan = found.tabulation.plan
    if plan.elects:
        lines.append(("To elect", _to_elect(plan, delegates)))
    elif report.attendance is None:
        lines = []
    share = threshold(found.tabulation.rule, delegates) if delegates else None
    if told.number is not None and share is not None:
        lines.append(("Viable with", f"{told.number:,} people ({share_words(share)} of those present, rounded up)"))
    elif delegates == 1 and share is None:
        lines.append(("Viable with", "any number: the whole caucus elects its one delegate"))
    if more := _sheet_words(report):
        lines.append(("The sheet", more))
    for head, text in lines:
        prose(page, text, f"{head:<13}", hang=" " * 13)


def _to_elect(plan: Plan, delegates: int | None) -> str:
    if delegates is None:
        return "not known: it follows from who is present" if plan.bands else "not on record"
    return counted(delegates, "delegate")


def _sheet_words(report: Report) -> str:
    """Say what stands on the sheet besides people and delegates."""
    words = [f"{count:,} present by {way}" for way, count in report.other_attendance.items()]
    if report.viability_number is not None:
        words.append(f"a group needs {report.viability_number:,}")
    if report.signed:
        words.append(f"signed by {listed(report.signed)}")
    if report.photo:
        words.append(f"photo {report.photo}")
    return "; ".join(words)


def _show_figures(page: Terminal, plan: Plan, told: Account, report: Report, ruled: Ruled) -> None:
    """Print people by stage, and delegates and their worth as written beside by rule."""
    official = plan.official
    parts: list[list[tuple[str, Values]]] = [
        list(zip(_stages(plan), (report.alignments.get(stage.id) for stage in plan.stages), strict=True)),
    ]
    if plan.elects:
        parts.append([("Delegates", report.delegates), ("By rule", _whole(plan, ruled))])
    if official.counts == "weight":
        worth = [_shown(values, official.shown) for values in (told.written, told.by_rule)]
        parts.append(list(zip((official.name, "By rule"), worth, strict=True)))
    columns = [values for part in parts for _, values in part]
    there = [group for group in plan.groups if any(_weighs(values, group) for values in columns)]
    head = Block(("Group",), (*((plan.groups[group].name,) for group in there), ("Together",)))
    table(page, head, [_block(plan, part, there) for part in parts])
    blank = f"{BLANK} is blank or not on record. Groups with nobody are left out"
    prose(page, f"{'Delegates as written, beside those by rule. ' if plan.elects else ''}{blank}.")


def _stages(plan: Plan) -> list[str]:
    """Give the names of the stages without the word that all of them end in."""
    last = {stage.name.rpartition(" ")[2] for stage in plan.stages}
    return [stage.name.rpartition(" ")[0] or stage.name if len(last) == 1 else stage.name for stage in plan.stages]


def _whole(plan: Plan, ruled: Ruled) -> Mapping[str, int] | None:
    """Give the award by rule with its zeros: whoever is not named in it gets none."""
    if ruled.awarded is None:
        return None
    return {group: ruled.awarded.get(group, 0) for group in plan.groups}


def _shown(values: Mapping[str, str] | None, decimals: int) -> Mapping[str, str] | None:
    return values and {group: printed(parse_fraction(value), decimals) for group, value in values.items()}


def _weighs(values: Values, group: str) -> bool:
    """Whether a group has more than nothing in a column."""
    return bool(values) and str((values or {}).get(group, 0)).strip("0.") != ""


def _block(plan: Plan, columns: Sequence[tuple[str, Values]], groups: Sequence[str]) -> Block:
    cells = [tuple(_cell(values, group) for _, values in columns) for group in groups]
    return Block(tuple(name for name, _ in columns), (*cells, tuple(_sum(plan, values) for _, values in columns)))


def _cell(values: Values, group: str) -> str:
    value = (values or {}).get(group)
    return BLANK if value is None else f"{value:,}" if isinstance(value, int) else value


def _sum(plan: Plan, values: Values) -> str:
    if not values:
        return BLANK
    if all(isinstance(value, int) for value in values.values()):
        return f"{sum(int(value) for value in values.values()):,}"
    return printed(sum((parse_fraction(value) for value in values.values()), Fraction(0)), plan.official.shown)


def _show_rule(page: Terminal, found: Opened, report: Report, ruled: Ruled) -> None:
    """Tell the award by rule, and why the written one stands where there is no single award."""
    plan = found.tabulation.plan
    page.heading("By rule")
    if ruled.undetermined is not None:
        why = reason_words(ruled.undetermined)
        prose(page, f"The rule gives no single award, so what was written stands: {why}.", MARGIN)
    people, delegates = ruled.attendance.people, ruled.delegates
    if ruled.outcome is None or people is None or delegates is None:
        return
    if ruled.undetermined is Undetermined.ONE_DELEGATE:
        prose(page, f"If the groups decide it (one_delegate={found.tabulation.rule.one_delegate}):", MARGIN)
    names = {group.id: group.name for group in plan.groups.values()}
    final = report.alignments.get(plan.final_stage, {})
    for sentence in sentences(ruled.outcome, names, delegates, people, final, rule=found.tabulation.rule):
        prose(page, sentence, MARGIN)
    if isinstance(ruled.outcome, LotsNeeded) and ruled.undetermined is None:
        prose(page, "No lot on record; the written award is one of its outcomes, so it stands.", MARGIN)
    for lot in report.lots:
        prose(
            page, f"Lot on record for {lot.tie}: {', '.join(names.get(group, group) for group in lot.drawn)}.", MARGIN
        )


def _show_findings(page: Terminal, told: Account) -> None:
    page.heading("Findings")
    if not told.found:
        prose(page, "None.", MARGIN)
    for finding in told.found:
        finding_lines(page, finding)


def _show_line(page: Terminal, plan: Plan, line: Line, papers: Mapping[str, str]) -> None:
    """Print one entry: its number and time, why, on which paper, and what it changed."""
    filing = line.filing
    release = f", release {line.release}" if line.release else ""
    reason = f" ({filing.reason.replace('-', ' ')})" if filing.reason else ""
    what = "first report" if filing.replaces is None else f"corrects entry {filing.replaces}{reason}"
    prose(page, f"entry {filing.seq}, {local(filing.at, plan)}{release}: {what}", MARGIN, hang=MARGIN * 2)
    if filing.basis:
        prose(page, papers.get(filing.basis, f"Paper: {filing.basis}."), MARGIN * 2, hang=MARGIN * 2)
    by_column: dict[str, list[Change]] = {}
    for change in line.changes:
        by_column.setdefault(change.column, []).append(change)
    for column, changes in by_column.items():
        prose(page, f"{column}: {_changes_words(plan, changes)}", MARGIN * 2, hang=MARGIN * 3)
    if filing.replaces is not None and not line.changes:
        prose(page, "no figure changed", MARGIN * 2)


def _changes_words(plan: Plan, changes: Sequence[Change]) -> str:
    """List changed figures; the many that only went from blank to 0, or back, are counted at the end."""
    weighty = [change for change in changes if not _is_nothing(change.before) or not _is_nothing(change.after)]
    told = [_change_words(plan, change) for change in weighty]
    for before in (None, "0"):
        slight = [change for change in changes if change not in weighty and (change.before is None) is (before is None)]
        if len(slight) == 1:
            told += [_change_words(plan, change) for change in slight]
        elif slight:
            whose = "others" if weighty else "groups"
            told.append(f"{len(slight)} {whose} {'blank to 0' if before is None else '0 to blank'}")
    return ", ".join(told)


def _is_nothing(figure: str | None) -> bool:
    """Whether a figure is blank or 0: a column that comes or goes as a whole changes many between the two."""
    return figure is None or figure.strip("0.") == ""


def _change_words(plan: Plan, change: Change) -> str:
    name = plan.groups[change.group].name + " " if change.group in plan.groups else ""
    lot = f"{change.group} " if change.column == "Lot" else name
    before, after = ("blank" if figure is None else figure for figure in (change.before, change.after))
    return f"{lot}{before} to {after}"
