"""How the staff signs in."""

from __future__ import annotations

import pytest

from tallyroom.vault import totp
from tallyroom.vault.password import Cost
from vault.evening import EVENING, at_once, later, reason

PASSWORD = "four words are enough"


@pytest.fixture
def account(vault, ann):
    vault.staff.enrol(ann.id, "ann.e", EVENING)
    return vault.staff.set_password(ann.id, PASSWORD)


def test_operator_signs_in_by_name_and_password(vault, ann, account):
    assert (account.person, account.login, account.has_password, account.has_totp) == (ann.id, "ann.e", True, False)
    assert vault.staff.by_password("ann.e", PASSWORD) == account == vault.staff.account(ann.id)
    assert vault.staff.by_login("ann.e") == account


@pytest.mark.parametrize("login", ["ann.e", "ben", "", "\ud800", "x\0"])
@pytest.mark.parametrize(
    "password", ["", "four words are enougH", PASSWORD + " ", PASSWORD * 100, "\ud800" * 12, "\0" * 12]
)
def test_wrong_password_lets_nobody_in(vault, account, login, password):
    assert vault.staff.by_password(login, password) is None


def test_right_password_under_another_name_lets_nobody_in(vault, account):
    ben = vault.people.add("Ben", EVENING)
    vault.staff.enrol(ben.id, "ben", EVENING)
    assert vault.staff.by_password("ben", PASSWORD) is None
    vault.staff.set_password(ben.id, "another one of these")
    assert vault.staff.by_password("ben", PASSWORD) is None


def test_unknown_name_costs_as_many_hashes_as_a_wrong_password(vault, account, monkeypatch):
    asked = []
    from tallyroom.vault import password as passwords

    matches = passwords.matches
    monkeypatch.setattr(passwords, "matches", lambda *given: asked.append(given[0]) or matches(*given))
    for login in ("ann.e", "nobody", "\ud800"):
        assert vault.staff.by_password(login, "not the right one") is None
    assert [kept.split("$")[3] for kept in asked] == ["m=64,t=1,p=1"] * 3


def test_password_typed_on_another_keyboard_is_the_same(vault, account):
    vault.staff.set_password(account.person, "caf\u00e9 and croissants")
    assert vault.staff.by_password("ann.e", "cafe\u0301 and croissants") is not None


def test_new_password_ends_the_old_one(vault, account):
    vault.staff.set_password(account.person, "another one of these")
    assert vault.staff.by_password("ann.e", PASSWORD) is None
    assert vault.staff.by_password("ann.e", "another one of these") is not None


def test_hash_of_a_lower_cost_is_renewed_when_its_owner_comes(opened):
    cheap, dear = opened(), opened(cost=Cost(passes=2, kibibytes=128, lanes=1))
    ann = cheap.people.add("Ann", EVENING)
    cheap.staff.enrol(ann.id, "ann", EVENING)
    cheap.staff.set_password(ann.id, PASSWORD)

    def cost():
        return cheap._shelf.rows("SELECT password FROM vault_account")[0][0].split("$")[3]

    assert cost() == "m=64,t=1,p=1"
    assert dear.staff.by_password("ann", PASSWORD) is not None
    assert cost() == "m=128,t=2,p=1"
    assert cheap.staff.by_password("ann", PASSWORD) is not None


def test_password_of_a_usual_cost_is_argon2id(opened):
    vault = opened(cost=None)
    ann = vault.people.add("Ann", EVENING)
    vault.staff.enrol(ann.id, "ann", EVENING)
    vault.staff.set_password(ann.id, PASSWORD)
    kept = vault._shelf.rows("SELECT password FROM vault_account")[0][0]
    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert vault.staff.by_password("ann", PASSWORD) is not None


def test_account_is_refused(vault, ann, account):
    ben = vault.people.add("Ben", EVENING)
    assert reason(vault.staff.enrol(ben.id, "ann.e", EVENING)) == "login-taken"
    assert reason(vault.staff.enrol(ann.id, "ann", EVENING)) == "has-account"
    assert reason(vault.staff.enrol("p-nobody", "cho", EVENING)) == "no-person"
    for login in ("", "a", "Ann", "ann e", ".ann", "ann-", "a" * 65, "änn", "ann\n", "\ud800\ud800"):
        assert reason(vault.staff.enrol(ben.id, login, EVENING)) == "login-form"
    assert vault.staff.account(ben.id) is None


def test_what_needs_an_account_is_refused_without_one(vault, ann):
    assert reason(vault.staff.set_password(ann.id, PASSWORD)) == "no-account"
    assert reason(vault.staff.set_totp(ann.id)) == "no-account"
    assert reason(vault.staff.close(ann.id, EVENING)) == "no-account"
    assert reason(vault.staff.reopen(ann.id)) == "no-account"
    assert reason(vault.staff.add_passkey(ann.id, b"id", b"key", 0, "phone", EVENING)) == "no-account"
    assert not vault.staff.take_code(ann.id, "000000", EVENING)


def test_password_is_refused_by_its_length_alone(vault, account):
    assert reason(vault.staff.set_password(account.person, "elevenchars")) == "password-short"
    assert reason(vault.staff.set_password(account.person, "x" * 1001)) == "password-long"
    assert vault.staff.set_password(account.person, "x" * 1000).has_password
    assert vault.staff.by_password("ann.e", "x" * 1000) is not None
    assert vault.staff.by_password("ann.e", "x" * 1001) is None


