"""Every fault of the CSV files, and of files that are not there or are no text, is named with its line and a remedy."""

from __future__ import annotations

from itertools import combinations

import pytest

from plan.folders import Shelf, changed, faults_of, line_of, sound
from tallyroom.plan.folder import load


def powerset(names):
    """Every selection of names, the empty one first."""
    return [chosen for size in range(len(names) + 1) for chosen in combinations(names, size)]


AREAS, UNITS, GROUPS, PUBLISHED = "areas.csv", "units.csv", "groups.csv", "published.csv"
MILL = "alder-mill,alder,Alder Mill,precinct,1,A-4,"
DALE = "dale,county,Dale,south,7,delegates"
HERALD = "evening,first_alignment,ash,293,,"

ONE_FAULT = [
    # what was done to it, file, old text, new text, where the fault stands, what it says
    ("area twice", AREAS, DALE, f"{DALE}\nclover,county,Again,south,1,delegates", "Again", "id clover stands twice"),
    ("unknown level", AREAS, "dale,county", "dale,parish", "dale,parish", "'parish' is not a level of this contest"),
    ("unknown parent", AREAS, "Dale,south", "Dale,soth", "Dale,soth", "'soth' is not an area. Did you mean 'south'?"),
    ("area in itself", AREAS, "Dale,south", "Dale,dale", "Dale,dale", "dale (county) cannot lie in dale (county)"),
    ("circle of areas", AREAS, "South district,lakeland", "South district,dale", "South district,dale",
     "south (district) cannot lie in dale (county)"),
    ("two tops", AREAS, "South district,lakeland", "South district,", "South district,,", "lakeland, south"),
    ("unknown sharing", AREAS, "7,delegates", "7,delegate", "7,delegate", "'delegate' is not a way to share a weight"),
    ("negative weight", AREAS, "7,delegates", "-7,delegates", "-7,", "weight -7 is negative"),
    ("absurd weight", AREAS, "7,delegates", "7000000000,delegates", "7000000000", "larger than any area can hold"),
    ("weight in powers", AREAS, "7,delegates", "1e9,delegates", "1e9", "'1e9' is not a fraction"),
    ("weight in words", AREAS, "7,delegates", "seven,delegates", "seven", "weight: 'seven' is not a fraction"),
    ("weight for nobody", AREAS, DALE, f"{DALE}\nelm,county,Elm,south,3,delegates", "elm,", "no unit to share it"),
    ("comma in a name", AREAS, "Dale,south", "Dale, the green,south", "the green", "7 cells for 6 columns"),
    ("unit twice", UNITS, MILL, f"{MILL}\n{MILL.replace('Mill', 'Ford')}", "Ford", "id alder-mill stands twice"),
    ("no id", UNITS, "alder-mill", "Alder Mill", "Alder Mill,alder", "'Alder Mill' is not an id"),
    ("unit of no area", UNITS, "alder-mill,alder", "alder-mill,adler", "adler", "'adler' is not an area"),
    ("negative delegates", UNITS, "Mill,precinct,1", "Mill,precinct,-1", "-1,A-4", "'-1' is negative"),
    ("delegates in powers", UNITS, "Mill,precinct,1", "Mill,precinct,1e9", "1e9", "'1e9' is not a whole number"),
    ("absurd delegates", UNITS, "Mill,precinct,1", "Mill,precinct,1000000000", "1000000000", "larger than any place"),
    ("no delegates", UNITS, "Mill,precinct,1", "Mill,precinct,", "Mill,precinct", "alder shares its weight by"),
    ("unit without weight", UNITS, "alder-mill,alder", "alder-mill,north", "alder-mill", "lies in north, which has no"),
    ("unknown kind", UNITS, "Mill,precinct", "Mill,precint", "precint", "'precint' is not a kind of reporting place"),
    ("no digest", UNITS, "1,A-4,", "1,A-4,abc", "A-4", "name_digest is not a SHA-256"),
    ("group twice", GROUPS, "birch,Birch", "ash,Birch", "Birch", "id ash stands twice"),
    ("unknown kind of group", GROUPS, "Elder,candidate", "Elder,candidates", "Elder", "Did you mean 'candidate'?"),
    ("unknown release", PUBLISHED, HERALD, HERALD.replace("evening", "evning"), "evning", "is not a release"),
    ("unknown measure", PUBLISHED, HERALD, HERALD.replace("first", "frist"), "frist", "'frist_alignment' is not a mea"),
    ("unknown group", PUBLISHED, HERALD, HERALD.replace("ash", "oak"), "oak", "'oak' is not a group"),
    ("no figure", PUBLISHED, HERALD, HERALD.replace("293", "many"), "many", "'many' is not a figure"),
    ("figure from nowhere", PUBLISHED, f'{HERALD}"The Lakeland Herald (fictional), evening of 3 February 2031"', HERALD,
     HERALD, "the figure has no source"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "at", "says"), [row[1:] for row in ONE_FAULT], ids=[row[0] for row in ONE_FAULT]
)
def test_fault_of_a_table_is_named_with_its_line(file, old, new, at, says):
    held = changed(file, old, new)
    found = [fault for fault in faults_of(held) if says in str(fault)]
    assert [(fault.file, fault.line) for fault in found] == [(f"lakeland/{file}", line_of(held, file, at))]
    assert found[0].remedy


