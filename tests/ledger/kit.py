"""What every ledger must do, whatever keeps its entries: a driver inherits this and says how one is opened."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

import msgspec
import pytest

from ledger.drafts import CONTEST, report, reports
from tallyroom.ledger.entry import NO_ENTRY
from tallyroom.ledger.faults import KeyConflictError, LedgerError, StoreError
from tallyroom.ledger.tree import head, leaf_hash
from tallyroom.ledger.verify import verify

NOTED = (("report", ""), ("note", ":note"))


class Noting:
    """A judge that notes behind every report how many entries stood before it, and checks that it saw each of them."""

    def __init__(self):
        self.seen = []

    def behind(self, entry):
        assert entry.seq == len(self.seen), f"entry {entry.seq} came after {self.seen[-3:]}"
        self.seen.append(entry.key)
        if entry.kind != "report":
            return ()
        note = replace(entry.draft(), kind="note", key=f"{entry.key}:note", body={"before": entry.seq})
        return (replace(note, replaces=None),)

    def at(self, count):
        del self.seen[count:]


class LedgerKit:
    """Inherited by each driver's test class; `opened` opens the place's ledger, twice the same if it lasts."""

    lasts = True

    @pytest.fixture
    def opened(self, tmp_path):
        raise NotImplementedError

    @pytest.fixture
    def ledger(self, opened):
        with opened() as ledger:
            yield ledger

    def test_first_report_is_entry_0_and_the_next_ones_follow(self, ledger):
        receipts = ledger.append(reports(2)) + ledger.append([report(2)])
        assert [receipt.seq for receipt in receipts] == [0, 1, 2]
        assert [entry.seq for entry in ledger.entries()] == [0, 1, 2]
        assert [entry.key for entry in ledger.entries()] == ["device-0", "device-1", "device-2"]

    def test_each_entry_names_the_hash_of_the_one_before(self, ledger):
        receipts = ledger.append(reports(3))
        entries = list(ledger.entries())
        assert [entry.prev for entry in entries] == [NO_ENTRY, receipts[0].leaf, receipts[1].leaf]
        assert [receipt.leaf for receipt in receipts] == [leaf_hash(entry.raw).hex() for entry in entries]

    def test_what_was_filed_comes_back(self, ledger):
        filed = report(0, paper="sheet-77", text="ab" * 32, reason="misread")
        ledger.append([filed])
        (entry,) = ledger.entries()
        assert entry.draft() == filed
        assert msgspec.json.decode(entry.body) == filed.body

    def test_head_is_the_root_over_all_entries(self, ledger):
        assert ledger.head().count == 0
        receipts = ledger.append(reports(7))
        root = head([leaf_hash(entry.raw) for entry in ledger.entries()]).hex()
        assert (ledger.head().count, ledger.head().root) == (7, root)
        assert receipts[-1].head == ledger.head()

    def test_entries_between_two_numbers(self, ledger):
        ledger.append(reports(10))
        assert [entry.seq for entry in ledger.entries(3, 6)] == [3, 4, 5]
        assert [entry.seq for entry in ledger.entries(8)] == [8, 9]
        assert [entry.seq for entry in ledger.entries(8, 99)] == [8, 9]
        assert list(ledger.entries(10)) == list(ledger.entries(5, 5)) == list(ledger.entries(0, 0)) == []

    def test_reading_sees_the_ledger_as_it_was_when_asked(self, ledger):
        ledger.append(reports(2))
        reading = ledger.entries()
        ledger.append([report(2)])
        assert len(list(reading)) == 2

    def test_entry_is_found_by_its_key(self, ledger):
        ledger.append(reports(3))
        found = ledger.find("device-1")
        assert found is not None
        assert (found.seq, found.author.id) == (1, "p-1")
        assert ledger.find("device-9") is None

    def test_nothing_filed_changes_nothing(self, ledger):
        assert ledger.append([]) == []
        assert ledger.head().count == 0

    def test_phone_sends_the_same_report_twice(self, ledger):
        first = ledger.append([report(0), report(1)])[0]
        again = ledger.append([report(0)])[0]
        assert (again.seq, again.leaf, again.repeated) == (first.seq, first.leaf, True)
        assert not first.repeated
        assert ledger.head().count == 2

    def test_phone_sends_it_again_an_hour_later(self, ledger):
        ledger.append([report(0)])
        late = replace(report(0), at=report(0).at + timedelta(hours=1))
        assert ledger.append([late])[0].repeated
        assert next(ledger.entries()).at == report(0).at

    def test_same_report_twice_in_one_envelope(self, ledger):
        receipts = ledger.append([report(0), report(1), report(0)])
        assert [(receipt.seq, receipt.repeated) for receipt in receipts] == [(0, False), (1, False), (0, True)]
        assert ledger.head().count == 2

    def test_same_key_with_other_numbers_is_refused_and_both_are_named(self, ledger):
        ledger.append([report(0)])
        with pytest.raises(KeyConflictError) as caught:
            ledger.append([report(5), report(1, key="device-0")])
        conflict = caught.value
        assert (conflict.key, conflict.seq) == ("device-0", 0)
        assert set(conflict.differing) == {"at", "author", "body"} - {"at"}
        assert conflict.standing == next(ledger.entries()).raw
        assert b'"unit":"unit-1"' in conflict.offered
        assert ledger.head().count == 1
        assert ledger.find("device-5") is None

    def test_key_with_other_numbers_in_one_envelope_enters_nothing(self, ledger):
        with pytest.raises(KeyConflictError):
            ledger.append([report(0), report(1), report(2, key="device-0")])
        assert ledger.head().count == 0
        assert [receipt.seq for receipt in ledger.append([report(1)])] == [0]

    def test_report_of_another_contest_is_refused(self, ledger):
        with pytest.raises(LedgerError, match="of hilltown-2024 was sent to the ledger of lakeland-2024"):
            ledger.append([report(0), report(1, contest="hilltown-2024")])
        with pytest.raises(LedgerError, match="hilltown"):
            ledger.submit(report(1, contest="hilltown-2024"))
        assert ledger.head().count == 0

    def test_correction_names_an_entry_before_it(self, ledger):
        ledger.append([report(0), report(1, replaces=0, reason="misread")])
        assert [entry.replaces for entry in ledger.entries()] == [None, 0]
        for number in (2, 99, -1):
            with pytest.raises(LedgerError, match="Name an entry that stands before it"):
                ledger.append([report(2, replaces=number, reason="misread")])
        assert ledger.head().count == 2

    def test_faulty_draft_in_a_batch_enters_nothing(self, ledger):
        bad = replace(report(1), body={"share": 0.15})
        with pytest.raises(LedgerError, match=r"0\.15 is a float"):
            ledger.append([report(0), bad])
        assert ledger.head().count == 0

    def test_text_that_has_no_bytes_is_refused_before_it_waits(self, ledger):
        broken = replace(report(1), body={"unit": "\ud800"})
        with pytest.raises(LedgerError, match="cannot be written down"):
            ledger.submit(broken)
        with pytest.raises(LedgerError, match="cannot be written down"):
            ledger.append([report(0), broken])
        assert ledger.head().count == 0
        assert [receipt.seq for receipt in ledger.append([report(0)])] == [0]

    def test_many_desks_file_at_once(self, ledger):
        def desk(number):
            for at in range(15):
                mine.extend(ledger.append([report(number * 1000 + at)]))
                mine.append(ledger.submit(report(number * 1000 + 500 + at)).result(20))

        mine = []
        desks = [threading.Thread(target=desk, args=(number,)) for number in range(8)]
        for thread in desks:
            thread.start()
        for thread in desks:
            thread.join(30)
        assert sorted(receipt.seq for receipt in mine) == list(range(240))
        raws = [entry.raw for entry in ledger.entries()]
        assert verify(raws, ledger.head(), CONTEST) == []
        for receipt in mine:
            assert leaf_hash(raws[receipt.seq]).hex() == receipt.leaf
            assert receipt.head.count > receipt.seq

    def test_one_wrong_draft_among_many_waiting_harms_no_other(self, ledger):
        ledger.append([report(0)])
        drafts = [report(number) for number in range(1, 60)]
        drafts[30] = report(77, key="device-0")
        drafts[40] = report(78, replaces=5000, reason="misread")
        futures = [ledger.submit(draft) for draft in drafts]
        assert isinstance(futures[30].exception(20), KeyConflictError)
        assert isinstance(futures[40].exception(20), LedgerError)
        good = [future.result(20).seq for at, future in enumerate(futures) if at not in {30, 40}]
        assert good == list(range(1, 58))

    def test_answer_may_file_again(self, ledger):
        answered = threading.Event()

        def once_more(_future):
            ledger.append([report(1)])
            answered.set()

        ledger.submit(report(0)).add_done_callback(once_more)
        assert answered.wait(20)
        assert ledger.head().count == 2

    def test_closing_enters_what_waits(self, opened):
        ledger = opened()
        futures = [ledger.submit(draft) for draft in reports(40)]
        ledger.close()
        ledger.close()
        assert [future.result(0).seq for future in futures] == list(range(40))

    def test_closed_ledger_says_so(self, opened):
        ledger = opened()
        ledger.close()
        for ask in (lambda: ledger.append([report(0)]), lambda: ledger.submit(report(0)), ledger.head):
            with pytest.raises(StoreError, match="the ledger is closed"):
                ask()
        with pytest.raises(StoreError, match="closed"):
            list(ledger.entries())
        with pytest.raises(StoreError, match="closed"):
            ledger.find("device-0")

    def test_reopened_ledger_goes_on_where_it_was(self, opened):
        if not self.lasts:
            with opened() as ledger:
                assert ledger.head().count == 0
            return
        with opened() as ledger:
            before = ledger.append(reports(5))
        with opened() as ledger:
            assert ledger.head() == before[-1].head
            after = ledger.append([report(0), report(5)])
            assert [(receipt.seq, receipt.repeated) for receipt in after] == [(0, True), (5, False)]
            assert verify([entry.raw for entry in ledger.entries()], ledger.head(), CONTEST) == []

    def test_judgement_stands_right_behind_what_is_judged(self, ledger):
        ledger.append(reports(1))
        judge = Noting()
        judge.seen = ["device-0"]
        ledger.judged_by(judge)
        receipts = [*ledger.append(reports(2, start=1)), ledger.submit(report(3)).result()]
        assert [receipt.seq for receipt in receipts] == [1, 3, 5]
        kinds = [(entry.kind, entry.key) for entry in ledger.entries(1)]
        assert kinds == [(kind, f"device-{n}{more}") for n in (1, 2, 3) for kind, more in NOTED]
        assert receipts[-1].head == ledger.head()
        assert ledger.head().count == 7
        assert verify([entry.raw for entry in ledger.entries()], ledger.head(), CONTEST) == []

    def test_what_is_sent_again_is_not_judged_again(self, ledger):
        ledger.judged_by(judge := Noting())
        first = ledger.append([report(0)])[0]
        again = ledger.append([report(0), report(1)])
        assert (again[0].seq, again[0].repeated, again[1].seq) == (first.seq, True, 2)
        assert judge.seen == [entry.key for entry in ledger.entries()]

    def test_judge_forgets_what_was_refused(self, ledger):
        ledger.judged_by(judge := Noting())
        ledger.append([report(0)])
        with pytest.raises(LedgerError):
            ledger.append([report(1), report(2, replaces=99)])
        with pytest.raises(KeyConflictError):
            ledger.append([report(3), report(4, key="device-0")])
        assert [receipt.seq for receipt in ledger.append([report(5)])] == [2]
        assert judge.seen == [entry.key for entry in ledger.entries()]

    def test_judge_sees_many_desks_in_the_order_of_the_ledger(self, ledger):
        ledger.judged_by(judge := Noting())
        futures = [ledger.submit(report(number, key=f"device-{number % 40}")) for number in range(80)]
        refused = sum(isinstance(future.exception(), KeyConflictError) for future in futures)
        assert refused == 40
        entries = list(ledger.entries())
        assert judge.seen == [entry.key for entry in entries]
        assert len(entries) == 80
        assert verify([entry.raw for entry in entries], ledger.head(), CONTEST) == []
        for number, entry in enumerate(entries):
            assert entry.kind == ("note" if number % 2 else "report")
            if number % 2:
                assert msgspec.json.decode(entry.body) == {"before": number - 1}
