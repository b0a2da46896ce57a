"""Packets: printed once, found again by what they say, worthless once lost."""

from __future__ import annotations

from random import Random

import pytest

from tallyroom.vault.faults import VaultError, VaultStoreError
from vault.evening import EVENING, WORDS, at_once, later, reason


@pytest.fixture
def issued(vault, ann):
    return vault.packets.issue("polk-12", ann.id, EVENING, WORDS)


def test_packet_is_found_by_link_code_and_passphrase(vault, ann, issued):
    packet = vault.packets.current("polk-12")
    assert packet == issued.packet
    assert (packet.unit, packet.version, packet.person, packet.issued) == ("polk-12", 1, ann.id, EVENING)
    assert packet.good
    assert vault.packets.by_link(issued.link) == packet
    assert vault.packets.by_code(issued.code) == packet
    assert vault.packets.by_passphrase("polk-12", issued.passphrase) == packet
    assert vault.packets.everyone() == (packet,)


def test_code_and_passphrase_may_be_written_carelessly(vault, issued):
    said = issued.passphrase
    assert vault.packets.by_code(f" {issued.code.lower().replace('-', ' ')} ") == issued.packet
    for other in (said.upper(), said.replace(" ", ", "), f"  {said.replace(' ', '   ')} ", said.replace(" ", "-")):
        assert vault.packets.by_passphrase("polk-12", other) == issued.packet


def test_accents_of_a_passphrase_are_not_needed(vault, ann):
    words = [f"ábaco{number}" for number in range(2048)]
    issued = vault.packets.issue("polk-12", ann.id, EVENING, words)
    assert "á" in issued.passphrase
    assert vault.packets.by_passphrase("polk-12", issued.passphrase.replace("á", "a")) == issued.packet


def test_opening_a_link_uses_nothing_up(vault, issued):
    assert [vault.packets.by_link(issued.link) for _ in range(5)] == [issued.packet] * 5


def test_wrong_secrets_find_nothing(vault, issued):
    wrong = ("", issued.link[:-1], issued.link + "A", issued.link.swapcase(), "\ud800", "x\0")
    assert [vault.packets.by_link(link) for link in wrong] == [None] * len(wrong)
    assert [vault.packets.by_code(code) for code in wrong] == [None] * len(wrong)
    assert [vault.packets.by_passphrase("polk-12", said) for said in wrong] == [None] * len(wrong)
    assert vault.packets.by_link(issued.code) is vault.packets.by_passphrase("polk-13", issued.passphrase) is None


def test_lost_packet_is_worthless_and_the_next_one_is_good(vault, ann, issued):
    again = vault.packets.issue("polk-12", ann.id, later(30), WORDS)
    assert (again.packet.version, again.packet.good) == (2, True)
    lost = vault.packets.by_link(issued.link)
    assert (lost.version, lost.good, lost.revoked) == (1, False, later(30))
    assert not vault.packets.by_code(issued.code).good
    assert vault.packets.current("polk-12") == again.packet
    assert {again.link, again.code, again.passphrase, again.seal}.isdisjoint(
        {issued.link, issued.code, issued.passphrase, issued.seal}
    )


def test_packet_is_revoked_without_another(vault, issued):
    assert vault.packets.revoke("polk-12", later(5)) == 1
    assert vault.packets.revoke("polk-12", later(6)) == 0
    assert vault.packets.current("polk-12").revoked == later(5)
    assert vault.packets.by_link(issued.link).revoked == later(5)


def test_packets_of_other_units_stay_good(vault, ann, issued):
    other = vault.packets.issue("polk-13", ann.id, EVENING, WORDS)
    vault.packets.issue("polk-12", ann.id, later(1), WORDS)
    vault.packets.revoke("polk-12", later(2))
    assert vault.packets.by_link(other.link).good


def test_what_a_precinct_sealed_is_opened_with_the_key_of_its_packet(vault, ann, issued):
    again = vault.packets.issue("polk-12", ann.id, later(30), WORDS)
    first, second = vault.packets.seal_of("polk-12", 1), vault.packets.seal_of("polk-12", 2)
    assert (first.key, second.key) == (issued.seal, again.seal)
    assert (first.packet.good, second.packet.good) == (False, True)
    assert len(first.key) == 32
    assert vault.packets.seal_of("polk-12", 3) is vault.packets.seal_of("polk-13", 1) is None


def test_first_filing_is_noted_once(vault, issued):
    assert vault.packets.by_link(issued.link).filed is None
    assert vault.packets.filed("polk-12", 1, later(10)).filed == later(10)
    assert vault.packets.filed("polk-12", 1, later(20)).filed == later(10)
    assert vault.packets.filed("polk-12", 2, later(20)) is None


def test_packet_for_nobody_is_refused_and_revokes_nothing(vault, issued):
    assert reason(vault.packets.issue("polk-12", "p-nobody", later(1), WORDS)) == "no-person"
    assert vault.packets.by_link(issued.link).good


def test_list_of_few_words_is_refused(vault, ann):
    with pytest.raises(VaultError, match="3 words"):
        vault.packets.issue("polk-12", ann.id, EVENING, ["ash", "birch", "cedar"] * 1000)
    assert vault.packets.current("polk-12") is None


def test_code_that_was_drawn_before_is_drawn_again(opened):
    drawn, chance = [], Random(7)

    def random(many):
        """Draws in the second packet what was drawn in the first, then goes on."""
        drawn.append(again.pop(0) if again else chance.randbytes(many))
        return drawn[-1]

    again = []
    vault = opened(random=random)
    ann = vault.people.add("Ann", EVENING)
    before = len(drawn)
    first = vault.packets.issue("polk-12", ann.id, EVENING, WORDS)
    again = drawn[before:]
    other = vault.packets.issue("polk-13", ann.id, EVENING, WORDS)
    assert again == []
    assert other.code != first.code
    assert vault.packets.by_link(other.link).unit == "polk-13"
    assert vault.packets.everyone() == (first.packet, other.packet)


def test_chance_that_always_gives_the_same_is_not_asked_for_ever(opened):
    vault = opened(random=lambda many: b"\x07" * many)
    ann = vault.people.add("Ann", EVENING)
    vault.packets.issue("polk-12", ann.id, EVENING, WORDS)
    with pytest.raises(VaultStoreError, match="Issue it again"):
        vault.packets.issue("polk-13", ann.id, EVENING, WORDS)
    assert vault.packets.current("polk-12").good


def test_two_desks_issue_packets_of_one_unit_at_once(opened):
    desks = [opened() for _ in range(3)]
    ann = desks[0].people.add("Ann", EVENING)
    made = at_once(*[lambda desk=desk: desk.packets.issue("polk-12", ann.id, EVENING, WORDS) for desk in desks])
    assert sorted(issued.packet.version for issued in made) == [1, 2, 3]
    good = [issued.packet.version for issued in made if desks[0].packets.by_link(issued.link).good]
    assert good == [3]
