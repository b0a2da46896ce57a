"""A count as people write it: many digits are taken, what is no count is refused in words, a blank is never 0."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.exact import COUNT_LIMIT, parse_count
from tallyroom.report.spoken_count import in_plain_digits, parse_spoken_count

SCRIPTS = {"full-width": 0xFF10, "Arabic-Indic": 0x660, "Persian": 0x6F0, "Devanagari": 0x966, "Bengali": 0x9E6}


@pytest.mark.parametrize(
    ("typed", "count"),
    [
        *(("12", 12), (" 12 ", 12), ("\t12\n", 12), ("0", 0), ("007", 7), ("1,024", 1024), ("1,234,567", 1234567)),
        *(("１２", 12), ("１，０２４", 1024), ("١٢٣", 123), ("١،٠٢٤", 1024), ("١٬٠٢٤", 1024), ("\u300012", 12)),
    ],
)
def test_a_number_is_read_however_it_is_typed(typed, count):
    assert parse_spoken_count(typed) == count


@pytest.mark.parametrize("typed", ["", "  ", "\u3000", "blank", "Blank ", "en blanco"])
def test_a_blank_is_none_and_not_0(typed):
    assert parse_spoken_count(typed) is None


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        *(("12.5", "is not whole"), ("１２.５", "is not whole"), ("١٢٫٥", "is not whole"), ("1,2", "is not whole")),
        *((".5", "is not whole"), ("1,0244", "is not whole"), ("1.024", "is not whole")),
        *(("1e3", "write every digit"), ("1E+3", "write every digit"), ("2.5e2", "write every digit")),
        *(("-3", "is negative"), ("−3", "is negative"), ("－３", "is negative"), ("-1,024", "is negative")),
        *(("twelve", "is not a whole number"), ("1 2", "is not a whole number"), ("1O", "is not a whole number")),
        *(("½", "is not a whole number"), ("²", "is not a whole number"), ("+3", "is not a whole number")),
        *(("12,", "is not a whole number"), (",024", "is not whole"), ("12 people", "is not a whole number")),
        *(("99999999999", "is larger than any place"), ("9" * 61, "too long for a number")),
    ],
)
def test_what_is_no_count_is_refused_with_a_reason(typed, why):
    with pytest.raises(ValueError, match=why):
        parse_spoken_count(typed)


@pytest.mark.parametrize("zero", SCRIPTS.values(), ids=SCRIPTS)
@given(count=st.integers(0, COUNT_LIMIT - 1))
def test_the_digits_of_every_script_are_digits(zero, count):
    assert parse_spoken_count("".join(chr(zero + int(digit)) for digit in str(count))) == count


@given(st.text(max_size=70))
def test_any_text_is_a_count_below_the_limit_a_blank_or_a_reason(text):
    try:
        count = parse_spoken_count(text, 1_000)
    except ValueError:
        return
    assert count is None or 0 <= count < 1_000


@given(st.text(alphabet="0123456789 -.,eE+", max_size=14))
def test_what_the_strict_reader_takes_means_the_same_here(text):
    try:
        count = parse_count(text)
    except ValueError:
        return
    assert parse_spoken_count(text) == count


def test_other_letters_stay_as_they_are():
    assert in_plain_digits("¿Añil ٣ ３？") == "¿Añil 3 3?"
