"""Delegates of one unit from its final alignment: round, then correct until they add up.

Rule: members x delegates / attendance, rounded half up, at least the minimum; then one at a time from the lowest
decimal rounded up, or to the highest decimal rounded down (help text of the official Iowa app of 2020, and a
campaign's calculator: GitHub gitbork/iowa-caucus-app-decompiled, Elizabeth-Warren/iowa-caucus-app).
All comparisons are of integers over the common denominator, the attendance.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from operator import itemgetter
from typing import TYPE_CHECKING

from tallyroom.award.outcome import (
    Awarded,
    AwardError,
    Comparison,
    LotsNeeded,
    MustRealign,
    NoViableGroup,
    Outcome,
    Step,
    StepRule,
    Tie,
    TieKind,
    Unawarded,
)
from tallyroom.award.viability import viability_number, viable_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tallyroom.plan.types import AwardRule


def award(
    rule: AwardRule,
    delegates: int,
    attending: int,
    final: Mapping[str, int],
    lots: Mapping[str, Iterable[str]] | None = None,
) -> Outcome:
    """Award the delegates of one unit.

    Args:
        rule: the contest's rule with its readings in force.
        delegates: delegates the unit elects, 1 or more.
        attending: people present, the denominator; groups may add up to less.
        final: people by group in the final alignment, in sheet order.
        lots: games of chance on record: id of the tie -> groups drawn. One that answers no tie is reported as stray.

    Raises:
        AwardError: a count below 0, no delegates, or people although nobody attends.
    """
    if min(final.values(), default=0) < 0 or attending < 0:
        raise AwardError("counts of people are 0 or more")
    if attending == 0 and any(final.values()):
        raise AwardError("people stand in groups but attendance is 0")
    recorded = {tie: tuple(drawn) for tie, drawn in (lots or {}).items()}
    if attending == 0 or not any(final.values()):
        number = viability_number(rule, delegates, attending)
        return NoViableGroup(number, Unawarded.NOBODY_PRESENT, stray=tuple(recorded))
    number = viability_number(rule, delegates, attending)
    if number is None:
        return _one_delegate(rule, delegates, attending, final, recorded)
    viable = viable_groups(number, final)
    if not viable:
        return NoViableGroup(number, Unawarded.NOBODY_VIABLE, stray=tuple(recorded))
    if len(viable) * rule.minimum > delegates and rule.over_viable == "smallest-realigns":
        return _over_viable(rule, number, viable, delegates, final, recorded)
    return _Count(rule, delegates, attending, number, viable, final, recorded).outcome()


def outcomes(
    rule: AwardRule, delegates: int, attending: int, final: Mapping[str, int]
) -> Iterator[Awarded | MustRealign | NoViableGroup]:
    """Give every outcome that the games of chance can lead to, each once for every way the lots can fall."""
    waiting: list[dict[str, tuple[str, ...]]] = [{}]
    while waiting:
        lots = waiting.pop()
        outcome = award(rule, delegates, attending, final, lots)
        if isinstance(outcome, LotsNeeded):
            tie = outcome.tie
            waiting.extend({**lots, tie.id: drawn} for drawn in combinations(tie.groups, tie.take))
        else:
            yield outcome


def _one_delegate(
    rule: AwardRule,
    delegates: int,
    attending: int,
    final: Mapping[str, int],
    lots: dict[str, tuple[str, ...]],
) -> Outcome:
    """Elect a single delegate, by the reading in force."""
    if delegates != 1:
        raise AwardError(f"the plan gives no viability share for a unit of {delegates} delegates")
    if rule.one_delegate == "caucus-vote":
        return NoViableGroup(None, Unawarded.CAUCUS_VOTES, stray=tuple(lots))
    most = max(final.values())
    largest = tuple(group for group, people in final.items() if people == most)
    majority = 2 * most > attending
    ordered = tuple(sorted(final.items(), key=lambda item: -item[1]))
    compared = Comparison("people", ordered, 1)
    if rule.one_delegate == "majority" and not majority:
        return NoViableGroup(None, Unawarded.NO_MAJORITY, stray=tuple(lots))
    winner, by = largest[0], StepRule.MAJORITY if rule.one_delegate == "majority" else StepRule.PLURALITY
    if len(largest) > 1:
        tie = Tie(TieKind.GAIN, largest, 1, Fraction(most))
        drawn = lots.get(tie.id)
        if drawn is None or not tie.answered_by(drawn):
            return LotsNeeded(None, (), tie, {}, (), stray=tuple(lots))
        winner, by = drawn[0], StepRule.LOT
        lots = {name: groups for name, groups in lots.items() if name != tie.id}
    steps = (Step(by, winner, 1, compared),)
    return Awarded(None, (), {winner: 1}, steps, needs_majority=not majority, stray=tuple(lots))


def _over_viable(
    rule: AwardRule,
    number: int,
    viable: tuple[str, ...],
    delegates: int,
    final: Mapping[str, int],
    lots: dict[str, tuple[str, ...]],
) -> MustRealign | LotsNeeded:
    """More viable groups than delegates: the smallest has to realign."""
    fewest = min(final[group] for group in viable)
    smallest = tuple(group for group in viable if final[group] == fewest)
    surplus = len(viable) - delegates // rule.minimum
    if rule.over_viable_tie != "lot" or len(smallest) <= surplus:
        return MustRealign(number, viable, smallest, stray=tuple(lots))
    tie = Tie(TieKind.REALIGN, smallest, surplus, Fraction(fewest))
    drawn = lots.get(tie.id)
    if drawn is None or not tie.answered_by(drawn):
        return LotsNeeded(number, viable, tie, {}, (), stray=tuple(lots))
    stray = tuple(name for name in lots if name != tie.id)
    return MustRealign(number, viable, tuple(group for group in smallest if group in drawn), stray=stray)


class _TieError(Exception):
    """Leaves the count where chance has to decide; never leaves this module."""

    def __init__(self, tie: Tie) -> None:
        self.tie = tie
        super().__init__(tie.id)


class _Count:
    """The award of one unit while it is being worked out. Numbers are numerators over the attendance."""

    def __init__(
        self,
        rule: AwardRule,
        delegates: int,
        attending: int,
        number: int,
        viable: tuple[str, ...],
        final: Mapping[str, int],
        lots: dict[str, tuple[str, ...]],
    ) -> None:
        self.rule = rule
        self.delegates = delegates
        self.attending = attending
        self.number = number
        self.viable = viable
        self.raw = {group: final[group] * delegates for group in viable}
        self.awarded: dict[str, int] = {}
        self.steps: list[Step] = []
        self.lots = lots
        self.used: set[str] = set()
        self.short = False

    def outcome(self) -> Outcome:
        try:
            if self.crowded:
                self.give_minimum()
                return self.settled()
            self.round()
            over = sum(self.awarded.values()) - self.delegates
            if over > 0:
                self.take_away(over)
            elif over < 0:
                self.give(-over)
        except _TieError as found:
            return LotsNeeded(self.number, self.viable, found.tie, self.awarded, tuple(self.steps), stray=self.stray())
        return self.settled()

    def settled(self) -> Awarded:
        return Awarded(
            self.number,
            self.viable,
            self.awarded,
            tuple(self.steps),
            short_without_rounding_down=self.short,
            stray=self.stray(),
        )

    def stray(self) -> tuple[str, ...]:
        return tuple(tie for tie in self.lots if tie not in self.used)

    @property
    def crowded(self) -> bool:
        return len(self.viable) * self.rule.minimum > self.delegates

    def give_minimum(self) -> None:
        """More viable groups than delegates, and each has its minimum all the same."""
        for group, raw in self.raw.items():
            compared = Comparison("raw", ((group, raw),), self.attending)
            self.steps.append(Step(StepRule.MINIMUM, group, self.rule.minimum, compared))
            self.awarded[group] = self.rule.minimum

    def round(self) -> None:
        attending, minimum, down = self.attending, self.rule.minimum, self.rule.rounding == "down"
        by = StepRule.ROUND_DOWN if down else StepRule.ROUND_HALF_UP
        for group, raw in self.raw.items():
            rounded = raw // attending if down else (2 * raw + attending) // (2 * attending)
            compared = Comparison("raw", ((group, raw),), attending)
            self.steps.append(Step(by, group, rounded, compared))
            if rounded < minimum:
                self.steps.append(Step(StepRule.MINIMUM, group, minimum - rounded, compared))
                rounded = minimum
            self.awarded[group] = rounded

    def take_away(self, over: int) -> None:
        """Take one at a time from the lowest raw minus awarded; nobody loses an only delegate."""
        while over:
            residual = {
                group: self.raw[group] - awarded * self.attending
                for group, awarded in self.awarded.items()
                if awarded > self.rule.minimum
            }
            if over > self.delegates and (rounds := over // len(residual)):
                over -= self.take_from_all(residual, rounds)
                continue
            lowest = min(residual.values())
            last = [group for group, value in residual.items() if value == lowest]
            over -= self.move(StepRule.LOWEST_DECIMAL_LOSES, -1, last, over, residual)

    def take_from_all(self, residual: dict[str, int], rounds: int) -> int:
        """Take from every group that can lose as often as all of them would lose in turn.

        Rounding leaves all residuals less than one delegate apart, so each loses one before any loses a second. Only
        impossible counts, far more people than are present, come to this; one at a time they would take for ever.
        """
        rounds = min(rounds, *(self.awarded[group] - self.rule.minimum for group in residual))
        because = Comparison("raw minus awarded", tuple(sorted(residual.items(), key=itemgetter(1))), self.attending)
        for group in residual:
            self.awarded[group] -= rounds
            self.steps.append(Step(StepRule.LOWEST_DECIMAL_LOSES, group, -rounds, because))
        return rounds * len(residual)

    def give(self, missing: int) -> None:
        """Give one at a time to the highest decimal rounded down; then by the reading in force."""
        while missing:
            residual = {group: self.raw[group] - given * self.attending for group, given in self.awarded.items()}
            rounded_down = {group: value for group, value in residual.items() if value > 0}
            if not rounded_down:
                self.short = True
                if self.rule.short == "cyclic":
                    self.cycle()
                    return
                if self.rule.short == "lot":
                    missing -= self.move(StepRule.SHORT_LOT, 1, list(self.viable), missing, residual)
                    continue
            contenders = rounded_down or residual
            highest = max(contenders.values())
            first = [group for group, value in contenders.items() if value == highest]
            by = StepRule.HIGHEST_DECIMAL_GAINS if rounded_down else StepRule.SHORT_RESIDUAL
            missing -= self.move(by, 1, first, missing, contenders)

    def cycle(self) -> None:
        """Whole parts first, then one each in order of decimal, round and round (the official app of 2020)."""
        decimals: dict[str, int] = {}
        for group, raw in self.raw.items():
            whole = max(raw // self.attending, self.rule.minimum)
            decimals[group] = raw - whole * self.attending
            if back := whole - self.awarded[group]:
                compared = Comparison("raw", ((group, raw),), self.attending)
                self.steps.append(Step(StepRule.SHORT_CYCLIC, group, back, compared))
                self.awarded[group] = whole
        left = self.delegates - sum(self.awarded.values())
        rows = sorted(set(decimals.values()), reverse=True)
        while left:
            for decimal in rows:
                if left:
                    tied = [group for group, value in decimals.items() if value == decimal]
                    left -= self.move(StepRule.SHORT_CYCLIC, 1, tied, left, decimals)

    def move(self, by: StepRule, amount: int, tied: list[str], at_most: int, compared: dict[str, int]) -> int:
        """Move one delegate for each of `tied`, or for those drawn if they are more than `at_most`."""
        if len(tied) > at_most:
            tied, by = list(self.draw(by, amount, tied, at_most, compared)), StepRule.LOT
        ordered = tuple(sorted(compared.items(), key=lambda item: amount * -item[1]))
        because = Comparison("raw minus awarded", ordered, self.attending)
        for group in tied:
            self.awarded[group] += amount
            self.steps.append(Step(by, group, amount, because))
        return len(tied)

    def draw(self, by: StepRule, amount: int, tied: list[str], take: int, compared: dict[str, int]) -> tuple[str, ...]:
        """Give the groups a recorded lot drew, or leave the count to ask for one."""
        kind = TieKind.GAIN if amount > 0 else TieKind.LOSE
        at = Fraction(0) if by is StepRule.SHORT_LOT else Fraction(compared[tied[0]], self.attending)
        tie = Tie(kind, tuple(tied), take, at)
        drawn = self.lots.get(tie.id)
        if drawn is None or tie.id in self.used or not tie.answered_by(drawn):
            raise _TieError(tie)
        self.used.add(tie.id)
        return tuple(group for group in tied if group in drawn)
