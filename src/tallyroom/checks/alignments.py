"""Checks on the counts of people: against attendance, and between the alignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.award import BreachKind, breaches
from tallyroom.checks.check import Found, Register
from tallyroom.checks.finding import Severity
from tallyroom.checks.words import delegates, people
from tallyroom.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallyroom.checks.facts import Facts
    from tallyroom.plan.types import Stage

ALIGNMENTS: Register[Facts] = Register()
_check = ALIGNMENTS.check


@_check(
    "I1",
    "final-exceeds-first",
    Severity.ERROR,
    "More people stand in groups after realignment than before",
    "Compare both columns with the sheet, and with the cards if the sheet says the same.",
)
def final_exceeds_first(facts: Facts) -> Iterator[Found]:
    """The people of the last alignment add up to more than those of the first.

    Both alignments were counted, and so was every group with people at the end: one left blank in the first alignment
    may have had them before.
    """
    first, final = facts.first, facts.final
    if first is None or final is None or facts.final_total <= facts.first_total:
        return
    if any(count and group not in first for group, count in final.items()):
        return
    added = facts.final_total - facts.first_total
    yield Found(
        f"{people(facts.first_total)} in the first alignment, {facts.final_total} in the final: {added} more, though "
        "nobody may come in after the first count.",
        {"first": facts.first_total, "final": facts.final_total, "added": added},
    )


@_check(
    "I2",
    "alignment-totals-differ",
    Severity.INFO,
    "The two alignments do not add up to the same",
    "Nothing, if people left or sat out; otherwise read both columns again.",
)
def alignment_totals_differ(facts: Facts) -> Iterator[Found]:
    """The sums of the first and last alignment differ in either direction; both were counted. People may leave."""
    if facts.first is not None and facts.final is not None and facts.final_total != facts.first_total:
        yield Found(
            f"{people(facts.first_total)} in the first alignment, {facts.final_total} in the final.",
            {"first": facts.first_total, "final": facts.final_total},
        )


@_check(
    "I3",
    "exceeds-attendance",
    Severity.ERROR,
    "More people stand in groups than are present",
    "Count the numbered cards, and correct the attendance or the alignment, whichever is wrong on the sheet.",
)
def exceeds_attendance(facts: Facts) -> Iterator[Found]:
    """Attendance is on record, and an alignment adds up to more."""
    attendance = facts.report.attendance
    if attendance is None:
        return
    for stage in facts.plan.stages:
        total = facts.report.total(stage.id)
        if total > attendance:
            yield Found(
                f"{people(total)} in the {stage.name.lower()}, but only {attendance} present.",
                {"stage": stage.id, "people": total, "attendance": attendance},
            )


@_check(
    "I4",
    "viable-group-lost-people",
    Severity.ERROR,
    "A viable group lost people who may not move",
    "Read the two counts of the group again: people of a viable group stay in it.",
)
def viable_group_lost_people(facts: Facts) -> Iterator[Found]:
    """The unit elects two or more, a group was viable before viable groups were locked and has fewer people after.

    With two alignments: viable in the first, fewer in the last. With more, each is held against the one on record
    before it, if the plan locks viable groups on every way between. Not when more groups were viable than there are
    delegates: then the smallest has to dissolve.
    """
    if facts.number is None:
        return
    for before, after in _locked_steps(facts):
        counts = facts.report.alignments[before.id], facts.report.alignments[after.id]
        whole = before is facts.plan.stages[0] and after is facts.plan.stages[-1]
        was, ends = (
            ("at first", "ends with {}")
            if whole
            else (f"in the {before.name.lower()}", f"{{}} in the {after.name.lower()}")
        )
        for breach in breaches(facts.plan.award, facts.delegates, facts.attending, *counts, may_move=after.may_move):
            if breach.kind is BreachKind.LOCKED_GROUP_LOST_PEOPLE:
                yield Found(
                    f"{facts.name(breach.group)} had {people(breach.before)} {was}, viable with {facts.number} of "
                    f"{facts.base}, and {ends.format(breach.after)}.",
                    {
                        "group": breach.group,
                        "first": breach.before,
                        "final": breach.after,
                        **({} if whole else {"stages": (before.id, after.id)}),
                        **facts.measure,
                    },
                )


def _locked_steps(facts: Facts) -> Iterator[tuple[Stage, Stage]]:
    """Give the counts on record, each with the one before it, between which viable groups may not lose people."""
    before: Stage | None = None
    for stage in facts.plan.stages:
        if stage.may_move != "nonviable":
            before = None
        if stage.id in facts.report.alignments:
            if before is not None:
                yield before, stage
            before = stage


@_check(
    "I10",
    "nonviable-kept-people",
    Severity.WARNING,
    "A group below the viability number still has people at the end",
    "Nothing, if they joined no other group: they count as present, and their group gets no delegate.",
)
def nonviable_kept_people(facts: Facts) -> Iterator[Found]:
    """A group has people in the last alignment, but fewer than the viability number."""
    if facts.number is None or facts.final is None:
        return
    small = {group: count for group, count in facts.final.items() if 0 < count < facts.number}
    if small:
        yield Found(
            f"At the end {facts.counts(small)}, where a group needs {people(facts.number)}.",
            {"final": small, **facts.measure},
        )


@_check(
    "I11",
    "group-from-nothing",
    Severity.INFO,
    "A group nobody stood for at first has people at the end",
    "Nothing, if people moved there, which is legal; look at the neighbouring columns if it is many.",
)
def group_from_nothing(facts: Facts) -> Iterator[Found]:
    """A group counted as 0 in the first alignment has people in the last."""
    if facts.first is None or facts.final is None:
        return
    grown = {group: count for group, count in facts.final.items() if count and facts.first.get(group) == 0}
    if grown:
        yield Found(f"At the end {facts.counts(grown)}, at first nobody.", {"final": grown})


@_check(
    "I15",
    "columns-shifted",
    Severity.ERROR,
    "Neighbouring columns look exchanged",
    "Read the names along the row again, from the sheet or its picture.",
)
def columns_shifted(facts: Facts) -> Iterator[Found]:
    """Of two neighbours in sheet order one is 0 at first and large at the end, the other the other way round.

    Large is at least the viability number. Where a column fits two neighbours, the one closer in number counts. A
    viable group cannot vanish into a neighbour nobody stood for; where more groups were viable than there are
    delegates, or the plan lets everybody move on the way, it can, and this is a warning.
    """
    moved = _moved(facts)
    if not moved:
        return
    free = any(stage.may_move == "all" for stage in facts.plan.stages[1:])
    before = {left: facts.report.count(facts.plan.stages[0].id, left) or 0 for left, _ in moved}
    after = {came: facts.report.count(facts.plan.final_stage, came) or 0 for _, came in moved}
    told = [
        f"{facts.name(left)} {before[left]} at first and none at the end, beside it {facts.name(came)} none and "
        f"{after[came]}"
        for left, came in moved
    ]
    yield Found(
        f"{'; '.join(told)}.",
        {
            "first": {**before, **dict.fromkeys(after, 0)},
            "final": {**dict.fromkeys(before, 0), **after},
            **facts.measure,
        },
        severity=Severity.WARNING if facts.over_viable_first or free else None,
    )


def _moved(facts: Facts) -> list[tuple[str, str]]:
    """Give the pairs of columns (left by its people, come from nothing), in sheet order; each column once."""
    first, final, columns = facts.first or {}, facts.final or {}, list(facts.plan.groups)
    left = [place for place, group in enumerate(columns) if group in facts.viable_first and final.get(group) == 0]
    pairs = [
        (abs(first[columns[place]] - final[columns[beside]]), place, beside)
        for place in left
        for beside in (place - 1, place + 1)
        if 0 <= beside < len(columns) and columns[beside] in facts.viable_final and first.get(columns[beside]) == 0
    ]
    taken: dict[int, int] = {}
    for _, place, beside in sorted(pairs):
        if place not in taken and beside not in taken.values():
            taken[place] = beside
    return [(columns[place], columns[taken[place]]) for place in sorted(taken)]


@_check(
    "I21",
    "viability-number-differs",
    Severity.ERROR,
    "The viability number on the sheet is not the rule's",
    "Work it out again from those present, rounded up, and look who was viable by it.",
)
def viability_number_differs(facts: Facts) -> Iterator[Found]:
    """Attendance is on record, the sheet states a viability number, and it is not the one of the rule."""
    written = facts.report.viability_number
    if written is None or facts.report.attendance is None or facts.number is None or written == facts.number:
        return
    yield Found(
        f"The sheet says a group needs {written}, but with {facts.attending} present and {delegates(facts.delegates)} "
        f"it needs {facts.number}.",
        {"written": written, "number": facts.number, "attendance": facts.attending, "delegates": facts.delegates},
    )


@_check(
    "I22",
    "attendance-differs",
    Severity.WARNING,
    "Those present were counted differently",
    "Find out which count is right: everything is worked out from it.",
)
def attendance_differs(facts: Facts) -> Iterator[Found]:
    """Counts of those present that were made in different ways (check-in, cards) are not all the same.

    A note only where the attendance differs from nothing but the first alignment, which was counted in every group and
    adds up to less: people may stand in no group.
    """
    attendance, others = facts.report.attendance, facts.report.other_attendance
    counts = [*((("attendance", attendance),) if attendance is not None else ()), *others.items()]
    if len({count for _, count in counts}) > 1:
        said = listed(f"{count} by {name}" for name, count in counts)
        yield Found(f"Present are {said}.", {"attendance": attendance, "others": dict(others)})
        return
    complete = facts.first is not None and facts.first.keys() >= facts.plan.groups.keys()
    if attendance is not None and complete and facts.first_total < attendance:
        yield Found(
            f"{attendance} present, but {people(facts.first_total)} in the first alignment.",
            {"attendance": attendance, "first": facts.first_total},
            severity=Severity.INFO,
            todo="Nothing, if the others stood in no group; otherwise count the first alignment again.",
        )


@_check(
    "I26",
    "components-differ",
    Severity.ERROR,
    "The parts that were counted apart do not add up to the alignment",
    "Add the parts up again, group by group: early ballots that were counted twice or left out are the usual reason.",
)
def components_differ(facts: Facts) -> Iterator[Found]:
    """A group's people at a stage are on record, and so is every component of the plan for it, but the sum is another.

    A component left blank for a group could hold what is missing.
    """
    expected = [component.id for component in facts.plan.components]
    for stage in facts.plan.stages:
        parts = [facts.report.components.get(component, {}).get(stage.id, {}) for component in expected]
        for group, count in facts.report.alignments.get(stage.id, {}).items():
            if not parts or any(group not in part for part in parts):
                continue
            together = sum(part[group] for part in parts)
            if together != count:
                said = listed(
                    f"{part[group]} of {component.name}"
                    for component, part in zip(facts.plan.components, parts, strict=True)
                )
                yield Found(
                    f"{facts.name(group)} has {people(count)} in {stage.name}, but {said} are {together}.",
                    {"group": group, "stage": stage.id, "written": count, "together": together},
                )
