"""A report typed as a text message is read forgivingly, never guessed, and always answered."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tallyroom.faults import InputError
from tallyroom.plan.catalogue import contests, find
from tallyroom.report.record import Report
from tallyroom.report.spoken import report_of, spoken
from tallyroom.report.text_message import Trouble, joined, read_text, written
from tallyroom.report.text_message_reply import GSM7, in_gsm7, in_texts, reply
from tallyroom.report.text_message_tags import LETTERS, tag_of, tags

LAKELAND = find("lakeland-2031")
UNIT = next(iter(LAKELAND.units))
TAGS = list(tags(LAKELAND))
A, B, C, D = TAGS[:4]
EVERY = [tag_of(line) for line in range(1, len(LETTERS) ** 2 + 1)]


def read(message):
    return read_text(message, LAKELAND)


def troubles(message):
    return [(one.trouble, one.item) for one in read(message).wrong]


@pytest.mark.parametrize("contest", contests())
def test_every_line_of_every_sheet_has_a_tag(contest):
    plan = find(contest)
    assert all(re.fullmatch(rf"[{LETTERS}]{{3}}", tag) for tag in tags(plan))
    assert len(tags(plan)) > 1


def test_a_slip_never_makes_one_tag_another():
    known = set(EVERY)
    assert len(known) == 361
    for tag in EVERY:
        wrong = {tag[:at] + letter + tag[at + 1 :] for at in range(3) for letter in LETTERS if letter != tag[at]}
        swapped = {tag[1] + tag[0] + tag[2], tag[0] + tag[2] + tag[1]} - {tag}
        assert not (wrong | swapped) & known, tag


def test_no_tag_has_a_letter_that_is_read_as_a_digit_or_as_blank():
    assert not set("ILOXQSV") & set(LETTERS)
    assert not any(tag.startswith("RES") for tag in EVERY)


def test_there_are_so_many_tags_and_no_more(monkeypatch):
    with pytest.raises(ValueError, match="line 362 has no tag"):
        tag_of(362)
    with pytest.raises(ValueError, match="line 0 has no tag"):
        tag_of(0)
    monkeypatch.setattr("tallyroom.report.text_message_tags.LETTERS", "ABCD")
    with pytest.raises(InputError, match="has 22 lines and only 16 can have a tag"):
        tags(LAKELAND)


counts = st.lists(st.none() | st.integers(0, 9_999_998), min_size=22, max_size=22)
between = st.sampled_from(["", " ", ", ", ";", "\n", " . "])


@given(counts, between, st.sampled_from(["", " ", ":", " = "]), st.booleans())
def test_what_is_typed_in_full_is_the_report(people, separator, inside, small):
    assume(separator or not inside)
    items = [f"{tag}{inside}{'X' if count is None else count}" for tag, count in zip(TAGS, people, strict=True)]
    message = f"7KM2P9 {separator.join(items)} @thanks, all"
    found = read(message.lower() if small else message)
    assert found.whole, found
    assert (found.code, found.comment) == ("7KM2P9", "thanks, all")
    assert written(found, LAKELAND, UNIT) == report_of(UNIT, people, LAKELAND)


@pytest.mark.parametrize(
    ("typed", "count"),
    [
        *((f"{A}12O", 120), (f"{A}l2", 12), (f"{A}I2", 12), (f"{A}1,024", 1024), (f"{A} 12", 12), (f"{A}:12", 12)),
        *((f"{A}１２", 12), (f"{A}١٢", 12), (f"{A}12.", 12), (f"{A}=12;", 12), (f"{A}#12", 12), (f"{A}0", 0)),
        *((f"{A}X", None), (f"{A} x", None), (f"{A.lower()}x", None)),
    ],
)
def test_a_number_is_read_however_it_is_typed(typed, count):
    found = read(f"K {typed}")
    assert (found.counts, found.wrong) == ({A: count}, ())


@pytest.mark.parametrize(
    ("typed", "trouble", "item"),
    [
        (f"{A}12.5", Trouble.INVALID, f"{A}12.5"),
        (f"{A}-3", Trouble.INVALID, f"{A}-3"),
        (f"{A}1e3", Trouble.INVALID, f"{A}1E3"),
        (f"{A}1B", Trouble.INVALID, f"{A}1B"),
        (f"{A}1 2", Trouble.INVALID, f"{A}1 2"),
        (f"{A}(12)", Trouble.INVALID, f"{A}(12)"),
        (f"{A}99999999", Trouble.INVALID, f"{A}99999999"),
        (f"{A}X5", Trouble.INVALID, f"{A}X5"),
        (f"{A}", Trouble.NO_NUMBER, A),
        (f"{A} ?", Trouble.INVALID, f"{A}?"),
        ("ZZZ4", Trouble.UNKNOWN, "ZZZ4"),
        ("5", Trouble.UNKNOWN, "5"),
        ("Plshelp", Trouble.UNKNOWN, "P1"),
    ],
)
def test_what_cannot_be_taken_is_told_and_never_counted(typed, trouble, item):
    found = read(f"K {typed}")
    assert found.counts == {}
    assert (trouble, item) in [(one.trouble, one.item) for one in found.wrong]
    assert not found.whole
    assert written(found, LAKELAND, UNIT) is None


def test_a_tag_without_a_number_does_not_take_that_of_the_next():
    found = read(f"K {A}{B}40")
    assert found.counts == {B: 40}
    assert troubles(f"K {A} {B}40") == [(Trouble.NO_NUMBER, A)]


def test_a_tag_with_two_numbers_is_told():
    assert troubles(f"K {A}1 {A}2") == [(Trouble.TWICE, f"{A}2")]
    assert troubles(f"K {A}1 {A}1") == []


@pytest.mark.parametrize(
    ("rest", "count"), [("REST0", 0), ("rest o", 0), ("RESTO0", 0), ("RESTX", None), ("restox", None)]
)
def test_the_rest_is_said_to_be_0_or_blank(rest, count):
    found = read(f"K {A}12 {rest.replace(' ', '')}")
    assert found.whole
    assert found.counts == {A: 12} | dict.fromkeys(TAGS[1:], count)


def test_the_rest_covers_nothing_while_something_is_wrong():
    found = read(f"K {A}12 {B}1Q RESTX")
    assert found.counts == {A: 12}
    assert found.missing == tuple(TAGS[1:])


@pytest.mark.parametrize("message", ["K REST5", "K REST0.5"])
def test_the_rest_is_never_another_number(message):
    assert not read(message).whole
    assert read(message).counts == {}


def test_blank_and_0_and_not_said_are_three_things():
    found = read(f"K {A}X {B}0")
    assert found.counts == {A: None, B: 0}
    assert found.missing == tuple(TAGS[2:])


def test_a_comment_is_kept_as_typed_and_no_number_is_taken_from_it():
    found = read(f"K {A}1 @ Il 0O {B}5 @")
    assert found.comment == "Il 0O {B}5 @".replace("{B}", B)
    assert found.counts == {A: 1}


@pytest.mark.parametrize("at", ["@", "＠"])
def test_a_comment_keeps_its_own_digits_and_its_end(at):
    comment = "sala ３, ٤ @ puerta " + "x" * 3_000
    assert read(f"K {A}１{at}{comment}").comment == comment
    assert read(f"K {A}１{at}{comment}").counts == {A: 1}


def test_a_second_message_fills_what_the_first_left_open():
    people = [None, *range(21)]
    items = [f"{tag}{'X' if count is None else count}" for tag, count in zip(TAGS, people, strict=True)]
    first, second = read("K " + " ".join(items[:12]) + " @one"), read("K " + " ".join(items[12:]) + " @two")
    both = joined(first, second)
    assert both.whole
    assert both.comment == "one\ntwo"
    assert written(both, LAKELAND, UNIT) == report_of(UNIT, people, LAKELAND)


def test_a_second_message_mends_what_was_wrong_in_the_first():
    both = joined(read(f"K {A}12.5 {B}3 ZZZ4"), read(f"K {A}12"))
    assert both.counts == {A: 12, B: 3}
    assert both.wrong == ()
    still = joined(read(f"K {A}12.5 {B}3"), read(f"K {C}12"))
    assert [one.tag for one in still.wrong] == [A]


def test_a_second_message_never_changes_a_number():
    both = joined(read(f"K {A}12"), read(f"K {A}13 {B}X"))
    assert both.counts == {A: 12, B: None}
    assert [(one.trouble, one.item) for one in both.wrong] == [(Trouble.TWICE, f"{A}13")]
    assert joined(read(f"K {A}12"), read(f"K {A}12")).wrong == ()


def test_a_whole_message_is_echoed_with_the_sheets_code():
    report = Report(UNIT, {"first": {"ash": 20}}, 34)
    (text,) = reply(read(f"K {A}34 {B}20 RESTX"), LAKELAND)
    assert text == f"Read: {A} 34, {B} 20. Sheet code {spoken(report, LAKELAND).code}."
    assert reply(read("K RESTX"), LAKELAND, "es")[0].startswith("Leido: en blanco. Codigo de la hoja ")


def test_the_answer_names_what_is_missing_unknown_and_invalid():
    told = " ".join(reply(read(f"K {A}12.5 ZZZ4 {B} {C}1 {C}2"), LAKELAND))
    for sentence in (
        "Unknown: ZZZ4. Look at the tags on your sheet.",
        f"Without a number: {B}. Send 0 for nobody, X for blank.",
        f"Not a count: {A}12.5.",
        f"Twice with two numbers: {C}2.",
        f"Missing: {D}, ",
        "and 7 more",
    ):
        assert sentence in re.sub(r" ?\d/\d ", " ", told)
    assert f"Missing: {A}" not in told


@pytest.mark.parametrize("message", ["", "help", "  ", "@only a comment"])
def test_a_message_without_numbers_is_answered_too(message):
    assert reply(read(message), LAKELAND) == ("No line was read. Send a tag and a number for each line of your sheet.",)


def test_nothing_is_missing_where_only_two_numbers_of_one_tag_differ():
    every = " ".join(f"{tag}1" for tag in TAGS)
    assert reply(read(f"K {every} {A}2"), LAKELAND) == (f"Twice with two numbers: {A}2. Call us to settle it.",)


def test_the_answer_never_says_received():
    for language in ("en", "es"):
        told = " ".join(reply(read("K REST0"), LAKELAND, language)).casefold()
        assert not re.search("receiv|recib|accept|acept", told)


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from([*TAGS, "12", "X", " ", "REST0", "-", "é", "@", "1e3"])).map("".join)
)
def test_any_message_is_read_and_answered_in_texts_that_fit(message):
    found = read(message)
    assert set(found.counts) | set(found.missing) == set(TAGS)
    assert not set(found.counts) & set(found.missing)
    for language in ("en", "es"):
        texts = reply(found, LAKELAND, language)
        assert texts
        assert all(0 < len(text) <= 160 and set(text) <= GSM7 for text in texts)


def test_only_so_much_of_a_message_is_read():
    assert read("K " + " " * 3_000 + f"{A}1").counts == {}


def test_a_long_answer_is_numbered_and_cut_between_words():
    texts = in_texts("word " * 100)
    assert [text[:4] for text in texts] == ["1/4 ", "2/4 ", "3/4 ", "4/4 "]
    assert all(set(text[4:].split()) == {"word"} for text in texts)
    assert all(len(text) <= 160 for text in in_texts("x" * 500))


def test_letters_that_gsm_7_lacks_are_written_plainly():
    assert in_gsm7("Leído: señal única, ¿más? 漢") == "Leido: señal unica, ¿mas? ?"
