"""Who brings what to the door, in which order, and what becomes of it."""

from __future__ import annotations

import msgspec
import pytest

from intake.evening import ADA, ANN, BOB, BROKEN, CHAIR, DIRECTOR, OTHER, SOUND, WATCHER, Evening, staff
from tabulate.room import PLAN, report
from tallyroom.intake.answer import Answer, Refusal
from tallyroom.intake.offered import Amending
from tallyroom.ledger.tree import leaf_hash
from tallyroom.plan.acceptance import Channel
from tallyroom.report.read_back import words_of
from tallyroom.report.spoken import spoken
from tallyroom.tabulate import Basis, tabulated
from tallyroom.vault.people import Role

APP, PAPER, CAMPAIGN, FILE = Channel.APP, Channel.PAPER, Channel.CAMPAIGN, Channel.FILE
SHEET = {"ash": 20, "birch": 20}


@pytest.fixture
def night():
    with Evening() as evening:
        yield evening


def became(answer):
    assert isinstance(answer, Answer), answer
    return (answer.outcome, answer.because)


# -- what it takes to be counted -------------------------------------------------------------------------------------


def test_sound_report_of_the_chair_counts_at_once(night):
    assert became(night.brings(CHAIR, SOUND, APP)) == ("accepted", "sound")
    assert night.counts() == SHEET


def test_report_with_an_error_waits_for_a_person_and_nothing_is_lost(night):
    answer = night.brings(CHAIR, BROKEN, APP)
    assert became(answer) == ("waits", "errors")
    assert "I1" in [finding.code for finding in answer.findings]
    assert night.counts() is None
    (waiting,) = night.door.record.of("elm-1").waiting
    assert waiting.report == report(BROKEN)
    assert "I1" in night.door.record.decided(answer.seq).findings


def test_what_an_operator_heard_waits_for_another_operator(night):
    first = night.brings(ANN, SOUND)
    assert became(first) == ("waits", "second-entry")
    assert night.counts() is None
    second = night.brings(BOB, SOUND)
    assert became(second) == ("accepted", "second-entry")
    assert second.beside == first.seq
    assert night.counts() == SHEET
    assert not night.door.record.of("elm-1").waiting


def test_the_same_person_cannot_be_both(night):
    night.brings(ANN, SOUND)
    assert became(night.brings(ANN, SOUND)) == ("waits", "second-entry")
    assert night.counts() is None


def test_second_entry_that_differs_names_the_lines_and_no_number(night):
    night.brings(ANN, SOUND)
    answer = night.brings(BOB, OTHER)
    assert became(answer) == ("differs", "other-figures")
    assert answer.differing == (
        "First alignment, Ash", "First alignment, Birch", "Final alignment, Ash", "Final alignment, Birch",
    )  # fmt: skip
    assert night.counts() is None


def test_who_mistyped_corrects_the_own_entry_and_both_agree(night):
    night.brings(ANN, SOUND)
    slip = night.brings(BOB, OTHER)
    assert became(night.brings(BOB, SOUND, replaces=slip.seq)) == ("accepted", "second-entry")
    assert night.counts() == SHEET
    unit = night.door.record.of("elm-1")
    assert [filing.seq for filing in unit.aside] == [slip.seq]


def test_correcting_another_ones_entry_leaves_the_difference(night):
    first = night.brings(ANN, SOUND)
    assert became(night.brings(BOB, OTHER, replaces=first.seq)) == ("differs", "other-figures")
    assert len(night.door.record.of("elm-1").filings) == 2


def test_caller_with_the_card_needs_no_second_entry(night):
    sheet = spoken(report(SOUND), PLAN)
    checks = " ".join(line.check for line in sheet.lines)
    assert became(night.brings(ANN, SOUND, checks=checks, code=sheet.code)) == ("accepted", "card")


@pytest.mark.parametrize("said", [{"code": "00"}, {"checks": "123"}, {"code": "code"}, {"checks": "right"}])
def test_half_a_card_or_a_wrong_one_proves_nothing(night, said):
    sheet = spoken(report(SOUND), PLAN)
    right = {"checks": "".join(line.check for line in sheet.lines), "code": sheet.code}
    said = {name: right[name] if text in {"code", "right"} else text for name, text in said.items()}
    assert became(night.brings(ANN, SOUND, **said)) == ("waits", "second-entry")


