"""What holds for any report: examining never fails, names mean nothing, and a blank accuses nobody."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from checks.room import PLAN, TREES, context, groups_of
from tallyroom.award import Awarded, LotsNeeded
from tallyroom.checks import Severity, catalogue, examine
from tallyroom.checks.facts import facts_of
from tallyroom.report.record import RecordedLot, Report

CHECKS = {check.kind: check for check in catalogue()}
COUNTS = st.one_of(st.integers(0, 12), st.integers(0, 400))


def columns(number):
    """A column of the sheet: absent, or some groups with numbers and the others blank."""
    return st.dictionaries(st.sampled_from(TREES), number, max_size=len(TREES))


def maybe(strategy):
    return st.none() | strategy


@st.composite
def reports(draw):
    """Any report of the plan's groups that can be written down, blanks anywhere."""
    stages = {stage: draw(maybe(columns(COUNTS))) for stage in ("first", "final")}
    lots = st.builds(RecordedLot, st.sampled_from(["coin", "gain:1:ash+birch@1/2", "lose:1:elm@1"]), st.just(("ash",)))
    return Report(
        "mill",
        {stage: people for stage, people in stages.items() if people is not None},
        attendance=draw(maybe(COUNTS)),
        viability_number=draw(maybe(COUNTS)),
        delegates=draw(maybe(columns(st.integers(0, 9)))),
        values=draw(maybe(columns(st.fractions(0, 5, max_denominator=10_000)))),
        lots=tuple(draw(st.lists(lots, max_size=2))),
        other_attendance=draw(st.dictionaries(st.sampled_from(["cards", "check-in", "attendance"]), COUNTS)),
    )


ELECTED = maybe(st.integers(0, 14))
TWINS = st.dictionaries(st.sampled_from(["all", "first", "final"]), st.sampled_from([("school",), ("school", "barn")]))


def examined(report, elected, plan=PLAN, **changed):
    """The findings of a report."""
    return examine(report, plan, context(report, elected, plan, **changed))


def errors(report, elected):
    """The kinds of error found in a report."""
    return {found.kind for found in examined(report, elected) if found.severity is Severity.ERROR}


@given(reports(), ELECTED, TWINS, st.sampled_from(["first", "final", "larger"]))
def test_examining_never_fails_and_every_finding_says_all_it_must(report, elected, twins, base):
    for found in examined(report, elected, twins=twins, base=base):
        check = CHECKS[found.kind]
        assert (found.code, found.unit, found.area) == (check.code, "mill", "")
        assert found.numbers
        assert found.text.endswith(".")
        assert found.todo.endswith(".")


@given(reports(), ELECTED)
def test_findings_are_in_the_order_of_the_codes(report, elected):
    order = list(CHECKS)
    places = [order.index(found.kind) for found in examined(report, elected)]
    assert places == sorted(places)


@given(reports(), ELECTED)
def test_a_report_of_blanks_alone_has_no_error(report, elected):
    assert errors(Report("mill", {}, lots=report.lots), elected) == set()


@given(reports(), ELECTED, COUNTS, st.sampled_from(["first", "final"]))
def test_leaving_an_alignment_blank_accuses_nobody_anew_where_attendance_is_on_record(report, elected, present, stage):
    report = replace(report, attendance=present)
    rest = {name: people for name, people in report.alignments.items() if name != stage}
    assert errors(replace(report, alignments=rest), elected) <= errors(report, elected)


@given(reports(), ELECTED, st.sampled_from(TREES), st.integers(0, 9))
def test_leaving_the_delegates_of_a_group_blank_accuses_nobody_anew(report, elected, group, written):
    """A group that could not win any is another matter: without its delegates the others may have too few."""
    rest = {name: count for name, count in (report.delegates or {}).items() if name != group}
    report, blank = replace(report, delegates={**rest, group: written}), replace(report, delegates=rest)
    anew = errors(blank, elected) - errors(report, elected)
    could_win = facts_of(report, PLAN, context(report, elected)).contenders
    assert anew <= (set() if group in could_win else {"under-awarded", "votes-without-delegates"})


def renamed(value, names):
    """A report, or numbers, with other groups' names."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(number, names) for key, number in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def numbers(found, names):
    """What a finding proves, under other names; the id of a tie is text and holds names in alphabetical order."""
    return {key: value for key, value in renamed(dict(found.numbers), names).items() if key != "tie"}


@given(reports(), ELECTED, st.permutations(TREES))
def test_renaming_groups_renames_findings_and_changes_nothing_else(report, elected, other):
    report = replace(report, lots=())
    names = dict(zip(TREES, other, strict=True))
    moved = replace(
        report,
        alignments={stage: renamed(people, names) for stage, people in report.alignments.items()},
        delegates=renamed(report.delegates, names),
        values=renamed(report.values, names),
    )
    plan = replace(PLAN, groups=groups_of(other))
    ours, theirs = examined(report, elected), examined(moved, elected, plan)
    assert [(row.kind, row.severity) for row in ours] == [(row.kind, row.severity) for row in theirs]
    assert [numbers(row, names) for row in ours] == [numbers(row, {}) for row in theirs]


@given(
    st.dictionaries(st.sampled_from(TREES), st.integers(0, 60), min_size=1),
    st.integers(1, 14),
    st.integers(0, 20),
    st.data(),
)
def test_what_the_rule_awards_is_never_an_error(final, delegates, absent, draw):
    """Delegates written as the rule gives them, lots as they are asked for: no finding about delegates is an error."""
    final = {group: final.get(group, 0) for group in TREES}
    people = sum(final.values())
    assume(people)
    report = Report("mill", {"first": final, "final": final}, attendance=people + absent)
    known = context(report, delegates)
    while isinstance(known.outcome, LotsNeeded):
        tie = known.outcome.tie
        drawn = tuple(draw.draw(st.permutations(tie.groups))[: tie.take])
        report = replace(report, lots=(*report.lots, RecordedLot(tie.id, drawn)))
        known = context(report, delegates)
    assume(isinstance(known.outcome, Awarded))
    report = replace(report, delegates={group: known.outcome.delegates.get(group, 0) for group in TREES})
    worth = Fraction(7, 30)
    report = replace(report, values={group: count * worth for group, count in report.delegates.items()})
    assert [row for row in examine(report, PLAN, known) if row.severity is Severity.ERROR] == []