def test_unknown_unit_area_is_the_only_fault():
    (fault,) = faults_of(changed(UNITS, "alder-mill,alder", "alder-mill,adler"))
    assert fault.remedy == "Did you mean 'alder'?"


def test_contest_without_a_top():
    found = faults_of(changed(AREAS, "Lakeland,,", "Lakeland,north,"))
    assert "areas without a parent: none" in [fault.what for fault in found]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("id,area", "id,place", "column 'area' is missing"),
        ("id,area", "id,place", "column 'place' is not known"),
        ("aliases,name_digest", "aliases,aliases", "column 'aliases' stands twice"),
    ],
)
def test_wrong_columns_are_named_and_nothing_else(old, new, says):
    found = faults_of(changed(UNITS, old, new))
    assert says in [fault.what for fault in found]
    assert {(fault.file, fault.line) for fault in found if "column" in fault.what} == {("lakeland/units.csv", 1)}


def test_columns_may_stand_in_any_order_and_optional_ones_be_left_out():
    text = sound()[GROUPS].decode()
    turned = "\n".join(",".join(reversed(line.split(","))) for line in text.splitlines())
    assert load(Shelf({**sound(), GROUPS: turned.encode()})).groups == load(Shelf(sound())).groups
    short = "\n".join(line.rsplit(",", 2)[0] for line in sound()[UNITS].decode().splitlines() if "hospital" not in line)
    plan = load(Shelf({**sound(), UNITS: short.encode()}))
    assert plan.units["alder-mill"].aliases == ()


def test_open_quotation_mark():
    (fault,) = faults_of(changed(GROUPS, "Birch", '"Birch'))
    assert "this is not CSV" in fault.what


def test_line_is_that_of_the_file_when_a_cell_has_several():
    held = changed(UNITS, "Alder School", '"Alder\nSchool"')
    held = changed(UNITS, "alder-mill,alder", "alder-mill,adler", held)
    (fault,) = faults_of(held)
    assert fault.line == line_of(held, UNITS, "adler")


def test_empty_lines_are_counted():
    held = changed(UNITS, "alder-mill,alder", "\n\nalder-mill,adler")
    (fault,) = faults_of(held)
    assert fault.line == line_of(held, UNITS, "adler")


@pytest.mark.parametrize("file", [AREAS, UNITS, GROUPS])
def test_table_without_rows_is_a_fault_of_that_file(file):
    header = sound()[file].split(b"\n")[0] + b"\n"
    assert f"lakeland/{file}" in {fault.file for fault in faults_of({**sound(), file: header})}


@pytest.mark.parametrize("file", ["rules.toml", "sources.toml", AREAS, UNITS, GROUPS])
def test_missing_file_is_named(file):
    held = sound()
    del held[file]
    (fault,) = faults_of(held)
    assert (fault.file, fault.what) == (f"lakeland/{file}", "the file is missing")
    assert "tallyroom plan new" in fault.remedy


NEEDED = ["rules.toml", "sources.toml", AREAS, UNITS, GROUPS]
ALL = [*NEEDED, PUBLISHED]


def with_a_fault_in_every_file():
    """The files, and the part of each where a fault stands that needs no other file to be seen."""
    held = changed("rules.toml", "minimum = 1", "minimum = -1")
    held = changed("sources.toml", 'title = "Results', 'tittle = "Results', held)
    held = changed(AREAS, "7,delegates", "-7,delegates", held)
    held = changed(UNITS, "Mill,precinct,1", "Mill,precinct,-1", held)
    held = changed(GROUPS, "Elder,candidate", "Elder,person", held)
    return changed(PUBLISHED, HERALD, HERALD.replace("293", "many"), held)


UNREADABLE = {"missing": None, "no text": b"id\n\xff\xfe", "broken": b'id,"level\n = [\n'}


@pytest.mark.parametrize("how", UNREADABLE)
@pytest.mark.parametrize("gone", powerset(ALL), ids=lambda gone: "+".join(gone) or "none")
def test_file_that_cannot_be_read_hides_no_fault_of_another(gone, how):
    """Whichever files are gone: they are named, and so is the fault of each of the others; nothing else is."""
    held = with_a_fault_in_every_file()
    elsewhere = {fault for fault in faults_of(held) if fault.file.removeprefix("lakeland/") not in gone}
    assert {fault.file.removeprefix("lakeland/") for fault in elsewhere} == set(ALL) - set(gone)
    found = faults_of({**held, **dict.fromkeys(gone, UNREADABLE[how])})
    named = {fault.file.removeprefix("lakeland/") for fault in found if fault not in elsewhere}
    assert elsewhere <= set(found)
    assert named == set(gone) - ({PUBLISHED} if how == "missing" else set())
    assert len(found) == len(elsewhere) + len(named)


