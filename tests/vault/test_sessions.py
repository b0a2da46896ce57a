"""Sessions: tokens that end, change and are never kept."""

from __future__ import annotations

from datetime import timedelta

import pytest

from vault.evening import EVENING, HOUR, MINUTE, WORDS, at_once, later, reason


@pytest.fixture
def signed_in(vault, ann):
    return vault.sessions.open(ann.id, EVENING, 8 * HOUR)


def test_token_leads_to_its_session(vault, ann, signed_in):
    session = vault.sessions.find(signed_in.token, EVENING, HOUR)
    assert session == signed_in.session
    assert (session.person, session.unit, session.packet) == (ann.id, "", 0)
    assert (session.created, session.seen, session.expires) == (EVENING, EVENING, EVENING + 8 * HOUR)
    assert len(signed_in.token) >= 43


@pytest.mark.parametrize("token", ["", "x", "\ud800", "x\0"])
def test_other_tokens_lead_nowhere(vault, signed_in, token):
    assert vault.sessions.find(token, EVENING, HOUR) is None
    assert vault.sessions.rotate(token, EVENING, HOUR) is None
    assert not vault.sessions.close(token)


def test_session_ends_when_nobody_asks_for_it(vault, signed_in):
    assert vault.sessions.find(signed_in.token, later(59), HOUR) is not None
    assert vault.sessions.find(signed_in.token, later(59 + 59), HOUR).seen == later(59)
    assert vault.sessions.find(signed_in.token, later(59 + 59 + 60), HOUR) is None
    assert vault.sessions.rotate(signed_in.token, later(59 + 59 + 60), HOUR) is None


def test_session_ends_at_its_time_however_busy_it_is(vault, signed_in):
    for hour in range(8):
        assert vault.sessions.find(signed_in.token, EVENING + hour * HOUR, 2 * HOUR) is not None
    assert vault.sessions.find(signed_in.token, EVENING + 8 * HOUR, 2 * HOUR) is None


def test_time_is_noted_to_the_minute_and_never_goes_back(vault, signed_in):
    token = signed_in.token
    vault.sessions.find(token, EVENING + timedelta(seconds=59), HOUR)
    assert vault.sessions.find(token, EVENING + timedelta(seconds=59), HOUR).seen == EVENING
    vault.sessions.find(token, later(5), HOUR)
    vault.sessions.find(token, later(2), HOUR)
    assert vault.sessions.find(token, later(5), HOUR).seen == later(5)


def test_rotated_token_is_dead_at_once(vault, signed_in):
    fresh = vault.sessions.rotate(signed_in.token, later(5), HOUR)
    assert fresh.token != signed_in.token
    assert vault.sessions.find(signed_in.token, later(5), HOUR) is None
    found = vault.sessions.find(fresh.token, later(5), HOUR)
    assert found == fresh.session
    assert (found.created, found.expires) == (EVENING, EVENING + 8 * HOUR)


def test_two_who_rotate_a_token_at_once(opened):
    doors = [opened() for _ in range(4)]
    ann = doors[0].people.add("Ann", EVENING)
    token = doors[0].sessions.open(ann.id, EVENING, HOUR).token
    fresh = at_once(*[lambda door=door: door.sessions.rotate(token, EVENING, HOUR) for door in doors])
    assert sum(one is not None for one in fresh) == 1


def test_signing_out_ends_one_session_or_all(vault, ann):
    first, second, third = (vault.sessions.open(ann.id, EVENING, HOUR) for _ in range(3))
    assert vault.sessions.close(first.token)
    assert not vault.sessions.close(first.token)
    assert vault.sessions.find(second.token, EVENING, HOUR) is not None
    assert vault.sessions.close_all_of(ann.id) == 2
    assert vault.sessions.find(third.token, EVENING, HOUR) is None


def test_nobody_cannot_sign_in(vault):
    assert reason(vault.sessions.open("p-nobody", EVENING, HOUR)) == "no-person"


def test_second_device_of_a_precinct_is_seen(vault, ann):
    vault.packets.issue("polk-12", ann.id, EVENING, WORDS)
    phone = vault.sessions.open(ann.id, later(1), HOUR, unit="polk-12", packet=1)
    tablet = vault.sessions.open(ann.id, later(2), 2 * HOUR, unit="polk-12", packet=1)
    assert vault.sessions.of_unit("polk-12", later(3)) == (phone.session, tablet.session)
    assert vault.sessions.of_unit("polk-12", later(61)) == (tablet.session,)
    assert vault.sessions.of_unit("polk-13", later(3)) == ()


def test_session_ends_with_the_packet_it_was_opened_with(vault, ann):
    vault.packets.issue("polk-12", ann.id, EVENING, WORDS)
    lost = vault.sessions.open(ann.id, EVENING, HOUR, unit="polk-12", packet=1)
    desk = vault.sessions.open(ann.id, EVENING, HOUR)
    vault.packets.issue("polk-12", ann.id, later(1), WORDS)
    again = vault.sessions.open(ann.id, EVENING, HOUR, unit="polk-12", packet=2)
    assert vault.sessions.find(lost.token, later(2), HOUR) is vault.sessions.rotate(lost.token, later(2), HOUR) is None
    assert vault.sessions.find(again.token, later(2), HOUR) is not None
    assert vault.sessions.find(desk.token, later(2), HOUR) is not None
    assert [session.packet for session in vault.sessions.of_unit("polk-12", later(2))] == [2]
    never = vault.sessions.open(ann.id, EVENING, HOUR, unit="polk-12", packet=9)
    assert vault.sessions.find(never.token, EVENING, HOUR) is None


def test_session_ends_with_the_account_of_its_person(vault, ann, signed_in):
    vault.staff.enrol(ann.id, "ann", EVENING)
    assert vault.sessions.find(signed_in.token, EVENING, HOUR) is not None
    vault.staff.close(ann.id, EVENING)
    assert vault.sessions.find(signed_in.token, EVENING, HOUR) is None
    assert vault.sessions.rotate(signed_in.token, EVENING, HOUR) is None


def test_expired_sessions_are_swept(vault, ann, signed_in):
    short = vault.sessions.open(ann.id, EVENING, MINUTE)
    assert vault.sessions.sweep(later(1)) == 1
    assert vault.sessions.sweep(later(1)) == 0
    assert vault.sessions.find(signed_in.token, later(1), HOUR) is not None
    assert vault.sessions.find(short.token, EVENING, HOUR) is None
