"""The award once more, from the text of the rule alone: slow, and by another way.

Nothing here is shared with `tallyroom.award`. It never breaks or detects a tie: it moves one delegate at a time, tries
every group that the rule allows to be next, and collects where this can end. So chance is what is left open: the rule
decides alone exactly when a single end is possible. Numbers are fractions; an end is a set of (group, delegates).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import ceil, floor

Ends = frozenset[frozenset[tuple[str, int]]]

SHARES = ((4, Fraction(15, 100)), (3, Fraction(1, 6)), (2, Fraction(25, 100)))


def needed(delegates: int, attending: int) -> int | None:
    """Give the viability number of the Iowa table; None for a single delegate."""
    for at_least, share in SHARES:
        if delegates >= at_least:
            return ceil(attending * share)
    return None


def ends(delegates: int, attending: int, people: dict[str, int], short: str, rounding: str = "half-up") -> Ends:
    """Give every award that can come of it, for no more viable groups than delegates."""
    half = Fraction(1, 2) if rounding == "half-up" else 0
    number = needed(delegates, attending)
    exact = {g: Fraction(n * delegates, attending) for g, n in people.items() if n and n >= number}
    start = {g: max(1, floor(x + half)) for g, x in exact.items()}
    if sum(start.values()) >= delegates:
        return _search(start, delegates, lambda now, _: _losers(exact, now), -1)
    up_to_exact = _search(start, delegates, lambda now, _: _rounded_down(exact, now), +1)
    if all(sum(n for _, n in end) == delegates for end in up_to_exact):
        return up_to_exact
    if short == "residual":
        (now,) = up_to_exact
        return _search(dict(now), delegates, lambda now, _: _highest({g: exact[g] - now[g] for g in now}), +1)
    if short == "cyclic":
        whole = {g: max(1, floor(x)) for g, x in exact.items()}
        decimal = {g: exact[g] - whole[g] for g in exact}
        return _search(whole, delegates, lambda _, turn: _highest({g: decimal[g] for g in exact if g not in turn}), +1)
    (now,) = up_to_exact
    return _search(dict(now), delegates, lambda _, turn: {g for g in exact if g not in turn}, +1)


def _losers(exact, now):
    """Those who may lose next: the lowest decimal; nobody loses an only delegate."""
    return _highest({g: now[g] - exact[g] for g in now if now[g] > 1})


def _rounded_down(exact, now):
    """Those who may gain next: the highest decimal among the groups that stand below their exact number."""
    return _highest({g: exact[g] - now[g] for g in now if now[g] < exact[g]})


def _highest(values):
    most = max(values.values(), default=None)
    return {g for g, value in values.items() if value == most}


def _search(start, delegates, allowed, amount) -> Ends:
    """Follow every choice until the delegates add up or nobody is allowed to move.

    `turn` holds who has moved since everybody had a turn: going round and round needs it.
    """
    found, seen = set(), set()
    waiting = [(tuple(sorted(start.items())), frozenset())]
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        now, turn = dict(state[0]), state[1]
        movers = allowed(now, turn) if sum(now.values()) != delegates else set()
        if not movers:
            found.add(frozenset(now.items()))
        for group in movers:
            after = turn | {group}
            after = frozenset() if after == frozenset(now) else after
            waiting.append((tuple(sorted({**now, group: now[group] + amount}.items())), after))
    return frozenset(found)


def realigning(viable: dict[str, int], delegates: int, tie: str) -> frozenset[frozenset[str]]:
    """Give every set of groups that may have to realign because there are more viable groups than delegates."""
    smallest = [g for g, n in viable.items() if n == min(viable.values())]
    surplus = len(viable) - delegates
    size = min(len(smallest), surplus) if tie == "lot" else len(smallest)
    return frozenset(frozenset(some) for some in combinations(smallest, size))


def single(attending: int, people: dict[str, int], reading: str) -> frozenset[str]:
    """Give every group that may elect the only delegate; nobody if the groups do not decide it."""
    largest = frozenset(g for g, n in people.items() if n and n == max(people.values()))
    if reading == "plurality":
        return largest
    if reading == "majority":
        return frozenset(g for g in largest if Fraction(people[g], attending) > Fraction(1, 2))
    return frozenset()
