"""`tallyroom night` from outside: the recorded night, its page and ledger, and what happens when a figure is wrong."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from fractions import Fraction
from importlib.resources import files

import pytest

from cli.typed import prints, seen, typed, watched
from tallyroom.exact import printed

SMALL = "lakeland-2031"


@pytest.fixture(scope="module")
def iowa(tmp_path_factory):
    """The reference night, replayed as `make night` does on a build machine: what it said, and its folder."""
    folder = tmp_path_factory.mktemp("iowa") / "night"
    return typed("night", "--folder", folder, CI="1"), folder


@pytest.fixture(scope="module")
def page(iowa):
    return json.loads((iowa[1] / "index.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def certified():
    said = typed("tabulate", "iowa-2020", "--release", "certified", "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """All that the small night draws on a screen of 80 columns."""
    folder = tmp_path_factory.mktemp("screen") / "night"
    said = watched("night", SMALL, "--folder", folder, "--pace", "0.2")
    assert said.code == 0, said.out
    return said.out


class TestTheReferenceNight:
    def test_it_ends_well_and_leaves_page_twin_and_ledger(self, iowa):
        said, folder = iowa
        assert (said.code, said.err) == (0, "")
        assert {"index.html", "index.json", "ledger.sqlite", "ledger.sqlite.head"} <= {p.name for p in folder.iterdir()}
        assert not list(folder.glob(".night-*"))

    def test_a_pipe_gets_no_steering_and_no_live_view(self, iowa):
        assert "\x1b" not in iowa[0].out
        assert "━" not in iowa[0].out

    def test_it_ends_in_published_against_ours(self, iowa):
        end = iowa[0].out[iowa[0].out.index("\nPublished against ours\n") :].splitlines()
        assert end[2].split() == ["Release", "Published", "Agree", "Differ", "Not", "in", "record"]
        assert end[3].split() == ["62pct", "24", "24", "0", "0"]
        assert "Of 134 published figures 110 agree to the last decimal, 10 differ and 14 cannot" in " ".join(end)

    def test_final_standings_and_national_delegates_are_told_in_full(self, iowa, page):
        shown = iowa[0].out
        assert "\nHow it stands: Certified after the recount, about Sat 29 Feb 2020 12:00 CST\n" in shown
        standing = shown[shown.index("\nHow it stands") : shown.index("\nNational delegates (41)\n")].splitlines()
        for row in page["rows"]:
            (line,) = [line for line in standing if line.startswith(f"{row['name']} ")]
            told = [word for cell in row["cells"] for word in (cell["value"], cell["percent"])]
            assert line.split()[-len(told) :] == told
        pledged = shown[shown.index("  Pledged party leaders and elected officials (5): ") :].splitlines()
        assert pledged[1] == "    last to Buttigieg (0.5184), next Sanders (0.5159)"

    def test_figures_of_a_state_that_is_not_on_record_say_what_they_rest_on(self, iowa):
        shown = iowa[0].out
        rests = "computed from what is on record; 47 units have no value"
        assert f"Buttigieg 14, Sanders 12, Warren 8, Biden 6, Klobuchar 1 ({rests})" in shown
        assert f"Ours for review: {rests}." in shown
        stood = "as it stood with release review, for the state behind this one is not on record"
        assert f"Ours for recanvass: {stood}; {rests}." in shown

    def test_its_ledger_holds_1913_entries_and_verifies(self, iowa, page):
        said = typed("ledger", "verify", iowa[1] / "ledger.sqlite")
        assert said.code == 0
        assert said.out.startswith("1913 ")
        assert said.out.split()[-1] in page["head"]

    def test_a_hundred_figures_agree_ten_more_ten_differ_and_fourteen_are_not_in_the_record(self, page, certified):
        yardsticks = {row["id"].replace("_", " ") for row in certified["yardsticks"]}
        counts = Counter((row["verdict"], row["measure"] in yardsticks) for row in page["figures"])
        assert counts["agrees", True] == 100
        assert counts["agrees", False] == 10
        assert Counter(row["verdict"] for row in page["figures"]) == {"agrees": 110, "differs": 10, "not-in-record": 14}
        assert all(row["note"] for row in page["figures"] if row["verdict"] != "agrees")

    def test_the_page_says_what_tabulate_says(self, page, certified):
        assert page["reported"] == certified["units"]["reported"] == 1_765
        assert [row["group"] for row in page["rows"]] == [g["id"] for g in certified["yardsticks"][-1]["groups"]]
        for place, yardstick in enumerate(certified["yardsticks"]):
            values = {group["id"]: group["value"] for group in yardstick["groups"]}
            for row in page["rows"]:
                shown = row["cells"][place]["value"].replace(",", "")
                decimals = len(shown.partition(".")[2])
                assert shown == printed(Fraction(values[row["group"]]), decimals)
        assert {group: count for group, _, count, _ in page["national"]} == certified["national"]["groups"]

    def test_the_ledger_gives_the_same_standing_as_the_record(self, iowa, certified):
        words = ("tabulate", "iowa-2020", "--release", "certified", "--json")
        said = typed(*words, "--ledger", iowa[1] / "ledger.sqlite")
        assert json.loads(said.out) == certified

    def test_the_figures_that_everybody_knows(self, page, iowa):
        shown = iowa[0].out
        assert "Buttigieg 562.954, Sanders 562.021" in shown
        assert [count for _, _, count, _ in page["national"]] == [14, 12, 8, 6, 1]


class TestAgain:
    def test_a_second_night_in_the_same_folder_says_the_same(self, tmp_path):
        first = typed("night", SMALL, "--folder", tmp_path)
        kept = prints(tmp_path)
        assert typed("night", SMALL, "--folder", tmp_path) == first
        assert {name: kept[name] for name in kept if "sqlite" not in name} == {
            name: digest for name, digest in prints(tmp_path).items() if "sqlite" not in name
        }
        assert typed("ledger", "verify", tmp_path / "ledger.sqlite").out.startswith("19 ")

    def test_what_else_lies_in_the_folder_stays(self, tmp_path):
        (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
        typed("night", SMALL, "--folder", tmp_path)
        assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "mine"

    def test_a_log_left_behind_by_a_killed_program_does_not_spoil_it(self, tmp_path):
        (tmp_path / "ledger.sqlite-wal").write_bytes(b"left behind" * 1000)
        assert typed("--quiet", "night", SMALL, "--folder", tmp_path).code == 0
        assert typed("ledger", "verify", tmp_path / "ledger.sqlite").code == 0


class TestAWrongFigure:
    @pytest.fixture
    def plan(self, tmp_path):
        """A copy of the small plan in which one published figure is another."""
        shutil.copytree(files("tallyroom") / "plans" / SMALL, tmp_path / "plan")
        shutil.copytree(files("tallyroom") / "records" / SMALL, tmp_path / "record")
        file = tmp_path / "plan" / "published.csv"
        lines = file.read_text(encoding="utf-8").splitlines()
        self.row = dict(zip(lines[0].split(","), lines[1].split(","), strict=False))
        cells = lines[1].split(",")
        place = lines[0].split(",").index("value")
        self.right = cells[place]
        self.wrong = cells[place] = str(int(cells[place].replace(".", "")) + 1)
        file.write_text("\n".join([lines[0], ",".join(cells), *lines[2:], ""]), encoding="utf-8")
        return tmp_path

    @pytest.mark.parametrize("record", [(), ("--record", "record")])
    def test_ends_with_1_and_is_named(self, plan, record):
        said = typed("night", "plan", *record, "--folder", "out", cwd=plan)
        assert said.code == 1
        (sentence,) = said.err.splitlines()
        assert sentence.startswith(f"error: release {self.row['release']}: {self.row['measure'].replace('_', ' ')} of ")
        assert f"was published as {self.wrong}, the record gives {self.right}" in sentence
        assert (plan / "out" / "index.html").is_file()

    def test_the_unspoiled_plan_agrees(self, tmp_path):
        shutil.copytree(files("tallyroom") / "plans" / SMALL, tmp_path / "plan")
        assert typed("--quiet", "night", "plan", "--folder", "out", cwd=tmp_path).code == 0


class TestOnAScreen:
    def test_progress_leaders_and_findings_are_shown(self, drawn):
        live = seen(drawn[: drawn.index("How it became known")])
        assert "14 of 17 places" in live
        assert "17 of 17 places" in live
        assert "━" in live
        assert "First vote" in live
        assert "State delegates" in live
        assert "Found so far: " in live
        assert "Most often: " in live

    def test_leaders_are_strong(self, drawn):
        assert "\x1b[1m" in drawn[: drawn.index("How it became known")]

    def test_it_draws_over_itself(self, drawn):
        assert "\x1b[1A" in drawn or "\x1b[2K" in drawn

    @pytest.mark.parametrize("columns", [44, 60, 80])
    def test_every_part_of_the_table_of_releases_names_the_release(self, tmp_path, columns):
        said = watched("night", SMALL, "--folder", tmp_path / "night", "--pace", "0", columns=columns)
        shown = seen(said.out)
        table = shown[shown.index("How it became known") : shown.index("What a person must look at")]
        heads = [
            line for line in table.splitlines() if " Time" in line or "Changed" in line or "State delegates" in line
        ]
        assert heads
        assert all(line.strip().startswith("Release") for line in heads)

    def test_the_bar_of_a_finished_night_can_be_seen_in_sixteen_colours(self, drawn):
        full = [piece for piece in drawn.split("17 of 17 places")[1:] if "━" in piece.split("\n")[0]]
        assert full
        assert all("\x1b[32m━" in piece.split("\n")[0] for piece in full)

    def test_it_ends_in_the_table(self, drawn):
        end = seen(drawn)[seen(drawn).index("Published against ours") :]
        assert "Release" in end
        assert "evening" in end
        assert "agree to the last decimal" in end

    def test_no_line_is_wider_than_the_screen(self, drawn):
        after = seen(drawn[drawn.index("How it became known") :])
        assert max(len(line) for line in after.splitlines() if "Page: " not in line and "Ledger: " not in line) <= 80

    def test_quiet_draws_nothing_over(self, tmp_path):
        said = watched("--quiet", "night", SMALL, "--folder", tmp_path / "night")
        assert said.code == 0
        assert "\x1b[2K" not in said.out
        assert "places ━" not in said.out

    def test_no_color_leaves_no_colour(self, tmp_path):
        said = watched("night", SMALL, "--folder", tmp_path / "night", "--pace", "0", NO_COLOR="1")
        assert said.code == 0
        assert "\x1b[3" not in said.out


def test_a_released_night_is_not_touched_by_a_reader(tmp_path):
    typed("--quiet", "night", SMALL, "--folder", tmp_path)
    before = prints(tmp_path)
    assert typed("tabulate", SMALL, "--ledger", tmp_path / "ledger.sqlite").code == 0
    assert typed("check", SMALL, "--ledger", tmp_path / "ledger.sqlite").code == 0
    assert prints(tmp_path) == before
    connection = sqlite3.connect(f"file:{tmp_path / 'ledger.sqlite'}?mode=ro", uri=True)
    assert connection.execute("SELECT count(*) FROM entry").fetchone() == (19,)
    connection.close()
