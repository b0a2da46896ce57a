"""The award of many units in whole numbers: the rule of `precinct`, written so that it compiles.

Only plain integers, arrays and loops: `batch_compiled` makes machine code of it, and run as it stands it is the same
rule, slowly. It keeps no steps. Everything a unit comes to is written into one row of each of three arrays, in passes:
all units are rounded, then those are looked at again that need more. To call a function once a unit would cost more
than the arithmetic.

No number can leave 64 bits. Counts are below 10^7 < 2^24 and delegates and minimum at most 10^4 < 2^14, so an exact
share (people x delegates) is below 2^38, and so is what a group holds. What a group holds x attendance is at most the
share + attendance x (1 + minimum) < 2^39, and the sum over at most 2^16 groups is below 2^55. A viability share is at
most 2^39 over 2^39, so attendance x numerator is below 2^63. Each is checked before it is used, unit by unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.int64]
    Groups: TypeAlias = NDArray[np.uint16]
    Marks: TypeAlias = NDArray[np.uint8]

NO_BOUND = 2**62
"""Beyond every number compared here."""
SHARE_LIMIT = 2**39
"""Largest numerator and denominator of a viability share; a plan writes 3/20."""
GROUPS_LIMIT, UNITS_LIMIT = 2**16 - 1, 2**40 - 1
"""Most groups of a unit, and more units than memory holds.

Both have all bits set: `& LIMIT` changes no index, but tells the compiler that it is not below 0, which saves a tenth.
"""

AWARDED, LOTS_NEEDED, MUST_REALIGN, NO_VIABLE_GROUP = range(4)
"""Outcomes."""
NOBODY_VIABLE, NOBODY_PRESENT, NO_MAJORITY, CAUCUS_VOTES = range(1, 5)
"""Why no rule awards the delegates."""
GAIN, LOSE, REALIGN = range(1, 4)
"""What is at stake in a tie."""
VIABLE, TIED, DRAWN, REALIGNS = 1, 2, 4, 8
"""Marks of a group, added up."""

OUTCOME, NUMBER, WHY, TIE, TAKE, AT, AT_OF, NEEDS_MAJORITY, SHORT, FACTS = range(10)
"""Columns of `facts`; the last is their number."""
DONE, CORRECT, ELECT_ONE, REALIGN_SMALLEST = range(4)
"""What is next to be done about a unit."""
UNIT, NEXT, HOW_MANY_VIABLE, MISSING, WAITING = range(5)
"""Columns of `waiting`, a row a unit that needs more; the last is their number."""
(
    MINIMUM,
    DOWN,
    SMALLEST_REALIGNS,
    TIE_BY_LOT,
    CYCLIC,
    BY_LOT,
    MAJORITY,
    CAUCUS_VOTE,
    PEOPLE_BELOW,
    DELEGATES_BELOW,
    SWITCHES,
) = range(11)
"""Places of the rule's `switches`; the last is their number."""
AT_LEAST, NUMERATOR, DENOMINATOR = range(3)
"""Columns of the viability `table`; a denominator of 0 says that there is no viability."""

FINE, BAD_DELEGATES, BAD_ATTENDING, BAD_COUNT, NOBODY_ATTENDS, NO_SHARE = range(6)
"""What is wrong with a unit."""


class Ruled(NamedTuple):
    """The rule in numbers: its `switches` and its viability `table`, a row a step."""

    switches: Numbers
    table: Numbers


class Results(NamedTuple):
    """What units come to: a row of `facts` each, and by group the delegates `allotted` and its `marks`."""

    facts: Numbers
    allotted: Numbers
    marks: Marks


