"""Ids: what a plan accepts, everything after it accepts, the ledger first of all."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from importlib.resources import files

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plan.folders import CONTEST, Shelf, faults_of, line_of, sound
from tallyroom.faults import InputError
from tallyroom.ledger.contract import check
from tallyroom.ledger.entry import Author, Draft
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import read_night
from tallyroom.plan.amend import Amendment, UnitAdded, amend
from tallyroom.plan.catalogue import find
from tallyroom.plan.fields import ID_LIMIT, UNIT_ID_LIMIT, identifier, name, unit_identifier
from tallyroom.plan.folder import load

LONGEST, LONGEST_UNIT = "x" * ID_LIMIT, "y" * UNIT_ID_LIMIT
NO_IDS = ["", "-", "-ash", "ash-", "ash--elm", "Ash", "ash elm", "ash_elm", "ásh", "ash\n", "１", "ash/elm", "ash-\n"]
ALIKE = st.text("ab09-", max_size=140) | st.text("ab-A_é \n", max_size=8)
"""Words that are ids, or nearly."""
ENDS = st.sampled_from("ab09")
IDS = st.builds(lambda first, inner, last: first + re.sub("-+", "-", inner) + last, ENDS, ALIKE, ENDS)


def accepted(read, word):
    """The words a plan accepts out of any."""
    try:
        return read(word) == word
    except ValueError:
        return False


def enters(contest, release, unit):
    """Hold the entry of a recorded night to the ledger's contract."""
    key = f"record/{release}/{unit}"
    check([Draft("report", 1, contest, datetime(2031, 2, 4, tzinfo=UTC), key, Author("record", "record"), "file", {})])


@given(contest=IDS | ALIKE, release=IDS | ALIKE, unit=IDS | ALIKE)
@example(contest=LONGEST, release=LONGEST, unit=LONGEST_UNIT)
def test_ids_a_plan_accepts_the_ledger_accepts(contest, release, unit):
    words = {"contest": contest, "release": release, "unit": unit}
    reads = {"contest": identifier, "release": identifier, "unit": unit_identifier}
    enters(**{what: word if accepted(reads[what], word) else "elm" for what, word in words.items()})


@given(word=IDS)
def test_ids_of_the_form_are_accepted_up_to_their_length(word):
    is_one = re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", word) is not None
    assert accepted(identifier, word) == (is_one and len(word) <= ID_LIMIT)
    assert accepted(unit_identifier, word) == (is_one and len(word) <= UNIT_ID_LIMIT)


@pytest.mark.parametrize("word", NO_IDS)
@pytest.mark.parametrize("read", [identifier, unit_identifier])
def test_what_is_no_id_is_told_its_form(read, word):
    with pytest.raises(ValueError, match="is not an id: small letters and digits, with single hyphens between them"):
        read(word)


@pytest.mark.parametrize(("read", "limit"), [(identifier, 64), (unit_identifier, 120), (name, 64)])
def test_too_long_an_id_is_told_the_limit(read, limit):
    assert read("x" * limit)
    with pytest.raises(ValueError, match=rf"it has {limit + 1} characters \(limit {limit}\)"):
        read("x" * (limit + 1))


@pytest.mark.parametrize("word", ["_sde", "sde_", "first__alignment", "first_-alignment", "First", "first alignment"])
def test_name_has_single_marks_between_its_words(word):
    assert name("first_alignment") == "first_alignment"
    with pytest.raises(ValueError, match="is not a name of small letters"):
        name(word)


IN_FOLDER = [
    # the id, as it stands in the file that gives it, that file
    ("lakeland-2031", 'id = "lakeland-2031"', "rules.toml"),
    ("first", 'id = "first"', "rules.toml"),
    ("sde", 'id = "sde"', "rules.toml"),
    ("pleo", 'id = "pleo"', "rules.toml"),
    ("evening", 'id = "evening"', "rules.toml"),
    ("certification", 'id = "certification"', "rules.toml"),
    ("dale", "dale,county", "areas.csv"),
    ("birch", "birch,Birch", "groups.csv"),
    ("alder-mill", "alder-mill,alder", "units.csv"),
]


@pytest.mark.parametrize("bad", ["ash--elm", "-ash", "ash-", "z" * 121])
@pytest.mark.parametrize(("old", "stands", "file"), IN_FOLDER, ids=[row[0] for row in IN_FOLDER])
def test_id_of_another_form_is_all_that_is_held_against_a_folder(old, stands, file, bad):
    """Wherever else it stands it is the same id: nobody is told that there is none of that name."""
    word = re.compile(rf'(?:(?<== ")|(?<=[\n,])){old}(?=[",])')
    held = {name: word.sub(bad, content.decode()).encode() for name, content in sound().items()}
    found = faults_of(held)
    told = [fault.what for fault in found if not re.search(r"is not (an id|a name)|too long for", fault.what)]
    assert told == []
    given = line_of(held, file, stands.replace(old, bad, 1))
    assert (f"lakeland/{file}", given) in [(fault.file, fault.line) for fault in found]
    assert all(fault.remedy for fault in found)


@pytest.mark.parametrize("bad", ["alder--fair", "alder-fair-", "z" * 121])
def test_place_added_later_has_an_id_of_the_same_form(bad):
    with pytest.raises(InputError, match=r"an id.*Give the place an id such as"):
        amend(find(CONTEST), Amendment(UnitAdded(bad, "alder", "Alder Fair", delegates=2), "second-call"))


def test_night_of_the_longest_ids_goes_all_the_way_into_a_ledger(tmp_path):
    def lengthened(text):
        for old, new in ((CONTEST, LONGEST), ("evening", LONGEST[:-1] + "z"), ("alder-school", LONGEST_UNIT)):
            text = text.replace(f'"{old}"', f'"{new}"').replace(f"{old},", f"{new},").replace(f".{old}]", f".{new}]")
        return text

    plan = load(Shelf({file: lengthened(content.decode()).encode() for file, content in sound().items()}))
    for file in (files("tallyroom") / "records" / CONTEST).iterdir():
        (tmp_path / file.name).write_text(lengthened(file.read_text(encoding="utf-8")), encoding="utf-8")
    night = read_night(tmp_path, plan)
    ledger = MemoryLedger(plan.contest)
    ledger.append(night.drafts)
    assert ledger.find(f"record/{LONGEST[:-1]}z/{LONGEST_UNIT}") is not None
