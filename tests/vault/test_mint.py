"""What is made of chance, and digests."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.vault.faults import VaultError
from tallyroom.vault.mint import Mint
from vault.evening import SECRET, WORDS

MINT = Mint(SECRET, Random(3).randbytes)
parts = st.lists(st.text(max_size=6), min_size=1, max_size=4)


@given(parts, parts)
def test_digests_are_equal_only_for_the_same_purpose_and_parts(one, other):
    assert (MINT.digest(*one) == MINT.digest(*other)) == (one == other)


def test_parts_of_a_digest_do_not_run_together():
    assert MINT.digest("link", "ab", "c") != MINT.digest("link", "a", "bc")
    assert MINT.digest("link", "abc") != MINT.digest("code", "abc")


@given(st.integers(1, 70_000), st.binary(min_size=64, max_size=64))
def test_drawn_number_is_below_its_limit(limit, chance):
    drawn = iter([chance[at : at + 4] for at in range(0, 64, 4)] + [b"\0" * 4] * 2)
    assert 0 <= Mint(SECRET, lambda many: next(drawn)[:many]).below(limit) < limit


def test_every_number_is_as_likely_and_what_would_favour_the_first_is_drawn_again():
    outcomes = [0] * 31
    for first in range(256):
        for second in range(256):
            drawn = iter([bytes([first, second]), b"\0\0"])
            outcomes[Mint(SECRET, lambda _many, drawn=drawn: next(drawn)).below(31)] += 1
    again = 65_536 % 31
    assert outcomes == [65_536 // 31 + again] + [65_536 // 31] * 30


def test_tokens_and_ids_have_the_bits_that_are_said():
    drawn = []
    mint = Mint(SECRET, lambda many: drawn.append(many) or bytes(many))
    assert len(mint.token()) == 43
    assert mint.id("p") == "p-" + "a" * 16
    assert drawn == [32, 10]


def test_passphrase_has_four_words_of_the_list():
    said = MINT.passphrase(WORDS).split()
    assert len(said) == 4
    assert set(said) <= set(WORDS)
    with pytest.raises(VaultError, match="1023 words"):
        MINT.passphrase(WORDS[:1023])
