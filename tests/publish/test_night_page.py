"""The page of a replayed night: what it says, its JSON twin, and misprints found by reading it back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tabulate import iowa
from tabulate.room import PLAN, WHOLE, evening
from tallyroom.ledger.recorded import folder_of
from tallyroom.plan.types import PublishedFigure
from tallyroom.publish.headline import grouped
from tallyroom.publish.night_page import as_html, as_json, how_held, hues, misprints, night_page, release_line, table
from tallyroom.tabulate import tabulated
from tallyroom.tabulate.claims import decide, read_claims
from tallyroom.tabulate.findings import findings
from tallyroom.tabulate.published import replay

HOSTILE = '<script>alert("Ash & Birch")</script>'


def page_of(entries, plan, claims=()):
    lines, compared, hue = [], [], {}
    for played in replay(entries, plan):
        hue = hue or hues(played.tabulation.top().on("sde"))
        lines.append(release_line(played.release, played.tabulation))
        compared.extend(played.compared)
    last = played.release
    decided = decide(claims, plan, entries)
    return night_page(played.tabulation, last, lines, findings(played.tabulation), compared, decided, hue, "11 entries")


@pytest.fixture(scope="module")
def small():
    groups = {**PLAN.groups, "other": replace(PLAN.groups["other"], name=HOSTILE)}
    figures = (
        PublishedFigure("late", "first_alignment", "ash", "179", "a newspaper"),
        PublishedFigure("late", "first_alignment", "birch", "1", "a newspaper", HOSTILE),
        PublishedFigure("late", "sde_total", "", "19", "a newspaper"),
    )
    return page_of(evening(WHOLE), replace(PLAN, groups=groups, published=figures))


@pytest.fixture(scope="module")
def real():
    return page_of(iowa.entries(), iowa.plan(), read_claims(folder_of("iowa-2020"), iowa.plan()))


class TestWhatItSays:
    def test_places_and_summary(self, small):
        assert (small.reported, small.expected, small.changed) == (11, 11, 0)
        assert small.summary.startswith("Of 3 published figures 2 agree to the last decimal, 1 differ")

    def test_rows_stand_by_the_yardstick_that_settles(self, small):
        assert [row.group for row in small.rows][:3] == ["ash", "birch", "cedar"]
        assert [cell.leads for cell in small.rows[0].cells] == [True, True, True, True][: len(small.rows[0].cells)]
        assert [heading.official for heading in small.headings] == [False, False, False, True]

    def test_a_release_not_on_record_names_no_leader(self, small):
        gone = small.releases[1]
        assert (gone.id, set(gone.leader), gone.delegates) == ("gone", {"not in the record"}, "not in the record")

    def test_where_values_are_missing_nobody_is_said_to_lead(self, real):
        review = next(line for line in real.releases if line.id == "review")
        assert review.leader[:2] == ("Sanders 43,699", "Sanders 45,842")
        assert review.leader[2] == "Buttigieg 562.535 to 566.154 or Sanders 560.024 to 562.925"
        assert review.delegates == (
            "Buttigieg 14, Sanders 12, Warren 8, Biden 6, Klobuchar 1 "
            "(computed from what is on record; 47 units have no value)"
        )

    def test_what_our_figures_rest_on_is_said_where_it_is_not_the_whole_state(self, real):
        rests = {line.id: line.rests for line in real.releases if line.rests}
        assert rests == {
            "review": "computed from what is on record; 47 units have no value",
            "recanvass": "as it stood with release review, for the state behind this one is not on record; "
            "computed from what is on record; 47 units have no value",
        }
        html = as_html(real)
        assert all(f"Ours: {said}." in html for said in rests.values())

    def test_a_release_before_which_nothing_is_on_record_says_so(self):
        gone = PLAN.releases["gone"]
        line = release_line(gone, tabulated(evening(WHOLE), replace(PLAN, releases={gone.id: gone})))
        assert line.rests == "the state behind it is not on record"
        assert set(line.leader) == {"not in the record"}

    def test_a_range_that_is_a_point_is_not_shown(self):
        names = {group.id: group.name for group in iowa.plan().groups.values()}
        bounds = {row.group: row.cells[2].bounds for row in table(iowa.release("review").top(), names, {})}
        assert bounds["buttigieg"] == "562.535 to 566.154"
        assert bounds["uncommitted"] == ""

    def test_thousands_are_separated_in_figures_on_the_page_and_not_in_its_twin(self, real):
        figure = next(row for row in real.figures if row.published == "31428")
        html = as_html(real)
        assert ">31,428<" in html
        assert f">{grouped(figure.ours)}<" in html
        assert ">31428<" not in html

    def test_every_irregularity_that_others_named_is_decided(self, real, small):
        assert sum(line.found + line.no_error + line.not_in_record for line in real.claims) == 550
        assert "What others found" in as_html(real)
        assert small.claims == ()
        assert "What others found" not in as_html(small)

    def test_the_real_night(self, real):
        assert [line.places for line in real.releases][:2] == ["1,099", "1,250"]
        assert [line.id for line in real.releases] == list(iowa.plan().releases)
        assert real.releases[-1].delegates == "Buttigieg 14, Sanders 12, Warren 8, Biden 6, Klobuchar 1"
        assert "564.012" in real.releases[7].leader[2]
        assert real.summary == (
            "Of 134 published figures 110 agree to the last decimal, 10 differ and 14 cannot be given from the record."
        )

    def test_what_is_not_recorded_is_a_range(self, real):
        review = next(line for line in real.releases if line.id == "review")
        assert " to " in review.leader[2]

    def test_colours_are_those_of_the_first_release_and_no_more_than_five(self, real):
        coloured = {row.group: row.hue for row in real.rows if row.hue}
        assert sorted(coloured.values()) == [1, 2, 3, 4, 5]
        assert coloured["buttigieg"] == 1


class TestTheTwin:
    def test_it_says_the_same_as_json(self, small):
        twin = json.loads(json.dumps(as_json(small)))
        assert twin["rows"][0]["cells"][0]["value"] == small.rows[0].cells[0].value
        assert twin.keys() == set(type(small).__dataclass_fields__)

    def test_every_value_has_help(self, small):
        for form in (small, small.rows[0], small.rows[0].cells[0], small.figures[0], small.releases[0], small.pools[0]):
            assert all("Annotated[" in str(field.type) for field in type(form).__dataclass_fields__.values())


class TestMisprints:
    def test_a_page_as_rendered_has_none(self, small, real):
        assert misprints(as_html(small), small) == ()
        assert misprints(as_html(real), real) == ()

    def test_a_changed_number_is_found_in_its_place(self, real):
        html = as_html(real)
        value = real.rows[0].cells[2].value
        assert html.count(f">{value}<") >= 1
        changed = html.replace(f">{value}<", ">999.999<", 1)
        assert misprints(changed, real) == (f"the page shows 999.999 where {value} is due",)

    def test_two_numbers_exchanged_are_found(self, real):
        one, two = real.rows[0].cells[0].value, real.rows[1].cells[0].value
        swapped = (
            as_html(real).replace(f">{one}<", ">?<", 1).replace(f">{two}<", f">{one}<", 1).replace(">?<", f">{two}<")
        )
        assert len(misprints(swapped, real)) == 2

    def test_a_missing_row_is_found(self, small):
        html = as_html(small).replace(" data-value", "", 1)
        (told,) = misprints(html, small)
        assert "values where" in told


class TestSafety:
    def test_names_and_notes_are_text_and_never_markup(self, small):
        html = as_html(small)
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert" in html

    def test_the_page_loads_nothing(self, real):
        html = as_html(real)
        assert "<script" not in html
        assert "http://" not in html
        assert 'src="' not in html


def test_how_the_contest_is_held_is_the_plan_s():
    poll = replace(PLAN, kind="primary")
    assert how_held(poll) == "People vote once, and national delegates follow from the votes of each area."
    assert "groups that are too small choose again" in how_held(PLAN)
