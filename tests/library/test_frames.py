"""The library: what Python people get when they `import tallyroom`."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal

import polars as pl
import pytest

import tallyroom
from tallyroom.faults import CannotRunError


@pytest.fixture(scope="module")
def complete():
    return tallyroom.load("iowa-2020", release="100pct")


def only(frame, **wanted):
    """Give the one row that has these values."""
    found = frame.filter(*(pl.col(name) == value for name, value in wanted.items()))
    assert found.height == 1, found
    return found.row(0, named=True)


def test_importing_the_package_imports_no_polars():
    loaded = "'polars' in sys.modules"
    code = f"import sys, tallyroom; print({loaded}, hasattr(tallyroom, 'standings'), {loaded})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "True"]


def test_a_name_that_is_not_there_is_said_to_be_missing():
    with pytest.raises(AttributeError, match="has no attribute 'standing'"):
        _ = tallyroom.standing
    assert {"load", "standings", "__version__"} <= set(dir(tallyroom))


def test_standings_of_the_complete_release(complete):
    row = only(tallyroom.standings(complete, level="state"), yardstick="sde", group="buttigieg")
    assert row["value"] == Decimal("564.0124")
    assert row["official"] is True
    assert (row["reported"], row["expected"], row["without_value"]) == (1765, 1765, 0)
    assert row["share"] == pytest.approx(0.26198, abs=1e-5)
    numerator, _, denominator = row["exact"].partition("/")
    assert round(int(numerator) / int(denominator), 6) == 564.011957


def test_counties_add_up_to_the_state(complete):
    frame = tallyroom.standings(complete)
    by_level = frame.group_by("level", "yardstick").agg(pl.col("value").sum())
    sums = {(level, yardstick): value for level, yardstick, value in by_level.rows()}
    for yardstick in ("first_alignment", "final_alignment", "sde"):
        assert sums["county", yardstick] == sums["state", yardstick]


def test_by_rule_differs_where_the_awards_do(complete):
    written, ruled = (tallyroom.standings(complete, basis=basis, level="county") for basis in ("as-written", "by-rule"))
    changed = written.join(ruled, on=("area", "yardstick", "group")).filter(pl.col("value") != pl.col("value_right"))
    assert set(changed["yardstick"]) == {"sde"}
    differ = tallyroom.awards(complete).filter(pl.col("differs"))
    assert set(differ["area"]) <= set(changed["area"])
    assert differ.height > 0


def test_every_place_has_a_row(complete):
    frame = tallyroom.places(complete)
    assert frame.height == 1765
    row = only(frame, unit="adair-1nw-adair")
    assert (row["elects"], row["attendance"], row["attendance_from"], row["viability_number"]) == (8, 40, "larger", 6)


def test_a_place_that_has_not_reported_is_null_and_not_zero():
    early = tallyroom.load("iowa-2020", release="62pct")
    silent = tallyroom.places(early).filter(~pl.col("reported"))
    assert silent.height == 1765 - 1099
    assert silent["attendance"].null_count() == silent.height
    assert set(silent["unit"]).isdisjoint(tallyroom.counts(early)["unit"])


def test_counts_are_those_of_the_sheets(complete):
    frame = tallyroom.counts(complete)
    total = frame.filter(pl.col("stage") == "first").group_by("group").agg(pl.col("people").sum())
    assert dict(total.rows())["sanders"] == 43671


def test_findings_carry_their_numbers(complete):
    frame = tallyroom.findings(complete)
    assert frame.filter(pl.col("kind") == "final-exceeds-first").height == 84
    for row in frame.filter(pl.col("kind") == "final-exceeds-first").iter_rows(named=True):
        numbers = json.loads(row["numbers"])
        assert numbers["final"] > numbers["first"]


def test_national_delegates(complete):
    sums = tallyroom.national(complete).group_by("group").agg(pl.col("delegates").sum())
    assert {group: n for group, n in sums.rows() if n} == {
        "buttigieg": 14,
        "sanders": 12,
        "warren": 8,
        "biden": 6,
        "klobuchar": 1,
    }


def test_another_reading_and_another_time():
    night = tallyroom.load("lakeland-2031", readings={"attendance": "first"})
    assert night.readings["attendance"] == "first"
    assert "first" in set(tallyroom.places(night)["attendance_from"])


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: tallyroom.load("iowa-2021"), "iowa-2021"),
        (lambda: tallyroom.load("iowa-2020", release="63pct"), "'63pct' is not a release"),
        (lambda: tallyroom.load("iowa-2020", at="yesterday"), "'yesterday' is not a time"),
        (lambda: tallyroom.load("iowa-2020", readings={"atendance": "first"}), "'atendance' is not a reading"),
        (lambda: tallyroom.load("iowa-2020", ledger="night.db", record="night"), "both given"),
        (lambda: tallyroom.load("iowa-2020", ledger="no-such.db"), "no-such.db"),
        (lambda: tallyroom.standings(tallyroom.load("lakeland-2031"), basis="by-rules"), "Did you mean 'by-rule'?"),
        (lambda: tallyroom.standings(tallyroom.load("lakeland-2031"), level="town"), "'town' is not a level"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(ask, said):
    with pytest.raises(CannotRunError) as raised:
        ask()
    assert said in str(raised.value)
