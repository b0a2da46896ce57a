"""Checks on the delegates as written: against the people, against the plan, against the rule."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from tallyroom.award.outcome import Awarded
from tallyroom.checks.check import Found, Register
from tallyroom.checks.finding import Severity
from tallyroom.checks.words import delegates, people
from tallyroom.exact import printed, ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallyroom.checks.facts import Facts

DELEGATES: Register[Facts] = Register()
_check = DELEGATES.check


@_check(
    "I5",
    "order-inverted",
    Severity.ERROR,
    "A smaller group got more delegates than a larger one",
    "Compare the delegates with the sheet line by line: two lines may be exchanged.",
)
def order_inverted(facts: Facts) -> Iterator[Found]:
    """A group has more delegates than another that has more people in the last alignment; all four are on record.

    Not when a lot decided or more groups were viable than there are delegates. A note only where one delegate is
    elected: there the sources leave open whether the groups decide.
    """
    written, final = facts.written, facts.final
    if written is None or final is None:
        return
    if facts.number is not None and (facts.by_lot or facts.over_viable):
        return
    given = [(group, final[group], count) for group, count in written.items() if group in final]
    inverted = [
        (small[0], large[0])
        for one, other in combinations(given, 2)
        for small, large in ((one, other), (other, one))
        if small[1] < large[1] and small[2] > large[2]
    ]
    if not inverted:
        return
    small, large = max(inverted, key=lambda pair: final[pair[1]] - final[pair[0]])
    groups = dict.fromkeys(group for pair in inverted for group in pair)
    single = facts.delegates_known and facts.delegates <= 1
    yield Found(
        f"{facts.name(small)} has {people(final[small])} and {delegates(written[small])}, {facts.name(large)} "
        f"{people(final[large])} and {delegates(written[large])}.",
        {
            "final": {group: final[group] for group in groups},
            "delegates": {group: written[group] for group in groups},
        },
        severity=Severity.INFO if single else None,
        todo="Nothing: whether the groups decide the one delegate is a reading." if single else "",
    )


@_check(
    "I6",
    "over-awarded",
    Severity.ERROR,
    "More delegates were awarded than the place elects",
    "Compare with the sheet; if it says the same, somebody has to decide: by rule the lowest decimal loses first.",
)
def over_awarded(facts: Facts) -> Iterator[Found]:
    """The delegates as written add up to more than the unit elects, and it is known how many that is.

    Not if the rule gives each of too many viable groups its minimum, and that is what was written.
    """
    given = sum((facts.written or {}).values())
    if facts.delegates_known and given > max(facts.delegates, facts.awarded_by_rule):
        yield Found(
            f"{delegates(given)} awarded, {facts.delegates} to elect.".capitalize(),
            {"awarded": given, "delegates": facts.delegates},
        )


@_check(
    "I7",
    "under-awarded",
    Severity.ERROR,
    "Fewer delegates were awarded than the place elects",
    "Compare with the sheet; if it says the same, somebody has to decide: by rule the highest decimal gains first.",
)
def under_awarded(facts: Facts) -> Iterator[Found]:
    """The delegates as written add up to less than the unit elects, although a group could win them.

    The delegates of every group that could win are on record: one left blank may have the others.
    """
    if facts.written is None or not facts.contenders:
        return
    given = sum(facts.written.values())
    if given < facts.delegates and facts.written.keys() >= set(facts.contenders):
        yield Found(
            f"{delegates(given)} awarded, {facts.delegates} to elect.".capitalize(),
            {"awarded": given, "delegates": facts.delegates},
        )


@_check(
    "I8",
    "delegates-to-nonviable",
    Severity.ERROR,
    "A group below the viability number got delegates",
    "Read the people and the delegates of the group again: one that is too small gets none.",
)
def delegates_to_nonviable(facts: Facts) -> Iterator[Found]:
    """The unit elects two or more, and a group below the viability number has delegates as written."""
    if facts.written is None or facts.final is None or facts.number is None or not facts.final_total:
        return
    for group, given in facts.written.items():
        count = facts.final.get(group)
        if given and count is not None and count < facts.number:
            yield Found(
                f"{facts.name(group)} has {people(count)} where a group needs {facts.number} of {facts.base}, and "
                f"{delegates(given)}.",
                {"group": group, "final": count, "delegates": given, **facts.measure},
            )


@_check(
    "I9",
    "viable-without-delegates",
    Severity.ERROR,
    "A viable group got less than every viable group has at least",
    "Compare with the sheet: the rule gives every viable group its minimum.",
)
def viable_without_delegates(facts: Facts) -> Iterator[Found]:
    """A viable group has fewer delegates as written than the plan's minimum, although there are enough for all.

    Where more groups are viable than there are delegates only if the rule gives each its minimum all the same.
    """
    rule = facts.plan.award
    if facts.written is None or facts.final is None or (facts.over_viable and rule.over_viable != "each-has-minimum"):
        return
    for group in facts.viable_final:
        given = facts.written.get(group)
        if given is not None and given < rule.minimum:
            yield Found(
                f"{facts.name(group)} has {people(facts.final[group])} where a group needs {facts.number} of "
                f"{facts.base}, and {delegates(given) if given else 'no delegate'}.",
                {"group": group, "final": facts.final[group], "delegates": given, **facts.measure},
            )


@_check(
    "I12",
    "award-differs",
    Severity.ERROR,
    "The delegates as written are not those of the rule",
    "Work the award out again with `tallyroom award`; the sheet stands until somebody decides.",
)
def award_differs(facts: Facts) -> Iterator[Found]:
    """The rule gives a single award, and the delegates as written differ from it for a group not left blank.

    So there is no open tie, there are no more viable groups than delegates, and two or more are elected. The people it
    was worked out from are named, and so is the open reading if nobody was rounded down although a delegate was left.
    """
    outcome, written = facts.context.outcome, facts.written
    if written is None or facts.number is None or not isinstance(outcome, Awarded):
        return
    by_rule = outcome.delegates
    groups = [
        group for group in facts.plan.groups if written.get(group, by_rule.get(group, 0)) != by_rule.get(group, 0)
    ]
    if not groups:
        return
    ours, theirs = {group: by_rule.get(group, 0) for group in groups}, {group: written[group] for group in groups}
    open_reading = (
        "; nobody was rounded down, so it depends on a reading" if outcome.short_without_rounding_down else ""
    )
    yield Found(
        f"Written: {facts.counts(theirs)}; by rule: {facts.counts(ours)} ({facts.base}{open_reading}).",
        {
            "written": theirs,
            "by_rule": ours,
            "attendance": facts.attending,
            "base": facts.context.attendance.taken_from,
            "delegates": facts.delegates,
            **({"reading": "short_award"} if open_reading else {}),
        },
    )


@_check(
    "I16a",
    "delegates-without-votes",
    Severity.ERROR,
    "Delegates were awarded although nobody is counted in the end",
    "Find the final alignment: it is on the sheet.",
)
def delegates_without_votes(facts: Facts) -> Iterator[Found]:
    """Every count of the last alignment is 0, and delegates or their value are written for a group so counted."""
    if not facts.final or facts.final_total:
        return
    given = sum((facts.written or {}).get(group, 0) for group in facts.final)
    value = sum(((facts.report.values or {}).get(group, Fraction(0)) for group in facts.final), Fraction(0))
    if given or value:
        what = delegates(given) if given else f"a value of {printed(value, facts.plan.official.decimals)}"
        numbers = {"delegates": given} if given else {"value": ratio(value)}
        yield Found(f"Nobody in the final alignment, and {what} awarded.", numbers)


@_check(
    "I16b",
    "votes-without-delegates",
    Severity.ERROR,
    "People are counted in the end, but no delegate was awarded",
    "Find the delegates: they are on the sheet.",
)
def votes_without_delegates(facts: Facts) -> Iterator[Found]:
    """People are counted in the last alignment and 0 is written for every group that could win; blank is not 0.

    A warning where nobody is viable in the end: then there is no award before somebody decides.
    """
    if not facts.final_total or not facts.delegates:
        return
    written = facts.written if facts.written is not None else facts.report.values
    if not written or any(written.values()) or not written.keys() >= set(facts.contenders):
        return
    yield Found(
        f"{people(facts.final_total)} in the final alignment, and no delegate awarded.",
        {"final": facts.final_total, "delegates": facts.delegates},
        severity=None if facts.contenders else Severity.WARNING,
        todo="" if facts.contenders else "Record who decides: no group is viable, so the rule awards nothing.",
    )


@_check(
    "I17",
    "not-a-whole-delegate",
    Severity.ERROR,
    "A written value is not a whole number of delegates",
    "Ask for the delegates themselves: they are whole.",
)
def not_a_whole_delegate(facts: Facts) -> Iterator[Found]:
    """A value written in place of delegates is no multiple of the worth of one delegate, to the decimals printed."""
    worth, values, decimals = facts.context.worth, facts.report.values, facts.plan.official.decimals
    if not worth or values is None:
        return
    half = Fraction(1, 2 * 10**decimals)
    for group, value in values.items():
        if abs(value - round(value / worth) * worth) > half:
            yield Found(
                f"{facts.name(group)} has {printed(value, decimals)}, where one delegate is worth "
                f"{printed(worth, decimals)}.",
                {"group": group, "value": ratio(value), "worth": ratio(worth)},
            )
