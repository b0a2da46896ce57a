"""Checks on the counts of people: alone, against attendance, between the alignments."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tallyroom.award import BreachKind, breaches
from tallyroom.checks.check import Found, Register
from tallyroom.checks.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallyroom.checks.facts import Facts

ALIGNMENTS: Register[Facts] = Register()
_check = ALIGNMENTS.check


@_check(
    "I1",
    "final-exceeds-first",
    Severity.ERROR,
    "More people stand in groups after realignment than before",
    "Compare both columns with the sheet and the cards; the door was closed before the first count.",
)
def final_exceeds_first(facts: Facts) -> Iterator[Found]:
    """The people of the last alignment add up to more than those of the first; both were counted."""
    if facts.first is not None and facts.final is not None and facts.final_total > facts.first_total:
        added = facts.final_total - facts.first_total
        yield Found(
            f"{facts.first_total} people in the first alignment, {facts.final_total} in the final: {added} were added "
            "after the door was closed.",
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
            f"{facts.first_total} people in the first alignment, {facts.final_total} in the final.",
            {"first": facts.first_total, "final": facts.final_total},
        )


@_check(
    "I3",
    "exceeds-attendance",
    Severity.ERROR,
    "More people stand in groups than are present",
    "Count the numbered cards; correct the attendance or the alignment, whichever is wrong on the sheet.",
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
                f"{total} people in the {stage.name.lower()}, but {attendance} present.",
                {"stage": stage.id, "people": total, "attendance": attendance},
            )


@_check(
    "I4",
    "viable-group-lost-people",
    Severity.ERROR,
    "A viable group lost people who may not move",
    "Read the group's two counts again; its members were locked.",
)
def viable_group_lost_people(facts: Facts) -> Iterator[Found]:
    """The unit elects two or more, a group was viable in the first alignment and has fewer people in the last.

    Only where the plan locks viable groups, and not when more groups were viable than there are delegates: then the
    smallest has to dissolve.
    """
    if facts.number is None or facts.first is None or facts.final is None:
        return
    rule, may_move = facts.plan.award, facts.plan.stages[-1].may_move
    if may_move != "nonviable":
        return
    for breach in breaches(rule, facts.delegates, facts.attending, facts.first, facts.final, may_move=may_move):
        if breach.kind is BreachKind.LOCKED_GROUP_LOST_PEOPLE:
            yield Found(
                f"{facts.name(breach.group)} had {breach.before} people, viable at {facts.number}, and ends with "
                f"{breach.after}.",
                {"group": breach.group, "first": breach.before, "final": breach.after, "number": facts.number},
            )


@_check(
    "I10",
    "nonviable-kept-people",
    Severity.WARNING,
    "A group below the viability number still has people at the end",
    "Nothing, if they did not join another group: they count as present, and the group gets no delegate.",
)
def nonviable_kept_people(facts: Facts) -> Iterator[Found]:
    """A group has people in the last alignment, but fewer than the viability number."""
    if facts.number is None or facts.final is None:
        return
    small = {group: people for group, people in facts.final.items() if 0 < people < facts.number}
    if small:
        yield Found(
            f"{facts.names(small)} ended below the {facts.number} people a group needs here.",
            {"number": facts.number, "final": small},
        )


@_check(
    "I11",
    "group-from-nothing",
    Severity.INFO,
    "A group nobody stood for at first has people at the end",
    "Nothing, if people moved there; it is legal. Look at neighbouring columns if it is many.",
)
def group_from_nothing(facts: Facts) -> Iterator[Found]:
    """A group counted as 0 in the first alignment has people in the last."""
    if facts.first is None or facts.final is None:
        return
    grown = {group: people for group, people in facts.final.items() if people and facts.first.get(group) == 0}
    if grown:
        people = ", ".join(f"{facts.name(group)} {count}" for group, count in grown.items())
        yield Found(f"From nobody in the first alignment: {people}.", {"final": grown})


@_check(
    "I15",
    "columns-shifted",
    Severity.ERROR,
    "Two neighbouring columns look exchanged",
    "Read the names along the row again, from the sheet or its picture.",
)
def columns_shifted(facts: Facts) -> Iterator[Found]:
    """Of two neighbours in sheet order one is 0 at first and large at the end, the other the other way round.

    Large is at least the viability number. A viable group cannot vanish into a neighbour nobody stood for.
    """
    if facts.number is None or facts.first is None or facts.final is None:
        return
    for left, right in pairwise(facts.plan.groups):
        for empty, full in ((left, right), (right, left)):
            before, after = facts.first.get(full, 0), facts.final.get(empty, 0)
            if facts.first.get(empty) == 0 and facts.final.get(full) == 0 and min(before, after) >= facts.number:
                yield Found(
                    f"{facts.name(full)} has {before} people at first and none at the end, {facts.name(empty)} "
                    f"beside it none at first and {after} at the end.",
                    {"first": {full: before, empty: 0}, "final": {full: 0, empty: after}, "number": facts.number},
                )


@_check(
    "I21",
    "viability-number-differs",
    Severity.ERROR,
    "The viability number on the sheet is not the rule's",
    "Work it out again with the room: share of those present, rounded up; who was viable may change.",
)
def viability_number_differs(facts: Facts) -> Iterator[Found]:
    """Attendance is on record, the sheet states a viability number, and it is not the one of the rule."""
    written = facts.report.viability_number
    if written is None or facts.report.attendance is None or facts.number is None or written == facts.number:
        return
    yield Found(
        f"The sheet says a group needs {written}; with {facts.attending} present and {facts.delegates} delegates it "
        f"needs {facts.number}.",
        {"written": written, "number": facts.number, "attendance": facts.attending, "delegates": facts.delegates},
    )


@_check(
    "I22",
    "attendance-differs",
    Severity.WARNING,
    "The same people were counted differently",
    "Find out which count is right: everything is worked out from it.",
)
def attendance_differs(facts: Facts) -> Iterator[Found]:
    """Counts of those present that were made in different ways (check-in, cards) are not all the same.

    The sum of an alignment is not such a count: people may stand in no group.
    """
    counts = dict(facts.report.other_attendance)
    if facts.report.attendance is not None:
        counts = {"attendance": facts.report.attendance, **counts}
    if len(set(counts.values())) > 1:
        said = ", ".join(f"{name} {people}" for name, people in counts.items())
        yield Found(f"People present: {said}.", dict(counts))
