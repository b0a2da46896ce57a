"""Which moment is meant: a time of the ledger's clock, or a release."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING

from tallyroom.faults import CannotRunError, Fault

if TYPE_CHECKING:
    from tallyroom.plan.types import Plan


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment to tabulate: entries recorded up to `at` count (all if None); `release` names it, if one does."""

    at: datetime | None = None
    release: str = ""


def moment(plan: Plan, at: str | None, release: str | None) -> Moment:
    """Resolve what a person asked for; neither means all that is in the ledger.

    Raises:
        CannotRunError: both given, not a time with its zone, an unknown release, or one whose state is not on record.
    """
    if at and release:
        raise CannotRunError(Fault("--at and --release were both given", "Give one of them."))
    if at:
        return Moment(_time(at))
    if not release:
        return Moment()
    found = plan.releases.get(release)
    if found is None:
        near = get_close_matches(release, list(plan.releases), 1)
        remedy = f"Did you mean {near[0]!r}?" if near else f"The releases are {', '.join(plan.releases) or 'none yet'}."
        raise CannotRunError(Fault(f"{release!r} is not a release of {plan.contest}", remedy))
    if not found.reproducible:
        what = f"the state behind release {release!r} is not on record, only figures that were published of it"
        raise CannotRunError(Fault(what, "Ask for the release before or after it, or for a time with --at."))
    return Moment(found.at, release)


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        what = f"{text!r} is not a time"
        raise CannotRunError(Fault(what, "Write it with its zone, as 2020-02-07T01:28:00Z.")) from None
    if time.tzinfo is None:
        raise CannotRunError(Fault(f"{text!r} names no time zone", f"Write {text}Z for universal time."))
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise CannotRunError(Fault(f"{text!r} lies outside the calendar", "Give a time of the contest.")) from None
