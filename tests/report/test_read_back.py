"""Three words stand for an entry: the same everywhere, and none that could be taken for another."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.report.read_back import LIST_SIZE, WORDS, plain, spoken_words, unlike, words_of

LANGUAGES = ("en", "es")
LEAF = "0123456789abcdef" * 4
leaves = st.binary(min_size=32, max_size=32).map(bytes.hex)


def apart(one, other):
    """Whether more than one letter must be changed, put in or left out to make one word the other."""
    if abs(len(one) - len(other)) > 1:
        return True
    longer, shorter = sorted((one, other), key=len, reverse=True)
    first = next((place for place, (a, b) in enumerate(zip(longer, shorter, strict=False)) if a != b), len(shorter))
    rest = shorter[first + (len(longer) == len(shorter)) :]
    return longer[first + 1 :] != rest


def test_the_words_of_an_entry_are_the_same_tomorrow():
    assert words_of("0" * 64) == ("inflict", "eyebrow", "citizen")
    assert words_of("0" * 64, "es") == ("límite", "gerente", "cómodo")


@pytest.mark.parametrize("language", LANGUAGES)
@given(leaf=leaves)
def test_every_entry_has_three_words_of_the_list(language, leaf):
    words = words_of(leaf, language)
    assert len(words) == WORDS
    assert set(words) <= set(spoken_words(language))
    assert unlike(" ".join(words), leaf, language) == ""


def test_a_changed_entry_has_other_words():
    seen = {words_of(f"{number:064x}") for number in range(2_000)}
    assert len(seen) == 2_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_a_letter_away_from_another(language):
    words = [plain(word) for word in spoken_words(language)]
    assert len(set(words)) == LIST_SIZE == len(words)
    assert [(one, other) for one in words for other in words if one < other and not apart(one, other)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_is_known_by_its_first_four_letters_and_is_short(language):
    words = [plain(word) for word in spoken_words(language)]
    assert len({word[:4] for word in words}) == LIST_SIZE
    assert all(re.fullmatch(r"[a-z]{4,8}", word) for word in words)


@pytest.mark.parametrize(
    ("language", "unfit"),
    [("en", ("seven", "winner", "error", "vote", "pistol")), ("es", ("cinco", "ganar", "error", "fraude", "voto"))],
)
def test_no_word_is_heard_as_a_number_or_a_remark(language, unfit):
    assert not {plain(word) for word in spoken_words(language)} & (set(unfit) - {"error"} | {"seis", "siete", "three"})


@pytest.mark.parametrize(
    "said", ["LÍMITE, gerente, cómodo.", "limite gerente comodo", "l\u0069\u0301mite gerente  cómodo"]
)
def test_accents_capitals_and_commas_are_no_difference(said):
    assert unlike(said, "0" * 64, "es") == ""


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("", "There are 3 words to read back, and 0 were said."),
        ("inflict eyebrow", "There are 3 words to read back, and 2 were said."),
        ("eyebrow inflict citizen", "These are the words in another order."),
        ("inflict eyeball citizen", "Word 2 is not the one on the receipt."),
    ],
)
def test_words_that_differ_are_answered_in_a_sentence(said, answer):
    assert unlike(said, "0" * 64).startswith(answer)


@pytest.mark.parametrize("leaf", ["", "0" * 63, "0" * 65, "G" * 64, LEAF.upper(), LEAF + "\n"])
def test_what_is_no_leaf_hash_has_no_words(leaf):
    with pytest.raises(ValueError, match="is not a leaf hash"):
        words_of(leaf)


@pytest.mark.parametrize(("one", "other", "far"), [("cat", "cut", False), ("cat", "cart", False), ("cat", "dog", True)])
def test_the_measure_of_these_tests_tells_near_from_far(one, other, far):
    assert apart(one, other) is far
