"""Times as people of the contest read them: in its own zone, with the zone's name."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from datetime import datetime

    from tallyroom.plan.types import Plan, Release


def local(at: datetime, plan: Plan) -> str:
    """Write a time in the contest's own zone: `Thu 6 Feb 2020 19:28 CST`."""
    there = at.astimezone(ZoneInfo(plan.timezone))
    return f"{there:%a} {there.day} {there:%b %Y %H:%M %Z}"


def release_time(release: Release, plan: Plan) -> str:
    """Write the time of a release, and say so where it is not known to the minute."""
    return f"{'about ' if release.approximate else ''}{local(release.at, plan)}"
