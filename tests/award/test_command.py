"""`tallyroom award`, as typed: the four outcomes in words and JSON, and every slip of the keyboard."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from tallyroom.cli.award import command
from tallyroom.faults import CannotRunError, InputError
from tallyroom.plan import catalogue
from tallyroom.plan.catalogue import find

KEYS = {"outcome", "viability_number", "viable", "delegates", "readings", "steps", "lots_needed"}


def run(line: str):
    return CliRunner().invoke(command, ["iowa-2020", *line.split()])


def printed(line: str) -> str:
    result = run(line)
    assert result.exit_code == 0, result.output or result.exception
    return result.output


def parsed(line: str) -> dict:
    answer = json.loads(printed(f"{line} --json"))
    assert answer.keys() >= KEYS
    for step in answer["steps"]:
        assert step.keys() >= {"rule", "group", "moved", "because"}
        assert step["because"].endswith(".")
    return answer


def faults(line: str) -> list[str]:
    result = run(line)
    assert isinstance(result.exception, InputError), (result.output, result.exception)
    assert result.exception.exit_code == 65
    assert result.output == ""
    return [str(fault) for fault in result.exception.faults]


ROOM = "--delegates 6 --attending 100 biden=52 sanders=34 warren=14"


def test_awarded():
    answer = parsed(ROOM)
    assert answer["outcome"] == "awarded"
    assert answer["viability_number"] == 15
    assert answer["viable"] == ["biden", "sanders"]
    assert answer["delegates"] == {"biden": 4, "sanders": 2, "warren": 0}
    assert answer["readings"]["short_award"] == "residual"
    assert answer["lots_needed"] is None
    assert answer["steps"][0] == {
        "rule": "round-half-up",
        "group": "biden",
        "moved": 3,
        "because": "Biden: 52 x 6 / 100 = 3.12, rounded to 3.",
        "of": "raw",
        "numbers": {"biden": "78/25"},
    }
    assert sum(step["moved"] for step in answer["steps"]) == 6


def test_awarded_in_words():
    text = printed(ROOM)
    assert "15 percent of 100 people is 15: a group needs 15." in text
    assert "Warren has 14: 1 short, not viable." in text
    assert "Awarded: Biden 4, Sanders 2." in text
    assert text.splitlines()[-1].split() == ["Warren", "14", "0"]


TOSS = "--delegates 7 --attending 11 biden=4 sanders=3 warren=4"


def test_a_lot_is_needed_and_its_answer_accepted():
    answer = parsed(TOSS)
    assert answer["outcome"] == "lots-needed"
    assert answer["lots_needed"] == {
        "id": "lose:1:biden+warren@-5/11",
        "kind": "lose",
        "groups": ["biden", "warren"],
        "take": 1,
    }
    assert answer["delegates"] == {"biden": 3, "sanders": 2, "warren": 3}
    assert "--lot lose:1:biden+warren@-5/11=biden" in printed(TOSS)
    decided = parsed(f"{TOSS} --lot lose:1:biden+warren@-5/11=warren")
    assert decided["outcome"] == "awarded"
    assert decided["delegates"] == {"biden": 3, "sanders": 2, "warren": 2}


def test_lots_among_four_take_two():
    line = "--delegates 18 --attending 60 biden=15 sanders=15 warren=15 yang=15"
    tie = parsed(line)["lots_needed"]
    assert tie["take"] == 2
    assert parsed(f"{line} --lot {tie['id']}=yang,warren")["delegates"]["yang"] == 4


def test_must_realign():
    answer = parsed("--delegates 2 --attending 19 buttigieg=7 sanders=5 uncommitted=5 biden=2")
    assert answer["outcome"] == "must-realign"
    assert answer["must_realign"] == ["sanders", "uncommitted"]
    assert answer["viable"] == ["buttigieg", "sanders", "uncommitted"]
    assert set(answer["delegates"].values()) == {0}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("--delegates 2 --attending 54 warren=12 biden=10", "nobody-viable"),
        ("--delegates 4 --attending 0 warren=0", "nobody-present"),
        ("--delegates 1 --attending 20 warren=9 --reading one_delegate=majority", "no-majority"),
        ("--delegates 1 --attending 20 warren=19 --reading one_delegate=caucus-vote", "caucus-votes"),
    ],
)
def test_no_viable_group(line, why):
    answer = parsed(line)
    assert (answer["outcome"], answer["why"]) == ("no-viable-group", why)
    assert (answer["viable"], answer["steps"]) == ([], [])
    assert set(answer["delegates"].values()) == {0}
    assert printed(line)


def test_one_delegate_has_no_viability_number():
    answer = parsed("--delegates 1 --attending 20 warren=9 biden=8")
    assert answer["viability_number"] is None
    assert answer["needs_majority"] is True
    assert answer["delegates"] == {"warren": 1, "biden": 0}


def test_another_reading():
    room = "--delegates 5 --attending 124 biden=71 warren=19"
    assert parsed(room)["delegates"] == {"biden": 4, "warren": 1}
    cyclic = parsed(f"{room} --reading short_award=cyclic")
    assert cyclic["delegates"] == {"biden": 3, "warren": 2}
    assert cyclic["readings"]["short_award"] == "cyclic"


def test_an_unknown_reading_cannot_be_counted_by():
    for reading in ("short_award=sometimes", "weather=fine"):
        result = run(f"{ROOM} --reading {reading}")
        assert isinstance(result.exception, CannotRunError)
        assert result.exception.exit_code == 2


@pytest.mark.parametrize(
    "first",
    [
        "biden=54 --first biden=52 --first sanders=34 --first warren=14",
        "biden=54 --first biden=52 sanders=34 warren=14",
        "biden=54 --first=biden=52 sanders=34 warren=14 --json",
        "--first biden=52 --first sanders=34 --first warren=14 biden=54",
    ],
)
def test_a_realignment_that_breaks_a_rule_is_named(first):
    line = f"--delegates 6 --attending 100 sanders=30 {first}"
    if first.startswith("--first"):
        line = f"--delegates 6 --attending 100 {first} sanders=30"
    answer = parsed(line.removesuffix(" --json"))
    assert [breach["kind"] for breach in answer["breaches"]] == ["locked-group-lost-people"]
    assert answer["breaches"][0]["group"] == "sanders"
    assert answer["delegates"] == {"biden": 4, "sanders": 2}


def test_a_realignment_that_breaks_a_rule_in_words():
    text = printed("--delegates 6 --attending 100 biden=60 sanders=30 --first biden=52 sanders=34")
    assert "Sanders was viable, so its members were locked, but it went from 34 people to 30." in text
    assert "86 people stood in groups at first and 90 in the end: 4 more than were let in." in text


def test_without_a_first_alignment_nothing_is_said_of_it():
    assert parsed(ROOM)["breaches"] == []


def test_a_unit_brings_its_delegates_and_its_name():
    answer = parsed("--unit adair-4se-orient --attending 34 biden=7 bloomberg=6 sanders=6 warren=6 yang=9")
    assert set(answer["delegates"].values()) == {2}  # ten delegates
    assert "4SE ORIENT" in printed("--unit adair-4se-orient --attending 34 biden=34")


def satellite() -> str:
    return next(unit.id for unit in find("iowa-2020").units.values() if unit.delegates is None)


@pytest.mark.parametrize(("attending", "delegates"), [(1, 4), (20, 4), (21, 5), (100, 8), (101, 9), (400, 9)])
def test_a_satellite_elects_by_its_attendance(attending, delegates):
    answer = parsed(f"--unit {satellite()} --attending {attending} biden={attending}")
    assert answer["delegates"] == {"biden": delegates}


def test_a_satellite_where_nobody_came_elects_nobody():
    (fault,) = faults(f"--unit {satellite()} --attending 0 biden=0")
    assert fault.startswith(f"--unit {satellite()}: with 0 present it elects no delegates. ")


def test_a_unit_that_elects_nobody(monkeypatch):
    """Three precincts of the apportionment elect none; they did not meet and are not in the plan."""
    plan = find("iowa-2020")
    idle = replace(plan.units["adair-4se-orient"], delegates=0)
    monkeypatch.setattr(catalogue, "find", lambda _: replace(plan, units={**plan.units, idle.id: idle}))
    (fault,) = faults(f"--unit {idle.id} --attending 10 biden=10")
    assert fault == (
        "--unit adair-4se-orient: with 10 present it elects no delegates. "
        "Correct the attendance, or choose a unit that elects some."
    )


def test_a_plan_without_a_share_for_this_size_is_a_fault(monkeypatch):
    plan = find("iowa-2020")
    bare = replace(plan, award=replace(plan.award, viability=plan.award.viability[:1]))
    monkeypatch.setattr(catalogue, "find", lambda _: bare)
    (fault,) = faults("--delegates 4 --attending 10 biden=10")
    assert fault.startswith("the plan gives no viability share for a unit of 4 delegates")


def test_rules_without_a_share_for_the_example_are_told_without_one(monkeypatch):
    plan = find("iowa-2020")
    bare = replace(plan, award=replace(plan.award, viability=plan.award.viability[:1]))
    monkeypatch.setattr(catalogue, "find", lambda _: bare)
    said = printed("").splitlines()[-1]
    assert said == (
        "None can be given: the plan gives no viability share for a unit of 6 delegates. "
        "Add a share for it to the table of viability."
    )


def test_a_contest_whose_places_elect_nobody_has_no_example(monkeypatch):
    plan = find("iowa-2020")
    units = {unit.id: replace(unit, delegates=None) for unit in plan.units.values()}
    monkeypatch.setattr(catalogue, "find", lambda _: replace(plan, units=units, bands=()))
    assert printed("").splitlines()[-1] == "None: no place of this contest elects delegates of its own."


def test_an_unknown_unit_is_answered_with_the_closest():
    result = run("--unit adair-4se-orent --attending 10 biden=10")
    assert isinstance(result.exception, CannotRunError)
    assert "adair-4se-orient" in str(result.exception)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "--delegates 6 --attending 100 sander=5",
            ["sander=5: 'sander' is not a group of iowa-2020. Did you mean 'sanders'?"],
        ),
        ("--delegates 6 --attending 100 qqq=5", ["qqq=5: 'qqq' is not a group of iowa-2020. The groups are bennet, "]),
        ("--delegates 6 --attending 100 biden=-5", ["biden=-5: '-5' is negative"]),
        ("--delegates 6 --attending 100 biden=1000000000", ["biden=1000000000: 1000000000 is larger than any place"]),
        ("--delegates 6 --attending 100 biden=1e9", ["biden=1e9: '1e9' is not a whole number"]),
        ("--delegates 6 --attending 100 biden=", ["biden=: the count is missing"]),
        ("--delegates 6 --attending 100 biden", ["biden: that is not GROUP=COUNT"]),
        ("--delegates 6 --attending 100 biden=5 biden=6", ["biden=6: 'biden' is given twice"]),
        ("--delegates 6 --attending 100 biden=101", ["101 people stand in groups in the final alignment"]),
        ("--delegates 6 --attending 9 biden=9 --first biden=10", ["10 people stand in groups in the first alignment"]),
        ("--delegates 0 --attending 9 biden=9", ["--delegates 0: a place elects from 1 to 10,000"]),
        ("--delegates -2 --attending 9 biden=9", ["--delegates -2: a place elects from 1 to 10,000"]),
        ("--delegates 9999999 --attending 9 biden=9", ["--delegates 9999999: a place elects from 1"]),
        ("--delegates 6 --attending 1e9 biden=9", ["--attending: '1e9' is not a whole number"]),
        ("--delegates 6 --attending 99 biden=99 --lot x", ["--lot x: that is not ID=GROUP"]),
        (
            "--delegates x --attending y bidn=9 biden=-1 --first sanders=z --lot q",
            ["--attending", "--delegates", "bidn=9", "biden=-1", "--first sanders=z", "--lot q"],
        ),
    ],
)
def test_a_slip_of_the_keyboard_is_named_with_its_remedy(line, expected):
    found = faults(line)
    assert len(found) == len(expected)
    for fault, start in zip(found, expected, strict=True):
        assert fault.startswith(start)
        assert fault[-1] in ".?"


def test_a_lot_for_another_tie_is_refused_with_the_one_asked_for():
    (fault,) = faults(f"{TOSS} --lot lose:1:biden+sanders@-5/11=biden")
    assert fault.endswith("The award asks for the lot lose:1:biden+warren@-5/11.")
    (fault,) = faults(f"{TOSS} --lot lose:1:biden+warren@-5/11=biden,warren")
    assert fault.endswith("Give 1 of biden, warren.")
    (fault,) = faults(f"{ROOM} --lot lose:1:biden+warren@-5/11=biden")
    assert fault.endswith("Leave it out: no lot is needed.")
    lot = "--lot lose:1:biden+warren@-5/11=biden"
    assert "given twice" in faults(f"{TOSS} {lot} {lot}")[0]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("biden=5 --attending 9", "--delegates or --unit"),
        ("biden=5 --attending 9 --delegates 4 --unit adair-4se-orient", "--delegates or --unit"),
        ("biden=5 --delegates 4", "--attending"),
        ("--json", "bennet=52"),
        ("--delegates 4 --attending 9", "bennet=52"),
    ],
)
def test_half_a_question_is_a_usage_error(line, word):
    result = run(line)
    assert result.exit_code == 2
    assert word in result.output


def test_an_unknown_contest_cannot_be_awarded():
    result = CliRunner().invoke(command, ["iowa-2021", "biden=5"])
    assert isinstance(result.exception, CannotRunError)


def test_the_contest_alone_prints_its_rules_and_an_example_that_works():
    text = printed("")
    assert "A place that elects 3 delegates: a group needs one sixth of the people present." in text
    assert "short_award=residual" in text
    shown = next(line for line in text.splitlines() if line.startswith("$ tallyroom award iowa-2020 "))
    example = printed(shown.removeprefix("$ tallyroom award iowa-2020 "))
    assert text.splitlines()[-1] in example
    assert "else nobody" not in text.split("What the sources leave open")[0]
    other = printed("--reading one_delegate=majority")
    assert "the delegate goes to a group of more than half of those present, else nobody." in other


def test_a_unit_may_be_asked_for_by_its_name():
    words = ["iowa-2020", "--unit", "Council Bluff 12", "--attending", "119", "bloomberg=24", "biden=28"]
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    assert done.exit_code == 0
    assert "Council Bluff 12" in done.output
