"""A short wait before a commit for those who were served by the last one, so that one commit serves them all again.

Senders who file one after another come back a moment after their answer. A writer that starts with the first of them
leaves the others to the next commit, so that each commit serves half of them: measured, at 8 and at 64 senders. It
waits for as many as it last knew of, a quarter of a commit's time at most; who files alone never waits.
"""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sized

SHARE = 0.25
"""Of the time the last commit took."""

LONGEST_SECONDS = 0.002
"""However slow the disk is."""


class Gathering:
    """What one writer knows of its senders; all but `arrived` is called by whoever holds the pen."""

    def __init__(self, waiting: Sized) -> None:
        self._waiting = waiting
        self._crowd, self._seconds, self._awaited = 1, 0.0, 0
        self._there = Event()

    def arrived(self) -> None:
        """A sender has come to wait."""
        if self._awaited and len(self._waiting) >= self._awaited:
            self._there.set()

    def wait(self) -> None:
        """Wait until all are there who are known, or for as long as is worth it."""
        if len(self._waiting) >= self._crowd:
            return
        self._there.clear()
        self._awaited = self._crowd
        if len(self._waiting) < self._crowd:
            self._there.wait(min(self._seconds * SHARE, LONGEST_SECONDS))
        self._awaited = 0

    def served(self, senders: int, seconds: float) -> None:
        """Take note of a commit: how many it served, and how long it took."""
        self._crowd, self._seconds = senders + len(self._waiting), seconds