def test_closed_account_lets_nobody_in_by_any_way(vault, account):
    secret = vault.staff.set_totp(account.person)
    vault.staff.add_passkey(account.person, b"id", b"key", 0, "phone", EVENING)
    assert vault.staff.close(account.person, later(5)).closed == later(5)
    assert vault.staff.close(account.person, later(6)).closed == later(5)
    code = totp.code_at(secret, totp.step_of(later(7)))
    assert vault.staff.by_password("ann.e", PASSWORD) is vault.staff.passkey(b"id") is None
    assert not vault.staff.take_code(account.person, code, later(7))
    assert vault.staff.reopen(account.person).closed is None
    assert vault.staff.by_password("ann.e", PASSWORD) is not None
    assert vault.staff.passkey(b"id") is not None
    assert vault.staff.take_code(account.person, code, later(7))


class TestChangingCodes:
    @pytest.mark.parametrize(
        ("seconds", "code"),
        [
            (59, "287082"),
            (1111111109, "081804"),
            (1111111111, "050471"),
            (1234567890, "005924"),
            (2000000000, "279037"),
            (20000000000, "353130"),
        ],
    )
    def test_examples_of_rfc_6238(self, seconds, code):
        assert totp.code_at(b"12345678901234567890", seconds // 30) == code

    def test_code_is_taken_once(self, vault, account):
        secret = vault.staff.set_totp(account.person)
        assert vault.staff.account(account.person).has_totp
        code = totp.code_at(secret, totp.step_of(EVENING))
        assert vault.staff.take_code(account.person, f"{code[:3]} {code[3:]}", EVENING)
        assert not vault.staff.take_code(account.person, code, EVENING)
        assert vault.staff.take_code(account.person, totp.code_at(secret, totp.step_of(later(1))), later(1))

    def test_clock_may_be_half_a_minute_off_and_no_more(self, vault, account):
        secret, step = vault.staff.set_totp(account.person), totp.step_of(EVENING)
        for by, right in ((-2, False), (-1, True), (0, True), (1, True), (2, False)):
            vault.staff.set_totp(account.person)
            secret = vault.staff.set_totp(account.person)
            assert vault.staff.take_code(account.person, totp.code_at(secret, step + by), EVENING) is right

    def test_earlier_code_is_not_taken_after_a_later_one(self, vault, account):
        secret, step = vault.staff.set_totp(account.person), totp.step_of(EVENING)
        assert vault.staff.take_code(account.person, totp.code_at(secret, step + 1), EVENING)
        assert not vault.staff.take_code(account.person, totp.code_at(secret, step), EVENING)

    def test_new_secret_ends_the_old_one(self, vault, account):
        old, new = vault.staff.set_totp(account.person), vault.staff.set_totp(account.person)
        step = totp.step_of(EVENING)
        assert not vault.staff.take_code(account.person, totp.code_at(old, step), EVENING)
        assert vault.staff.take_code(account.person, totp.code_at(new, step), EVENING)

    @pytest.mark.parametrize("typed", ["", "12345", "1234567", "abcdef", "\ud800", "１２３４５６"])
    def test_what_is_no_code_is_not_taken(self, vault, account, typed):
        vault.staff.set_totp(account.person)
        assert not vault.staff.take_code(account.person, typed, EVENING)

    def test_two_who_show_the_same_code_at_once(self, opened):
        desks = [opened() for _ in range(4)]
        ann = desks[0].people.add("Ann", EVENING)
        desks[0].staff.enrol(ann.id, "ann", EVENING)
        code = totp.code_at(desks[0].staff.set_totp(ann.id), totp.step_of(EVENING))
        taken = at_once(*[lambda desk=desk: desk.staff.take_code(ann.id, code, EVENING) for desk in desks])
        assert sorted(taken) == [False, False, False, True]

    def test_authenticator_reads_the_address(self):
        address = totp.address(b"12345678901234567890", "ann.e", "Lakeland 2031")
        assert address == (
            "otpauth://totp/Lakeland%202031:ann.e?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Lakeland%202031"
        )


class TestPasskeys:
    @pytest.fixture(autouse=True)
    def passkey(self, vault, account):
        return vault.staff.add_passkey(account.person, b"\x00id", b"\xffkey", 3, "my phone", EVENING)

    def test_passkey_is_found_by_its_id_and_its_owner(self, vault, account, passkey):
        other = vault.staff.add_passkey(account.person, b"\x01id", b"key", 0, "tablet", later(1))
        assert vault.staff.passkey(b"\x00id") == passkey
        assert (passkey.public_key, passkey.uses, passkey.label) == (b"\xffkey", 3, "my phone")
        assert vault.staff.passkeys(account.person) == (passkey, other)
        assert vault.staff.passkey(b"none") is None

    def test_same_passkey_is_not_registered_twice(self, vault, account, passkey):
        assert reason(vault.staff.add_passkey(account.person, b"\x00id", b"x", 0, "x", EVENING)) == "passkey-known"
        assert reason(vault.staff.add_passkey(account.person, b"x", b"x", 0, "\ud800", EVENING)) == "unwritable"
        assert vault.staff.passkeys(account.person) == (passkey,)

    def test_counter_of_a_copied_passkey_does_not_grow(self, vault):
        assert [vault.staff.use_passkey(b"\x00id", uses) for uses in (4, 4, 3, 0, 5)] == [
            True,
            False,
            False,
            False,
            True,
        ]
        assert vault.staff.passkey(b"\x00id").uses == 5

    def test_device_that_does_not_count_may_come_again(self, vault, account):
        vault.staff.add_passkey(account.person, b"id", b"key", 0, "tablet", EVENING)
        assert [vault.staff.use_passkey(b"id", uses) for uses in (0, 0, 1, 0)] == [True, True, True, False]

    def test_lost_device_is_forgotten(self, vault, account):
        assert vault.staff.drop_passkey(b"\x00id")
        assert not vault.staff.drop_passkey(b"\x00id")
        assert vault.staff.passkeys(account.person) == ()
        assert not vault.staff.use_passkey(b"\x00id", 9)
