"""The viability number and who reaches it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.award.outcome import AwardError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from tallyroom.plan.types import AwardRule


def threshold(rule: AwardRule, delegates: int) -> Fraction | None:
    """Give the share a group needs in a unit that elects this many; None where there is no viability."""
    if delegates < 1:
        raise AwardError(f"a unit elects at least one delegate, not {delegates}")
    share = None
    for step in rule.viability:
        if step.delegates_at_least <= delegates:
            share = step.share
    return share


def viability_number(rule: AwardRule, delegates: int, attending: int) -> int | None:
    """Give the people a group needs to be viable: share x attendance, rounded up; None where there is no viability."""
    share = threshold(rule, delegates)
    if share is None:
        return None
    return -(-attending * share.numerator // share.denominator)


def viable_groups(number: int | None, people: Mapping[str, int]) -> tuple[str, ...]:
    """Give the groups with at least `number` people, in the order given. An empty group is never viable."""
    if number is None:
        return ()
    return tuple(group for group, count in people.items() if count >= number and count > 0)
