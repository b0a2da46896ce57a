"""Any order of filings, decisions and repeats: what the writer decided is what anyone finds from the ledger alone."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from intake.evening import ADA, ANN, BOB, BROKEN, CHAIR, DIRECTOR, OTHER, SOUND, WATCHER, Evening
from tabulate.room import PLAN
from tallyroom.intake.answer import Answer
from tallyroom.intake.decide import decide
from tallyroom.intake.judge import errors_of
from tallyroom.plan.acceptance import Channel
from tallyroom.tabulate import Tabulation, tabulated
from tallyroom.tabulate.decision import FILING
from tallyroom.tabulate.filed import Filed, add
from tallyroom.tabulate.findings import alone

WHO = (
    (ANN, Channel.OPERATOR), (BOB, Channel.OPERATOR), (ANN, Channel.PAPER), (CHAIR, Channel.APP),
    (DIRECTOR, Channel.FILE), (WATCHER, Channel.CAMPAIGN),
)  # fmt: skip

filings = st.tuples(
    st.just("files"), st.sampled_from(WHO), st.sampled_from((SOUND, OTHER, BROKEN)), st.integers(0, 5),
    st.none() | st.integers(0, 20),
)  # fmt: skip
rulings = st.tuples(st.just("decides"), st.integers(0, 20), st.booleans(), st.none() | st.integers(0, 20))
evenings = st.lists(filings | rulings, max_size=14)


def play(events):
    night = Evening()
    for event in events:
        if event[0] == "files":
            _, (who, channel), line, key, replaces = event
            night.brings(who, line, channel, key=f"key-{key}", replaces=replaces)
        else:
            _, filing, accept, standing = event
            night.decides(ADA, filing, standing, accept=accept)
    return night


@given(evenings)
@settings(max_examples=150, deadline=None)
def test_every_filing_has_its_decision_right_behind_it(events):
    with play(events) as night:
        entries = list(night.ledger.entries())
        filed = Filed(PLAN)
        for entry, behind in zip(entries, [*entries[1:], None], strict=False):
            found = add(filed, entry)
            if entry.kind == FILING:
                assert behind is not None
                assert (behind.kind, behind.key) == ("decision", f"{entry.key}:decision")
                expected = decide(filed, found, errors_of(alone(found.report, PLAN)))
                add(after := _copied(entries[: behind.seq]), behind)
                assert after.decisions[entry.seq] == [expected]


def _copied(entries):
    filed = Filed(PLAN)
    for entry in entries:
        add(filed, entry)
    return filed


@given(evenings)
@settings(max_examples=150, deadline=None)
def test_each_filing_stands_in_one_place_and_one_is_in_force(events):
    with play(events) as night:
        unit = night.door.record.of("elm-1")
        seqs = [filing.seq for filing in unit.filings]
        assert seqs == sorted(set(seqs)) == [entry.seq for entry in night.ledger.entries() if entry.kind == FILING]
        accepted = [one for found in unit.decisions.values() for one in found if one.outcome == "accepted"]
        assert (unit.in_force is not None) == bool(accepted)
        if unit.in_force is not None:
            assert unit.decisions[unit.in_force.seq][-1].outcome == "accepted"


@given(evenings)
@settings(max_examples=100, deadline=None)
def test_counting_entry_by_entry_is_counting_all(events):
    with play(events) as night:
        entries = list(night.ledger.entries())
        growing = Tabulation(PLAN)
        for entry in entries:
            growing.add(entry)
        assert growing.top() == tabulated(entries, PLAN).top()


@given(evenings, st.integers(0, 13))
@settings(max_examples=60, deadline=None)
def test_house_opened_again_in_the_middle_decides_alike(events, cut):
    with play(events) as whole, play(events[:cut]) as first:
        again = Evening(ledger=first.ledger, vault=first.vault)
        for event in events[cut:]:
            if event[0] == "files":
                _, (who, channel), line, key, replaces = event
                again.brings(who, line, channel, key=f"key-{key}", replaces=replaces)
        if all(event[0] == "files" for event in events):
            assert again.door.record.of("elm-1").decisions.keys() == whole.door.record.of("elm-1").decisions.keys()
            for seq, found in whole.door.record.of("elm-1").decisions.items():
                other = again.door.record.of("elm-1").decisions[seq]
                assert [(one.outcome, one.because) for one in other] == [(one.outcome, one.because) for one in found]


@given(evenings)
@settings(max_examples=60, deadline=None)
def test_nobody_alone_makes_a_heard_figure_count(events):
    with play(events) as night:
        unit = night.door.record.of("elm-1")
        for filing in unit.filings:
            for decision in unit.decisions[filing.seq]:
                if decision.because == "second-entry" and decision.outcome == "accepted":
                    partner = night.door.record.filing(decision.beside)
                    assert partner.author != filing.author
                if decision.because == "person":
                    assert decision.author == ADA.person
        assert isinstance(night.brings(CHAIR, SOUND, Channel.APP), Answer)
