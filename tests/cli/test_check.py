"""`tallyroom check` as a results director reads it: how many, then place by place, the most severe places first."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter

import pytest

from cli.typed import command, environment, seen, typed, watched
from tallyroom.checks import catalogue
from tallyroom.cli.main import main

SMALL = "lakeland-2031"
SEVERITIES = ["error", "warning", "info"]


@pytest.fixture
def say(capsys):
    """Run a command in this process and give what it printed; it must succeed and complain of nothing."""

    def run(*words):
        assert main([*words]) == 0
        streams = capsys.readouterr()
        assert streams.err == ""
        return streams.out

    return run


def sections(shown):
    """The findings of each place, as lines, by its heading."""
    parts = shown.split("\n\n")[2:]
    return {part.splitlines()[0]: part.splitlines()[1:] for part in parts}


class TestForPeople:
    def test_the_first_lines_say_how_it_stands(self, say):
        lines = say("check", SMALL).splitlines()
        assert lines[:3] == [
            "Lakeland caucuses, 3 February 2031 (fictional)",
            "Lakeland; all that is recorded",
            "6 findings at 3 places: 3 errors, 1 warning, 2 notes",
        ]
        assert lines[4].split() == ["Kind", "Found", "Meaning"]
        assert lines[6].split()[:2] == ["alignment-totals-differ", "2"]

    def test_a_place_has_all_its_findings_together_the_most_severe_first(self, say):
        found = sections(say("check", "iowa-2020", "--release", "certified"))
        assert len(found) > 1_000
        for name, lines in found.items():
            marks = [line.split(":")[0].strip() for line in lines if line.startswith("  ") and line[2] != " "]
            assert marks == sorted(marks, key=SEVERITIES.index), name

    def test_places_with_an_error_stand_before_those_with_a_warning_and_those_before_the_rest(self, say):
        worst = [
            min(
                SEVERITIES.index(line.split(":")[0].strip())
                for line in lines
                if line.startswith("  ") and line[2] != " "
            )
            for lines in sections(say("check", "iowa-2020", "--release", "certified")).values()
        ]
        assert worst == sorted(worst)
        assert set(worst) == {0, 1, 2}

    def test_equally_severe_areas_come_before_their_places_and_the_contest_before_all(self, say):
        names = list(sections(say("check", "iowa-2020", "--release", "certified", "--kind", "batch-jump")))
        assert names == ["Iowa"]
        names = list(sections(say("check", "iowa-2020", "--release", "certified", "--severity", "error")))
        scott = [name for name in names if name == "Scott" or name.startswith("Scott, ")]
        assert scott[0] == "Scott"
        first = names.index(scott[0])
        assert len(scott) > 1
        assert names[first : first + len(scott)] == scott

    def test_the_counts_are_those_of_the_list(self, say):
        shown = say("check", "iowa-2020", "--release", "certified")
        counts = {line.split()[0]: int(line.split()[1]) for line in shown.split("\n\n")[1].splitlines()[1:]}
        listed = Counter(line.split()[2] for lines in sections(shown).values() for line in lines if ": I" in line[:15])
        assert counts == listed
        assert (counts["over-awarded"], counts["under-awarded"], counts["county-total-differs"]) == (6, 7, 11)

    def test_nothing_found_is_said(self, say):
        assert say("check", SMALL, "--unit", "alder-mill").splitlines()[-1] == "Nothing was found."

    def test_every_finding_says_what_to_do(self, say):
        told = {row["text"]: row["todo"] for row in json.loads(say("check", SMALL, "--json"))["findings"]}
        shown = say("check", SMALL)
        for text, todo in told.items():
            assert f"    {text}\n    {todo}\n" in shown


class TestWhatIsAskedFor:
    def test_one_kind(self, say):
        found = json.loads(say("check", "iowa-2020", "--release", "certified", "--kind", "over-awarded", "--json"))
        assert {row["kind"] for row in found["findings"]} == {"over-awarded"}
        assert found["counts"] == {"over-awarded": 6}

    def test_two_kinds(self, say):
        words = ("--kind", "over-awarded", "--kind", "under-awarded")
        found = json.loads(say("check", "iowa-2020", "--release", "100pct", *words, "--json"))
        assert found["counts"] == {"over-awarded": 12, "under-awarded": 14}

    @pytest.mark.parametrize(("least", "left"), [("error", {"error"}), ("warning", {"error", "warning"})])
    def test_at_least_so_severe(self, say, least, left):
        found = json.loads(say("check", SMALL, "--severity", least, "--json"))
        assert {row["severity"] for row in found["findings"]} == left

    @pytest.mark.parametrize("name", ["clover", "Clover"])
    def test_a_county_by_id_or_by_name(self, say, name):
        found = json.loads(say("check", SMALL, "--county", name, "--json"))
        assert {row["unit"]["county"] for row in found["findings"]} == {"clover"}
        assert len(found["findings"]) == 4

    def test_a_moment(self, say):
        early = json.loads(say("check", SMALL, "--release", "evening", "--json"))
        assert early["release"] == "evening"
        assert early["findings"] != json.loads(say("check", SMALL, "--json"))["findings"]

    def test_every_kind_is_counted_in_json_also_those_not_found(self, say):
        found = json.loads(say("check", SMALL, "--json"))
        assert list(found["counts"]) == [check.kind for check in catalogue()]
        assert sum(found["counts"].values()) == len(found["findings"]) == 6


class TestScreensAndPipes:
    @pytest.mark.parametrize("columns", [60, 80])
    def test_no_line_is_wider_than_the_screen(self, columns):
        drawn = seen(watched("check", SMALL, columns=columns).out)
        assert max(map(len, drawn.splitlines())) <= columns
        assert "final-exceeds-first" in drawn

    def test_a_long_list_may_be_cut_by_its_reader(self):
        """`tallyroom check iowa-2020 | head -3`: the reader leaves, and nobody complains."""
        line = subprocess.list2cmdline(command("check", "iowa-2020"))
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {line} | head -3"],
            capture_output=True,
            text=True,
            env=environment(),
            check=False,
        )
        assert done.stderr == ""
        assert done.stdout.count("\n") == 3
        assert done.returncode in {0, 141}
        assert os.WEXITSTATUS(done.returncode << 8) == done.returncode

    def test_quiet_keeps_the_result(self):
        assert typed("check", SMALL, "--quiet").out == typed("check", SMALL).out

    def test_no_color_in_a_terminal(self):
        assert "\x1b[" not in watched("check", SMALL, NO_COLOR="1").out
