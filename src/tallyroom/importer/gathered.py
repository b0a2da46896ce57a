"""Counts from all rows of all files, place by place: what is said twice is compared, and becomes one report."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from tallyroom.importer import words as w
from tallyroom.importer.outcomes import NOTHING, REPEATED, Question, Questioned, Read, Where
from tallyroom.report.record import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tallyroom.importer.decisions import Decisions
    from tallyroom.importer.outcomes import Log
    from tallyroom.plan.types import Plan

Key: TypeAlias = tuple[str, str, str]
"""Unit, measure (a stage, `attendance` ...) and group, which is empty for the whole place."""
Number: TypeAlias = int | Fraction


@dataclass(frozen=True, slots=True)
class Given:
    """A number, and the row that said it first."""

    number: Number
    place: int
    where: Where


class Gathered:
    """What was read so far."""

    def __init__(self, plan: Plan, decisions: Decisions, log: Log) -> None:
        self._plan, self._decisions, self._log = plan, decisions, log
        self._cells: dict[Key, Given] = {}
        self.held: dict[str, Where] = {}
        """Units with a row at fault, and the first such row: nothing of them is reported until it is settled."""

    def hold(self, unit: str, where: Where) -> None:
        """Hold a unit back because of a row."""
        self.held.setdefault(unit, where)

    def new(self, key: Key) -> bool:
        """Whether nothing was said of it before."""
        return key not in self._cells

    def take(self, counts: Sequence[tuple[Key, Number]], where: Where, units: Sequence[str], note: str) -> None:
        """Take the counts of a row, or question it, and the row before it, where they differ."""
        fresh, differing, settled = dict[Key, Number](), list[tuple[Question, Given | None]](), dict[Key, Number]()
        for key, number in counts:
            before = self._cells.get(key)
            standing = fresh.get(key) if before is None else before.number
            if standing is None:
                fresh[key] = number
            elif standing != number:
                question = self._question(key, standing, number, before, where)
                answer = self._decisions.answer(question)
                if answer in (_written(standing), _written(number)):
                    settled[key] = standing if answer == _written(standing) else number
                else:
                    differing.append((question, before))
        if differing:
            self._differ(differing, where, units)
            return
        repeated = not fresh and not settled
        said = NOTHING if not counts else REPEATED if repeated else note
        place = self._log.add(Read(where, tuple(units), said))
        for key, number in (fresh | settled).items():
            self._cells[key] = Given(number, place, where)

    def _differ(self, differing: Iterable[tuple[Question, Given | None]], where: Where, units: Iterable[str]) -> None:
        asked = tuple(question for question, _ in differing)
        self._log.add(Questioned(where, asked))
        for question, before in differing:
            if before is not None:
                self._log.question(before.place, question)
        for unit in units:
            self.hold(unit, where)

    def _question(self, key: Key, one: Number, other: Number, before: Given | None, where: Where) -> Question:
        unit, measure, group = key
        told = " ".join(part for part in (self._plan.units[unit].name, measure, group) if part)
        first = f"{before.where.file} {before.where}" if before is not None else str(where)
        written = sorted((_written(one), _written(other)))
        return Question(
            "duplicate",
            " ".join(part for part in key if part),
            " or ".join(written),
            f"{told} is {_written(one)} in {first}, and {_written(other)} in {where.file} {where}: which is right?",
            choices=tuple(written),
        )

    def reports(self) -> tuple[Report, ...]:
        """Give a report for each unit that has counts and is not held, in the order of the plan."""
        found = dict[str, list[tuple[str, str, Number]]]()
        for (unit, measure, group), given in self._cells.items():
            found.setdefault(unit, []).append((measure, group, given.number))
        return tuple(
            self._report(unit, found[unit]) for unit in self._plan.units if unit in found and unit not in self.held
        )

    def files(self) -> Mapping[str, tuple[str, ...]]:
        """Give the files that each unit's counts came from, in the order they were read."""
        found = dict[str, dict[str, None]]()
        for (unit, _, _), given in self._cells.items():
            found.setdefault(unit, {})[given.where.file] = None
        return {unit: tuple(names) for unit, names in found.items()}

    def _report(self, unit: str, counts: Iterable[tuple[str, str, Number]]) -> Report:
        by_measure = dict[str, dict[str, Number]]()
        for measure, group, number in counts:
            by_measure.setdefault(measure, {})[group] = number
        whole = {measure: self._ordered(by_measure.get(measure, {})) for measure in by_measure}
        values = by_measure.get(w.VALUE)
        return Report(
            unit,
            {stage.id: whole[stage.id] for stage in self._plan.stages if stage.id in whole},
            whole.get(w.ATTENDANCE, {}).get(""),
            whole.get(w.VIABILITY, {}).get(""),
            whole.get(w.DELEGATES),
            None
            if values is None
            else {group: Fraction(values[group]) for group in self._plan.groups if group in values},
        )

    def _ordered(self, numbers: Mapping[str, Number]) -> dict[str, int]:
        """Counts in the order of the plan's groups: equal reports are then equal letter for letter."""
        order = ("", *self._plan.groups)
        return {group: int(numbers[group]) for group in order if group in numbers}


def _written(number: Number) -> str:
    return str(number) if isinstance(number, int) or number.denominator == 1 else _decimal(number)


def _decimal(number: Fraction) -> str:
    digits = str(number.numerator * 10**12 // number.denominator).rjust(13, "0")
    return f"{digits[:-12]}.{digits[-12:]}".rstrip("0")