def award_units(
    rule: Ruled, delegates: Numbers, attending: Numbers, final: Numbers, order: Numbers, results: Results
) -> tuple[int, int]:
    """Award every unit; if one breaks the contract, stop there and give what is wrong with it and its index.

    `order` has no rows where lots are left open. What results held before is lost.
    """
    results.marks[:] = 0
    waiting, who = np.empty((final.shape[0], WAITING), np.int64), np.empty(final.shape, np.uint16)
    wrong, found = set_viability(rule, delegates, attending, results.facts)
    if wrong == FINE:
        wrong, found = round_off(rule, delegates, attending, final, waiting, who, results)
    if wrong == FINE:
        correct(rule, delegates, attending, final, order, waiting[:found], who, results)
        elect_one(rule, attending, final, order, waiting[:found], results)
        realign(rule, delegates, final, order, waiting[:found], results)
    return wrong, found


def set_viability(rule: Ruled, delegates: Numbers, attending: Numbers, facts: Numbers) -> tuple[int, int]:
    """Begin the facts of every unit with the people a group needs; -1 where there is no viability."""
    switches, table = rule
    people_below, delegates_below = switches[PEOPLE_BELOW], switches[DELEGATES_BELOW]
    for unit in range(delegates.shape[0]):
        electing, present = delegates[unit], attending[unit]
        if not (1 <= electing < delegates_below and 0 <= present < people_below):
            return BAD_DELEGATES if 0 <= present < people_below else BAD_ATTENDING, unit
        numerator, denominator = 0, 0
        for row in range(table.shape[0]):
            if table[row, AT_LEAST] <= electing:
                numerator, denominator = table[row, NUMERATOR], table[row, DENOMINATOR]
        number = np.int64(np.uint64(present * numerator) // np.uint64(denominator)) if denominator else -1
        number += number * denominator < present * numerator
        for column in range(FACTS):
            facts[unit, column] = 0
        facts[unit, NUMBER], facts[unit, AT_OF] = number, 1
    return FINE, 0


def round_off(
    rule: Ruled, delegates: Numbers, attending: Numbers, final: Numbers, waiting: Numbers, who: Groups, results: Results
) -> tuple[int, int]:
    """Find the viable groups of every unit and round their exact numbers; note what is next."""
    switches, _ = rule
    facts, allotted, marks = results
    minimum, up, realigning = switches[MINIMUM], not switches[DOWN], bool(switches[SMALLEST_REALIGNS])
    when_crowded, next_when_crowded = 0 if realigning else minimum, REALIGN_SMALLEST if realigning else DONE
    people_below, found = switches[PEOPLE_BELOW], 0
    for unit in range(final.shape[0]):
        electing, present, number = delegates[unit], attending[unit], facts[unit, NUMBER]
        needed, least, most, viable = max(number, 1), 0, 0, 0
        for group in range(final.shape[1]):
            people = final[unit, group]
            least, most = min(least, people), max(most, people)
            allotted[unit, group] = 0
        for group in range(final.shape[1]):
            who[found, viable & GROUPS_LIMIT] = group
            viable += final[unit, group] >= needed
        if least < 0 or most >= people_below or (most > 0 and present == 0) or (most > 0 > number and electing > 1):
            return (
                BAD_COUNT if least < 0 or most >= people_below else NOBODY_ATTENDS if present == 0 else NO_SHARE,
                unit,
            )
        if most == 0 or (viable == 0 and number >= 0):
            facts[unit, OUTCOME], facts[unit, WHY] = NO_VIABLE_GROUP, NOBODY_VIABLE if most else NOBODY_PRESENT
            continue
        if number < 0:
            waiting[found, UNIT], waiting[found, NEXT] = unit, ELECT_ONE
            found += 1
            continue
        crowded, missing = viable * minimum > electing, electing
        for place in range(viable):
            exact = final[unit, who[found, place]] * electing
            whole = np.int64(np.uint64(exact) // np.uint64(present))
            whole += up & (2 * (exact - whole * present) >= present)
            allotted[unit, who[found, place]] = when_crowded if crowded else max(whole, minimum)
            marks[unit, who[found, place]] = VIABLE
            missing -= max(whole, minimum)
        then = next_when_crowded if crowded else CORRECT if missing else DONE
        waiting[found, UNIT], waiting[found, NEXT] = unit, then
        waiting[found, HOW_MANY_VIABLE], waiting[found, MISSING] = viable, missing
        found += then != DONE
    return FINE, found


def correct(
    rule: Ruled,
    delegates: Numbers,
    attending: Numbers,
    final: Numbers,
    order: Numbers,
    waiting: Numbers,
    who: Groups,
    results: Results,
) -> None:
    """Move one delegate at a time where rounded numbers do not add up, for those furthest off, until they do.

    Too many: the lowest raw minus awarded loses, and nobody the minimum; too few: the highest gains. `off` is that
    number, with its sign turned for losing: the largest is always next.
    """
    switches, _ = rule
    facts, allotted, marks = results
    off = np.empty(final.shape[1], np.int64)
    for row in range(waiting.shape[0]):
        unit: int = waiting[row, UNIT] & UNITS_LIMIT
        if waiting[row, NEXT] != CORRECT:
            continue
        electing, present, viable = delegates[unit], attending[unit], waiting[row, HOW_MANY_VIABLE]
        sign, step, below, cyclic = 1 if waiting[row, MISSING] > 0 else -1, present, NO_BOUND, False
        missing, above = abs(waiting[row, MISSING]), -1 if sign > 0 else switches[MINIMUM]
        for place in range(viable):
            off[place] = sign * (final[unit, who[row, place]] * electing - allotted[unit, who[row, place]] * present)
        while missing > 0:
            most, tied, able = -NO_BOUND, 0, 0
            for place in range(viable):
                value = off[place]
                if (allotted[unit, who[row, place]] > above) & (value < below):
                    able += 1
                    if value > most:
                        most, tied = value, 0
                    tied += value == most
            if sign > 0 and most <= 0 and not facts[unit, SHORT]:
                facts[unit, SHORT], cyclic = 1, bool(switches[CYCLIC])
                if cyclic or switches[BY_LOT]:
                    step, missing = 0, missing + begin_again(rule, unit, present, viable, who[row], off, allotted)
            elif sign < 0 and missing > electing and missing >= able:
                missing -= take_from_all(unit, above, missing, able, present, viable, who[row], off, allotted)
            elif tied > missing:
                for place in range(viable):
                    if off[place] == most and allotted[unit, who[row, place]] > above:
                        marks[unit, who[row, place]] |= TIED
                settle(unit, GAIN if sign > 0 else LOSE, missing, sign * most, present, order, results)
                missing = 0
            else:
                for place in range(viable):
                    if (off[place] == most) & (allotted[unit, who[row, place]] > above):
                        allotted[unit, who[row, place]] += sign
                        off[place] -= step
                missing, below = missing - tied, most if cyclic and tied else NO_BOUND


def take_from_all(
    unit: int,
    minimum: int,
    over: int,
    able: int,
    present: int,
    viable: int,
    who: Groups,
    off: Numbers,
    allotted: Numbers,
) -> int:
    """Take from every group that can lose as often as all would lose in turn; give how many were taken.

    Only counts far above the attendance come to this; it is what `precinct` does with them.
    """
    rounds = over // able
    for place in range(viable):
        if allotted[unit, who[place]] > minimum:
            rounds = min(rounds, allotted[unit, who[place]] - minimum)
    for place in range(viable):
        if allotted[unit, who[place]] > minimum:
            allotted[unit, who[place]] -= rounds
            off[place] -= rounds * present
    return rounds * able


def begin_again(rule: Ruled, unit: int, present: int, viable: int, who: Groups, off: Numbers, allotted: Numbers) -> int:
    """Nobody is rounded down: go back to whole parts and their decimals, or make all alike for a lot.

    Gives how many more delegates are to be given.
    """
    back = 0
    for place in range(viable):
        if rule.switches[CYCLIC]:
            exact = off[place] + allotted[unit, who[place]] * present
            whole = max(exact // present, rule.switches[MINIMUM])
            back += allotted[unit, who[place]] - whole
            allotted[unit, who[place]], off[place] = whole, exact - whole * present
        else:
            off[place] = 0
    return back


def elect_one(
    rule: Ruled, attending: Numbers, final: Numbers, order: Numbers, waiting: Numbers, results: Results
) -> None:
    """Elect the single delegate of places that have no viability."""
    switches, _ = rule
    facts, allotted, marks = results
    for row in range(waiting.shape[0]):
        unit: int = waiting[row, UNIT] & UNITS_LIMIT
        if waiting[row, NEXT] != ELECT_ONE:
            continue
        most, largest = 0, 0
        for group in range(final.shape[1]):
            if final[unit, group] > most:
                most, largest = final[unit, group], 0
            largest += final[unit, group] == most
        majority = 2 * most > attending[unit]
        if switches[CAUCUS_VOTE] or (switches[MAJORITY] and not majority):
            facts[unit, OUTCOME] = NO_VIABLE_GROUP
            facts[unit, WHY] = CAUCUS_VOTES if switches[CAUCUS_VOTE] else NO_MAJORITY
            continue
        for group in range(final.shape[1]):
            if final[unit, group] == most:
                if largest > 1:
                    marks[unit, group] |= TIED
                else:
                    allotted[unit, group] = 1
        if largest > 1:
            settle(unit, GAIN, 1, most, 1, order, results)
        facts[unit, NEEDS_MAJORITY] = facts[unit, OUTCOME] == AWARDED and not majority


def realign(
    rule: Ruled, delegates: Numbers, final: Numbers, order: Numbers, waiting: Numbers, results: Results
) -> None:
    """Say which groups have to realign where more are viable than there are delegates."""
    switches, _ = rule
    facts, _, marks = results
    for row in range(waiting.shape[0]):
        unit: int = waiting[row, UNIT] & UNITS_LIMIT
        if waiting[row, NEXT] != REALIGN_SMALLEST:
            continue
        fewest, smallest, viable = NO_BOUND, 0, 0
        for group in range(final.shape[1]):
            if marks[unit, group]:
                viable += 1
                if final[unit, group] < fewest:
                    fewest, smallest = final[unit, group], 0
                smallest += final[unit, group] == fewest
        surplus = viable - delegates[unit] // switches[MINIMUM]
        lots = switches[TIE_BY_LOT] and smallest > surplus
        facts[unit, OUTCOME] = MUST_REALIGN
        for group in range(final.shape[1]):
            if marks[unit, group] and final[unit, group] == fewest:
                marks[unit, group] |= TIED if lots else REALIGNS
        if lots:
            settle(unit, REALIGN, surplus, fewest, 1, order, results)


def settle(unit: int, kind: int, take: int, at: int, at_of: int, order: Numbers, results: Results) -> None:
    """Note the tie of the groups marked so; if there is an order to draw them in, draw, and do what the lot says."""
    facts, allotted, marks = results
    facts[unit, TIE], facts[unit, TAKE], facts[unit, AT], facts[unit, AT_OF] = kind, take, at, at_of
    if order.shape[0] == 0:
        facts[unit, OUTCOME] = LOTS_NEEDED
        return
    for group in range(marks.shape[1]):
        before = 0
        for other in range(marks.shape[1]):
            if marks[unit, other] & TIED:
                earlier = order[unit, other] < order[unit, group]
                before += earlier or (order[unit, other] == order[unit, group] and other < group)
        if marks[unit, group] & TIED and before < take:
            marks[unit, group] |= DRAWN | (REALIGNS if kind == REALIGN else 0)
            allotted[unit, group] += 1 if kind == GAIN else -1 if kind == LOSE else 0


CALLED = (set_viability, round_off, correct, take_from_all, begin_again, elect_one, realign, settle)
"""The functions that `award_units` is made of."""
