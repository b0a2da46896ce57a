"""Why the rule gives a place no single award, in words for pages and terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.tabulate.ruled import Undetermined

if TYPE_CHECKING:
    from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    Undetermined.NO_VOTES: "nobody is on record there",
    Undetermined.NO_ATTENDANCE: "how many people were present is not on record",
    Undetermined.NO_ALLOTMENT: "how many delegates it elects is not on record",
    Undetermined.ONE_DELEGATE: "one delegate, elected by the whole caucus",
    Undetermined.OVER_VIABLE: "more viable groups than delegates, and no further realignment on record",
    Undetermined.NOBODY_VIABLE: "no group was viable in the end",
    Undetermined.UNSETTLED_TIE: "a tie without a lot on record, and what was written is none of its outcomes",
}
"""Words by reason; a reason is worded for one place."""


def reason_words(reason: str) -> str:
    """Give the words of a reason, or the reason itself where it is new."""
    return REASONS.get(reason, reason.replace("-", " "))
