"""National delegates of one pool: largest remainder over the groups at or above the threshold.

Method of Democratic National Committee Rule 14 as worked out at thegreenpapers.com/P20/D-Math: shares of the whole,
those below the threshold drop out, the rest share the delegates, whole parts first, then the largest remainders.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyroom.award.outcome import AwardError, Tie, TieKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Closest:
    """The comparison that decided the last delegate: the group that won it and the one that came next."""

    winner: str
    loser: str
    remainders: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Allocation:
    """How one pool was shared.

    Attributes:
        threshold: the share that counted in the end; equality qualifies.
        qualified: groups at or above it, in the order given.
        raw: exact share of the delegates by qualified group.
        groups: whole delegates by qualified group; they add up to the pool unless a tie is open.
        tie: groups whose remainders tie for the last delegates, if no recorded lot answers it. Never broken here.
        closest: the last delegate given by remainder; None if none was, or if nobody came after.
        stray: recorded lots that answer no tie of this pool.
    """

    delegates: int
    threshold: Fraction
    qualified: tuple[str, ...]
    raw: Mapping[str, Fraction]
    groups: Mapping[str, int]
    tie: Tie | None = None
    closest: Closest | None = None
    stray: tuple[str, ...] = ()


def allocate(
    delegates: int,
    standing: Mapping[str, Fraction],
    threshold: Fraction,
    *,
    fallback: str = "none",
    cannot_win: Collection[str] = (),
    lots: Mapping[str, Iterable[str]] | None = None,
) -> Allocation:
    """Share a pool of delegates among the groups of a standing.

    Args:
        delegates: delegates of the pool.
        standing: people or delegate equivalents by group; all count in the denominator.
        threshold: share of the whole a group needs.
        fallback: if nobody reaches it: `half-of-leader`, `ten-points-below-leader`, or `none` (nobody qualifies).
        cannot_win: groups that count but cannot elect (write-ins taken together).
        lots: games of chance on record: id of the tie -> groups drawn.
    """
    if delegates < 0 or min(standing.values(), default=Fraction(0)) < 0:
        raise AwardError("delegates and standings are 0 or more")
    recorded = {tie: tuple(drawn) for tie, drawn in (lots or {}).items()}
    total = sum(standing.values(), Fraction(0))
    able = {group: Fraction(value) for group, value in standing.items() if value > 0 and group not in cannot_win}
    if not total or not able:
        return Allocation(delegates, threshold, (), {}, {}, stray=tuple(recorded))
    if max(able.values()) < threshold * total:
        threshold = _lowered(threshold, fallback, max(able.values()) / total)
    qualified = tuple(group for group, value in able.items() if value >= threshold * total)
    if not qualified:
        return Allocation(delegates, threshold, (), {}, {}, stray=tuple(recorded))
    whole = sum((able[group] for group in qualified), Fraction(0))
    raw = {group: able[group] * delegates / whole for group in qualified}
    return _by_remainder(delegates, threshold, raw, recorded)


def _lowered(threshold: Fraction, fallback: str, leader: Fraction) -> Fraction:
    """Give the threshold that counts when nobody reaches the plan's."""
    if fallback == "half-of-leader":
        return leader / 2
    if fallback == "ten-points-below-leader":
        return max(leader - Fraction(1, 10), Fraction(0))
    return threshold


def _by_remainder(
    delegates: int, threshold: Fraction, raw: dict[str, Fraction], lots: dict[str, tuple[str, ...]]
) -> Allocation:
    groups = {group: share.numerator // share.denominator for group, share in raw.items()}
    remainder = {group: raw[group] - groups[group] for group in raw}
    left = delegates - sum(groups.values())
    order = sorted(remainder, key=lambda group: -remainder[group])
    tie, closest, used = None, None, ""
    if left:
        cut = remainder[order[left - 1]]
        surely = [group for group in order if remainder[group] > cut]
        tied = tuple(group for group in raw if remainder[group] == cut)
        take = left - len(surely)
        winners = (*surely, *tied)
        if len(tied) > take:
            tie = Tie(TieKind.GAIN, tied, take, cut)
            drawn = lots.get(tie.id, ())
            winners = tuple(surely)
            if tie.answered_by(drawn):
                winners, used, tie = (*surely, *drawn), tie.id, None
        for group in winners:
            groups[group] += 1
        closest = _closest(order, remainder, winners) if tie is None else None
    stray = tuple(name for name in lots if name != used)
    return Allocation(delegates, threshold, tuple(raw), raw, groups, tie, closest, stray)


def _closest(order: list[str], remainder: dict[str, Fraction], winners: tuple[str, ...]) -> Closest | None:
    last = [group for group in order if group in winners][-1]
    following = [group for group in order if group not in winners]
    return Closest(last, following[0], (remainder[last], remainder[following[0]])) if following else None
