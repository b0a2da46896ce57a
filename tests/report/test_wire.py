"""The JSON form of a report: what goes in comes out, and whatever is not a report is refused in a sentence."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.exact import COUNT_LIMIT
from tallyroom.faults import InputError
from tallyroom.report.record import RecordedLot, Report
from tallyroom.report.wire import decode, to_wire

ids = st.from_regex(r"[a-z0-9-]{1,20}", fullmatch=True)
counts = st.integers(0, COUNT_LIMIT - 1)
people = st.dictionaries(ids, counts, max_size=5)
decimals = st.builds(lambda whole, part, places: whole + Fraction(part % 10**places, 10**places),
                     st.integers(0, 9_999_999), st.integers(0, 10**12), st.integers(0, 12))  # fmt: skip
lots = st.builds(RecordedLot, st.text(max_size=30), st.lists(ids, max_size=3).map(tuple))
reports = st.builds(
    Report,
    unit=ids,
    alignments=st.dictionaries(ids, people, max_size=3),
    attendance=st.none() | counts,
    viability_number=st.none() | counts,
    delegates=st.none() | people,
    values=st.none() | st.dictionaries(ids, decimals, max_size=5),
    lots=st.lists(lots, max_size=3).map(tuple),
    other_attendance=people,
    signed=st.lists(st.text(max_size=10), max_size=3).map(tuple),
    photo=st.text(max_size=64),
)


def encoded(wire):
    return msgspec.json.encode(wire)


@given(reports)
def test_what_goes_in_comes_out(report):
    assert decode(encoded(to_wire(report))) == report


@given(reports)
def test_equal_reports_have_equal_bytes(report):
    again = decode(encoded(to_wire(report)))
    assert encoded(to_wire(again)) == encoded(to_wire(report))


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_no_bytes_raise_anything_but_a_sentence(raw):
    with suppress(InputError):
        decode(raw)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
fields = st.sampled_from(
    sorted({*to_wire(Report("u", {})), "attendance", "delegates", "values", "lots", "signed", "photo"})
)


@given(st.dictionaries(fields, json_values))
def test_no_value_of_a_field_raises_anything_but_a_sentence(wire):
    with suppress(InputError):
        decode(encoded({"unit": "elm-1", "alignments": {}, **wire}))


class TestBlank:
    BARE = Report("elm-1", {"first": {"ash": 0}})

    def test_blanks_are_left_out(self):
        assert to_wire(self.BARE) == {"unit": "elm-1", "alignments": {"first": {"ash": 0}}}

    def test_absent_and_null_are_blank(self):
        nulls = {"attendance": None, "viability_number": None, "delegates": None, "values": None}
        for more in ({}, nulls):
            found = decode(encoded({**to_wire(self.BARE), **more}))
            assert (found.attendance, found.viability_number, found.delegates, found.values) == (None,) * 4

    def test_zero_was_counted(self):
        found = decode(encoded({**to_wire(self.BARE), "attendance": 0, "delegates": {"ash": 0}}))
        assert (found.attendance, found.delegates) == (0, {"ash": 0})
        assert found.count("first", "ash") == 0

    def test_a_group_or_stage_that_is_not_there_is_blank(self):
        assert self.BARE.count("first", "birch") is None
        assert self.BARE.count("final", "ash") is None
        assert self.BARE.total("final") == 0

    def test_empty_is_not_blank(self):
        assert to_wire(Report("elm-1", {}, delegates={}))["delegates"] == {}
        assert decode(b'{"unit":"elm-1","alignments":{},"delegates":{}}').delegates == {}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 10), "0.1"),
        (Fraction(3626366, 10000), "362.6366"),
        (Fraction(1, 8), "0.125"),
        (Fraction(0), "0"),
        (Fraction(12), "12"),
        (Fraction(1, 10**12), "0.000000000001"),
    ],
)
def test_values_are_exact_decimals(value, text):
    report = Report("elm-1", {}, values={"ash": value})
    assert to_wire(report)["values"] == {"ash": text}
    assert decode(encoded(to_wire(report))).values == {"ash": value}


def test_a_fraction_without_decimal_form_cannot_stand_on_a_sheet():
    with pytest.raises(ValueError, match="1/3 has no exact decimal form"):
        to_wire(Report("elm-1", {}, values={"ash": Fraction(1, 3)}))


GOOD = {"unit": "elm-1", "alignments": {"first": {"ash": 3}}}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"attendance": -1}, r"`int` >= 0 - at `\$.attendance`"),
        ({"attendance": 1e9}, r"\$.attendance"),
        ({"attendance": 10**9}, r"\$.attendance"),
        ({"attendance": 10**30}, r"\$.attendance"),
        ({"attendance": 12.5}, r"Expected `int \| null`, got `float` - at `\$.attendance`"),
        ({"attendance": "12"}, r"Expected `int \| null`, got `str` - at `\$.attendance`"),
        ({"attendance": True}, r"got `bool` - at `\$.attendance`"),
        ({"attendence": 12}, r"Object contains unknown field `attendence`"),
        ({"unit": "Elm 1"}, r"at `\$.unit`"),
        ({"unit": ""}, r"at `\$.unit`"),
        ({"unit": "x" * 201}, r"at `\$.unit`"),
        ({"alignments": {"first": {"ash": -1}}}, r"at `\$.alignments\[...\]\[...\]`"),
        ({"alignments": {"first": {"ash": None}}}, r"got `null` - at `\$.alignments"),
        ({"alignments": [1]}, r"Expected `object`, got `array` - at `\$.alignments`"),
        ({"delegates": {"ash": COUNT_LIMIT}}, r"at `\$.delegates\[...\]`"),
        ({"values": {"ash": 0.5}}, r"Expected `str`, got `float` - at `\$.values"),
        ({"values": {"ash": "-0.5"}}, r"at `\$.values\[...\]`"),
        ({"values": {"ash": "1e3"}}, r"at `\$.values\[...\]`"),
        ({"values": {"ash": "1/3"}}, r"at `\$.values\[...\]`"),
        ({"values": {"ash": "00.5"}}, r"at `\$.values\[...\]`"),
        ({"values": {"ash": "0.0000000000001"}}, r"at `\$.values\[...\]`"),
        ({"lots": [{"tie": "x"}]}, r"missing required field `drawn` - at `\$.lots\[0\]`"),
        ({"lots": [{"tie": "x", "drawn": ["Ash"]}]}, r"at `\$.lots\[0\].drawn\[0\]`"),
        ({"photo": None}, r"Expected `str`, got `null` - at `\$.photo`"),
    ],
)
def test_a_malformed_field_is_named(more, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        decode(json.dumps({**GOOD, **more}).encode(), "entry 7")
    assert str(caught.value).startswith("entry 7: this is not a report: ")
    assert str(caught.value).endswith(". Correct the field named and send the report again.")


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"\xff", b'{"unit":"elm-1"}', b'{"unit":"a"} x', b"\x00"])
def test_what_is_no_object_of_that_form_is_refused(raw):
    with pytest.raises(InputError, match="this is not a report"):
        decode(raw)