@pytest.mark.parametrize("how", UNREADABLE)
@pytest.mark.parametrize("gone", powerset(ALL)[1:], ids="+".join)
def test_what_a_file_would_have_said_is_not_held_against_the_others(gone, how):
    """Sound files beside those that cannot be read stay sound."""
    found = (
        ()
        if how == "missing" and gone == (PUBLISHED,)
        else faults_of(dict(sound(), **dict.fromkeys(gone, UNREADABLE[how])))
    )
    expected = [file for file in ALL if file in gone and not (how == "missing" and file == PUBLISHED)]
    assert sorted(fault.file for fault in found) == sorted(f"lakeland/{file}" for file in expected)


@pytest.mark.parametrize("areas", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("there", [True, False])
def test_readings_that_areas_decide_about_wait_for_the_areas(areas, there):
    """Whether anything is shared by attendance stands in areas.csv alone."""
    held = {**sound(), AREAS: areas}
    text = held["rules.toml"].decode()
    for point in () if there else ("satellite_weight", "out_of_state_pool"):
        start = text.index(f'[[reading]]\nname = "{point}"')
        text = text[:start] + text[text.index("[[reading]]", start + 1) :]
    assert {fault.file for fault in faults_of({**held, "rules.toml": text.encode()})} == {"lakeland/areas.csv"}


def test_files_that_are_missing_are_named_first():
    held = with_a_fault_in_every_file()
    del held[UNITS]
    assert faults_of(held)[0].what == "the file is missing"


def test_figures_may_be_left_out():
    held = sound()
    del held[PUBLISHED]
    assert load(Shelf(held)).published == ()


@pytest.mark.parametrize("file", ["rules.toml", "sources.toml", AREAS, UNITS, GROUPS, PUBLISHED])
def test_bytes_that_are_no_text_are_named_with_their_line(file):
    lines = sound()[file].split(b"\n")
    lines[1] += b"\xff"
    (fault,) = faults_of({**sound(), file: b"\n".join(lines)})
    assert (fault.file, fault.line) == (f"lakeland/{file}", 2)
    assert "is not UTF-8" in fault.what


@pytest.mark.parametrize("file", ["rules.toml", "sources.toml", AREAS, UNITS, GROUPS, PUBLISHED])
def test_broken_file_brings_no_faults_of_others_with_it(file):
    broken = b"[contest\n" if file.endswith(".toml") else b'id,"level\n'
    assert {fault.file for fault in faults_of({**sound(), file: broken})} == {f"lakeland/{file}"}


def test_document_register_without_documents_does_not_excuse_the_rules():
    (fault,) = faults_of({**sound(), "sources.toml": b"\n"})
    assert fault.what == "there is no document"


def test_byte_order_mark_and_line_ends_of_other_systems_change_nothing():
    plain = load(Shelf(sound()))
    marked = load(Shelf({name: b"\xef\xbb\xbf" + content for name, content in sound().items()}))
    assert marked == plain
    foreign = load(Shelf({name: content.replace(b"\n", b"\r\n") for name, content in sound().items()}))
    assert (foreign.units, foreign.readings, foreign.published) == (plain.units, plain.readings, plain.published)


def test_faults_of_all_files_are_told_together():
    held = changed("rules.toml", "smallest-realigns", "largest-realigns")
    held = changed("rules.toml", 'in_force = "larger"', 'in_force = "last"', held)
    held = changed("sources.toml", 'title = "Results', 'tittle = "Results', held)
    held = changed(AREAS, "Dale,south", "Dale,soth", held)
    held = changed(UNITS, "Mill,precinct,1", "Mill,precinct,-1", held)
    held = changed(GROUPS, "Elder,candidate", "Elder,person", held)
    held = changed(PUBLISHED, HERALD, HERALD.replace("293", "many"), held)
    assert [(fault.file, fault.line) for fault in faults_of(held)] == [
        ("lakeland/rules.toml", line_of(held, "rules.toml", "largest-realigns")),
        ("lakeland/rules.toml", line_of(held, "rules.toml", 'in_force = "last"')),
        ("lakeland/sources.toml", line_of(held, "sources.toml", "[lakeland-herald-2031]")),
        ("lakeland/groups.csv", line_of(held, GROUPS, "person")),
        ("lakeland/areas.csv", line_of(held, AREAS, "soth")),
        ("lakeland/units.csv", line_of(held, UNITS, "-1,A-4")),
        ("lakeland/published.csv", line_of(held, PUBLISHED, "many")),
    ]
