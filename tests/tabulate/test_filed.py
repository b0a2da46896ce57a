"""Several filings of one place: what takes effect, what repeats, and what waits to be settled."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabulate.nights import few, reports
from tabulate.room import PLAN, at, report
from tallyroom.faults import InputError
from tallyroom.ledger.entry import Author, Draft
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.plan.amend import Amendment, AreaWeight, amend
from tallyroom.plan.amend import to_wire as amendment_object
from tallyroom.report.record import Report
from tallyroom.report.wire import to_wire
from tallyroom.tabulate import Basis, Tabulation, tabulated
from tallyroom.tabulate.filed import figures, fold, latest_plan

ELM = report("elm-1 attending 40 / first ash 30 birch 10 / final ash 30 birch 10 / delegates ash 3 birch 1")
OTHER = replace(ELM, delegates={"ash": 2, "birch": 2})
THIRD = replace(ELM, delegates={"ash": 4, "birch": 0})
OAK = report("oak-2 attending 30 / first ash 30 / final ash 30 / delegates ash 3")


def filing(found, number, replaces=None, channel="app"):
    return Draft(
        kind="report",
        version=1,
        contest=PLAN.contest,
        at=at(number),
        key=f"event-{number}",
        author=Author("t-1", "chair"),
        channel=channel,
        body=to_wire(found),
        replaces=replaces,
        reason="" if replaces is None else "misread",
    )


def entered(*drafts):
    with MemoryLedger(PLAN.contest) as ledger:
        ledger.append(list(drafts))
        return list(ledger.entries())


def evening(*filings):
    """Entries of reports, each alone or with the number of the entry it replaces."""
    pairs = [found if isinstance(found, tuple) else (found, None) for found in filings]
    return entered(*(filing(found, number, replaces) for number, (found, replaces) in enumerate(pairs)))


def seqs(by_unit, unit="elm-1"):
    return [found.seq for found in by_unit.get(unit, ())]


def state(*filings):
    """Numbers of the entries of Elm 1 that took effect, are unsettled, and are repeats."""
    filed = fold(evening(*filings), PLAN)
    return seqs(filed.filings), seqs(filed.unsettled), seqs(filed.repeats)


class TestWithoutNamingWhatItReplaces:
    def test_the_first_stays_in_force_and_the_later_one_waits(self):
        assert state(ELM, OTHER) == ([0], [1], [])
        tabulation = tabulated(evening(ELM, OTHER), PLAN)
        ash = tabulation.of_unit("elm-1", Basis.AS_WRITTEN).on("delegates").of("ash")
        assert (ash.printed, tabulation.top().progress.changed) == (3, 0)

    def test_the_same_figures_are_a_repeat_and_change_nothing(self):
        assert state(ELM, ELM) == ([0], [], [1])
        assert tabulated(evening(ELM, ELM), PLAN).top() == tabulated(evening(ELM), PLAN).top()

    def test_signatures_and_the_picture_are_no_figures(self):
        assert state(ELM, replace(ELM, signed=("chair",), photo="ab" * 32)) == ([0], [], [1])

    def test_a_blank_is_not_the_same_as_a_figure(self):
        assert state(ELM, replace(ELM, attendance=None)) == ([0], [1], [])
        assert state(replace(ELM, attendance=None), ELM) == ([0], [1], [])

    def test_every_later_one_waits(self):
        assert state(ELM, OTHER, THIRD, OTHER) == ([0], [1, 2, 3], [])

    def test_another_place_is_no_second_filing(self):
        filed = fold(evening(ELM, OAK), PLAN)
        assert (seqs(filed.filings, "oak-2"), filed.unsettled) == ([1], {})


class TestNamingWhatItReplaces:
    def test_a_correction_of_the_one_in_force_takes_effect(self):
        assert state(ELM, (OTHER, 0), (THIRD, 1)) == ([0, 1, 2], [], [])

    def test_a_correction_of_one_that_was_corrected_already_waits(self):
        assert state(ELM, (OTHER, 0), (THIRD, 0)) == ([0, 1], [2], [])

    def test_a_correction_that_says_what_waits_settles_it(self):
        assert state(ELM, OTHER, (OTHER, 0)) == ([0, 2], [], [1])

    def test_a_correction_that_says_a_third_thing_leaves_it_waiting(self):
        assert state(ELM, OTHER, (THIRD, 0)) == ([0, 2], [1], [])

    def test_a_correction_of_what_waits_takes_its_place(self):
        assert state(ELM, OTHER, (THIRD, 1)) == ([0], [2], [])

    def test_taking_back_what_waits_settles_it_for_the_one_in_force(self):
        assert state(ELM, OTHER, (ELM, 1)) == ([0], [], [2])

    def test_one_that_waits_cannot_overwrite_in_two_steps(self):
        assert state(ELM, OTHER, (THIRD, 1), (OTHER, 2)) == ([0], [3], [])

    def test_a_repeat_may_be_corrected_and_is_then_another_figure(self):
        assert state(ELM, ELM, (OTHER, 1)) == ([0], [2], [1])


class TestOfAnotherPlace:
    def test_a_report_of_another_place_cannot_be_replaced(self):
        with pytest.raises(InputError) as caught:
            fold(evening(ELM, (OAK, 0)), PLAN, file="night.sqlite")
        (fault,) = caught.value.faults
        assert fault.what == "entry 1: this report of oak-2 replaces entry 0, which is a report of elm-1"
        assert fault.file == "night.sqlite"
        assert "oak-2" in fault.remedy

    def test_nor_if_that_waits_or_repeats(self):
        with pytest.raises(InputError, match="replaces entry 1, which is a report of elm-1"):
            fold(evening(ELM, OTHER, (OAK, 1)), PLAN)
        with pytest.raises(
            InputError, match="entry 3: this report of oak-2 replaces entry 1, which is a report of elm"
        ):
            fold(evening(ELM, ELM, OAK, (OAK, 1)), PLAN)

    @pytest.mark.parametrize("hindsight", [False, True])
    def test_an_amendment_cannot_be_replaced_by_a_report(self, hindsight):
        change = Amendment(AreaWeight("elm", Fraction(14)), "fiction")
        amendment = replace(
            filing(ELM, 0), kind="amendment", body=amendment_object(change, amend(PLAN, change)), replaces=None
        )
        rows = entered(amendment, filing(ELM, 1, replaces=0))
        with pytest.raises(InputError, match=r"entry 1: .* replaces entry 0, which is an amendment of the plan"):
            tabulated(rows, PLAN, hindsight=hindsight)

    def test_what_is_refused_leaves_nothing_behind(self):
        growing = Tabulation(PLAN)
        rows = evening(ELM, (OAK, 0), OTHER)
        growing.add(rows[0])
        before = growing.top()
        with pytest.raises(InputError):
            growing.add(rows[1])
        assert (growing.top(), growing.filed.entries) == (before, 1)

    def test_one_recorded_later_by_a_clock_set_back_is_not_held_against_it(self):
        rows = entered(filing(ELM, 9), filing(OTHER, 3, replaces=0))
        assert seqs(fold(rows, PLAN, at=at(5)).filings) == [1]


class TestTheRestOfTheHouse:
    ROWS = evening(ELM, OTHER, (THIRD, 0), OAK)

    def test_one_entry_at_a_time_is_the_same_as_all_at_once(self):
        growing = Tabulation(PLAN)
        for number, entry in enumerate(self.ROWS, start=1):
            growing.add(entry)
            once = tabulated(self.ROWS[:number], PLAN)
            for area in PLAN.areas:
                assert growing.of_area(area, Basis.BY_RULE) == once.of_area(area, Basis.BY_RULE)
            assert growing.filed.unsettled == once.filed.unsettled

    def test_every_entry_is_counted_as_read(self):
        assert fold(self.ROWS, PLAN).entries == 4

    def test_one_that_waits_bounds_nothing(self):
        blank = replace(ELM, delegates=None)
        rows = evening(blank, OTHER, (ELM, 0))
        ash = tabulated(rows, PLAN, at=at(0)).top().on("sde").of("ash")
        settled = tabulated([rows[0], rows[2]], PLAN, at=at(0)).top().on("sde").of("ash")
        assert (ash.lowest, ash.highest) == (settled.lowest, settled.highest)


@few
@given(st.lists(st.tuples(reports("elm-1"), st.none() | st.integers(0, 7)), min_size=1, max_size=8))
def test_every_filing_is_somewhere_and_nothing_unnamed_changes_what_is_in_force(filings):
    rows = evening(*((found, of if of is not None and of < number else None)
                     for number, (found, of) in enumerate(filings)))  # fmt: skip
    filed, replaced = fold(rows, PLAN), {row.replaces for row in rows}
    kept = [*seqs(filed.filings), *seqs(filed.unsettled), *seqs(filed.repeats)]
    assert len(kept) == len(set(kept))
    assert set(range(len(rows))) - set(kept) <= replaced
    chain = filed.filings["elm-1"]
    assert [after.replaces for after in chain[1:]] == [before.seq for before in chain[:-1]]
    standing = figures(chain[-1].report)
    assert all(figures(found.report) != standing for found in filed.unsettled.get("elm-1", ()))


class TestFaults:
    """Whatever is wrong with an entry, the sentence names it, with or without the name of a file."""

    TORN = msgspec.Raw(b'{"unit":"elm-1"}')
    NEST = msgspec.Raw(b"[" * 100_000)

    @pytest.mark.parametrize(
        "change",
        [
            {"body": TORN},
            {"body": NEST},
            {"body": msgspec.Raw(msgspec.json.encode(to_wire(Report("elm-9", {}))))},
            {"kind": "amendment", "body": TORN},
            {"kind": "amendment", "body": NEST},
        ],
        ids=["torn", "nested", "stranger", "torn amendment", "nested amendment"],
    )
    @pytest.mark.parametrize("file", ["", "night.sqlite"])
    @pytest.mark.parametrize("hindsight", [False, True])
    def test_the_entry_is_named(self, change, file, hindsight):
        rows = evening(ELM, OAK, OTHER)
        rows[2] = msgspec.structs.replace(rows[2], **change)
        with pytest.raises(Exception, match="entry 2") as caught:
            tabulated(rows, PLAN, hindsight=hindsight, file=file)
        assert "entry 2" in caught.value.faults[0].what

    def test_an_amendment_at_fault_names_the_entry_and_the_file_with_hindsight_too(self):
        rows = evening(ELM, OAK)
        rows[1] = msgspec.structs.replace(rows[1], kind="amendment", body=self.TORN)
        with pytest.raises(InputError, match=r"^night\.sqlite: entry 1: this is not an amendment"):
            latest_plan(rows, PLAN, "night.sqlite")
