"""The short code: what a slip of the finger does to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.vault.code import ALPHABET, LENGTH, read_code, short_code, slip

drawn = st.lists(st.integers(0, 30), min_size=LENGTH, max_size=LENGTH)


def test_nothing_in_it_is_taken_for_something_else():
    assert not set("ILO01") & set(ALPHABET)
    assert len(set(ALPHABET)) == 31


@given(drawn)
def test_code_is_read_as_printed(numbers):
    code = short_code(numbers)
    plain = code.replace("-", "")
    assert [len(part) for part in code.split("-")] == [4, 4, 1]
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in plain)
    for typed in (code, plain, plain.lower(), " ".join(plain), code.replace("-", "–"), wide):
        assert read_code(typed) == plain
        assert slip(typed) == ""


@given(drawn, st.integers(0, LENGTH), st.integers(1, 30))
def test_one_wrong_character_is_found(numbers, at, by):
    plain = short_code(numbers).replace("-", "")
    wrong = ALPHABET[(ALPHABET.index(plain[at]) + by) % 31]
    assert read_code(plain[:at] + wrong + plain[at + 1 :]) is None


@given(drawn, st.integers(0, LENGTH), st.integers(0, LENGTH))
def test_two_exchanged_characters_are_found(numbers, one, other):
    letters = list(short_code(numbers).replace("-", ""))
    letters[one], letters[other] = letters[other], letters[one]
    assert (read_code("".join(letters)) is None) == (letters[one] != letters[other])


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "this has 0"),
        ("7KQM-2X9R", "this has 8"),
        ("7KQM-2X9R-FF", "this has 10"),
        ("7KQO-2X9R-F", "no I, L or O"),
        ("7KQM-2X9R-1", "no 0 or 1"),
        ("2222-2223-2", "Compare them"),
        ("é222-2222-2", "Compare them"),
    ],
)
def test_slip_is_named(typed, sentence):
    assert read_code(typed) is None
    assert sentence in slip(typed)


@given(st.text(max_size=20))
def test_whatever_is_typed_is_a_code_or_a_slip(typed):
    assert (read_code(typed) is None) == (slip(typed) != "")
