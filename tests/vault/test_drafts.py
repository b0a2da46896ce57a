"""Drafts: what is begun at one desk is continued at another."""

from __future__ import annotations

import pytest

from tallyroom.vault.drafts import BODY_LIMIT
from vault.evening import EVENING, at_once, later, reason

BODY = b'{"attendance":100}'


def test_next_operator_goes_on_where_the_call_was_cut(vault):
    first = vault.drafts.save("key-1", "polk-12", BODY, "p-1", EVENING)
    assert (first.version, first.author, first.updated, first.body) == (1, "p-1", EVENING, BODY)
    assert vault.drafts.of_unit("polk-12") == (first,)
    second = vault.drafts.save("key-1", "polk-12", b'{"attendance":101}', "p-2", later(3), version=1)
    assert (second.version, second.author, second.key) == (2, "p-2", "key-1")
    assert vault.drafts.find("key-1") == second


def test_draft_that_another_has_changed_is_not_overwritten(vault):
    vault.drafts.save("key-1", "polk-12", BODY, "p-1", EVENING)
    second = vault.drafts.save("key-1", "polk-12", b"2", "p-2", later(1), version=1)
    assert reason(vault.drafts.save("key-1", "polk-12", b"3", "p-1", later(2), version=1)) == "stale"
    assert reason(vault.drafts.save("key-1", "polk-12", b"3", "p-1", later(2))) == "stale"
    assert reason(vault.drafts.save("key-1", "polk-12", b"3", "p-1", later(2), version=7)) == "stale"
    assert vault.drafts.find("key-1") == second


def test_same_change_sent_twice_is_kept_once(vault):
    first = vault.drafts.save("key-1", "polk-12", BODY, "p-1", EVENING)
    assert vault.drafts.save("key-1", "polk-12", BODY, "p-1", later(1)) == first
    second = vault.drafts.save("key-1", "polk-12", b"2", "p-1", later(1), version=1)
    assert vault.drafts.save("key-1", "polk-12", b"2", "p-1", later(1), version=1) == second


def test_draft_does_not_move_to_another_place(vault):
    first = vault.drafts.save("key-1", "polk-12", BODY, "p-1", EVENING)
    for version in (0, 1):
        assert reason(vault.drafts.save("key-1", "polk-13", b"2", "p-1", EVENING, version=version)) == "other-unit"
    assert vault.drafts.find("key-1") == first


def test_draft_that_is_gone_is_not_changed(vault):
    vault.drafts.save("key-1", "polk-12", BODY, "p-1", EVENING)
    assert vault.drafts.drop("key-1")
    assert not vault.drafts.drop("key-1")
    assert vault.drafts.find("key-1") is None
    assert reason(vault.drafts.save("key-1", "polk-12", BODY, "p-1", later(1), version=1)) == "stale"


def test_drafts_are_listed_changed_last_first(vault):
    for number, unit in enumerate(["polk-12", "polk-13", "polk-12"]):
        vault.drafts.save(f"key-{number}", unit, BODY, "p-1", later(number))
    vault.drafts.save("key-0", "polk-12", b"2", "p-1", later(9), version=1)
    assert [draft.key for draft in vault.drafts.of_unit("polk-12")] == ["key-0", "key-2"]
    assert [draft.key for draft in vault.drafts.everyone()] == ["key-0", "key-2", "key-1"]


@pytest.mark.parametrize("version", [0, 1])
def test_draft_that_is_too_large_is_refused(vault, version):
    assert reason(vault.drafts.save("key-1", "polk-12", b"x" * (BODY_LIMIT + 1), "p-1", EVENING, version=version)) == (
        "too-large"
    )
    assert vault.drafts.everyone() == ()
    assert vault.drafts.save("key-1", "polk-12", b"x" * BODY_LIMIT, "p-1", EVENING).version == 1


def test_two_who_change_a_draft_at_once(opened):
    desks = [opened() for _ in range(4)]
    desks[0].drafts.save("key-1", "polk-12", BODY, "p-0", EVENING)
    steps = [
        lambda desk=desk, by=f"p-{number}": desk.drafts.save("key-1", "polk-12", by.encode(), by, later(1), version=1)
        for number, desk in enumerate(desks, 1)
    ]
    answers = at_once(*steps)
    kept = [answer for answer in answers if not hasattr(answer, "reason")]
    assert kept == [desks[0].drafts.find("key-1")]
    assert [reason(answer) for answer in answers if answer not in kept] == ["stale"] * 3
