"""`tallyroom award`: award one place's delegates and explain every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import click

from tallyroom.cli import complete, terminal
from tallyroom.cli.opened import unit_named
from tallyroom.exact import DELEGATES_LIMIT, parse_count, ratio
from tallyroom.faults import CannotRunError, Fault, InputError, refuse
from tallyroom.plan.closest import closest
from tallyroom.report.attendance import delegates_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallyroom.award import Breach, Outcome
    from tallyroom.plan.types import AwardRule, Plan

JSON: TypeAlias = "bool | int | str | Sequence[JSON] | Mapping[str, JSON] | None"

OUTCOMES = {
    "Awarded": "awarded",
    "LotsNeeded": "lots-needed",
    "MustRealign": "must-realign",
    "NoViableGroup": "no-viable-group",
}
"""The word for each outcome in JSON."""
EXAMPLE = (6, (52, 34, 14))
"""Delegates and people by group of the worked example."""


@dataclass(frozen=True, slots=True)
class Evening:
    """One place as asked for: what it elects, who came, where they stood, and the lots on record."""

    delegates: int
    attending: int
    final: Mapping[str, int]
    first: Mapping[str, int]
    lots: Mapping[str, tuple[str, ...]]
    where: str = ""


class _ListsFirst(click.Command):
    """Lets one `--first` be followed by several counts, once the final counts have been given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write `--first` before each count that follows one."""
        taking = {
            opt for param in self.params if isinstance(param, click.Option) and not param.is_flag for opt in param.opts
        }
        spread: list[str] = []
        finals = gathering = False
        waiting = iter(args)
        for word in waiting:
            if word.startswith("-"):
                spread.append(word)
                spread += [next(waiting, "")] if word in taking and "=" not in word else []
                gathering = finals and word.partition("=")[0] == "--first"
            elif gathering and "=" in word:
                spread += ["--first", word]
            else:
                spread.append(word)
                finals = finals or "=" in word
        return super().parse_args(ctx, spread)


@click.command("award", cls=_ListsFirst)
@click.argument("contest", shell_complete=complete.contests)
@click.argument("final", nargs=-1, metavar="[GROUP=COUNT]...", shell_complete=complete.groups)
@click.option("--delegates", metavar="N", help="Delegates the place elects.")
@click.option(
    "--unit",
    metavar="ID",
    shell_complete=complete.units,
    help="A precinct or satellite: its delegates are in the plan.",
)
@click.option("--attending", metavar="N", help="People present, whether or not they stand in a group.")
@click.option(
    "--first",
    multiple=True,
    metavar="GROUP=COUNT",
    shell_complete=complete.groups,
    help="First alignment: checks the realignment.",
)
@click.option(
    "--reading",
    "readings",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=complete.readings,
    help="Another reading of the rules.",
)
@click.option("--lot", "lots", multiple=True, metavar="ID=GROUP[,GROUP]", help="A game of chance on record.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(
    contest: str,
    final: tuple[str, ...],
    delegates: str | None,
    unit: str | None,
    attending: str | None,
    first: tuple[str, ...],
    readings: tuple[str, ...],
    lots: tuple[str, ...],
    as_json: bool,  # noqa: FBT001 - click's shape
) -> None:
    """Award one place's delegates and explain every step.

    CONTEST is the id of a contest that comes with Tallyroom, or the folder of a plan. GROUP=COUNT are the people
    of the final alignment. Without counts: the contest's rules in words, with a worked example.
    """
    from tallyroom.plan.catalogue import find  # noqa: PLC0415 - `--help` needs no plan
    from tallyroom.plan.readings import choose, parse  # noqa: PLC0415 - the same

    plan = find(contest)
    in_force = {**plan.in_force, **choose(plan, parse(readings))}
    rule = plan.award_under(in_force)
    if final and not plan.elects:
        what = f"the places of {plan.contest} elect no delegates: they only count votes"
        remedy = f"`tallyroom tabulate {plan.contest}` shows the national delegates that its votes share."
        raise CannotRunError(Fault(what, remedy))
    if not final:
        if as_json or first or lots or unit or delegates or attending:
            raise click.UsageError("give the people of each group, such as " + " ".join(_example_counts(plan)) + ".")
        _print_rules(plan, rule, in_force)
        return
    if (delegates is None) == (unit is None):
        raise click.UsageError("give either --delegates or --unit.")
    if attending is None:
        raise click.UsageError("give --attending: the people present, whether or not they stand in a group.")
    evening = _evening(plan, delegates, unit, attending, final, first, lots)
    _print_award(plan, rule, in_force, evening, as_json=as_json)


def _evening(
    plan: Plan,
    delegates: str | None,
    unit: str | None,
    attending: str,
    final: Sequence[str],
    first: Sequence[str],
    lots: Sequence[str],
) -> Evening:
    """Read what was typed, or refuse with everything that is wrong with it."""
    faults: list[Fault] = []
    present = _count("--attending", attending, faults)
    elects = _elects(plan, delegates, unit, present, faults)
    people = _counts(plan, "", final, faults)
    before = _counts(plan, "--first ", first, faults)
    drawn = _lots(lots, faults)
    if not faults:
        for stage, counts in (("final", people), ("first", before)):
            if (aligned := sum(counts.values())) > present:
                what = f"{aligned:,} people stand in groups in the {stage} alignment but --attending is {present:,}"
                faults.append(Fault(what, "Correct the counts or the attendance."))
    refuse(faults)
    return Evening(elects, present, people, before, drawn, plan.units[unit_named(plan, unit)].name if unit else "")


def _count(where: str, text: str, faults: list[Fault]) -> int:
    """Read one count; a fault is noted and counts as 0."""
    try:
        count = parse_count(text)
    except ValueError as wrong:
        faults.append(Fault(f"{where}: {wrong}", "Give a whole number."))
        return 0
    if count is None:
        faults.append(Fault(f"{where}: the count is missing", "Write 0 if there is nobody."))
    return count or 0


def _counts(plan: Plan, where: str, given: Sequence[str], faults: list[Fault]) -> dict[str, int]:
    """Read GROUP=COUNT words into people by group, in the order given."""
    people: dict[str, int] = {}
    for word in given:
        group, equals, count = word.partition("=")
        if not equals:
            faults.append(
                Fault(f"{where}{word}: that is not GROUP=COUNT", "Write a group and its people, such as a=52.")
            )
        elif group not in plan.groups:
            what = f"{where}{word}: {group!r} is not a group of {plan.contest}"
            faults.append(Fault(what, closest(group, plan.groups, "The groups are")))
        elif group in people:
            faults.append(Fault(f"{where}{word}: {group!r} is given twice", "Give each group one count."))
        else:
            people[group] = _count(f"{where}{word}", count, faults)
    return people


def _lots(given: Sequence[str], faults: list[Fault]) -> dict[str, tuple[str, ...]]:
    """Read ID=GROUP[,GROUP] words; whether they answer a tie is for the award to say."""
    lots: dict[str, tuple[str, ...]] = {}
    for word in given:
        tie, equals, groups = word.rpartition("=")
        if not equals or not tie or not groups:
            remedy = "Write the tie's id, = and the groups drawn, as the award asks for it."
            faults.append(Fault(f"--lot {word}: that is not ID=GROUP[,GROUP]", remedy))
        elif tie in lots:
            faults.append(Fault(f"--lot {word}: this lot is given twice", "Give each lot once."))
        else:
            lots[tie] = tuple(groups.split(","))
    return lots


def _elects(plan: Plan, delegates: str | None, unit: str | None, attending: int, faults: list[Fault]) -> int:
    """Give what the place elects: as typed, as the plan fixes it, or by the band its attendance reaches."""
    if unit is not None:
        place = plan.units[unit_named(plan, unit)]
        elects = delegates_of(place, plan.bands, attending)
        if place.delegates is None and not plan.bands:
            what = f"--unit {unit}: how many delegates it elects is not on record"
            faults.append(Fault(what, "Give their number with --delegates instead."))
        elif elects < 1:
            what = f"--unit {unit}: with {attending:,} present it elects no delegates"
            faults.append(Fault(what, "Correct the attendance, or choose a unit that elects some."))
        return elects
    typed, noted = delegates or "", len(faults)
    below = typed.strip().startswith("-") and typed.strip()[1:].isdigit()
    elects = 0 if below else _count("--delegates", typed, faults)
    if len(faults) == noted and not 1 <= elects < DELEGATES_LIMIT:
        what = f"--delegates {typed}: a place elects from 1 to {DELEGATES_LIMIT - 1:,} delegates"
        faults.append(Fault(what, "Give the number in the plan."))
    return elects


def _print_award(plan: Plan, rule: AwardRule, in_force: Mapping[str, str], evening: Evening, *, as_json: bool) -> None:
    from tallyroom.award import Awarded, AwardError, LotsNeeded, award, breaches  # noqa: PLC0415 - `--help` needs none

    try:
        outcome = award(rule, evening.delegates, evening.attending, evening.final, evening.lots)
    except AwardError as broken:
        raise InputError(Fault(str(broken), "Correct the counts, or the plan.")) from None
    refuse(_stray(outcome, evening))
    may_move = plan.stages[-1].may_move
    found = breaches(rule, evening.delegates, evening.attending, evening.first, evening.final, may_move=may_move)
    found = found if evening.first else ()
    if as_json:
        terminal.print_json(award_object(plan, rule, in_force, evening, outcome, found))
        return
    from tallyroom.award.words import breach_sentence, sentences  # noqa: PLC0415 - only people read words

    names = _names(plan)
    page = terminal.current()
    place = f", {evening.where}" if evening.where else ""
    page.line(f"{plan.name}{place}: {evening.delegates:,} to elect, {evening.attending:,} present.")
    for sentence in sentences(outcome, names, evening.delegates, evening.attending, evening.final, rule=rule):
        page.line(sentence)
    for breach in found:
        page.line(f"The realignment breaks a rule: {breach_sentence(breach, names)}")
    if isinstance(outcome, LotsNeeded):
        drawn = ",".join(outcome.tie.groups[: outcome.tie.take])
        page.line(f"Once it is drawn, say who it fell on, such as: --lot {outcome.tie.id}={drawn}")
    if isinstance(outcome, Awarded):
        rows = [[names[g], f"{n:,}", f"{outcome.delegates.get(g, 0):,}"] for g, n in evening.final.items()]
        page.line()
        page.table(["Group", "People", "Delegates"], rows, right={1, 2})


def _stray(outcome: Outcome, evening: Evening) -> list[Fault]:
    """Name the lots that answer no tie, with what is asked for instead."""
    from tallyroom.award import LotsNeeded  # noqa: PLC0415 - `--help` needs no award

    tie = outcome.tie if isinstance(outcome, LotsNeeded) else None
    faults: list[Fault] = []
    for lot in outcome.stray:
        drawn = evening.lots[lot]
        what, remedy = "that lot answers no tie of this award", "Leave it out: no lot is needed."
        if tie is not None and lot == tie.id:
            what = "those groups cannot have been drawn in that tie"
            remedy = f"Give {tie.take} of {', '.join(tie.groups)}."
        elif tie is not None:
            remedy = f"The award asks for the lot {tie.id}."
        faults.append(Fault(f"--lot {lot}={','.join(drawn)}: {what}", remedy))
    return faults


def award_object(
    plan: Plan,
    rule: AwardRule,
    in_force: Mapping[str, str],
    evening: Evening,
    outcome: Outcome,
    found: Sequence[Breach],
) -> Mapping[str, JSON]:
    """Give the JSON form of an award; keys are only ever added.

    Args:
        plan: the contest's plan.
        rule: its award rule with the readings in force.
        in_force: value by reading.
        evening: what was asked.
        outcome: what `award` said to it.
        found: breaches of the realignment.
    """
    from tallyroom.award import Awarded, LotsNeeded, MustRealign, NoViableGroup  # noqa: PLC0415 - `--help` needs none

    got: Mapping[str, int] = outcome.delegates if isinstance(outcome, Awarded | LotsNeeded) else {}
    tie = outcome.tie if isinstance(outcome, LotsNeeded) else None
    return {
        "outcome": OUTCOMES[type(outcome).__name__],
        "viability_number": outcome.viability_number,
        "viable": () if isinstance(outcome, NoViableGroup) else outcome.viable,
        "delegates": {group: got.get(group, 0) for group in evening.final},
        "readings": in_force,
        "steps": _step_objects(plan, rule, evening, outcome),
        "lots_needed": tie and {"id": tie.id, "kind": tie.kind, "groups": tie.groups, "take": tie.take},
        "must_realign": outcome.groups if isinstance(outcome, MustRealign) else (),
        "why": outcome.why if isinstance(outcome, NoViableGroup) else None,
        "needs_majority": isinstance(outcome, Awarded) and outcome.needs_majority,
        "breaches": _breach_objects(plan, found),
    }


def _step_objects(plan: Plan, rule: AwardRule, evening: Evening, outcome: Outcome) -> Sequence[JSON]:
    from tallyroom.award import Awarded, LotsNeeded  # noqa: PLC0415 - `--help` needs no award
    from tallyroom.award.words import step_sentences  # noqa: PLC0415 - the same

    steps = outcome.steps if isinstance(outcome, Awarded | LotsNeeded) else ()
    told = step_sentences(outcome, _names(plan), evening.delegates, evening.attending, rule=rule)
    return [
        {
            "rule": step.rule,
            "group": step.group,
            "moved": step.moved,
            "because": sentence,
            "of": step.because.of,
            "numbers": {group: ratio(number) for group, number in step.because.numbers().items()},
        }
        for step, sentence in zip(steps, told, strict=True)
    ]


def _breach_objects(plan: Plan, found: Sequence[Breach]) -> Sequence[JSON]:
    from tallyroom.award.words import breach_sentence  # noqa: PLC0415 - `--help` needs no words

    return [
        {
            "kind": breach.kind,
            "group": breach.group,
            "before": breach.before,
            "after": breach.after,
            "text": breach_sentence(breach, _names(plan)),
        }
        for breach in found
    ]


def _names(plan: Plan) -> dict[str, str]:
    return {group.id: group.name for group in plan.groups.values()}


def _example_counts(plan: Plan) -> list[str]:
    return [f"{group}={people}" for group, people in zip(plan.groups, EXAMPLE[1], strict=False)]


def _print_rules(plan: Plan, rule: AwardRule, in_force: Mapping[str, str]) -> None:
    """Print how the contest awards delegates, and one worked example."""
    from tallyroom.award.words import rule_sentences  # noqa: PLC0415 - `--help` needs no words

    page = terminal.current()
    page.line(f"{plan.name}: how delegates are awarded.")
    for sentence in rule_sentences(rule):
        page.line(f"- {sentence}")
    page.heading("What the sources leave open, and the reading in force (change one with --reading NAME=VALUE)")
    rows = [[f"{name}={in_force[name]}", reading.question] for name, reading in plan.readings.items()]
    page.table(["Reading", "Question"], rows)
    page.heading("For example")
    for line in _example(plan, rule):
        page.line(line)


def _example(plan: Plan, rule: AwardRule) -> Sequence[str]:
    """Give the command of the worked example and what it says; a plan that cannot award it is told so."""
    from tallyroom.award import AwardError, award  # noqa: PLC0415 - `--help` needs no award
    from tallyroom.award.words import sentences  # noqa: PLC0415 - the same

    if not plan.bands and not any(unit.delegates for unit in plan.units.values()):
        return ["None: no place of this contest elects delegates of its own."]
    delegates, attending = EXAMPLE[0], sum(EXAMPLE[1])
    final = dict(zip(plan.groups, EXAMPLE[1], strict=False))
    try:
        outcome = award(rule, delegates, attending, final)
    except AwardError as broken:
        return [f"None can be given: {broken}. Add a share for it to the table of viability."]
    counts = " ".join(_example_counts(plan))
    typed = f"$ tallyroom award {plan.contest} --delegates {delegates} --attending {attending} {counts}"
    return [typed, *sentences(outcome, _names(plan), delegates, attending, final, rule=rule)]
