"""Free texts behind the digests of the ledger."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.drafts import report
from tallyroom.ledger.contract import check
from tallyroom.vault.address import open_vault
from tallyroom.vault.texts import LENGTH_LIMIT, FreeText, Unresolved
from vault.evening import CONTEST, EVENING, SECRET, later, reason


def test_text_is_read_by_the_digest_that_the_ledger_has(vault):
    kept = vault.texts.keep("The ladder fell over.", EVENING)
    check([report(0, text=kept.digest)])
    assert vault.texts.find(kept.digest) == kept
    assert (kept.text, kept.kept) == ("The ladder fell over.", EVENING)


def test_digest_is_that_of_salt_and_text_and_no_salt_is_used_twice(vault):
    first, second = (vault.texts.keep("The same words.", EVENING) for _ in range(2))
    assert first.digest != second.digest
    for digest, salt in vault._shelf.rows("SELECT digest, salt FROM vault_text"):
        assert len(salt) == 32
        assert sha256(salt + b"The same words.").hexdigest() == digest


def test_filing_sent_twice_names_the_same_digest(vault):
    first = vault.texts.keep("A note.", EVENING, key="device-1")
    assert vault.texts.keep("A note.", later(1), key="device-1") == first
    assert vault.texts.keep("A note.", later(1), key="device-2").digest != first.digest


def test_other_text_under_the_same_key_has_a_digest_of_its_own(vault):
    first = vault.texts.keep("A note.", EVENING, key="device-1")
    other = vault.texts.keep("Another note.", EVENING, key="device-1")
    assert other.digest != first.digest
    assert vault.texts.find(first.digest).text == "A note."
    assert vault.texts.find(other.digest).text == "Another note."


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "empty"), ("x" * (LENGTH_LIMIT + 1), "too-large"), ("a\0b", "unwritable"), ("a\ud800", "unwritable")],
)
def test_text_is_refused(vault, text, code):
    assert reason(vault.texts.keep(text, EVENING)) == code
    assert vault._shelf.rows("SELECT 1 FROM vault_text") == []


@pytest.mark.parametrize("digest", ["0" * 64, "", "\ud800", "x\0"])
def test_unknown_digest_stands_for_nothing(vault, digest):
    found = vault.texts.find(digest)
    assert found == Unresolved(digest, "No text with this digest is kept here.")


@given(st.text(min_size=1, max_size=200))
def test_every_text_comes_back_as_written_or_is_refused(text):
    chance = iter(range(2, 255))
    with open_vault(None, CONTEST, SECRET, lambda many: bytes([next(chance)]) * many) as vault:
        kept = vault.texts.keep(text, EVENING)
        if "\0" in text:
            assert reason(kept) == "unwritable"
        else:
            assert isinstance(kept, FreeText)
            assert vault.texts.find(kept.digest) == kept
            assert kept.text == text
