"""Whether an award as it was written is one that the rule gives, whatever way the lots fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.award.outcome import Awarded, LotsNeeded, TieKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.award.outcome import Outcome


def could_give(outcome: Outcome, written: Mapping[str, int]) -> bool:
    """Whether an outcome is the written award, or some draw of the lots it needs gives it.

    Lots are drawn only for the last delegates, so the draw ends the count: the written award is the standing before it
    with one more, or one less, for as many of the tied groups as are drawn. A tie over who must realign gives no award.
    """
    if isinstance(outcome, Awarded):
        return not any(_changes(outcome.delegates, written).values())
    if not isinstance(outcome, LotsNeeded) or outcome.tie.kind is TieKind.REALIGN:
        return False
    tie = outcome.tie
    moved = 1 if tie.kind is TieKind.GAIN else -1
    changes = {group: change for group, change in _changes(outcome.delegates, written).items() if change}
    return changes.keys() <= set(tie.groups) and list(changes.values()) == [moved] * tie.take


def _changes(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    return {group: after.get(group, 0) - before.get(group, 0) for group in before.keys() | after.keys()}
