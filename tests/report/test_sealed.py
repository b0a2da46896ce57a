"""A sealed report arrives whole or is told apart: nobody on the way can change, cut, mix or redirect it unnoticed."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabulate.room import PLAN
from tallyroom.faults import InputError
from tallyroom.plan.catalogue import find
from tallyroom.plan.types import Group, GroupKind
from tallyroom.report import sealed
from tallyroom.report.record import RecordedLot, Report
from tallyroom.report.sealed import seal_link, seal_texts
from tallyroom.report.sealed_body import packed, unpacked
from tallyroom.report.sealed_letters import LETTERS, bytes_of, letters_of
from tallyroom.report.sealed_opened import Broken, Unsealed, Waiting, unseal
from tallyroom.report.text_message_reply import GSM7

LAKELAND = find("lakeland-2031")
UNIT, OTHER = list(LAKELAND.units)[:2]
KEY, OTHER_KEY, OLD_KEY = bytes(range(32)), bytes(range(1, 33)), bytes(range(2, 34))
KEYS = {UNIT: (KEY,), OTHER: (OTHER_KEY,)}
FILING, LATER = bytes(range(16)), bytes(range(1, 17))
HOME = "https://tally.example/r"
GROUPS = tuple(LAKELAND.groups)
SHEET = Report(UNIT, {"first": dict.fromkeys(GROUPS, 12), "final": dict.fromkeys(GROUPS, 0)}, 84, delegates={"ash": 4})
FULL = replace(
    SHEET,
    viability_number=13,
    lots=(RecordedLot("gain:1:ash+birch@1/2", ("ash",)),),
    other_attendance={"cards": 84},
    signed=("chair", "secretary"),
    photo="ab" * 32,
)

counts = st.dictionaries(st.sampled_from(GROUPS), st.integers(0, 5_000), min_size=1)
reports = st.builds(
    Report,
    unit=st.just(UNIT),
    alignments=st.dictionaries(st.sampled_from(["first", "final"]), counts),
    attendance=st.none() | st.integers(0, 9_000_000),
    viability_number=st.none() | st.integers(0, 2_000),
    delegates=st.none() | counts,
    values=st.none() | st.just({"ash": Fraction(784, 10_000)}),
    lots=st.just(()) | st.just(FULL.lots),
    signed=st.just(()) | st.just(FULL.signed),
    photo=st.just("") | st.binary(min_size=32, max_size=32).map(bytes.hex),
)


def texts_of(report=FULL, plan=LAKELAND, key=KEY, filing=FILING):
    return seal_texts(report, plan, key, filing)


def why(texts, plan=LAKELAND, keys=KEYS):
    """The one sentence with which parts are refused."""
    result = unseal(texts, plan, keys)
    assert isinstance(result, Broken), result
    (fault,) = result.faults
    assert fault.remedy.endswith(".")
    return fault.what


@given(reports)
def test_a_report_arrives_as_it_was_sealed(report):
    link = seal_link(report, LAKELAND, KEY, FILING, HOME)
    assert unseal([link], LAKELAND, KEYS) == Unsealed(report, FILING)
    texts = texts_of(report)
    assert unseal(texts, LAKELAND, KEYS) == Unsealed(report, FILING)


@given(reports)
def test_every_text_has_at_most_160_letters_of_gsm_7(report):
    for text in texts_of(report):
        assert len(text) <= 160
        assert set(text) <= GSM7
        assert re.fullmatch(rf"TR1-[1-9]/[1-9]-[{LETTERS}]+", text)


def test_the_link_keeps_the_report_behind_the_number_sign():
    link = seal_link(SHEET, LAKELAND, KEY, FILING, HOME)
    address, fragment = link.split("#")
    assert address == HOME
    assert re.fullmatch(rf"TR1-1/1-[{LETTERS}]+", fragment)
    assert len(link) < 200


def test_an_ordinary_sheet_takes_one_text():
    assert len(texts_of(SHEET)) == 1
    assert len(texts_of(FULL)) == 3


def test_blank_and_0_stay_apart():
    blank = Report(UNIT, {"first": {"ash": 0}})
    (text,) = texts_of(blank)
    assert unseal([text], LAKELAND, KEYS).report == blank


@given(st.permutations(range(3)))
def test_parts_may_come_in_any_order(order):
    texts = texts_of()
    assert unseal([texts[place] for place in order], LAKELAND, KEYS).report == FULL


def test_a_part_that_comes_twice_is_taken_once_and_told():
    texts = texts_of()
    result = unseal([texts[1], *texts], LAKELAND, KEYS)
    assert result.report == FULL
    assert result.notes == ("Part 2 came more than once; the copies are the same.",)


@pytest.mark.parametrize(("arrived", "missing"), [((0,), (2, 3)), ((0, 2), (2,)), ((1, 1), (1, 3))])
def test_missing_parts_are_named_and_waited_for(arrived, missing):
    texts = texts_of()
    result = unseal([texts[place] for place in arrived], LAKELAND, KEYS)
    assert result == Waiting(UNIT, FILING, missing, 3)
    which = "part 2 of 3" if missing == (2,) else f"parts {missing[0]} and {missing[1]} of 3"
    assert str(result) == f"{which} of the report of {UNIT} did not arrive yet. Ask for {which} to be sent again."


@given(place=st.integers(8, 10_000), letter=st.sampled_from(LETTERS))
def test_one_changed_letter_is_noticed(place, letter):
    for text in texts_of():
        at = 8 + place % (len(text) - 8)
        if text[at] == letter:
            continue
        changed = text[:at] + letter + text[at + 1 :]
        result = unseal([changed], LAKELAND, KEYS)
        assert isinstance(result, Broken), at


def test_every_changed_letter_has_a_sentence_that_fits():
    (text,) = texts_of(SHEET)
    told = {why([text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]]) for at in range(8, len(text))}
    name = "the sealed report"
    assert told >= {
        f"{name} is not of contest lakeland-2031",
        f"{name} is of a place that lakeland-2031 does not have",
        f"{name} of {UNIT} was cut or changed on the way, or sealed with a key that is not in force",
    }


def test_every_cut_is_noticed():
    (text,) = texts_of(SHEET)
    for end in range(len(text)):
        assert isinstance(unseal([text[:end]], LAKELAND, KEYS), Broken), end


@pytest.mark.parametrize("version", ["0", "2", "17"])
def test_another_version_of_the_form_is_told(version):
    (text,) = texts_of(SHEET)
    assert why([text.replace("TR1", f"TR{version}", 1)]) == f"this report is sealed in form {int(version)}"


def test_the_numbering_is_inside_the_seal():
    texts = texts_of()
    assert "was cut or changed on the way" in why([texts[0].replace("1/3", "2/3")])
    assert "was cut or changed on the way" in why([texts[0].replace("1/3", "1/1")])


@pytest.mark.parametrize("numbering", ["0/3", "4/3", "1/10", "9/99"])
def test_a_part_that_cannot_be_is_told(numbering):
    assert "there is no such part" in why([texts_of()[0].replace("1/3", numbering)])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "this is not a sealed report"),
        ("7KM2P9 AAE120", "this is not a sealed report"),
        (HOME, "this is not a sealed report"),
        (HOME + "#", "this is not a sealed report"),
        ("TR1", "its beginning is not whole"),
        ("TR1-1/1", "its beginning is not whole"),
        ("TR1-1/1-", "it is too short"),
        ("TR1-1/1-0000", "it is too short"),
        ("TR1-1/1-00U0", "'U' is not a letter of a sealed report"),
        ("TR1-1/1-000000", "letters are missing"),
        ("TR1-1/1-00Z", "letters are missing"),
        ("TR1-1/1-0Z", "letters are missing"),
    ],
)
def test_what_is_no_sealed_report_is_told(text, what):
    assert what in why([text])


def test_nothing_at_all_is_no_report():
    assert "there is no sealed report in this" in why([])


def test_small_letters_blanks_breaks_and_lookalikes_do_no_harm():
    (text,) = texts_of(SHEET)
    worn = text[:8] + text[8:].replace("1", "l").replace("0", "O")
    worn = "\n ".join(worn[at : at + 20] for at in range(0, len(worn), 20)).lower()
    assert unseal([worn], LAKELAND, KEYS).report == SHEET


def test_a_report_of_another_contest_is_told():
    report = Report("elm-1", {"first": {"ash": 1}})
    (text,) = seal_texts(report, PLAN, KEY, FILING)
    assert why([text]) == "the sealed report is not of contest lakeland-2031"


def test_a_sheet_with_another_group_is_told():
    groups = {**LAKELAND.groups, "fir": Group("fir", "Fir", GroupKind.CANDIDATE)}
    (text,) = texts_of(SHEET, replace(LAKELAND, groups=groups))
    assert why([text]).startswith("the sealed report was made from another sheet of lakeland-2031")


def test_a_unit_that_the_plan_lost_is_told():
    units = {unit: place for unit, place in LAKELAND.units.items() if unit != UNIT}
    assert "is of a place that lakeland-2031 does not have" in why(texts_of(SHEET), replace(LAKELAND, units=units))


@pytest.mark.parametrize("keys", [{}, {UNIT: ()}, {OTHER: (OTHER_KEY,)}])
def test_a_unit_without_a_key_in_force_is_told(keys):
    assert why(texts_of(SHEET), keys=keys) == f"the sealed report is of {UNIT}, which has no sealing key in force"


def test_another_units_key_seals_nothing():
    assert "a key that is not in force" in why(texts_of(SHEET, key=OTHER_KEY))


def test_a_reissued_packet_has_two_keys_in_force_and_a_revoked_one_none():
    assert unseal(texts_of(SHEET, key=OLD_KEY), LAKELAND, {UNIT: (KEY, OLD_KEY)}).report == SHEET
    assert "a key that is not in force" in why(texts_of(SHEET, key=OLD_KEY))


def test_parts_of_two_places_are_told():
    here, there = texts_of(), texts_of(replace(FULL, unit=OTHER), key=OTHER_KEY)
    assert why([here[0], there[1], here[2]]) == f"these parts are of two places, {UNIT} and {OTHER}"


def test_parts_of_two_filings_are_told():
    here, later = texts_of(), texts_of(filing=LATER)
    assert why([here[0], later[1], here[2]]) == f"these parts are of two filings of {UNIT}"


def test_one_filing_with_two_contents_is_told():
    here, changed = texts_of(), texts_of(replace(FULL, attendance=85))
    assert why([here[0], changed[1], here[2]]) == f"one filing of {UNIT} came with two contents"


def test_all_faulty_parts_are_told_at_once():
    texts = texts_of()
    result = unseal([texts[0][:-8], texts[1], texts[2][:-3]], LAKELAND, KEYS)
    assert [fault.what[:11] for fault in result.faults] == ["part 1 of 3", "part 3 of 3"]
    assert len(str(result).splitlines()) == 2


def sealed_by_hand(body, unit=UNIT, whole=None):
    """One part around any bytes, with the right key: what a faulty program could send."""
    digest = sealed.hashlib.sha256(body).digest()[:4] if whole is None else whole
    header = bytes(
        sealed.Header(
            sealed.contest_mark(LAKELAND), sealed.sheet_mark(LAKELAND), sealed.unit_mark(unit), FILING, digest
        )
    )
    raw = header + body
    return sealed.prefix(1, 1) + letters_of(raw + sealed.tag(KEY, unit, LAKELAND, (1, 1), raw))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        bytes(21),
        b"\xff" * 30,
        bytes(22) + b"\xc1",
        bytes(22) + b"\x90",
        bytes(22) + b"\x81\xa1x\x01",
        bytes(22) + b"\x81\x08\x01",
        bytes(22) + b"\x81\xff\x01",
        bytes(22) + b"\x81\x06\xa2xx",
        bytes(22) + b"\x81\x05\x91\xa5A B C",
        bytes(22) + b"\x81\x02\x81\xa4nope\xa11",
        b"\xff\xff\xff\xff\xff\x7f" + bytes(21),
    ],
)
def test_a_whole_seal_around_what_is_no_report_is_told(body):
    result = unseal([sealed_by_hand(body)], LAKELAND, KEYS)
    assert isinstance(result, Broken)
    assert all(fault.what and fault.remedy for fault in result.faults)


@given(st.binary(max_size=60))
def test_any_bytes_in_a_whole_seal_are_a_report_of_the_plan_or_refused(body):
    result = unseal([sealed_by_hand(body)], LAKELAND, KEYS)
    assert isinstance(result, Unsealed | Broken)


def test_parts_that_do_not_make_the_whole_are_told():
    assert why([sealed_by_hand(bytes(22), whole=b"none")]) == "these parts are not those of one report"


@given(st.text(max_size=200) | st.text(alphabet=LETTERS + "TR1-/# ", max_size=200).map("TR1-1/1-".__add__))
def test_any_text_is_answered(text):
    assert isinstance(unseal([text], LAKELAND, KEYS), Broken)


def test_a_long_text_is_not_read_to_its_end():
    assert isinstance(unseal(["TR1-1/1-" + "0" * 1_000_000], LAKELAND, KEYS), Broken)


@pytest.mark.parametrize(("key", "filing"), [(b"short", FILING), (KEY, b"short"), (KEY + b"x", FILING)])
def test_a_key_of_another_length_is_a_broken_contract(key, filing):
    with pytest.raises(ValueError, match="bytes, not"):
        seal_texts(SHEET, LAKELAND, key, filing)


def test_a_report_too_long_to_send_is_refused_in_words():
    long = replace(SHEET, signed=tuple(f"group-{number}" for number in range(400)))
    with pytest.raises(InputError, match=r"would take \d+ texts, and not more than 9 are sent"):
        texts_of(long)
    with pytest.raises(InputError, match="the link would have"):
        seal_link(long, LAKELAND, KEY, FILING, HOME)


def test_a_report_of_another_plan_is_not_sealed():
    with pytest.raises(InputError, match="is not a unit of contest"):
        texts_of(replace(SHEET, unit="nowhere"))


def test_what_could_not_be_opened_is_not_sealed():
    with pytest.raises(InputError, match=r"this is not a report: .* at `\$\.lots"):
        texts_of(replace(SHEET, lots=(RecordedLot("a coin", ("ash",)),)))


def test_a_primary_seals_delegates_it_has_no_line_for():
    primary = find("new-hampshire-2020")
    unit, group = next(iter(primary.units)), next(iter(primary.groups))
    report = Report(unit, {"votes": {group: 7}}, delegates={group: 1})
    assert unpacked(packed(report, primary), unit, primary) == report


def test_two_units_with_one_mark_are_told_apart_by_the_tag(monkeypatch):
    monkeypatch.setattr(sealed, "unit_mark", lambda _unit: b"alike")
    for unit, key in ((UNIT, KEY), (OTHER, OTHER_KEY)):
        (text,) = texts_of(replace(SHEET, unit=unit), key=key)
        assert unseal([text], LAKELAND, KEYS).report.unit == unit


@given(st.binary(max_size=80))
def test_letters_give_their_bytes_back(raw):
    assert bytes_of(letters_of(raw)) == raw
    assert bytes_of(letters_of(raw).lower()) == raw


def test_no_letter_can_be_read_as_another():
    assert len(LETTERS) == len(set(LETTERS)) == 32
    assert not set("ILOU") & set(LETTERS)
