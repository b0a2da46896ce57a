"""Canonical bytes: one form for each content, and no way to write down what has none."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.drafts import report
from tallyroom.ledger.contract import canonical, check
from tallyroom.ledger.entry import BYTES_LIMIT, NO_ENTRY, Author, Draft, read_entry, seal
from tallyroom.ledger.faults import DamagedError, LedgerError
from tallyroom.ledger.kinds import Kinds

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def sealed(draft, seq=0, prev=NO_ENTRY):
    check([draft])
    return seal(draft, seq, prev)


def test_public_form_of_a_correction():
    draft = Draft(
        kind="report",
        version=2,
        contest="lakeland-2024",
        at=datetime(2024, 2, 5, 1, 2, 3, tzinfo=UTC),
        key="k-1",
        author=Author("p-9", "operator"),
        channel="phone",
        body={"unit": "pond-1", "delegates": None, "alignments": {"first": {"birch": 0, "ash": 12}}},
        replaces=4,
        reason="misheard",
        paper="sheet-7",
        text="00" * 32,
    )
    assert sealed(draft, 5, "ab" * 32).decode() == (
        '{"at":"2024-02-05T01:02:03Z","author":{"id":"p-9","role":"operator"},'
        '"body":{"alignments":{"first":{"ash":12,"birch":0}},"delegates":null,"unit":"pond-1"},'
        '"channel":"phone","contest":"lakeland-2024","key":"k-1","kind":"report","paper":"sheet-7",'
        f'"prev":"{"ab" * 32}","reason":"misheard","replaces":4,"seq":5,"text":"{"00" * 32}","version":2}}'
    )


def test_fractions_of_a_second_are_kept():
    draft = replace(report(0), at=datetime(2024, 2, 5, 1, 2, 3, 40, tzinfo=UTC))
    assert b'"at":"2024-02-05T01:02:03.000040Z"' in sealed(draft)


def test_other_names_of_utc_give_the_same_bytes():
    other = timezone(timedelta(0), "Zulu")
    assert sealed(replace(report(0), at=report(0).at.astimezone(other))) == sealed(report(0))


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_bytes_are_canonical_whatever_the_body(body):
    """Agrees with the standard library's sorted, compact form, and reads back to the same content."""
    draft = replace(report(0), body=body)
    raw = sealed(draft)
    entry = read_entry(raw)
    assert canonical(entry)
    assert entry.draft() == draft
    plain = json.dumps(json.loads(raw), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert json.loads(raw)["body"] == body
    assert plain == raw


@given(st.permutations(list(report(0).body.items())))
def test_order_of_writing_does_not_matter(items):
    assert sealed(replace(report(0), body=dict(items))) == sealed(report(0))


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        (0.5, "0.5 is a float"),
        (float("nan"), "nan is a float"),
        ([1, [2, {"a": 1e20}]], "is a float"),
        (Fraction(1, 3), "is a Fraction"),
        (Decimal("0.1"), "is a Decimal"),
        (b"sheet", "is a bytes"),
        ({1, 2}, "is a set"),
        (datetime(2024, 2, 5, tzinfo=UTC), "is a datetime"),
        ({1: 2}, "str keys"),
        ({"ash": 12, "birch": 0.5}, "0.5 is a float"),
        ({"ash": 12, "birch": float("nan")}, "nan is a float"),
        ([12, Decimal("0.1")], "is a Decimal"),
        ((12, timedelta(1)), "is a timedelta"),
        ({"ash": 12, "birch": {"elm": [7, [8, 0.0]]}}, "0.0 is a float"),
        ("\ud800", "surrogates not allowed"),
    ],
)
def test_body_that_cannot_be_written_exactly(value, answer):
    with pytest.raises(LedgerError, match=answer):
        sealed(replace(report(0), body={"count": value}))


def test_body_without_end():
    deep = {}
    for _ in range(5000):
        deep = {"in": deep}
    with pytest.raises(LedgerError, match="cannot be written down"):
        sealed(replace(report(0), body=deep))


def test_picture_is_too_long_for_the_ledger():
    with pytest.raises(LedgerError, match="enter their digests"):
        sealed(replace(report(0), body={"picture": "x" * BYTES_LIMIT}))


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        ({"at": datetime(2024, 2, 5)}, "not in UTC"),  # noqa: DTZ001 - the fault
        ({"at": datetime(2024, 2, 5, tzinfo=timezone(timedelta(hours=-6)))}, "not in UTC"),
        ({"kind": "Report"}, "small letters"),
        ({"kind": ""}, "small letters"),
        ({"channel": "the app"}, "small letters"),
        ({"contest": "lakeland_2024"}, "small letters"),
        ({"author": Author("p-1", "Precinct Chair")}, "small letters"),
        ({"author": Author("Jane Doe", "chair")}, "author is empty"),
        ({"author": Author("", "chair")}, "author is empty"),
        ({"key": ""}, "key or author is empty"),
        ({"key": "k" * 201}, "too long"),
        ({"key": "k\n1"}, "odd characters"),
        ({"reason": "She said so."}, "not a code"),
        ({"paper": "the yellow sheet"}, "not a digest or code"),
        ({"text": "They walked out"}, "not a digest"),
        ({"version": 0}, "version 0"),
        ({"version": 1.0}, "1.0 .* is no whole number"),
        ({"version": True}, "True .* is no whole number"),
        ({"replaces": 0.0}, "0.0 is no whole number"),
    ],
)
def test_draft_that_breaks_the_contract(change, answer):
    with pytest.raises(LedgerError, match=answer):
        sealed(replace(report(0), **change))


