"""The points that sources leave open, and the ways to read them: each plan says which way is in force.

Each plan cites the sources of its own readings. A value that cannot be computed (a chair's decision, a vote of the
caucus, a table nobody has seen) means: as written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.faults import CannotRunError, Fault
from tallyroom.plan.closest import closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tallyroom.plan.types import Plan


DELEGATES = "delegates elected in places"
OPEN_ROUNDING = "a rounding that is left open"
OPEN_OVER_VIABLE = "too many viable groups left open"
POOLED = "areas shared by attendance"
EARLY = "early ballots"
NATIONAL = "national pools"
"""What a contest must have for a point to arise."""


@dataclass(frozen=True, slots=True)
class KnownReading:
    """A reading the code understands.

    Attributes:
        meaning: what each value means, by value, in the order they are offered.
        as_written: values that cannot be computed: the written award or weight stands.
        needs: what a contest must have for the point to arise.
    """

    name: str
    question: str
    meaning: Mapping[str, str]
    as_written: frozenset[str] = frozenset()
    needs: str = DELEGATES


KNOWN: Mapping[str, KnownReading] = {
    reading.name: reading
    for reading in (
        KnownReading(
            "rounding",
            "How are exact numbers of delegates rounded before they are corrected?",
            {"half-up": "to the nearest whole number, a half up", "down": "to the whole number below"},
            needs=OPEN_ROUNDING,
        ),
        KnownReading(
            "over_viable",
            "More groups are viable than there are delegates: what happens?",
            {
                "smallest-realigns": "the smallest has to realign",
                "each-has-minimum": "each has what every viable group has at least, beyond what the place elects",
            },
            needs=OPEN_OVER_VIABLE,
        ),
        KnownReading(
            "short_award",
            "Delegates are left over and no group was rounded down: who gets them?",
            {
                "residual": "the group with the largest raw share minus what it was awarded",
                "cyclic": "whole parts first, then one more a group in order of decimal, round and round",
                "lot": "lots are drawn among all viable groups",
            },
        ),
        KnownReading(
            "over_viable_tie",
            "More viable groups than delegates and several are smallest: who must realign?",
            {"all-realign": "all of the smallest", "lot": "those drawn by lot"},
        ),
        KnownReading(
            "one_delegate",
            "Who wins the delegate of a unit that elects one?",
            {
                "plurality": "the largest group; flagged if it is not more than half of those present",
                "majority": "a group of more than half of those present, else nobody",
                "caucus-vote": "whoever the whole caucus elects, whatever the groups",
            },
            frozenset({"caucus-vote"}),
        ),
        KnownReading(
            "nobody_viable",
            "No group is viable after the last alignment: what happens?",
            {
                "no-award": "nothing is awarded until somebody decides",
                "chair-decides": "the chair decides",
                "realign-again": "the caucus realigns once more",
            },
            frozenset({"chair-decides", "realign-again"}),
        ),
        KnownReading(
            "satellite_weight",
            "What is a unit's share of a pool proportional to?",
            {"attendance": "its attendance", "delegates": "the delegates it elects"},
            needs=POOLED,
        ),
        KnownReading(
            "out_of_state_pool",
            "Where does the weight of a pool outside the districts come from?",
            {"fixed": "it is the number in areas.csv", "turnout": "from a table of turnout that nobody has seen"},
            frozenset({"turnout"}),
            needs=POOLED,
        ),
        KnownReading(
            "attendance",
            "Attendance is not on record: what stands in for it?",
            {
                "first": "the people of the first alignment",
                "final": "the people of the last alignment",
                "larger": "the larger of the two",
            },
        ),
        KnownReading(
            "empty_unit",
            "Nobody came: what happens to the delegates?",
            {"vacant": "they stay vacant", "filled-later": "somebody fills them later"},
            frozenset({"filled-later"}),
        ),
        KnownReading(
            "early_second_choice",
            "Can second choices of early ballots make a group viable?",
            {"yes": "they can", "no": "only first choices can"},
            frozenset({"yes", "no"}),
            needs=EARLY,
        ),
        KnownReading(
            "national_tie",
            "Remainders tie for a pool's last national delegate: what decides?",
            {"lot": "a lot, which is reported as open until it is on record", "state-plan": "the state plan"},
            frozenset({"state-plan"}),
            needs=NATIONAL,
        ),
    )
}


def parse(given: Iterable[str]) -> Mapping[str, str]:
    """Read `NAME=VALUE` as typed.

    Raises:
        CannotRunError: one of them has no `=`.
    """
    pairs = [text.partition("=") for text in given]
    bad = [
        Fault(f"{name!r} is not a reading", "Write NAME=VALUE, such as attendance=first.")
        for name, sign, value in pairs
        if not (sign and value)
    ]
    if bad:
        raise CannotRunError(*bad)
    return {name.strip(): value.strip() for name, _, value in pairs}


def choose(plan: Plan, chosen: Mapping[str, str]) -> Mapping[str, str]:
    """Hold readings asked for against those of the plan.

    Raises:
        CannotRunError: names every one the plan does not have, with those it has.
    """
    faults = [fault for name, value in chosen.items() if (fault := _unknown(plan, name, value)) is not None]
    if faults:
        raise CannotRunError(*faults)
    return dict(chosen)


def _unknown(plan: Plan, name: str, value: str) -> Fault | None:
    reading = plan.readings.get(name)
    if reading is None:
        return Fault(f"{name!r} is not a reading of {plan.contest}", closest(name, tuple(plan.readings)))
    if value not in reading.values:
        return Fault(f"{value!r} is not a value of reading {name}", closest(value, reading.values))
    return None
