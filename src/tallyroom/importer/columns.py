"""What each column of a table holds, by the words above it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tallyroom.importer import words as w
from tallyroom.importer.decisions import LEAVE_OUT
from tallyroom.importer.fold import NAME_CHARACTERS, plain, tokens
from tallyroom.importer.outcomes import Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallyroom.importer.decisions import Decisions
    from tallyroom.importer.names import Names
    from tallyroom.plan.types import Plan

ROLES = frozenset({"place", "code", "area", "stage", "group"})
"""What names a row, rather than counting something."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column, or the meaning of a word that stands in one.

    Attributes:
        header: the words above it, as they stand.
        role: `place`, `code`, `area`, `stage` and `group` name the row; `count` counts; `total` is a sum over groups;
            `percent` and `aside` hold no counts; `name` is one of place and group; `unknown` is any other.
        measure: what is counted: a stage, `attendance`, `viability_number`, `delegates` or `value`; empty if not said.
        group: of which group; empty if not said, or of the whole place.
        unit: of which place, where places stand above columns.
        question: what must be answered before its counts are taken.
    """

    header: str
    role: str
    measure: str = ""
    group: str = ""
    unit: str = ""
    question: Question | None = None

    @property
    def certain(self) -> bool:
        """Whether it is known and nothing is to be asked."""
        return self.role != "unknown" and self.question is None


class Headings:
    """Reads headings in the words of a plan and of its field."""

    def __init__(self, plan: Plan, decisions: Decisions, groups: Names, places: Names) -> None:
        self.words, self._plan, self._decisions = w.Words(plan), plan, decisions
        self._groups, self._places = groups, places
        self._group_words = {word for group in plan.groups.values() for word in tokens(group.name)}
        self._known: dict[tuple[str, ...], Column] = {}

    def telling(self, cells: Sequence[str]) -> bool:
        """Whether a row has any word that a header has: a quick look before a close one."""
        known = self.words.known | self._group_words
        return any(not known.isdisjoint(tokens(cell)) for cell in cells if len(cell) < 200)

    def read(self, parts: Sequence[str]) -> Column:
        """Say what a column holds, from the cells above it, topmost first."""
        key = tuple(part.strip()[:NAME_CHARACTERS] for part in parts if part.strip())
        found = self._known.get(key)
        if found is None:
            if len(self._known) > 20_000:
                self._known.clear()
            found = self._known[key] = self._read(key)
        return found

    def _read(self, parts: tuple[str, ...]) -> Column:
        header = " ".join(" ".join(parts).split())[:200]
        if not header:
            return Column("", "unknown")
        if answer := self._decisions.given("column", "", header):
            return self.answered(header, answer)
        spoken = tokens(header)
        if self._is_percent(header, spoken):
            return Column(header, "percent")
        return self._role(header, spoken) or self._counted(header, spoken) or self._guessed(header, parts)

    def _is_percent(self, header: str, spoken: tuple[str, ...]) -> bool:
        """Whether a column holds shares; `Pct` alone is short for precinct, beside a group it is a percentage."""
        said = set(spoken)
        if "%" in header or said & w.PERCENT - {"pct"}:
            return True
        return "pct" in said and bool(said & (self._group_words | {"vote", "votes", "total"}))

    def answered(self, header: str, answer: str) -> Column:
        """Give the meaning that a person has decided on: `leave-out`, a role, or MEASURE, GROUP or MEASURE:GROUP."""
        word = plain(answer)
        if word == LEAVE_OUT:
            return Column(header, "aside")
        if word in ROLES or word == "total":
            return Column(header, word)
        measure, _, group = word.rpartition(":")
        if not measure and self._is_measure(group):
            measure, group = group, ""
        if (not measure or self._is_measure(measure)) and (not group or group in self._plan.groups):
            return Column(header, "count", measure or self._default(), group)
        if word in self._plan.units:
            return Column(header, "count", self._default(), unit=word)
        asks = f"What is column {header!r}? The answer {answer!r} is none of this contest"
        return Column(header, "unknown", question=Question("column", "", header, asks))

    def _is_measure(self, word: str) -> bool:
        return word in self.words.stages or word in (w.ATTENDANCE, w.VIABILITY, w.DELEGATES, w.VALUE)

    def _default(self) -> str:
        return self.words.single

    def _role(self, header: str, spoken: tuple[str, ...]) -> Column | None:
        """Columns that name rows, and those that hold no counts."""
        said = set(spoken)
        if not said:
            return None
        bare = said - {"name", "names", "of", "the"}
        if not bare:
            return Column(header, "name") if "name" in said or "names" in said else None
        levels = self.words.levels
        if bare <= levels:
            deepest = bare & ({"county", "parish"} | set(tokens(self._plan.levels[-1])))
            return Column(header, "area", measure="deepest" if deepest else "above")
        if bare & levels and bare <= levels | w.CODE | w.NUMBER:
            return Column(header, "aside")
        if {"precincts", "reporting"} <= said or {"units", "reporting"} <= said:
            return Column(header, "aside")
        if bare & w.PLACE and bare <= w.PLACE | w.CODE | w.NUMBER:
            return Column(header, "code" if bare & (w.CODE | w.NUMBER) else "place")
        if bare <= w.CODE:
            return Column(header, "code")
        if bare & w.GROUP and bare <= w.GROUP:
            return Column(header, "group")
        if bare <= w.STAGE and bare != {"tally"}:
            return Column(header, "stage")
        return Column(header, "aside") if bare & w.ASIDE and not bare & self._group_words else None

    def _counted(self, header: str, spoken: tuple[str, ...]) -> Column | None:
        """Columns of counts whose every word is understood."""
        group, rest = self._group_in(spoken)
        measure, rest = self.words.measure(rest)
        left = [word for word in rest if word not in w.NOISE]
        if group and not left and measure not in w.WITHOUT_GROUP:
            return Column(header, "count", measure or self._default(), group)
        if group:
            return None
        said = set(left)
        if measure in w.WITHOUT_GROUP and said <= w.TOTAL | w.COUNT:
            return Column(header, "count", measure)
        if said & w.SURE_TOTAL and said <= w.TOTAL | w.COUNT | {"cast", "valid"}:
            return Column(header, "total", measure or self._default())
        if (measure or set(rest) & w.COUNT) and not said - w.COUNT:
            return Column(header, "count", measure or self._default())
        return None

    def _group_in(self, spoken: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """Find the group whose whole name stands in a heading, the longest first; nothing if two do."""
        for size in range(min(len(spoken), 6), 0, -1):
            found = {
                (ids[0], start)
                for start in range(len(spoken) - size + 1)
                if len(ids := self._groups.certain(" ".join(spoken[start : start + size]))) == 1
            }
            if len({group for group, _ in found}) > 1:
                return "", spoken
            if found:
                group, start = min(found, key=lambda each: each[1])
                return group, (*spoken[:start], *spoken[start + size :])
        return "", spoken

    def _guessed(self, header: str, parts: tuple[str, ...]) -> Column:
        """Places above columns, and headings that a person must confirm."""
        if len(units := self._places.certain(parts[-1])) == 1:
            measure, _ = self.words.measure(tokens(" ".join(parts[:-1])))
            return Column(header, "count", measure or self._default(), unit=units[0])
        spoken = tokens(header)
        group, rest = self._group_in(spoken)
        measure, rest = self.words.measure(rest)
        if not measure:
            measure, rest = self.words.measure_perhaps(rest)
        measure = measure or self._default()
        if not group:
            name = " ".join(word for word in rest if word not in w.NOISE)
            matched = self._groups.match(name) if name else None
            if matched is not None and len(matched.ids) == 1:
                group = matched.ids[0]
        if not group and len(near := self._places.match(parts[-1]).ids) == 1:
            asks = f"Does column {header!r} hold the counts of {self._plan.units[near[0]].name}?"
            return Column(header, "unknown", question=Question("column", "", header, asks, near[0]))
        if not group:
            asks = f"What is column {header!r}? No group of the contest is named so"
            return Column(header, "unknown", question=Question("column", "", header, asks) if measure else None)
        proposal = f"{measure}:{group}" if measure else group
        asks = f"Does column {header!r} hold {self._told(measure, group)}?"
        return Column(header, "count", measure, group, question=Question("column", "", header, asks, proposal))

    def _told(self, measure: str, group: str) -> str:
        """Say in words what a column would hold."""
        stages = {stage.id: f"the {stage.name.lower()}" for stage in self._plan.stages}
        counted = stages.get(measure, measure.replace("_", " ") or "the counts")
        return f"{counted} of {self._plan.groups[group].name}"


def arranged(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Settle columns by their neighbours: a bare `name`, a first column without a heading or with an unknown one."""
    found = list(columns)
    roles = {column.role for column in found}
    groups = sum(column.role == "count" and bool(column.group) for column in found)
    units = sum(column.role == "count" and bool(column.unit) for column in found)
    for place, column in enumerate(found):
        if column.role == "count" and groups and "group" not in roles and column.measure and not _of_somebody(column):
            found[place] = replace(column, role="total")
        elif column.role == "name":
            is_group = "place" in roles and groups == 0
            found[place] = replace(column, role="group" if is_group else "place" if "place" not in roles else "aside")
    if (
        not roles & {"place", "code", "name"}
        and found
        and (found[0].role in ("unknown", "area") or found[0].question is not None)
    ):
        if groups >= 2:
            found[0] = replace(found[0], role="place", measure="", question=None)
        elif units >= 2 and "group" not in roles and found[0].role == "unknown":
            found[0] = replace(found[0], role="group", question=None)
    return tuple(found)


def _of_somebody(column: Column) -> bool:
    return bool(column.group or column.unit or column.measure in w.WITHOUT_GROUP)


def usable(columns: Sequence[Column]) -> int:
    """Say how good a header these columns make; 0 if rows below could not be read by them."""
    counts = [column for column in columns if column.role == "count"]
    roles = {column.role for column in columns}
    by_place = bool(roles & {"place", "code"}) and not any(column.unit for column in counts)
    by_group = "group" in roles and any(column.unit for column in counts)
    if not counts or not (by_place or by_group):
        return 0
    if by_place and "group" not in roles and not any(column.group or column.measure for column in counts):
        return 0
    told = sum(bool(column.measure) + bool(column.group or column.unit) for column in counts if column.certain)
    worth = 2 * told + sum(column.certain for column in columns) - sum(bool(column.question) for column in columns)
    return max(1, 1 + worth)