@pytest.mark.parametrize(
    "body",
    [
        {"counts": {"ash": 12, "birch": None, "cedar": True}},
        {"counts": [12, "0", [7], {}]},
        {"counts": {"ash": {"first": 12}, "birch": 7}},
        {"counts": [[], {}, {"ash": []}]},
        {"counts": [1 << 80, -(1 << 80)]},
    ],
)
def test_whole_numbers_may_stand_beside_other_values(body):
    assert json.loads(bytes(read_entry(sealed(replace(report(0), body=body))).body)) == body


def test_tuple_is_written_as_a_list():
    assert sealed(replace(report(0), body={"drawn": ("ash", "elm")})) == sealed(
        replace(report(0), body={"drawn": ["ash", "elm"]})
    )


def test_faults_of_all_drafts_are_named_at_once_and_the_same_one_once():
    wrong = [replace(report(0), key=""), replace(report(1), key=""), replace(report(2), body={"share": 0.15})]
    with pytest.raises(LedgerError) as caught:
        check([report(3), *wrong])
    assert [fault.what[:20] for fault in caught.value.faults] == ["key or author is emp", "the body of a report"]


def test_all_faults_of_a_draft_are_named_at_once():
    with pytest.raises(LedgerError) as caught:
        sealed(replace(report(0), key="", reason="She said so.", version=0))
    assert len(caught.value.faults) == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"version":1', b'"version": 1'),
        (b'"seq":0', b'"seq":0.0'),
        (b'"seq":0', b'"seq":-0'),
        (b"2024-02-05T01:00:00Z", b"2024-02-05T01:00:00+00:00"),
        (b"2024-02-05T01:00:00Z", b"2024-02-05T01:00:00.000000Z"),
        (b'"ash":0', b'"ash":0.0'),
        (b'"ash":0', b'"ash":0,"ash":0'),
        (b'"unit":"unit-0"', b'"unit":"unit-\\u0030"'),
        (b'"channel":"app",', b""),
        (b'"channel":"app",', b'"channel":"app","chief":1,'),
        (b'"prev"', b'"p\\u0072ev"'),
        (b'"attendance"', b'"zattendance"'),
    ],
)
def test_other_bytes_of_the_same_content_are_not_canonical(old, new):
    raw = sealed(report(0))
    assert raw.count(old) >= 1
    try:
        assert not canonical(read_entry(raw.replace(old, new, 1)))
    except DamagedError as error:
        assert "not an entry" in str(error)  # noqa: PT017 - either answer will do


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("around", [b"%s", b'{"at":%s', b'{"at":"2024-02-05T01:00:00Z","body":%s', b'{"more":%s'])
def test_a_nest_without_end_is_no_entry(opening, around):
    with pytest.raises(DamagedError, match="not an entry"):
        read_entry(around % (opening * 100_000))


@given(st.binary(max_size=200))
def test_noise_is_no_entry(raw):
    with pytest.raises(DamagedError, match="not an entry"):
        read_entry(raw)


class Attendance(msgspec.Struct):
    unit: str
    attendance: int


def test_body_is_read_by_the_kinds_name_and_version():
    kinds = Kinds({("report", 1): msgspec.json.Decoder(Attendance).decode})
    read = kinds.read(read_entry(sealed(report(3))))
    assert (read.unit, read.attendance) == ("unit-3", report(3).body["attendance"])
    with pytest.raises(LedgerError, match="entry 0 is a report of version 2, which this Tallyroom cannot read"):
        kinds.read(read_entry(sealed(replace(report(3), version=2))))
    with pytest.raises(LedgerError, match="entry 0 is no report of version 1: Object missing"):
        kinds.read(read_entry(sealed(replace(report(3), body={}))))


@pytest.mark.parametrize("reader", [msgspec.json.Decoder(Attendance).decode, msgspec.json.decode])
def test_a_body_nested_without_end_is_no_body_of_its_kind(reader):
    entry = msgspec.structs.replace(read_entry(sealed(report(3))), body=msgspec.Raw(b'{"more":' + b"[" * 100_000))
    with pytest.raises(LedgerError, match="entry 0 is no report of version 1"):
        Kinds({("report", 1): reader}).read(entry)