def test_card_of_other_figures_does_not_pass(night):
    sheet = spoken(report(OTHER), PLAN)
    checks = "".join(line.check for line in sheet.lines)
    assert became(night.brings(ANN, SOUND, checks=checks, code=sheet.code)) == ("waits", "second-entry")
    (waiting,) = night.door.record.of("elm-1").waiting
    assert waiting.card == "differs"


def test_copy_of_a_campaign_never_counts(night):
    assert became(night.brings(WATCHER, SOUND, CAMPAIGN)) == ("evidence", "evidence")
    assert night.counts() is None


def test_file_of_the_director_counts_and_corrects_what_it_names(night):
    first = night.brings(DIRECTOR, BROKEN, FILE)
    assert became(first) == ("accepted", "authority")
    assert became(night.brings(DIRECTOR, SOUND, FILE, replaces=first.seq)) == ("accepted", "authority")
    assert night.counts() == SHEET
    assert [filing.seq for filing in night.door.record.of("elm-1").corrected] == [first.seq]


# -- several of one place --------------------------------------------------------------------------------------------


def test_phone_says_the_same_as_the_app(night):
    night.brings(CHAIR, SOUND, APP)
    assert became(night.brings(ANN, SOUND)) == ("repeat", "same-figures")


@pytest.mark.parametrize(("who", "channel"), [(ANN, Channel.OPERATOR), (CHAIR, APP), (BOB, PAPER), (WATCHER, CAMPAIGN)])
def test_other_figures_by_any_channel_are_a_difference_to_settle(night, who, channel):
    night.brings(CHAIR, SOUND, APP)
    assert became(night.brings(who, OTHER, channel)) == ("differs", "other-figures")
    assert night.counts() == SHEET


def test_app_that_comes_after_the_phone_with_other_figures_is_noticed(night):
    night.brings(ANN, SOUND)
    assert became(night.brings(CHAIR, OTHER, APP)) == ("differs", "other-figures")
    assert night.counts() is None


def test_app_that_agrees_with_the_phone_settles_both(night):
    night.brings(ANN, SOUND)
    assert became(night.brings(CHAIR, SOUND, APP)) == ("accepted", "sound")
    assert not night.door.record.of("elm-1").waiting


def test_correction_of_the_chair_waits_for_a_person(night):
    first = night.brings(CHAIR, SOUND, APP)
    assert became(night.brings(CHAIR, OTHER, APP, replaces=first.seq)) == ("differs", "other-figures")
    assert night.counts() == SHEET


# -- a person decides ------------------------------------------------------------------------------------------------


def test_adjudicator_accepts_what_the_sheet_says_with_its_error(night):
    waiting = night.brings(CHAIR, BROKEN, APP)
    assert became(night.decides(ADA, waiting.seq)) == ("accepted", "person")
    assert night.counts() == {"ash": 30, "birch": 20}


def test_adjudicator_lets_the_later_figures_count(night):
    first = night.brings(CHAIR, SOUND, APP)
    later = night.brings(ANN, OTHER)
    assert became(night.decides(ADA, later.seq, first.seq)) == ("accepted", "person")
    assert night.counts() == {"ash": 21, "birch": 19}


def test_adjudicator_sets_the_later_figures_aside(night):
    first = night.brings(CHAIR, SOUND, APP)
    later = night.brings(ANN, OTHER)
    assert became(night.decides(ADA, later.seq, first.seq, accept=False)) == ("rejected", "person")
    unit = night.door.record.of("elm-1")
    assert (unit.in_force.seq, [filing.seq for filing in unit.aside]) == (first.seq, [later.seq])


def test_nobody_decides_about_an_own_entry(night):
    both = staff("both", Role.OPERATOR, Role.ADJUDICATOR)
    night.brings(both, SOUND)
    later = night.brings(BOB, OTHER)
    refused = night.decides(both, later.seq)
    assert (refused.status, refused.code) == (403, "own-filing")


