"""The Nevada caucuses of 2020, capture by capture: county convention delegates, and a slip of 200,000."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from tallyroom.award import award, breaches, could_give, viability_number, viable_groups
from tallyroom.faults import CannotRunError
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.plan.catalogue import find
from tallyroom.tabulate.findings import findings
from tallyroom.tabulate.national import national
from tallyroom.tabulate.night import Basis, Tabulation
from tallyroom.tabulate.published import Verdict, replay
from tallyroom.tabulate.ruled import Undetermined

CONTEST = "nevada-2020"
STRIP = ("bellagio", "harrahs", "mandalay-bay", "paris", "park-mgm", "rio", "wynn-resorts")
SLIP = "washoe-750700"
POOLS = {
    "cd1": {"sanders": 4, "biden": 1},
    "cd2": {"sanders": 4, "buttigieg": 2},
    "cd3": {"sanders": 3, "biden": 2, "buttigieg": 1},
    "cd4": {"sanders": 4, "biden": 2},
    "at-large": {"sanders": 6, "biden": 2},
    "pleo": {"sanders": 3, "biden": 2},
}


@pytest.fixture(scope="module")
def plan():
    return find(CONTEST)


@pytest.fixture(scope="module")
def drafts(plan):
    return read_night(folder_of(CONTEST), plan).drafts


@pytest.fixture(scope="module")
def entries(drafts):
    with MemoryLedger(CONTEST) as ledger:
        ledger.append(drafts)
        return tuple(ledger.entries())


@pytest.fixture(scope="module")
def played(plan, entries):
    """All releases; the tabulation of each is that of the last."""
    return tuple(replay(entries, plan))


@pytest.fixture(scope="module")
def night(played):
    return played[-1].tabulation


@pytest.fixture(scope="module")
def reports(night):
    """The last report of every place that has one."""
    return {unit: filings[-1].report for unit, filings in night.filed.filings.items()}


@pytest.fixture(scope="module")
def asked(plan, reports):
    """Reports that the rule can be asked about, and why the other places are left out."""
    kept, left_out = [], Counter()
    for unit in plan.units.values():
        report = reports.get(unit.id)
        if report is None:
            left_out["not reported"] += 1
        elif not report.attendance:
            left_out["no attendance"] += 1
        elif unit.delegates is None:
            left_out["no allotment"] += 1
        elif not any(report.alignments["final"].values()):
            left_out["nobody in the final alignment"] += 1
        else:
            kept.append(report)
    return kept, left_out


def moved(plan, district):
    """The plan with the places of Clark whose district is not on record put into one."""
    areas = dict(plan.areas)
    areas["clark-no-district"] = replace(areas["clark-no-district"], parent=district)
    return replace(plan, areas=areas)


def shared(tabulation):
    return {
        standing.pool.id: {group: count for group, count in standing.allocation.groups.items() if count}
        for standing in national(tabulation, Basis.AS_WRITTEN).pools
    }


def ccd(tabulation, area):
    standing = tabulation.of_area(area, Basis.AS_WRITTEN).on("ccd")
    return sum(standing.of(group).exact for group in tabulation.plan.groups)


class TestPublished:
    def test_all_18_published_totals_agree(self, played):
        totals = [row for row in played[-1].compared if not row.figure.measure.startswith("national")]
        assert Counter(row.figure.measure for row in totals) == {
            "first_alignment": 6,
            "final_alignment": 6,
            "ccd": 6,
        }
        assert {row.verdict for row in totals} == {Verdict.AGREES}

    def test_24_9_and_3_of_36_national_delegates_agree_and_so_do_the_noughts(self, played, night):
        awards = [row for row in played[-1].compared if row.figure.measure.startswith("national")]
        assert len(awards) == 7
        assert {row.verdict for row in awards} == {Verdict.AGREES}
        assert national(night, Basis.AS_WRITTEN).groups == {"sanders": 24, "biden": 9, "buttigieg": 3}

    def test_three_rows_that_are_not_marked_as_reported_are_needed_for_them(self, drafts, reports):
        unmarked = {draft.body["unit"] for draft in drafts if draft.paper == "not-marked"}
        assert unmarked == {"clark-harrahs", "clark-wynn-resorts", "washoe-942700"}
        assert sum(sum(reports[unit].delegates.values()) for unit in unmarked) == 46


class TestNational:
    def test_pool_by_pool(self, night):
        assert shared(night) == POOLS

    def test_208_delegates_of_clark_have_no_district(self, night, reports):
        assert ccd(night, "clark-no-district") == 208
        assert sum(sum(reports[f"clark-{site}"].delegates.values()) for site in STRIP) == 208

    @pytest.mark.parametrize("district", ["cd1", "cd3", "cd4"])
    def test_put_whole_into_any_of_its_districts_they_change_nothing(self, plan, entries, night, district):
        tabulation = Tabulation(moved(plan, district))
        for entry in entries:
            tabulation.add(entry)
        assert ccd(tabulation, district) == ccd(night, district) + 208
        assert ccd(tabulation, "nevada") == ccd(night, "nevada")
        assert shared(tabulation) == POOLS


class TestByRule:
    def test_1614_places_can_be_asked_about_and_the_others_are_counted_by_reason(self, plan, asked):
        kept, left_out = asked
        assert len(kept) == 1_614
        assert left_out == {
            "not reported": 118,
            "no attendance": 333,
            "no allotment": 8,
            "nobody in the final alignment": 24,
        }
        assert len(kept) + left_out.total() == len(plan.units) == 2_097

    @pytest.mark.parametrize("rounding", ["half-up", "down"])
    @pytest.mark.parametrize(
        ("over_viable", "short_award", "one_delegate", "legal"),
        [
            ("each-has-minimum", "residual", "plurality", 1_524),
            ("each-has-minimum", "cyclic", "plurality", 1_524),
            ("each-has-minimum", "lot", "plurality", 1_530),
            ("each-has-minimum", "residual", "majority", 1_461),
            ("smallest-realigns", "residual", "plurality", 1_502),
            ("smallest-realigns", "lot", "plurality", 1_508),
        ],
    )
    def test_how_many_wrote_an_award_that_the_rule_can_give(
        self, plan, asked, rounding, over_viable, short_award, one_delegate, legal
    ):
        readings = {
            "rounding": rounding,
            "over_viable": over_viable,
            "short_award": short_award,
            "one_delegate": one_delegate,
        }
        rule = plan.award_under(readings)
        found = 0
        for report in asked[0]:
            outcome = award(rule, plan.units[report.unit].delegates, report.attendance, report.alignments["final"], {})
            found += could_give(outcome, report.delegates)
        assert found == legal

    def test_28_places_have_more_viable_groups_than_delegates_and_22_gave_each_one(self, plan, asked):
        written = Counter()
        for report in asked[0]:
            elects, final = plan.units[report.unit].delegates, report.alignments["final"]
            number = viability_number(plan.award, elects, report.attendance)
            viable = viable_groups(number, final)
            if number is not None and len(viable) > elects:
                given = {group: count for group, count in report.delegates.items() if count}
                written["each one" if given == dict.fromkeys(viable, 1) else "as many as it elects"] += 1
                assert given == dict.fromkeys(viable, 1) or sum(given.values()) == elects
        assert written == {"each one": 22, "as many as it elects": 6}

    def test_where_the_number_of_delegates_is_not_on_record_the_written_award_stands(self, plan, night, reports):
        unknown = [unit for unit, found in night.ruled.items() if found.undetermined is Undetermined.NO_ALLOTMENT]
        assert sorted(unknown) == sorted([*(f"clark-{site}" for site in STRIP), "washoe-942700"])
        for unit in unknown:
            assert plan.units[unit].delegates is None
            assert night.ruled[unit].delegates is None
            assert night.ruled[unit].awarded == reports[unit].delegates
        by_rule = night.of_area("clark-no-district", Basis.BY_RULE).on("ccd")
        assert sum(by_rule.of(group).exact for group in plan.groups) == 208

    def test_an_unknown_number_of_delegates_accuses_nobody(self, night):
        about = {"over-awarded", "under-awarded", "award-differs", "delegates-to-nonviable", "viable-without-delegates"}
        assert not [
            finding
            for finding in findings(night, within="clark-no-district")
            if finding.kind in about or "viability" in finding.text
        ]


class TestFindings:
    def test_121_places_have_more_people_at_the_end_than_at_first(self, night):
        assert Counter(finding.kind for finding in findings(night))["final-exceeds-first"] == 121

    def test_200000_people_stand_as_the_page_showed_them_and_are_corrected_later(self, plan, entries, reports):
        evening = Tabulation(plan)
        for entry in entries:
            if entry.at <= plan.releases["feb22-2135"].at:
                evening.add(entry)
        shown = evening.filed.filings[SLIP][-1].report
        assert (shown.attendance, shown.count("first", "warren")) == (19, 200_000)
        kinds = {finding.kind for finding in findings(evening, within=SLIP)}
        assert {"exceeds-attendance", "viable-group-lost-people", "alignment-totals-differ"} <= kinds
        assert reports[SLIP].count("first", "warren") == 2

    def test_until_it_is_corrected_the_slip_leads_the_first_vote(self, plan, entries):
        evening = Tabulation(plan)
        leaders = []
        for release in plan.releases.values():
            for entry in entries:
                if entry.at == release.at:
                    evening.add(entry)
            first = evening.of_area("nevada", Basis.AS_WRITTEN).on("first_alignment")
            leaders.append(max(plan.groups, key=lambda group: first.of(group).exact))
        assert leaders == ["sanders", "sanders", "warren", "warren", "sanders"]


class TestRecord:
    def test_first_appearances_and_changes_by_capture(self, drafts):
        counted = Counter((draft.key.split("/")[1], draft.replaces is not None) for draft in drafts)
        assert sum(count for (_, changed), count in counted.items() if not changed) == 1_979
        assert {release: counted[release, True] for release in ("feb22-1934", "feb22-2007", "feb22-2135")} == {
            "feb22-1934": 0,
            "feb22-2007": 0,
            "feb22-2135": 7,
        }
        assert (counted["feb22-2252", True], counted["final", True]) == (3, 173)

    def test_zeros_are_a_report_only_where_the_page_marked_them_as_one(self, drafts):
        empty = [
            draft
            for draft in drafts
            if not any(any(counts.values()) for counts in (*draft.body["alignments"].values(), draft.body["delegates"]))
        ]
        assert empty
        assert {draft.paper for draft in empty} == {"reported"}

    def test_attendance_is_on_record_for_every_report(self, reports):
        assert all(report.attendance is not None for report in reports.values())

    def test_clark_and_lyon_are_split_by_district(self, plan):
        parts = {area.id: area.parent for area in plan.areas.values() if area.name in {"Clark", "Lyon"}}
        assert parts == {
            "clark-cd1": "cd1",
            "clark-cd3": "cd3",
            "clark-cd4": "cd4",
            "lyon-cd2": "cd2",
            "lyon-cd4": "cd4",
        }
        assert plan.areas["clark-no-district"].parent == "nevada"

    def test_1966_places_elect_delegates_fixed_in_advance_and_131_have_none_on_record(self, plan):
        unknown = Counter(unit.area for unit in plan.units.values() if unit.delegates is None)
        assert unknown == {"washoe": 118, "clark-no-district": 12, "douglas": 1}
        assert len(plan.units) - unknown.total() == 1_966

    def test_ids_are_made_of_county_and_precinct(self, plan):
        for unit in plan.units.values():
            county = re.sub(r"-(cd\d|no-district)$", "", unit.area)
            assert unit.id.startswith(f"{county}-")
            if unit.aliases:
                assert unit.name == f"Precinct {unit.aliases[0]}"
                assert unit.id == f"{county}-{unit.aliases[0]}"

    def test_early_ballots_are_a_part_of_every_count(self, plan):
        assert [(component.id, component.early) for component in plan.components] == [("early", True), ("room", False)]


class TestBefore2020:
    """The plan of 2016: planned delegates alone."""

    def test_1717_places_elect_12362_county_convention_delegates(self):
        plan = find("nevada-2016")
        assert len(plan.units) == 1_717
        assert sum(unit.delegates for unit in plan.units.values()) == 12_362
        assert "not on record" in plan.summary

    def test_there_is_no_record_to_play(self):
        with pytest.raises(CannotRunError):
            folder_of("nevada-2016")

    @pytest.mark.parametrize(("contest", "kinds"), [("nevada-2016", []), (CONTEST, ["locked-group-lost-people"])])
    def test_a_viable_group_may_lose_people_before_2020_and_not_since(self, contest, kinds):
        plan = find(contest)
        first, final = {"sanders": 60, "uncommitted": 40}, {"sanders": 50, "uncommitted": 50}
        found = breaches(plan.award, 8, 100, first, final, may_move=plan.stages[-1].may_move)
        assert [str(breach.kind) for breach in found] == kinds
