"""Figures that were published, held against ours: they agree, they differ, or the record cannot give them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyroom.exact import printed
from tallyroom.tabulate.national import national
from tallyroom.tabulate.night import Basis, Tabulation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tallyroom.ledger.entry import Entry
    from tallyroom.plan.types import Plan, PublishedFigure, Release


class Verdict(StrEnum):
    """How a published figure stands to ours."""

    AGREES = "agrees"
    """The same to the last decimal published, half up."""
    DIFFERS = "differs"
    NOT_IN_RECORD = "not-in-record"
    """The state behind it, or part of the values behind it, is not on record."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One published figure beside ours. `bounds` are given where part of the values is not on record."""

    figure: PublishedFigure
    ours: str
    bounds: tuple[str, str] | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Replayed:
    """One release with the contest as it stood then."""

    release: Release
    tabulation: Tabulation
    compared: tuple[Compared, ...]


def replay(entries: Iterable[Entry], plan: Plan) -> Iterator[Replayed]:
    """Play a night release by release. The tabulation given goes on growing: read it before the next release."""
    waiting = list(entries)
    tabulation = Tabulation(plan)
    for release in sorted(plan.releases.values(), key=lambda release: release.at):
        ready = [entry for entry in waiting if entry.at <= release.at]
        waiting = [entry for entry in waiting if entry.at > release.at]
        for entry in ready:
            tabulation.add(entry)
        tabulation.later = waiting
        figures = [figure for figure in plan.published if figure.release == release.id]
        yield Replayed(release, tabulation, tuple(compare(tabulation, release, figure) for figure in figures))


def compare(tabulation: Tabulation, release: Release, figure: PublishedFigure) -> Compared:
    """Hold one published figure against ours, at the decimals it was published with."""
    decimals = len(figure.value.partition(".")[2])
    value, bounds, complete = _ours(tabulation, figure)
    ours = printed(value, decimals)
    if not (release.reproducible and complete):
        verdict = Verdict.NOT_IN_RECORD
    else:
        verdict = Verdict.AGREES if ours == figure.value else Verdict.DIFFERS
    spread = None if bounds is None else (printed(bounds[0], decimals), printed(bounds[1], decimals))
    return Compared(figure, ours, spread, verdict)


def _ours(tabulation: Tabulation, figure: PublishedFigure) -> tuple[Fraction, tuple[Fraction, Fraction] | None, bool]:
    """Give our value, its bounds if part of it is not on record, and whether all of it is."""
    plan = tabulation.plan
    top = tabulation.of_area(plan.top.id, Basis.AS_WRITTEN)
    ids = {standing.yardstick.id: standing for standing in top.yardsticks}
    if (found := ids.get(figure.measure)) is not None:
        standing, scale = found.of(figure.group), 10**found.yardstick.decimals
        complete = found.units_without_value == 0
        bounds = None if complete else (Fraction(standing.lowest, scale), Fraction(standing.highest, scale))
        return Fraction(standing.printed, scale), bounds, complete
    if (found := ids.get(figure.measure.removesuffix("_total"))) is not None:
        return Fraction(found.total, 10**found.yardstick.decimals), None, found.units_without_value == 0
    return Fraction(_delegates(tabulation, figure)), None, _national_complete(tabulation)


def _delegates(tabulation: Tabulation, figure: PublishedFigure) -> int:
    """Give national delegates of a group or of all, in every pool or in those of a kind (`.._district`)."""
    kind = figure.measure.removeprefix("national_delegates").lstrip("_").replace("_", "-")
    pools = national(tabulation, Basis.AS_WRITTEN).pools
    shared = [pool.allocation.groups for pool in pools if kind in ("", "total", pool.pool.kind)]
    return sum(count for groups in shared for group, count in groups.items() if figure.group in ("", group))


def _national_complete(tabulation: Tabulation) -> bool:
    rule = tabulation.plan.national
    if rule is None:
        return False
    top = tabulation.of_area(tabulation.plan.top.id, Basis.AS_WRITTEN)
    return top.on(rule.yardstick).units_without_value == 0
