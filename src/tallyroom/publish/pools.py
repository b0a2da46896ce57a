"""National delegates in words: who has how many, what decided the last of a pool, and what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.exact import printed
from tallyroom.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.tabulate.national import PoolStanding

REMAINDER_DECIMALS = 4
"""Decimals of the remainders that decide the last delegate of a pool."""


def counts(groups: Mapping[str, int], names: Mapping[str, str]) -> str:
    """List groups that have any delegates, most first; level ones in the order given."""
    rows = sorted(((group, count) for group, count in groups.items() if count), key=lambda row: -row[1])
    return ", ".join(f"{names[group]} {count}" for group, count in rows)


def last_delegate(pool: PoolStanding, names: Mapping[str, str]) -> str:
    """Say what decided the last delegate of a pool; empty where nothing had to."""
    shared = pool.allocation
    if shared.tie is not None:
        tied, take = listed([names[group] for group in shared.tie.groups]), shared.tie.take
        return f"{tied} tie for the last {'delegate' if take == 1 else counted(take, 'delegate')}"
    if shared.closest is None:
        return ""
    close = shared.closest
    won, following = (printed(value, REMAINDER_DECIMALS) for value in close.remainders)
    return f"last to {names[close.winner]} ({won}), next {names[close.loser]} ({following})"


def on_record(units_without_value: int) -> str:
    """Say that figures were computed although some units have no value; empty where all have one."""
    if not units_without_value:
        return ""
    have = f"{counted(units_without_value, 'unit')} {'has' if units_without_value == 1 else 'have'}"
    return f"computed from what is on record; {have} no value"
