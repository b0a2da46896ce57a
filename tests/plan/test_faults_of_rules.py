"""Every fault of `rules.toml` and `sources.toml` is named with its line and a remedy."""

from __future__ import annotations

import re

import pytest

from plan.folders import Shelf, changed, faults_of, line_of, sound
from tallyroom.plan.folder import load

RULES, SOURCES = "rules.toml", "sources.toml"
PLAN_9 = 'source = { document = "lakeland-plan-2031", section = "9 National delegates" }'
NATIONAL = f"""[national]
yardstick = "sde"
method = "largest-remainder"
threshold = "3/20"
fallback = "half-of-leader"
{PLAN_9}
"""
NO_BANDS = "".join(
    f"""[[band]]
attending_at_least = {people}
delegates = {delegates}
source = {{ document = "lakeland-plan-2031", section = "7 Satellites" }}

"""
    for people, delegates in ((1, 2), (21, 3), (41, 4))
)
EMPTY_UNIT = """[[reading]]
name = "empty_unit"
question = "Nobody came: what happens to the delegates?"
values = ["vacant", "filled-later"]
in_force = "vacant"
source = { document = "lakeland-plan-2031", section = "10 Vacancies" }
"""
TIES = 'source = { document = "lakeland-handbook-2031", section = "6 Ties" }'
KIND = 'kind = "caucus"'
AT_LARGE = 'area = "lakeland"\ndelegates = 2'


def early(values='["yes", "no"]'):
    """A reading of the point that no supported contest has."""
    return (
        EMPTY_UNIT.replace('"empty_unit"', '"early_second_choice"')
        .replace('["vacant", "filled-later"]', values)
        .replace('"vacant"', '"yes"')
    )


