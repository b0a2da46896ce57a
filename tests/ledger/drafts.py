"""Drafts as an evening gives them: reports of about 500 bytes, corrections, the same filing come again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tallyroom.ledger.entry import Author, Draft

CONTEST = "lakeland-2024"
EVENING = datetime(2024, 2, 5, 1, 0, tzinfo=UTC)
GROUPS = ("ash", "birch", "cedar", "elm", "fir", "hazel", "juniper", "larch", "maple", "oak", "pine", "rowan")
SHEET = (*GROUPS, "uncommitted", "other")


def report(number, *, key="", unit="", first=None, minutes=0, contest=CONTEST, **more):
    """The report of one place; `number` makes it unlike the others."""
    counts = {group: (number * 7 + at * 13) % 60 for at, group in enumerate(SHEET)}
    body = {
        "unit": unit or f"unit-{number}",
        "attendance": sum(counts.values()),
        "alignments": {"first": counts if first is None else first, "final": dict(counts)},
        "delegates": {group: at + 1 for at, group in enumerate(SHEET[:4])},
    }
    return Draft(
        kind="report",
        version=1,
        contest=contest,
        at=EVENING + timedelta(minutes=minutes, seconds=number % 60),
        key=key or f"device-{number}",
        author=Author(f"p-{number}", "chair"),
        channel="app",
        body=body,
        **more,
    )


def reports(count, start=0):
    """That many reports of different places."""
    return [report(number) for number in range(start, start + count)]
