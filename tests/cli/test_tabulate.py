"""`tallyroom tabulate` as chairs, newsrooms and auditors read it: aligned, exact, and one place in full."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from cli.typed import seen, typed, watched
from tallyroom.cli.main import main

SMALL = "lakeland-2031"


@pytest.fixture
def say(capsys):
    """Run a command in this process and give what it printed; it must succeed and complain of nothing."""

    def run(*words):
        assert main([*words]) == 0
        streams = capsys.readouterr()
        assert streams.err == ""
        return streams.out

    return run


def line_of(shown, start):
    return next(line for line in shown.splitlines() if line.startswith(start))


class TestTheWhole:
    def test_it_begins_with_contest_moment_and_progress(self, say):
        lines = say("tabulate", SMALL, "--release", "evening").splitlines()
        assert lines[:4] == [
            "Lakeland caucuses, 3 February 2031 (fictional)",
            "Lakeland, as written; release evening (Mon 3 Feb 2031 22:30 CST)",
            "14 of 17 places reported",
            "Ash leads in first vote and state delegates; Birch leads in final vote.",
        ]

    def test_thousands_are_separated_and_sde_has_three_decimals_for_people(self, say):
        row = line_of(say("tabulate", "iowa-2020", "--release", "100pct"), "Buttigieg")
        assert row.split() == ["Buttigieg", "37,557", "21.3", "43,195", "25.0", "564.012", "26.2"]

    def test_json_is_exact(self, say):
        found = json.loads(say("tabulate", "iowa-2020", "--release", "100pct", "--json"))
        sde = {group["id"]: group for group in found["yardsticks"][2]["groups"]}
        assert (sde["buttigieg"]["value"], sde["sanders"]["value"]) == ("564.0124", "562.4973")
        numerator, denominator = map(int, sde["buttigieg"]["exact"].split("/"))
        assert abs(Fraction(numerator, denominator) - Fraction("564.011957")) < Fraction(1, 10**6)
        assert found["release"] == "100pct"
        assert found["scope"] == {"kind": "state", "id": "iowa", "name": "Iowa"}

    def test_figures_stand_under_each_other(self, say):
        shown = say("tabulate", SMALL).splitlines()
        start = next(place for place, line in enumerate(shown) if line.startswith("Group"))
        rows = shown[start : start + 8]
        assert len({len(row) for row in rows}) == 1

    def test_what_is_not_on_record_is_said_and_given_as_a_range(self, say):
        shown = say("tabulate", "iowa-2020", "--release", "review")
        assert "562.535 to 566.154" in line_of(shown, "Buttigieg")
        assert line_of(shown, "Uncommitted").endswith("3.732   0.2")
        assert "47 places have reported without state delegates: not counted, and not as zero." in shown

    def test_why_the_rule_gives_no_single_award_is_said_in_words(self, say):
        shown = say("tabulate", "iowa-2020", "--release", "certified")
        assert "At 190 places the rule gives no single award, and what was written stands:" in shown
        assert "   120  one delegate, elected by the whole caucus" in shown

    def test_incomplete_pools_are_provisional(self, say):
        shown = say("tabulate", "iowa-2020", "--release", "97pct")
        assert "Provisional: not all places of First district satellites are in" in shown

    def test_national_delegates_name_what_decided_the_last(self, say):
        shown = say("tabulate", "iowa-2020", "--release", "certified")
        assert "\nNational delegates (41)\nButtigieg 14, Sanders 12, Warren 8, Biden 6, Klobuchar 1\n" in shown
        assert "last to Buttigieg (0.5184), next Sanders (0.5159)" in shown
        assert "National delegates (41), so far" in say("tabulate", "iowa-2020", "--release", "97pct")

    def test_national_delegates_that_miss_values_say_so(self, say):
        shown = say("tabulate", "iowa-2020", "--release", "review")
        assert "\nNational delegates (41), computed from what is on record; 47 units have no value\n" in shown
        found = json.loads(say("tabulate", "iowa-2020", "--release", "review", "--json"))
        assert found["national"]["units_without_value"] == 47
        district = json.loads(say("tabulate", "iowa-2020", "--release", "review", "--district", "cd1", "--json"))
        assert district["national"]["units_without_value"] == district["yardsticks"][2]["units_without_value"] > 0

    def test_national_delegates_that_miss_nothing_say_nothing(self, say):
        assert "computed from" not in say("tabulate", "iowa-2020", "--release", "certified")
        found = json.loads(say("tabulate", "iowa-2020", "--release", "certified", "--json"))
        assert found["national"]["units_without_value"] == 0

    @pytest.mark.parametrize("place", [("--county", "alder"), ("--unit", "clover-gym")])
    def test_a_place_without_pools_has_an_empty_national(self, say, place):
        found = json.loads(say("tabulate", SMALL, *place, "--json"))
        assert found["national"] == {"total": 0, "groups": {}, "pools": [], "units_without_value": 0}

    def test_before_the_first_report_nothing_leads(self, say):
        shown = say("tabulate", SMALL, "--at", "2031-02-03T12:00:00Z")
        assert shown.splitlines()[2:] == [
            "0 of 17 places reported",
            "Nothing has been reported yet.",
            "State delegates settle this contest.",
        ]

    def test_the_basis_is_named(self, say):
        assert "Lakeland, by rule; all that is recorded" in say("tabulate", SMALL, "--basis", "by-rule")


class TestPlaces:
    @pytest.mark.parametrize("name", ["alder", "Alder", "ALDER", "Alder County", " alder "])
    def test_a_county_by_id_or_by_name(self, say, name):
        assert say("tabulate", SMALL, "--county", name) == say("tabulate", SMALL, "--county", "alder")

    @pytest.mark.parametrize("name", ["north", "North district"])
    def test_a_district_by_id_or_by_name(self, say, name):
        assert "North district, as written" in say("tabulate", SMALL, "--district", name)

    def test_a_pool_of_satellites_is_a_county(self, say):
        assert "North district satellites, as written" in say("tabulate", SMALL, "--county", "north-satellite")

    @pytest.mark.parametrize("name", ["alder-school", "Alder School", "alder SCHOOL"])
    def test_a_unit_by_id_or_by_its_only_name(self, say, name):
        assert "Alder, Alder School (precinct alder-school)" in say("tabulate", SMALL, "--unit", name)

    def test_a_name_of_many_places_is_answered_with_their_ids(self, capsys):
        assert main(["tabulate", "iowa-2020", "--unit", "WEST DES MOINES-111"]) in {0, 2}
        capsys.readouterr()

    def test_a_county_has_no_national_delegates(self, say):
        assert "National delegates" not in say("tabulate", SMALL, "--county", "alder")


class TestOnePlace:
    def test_as_written_and_by_rule_stand_side_by_side(self, say):
        shown = say("tabulate", SMALL, "--unit", "clover-gym")
        heading = line_of(shown, "Group").split("  ")
        assert [word.strip() for word in heading if word.strip()] == [
            "Group", "First", "Final", "Delegates", "By rule", "State delegates", "By rule",
        ]  # fmt: skip
        assert line_of(shown, "Birch").split() == ["Birch", "41", "45", "2", "3", "1.250", "1.875"]
        assert line_of(shown, "Dogwood").split() == ["Dogwood", "24", "27", "2", "1", "1.250", "0.625"]
        assert line_of(shown, "Together").split() == ["Together", "120", "123", "7", "7", "4.375", "4.375"]

    def test_attendance_says_where_it_comes_from(self, say):
        assert "Present      120 (on record)" in say("tabulate", SMALL, "--unit", "clover-gym")
        stands_in = say("tabulate", "iowa-2020", "--unit", "buena-vista-storm-lake-01")
        assert "Present      39 (not on record, the larger alignment stands for it)" in stands_in
        assert "(not on record, the first alignment stands for it)" in say(
            "tabulate", "iowa-2020", "--unit", "buena-vista-storm-lake-01", "--reading", "attendance=first"
        )

    def test_the_viability_number_says_why(self, say):
        shown = say("tabulate", SMALL, "--unit", "clover-gym")
        assert "Viable with  18 people (15 percent of those present, rounded up)" in shown
        assert "any number: the whole caucus elects its one delegate" in say("tabulate", SMALL, "--unit", "alder-mill")

    def test_findings_are_told_the_most_severe_first(self, say):
        shown = say("tabulate", SMALL, "--unit", "clover-gym")
        found = shown[shown.index("\nFindings\n") : shown.index("\nHow it came to stand so\n")]
        severities = [line.split(":")[0].strip() for line in found.splitlines() if ": I" in line]
        assert severities == ["error", "error", "error", "info"]
        assert "\nFindings\n  None.\n" in say("tabulate", SMALL, "--unit", "brook-east")

    def test_the_arithmetic_by_rule_is_told(self, say):
        shown = say("tabulate", SMALL, "--unit", "clover-gym")
        assert "Dogwood loses 1 and now has 1." in shown
        assert "Awarded: Ash 2, Birch 3, Cedar 1, Dogwood 1." in shown

    def test_a_lot_on_record_is_told(self, say):
        assert "Lot on record for lose:1:ash+birch@-1/2: Ash." in say("tabulate", SMALL, "--unit", "brook-east")

    def test_a_written_award_that_a_lot_could_have_given_is_said_to_be_one(self, say):
        found = json.loads(say("check", "iowa-2020", "--kind", "lot-expected", "--json"))["findings"]
        first = {row["severity"]: row["unit"]["id"] for row in reversed(found)}
        assert len(first) > 1
        open_ = []
        for unit in first.values():
            undetermined = json.loads(say("tabulate", "iowa-2020", "--unit", unit, "--json"))["place"]["undetermined"]
            said = "No lot on record; the written award is one of its outcomes, so it stands."
            assert (said in say("tabulate", "iowa-2020", "--unit", unit)) is (undetermined is None)
            open_.append(undetermined)
        assert None in open_
        assert "unsettled-tie" in open_

    def test_a_place_that_elects_one_delegate_says_one(self, say):
        assert "To elect     1 delegate\n" in say("tabulate", SMALL, "--unit", "alder-mill")

    def test_why_there_is_no_single_award(self, say):
        shown = say("tabulate", SMALL, "--unit", "brook-hill")
        assert "so what was written stands: more viable groups than delegates" in shown

    def test_the_history_gives_times_reasons_and_figures(self, say):
        unit = "cd1-satellite-cedar-rapids-ia-cedar-rapids-public-library-whipple-auditorium"
        shown = say("tabulate", "iowa-2020", "--unit", unit)
        history = shown[shown.index("\nHow it came to stand so\n") :].splitlines()[2:]
        assert history[0].endswith("Thu 6 Feb 2020 19:28 CST, release 100pct: first report")
        assert history[1] == "    Read from the party's results page as it stood with that release."
        assert "corrects entry" in history[2]
        assert history[2].endswith("(published change)")
        assert "state delegate equivalents not read that day" in history[3]
        assert history[4].startswith("    State delegates: Biden 0.0643 to blank, ")
        assert history[4].endswith(", 10 others 0 to blank")
        assert "Reported and corrected twice" in shown

    def test_an_unreported_place_says_so_and_no_more(self, say):
        shown = say("tabulate", SMALL, "--unit", "clover-church", "--release", "evening").splitlines()
        assert len(shown) == 3
        assert shown[2].startswith("Not reported yet; release evening")

    def test_json_holds_all_of_it(self, say):
        found = json.loads(say("tabulate", SMALL, "--unit", "clover-gym", "--json"))
        place = found["place"]
        assert found["scope"] == {"kind": "unit", "id": "clover-gym", "name": "Clover Gym"}
        assert (place["id"], place["county"], place["name"]) == ("clover-gym", "clover", "Clover Gym")
        assert place["attendance"] == {"people": 120, "from": "recorded"}
        assert (place["viability_number"], place["delegates"], place["undetermined"]) == (18, 7, None)
        assert place["as_written"]["delegates"]["birch"] == 2
        assert place["by_rule"]["delegates"] == {"ash": 2, "birch": 3, "cedar": 1, "dogwood": 1}
        assert place["by_rule"]["value"]["birch"] == "1.8750"
        assert [row["kind"] for row in place["findings"]][:2] == ["final-exceeds-first", "exceeds-attendance"]
        assert [row["seq"] for row in place["history"]] == [8]

    def test_a_blank_is_not_zero_in_json(self, say):
        unit = "cd1-satellite-cedar-rapids-ia-cedar-rapids-public-library-whipple-auditorium"
        found = json.loads(say("tabulate", "iowa-2020", "--unit", unit, "--release", "review", "--json"))["place"]
        assert found["as_written"] == {"delegates": None, "value": None}
        assert found["history"][1]["changes"][0]["after"] is None


class TestScreens:
    def test_eighty_columns_show_the_yardsticks_side_by_side(self):
        drawn = seen(watched("tabulate", SMALL, columns=80).out)
        assert max(map(len, drawn.splitlines())) <= 80
        assert any("First vote" in line and "State delegates" in line for line in drawn.splitlines())

    @pytest.mark.parametrize("words", [(), ("--unit", "clover-gym"), ("--release", "evening")])
    def test_sixty_columns_cut_nothing(self, words):
        drawn = seen(watched("tabulate", SMALL, *words, columns=60).out)
        assert max(map(len, drawn.splitlines())) <= 60
        assert "…" not in drawn
        assert "17.686" in drawn or words

    def test_a_pipe_gets_no_colour_whatever_the_terminal(self):
        assert "\x1b" not in typed("tabulate", SMALL, TERM="xterm-256color").out

    def test_a_pipe_does_not_depend_on_the_width(self):
        assert typed("tabulate", SMALL, COLUMNS="40").out == typed("tabulate", SMALL, COLUMNS="200").out

    def test_quiet_keeps_the_result(self):
        assert typed("--quiet", "tabulate", SMALL).out == typed("tabulate", SMALL).out

    def test_no_color_in_a_terminal(self):
        assert "\x1b[" not in watched("tabulate", SMALL, NO_COLOR="1").out

    def test_help_says_what_the_options_are(self):
        said = typed("tabulate", "--help")
        assert said.code == 0
        for option in ("--ledger", "--record", "--at", "--release", "--basis", "--county", "--unit", "--json"):
            assert option in said.out
