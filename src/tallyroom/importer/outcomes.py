"""How each row of a file ends: read, questioned, refused, or known for something that is no row of counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from tallyroom.importer.fold import plain

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Where:
    """Rows of a file that follow each other.

    Attributes:
        file: as the caller named it.
        sheet: name of the sheet; empty in a text file.
        first: line of the first.
        last: line of the last.
        rows: how many they are.
    """

    file: str
    sheet: str
    first: int
    last: int
    rows: int = 1

    def __str__(self) -> str:
        """Give `line 5`, `lines 5-9`, or with the sheet's name before it."""
        lines = f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"
        return f"sheet {self.sheet}, {lines}" if self.sheet else lines


@dataclass(frozen=True, slots=True)
class Question:
    """Something only a person can say.

    Attributes:
        kind: what is asked about: `column`, `area`, `place`, `group`, `stage`, `count`, `total`, `row-total`,
            `duplicate`, `row`, `filed`.
        where: what it stands in: a column, a county, a place; as stable from file to file as can be.
        text: what is written there.
        asks: the question, as a sentence.
        proposal: the answer that seems likeliest; empty if there is none.
        choices: answers that are possible, where there are few.
    """

    kind: str
    where: str
    text: str
    asks: str
    proposal: str = ""
    choices: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """What an answer is found again by: the same in the county's next file."""
        return self.kind, plain(self.where), plain(self.text)


@dataclass(frozen=True, slots=True)
class Read:
    """Its counts were taken.

    Attributes:
        units: the places it reports on.
        note: what was noticed, such as that it only repeats another row.
    """

    where: Where
    units: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Questioned:
    """Nothing of it was taken until somebody answers."""

    where: Where
    questions: tuple[Question, ...]
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """It cannot be taken as it stands."""

    where: Where
    reason: str
    remedy: str
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Furniture:
    """No row of counts: a title, a header, a blank row, a total that agrees, a footnote, or left out by decision."""

    where: Where
    what: str


Outcome: TypeAlias = Read | Questioned | Refused | Furniture
REPEATED = "says again what was read before"
NOTHING = "no counts stand in it"
LEFT_OUT = "left out by decision"


class Log:
    """Outcomes in the order of the rows; those that follow each other and say the same are one, with a range."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []
        self.others = 0
        """Outcomes that took no new count, and their questions: those a file can have without end."""

    def add(self, outcome: Outcome) -> int:
        """Add an outcome and give its place."""
        if self.outcomes and (both := _one(self.outcomes[-1], outcome)):
            self.outcomes[-1] = both
        else:
            self.outcomes.append(outcome)
            if isinstance(outcome, Questioned):
                self.others += len(outcome.questions)
            elif not isinstance(outcome, Read) or outcome.note in (REPEATED, NOTHING):
                self.others += 1
        return len(self.outcomes) - 1

    def question(self, place: int, question: Question) -> None:
        """Question a row after all, because of one that came later."""
        before = self.outcomes[place]
        if isinstance(before, Questioned):
            if question not in before.questions:
                self.outcomes[place] = replace(before, questions=(*before.questions, question))
        elif not isinstance(before, Refused):
            self.outcomes[place] = Questioned(before.where, (question,))

    def settle(self, place: int, what: str) -> None:
        """Say of a total that was questioned that it agrees after all, with rows that came later."""
        self.outcomes[place] = Furniture(self.outcomes[place].where, what)


def _one(before: Outcome, after: Outcome) -> Outcome | None:
    """Two outcomes as one, if they say the same."""
    one, two = before.where, after.where
    if (one.file, one.sheet) != (two.file, two.sheet):
        return None
    where = Where(one.file, one.sheet, one.first, max(one.last, two.last), one.rows + two.rows)
    match before, after:
        case Furniture(), Furniture() if before.what == after.what:
            return Furniture(where, before.what)
        case Questioned(), Questioned() if before.questions == after.questions:
            return replace(before, where=where)
        case Refused(), Refused() if (before.reason, before.remedy) == (after.reason, after.remedy):
            return replace(before, where=where)
        case Read(), Read() if before.note == after.note and before.note in (REPEATED, NOTHING):
            return Read(where, (), before.note)
        case _:
            return None


def counted(outcomes: Sequence[Outcome], kind: type[Outcome]) -> int:
    """Count the rows that ended so."""
    return sum(outcome.where.rows for outcome in outcomes if isinstance(outcome, kind))
