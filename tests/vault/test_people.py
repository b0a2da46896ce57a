"""People, their roles and their telephones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.ledger.contract import check
from tallyroom.ledger.entry import Author, Draft
from tallyroom.vault.people import Grant, Role, phone_number
from vault.evening import CONTEST, EVENING, later, reason


def test_person_is_found_by_an_id_that_says_nothing(vault):
    ann = vault.people.add("Ann Example", EVENING, grants=[Grant(Role.OPERATOR)], phones=["+1 (515) 555-0100"])
    assert vault.people.find(ann.id) == ann
    assert (ann.name, ann.phones, ann.added) == ("Ann Example", {"+15155550100"}, EVENING)
    assert not any(part.lower() in ann.id for part in ("ann", "example", "515"))
    assert vault.people.find("p-nobody") is None


def test_id_of_a_person_is_one_the_ledger_takes(vault):
    ann = vault.people.add("Ann", EVENING)
    check([Draft("report", 1, CONTEST, EVENING, "key", Author(ann.id, "chair"), "app", {})])


def test_ids_are_not_given_twice(vault):
    assert len({vault.people.add("Ann", EVENING).id for _ in range(50)}) == 50


def test_everyone_who_shares_a_telephone_is_found(vault):
    first = vault.people.add("Ann", EVENING, phones=["515-555-0100", "515 555 0101"])
    second = vault.people.add("Ben", later(1), phones=["515.555.0100"])
    vault.people.add("Cho", later(2), phones=["515 555 0102"])
    assert vault.people.by_phone("(515) 555 0100") == (first, second)
    assert vault.people.by_phone("515 555 0199") == vault.people.by_phone("no number") == ()


def test_everyone_is_listed_with_all_that_is_theirs(vault):
    grants = [Grant(Role.COUNTY, "polk"), Grant(Role.OBSERVER)]
    ben = vault.people.add("Ben", later(1), grants=grants, phones=["5550100", "5550101"])
    ann = vault.people.add("Ann", EVENING)
    assert vault.people.everyone() == (ann, ben)
    assert vault.people.find(ben.id).grants == frozenset(grants)


def test_role_holds_in_its_scope_alone(vault):
    ben = vault.people.add("Ben", EVENING, grants=[Grant(Role.COUNTY, "polk"), Grant(Role.OBSERVER)])
    assert ben.holds(Role.COUNTY, "polk", "state")
    assert not ben.holds(Role.COUNTY, "story")
    assert not ben.holds(Role.COUNTY)
    assert ben.holds(Role.OBSERVER)
    assert ben.holds(Role.OBSERVER, "story")
    assert not ben.holds(Role.DIRECTOR, "polk")


def test_role_is_given_once_and_taken_away(vault, ann):
    grant = Grant(Role.ADJUDICATOR)
    for _ in range(2):
        assert vault.people.grant(ann.id, grant, later(1), by="p-chief").grants == {grant}
    assert vault.people.withdraw(ann.id, grant).grants == frozenset()


def test_name_and_telephones_are_corrected(vault, ann):
    assert vault.people.rename(ann.id, "Anne Example").name == "Anne Example"
    assert vault.people.reach_at(ann.id, ["5550100", "555 0100", "5550101"]).phones == {"5550100", "5550101"}
    assert vault.people.reach_at(ann.id, ["5550102"]).phones == {"5550102"}
    assert vault.people.reach_at(ann.id, []).phones == frozenset()


def test_what_concerns_nobody_is_refused(vault):
    assert reason(vault.people.grant("p-nobody", Grant(Role.CHAIR), EVENING, by="")) == "no-person"
    assert reason(vault.people.withdraw("p-nobody", Grant(Role.CHAIR))) == "no-person"
    assert reason(vault.people.rename("p-nobody", "Ann")) == "no-person"
    assert reason(vault.people.reach_at("p-nobody", ["5550100"])) == "no-person"
    assert reason(vault.people.reach_at("p-nobody", [])) == "no-person"


def test_what_cannot_be_kept_is_refused_and_nothing_is_changed(vault, ann):
    for name in ("\ud800", "Ann\0"):
        assert reason(vault.people.add(name, EVENING)) == "unwritable"
        assert reason(vault.people.rename(ann.id, name)) == "unwritable"
    assert reason(vault.people.add("Ben", EVENING, phones=["5550100", "call me"])) == "not-a-number"
    assert reason(vault.people.reach_at(ann.id, ["5550100", "call me"])) == "not-a-number"
    assert vault.people.everyone() == (ann,)


@pytest.mark.parametrize("odd", ["\ud800", "p\0", "", "' OR 1=1 --", "%s", "?"])
def test_odd_ids_find_nobody(vault, ann, odd):
    assert vault.people.find(odd) is None
    assert vault.packets.current(odd) is vault.staff.by_login(odd) is vault.drafts.find(odd) is None
    assert vault.people.everyone() == (ann,)


@pytest.mark.parametrize(
    "typed", ["", "abc", "123", "1" * 16, "++15155550100", "515+5550100", "٥١٥٥٥٥٠١٠٠", "555 01OO"]
)
def test_no_telephone_number(typed):
    assert phone_number(typed) is None


@given(st.from_regex(r"\+?[0-9]{4,15}", fullmatch=True), st.lists(st.sampled_from(" .-()/–"), max_size=8), st.data())
def test_telephone_number_is_the_same_however_it_is_spaced(number, marks, data):
    spaced = list(number)
    for mark in marks:
        spaced.insert(data.draw(st.integers(0, len(spaced))), mark)
    assert phone_number("".join(spaced)) == phone_number(number) == number
