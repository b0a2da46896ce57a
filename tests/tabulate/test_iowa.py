"""The night of 3 February 2020 and the weeks after it: what was published, and what the record gives."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tabulate import iowa
from tallyroom.exact import fixed, printed
from tallyroom.faults import CannotRunError
from tallyroom.tabulate import Basis
from tallyroom.tabulate.moment import Moment, moment
from tallyroom.tabulate.national import national
from tallyroom.tabulate.published import Verdict

YARDSTICKS = {"first_alignment", "final_alignment", "sde"}
NOT_IN_RECORD_DAYS = {"review", "recanvass"}


def named(verdict):
    return [row for row in iowa.compared() if row.verdict is verdict]


class TestPublishedFigures:
    def test_a_hundred_published_sums_agree_to_the_last_decimal(self):
        due = [row for row in iowa.compared() if not row.figure.note and row.figure.measure in YARDSTICKS]
        assert len(due) == 100
        assert [row for row in due if row.verdict is not Verdict.AGREES] == []

    def test_the_ten_national_and_total_figures_of_the_end_agree(self):
        due = [row for row in iowa.compared() if not row.figure.note and row.figure.measure not in YARDSTICKS]
        assert len(due) == 10
        assert {row.figure.release for row in due} == {"certified"}
        assert [row for row in due if row.verdict is not Verdict.AGREES] == []

    def test_ten_head_counts_of_a_newspaper_differ_each_below_its_own(self):
        differ = named(Verdict.DIFFERS)
        assert {row.figure.release for row in differ} == {"71pct"}
        assert {row.figure.measure for row in differ} == {"first_alignment", "final_alignment"}
        above = [int(row.figure.value) - int(row.ours) for row in differ]
        assert (len(above), min(above), max(above)) == (10, 7, 134)
        assert all(row.figure.note for row in differ)

    def test_fourteen_figures_of_9_and_18_february_are_not_in_the_record(self):
        missing = named(Verdict.NOT_IN_RECORD)
        assert {(row.figure.release, row.figure.measure) for row in missing} == {
            (day, measure) for day in NOT_IN_RECORD_DAYS for measure in ("sde", "national_delegates")
        }
        assert len(missing) == 14
        assert all(row.ours and row.figure.note for row in missing)

    def test_nothing_else_was_published(self):
        assert len(iowa.compared()) == 100 + 10 + 10 + 14

    def test_a_changed_report_is_noticed(self):
        from tallyroom.tabulate.published import replay

        dropped = [entry for entry in iowa.entries() if b"polk-des-moines-62" not in entry.raw]
        verdicts = [row.verdict for played in replay(dropped, iowa.plan()) for row in played.compared]
        assert verdicts.count(Verdict.DIFFERS) > 30


@pytest.mark.parametrize(
    ("release", "group", "official", "exact"),
    [
        ("100pct", "buttigieg", "564.0124", "564.011957"),
        ("100pct", "sanders", "562.4973", "562.497128"),
        ("certified", "buttigieg", "562.9538", "562.953248"),
        ("certified", "sanders", "562.0214", "562.020860"),
    ],
)
def test_official_and_exact_sums_of_the_two_in_front(release, group, official, exact):
    row = iowa.release(release).top().on("sde").of(group)
    assert fixed(row.printed, 4) == official
    assert printed(row.exact, 6) == exact


@pytest.mark.parametrize("release", ["100pct", "certified"])
class TestNationalDelegates:
    def test_forty_one_pool_by_pool(self, release):
        found = national(iowa.release(release), Basis.AS_WRITTEN)
        assert found.total == 41
        assert found.groups == {"buttigieg": 14, "sanders": 12, "warren": 8, "biden": 6, "klobuchar": 1}
        pools = {row.pool.id: {g: n for g, n in row.allocation.groups.items() if n} for row in found.pools}
        assert pools == {
            "cd1": {"buttigieg": 2, "sanders": 2, "biden": 2, "warren": 1},
            "cd2": {"sanders": 3, "buttigieg": 2, "warren": 2},
            "cd3": {"buttigieg": 3, "sanders": 2, "warren": 2, "biden": 1},
            "cd4": {"buttigieg": 2, "sanders": 1, "biden": 1, "klobuchar": 1},
            "at-large": {"buttigieg": 3, "sanders": 3, "warren": 2, "biden": 1},
            "pleo": {"buttigieg": 2, "sanders": 1, "warren": 1, "biden": 1},
        }

    def test_the_last_pleo_delegate_goes_to_the_leader_by_a_hair(self, release):
        pleo = next(
            row.allocation for row in national(iowa.release(release), Basis.AS_WRITTEN).pools if row.pool.id == "pleo"
        )
        assert (pleo.closest.winner, pleo.closest.loser) == ("buttigieg", "sanders")
        thousandths = tuple(printed(remainder, 3) for remainder in pleo.closest.remainders)
        assert thousandths == {"100pct": ("0.520", "0.516"), "certified": ("0.518", "0.516")}[release]
        raw = {group: printed(value, 3) for group, value in pleo.raw.items()}
        assert raw["buttigieg"][2:] == thousandths[0][2:]


def test_the_raw_shares_of_every_pool_are_those_worked_out_by_hand():
    found = {row.pool.id: row.allocation for row in national(iowa.release("100pct"), Basis.AS_WRITTEN).pools}
    by_hand = {
        "cd1": {"buttigieg": "2.118", "sanders": "2.080", "biden": "1.450", "warren": "1.353"},
        "cd2": {"sanders": "2.679", "buttigieg": "2.427", "warren": "1.894"},
        "cd3": {"buttigieg": "2.457", "sanders": "2.363", "warren": "1.793", "biden": "1.388"},
        "cd4": {"buttigieg": "1.550", "sanders": "1.445", "biden": "1.039", "klobuchar": "0.966"},
        "at-large": {"buttigieg": "2.737", "sanders": "2.729", "warren": "1.878", "biden": "1.656"},
        "pleo": {"buttigieg": "1.520", "sanders": "1.516", "warren": "1.043", "biden": "0.920"},
    }
    assert {
        pool: {group: printed(raw, 3) for group, raw in shared.raw.items()} for pool, shared in found.items()
    } == by_hand


class TestTheDayOfTheReview:
    def test_47_places_have_no_sde_on_record(self):
        sde = iowa.release("review").top().on("sde")
        assert sde.units_without_value == 47
        assert iowa.release("review").top().on("final_alignment").units_without_value == 0

    def test_a_place_without_value_is_not_zero(self):
        review = iowa.release("review")
        (unit, *_) = review.units_without(review.plan.official, Basis.AS_WRITTEN, "iowa")
        row = review.of_unit(unit, Basis.AS_WRITTEN)
        assert row.on("sde").units_without_value == 1
        assert row.on("sde").total == 0
        assert row.on("final_alignment").total > 0
        assert row.progress.reported == 1

    @pytest.mark.parametrize(("group", "published"), [("buttigieg", "564.3"), ("sanders", "561.5")])
    def test_the_range_holds_what_was_published(self, group, published):
        row = iowa.release("review").top().on("sde").of(group)
        assert Fraction(row.printed, 10_000) < Fraction(row.lowest, 10_000) <= Fraction(published)
        assert Fraction(published) <= Fraction(row.highest, 10_000)

    def test_complete_releases_have_no_range(self):
        for release in ("100pct", "certified"):
            for group in iowa.release(release).top().on("sde").groups:
                assert group.lowest == group.printed == group.highest

    def test_the_range_of_a_county_is_part_of_the_states(self):
        review = iowa.release("review")
        counties = [
            review.of_area(area.id, Basis.AS_WRITTEN).on("sde")
            for area in iowa.plan().areas.values()
            if area.level == "county"
        ]
        for group in ("buttigieg", "sanders", "warren"):
            top = review.top().on("sde").of(group)
            assert sum(county.of(group).lowest for county in counties) == top.lowest
            assert sum(county.of(group).highest for county in counties) == top.highest


class TestMoments:
    def test_the_state_after_the_recanvass_is_refused_with_a_remedy(self):
        with pytest.raises(CannotRunError, match=r"'recanvass' is not on record.*before or after"):
            moment(iowa.plan(), None, "recanvass")

    def test_a_release_that_never_was_is_refused_with_the_closest(self):
        with pytest.raises(CannotRunError, match=r"'99pct' is not a release.*Did you mean '9"):
            moment(iowa.plan(), None, "99pct")

    def test_time_and_release_together_are_refused(self):
        with pytest.raises(CannotRunError, match="both given"):
            moment(iowa.plan(), "2020-02-07T01:28:00Z", "100pct")

    @pytest.mark.parametrize("text", ["yesterday", "2020-02-30T00:00:00Z", "2020-02-07T01:28:00"])
    def test_no_time_or_one_without_zone_is_refused(self, text):
        with pytest.raises(CannotRunError, match=r"is not a time|names no time zone"):
            moment(iowa.plan(), text, None)

    def test_a_time_in_another_zone_is_the_same_moment(self):
        assert moment(iowa.plan(), "2020-02-06T19:28:00-06:00", None).at == iowa.plan().releases["100pct"].at

    def test_nothing_asked_is_everything(self):
        assert moment(iowa.plan(), None, None) == Moment()

    @pytest.mark.parametrize(("at", "release"), [("", None), (None, "")])
    def test_an_empty_word_asks_for_nothing_that_is_there(self, at, release):
        with pytest.raises(CannotRunError, match="''"):
            moment(iowa.plan(), at, release)
        assert moment(iowa.plan(), None, None).at is None

    @pytest.mark.parametrize(
        ("release", "reported", "changed"),
        [("62pct", 1099, 0), ("71pct", 1250, 0), ("75pct", 1320, 0), ("86pct", 1520, 0), ("92pct", 1624, 0),
         ("96pct", 1686, 0), ("97pct", 1711, 0), ("100pct", 1765, 0), ("certified", 1765, 101)],
    )  # fmt: skip
    def test_places_out_and_corrected(self, release, reported, changed):
        progress = iowa.release(release).top().progress
        assert (progress.expected, progress.reported, progress.changed, progress.held) == (1765, reported, changed, 0)


def test_satellites_by_rule_follow_the_pool_and_stay_close_to_what_was_published():
    tabulation = iowa.release("100pct")
    hoover = tabulation.of_unit("cd1-satellite-cedar-rapids-ia-hoover-elementary-school", Basis.BY_RULE).on("sde")
    written = tabulation.of_unit("cd1-satellite-cedar-rapids-ia-hoover-elementary-school", Basis.AS_WRITTEN).on("sde")
    assert sum(group.exact for group in hoover.groups) == Fraction(6 * 112, 448)
    assert abs(written.total - hoover.total) <= 5


def test_by_rule_the_order_of_the_two_in_front_is_another():
    written, ruled = (iowa.release("100pct").top(basis).on("sde") for basis in Basis)
    assert (written.groups[0].group, ruled.groups[0].group) == ("buttigieg", "sanders")


def test_places_the_rule_does_not_settle_are_counted_by_reason():
    undetermined = iowa.release("certified").top(Basis.BY_RULE).undetermined
    assert undetermined == {
        "more-viable-than-delegates": 56,
        "no-votes": 5,
        "one-delegate": 120,
        "unsettled-tie": 9,
    }
