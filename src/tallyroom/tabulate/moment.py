"""Which moment is meant: a time of the ledger's clock, or a release."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tallyroom.faults import CannotRunError, Fault
from tallyroom.plan.closest import closest

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
    if at is not None and release is not None:
        raise CannotRunError(Fault("--at and --release were both given", "Give one of them."))
    if at is not None:
        return Moment(_time(at))
    if release is None:
        return Moment()
    found = plan.releases.get(release)
    if found is None:
        remedy = closest(release, plan.releases, "The releases are")
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
        remedy = f"Write {time.isoformat()}Z for universal time."
        raise CannotRunError(Fault(f"{text!r} names no time zone", remedy))
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise CannotRunError(Fault(f"{text!r} lies outside the calendar", "Give a time of the contest.")) from None