ONE_FAULT = [
    # what was done to it, old text, new text, where the fault stands, what it says
    ("unknown table", "[lots]", "[weather]\nrain = true\n[lots]", "[weather]", "there is no table 'weather'"),
    ("table nearly known", "[lots]", "[lot]\nrain = true\n[lots]", "[lot]", "Did you mean 'lots'?"),
    ("missing key", 'rounds = "up"\n', "", "[viability_number]", "key 'rounds' of table viability_number is missing"),
    ("unknown key", "[lots]", "[lots]\ncoin = 2", "coin = 2", "table lots has no key 'coin'"),
    ("text for a count", "minimum = 1", 'minimum = "one"', "minimum =", "'one' is not a whole number"),
    ("yes for a count", "minimum = 1", "minimum = true", "minimum =", "True is not a whole number"),
    ("decimal for a count", "minimum = 1", "minimum = 1.0", "minimum =", "1.0 is not a whole number"),
    ("count for yes", "official = true", "official = 1", "official =", "1 is not true or false"),
    ("empty text", 'two = "a coin toss"', 'two = " "', "two =", "' ' is not a text"),
    ("decimal share", '"3/20"\nsource', "0.15\nsource", "share = 0.15", 'write it in quotation marks, as "3/20"'),
    ("share above 1", '"1/4"', '"5/4"', '"5/4"', "'5/4' is not a share from 0 to 1"),
    ("share below 0", '"1/4"', '"-1/4"', '"-1/4"', "'-1/4' is not a share from 0 to 1"),
    ("share of nothing", '"1/4"', '"0"', 'share = "0"', "a share of 0 makes everybody viable"),
    ("share of no parts", '"1/4"', '"1/0"', '"1/0"', "'1/0' is not a fraction such as 3/20"),
    ("rule without source", TIES + "\n", "", "[lots]", "lots has no source"),
    ("source that is a number", TIES, "source = 6", "source = 6", "a source is {"),
    ("source of no document", TIES, 'source = { note = "heard" }', "heard", "a source is {"),
    ("source with a page", '"6 Ties"', '"6 Ties", page = "3"', "6 Ties", "a source has no 'page'"),
    ("unknown document", '{ document = "lakeland-handbook-2031", section = "6 Ties" }', '"lakeland-handbok-2031"',
     "handbok", "names document 'lakeland-handbok-2031', which sources.toml does not have"),
    ("negative delegates", AT_LARGE, AT_LARGE.replace("2", "-2"), "delegates = -2", "-2 is negative"),
    ("a thousand million", AT_LARGE, AT_LARGE.replace("2", "1000000000"), "1000000000", "larger than any place"),
    ("too many delegates", AT_LARGE, AT_LARGE.replace("2", "10001"), "10001", "10001 is more than any place elects"),
    ("absurd decimals", "decimals = 4", "decimals = 400", "decimals =", "400 decimals are more than any figure has"),
    ("no id", 'id = "at-large"', 'id = "At large"', 'id = "At large"', "'At large' is not an id"),
    ("no name", 'yardstick = "sde"', 'yardstick = "S D E"', "S D E", "'S D E' is not a name of small letters"),
    ("number for a time", '"2031-02-07T18:00:00Z"', "7", "at = 7", "7 is not a time such as"),
    ("unsupported contest", KIND, 'kind = "ranked-choice"', 'kind = "ranked-choice"',
     "'ranked-choice' is not supported yet: it can be caucus or primary or preference-poll"),
    ("unsupported rule", "smallest-realigns", "largest-realigns", "over_viable =", "it can be smallest-realigns"),
    ("equality not viable", "equality_viable = true", "equality_viable = false", "equality_viable",
     "False is not supported yet"),
    ("unknown way to count", 'counts = "weight"', 'counts = "money"', '"money"', "it can be people or delegates or"),
    ("unknown time zone", "America/Chicago", "America/Lakeland", "timezone", "is not a time zone"),
    ("no time", "2031-02-07T18:00:00Z", "next Friday", "next Friday", "'next Friday' is not a time such as"),
    ("time without zone", "2031-02-07T18:00:00Z", "2031-02-07T18:00:00", "02-07T18", "names no time zone"),
    ("time before time", '"2031-02-07T18:00:00Z"', "0001-01-01T00:00:00+23:00", "0001", "not a time in which"),
    ("level twice", '"district", "county"]', '"state", "district", "county"]', "levels", "names one twice"),
    ("levels not listed", 'levels = ["state", "district", "county"]', "levels = 3", "levels =", "not a list of texts"),
    ("pool twice", 'id = "pleo"', 'id = "at-large"', None, "pool at-large stands twice"),
    ("deadline twice", 'id = "certification"', 'id = "recanvass-request"', None, "deadline recanvass-request stands"),
    ("viability twice", "delegates_at_least = 3", "delegates_at_least = 2", None, "viability 2 stands twice"),
    ("viability out of order", "delegates_at_least = 3", "delegates_at_least = 9", None, "tables are out of order"),
    ("bands out of order", "attending_at_least = 21", "attending_at_least = 61", None, "[[band]] tables are out of"),
    ("two official", 'stage = "first"', 'stage = "first"\nofficial = true', None, "2 yardsticks are official"),
    ("none official", "official = true\n", "", None, "0 yardsticks are official"),
    ("people of no stage", 'stage = "first"', 'stage = "fist"', '"fist"', "stage 'fist', which is not there"),
    ("unknown yardstick", 'yardstick = "sde"', 'yardstick = "sdes"', '"sdes"', "'sdes', which is not a yardstick"),
    ("pool of no area", 'area = "north"', 'area = "nort"', '"nort"', "'nort' is not an area. Did you mean 'north'?"),
    ("releases out of order", "2031-02-05T18", "2031-02-03T18", "2031-02-03T18", "the releases are out of order"),
    ("reading missing", EMPTY_UNIT, "", None, "reading empty_unit is missing"),
    ("unknown value", '"residual", "cyclic"', '"residual", "cylic"', "cylic", "'cylic' is not a value of reading"),
    ("in force, not listed", 'in_force = "larger"', 'in_force = "last"', '"last"', "in force but not among the values"),
    ("early ballots", EMPTY_UNIT, EMPTY_UNIT + early(), '"early_second_choice"', "it arises only with early ballots"),
    ("written as many", "[lots]", "[[lots]]", None, "lots is not written as [lots]"),
    ("format of tomorrow", "format = 1", "format = 2", "format =", "format 2 is not known"),
    ("format as truth", "format = 1", "format = true", "format =", "format True is not known"),
    ("no format", "format = 1", "", None, "the format is not stated"),
    ("not TOML", "format = 1", "format = ", "format =", "this is not TOML"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "at", "says"), [row[1:] for row in ONE_FAULT], ids=[row[0] for row in ONE_FAULT]
)
def test_fault_of_rules_is_named_with_its_line(old, new, at, says):
    held = changed(RULES, old, new)
    (fault,) = faults_of(held)
    assert says in str(fault)
    assert fault.file == "lakeland/rules.toml"
    assert fault.remedy
    if at is not None:
        assert fault.line == line_of(held, RULES, at.partition("\n")[0])


MISPLACED = [
    ("pool twice", 'id = "pleo"', 'id = "at-large"', "Pledged party leaders", -1),
    ("two official", 'stage = "first"', 'stage = "first"\nofficial = true', 'name = "State delegates"', -2),
    ("viability twice", "delegates_at_least = 3", "delegates_at_least = 2", 'share = "1/6"', -1),
]


@pytest.mark.parametrize(("old", "new", "near", "above"), [row[1:] for row in MISPLACED], ids=[r[0] for r in MISPLACED])
def test_second_of_two_is_where_the_fault_stands(old, new, near, above):
    held = changed(RULES, old, new)
    (fault,) = faults_of(held)
    assert fault.line == line_of(held, RULES, near) + above


