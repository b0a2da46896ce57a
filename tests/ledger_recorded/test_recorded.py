"""A recorded night becomes entries; whatever is wrong with its files is told with file and line, all at once."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import msgspec
import pytest

from tabulate import iowa
from tabulate.room import PLAN
from tallyroom.faults import CannotRunError, InputError
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import OPTIONAL, columns, folder_of, read_night
from tallyroom.plan.types import Stage
from tallyroom.report.record import RecordedLot
from tallyroom.report.wire import decode

HEAD = """
contest = "orchard-2031"
title = "One evening"
groups = ["ash", "birch", "cedar", "other", "uncommitted"]
stages = ["first", "final"]
[basis]
sheet = "Read from the sheet."
"""
NAMES = ",".join(columns(["first", "final"]))
ROW = "early,elm-1,20 12 8 0 0,22 18 0 0 0,2 2 0 0 0,,sheet"


@pytest.fixture
def folder(tmp_path):
    found = tmp_path / "orchard-2031"
    found.mkdir()
    (found / "record.toml").write_text(HEAD, encoding="utf-8")
    return found


def night(folder, *rows, names=NAMES, plan=PLAN):
    (folder / "night.csv").write_text("\n".join([names, *rows, ""]), encoding="utf-8")
    return read_night(folder, plan)


def report_of(draft):
    return decode(msgspec.json.encode(draft.body))


class TestTheRealNight:
    def test_1913_entries_of_1765_places_and_148_changes(self):
        rows = iowa.entries()
        assert len(rows) == 1_913
        assert sum(row.replaces is None for row in rows) == 1_765
        assert Counter(row.reason for row in rows) == {"": 1_765, "published-change": 148}

    def test_a_change_replaces_the_entry_before_of_the_same_place(self):
        rows = iowa.entries()
        units = [decode(row.body).unit for row in rows]
        for number, row in enumerate(rows):
            if row.replaces is not None:
                assert units[row.replaces] == units[number]
                assert units[number] not in units[row.replaces + 1 : number]

    def test_times_are_those_of_the_releases_and_never_go_back(self):
        times = [row.at for row in iowa.entries()]
        assert times == sorted(times)
        assert set(times) <= {release.at for release in iowa.plan().releases.values()}

    def test_regular_precincts_have_delegates_and_satellites_values(self):
        for row in iowa.entries():
            report = decode(row.body)
            satellite = iowa.plan().units[report.unit].kind == "satellite"
            assert report.attendance is None
            assert (report.delegates if satellite else report.values) is None

    def test_no_person_stands_in_it(self):
        assert {(row.author.id, row.author.role, row.channel) for row in iowa.entries()} == {
            ("record", "record-keeper", "file")
        }

    def test_entered_twice_it_is_there_once(self):
        recorded = read_night(folder_of("iowa-2020"), iowa.plan())
        with MemoryLedger("iowa-2020") as ledger:
            ledger.append(recorded.drafts[:50])
            again = ledger.append(recorded.drafts[:50])
            assert all(receipt.repeated for receipt in again)
            assert ledger.head().count == 50


def test_a_contest_without_record_is_refused_with_a_remedy():
    with pytest.raises(CannotRunError, match=r"no recorded night of contest 'atlantis-2020'\. Give a ledger"):
        folder_of("atlantis-2020")


class TestARow:
    def test_counts_are_in_the_order_of_the_record(self, folder):
        (draft,) = night(folder, ROW).drafts
        report = report_of(draft)
        assert report.alignments["first"] == {"ash": 20, "birch": 12, "cedar": 8, "other": 0, "uncommitted": 0}
        assert report.delegates == {"ash": 2, "birch": 2, "cedar": 0, "other": 0, "uncommitted": 0}
        assert (report.attendance, report.values, report.lots) == (None, None, ())
        assert (draft.at, draft.paper, draft.key) == (PLAN.releases["early"].at, "sheet", "record/early/elm-1")

    def test_a_dash_is_a_blank_and_an_empty_cell_is_not_on_record(self, folder):
        (draft,) = night(folder, "early,elm-1,20 - 8 0 -,,,,sheet").drafts
        report = report_of(draft)
        assert report.alignments == {"first": {"ash": 20, "cedar": 8, "other": 0}}
        assert report.delegates is None

    def test_not_recorded_is_no_value_and_not_zero(self, folder):
        (draft,) = night(folder, "early,north-a,20 0 0 0 0,20 0 0 0 0,,not-recorded,sheet").drafts
        assert report_of(draft).values is None

    def test_values_are_exact(self, folder):
        (draft,) = night(folder, "early,north-a,20 0 0 0 0,20 0 0 0 0,,1.4999 0 0 0 -,sheet").drafts
        assert report_of(draft).values == {"ash": Fraction(14_999, 10_000), "birch": 0, "cedar": 0, "other": 0}

    def test_attendance_and_lots_may_be_there(self, folder):
        row = f"{ROW},41,lose:1:ash+birch@-1/2=ash gain:2:ash+birch+cedar@1/4=birch+cedar"
        (draft,) = night(folder, row, names=f"{NAMES},attendance,lots").drafts
        report = report_of(draft)
        assert report.attendance == 41
        assert report.lots == (
            RecordedLot("lose:1:ash+birch@-1/2", ("ash",)),
            RecordedLot("gain:2:ash+birch+cedar@1/4", ("birch", "cedar")),
        )

    def test_a_later_row_corrects_the_one_before(self, folder):
        found = night(folder, ROW, ROW.replace("early", "late")).drafts
        assert [(draft.replaces, draft.reason) for draft in found] == [(None, ""), (0, "published-change")]

    def test_a_byte_order_mark_is_no_fault(self, folder):
        (folder / "night.csv").write_text(f"\ufeff{NAMES}\n{ROW}\n", encoding="utf-8")
        assert len(read_night(folder, PLAN).drafts) == 1


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (ROW.replace("early", "never"), "release 'never' is not in the plan"),
        (ROW.replace("sheet", "hearsay"), "basis 'hearsay' is not explained"),
        (ROW.replace("elm-1", "elm-9"), "'elm-9' is not a unit of contest orchard-2031"),
        (ROW.replace("20 12 8 0 0", "20 12 8 0"), "4 numbers for 5 groups"),
        (ROW.replace("20 12", "-20 12"), "'-20' is negative"),
        (ROW.replace("20 12", "2O 12"), "'2O' is not a whole number"),
        (ROW.replace("20 12", "20.5 12"), "'20.5' is not a whole number"),
        (ROW.replace("20 12", "1000000000 12"), "1000000000 is larger than any place can hold"),
        (ROW.replace("20 12", "1e9 12"), "'1e9' is not a whole number"),
        (ROW.replace(",,sheet", ",1/3 0 0 0 0,sheet"), "'1/3' is not a decimal"),
        (ROW.replace(",,sheet", ",-1 0 0 0 0,sheet"), "'-1' is not a decimal"),
        (ROW.replace(",,sheet", ",1e3 0 0 0 0,sheet"), "'1e3' is not a decimal"),
        ("early,elm-1", "the row has more or fewer cells than the 7 columns"),
        (f"{ROW},more,cells", "the row has more or fewer cells than the 7 columns"),
    ],
)
def test_a_fault_of_a_row_names_file_and_line(folder, row, sentence):
    with pytest.raises(InputError) as caught:
        night(folder, "early,elm-2,1 0 0 0 0,1 0 0 0 0,2 0 0 0 0,,sheet", row)
    (fault,) = caught.value.faults
    assert sentence in fault.what
    assert fault.file.endswith("night.csv")
    assert fault.line == 3
    assert fault.remedy


def test_a_place_twice_in_one_release_is_told(folder):
    with pytest.raises(InputError, match=r"night\.csv:3: elm-1 stands twice in release early"):
        night(folder, ROW, ROW.replace("20 12", "19 12"))


@pytest.mark.parametrize("lot", ["tie", "tie=ash", "lose:1:ash+birch=ash", "Lose:1:ash+birch@1/2=ash"])
def test_a_lot_that_names_no_tie_or_no_winner_is_told(folder, lot):
    with pytest.raises(InputError, match=f"{re.escape(repr(lot))} is not a lot such as"):
        night(folder, f"{ROW},,{lot}", names=f"{NAMES},attendance,lots")


class TestStages:
    """A column of people for each stage of the record, under the stage's own id."""

    ROUNDS = ("one", "two", "three")
    PLAN = replace(PLAN, stages=tuple(Stage(name, f"Round {name}", PLAN.stages[0].source) for name in ROUNDS))

    def of(self, folder, stages, *rows, names=None):
        text = HEAD.replace('["first", "final"]', msgspec.json.encode(stages).decode())
        (folder / "record.toml").write_text(text, encoding="utf-8")
        return night(folder, *rows, names=names or ",".join(columns(stages)), plan=self.PLAN)

    def test_three_stages_have_three_columns(self, folder):
        row = "early,elm-1,20 12 8 0 0,20 14 6 0 0,22 18 0 0 0,2 2 0 0 0,,sheet"
        (draft,) = self.of(folder, list(self.ROUNDS), row).drafts
        alignments = report_of(draft).alignments
        assert {stage: people["birch"] for stage, people in alignments.items()} == {"one": 12, "two": 14, "three": 18}

    def test_columns_may_stand_in_any_order(self, folder):
        row = "early,22 18 0 0 0,20 12 8 0 0,elm-1,2 2 0 0 0,,sheet"
        names = "release,three,one,unit,delegates,value,basis"
        (draft,) = self.of(folder, ["one", "three"], row, names=names).drafts
        assert report_of(draft).count("one", "ash") == 20
        assert report_of(draft).count("three", "ash") == 22

    def test_a_record_of_delegates_alone_has_no_stage(self, folder):
        (draft,) = self.of(folder, [], "early,elm-1,2 2 0 0 0,,sheet").drafts
        assert report_of(draft).alignments == {}
        assert report_of(draft).delegates["birch"] == 2

    def test_the_column_of_a_stage_that_is_not_on_record_is_unknown(self, folder):
        with pytest.raises(
            InputError, match=r"column 'one' is missing; column 'first' is unknown.* unit, one, delegates"
        ):
            self.of(folder, ["one"], names="release,unit,first,delegates,value,basis")

    @pytest.mark.parametrize("name", [*columns(()), *OPTIONAL])
    def test_a_stage_cannot_have_the_name_of_another_column(self, folder, name):
        plan = replace(PLAN, stages=(Stage(name, name.title(), PLAN.stages[0].source),))
        (folder / "record.toml").write_text(HEAD.replace('["first", "final"]', f'["{name}"]'), encoding="utf-8")
        with pytest.raises(InputError, match=rf"record\.toml:5: stage '{name}' has the name of a column"):
            night(folder, plan=plan)

    def test_a_stage_or_group_twice_is_told(self, folder):
        text = HEAD.replace('["first", "final"]', '["first", "first"]').replace('"ash", ', '"ash", "ash", ')
        (folder / "record.toml").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="group 'ash' stands there twice") as caught:
            night(folder, ROW)
        assert [fault.line for fault in caught.value.faults] == [4, 5]


