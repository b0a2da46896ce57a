"""Checks on the delegates as written: against the people, against the plan, against the rule."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from tallyroom.award.outcome import Awarded, LotsNeeded
from tallyroom.checks.check import Found, Register
from tallyroom.checks.finding import Severity
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
    "Compare the delegates with the sheet line by line; two lines may be exchanged.",
)
def order_inverted(facts: Facts) -> Iterator[Found]:
    """A group has more delegates than another that has more people in the last alignment.

    Not when a lot decided or more groups were viable than there are delegates. A note only where one delegate is
    elected: the caucus elects it by majority, whatever the groups.
    """
    if (
        facts.written is None
        or facts.final is None
        or (facts.number is not None and (facts.by_lot or facts.over_viable))
    ):
        return
    written, final = facts.written, facts.final
    inverted = [
        (small, large)
        for one, other in combinations(final, 2)
        for small, large in ((one, other), (other, one))
        if final[small] < final[large] and written.get(small, 0) > written.get(large, 0)
    ]
    if inverted:
        small, large = max(inverted, key=lambda pair: final[pair[1]] - final[pair[0]])
        groups = dict.fromkeys(group for pair in inverted for group in pair)
        yield Found(
            f"{facts.name(small)} has {final[small]} people and {written.get(small, 0)} delegates, {facts.name(large)} "
            f"{final[large]} people and {written.get(large, 0)}.",
            {
                "final": {group: final[group] for group in groups},
                "delegates": {group: written.get(group, 0) for group in groups},
            },
            severity=Severity.INFO if facts.delegates <= 1 else None,
        )


@_check(
    "I6",
    "over-awarded",
    Severity.ERROR,
    "More delegates were awarded than the place elects",
    "Compare with the sheet; take the lowest decimal rounded up back, or record why it stands.",
)
def over_awarded(facts: Facts) -> Iterator[Found]:
    """The delegates as written add up to more than the unit elects."""
    if facts.written is None:
        return
    given = sum(facts.written.values())
    if given > facts.delegates:
        yield Found(
            f"{given} delegates awarded, {facts.delegates} to elect.", {"awarded": given, "delegates": facts.delegates}
        )


@_check(
    "I7",
    "under-awarded",
    Severity.ERROR,
    "Fewer delegates were awarded than the place elects",
    "Compare with the sheet; give the missing delegate to the highest decimal rounded down, or record why not.",
)
def under_awarded(facts: Facts) -> Iterator[Found]:
    """The delegates as written add up to less than the unit elects, although a group could win them."""
    if facts.written is None or facts.final is None:
        return
    given = sum(facts.written.values())
    could_win = facts.viable_final if facts.number is not None else any(facts.final.values())
    if given < facts.delegates and could_win:
        yield Found(
            f"{given} delegates awarded, {facts.delegates} to elect.", {"awarded": given, "delegates": facts.delegates}
        )


@_check(
    "I8",
    "delegates-to-nonviable",
    Severity.ERROR,
    "A group below the viability number got delegates",
    "Read the group's people and delegates again; a group that is too small gets none.",
)
def delegates_to_nonviable(facts: Facts) -> Iterator[Found]:
    """The unit elects two or more, and a group below the viability number has delegates as written."""
    if facts.written is None or facts.final is None or facts.number is None or not facts.final_total:
        return
    for group, given in facts.written.items():
        people = facts.final.get(group)
        if given and people is not None and people < facts.number:
            yield Found(
                f"{facts.name(group)} has {people} people where {facts.number} are needed, and {given} delegates.",
                {"group": group, "final": people, "number": facts.number, "delegates": given},
            )


@_check(
    "I9",
    "viable-without-delegates",
    Severity.ERROR,
    "A viable group got no delegate",
    "Compare with the sheet; every viable group has at least one.",
)
def viable_without_delegates(facts: Facts) -> Iterator[Found]:
    """A viable group has no delegate as written, although there are at least as many delegates as viable groups."""
    if facts.written is None or facts.final is None or facts.over_viable:
        return
    for group in facts.viable_final:
        if not facts.written.get(group, 0):
            yield Found(
                f"{facts.name(group)} has {facts.final[group]} people of {facts.number} needed, and no delegate.",
                {"group": group, "final": facts.final[group], "number": facts.number},
            )


@_check(
    "I12",
    "award-differs",
    Severity.ERROR,
    "The delegates as written are not those of the rule",
    "Work the award out again with `tallyroom award`; the sheet stands until somebody decides.",
)
def award_differs(facts: Facts) -> Iterator[Found]:
    """The rule gives a single award, and the delegates as written differ from it.

    So there is no open tie, there are no more viable groups than delegates, and two or more are elected. The base it
    was worked out with is named.
    """
    outcome = facts.context.outcome
    if facts.written is None or facts.number is None or not isinstance(outcome, Awarded):
        return
    groups = [g for g in facts.plan.groups if facts.written.get(g, 0) != outcome.delegates.get(g, 0)]
    if groups:
        told = ", ".join(f"{facts.name(g)} {facts.written.get(g, 0)} for {outcome.delegates.get(g, 0)}" for g in groups)
        yield Found(
            f"As written for by rule: {told} (by {facts.base}, {facts.attending} present).",
            {
                "written": {g: facts.written.get(g, 0) for g in groups},
                "by_rule": {g: outcome.delegates.get(g, 0) for g in groups},
                "attendance": facts.attending,
                "base": facts.context.attendance.taken_from,
                "delegates": facts.delegates,
            },
        )


@_check(
    "I13",
    "lot-expected",
    Severity.INFO,
    "Chance decides, and no lot that does is on record",
    "Ask who was drawn, who called and who saw it, and record the lot.",
)
def lot_expected(facts: Facts) -> Iterator[Found]:
    """Groups tie for the last delegate and no recorded lot answers that tie; or a recorded lot answers no tie."""
    outcome = facts.context.outcome
    if isinstance(outcome, LotsNeeded):
        tie = outcome.tie
        verb = {"gain": "gain one", "lose": "lose one", "realign": "realign"}[str(tie.kind)]
        yield Found(
            f"{facts.names(tie.groups)} tie; {tie.take} of them must {verb}.",
            {"tie": tie.id, "groups": list(tie.groups), "take": tie.take, "at": ratio(tie.at)},
        )
    if outcome is not None and outcome.stray:
        yield Found(
            f"A lot is on record for a tie that is not there: {', '.join(outcome.stray)}.",
            {"stray": list(outcome.stray)},
            severity=Severity.WARNING,
            todo="Look whether a count was changed after the lot was drawn.",
        )


@_check(
    "I16a",
    "delegates-without-votes",
    Severity.ERROR,
    "Delegates were awarded although nobody is counted in the end",
    "Find the final column: it is on the sheet.",
)
def delegates_without_votes(facts: Facts) -> Iterator[Found]:
    """Nobody is counted in the last alignment, but delegates or their value are written."""
    given, value = sum((facts.written or {}).values()), sum((facts.report.values or {}).values(), Fraction(0))
    if facts.final_total == 0 and (given or value):
        what = f"{given} delegates" if given else f"a value of {printed(value, 4)}"
        yield Found(f"Nobody in the final alignment, and {what} awarded.", {"delegates": given, "value": ratio(value)})


@_check(
    "I16b",
    "votes-without-delegates",
    Severity.ERROR,
    "People are counted in the end, but no delegate was awarded",
    "Find the delegates: they are on the sheet. Record the reason if nobody was viable.",
)
def votes_without_delegates(facts: Facts) -> Iterator[Found]:
    """People are counted in the last alignment and every delegate or value written is 0; blank is not 0."""
    if not facts.final_total or not facts.delegates:
        return
    written = facts.written if facts.written is not None else facts.report.values
    if written is not None and not any(written.values()):
        yield Found(
            f"{facts.final_total} people in the final alignment, and no delegate awarded.",
            {"final": facts.final_total, "delegates": facts.delegates},
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
    worth, values = facts.context.worth, facts.report.values
    if worth is None or not worth or values is None:
        return
    half = Fraction(1, 2 * 10**facts.plan.official.decimals)
    for group, value in values.items():
        nearest = round(value / worth)
        if abs(value - nearest * worth) > half:
            yield Found(
                f"{facts.name(group)} has {printed(value, 4)}, which is not a multiple of {printed(worth, 4)}.",
                {"group": group, "value": ratio(value), "worth": ratio(worth)},
            )