SHARES = ('share = "1/4"', 'share = "1/6"', 'share = "3/20"\nsource')


def without_shares(*shares):
    """The files with these shares of viability turned into none."""
    held = sound()
    for share in shares:
        held = changed(RULES, share, share.replace(share.split('"')[1], "none"), held)
    return held


def test_units_of_several_delegates_need_a_share():
    held = without_shares(*SHARES)
    found = faults_of(held)
    assert [fault.what for fault in found] == [
        "unit brook-hill elects 2 delegates, for which [[viability]] has no share",
        "unit clover-orchard elects 3 delegates, for which [[viability]] has no share",
        "unit alder-harbor elects 4 delegates, for which [[viability]] has no share",
    ]
    lines = held[RULES].decode().split("\n")
    assert all(lines[fault.line - 1] == 'share = "none"' for fault in found)
    assert {fault.remedy for fault in found} == {'Write the exact share, such as "3/20".'}


def test_share_for_single_delegates_alone_is_told_to_add_another():
    held = sound()
    text = held[RULES].decode()
    start, end = text.index("[[viability]]\ndelegates_at_least = 2"), text.index("[viability_number]")
    held[RULES] = (text[:start] + text[end:]).encode()
    (fault,) = faults_of(held)
    assert fault.what == "unit brook-hill elects 2 delegates, for which [[viability]] has no share"
    assert fault.remedy == 'Add a [[viability]] with delegates_at_least = 2 and its share, such as "3/20".'
    assert fault.line == line_of(held, RULES, 'share = "none"')


def single_delegates():
    """The files without any share, and with precincts of one delegate; satellites elect what their bands say."""
    held = without_shares(*SHARES)
    return {**held, "units.csv": re.sub(rb",precinct,\d+,", b",precinct,1,", held["units.csv"])}


def test_band_of_several_delegates_needs_a_share():
    two, three, four = faults_of(single_delegates())
    assert two.what == "a [[band]] elects 2 delegates, for which [[viability]] has no share"
    assert two.line + 5 == three.line == four.line - 5


def test_contest_of_single_delegates_needs_no_share():
    held = single_delegates()
    held[RULES] = re.sub(rb"(attending_at_least = \d+\ndelegates = )\d+", rb"\g<1>1", held[RULES])
    plan = load(Shelf(held))
    assert {unit.delegates for unit in plan.units.values()} == {1, None}
    assert {step.share for step in plan.award.viability} == {None}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"1/4"', '"a quarter"', 'Expected: exact share in quotation marks ("3/20"), or "none".'),
        ("minimum = 1", "minimum = -1", "Expected: delegates a viable group has at least."),
        ('"2031-02-07T18:00:00Z"', '"soon"', "Expected: when, with its zone."),
    ],
)
def test_remedy_says_what_is_expected_there(old, new, expected):
    (fault,) = faults_of(changed(RULES, old, new))
    assert fault.remedy == expected


NOWHERE = 'where = "nowhere: written for Tallyroom\'s tutorial and tests"\n'
SOURCE_FAULTS = [
    ("no title", 'title = "Results of the caucuses (fictional)"\n', "", "[lakeland-herald-2031]", "has no title"),
    ("no place", NOWHERE + "\n[lakeland-handbook", "\n[lakeland-handbook", "[lakeland-plan-2031]", "has no where"),
    ("number for a publisher", 'publisher = "The Lakeland Herald (fictional)"', "publisher = 2031", "publisher = 2031",
     "publisher of document lakeland-herald-2031 is not a text"),
    ("no table", "[lakeland-plan-2031]", 'hearsay = "said so"\n[lakeland-plan-2031]', "hearsay", "is not a table"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "at", "says"), [row[1:] for row in SOURCE_FAULTS], ids=[row[0] for row in SOURCE_FAULTS]
)
def test_fault_of_a_document_is_named_with_its_line(old, new, at, says):
    held = changed(SOURCES, old, new)
    (fault,) = faults_of(held)
    assert says in str(fault)
    assert (fault.file, fault.line) == ("lakeland/sources.toml", line_of(held, SOURCES, at))


def test_stage_twice():
    held = changed(RULES, 'stage = "final"', 'stage = "first"')
    held = changed(RULES, '[[stage]]\nid = "final"', '[[stage]]\nid = "first"', held)
    (fault,) = faults_of(held)
    assert fault.what == "stage first stands twice"
    assert fault.line == line_of(held, RULES, 'name = "Final alignment"') - 1


