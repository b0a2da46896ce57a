"""Photos of sheets, by digest."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tallyroom.vault.faults import VaultDamagedError
from tallyroom.vault.photos import PICTURE_LIMIT
from vault.evening import EVENING, at_once, later, reason

PICTURE = bytes(range(256)) * 40


def test_photo_comes_back_by_its_digest(vault):
    photo = vault.photos.keep(PICTURE, "polk-12", "image/jpeg", "p-1", EVENING)
    assert photo.digest == sha256(PICTURE).hexdigest()
    assert (photo.unit, photo.form, photo.size, photo.author) == ("polk-12", "image/jpeg", len(PICTURE), "p-1")
    assert vault.photos.find(photo.digest) == photo
    assert vault.photos.picture(photo.digest) == PICTURE


def test_unknown_digest_has_no_photo(vault):
    assert vault.photos.find("0" * 64) is vault.photos.picture("0" * 64) is None


def test_same_photo_sent_again_is_kept_once(vault):
    first = vault.photos.keep(PICTURE, "polk-12", "image/jpeg", "p-1", EVENING)
    assert vault.photos.keep(PICTURE, "polk-13", "image/png", "p-2", later(1)) == first
    assert vault.photos.of_unit("polk-13") == ()


def test_photos_of_a_place_are_listed_oldest_first(vault):
    second = vault.photos.keep(b"second", "polk-12", "image/jpeg", "p-1", later(1))
    first = vault.photos.keep(b"first", "polk-12", "image/jpeg", "p-1", EVENING)
    vault.photos.keep(b"other", "polk-13", "image/jpeg", "p-1", EVENING)
    assert vault.photos.of_unit("polk-12") == (first, second)


def test_size_is_limited(vault):
    assert reason(vault.photos.keep(b"", "polk-12", "image/jpeg", "p-1", EVENING)) == "empty"
    assert reason(vault.photos.keep(bytes(PICTURE_LIMIT + 1), "polk-12", "image/jpeg", "p-1", EVENING)) == "too-large"
    assert vault.photos.of_unit("polk-12") == ()
    largest = vault.photos.keep(bytes(PICTURE_LIMIT), "polk-12", "image/jpeg", "p-1", EVENING)
    assert len(vault.photos.picture(largest.digest)) == largest.size == PICTURE_LIMIT


def test_photo_that_was_changed_is_not_given_out(vault):
    photo = vault.photos.keep(PICTURE, "polk-12", "image/jpeg", "p-1", EVENING)
    with vault._shelf.changing() as changing:
        changing.change("UPDATE vault_photo SET picture = ?", b"another sheet")
    with pytest.raises(VaultDamagedError, match=photo.digest):
        vault.photos.picture(photo.digest)


def test_same_photo_from_two_phones_at_once(opened):
    doors = [opened() for _ in range(3)]
    kept = at_once(
        *[lambda door=door: door.photos.keep(PICTURE, "polk-12", "image/jpeg", "p-1", EVENING) for door in doors]
    )
    assert len(set(kept)) == 1
    assert len(doors[0].photos.of_unit("polk-12")) == 1
