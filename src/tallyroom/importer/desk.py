"""What every row of every file is read with: the plan's names, the answers given, the sums, the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tallyroom.importer import names as n
from tallyroom.importer import words as w
from tallyroom.importer.columns import Headings
from tallyroom.importer.decisions import Decisions
from tallyroom.importer.fold import tokens
from tallyroom.importer.gathered import Gathered
from tallyroom.importer.outcomes import Log, Where
from tallyroom.importer.sheet import LIMITS, Limits
from tallyroom.importer.totals import Sums

if TYPE_CHECKING:
    from tallyroom.plan.types import Plan


@dataclass(frozen=True, slots=True)
class Context:
    """What a title, a sheet's name or a heading says of the rows below it."""

    area: str = ""
    stage: str = ""

    def then(self, other: Context) -> Context:
        """Give this context, changed by what another one says."""
        return Context(other.area or self.area, other.stage or self.stage)

    def __bool__(self) -> bool:
        """Whether it says anything."""
        return bool(self.area or self.stage)


@dataclass
class Desk:
    """The table at which files are read.

    Attributes:
        plan: the contest.
        decisions: the answers given so far.
        limits: what a file may hold at most.
        file: the file that is being read.
        tables: tables found in it so far.
    """

    plan: Plan
    decisions: Decisions = field(default_factory=Decisions)
    limits: Limits = LIMITS
    file: str = ""
    tables: int = 0

    def __post_init__(self) -> None:
        self.log = Log()
        self.sums = Sums(self.below)
        self.gathered = Gathered(self.plan, self.decisions, self.log)
        self._within: dict[str, frozenset[str]] = {}
        self._heard: dict[tuple[str, ...], str] = {}
        self._below: dict[str, frozenset[str]] = {}

    @cached_property
    def places(self) -> n.Names:
        """Names of the units."""
        return n.places(self.plan)

    @cached_property
    def groups(self) -> n.Names:
        """Names of the groups."""
        return n.groups(self.plan)

    @cached_property
    def areas(self) -> n.Names:
        """Names of the areas."""
        return n.areas(self.plan)

    @cached_property
    def headings(self) -> Headings:
        """What headings mean."""
        return Headings(self.plan, self.decisions, self.groups, self.places)

    @cached_property
    def _passing(self) -> frozenset[str]:
        """Words of a title that say nothing here."""
        return w.TITLE | self.headings.words.levels | set(tokens(self.plan.name)) | set(tokens(self.plan.contest))

    def where(self, sheet: str, line: int) -> Where:
        """Name a row of the file that is being read."""
        return Where(self.file, sheet, line, line)

    def within(self, area: str) -> frozenset[str] | None:
        """Give the units of an area and of all below it; None for no area at all."""
        if not area:
            return None
        if area not in self._within:
            below = self.below(area)
            self._within[area] = frozenset(unit.id for unit in self.plan.units.values() if unit.area in below)
        return self._within[area]

    def below(self, area: str) -> frozenset[str]:
        """Give the areas of which an area is made, itself among them."""
        if area not in self._below:
            self._below[area] = frozenset(each for each in self.plan.areas if area in self.plan.lineage(each))
        return self._below[area]

    def heard(self, text: str) -> Context:
        """Give what a title says, if every word of it is understood: `Alder County - First alignment`."""
        spoken = tokens(text)
        if not spoken or len(text) > 200:
            return Context()
        words = self.headings.words
        measure, rest = words.measure(spoken)
        stage = measure if measure in words.stages else ""
        for left in (rest if stage else spoken, spoken):
            if area := self.area_in(left):
                return Context(area, stage if left is rest else "")
            if (
                stage
                and left is rest
                and not [word for word in left if word not in self._passing and not word.isdigit()]
            ):
                return Context("", stage)
        return Context()

    def area_in(self, spoken: tuple[str, ...]) -> str:
        """Give the area that these words name, but for words that say nothing; empty if none, or several."""
        if spoken not in self._heard:
            if len(self._heard) > 5_000:
                self._heard.clear()
            self._heard[spoken] = self._area_in(spoken)
        return self._heard[spoken]

    def _area_in(self, spoken: tuple[str, ...]) -> str:
        kept = " ".join(
            word for word in spoken if word not in w.TITLE | self.headings.words.levels and not word.isdigit()
        )
        for text in (" ".join(spoken), kept):
            found = self.areas.certain(text) if text else ()
            if len(found) > 1:
                found = tuple(area for area in found if self.plan.areas[area].level == self.plan.levels[-1])
            if len(found) == 1:
                return found[0]
        return ""