def test_all_faults_are_told_together(folder):
    with pytest.raises(InputError) as caught:
        night(folder, ROW.replace("early", "never"), ROW.replace("20 12", "x 12"), ROW.replace("elm-1", "elm-9"))
    assert [fault.line for fault in caught.value.faults] == [2, 3, 4]


class TestFiles:
    def test_unknown_and_missing_columns(self, folder):
        with pytest.raises(InputError, match=r"column 'first' is missing; column 'frist' is unknown"):
            night(folder, ROW, names=NAMES.replace("first", "frist"))

    def test_a_column_twice(self, folder):
        with pytest.raises(InputError, match=r"night\.csv:1: column 'first' stands there twice"):
            night(folder, ROW, names=NAMES.replace("unit,first", "unit,first,first"))

    def test_an_empty_table(self, folder):
        (folder / "night.csv").write_text("", encoding="utf-8")
        with pytest.raises(InputError, match="column 'release' is missing"):
            read_night(folder, PLAN)

    def test_a_quotation_mark_that_never_closes(self, folder):
        with pytest.raises(InputError, match=r"night\.csv:3: this is not a table"):
            night(folder, ROW, 'late,"elm-2', "late,elm-3")
        with pytest.raises(InputError, match=r"night\.csv:1: this is not a table"):
            night(folder, ROW, names=f'"{NAMES}')

    def test_bytes_that_are_no_text(self, folder):
        (folder / "night.csv").write_bytes(NAMES.encode() + b"\n\xff\xfe\n")
        with pytest.raises(InputError, match=r"night\.csv.* is not UTF-8"):
            read_night(folder, PLAN)

    @pytest.mark.parametrize(
        ("head", "sentence"),
        [
            (HEAD.replace("orchard", "meadow"), "record of contest meadow-2031, not of orchard-2031"),
            (HEAD.replace('"ash"', '"asch"'), "'asch' is not a group of orchard-2031.*Did you mean 'ash'"),
            ("contest = ", "not the head of a recorded night"),
            (HEAD.replace('title = "One evening"', ""), "missing required field `title`"),
            (HEAD.replace('["first", "final"]', '"first"'), "Expected `array`, got `str`"),
            (f"groups = {'[' * 100_000}", "not the head of a recorded night"),
        ],
    )
    def test_a_head_at_fault(self, folder, head, sentence):
        (folder / "record.toml").write_text(head, encoding="utf-8")
        with pytest.raises(InputError, match=sentence):
            night(folder, ROW)

    @pytest.mark.parametrize("name", ["record.toml", "night.csv"])
    def test_a_missing_file_is_refused_by_name(self, folder, name):
        night(folder, ROW)
        (folder / name).unlink()
        with pytest.raises(CannotRunError, match=name):
            read_night(folder, PLAN)