@pytest.mark.parametrize("who", [ANN, CHAIR, WATCHER])
def test_deciding_takes_the_role(night, who):
    waiting = night.brings(ANN, SOUND)
    refused = night.decides(who, waiting.seq)
    assert (refused.status, refused.code) == (403, "no-role")


def test_two_adjudicators_cannot_both_win(night):
    night.brings(CHAIR, SOUND, APP)
    later = night.brings(ANN, OTHER)
    eve = staff("eve", Role.ADJUDICATOR)
    assert became(night.decides(ADA, later.seq, 0)) == ("accepted", "person")
    refused = night.decides(eve, later.seq, 0, accept=False)
    assert (refused.status, refused.code) == (409, "already-decided")


def test_deciding_about_what_has_changed_meanwhile_is_refused(night):
    night.brings(CHAIR, SOUND, APP)
    later = night.brings(ANN, OTHER)
    refused = night.decides(ADA, later.seq, None)
    assert (refused.status, refused.code) == (409, "changed-meanwhile")


def test_deciding_about_nothing(night):
    assert night.decides(ADA, 99).code == "not-a-filing"


# -- exactly once ----------------------------------------------------------------------------------------------------


def test_receipt_names_the_entry_on_the_ledger(night):
    answer = night.brings(CHAIR, SOUND, APP)
    entry = next(night.ledger.entries(answer.seq))
    assert answer.leaf == leaf_hash(entry.raw).hex()
    assert answer.head == night.ledger.head()
    assert answer.words == {"en": words_of(answer.leaf, "en"), "es": words_of(answer.leaf, "es")}


def test_same_report_sent_again_has_the_same_receipt(night):
    first = night.brings(CHAIR, SOUND, APP, key="once", comment="Two people left early.")
    again = night.brings(CHAIR, SOUND, APP, key="once", comment="Two people left early.")
    assert (again.seq, again.leaf, again.outcome, again.repeated) == (first.seq, first.leaf, "accepted", True)
    assert night.ledger.head().count == 2


def test_answer_that_was_lost_is_found_under_its_key(night):
    first = night.brings(CHAIR, SOUND, APP, key="once")
    found = night.door.found("once", CHAIR)
    assert (found.seq, found.leaf, found.outcome) == (first.seq, first.leaf, "accepted")
    assert night.door.found("once", ANN).code == night.door.found("never", CHAIR).code == "nothing-under-key"


def test_same_key_with_other_figures_is_kept_for_a_person(night):
    night.brings(CHAIR, SOUND, APP, key="once")
    refused = night.brings(CHAIR, OTHER, APP, key="once")
    assert (refused.status, refused.code) == (409, "key-conflict")
    (kept,) = night.door.record.of("elm-1").unsettled
    assert (kept.seq, kept.report) == (refused.seq, report(OTHER))
    again = night.brings(CHAIR, OTHER, APP, key="once")
    assert (again.seq, night.ledger.head().count) == (refused.seq, 4)


def test_comment_under_a_taken_key_is_kept_once(night):
    night.brings(CHAIR, SOUND, APP, key="once", comment="All fine.")
    refused = night.brings(CHAIR, SOUND, APP, key="once", comment="Not fine.")
    again = night.brings(CHAIR, SOUND, APP, key="once", comment="Not fine.")
    assert refused.code == again.code == "key-conflict"
    assert (again.seq, night.ledger.head().count) == (refused.seq, 4)
    entry = next(night.ledger.entries(refused.seq))
    assert night.vault.texts.find(entry.text).text == "Not fine."


def test_comment_stays_out_of_the_ledger(night):
    night.brings(CHAIR, SOUND, APP, comment="Call Jo at 515 555 0100")
    assert not any(b"555" in entry.raw for entry in night.ledger.entries())


# -- what is not let in ----------------------------------------------------------------------------------------------


def refusal(night, who, line, channel=Channel.OPERATOR, **more):
    count = night.ledger.head().count
    found = night.brings(who, line, channel, **more)
    assert isinstance(found, Refusal), found
    assert night.ledger.head().count == count, "nothing may be kept"
    assert found.detail.endswith((".", "?")), found.detail
    return (found.status, found.code)


