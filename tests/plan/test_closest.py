"""Slips of the keyboard: the word that was probably meant, or which there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tallyroom
from tallyroom.plan.closest import LISTED, closest, nearest

PLACES = [f"elm-{number}" for number in range(1, 1001)]


@pytest.mark.parametrize(
    ("word", "known", "said"),
    [
        ("fist", ("first", "final"), "Did you mean 'first'?"),
        ("xyz", ("first", "final"), "There are first, final."),
        ("xyz", (), "There are none."),
        ("", ("first",), "There are first."),
    ],
)
def test_closest(word, known, said):
    assert closest(word, known) == said


def test_the_sentence_may_name_what_there_is():
    assert closest("xyz", ("ash", "birch"), "The groups are") == "The groups are ash, birch."


def test_a_thousand_places_are_counted_and_not_recited():
    said = closest("harbor", PLACES)
    assert said.endswith(f"elm-{LISTED} and 950 more.")
    assert len(said) < 10 * LISTED


def test_all_are_named_as_long_as_a_sentence_can_hold_them():
    assert closest("harbor", PLACES[:LISTED]).endswith(f"elm-{LISTED - 1}, elm-{LISTED}.")


def test_nothing_near_is_none_and_less_likeness_may_do():
    assert nearest("awrd", ["award", "check"]) == "award"
    assert nearest("chart", ["award", "check"]) is None
    assert nearest("chart", ["award", "check"], alike=0.4) == "check"


@given(known=st.lists(st.text("abc-", max_size=6), max_size=8, unique=True), word=st.text("abc-", max_size=6))
def test_what_is_proposed_is_known_and_a_known_word_is_its_own_nearest(known, word):
    near = nearest(word, known)
    assert near is None or near in known
    if word in known:
        assert nearest(word, reversed(known)) == word


def test_there_is_one_way_to_guess_in_the_whole_house():
    """A second one would soon answer the same slip with another word."""
    root = Path(tallyroom.__file__).parent
    guessing = {path for path in root.rglob("*.py") if "get_close_matches" in path.read_text(encoding="utf-8")}
    assert guessing == {root / "plan" / "closest.py"}
