"""The evening that tests of the vault play on: its times, its secret, its words, people who do things at once."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

from tallyroom.vault.password import Cost
from tallyroom.vault.refused import Refused

CONTEST = "lakeland-2031"
EVENING = datetime(2031, 2, 4, 1, 0, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SECRET = bytes(range(32))
CHEAP = Cost(passes=1, kibibytes=64, lanes=1)
WORDS = tuple(f"{first}{second}" for first in "bcdfghjk" for second in map(str, range(256)))


def later(minutes=0, **more):
    return EVENING + timedelta(minutes=minutes, **more)


def reason(answer):
    """The code of a refusal; fails on what is none."""
    assert isinstance(answer, Refused), answer
    assert answer.sentence[0].isupper()
    assert answer.sentence.endswith(".")
    return answer.reason.value


def at_once(*steps):
    """Do all of these at the same time, each in a thread of its own, and give what they returned, in order."""
    start, answers = threading.Barrier(len(steps)), [None] * len(steps)

    def do(number, step):
        start.wait(20)
        answers[number] = step()

    threads = [threading.Thread(target=do, args=numbered) for numbered in enumerate(steps)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    return answers