def test_packet_of_another_precinct(night):
    found = night.brings(CHAIR, SOUND.replace("elm-1", "elm-2"), APP)
    assert (found.status, found.code) == (403, "wrong-precinct")
    assert PLAN.units["elm-1"].name in found.detail
    assert PLAN.units["elm-2"].name in found.detail


@pytest.mark.parametrize(
    ("who", "channel"),
    [
        (ANN, APP),
        (CHAIR, Channel.OPERATOR),
        (WATCHER, PAPER),
        (ADA, Channel.OPERATOR),
        (DIRECTOR, CAMPAIGN),
        (ANN, FILE),
    ],
)
def test_channel_takes_its_role(night, who, channel):
    assert refusal(night, who, SOUND, channel) == (403, "not-yours")


def test_place_that_the_contest_does_not_have(night):
    assert refusal(night, ANN, SOUND.replace("elm-1", "elm-9")) == (422, "not-of-this-contest")


def test_correction_of_another_place(night):
    other = night.brings(ANN, SOUND.replace("elm-1", "fir-1"))
    assert refusal(night, ANN, SOUND, replaces=other.seq) == (422, "misplaced")
    assert refusal(night, ANN, SOUND, replaces=99) == (422, "misplaced")


@pytest.mark.parametrize("raw", [b"{}", b"[]", b'{"unit":"elm-1","alignments":{"first":{"ash":-3}}}', b'"elm-1"', b"{"])
def test_what_is_no_report(night, raw):
    offered = msgspec.structs.replace(night.offered(SOUND), report=msgspec.Raw(raw))
    found = night.door.file(offered, ANN)
    assert (found.status, found.code) == (422, "not-a-report")
    assert night.ledger.head().count == 0


def test_ledger_that_is_closed_says_what_to_do(night):
    night.ledger.close()
    found = night.brings(ANN, SOUND)
    assert (found.status, found.code) == (503, "not-kept")
    assert "send it again" in found.detail


# -- the plan changes ------------------------------------------------------------------------------------------------


def amending(body, key="a1"):
    return Amending(key=key, amendment=msgspec.Raw(msgspec.json.encode(body)), reason="storm")


def test_place_that_was_closed_takes_no_report(night):
    body = next(iter(night_amendment()))
    answer = night.door.amend(amending(body), DIRECTOR)
    assert became(answer) == ("accepted", "person")
    assert refusal(night, ANN, SOUND) == (422, "does-not-meet")


def night_amendment():
    from tallyroom.plan.amend import Amendment, UnitClosed, amend, to_wire

    change = Amendment(UnitClosed("elm-1"), "fiction")
    yield to_wire(change, amend(PLAN, change))


def test_only_a_director_changes_the_plan(night):
    body = next(iter(night_amendment()))
    assert night.door.amend(amending(body), ANN).code == "no-role"
    assert night.door.amend(amending({"no": "amendment"}), DIRECTOR).code == "not-an-amendment"
    assert night.ledger.head().count == 0


# -- all of it stands in the ledger ----------------------------------------------------------------------------------


def test_house_that_is_opened_again_knows_all(night):
    night.brings(ANN, SOUND)
    night.brings(BOB, OTHER)
    night.brings(CHAIR, SOUND, APP)
    again = Evening(ledger=night.ledger, vault=night.vault)
    assert again.door.record.of("elm-1") == night.door.record.of("elm-1")
    assert became(again.brings(BOB, SOUND, key="new")) in {("differs", "other-figures"), ("repeat", "same-figures")}


def test_standings_count_what_was_accepted_and_nothing_else(night):
    night.brings(ANN, SOUND)
    entries = list(night.ledger.entries())
    assert tabulated(entries, PLAN).top().progress.reported == 0
    night.brings(BOB, SOUND)
    found = tabulated(night.ledger.entries(), PLAN).top(Basis.AS_WRITTEN)
    assert found.progress.reported == 1
    assert {row.group: row.printed for row in found.on("final_alignment").groups if row.printed} == SHEET
