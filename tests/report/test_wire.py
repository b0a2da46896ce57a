"""The JSON form of a report: what goes in comes out, and whatever is not a report is refused in a sentence."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.award.outcome import Tie, TieKind
from tallyroom.exact import COUNT_LIMIT
from tallyroom.faults import InputError
from tallyroom.report.record import RecordedLot, Report
from tallyroom.report.wire import decode, to_wire

ids = st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,6}){0,2}", fullmatch=True)
counts = st.integers(0, COUNT_LIMIT - 1)
people = st.dictionaries(ids, counts, max_size=5)
decimals = st.builds(lambda whole, part, places: whole + Fraction(part % 10**places, 10**places),
                     st.integers(0, 9_999_999), st.integers(0, 10**12), st.integers(0, 12))  # fmt: skip
ties = st.builds(Tie, st.sampled_from(TieKind), st.lists(ids, min_size=2, max_size=4, unique=True).map(tuple),
                 st.integers(1, 9), st.fractions())  # fmt: skip
lots = st.builds(RecordedLot, ties.map(lambda tie: tie.id), st.lists(ids, max_size=3).map(tuple))
digests = st.from_regex(r"([0-9a-f]{32,128})?", fullmatch=True)
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
    signed=st.lists(ids, max_size=3).map(tuple),
    photo=digests,
    components=st.dictionaries(ids, st.dictionaries(ids, people, max_size=2), max_size=2),
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
    sorted({*to_wire(Report("u", {})), "attendance", "delegates", "values", "lots", "signed", "photo", "components"})
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
        ({"unit": "x" * 121}, r"at `\$.unit`"),
        ({"unit": "elm--1"}, r"at `\$.unit`"),
        ({"unit": "-elm"}, r"at `\$.unit`"),
        ({"alignments": {"x" * 65: {"ash": 1}}}, r"at the keys of `\$.alignments`"),
        ({"alignments": {"first": {"Ash": 1}}}, r"at the keys of `\$.alignments\[...\]`"),
        ({"delegates": {"ash-": 1}}, r"at the keys of `\$.delegates`"),
        ({"values": {"": "1"}}, r"at the keys of `\$.values`"),
        ({"other_attendance": {"at the door": 1}}, r"at the keys of `\$.other_attendance`"),
        ({"signed": ["Jane Doe"]}, r"at `\$.signed\[0\]`"),
        ({"signed": ["x" * 65]}, r"at `\$.signed\[0\]`"),
        ({"photo": "sheet.jpg"}, r"at `\$.photo`"),
        ({"photo": "a" * 31}, r"at `\$.photo`"),
        ({"photo": "A" * 64}, r"at `\$.photo`"),
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
        ({"lots": [{"tie": "gain:1:ash+birch@1/2"}]}, r"missing required field `drawn` - at `\$.lots\[0\]`"),
        ({"lots": [{"tie": "gain:1:ash+birch@1/2", "drawn": ["Ash"]}]}, r"at `\$.lots\[0\].drawn\[0\]`"),
        ({"lots": [{"tie": "they drew straws", "drawn": ["ash"]}]}, r"at `\$.lots\[0\].tie`"),
        ({"lots": [{"tie": "gain:1:ash@1/2", "drawn": ["ash"]}]}, r"at `\$.lots\[0\].tie`"),
        ({"lots": [{"tie": "win:1:ash+birch@1/2", "drawn": ["ash"]}]}, r"at `\$.lots\[0\].tie`"),
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


TEXTS = (
    lambda text: {"unit": text},
    lambda text: {"alignments": {text: {"ash": 1}}},
    lambda text: {"alignments": {"first": {text: 1}}},
    lambda text: {"delegates": {text: 1}},
    lambda text: {"values": {text: "1"}},
    lambda text: {"values": {"ash": text}},
    lambda text: {"lots": [{"tie": text, "drawn": ["ash"]}]},
    lambda text: {"lots": [{"tie": "gain:1:ash+birch@1/2", "drawn": [text]}]},
    lambda text: {"other_attendance": {text: 1}},
    lambda text: {"signed": [text]},
    lambda text: {"photo": text},
    lambda text: {"components": {text: {"first": {"ash": 1}}}},
    lambda text: {"components": {"room": {text: {"ash": 1}}}},
    lambda text: {"components": {"room": {"first": {text: 1}}}},
)
"""Every place of a report where a text can stand."""

words = st.sampled_from(["", "elm-1", "ash", "gain:1:ash+birch@1/2", "0.5", "a" * 32, "jane"]) | st.text(max_size=12)
marks = st.sampled_from([" ", "\t", "\n", "\r", "\x0b", "\x85", "\u2028", "\u00a0", "\u00e9"]) | st.characters(
    categories=["Lu"]
)


@given(st.sampled_from(TEXTS), words, marks, words)
def test_no_text_that_could_be_a_name_passes_in_any_field(place, before, mark, after):
    with pytest.raises(InputError, match="this is not a report"):
        decode(encoded({**GOOD, **place(f"{before}{mark}{after}")}))


@given(st.sampled_from([place for place in TEXTS if "tie" not in str(place("x"))]), words, words)
def test_no_address_passes_in_any_field(place, before, after):
    with pytest.raises(InputError, match="this is not a report"):
        decode(encoded({**GOOD, **place(f"{before}@{after}")}))


@given(words, words)
def test_the_only_sign_at_in_a_tie_stands_before_its_number(before, after):
    with pytest.raises(InputError, match="this is not a report"):
        decode(encoded({**GOOD, "lots": [{"tie": f"gain:1:ash+birch@{before}@{after}", "drawn": ["ash"]}]}))


@pytest.mark.parametrize("place", TEXTS)
def test_the_texts_that_do_pass_are_ids_ties_decimals_and_digests(place):
    taken = []
    for text in ("elm-1", "gain:1:ash+birch@1/2", "0.5", "a" * 64):
        with suppress(InputError):
            decode(encoded({**GOOD, **place(text)}))
            taken.append(text)
    assert taken in (["elm-1"], ["elm-1", "a" * 64], ["gain:1:ash+birch@1/2"], ["0.5"], ["a" * 64])


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("around", [b"%s", b'{"unit":"elm-1","alignments":%s', b'{"unit":"elm-1","more":%s'])
def test_a_nest_without_end_is_no_report(opening, around):
    with pytest.raises(InputError, match="this is not a report"):
        decode(around % (opening * 100_000))
