"""An award in plain words that a chair can read to the room, and the rule behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tallyroom.award.outcome import (
    Awarded,
    LotsNeeded,
    MustRealign,
    Outcome,
    Step,
    StepRule,
    Tie,
    TieKind,
    Unawarded,
)
from tallyroom.award.realignment import Breach, BreachKind
from tallyroom.award.viability import threshold
from tallyroom.exact import printed
from tallyroom.plan.readings import KNOWN
from tallyroom.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from tallyroom.plan.types import AwardRule

Standings: TypeAlias = "list[tuple[str, Fraction]]"

_PLACES = 4
_ROUNDING = frozenset({StepRule.ROUND_HALF_UP, StepRule.ROUND_DOWN, StepRule.MINIMUM})
_PARTS = ("third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth")
_COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def share_words(share: Fraction) -> str:
    """Say a share as people do: `15 percent`, `one sixth`, `12.5 percent`, else `3/7`."""
    percent = 100 * share
    if percent.denominator == 1:
        return f"{percent} percent"
    if 3 <= share.denominator <= 12 and 1 <= share.numerator <= 11:
        part = _PARTS[share.denominator - 3]
        if _terminates(percent, 1):
            return f"{decimal(percent)} percent"
        return f"{_COUNTED[share.numerator - 1]} {part}{'' if share.numerator == 1 else 's'}"
    return f"{decimal(percent)} percent" if _terminates(percent, 2) else str(share)


def decimal(value: Fraction, places: int = _PLACES) -> str:
    """Write a number exactly if `places` decimals are enough, else half up to that many."""
    text = printed(value, places)
    return text.rstrip("0").rstrip(".") if _terminates(value, places) else text


def sentences(
    outcome: Outcome,
    names: Mapping[str, str],
    delegates: int,
    attending: int,
    final: Mapping[str, int],
    *,
    rule: AwardRule,
) -> tuple[str, ...]:
    """Tell an award from the viability number to the last delegate, a sentence a line.

    Args:
        outcome: what `award` gave for the same rule, delegates, attendance and final alignment.
        names: printed names by group; a group without one is called by its id.
        delegates: delegates the unit elects.
        attending: people present.
        final: people by group in the final alignment.
        rule: the contest's rule with its readings in force.
    """
    telling = _Telling(outcome, names, delegates, attending, rule)
    told = [*telling.viability(), *(telling.standing(final) if attending else ())]
    steps = outcome.steps if isinstance(outcome, Awarded | LotsNeeded) else ()
    for step, sentence in zip(steps, telling.steps(), strict=True):
        told.append(sentence)
        if step.rule in _ROUNDING and telling.rounding_ends_with(step):
            told.append(telling.together())
    told += telling.ending(final)
    told += [f"The lot {lot} answers no tie of this award." for lot in outcome.stray]
    return tuple(told)


def step_sentences(
    outcome: Outcome, names: Mapping[str, str], delegates: int, attending: int, *, rule: AwardRule
) -> tuple[str, ...]:
    """Tell why each step was taken: a sentence a step, in the order of `outcome.steps`."""
    return _Telling(outcome, names, delegates, attending, rule).steps()


def breach_sentence(breach: Breach, names: Mapping[str, str]) -> str:
    """Tell what a realignment did that its rules do not allow."""
    if breach.kind is BreachKind.PEOPLE_ADDED:
        return (
            f"{_people(breach.before)} stood in groups at first and {breach.after:,} in the end: "
            f"{breach.after - breach.before:,} more than were let in."
        )
    return (
        f"{names.get(breach.group, breach.group)} was viable, so its members were locked, "
        f"but it went from {_people(breach.before)} to {breach.after:,}."
    )


def rule_sentences(rule: AwardRule) -> tuple[str, ...]:
    """Tell how a contest awards delegates, under the readings in force."""
    told = [_share_sentence(rule, index) for index in range(len(rule.viability))]
    least = rule.minimum
    told.append(
        "The viability number is rounded up and reaching it is enough; "
        "people present count in it whether or not they stand in a group."
    )
    rounded = "down to a whole number" if rule.rounding == "down" else "to a whole number, half and above up,"
    told.append(
        f"A viable group's exact number is its people x delegates / people present, rounded {rounded} "
        f"and at least {least}."
    )
    told.append(
        "Too many: the lowest decimal among those rounded up loses one, and again until it fits; "
        f"nobody goes below {least}."
    )
    told.append("Too few: the highest decimal among those rounded down gains one, and again until it fits.")
    told.append(f"Too few and nobody was rounded down: {_meaning('short_award', rule.short)}.")
    told.append(f"Equal decimals: {rule.lot_of_two} between two groups, {rule.lot_of_more} among more.")
    crowded = f"More viable groups than delegates: {_meaning('over_viable', rule.over_viable)}"
    if rule.over_viable == "smallest-realigns":
        crowded += f"; if several are smallest, {_meaning('over_viable_tie', rule.over_viable_tie)}"
    told.append(f"{crowded}.")
    told.append(f"Nobody viable in the end: {_meaning('nobody_viable', rule.nobody_viable)}.")
    return tuple(told)


def _share_sentence(rule: AwardRule, index: int) -> str:
    """Tell the viability of one row of the table."""
    step, following = rule.viability[index], rule.viability[index + 1 : index + 2]
    last = following[0].delegates_at_least - 1 if following else None
    first = step.delegates_at_least
    span = f"{first} or more" if last is None else str(first) if last == first else f"{first} to {last}"
    place = f"A place that elects {span} delegate{'s' if span != '1' else ''}"
    if step.share is not None:
        return f"{place}: a group needs {share_words(step.share)} of the people present."
    return f"{place}: no viability; the delegate goes to {_meaning('one_delegate', rule.one_delegate)}."


class _Telling:
    """One award being told. Remembers what each group has so far, as the room does."""

    def __init__(
        self, outcome: Outcome, names: Mapping[str, str], delegates: int, attending: int, rule: AwardRule
    ) -> None:
        self.outcome = outcome
        self.names = names
        self.delegates = delegates
        self.attending = attending
        self.rule = rule
        # With one decimal more than the attendance has digits, numbers that differ never print the same.
        self.places = max(_PLACES, len(str(attending)) + 1)
        self.exact: dict[str, Fraction] = {}
        self.has: dict[str, int] = {}
        self.rounded: dict[str, int] = {}

    def name(self, group: str) -> str:
        return self.names.get(group, group)

    def listed(self, groups: Iterable[str]) -> str:
        return listed(map(self.name, groups))

    def number(self, value: Fraction) -> str:
        return decimal(value, _PLACES if _terminates(value, _PLACES) else self.places)

    def numbers(self, standings: Standings) -> str:
        return ", ".join(f"{self.name(group)} {self.number(value)}" for group, value in standings)

    def is_or_about(self, value: Fraction) -> str:
        sign = "=" if _terminates(value, _PLACES) else "is about"
        return f"{sign} {self.number(value)}"

    def viability(self) -> list[str]:
        """The viability number with its arithmetic."""
        if not self.attending:
            return []
        share, number = threshold(self.rule, self.delegates), self.outcome.viability_number
        if share is None or number is None:
            return [f"{_delegates(self.delegates)} to elect: there is no viability number."]
        exact = share * self.attending
        value = self.number(exact) if _terminates(exact, _PLACES) else f"about {self.number(exact)}"
        up = "" if exact == number else ", rounded up"
        return [
            f"{share_words(share)} of {_people(self.attending)} is {value}{up}: a group needs {number:,}.".capitalize()
        ]

    def standing(self, final: Mapping[str, int]) -> list[str]:
        """Each group with anybody in it, and those who stand in none."""
        number, told = self.outcome.viability_number, list[str]()
        for group, people in final.items():
            if people and number is None:
                told.append(f"{self.name(group)} has {people:,}.")
            elif people and number is not None:
                judged = "viable" if people >= number else f"{number - people:,} short, not viable"
                told.append(f"{self.name(group)} has {people:,}: {judged}.")
        aligned = sum(final.values())
        if 0 < aligned < self.attending:
            stand = "stands" if self.attending - aligned == 1 else "stand"
            told.append(
                f"{_people(self.attending - aligned)} {stand} in no group and still "
                f"count{'s' if stand == 'stands' else ''} among the {self.attending:,} present."
            )
        return told

    def steps(self) -> tuple[str, ...]:
        """A sentence a step."""
        steps = self.outcome.steps if isinstance(self.outcome, Awarded | LotsNeeded) else ()
        self.has, self.rounded = {}, {}
        told: list[str] = []
        for step in steps:
            if step.rule in _ROUNDING:
                self.exact[step.group] = step.because.numbers()[step.group]
            before = dict(self.has)
            self.has[step.group] = before.get(step.group, 0) + step.moved
            if step.rule in _ROUNDING:
                self.rounded[step.group] = self.has[step.group]
            told.append(self.step(step, before))
        return tuple(told)

    def step(self, step: Step, before: Mapping[str, int]) -> str:
        standings = list(step.because.numbers().items())
        value = step.because.numbers()[step.group]
        match step.rule:
            case StepRule.ROUND_HALF_UP | StepRule.ROUND_DOWN:
                return self.rounding(step, value)
            case StepRule.MINIMUM:
                return f"{self.name(step.group)} has {self.rule.minimum}, as every viable group has at least."
            case StepRule.LOWEST_DECIMAL_LOSES:
                return self.losing(step, value, standings, before)
            case StepRule.HIGHEST_DECIMAL_GAINS:
                others = self.aside(standings, step.group)
                return (
                    f"The highest decimal among those rounded down is that of {self.name(step.group)}, "
                    f"{self.number(value)}{others}: {self.moved(step)}."
                )
            case StepRule.SHORT_RESIDUAL:
                return (
                    f"Nobody is rounded down. Exact numbers minus delegates: {self.numbers(standings)}. "
                    f"The highest counts: {self.moved(step)}."
                )
            case StepRule.SHORT_CYCLIC:
                return self.cycling(step, value)
            case StepRule.SHORT_LOT:
                return f"Nobody is rounded down and there are enough for all: {self.moved(step)}."
            case StepRule.LOT:
                return self.drawn(step, value, standings)
            case StepRule.PLURALITY:
                others = self.aside(standings, step.group)
                return f"The largest group elects the one delegate: {self.name(step.group)} with {value}{others}."
            case _:  # majority: the only rule left
                return (
                    f"{self.name(step.group)} has {value} of {self.attending:,}, more than half: "
                    "it elects the one delegate."
                )

    def rounding(self, step: Step, value: Fraction) -> str:
        people, way = value * self.attending / self.delegates, "down " if step.rule is StepRule.ROUND_DOWN else ""
        return (
            f"{self.name(step.group)}: {int(people):,} x {self.delegates:,} / {self.attending:,} "
            f"{self.is_or_about(value)}, rounded {way}to {step.moved:,}."
        )

    def losing(self, step: Step, value: Fraction, standings: Standings, before: Mapping[str, int]) -> str:
        compared = {group for group, _ in standings}
        safe = [group for group in before if group not in compared and self.exact[group] - before[group] <= value]
        keeps = self.keeping(safe) if safe else ""
        if value < 0:
            decimals = [(group, residual % 1) for group, residual in standings if residual < 0]
            return (
                f"The lowest decimal among those rounded up is that of {self.name(step.group)}, "
                f"{self.number(value % 1)}{self.aside(decimals, step.group)}: {self.moved(step)}."
            ) + keeps
        return (
            f"Nobody who was rounded up can lose one. Exact numbers minus delegates of the others: "
            f"{self.numbers(standings)}. The lowest counts: {self.moved(step)}."
        ) + keeps

    def keeping(self, groups: list[str]) -> str:
        """Name those who would come first but have no more than everybody has at least."""
        one = len(groups) == 1
        what = f"{'its' if one else 'their'} only delegate"
        if self.rule.minimum > 1:
            what = f"the last {self.rule.minimum:,}"
        return f" {self.listed(groups)} {'keeps' if one else 'keep'} {what}."

    def cycling(self, step: Step, value: Fraction) -> str:
        if step.because.of == "raw":
            return (
                "Nobody is rounded down, so the count begins again with whole numbers: "
                f"{self.name(step.group)}, {self.number(value)}, goes back to {self.has[step.group]:,}."
            )
        return f"Next in the order of decimals is {self.name(step.group)}, {self.number(value)}: {self.moved(step)}."

    def drawn(self, step: Step, value: Fraction, standings: Standings) -> str:
        tied = [group for group, other in standings if other == value]
        if step.because.of == "people":
            return f"{self.listed(tied)} are largest with {value} each; the lot decides: {self.moved(step)}."
        if self.by_lot_among_all():
            return f"Nobody is rounded down, so all viable groups drew lots: {self.moved(step)}."
        at = value % 1 if step.moved < 0 and value < 0 else value
        return f"{self.listed(tied)} tie at {self.number(at)}; the lot decides: {self.moved(step)}."

    def by_lot_among_all(self) -> bool:
        short = isinstance(self.outcome, Awarded) and self.outcome.short_without_rounding_down
        return short and self.rule.short == "lot"

    def moved(self, step: Step) -> str:
        verb = "gains" if step.moved > 0 else "loses"
        return f"{self.name(step.group)} {verb} {abs(step.moved):,} and now has {self.has[step.group]:,}"

    def aside(self, standings: Standings, group: str) -> str:
        others = [(other, value) for other, value in standings if other != group and value]
        return f" ({self.numbers(others)})" if others else ""

    def rounding_ends_with(self, step: Step) -> bool:
        """Whether this step is the last before corrections begin."""
        steps = self.outcome.steps if isinstance(self.outcome, Awarded | LotsNeeded) else ()
        rounding = [other for other in steps if other.rule in _ROUNDING]
        return rounding[-1] is step

    def together(self) -> str:
        total = sum(self.rounded.values())
        beside = total - self.delegates
        if not beside:
            return f"Together {total:,}, as many as there are to award."
        if isinstance(self.outcome, Awarded) and sum(self.outcome.delegates.values()) > self.delegates:
            return f"Together {total:,}, {beside:,} more than the {self.delegates:,} to elect, and each keeps its own."
        return f"Together {total:,}, {abs(beside):,} too {'many' if beside > 0 else 'few'} for {self.delegates:,}."

    def ending(self, final: Mapping[str, int]) -> list[str]:
        """What it comes to."""
        match self.outcome:
            case Awarded():
                return self.awarded(self.outcome)
            case LotsNeeded():
                crowded = self.outcome.tie.kind is TieKind.REALIGN
                return [*([self.crowded(self.outcome.viable)] if crowded else []), self.tie(self.outcome.tie)]
            case MustRealign():
                return [self.crowded(self.outcome.viable), self.realigning(self.outcome, final)]
            case _:  # nobody viable: the only outcome left
                return [self.unawarded(self.outcome.why, final)]

    def awarded(self, outcome: Awarded) -> list[str]:
        told: list[str] = []
        if outcome.short_without_rounding_down:
            told.append(
                "Delegates were left although nobody was rounded down; "
                f"the reading in force is short_award={self.rule.short}."
            )
        if outcome.needs_majority:
            told.append(
                f"That is not more than half of the {_people(self.attending)} present; some readings ask for it."
            )
        parts = [f"{self.name(group)} {count:,}" for group, count in outcome.delegates.items() if count]
        return [*told, f"Awarded: {', '.join(parts)}."]

    def tie(self, tie: Tie) -> str:
        """Which groups only chance can tell apart, and what is at stake."""
        groups = self.listed(tie.groups)
        chance = f"{self.rule.lot_of_more if len(tie.groups) > 2 else self.rule.lot_of_two} decides"
        if tie.kind is TieKind.REALIGN:
            return f"{groups} are smallest with {tie.at} each and {tie.take} must realign: {chance} who."
        if self.outcome.viability_number is None:
            return f"{groups} are largest with {tie.at} each: {chance} who elects the one delegate."
        stake = f"{_delegates(tie.take)} {'is' if tie.take == 1 else 'are'}"
        if tie.kind is TieKind.LOSE:
            at = self.number(tie.at % 1 if tie.at < 0 else tie.at)
            return f"{stake} too many and {groups} tie at {at}: {chance} who loses."
        if self.rule.short == "lot" and tie.at == 0:
            return f"{stake} left and nobody is rounded down: {chance} who of {groups} gains."
        return f"{stake} left and {groups} tie at {self.number(tie.at)}: {chance} who gains."

    def crowded(self, viable: tuple[str, ...]) -> str:
        return (
            f"{len(viable):,} groups are viable, each to have at least {self.rule.minimum}, "
            f"but there {'is' if self.delegates == 1 else 'are'} {_delegates(self.delegates)}."
        )

    def realigning(self, outcome: MustRealign, final: Mapping[str, int]) -> str:
        fewest = min(final[group] for group in outcome.groups)
        each = " each" if len(outcome.groups) > 1 else ""
        return f"The smallest must realign: {self.listed(outcome.groups)} with {fewest:,}{each}."

    def unawarded(self, why: Unawarded, final: Mapping[str, int]) -> str:
        largest = max(final, key=lambda group: final[group], default="")
        most = f"the largest, {self.name(largest)}, has {final[largest]:,} of {self.attending:,}" if largest else ""
        match why:
            case Unawarded.NOBODY_PRESENT:
                absent = "Nobody stands in a group" if self.attending else "Nobody is present"
                return f"{absent}, so no delegate is awarded."
            case Unawarded.NOBODY_VIABLE:
                then = _meaning("nobody_viable", self.rule.nobody_viable)
                return f"No group is viable; {most}. No rule awards the delegates: {then}."
            case Unawarded.NO_MAJORITY:
                return f"One delegate needs more than half of the people present; {most}. It is not awarded."
            case _:  # a vote of the caucus: the only reason left
                return "The whole caucus votes on its one delegate; the groups do not decide it."


def _meaning(reading: str, value: str) -> str:
    return KNOWN[reading].meaning[value]


def _terminates(value: Fraction, places: int) -> bool:
    return (value * 10**places).denominator == 1


def _people(count: int) -> str:
    return counted(count, "person", "people")


def _delegates(count: int) -> str:
    return counted(count, "delegate")
