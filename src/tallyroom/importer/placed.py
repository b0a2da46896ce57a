"""Which place a row reports on: by its name, its code and its county, written or carried down from above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.importer.counts import is_date
from tallyroom.importer.decisions import LEAVE_OUT
from tallyroom.importer.outcomes import Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallyroom.importer.desk import Desk

ALIAS = "Correct the name, add it to the aliases of units.csv, or decide it with a line `place` in the decisions."


@dataclass(frozen=True, slots=True)
class Placed:
    """What a row says of its place.

    Attributes:
        unit: the place, certain or decided; empty if there is none.
        area: the area that the row names, or that it stands under.
        question: what must be answered first.
        refusal: why no place can be found, and what to do.
        left_out: somebody decided to leave the row out.
        note: what was noticed although the place is certain.
    """

    unit: str = ""
    area: str = ""
    question: Question | None = None
    refusal: tuple[str, str] | None = None
    left_out: bool = False
    note: str = ""

    @property
    def meant(self) -> str:
        """The place, or the one that is proposed: its report must wait for this row."""
        return self.unit or (self.question.proposal if self.question is not None else "")


def area_of(desk: Desk, text: str, *, deepest: bool) -> tuple[str, Question | tuple[str, str] | None]:
    """Give the area that a cell names; a question or a refusal if it is none, and should be.

    Columns above the deepest level (`District`) often hold districts of other kinds: what they say is then passed over.
    """
    if found := desk.area_in(_words(text)):
        return found, None
    if not deepest:
        return "", None
    answer = desk.decisions.given("area", "", text)
    if answer in desk.plan.areas:
        return answer, None
    near = desk.areas.match(text)
    if not near.ids:
        return "", (f"{text[:60]!r} is no area of the contest", "Correct the name of the county.")
    proposal = near.ids[0] if len(near.ids) == 1 else ""
    asks = f"Is {text[:60]!r} {_named(desk, near.ids, areas=True)}?"
    return "", Question("area", "", text, asks, proposal, near.ids)


def _words(text: str) -> tuple[str, ...]:
    from tallyroom.importer.fold import tokens  # noqa: PLC0415 - one use

    return tokens(text)


def placed(desk: Desk, name: str, code: str, area: str) -> Placed:
    """Find the place that a name and a code mean, within an area if one is known."""
    by_name, by_code = _one(desk, name, area) if name else None, _one(desk, code, area) if code else None
    if by_name is None:
        return by_code or Placed(area=area, refusal=("there are counts, but no place is named", "Name the place."))
    if by_code is None or by_name.left_out or not by_code.unit or by_name.unit == by_code.unit:
        return by_name
    # The code names a place for certain; the name beside it may be a slip, or belong to another.
    if by_name.unit:
        return _disagreeing(desk, name, code, by_name.unit, by_code.unit, area)
    if by_name.question is not None and by_name.question.proposal == by_code.unit:
        return Placed(by_code.unit, area, note=f"by its code {code!r}; the name is written {name[:60]!r}")
    unit = desk.plan.units[by_code.unit]
    asks = f"Is {name[:60]!r} with code {code[:40]!r} {unit.name} ({unit.id})?"
    return _decided(desk, Question("place", area, f"{name} {code}", asks, unit.id), area)


def _one(desk: Desk, text: str, area: str) -> Placed:
    """Find the place that one text means."""
    answer = desk.decisions.given("place", area, text)
    if answer == LEAVE_OUT:
        return Placed(area=area, left_out=True)
    if answer in desk.plan.units:
        return Placed(answer, area)
    if text.startswith("="):
        return Placed(area=area, refusal=(f"{text[:60]!r} is a formula without its value", ALIAS))
    match = desk.places.match(text, desk.within(area), area)
    if match.certain and len(match.ids) == 1:
        return Placed(match.ids[0], area)
    elsewhere = desk.places.certain(text) if area and not match.ids else ()
    if elsewhere:
        asks = f"{text[:60]!r} is not in {desk.plan.areas[area].name}: is it {_named(desk, elsewhere)}?"
        proposal = elsewhere[0] if len(elsewhere) == 1 else ""
        return Placed(area=area, question=Question("place", area, text, asks, proposal, elsewhere))
    if not match.ids:
        told = "a date that a spreadsheet made" if is_date(text) else "no place of the contest"
        return Placed(area=area, refusal=(f"{text[:60]!r} is {told}", ALIAS))
    proposal = match.ids[0] if len(match.ids) == 1 else ""
    how = match.how or "it is written alike"
    asks = f"Is {text[:60]!r} {_named(desk, match.ids)}? ({how})"
    return Placed(area=area, question=Question("place", area, text, asks, proposal, match.ids))


def _disagreeing(desk: Desk, name: str, code: str, one: str, other: str, area: str) -> Placed:
    asks = f"{name[:60]!r} is {one}, but its code {code[:40]!r} is that of {other}: which is meant?"
    return _decided(desk, Question("place", area, f"{name} {code}", asks, "", (one, other)), area)


def _decided(desk: Desk, question: Question, area: str) -> Placed:
    answer = desk.decisions.answer(question)
    if answer == LEAVE_OUT:
        return Placed(area=area, left_out=True)
    return Placed(answer, area) if answer in desk.plan.units else Placed(area=area, question=question)


def _named(desk: Desk, ids: Sequence[str], *, areas: bool = False) -> str:
    """Name one thing, or a few with `or` between them."""
    named = desk.plan.areas if areas else desk.plan.units
    told = [f"{named[thing].name} ({thing})" for thing in ids[:5]]
    return " or ".join(told) + (" or another" if len(ids) > len(told) else "")
