"""Times are those of the contest, whoever reads them, and one function writes them."""

from __future__ import annotations

from datetime import UTC, datetime

from tabulate import iowa
from tallyroom.publish.times import local, release_time


def test_a_release_is_told_in_the_zone_of_the_contest():
    releases = iowa.plan().releases
    assert release_time(releases["100pct"], iowa.plan()) == "Thu 6 Feb 2020 19:28 CST"


def test_a_time_not_known_to_the_minute_says_about():
    assert release_time(iowa.plan().releases["certified"], iowa.plan()) == "about Sat 29 Feb 2020 12:00 CST"


def test_summer_has_its_own_name():
    assert local(datetime(2020, 7, 1, 12, tzinfo=UTC), iowa.plan()) == "Wed 1 Jul 2020 07:00 CDT"