def test_two_faults_of_one_table_are_both_named():
    held = changed(RULES, 'rounds = "up"', 'rounds = "down"')
    held = changed(RULES, "equality_viable = true", 'equality_viable = "yes"', held)
    found = faults_of(held)
    assert [fault.line for fault in found] == [
        line_of(held, RULES, 'rounds = "down"'),
        line_of(held, RULES, "equality_viable"),
    ]


def test_misspelled_key_is_both_unknown_and_missing():
    unknown, missing = faults_of(changed(RULES, "too_many", "to_many"))
    assert "Did you mean 'too_many'?" in unknown.remedy
    assert "key 'too_many' of table awarding is missing" in missing.what


def test_pools_need_a_rule_to_share_them():
    (fault,) = faults_of(changed(RULES, NATIONAL, ""))
    assert fault.what == "there are pools but no rule to share them"


def test_no_viability_for_a_single_delegate():
    held = sound()
    text = held[RULES].decode()
    first = text[text.index("[[viability]]") : text.index("[[viability]]\ndelegates_at_least = 2")]
    (fault,) = faults_of({**held, RULES: text.replace(first, "").encode()})
    assert fault.what == "no [[viability]] covers units of one delegate"


def test_unknown_reading_is_named_beside_those_that_are_known():
    unknown, missing = faults_of(changed(RULES, 'name = "empty_unit"', 'name = "empty_hall"'))
    assert "'empty_hall' is not a known reading" in unknown.what
    assert "empty_unit" in missing.what


def test_table_left_out_is_named_with_what_it_is_for():
    text = sound()[RULES].decode()
    lots = text[text.index("[lots]") : text.index("[[band]]")]
    (fault,) = faults_of(changed(RULES, lots, ""))
    assert fault.what == "table [lots] is missing"
    assert "chance" in fault.remedy


def test_contest_may_have_no_national_delegates():
    held = sound()
    text = held[RULES].decode()
    for begin, end in (("[national]", "# ---- Readings"), ('[[reading]]\nname = "national_tie"', "# ---- Deadlines")):
        text = text[: text.index(begin)] + text[text.index(end) :]
    figures = [line for line in held["published.csv"].split(b"\n") if b"national" not in line]
    plan = load(Shelf({**held, RULES: text.encode(), "published.csv": b"\n".join(figures)}))
    assert plan.national is None
    assert plan.pools == {}


def test_list_of_numbers_is_no_table():
    text = sound()[RULES].decode()
    bands = text[text.index("[[band]]") : text.index("# ---- Yardsticks")]
    held = changed(RULES, bands, "")
    found = faults_of(changed(RULES, "format = 1", "format = 1\nband = [1, 2]", held))
    assert "band holds what is not a table" in [fault.what for fault in found]


def test_weight_shared_by_attendance_needs_bands():
    held = changed(RULES, NO_BANDS, "")
    found = faults_of(held)
    assert [(fault.file, fault.line) for fault in found] == [
        ("lakeland/areas.csv", line_of(held, "areas.csv", "north-satellite,")),
        ("lakeland/areas.csv", line_of(held, "areas.csv", "south-satellite,")),
    ]
    assert all("the rules have no bands" in fault.what for fault in found)


def test_number_of_six_thousand_digits_is_refused_in_a_sentence():
    (fault,) = faults_of(changed(RULES, "minimum = 1", f"minimum = {'9' * 6000}"))
    assert "this is not TOML" in fault.what


def test_endless_nesting_is_refused_in_a_sentence():
    (fault,) = faults_of(changed(RULES, "format = 1", f"format = {'[' * 100_000}"))
    assert "this is not TOML" in fault.what


def test_long_value_is_shown_in_short():
    (fault,) = faults_of(changed(RULES, "minimum = 1", f'minimum = "{"x" * 5000}"'))
    assert len(fault.what) < 150


HUGE = "0x" + "f" * 6000
TOO_LARGE = [
    # where a number stands that Python can read from hexadecimal but refuses to write, and what is said
    ("format = 1", f"format = {HUGE}", "format a value too large to show is not known"),
    ("minimum = 1", f"minimum = {HUGE}", "awarding.minimum: a value too large to show is larger than any place"),
    (
        'threshold = "3/20"',
        f"threshold = [{HUGE}]",
        "national.threshold: a value too large to show is not an exact share",
    ),
    ('kind = "caucus"', f"kind = {HUGE}", "contest.kind: a value too large to show is not supported yet"),
]


@pytest.mark.parametrize(("old", "new", "said"), TOO_LARGE, ids=[row[0] for row in TOO_LARGE])
def test_number_too_large_to_write_is_a_fault_and_no_accident(old, new, said):
    held = changed(RULES, old, new)
    (fault,) = faults_of(held)
    assert fault.what.startswith(said)
    assert fault.line == line_of(held, RULES, HUGE)
