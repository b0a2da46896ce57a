"""Where a key stands in a TOML file is known even where its parser does not say."""

from __future__ import annotations

from plan.folders import Shelf, faults_of, line_of, sound
from tallyroom.plan.folder import load
from tallyroom.plan.lines import Lines

TEXT = '''\
format = 1

[contest]
id = "here"
summary = """
id = "not here"
[lots]
"""
levels = [
  "state",
]

[[stage]]
id = "first"
[stage.source]
document = "plan"

[[stage]]  # the second
"id" = "final"
source.document = "plan"
'''


def test_tables_and_keys():
    lines = Lines(TEXT)
    assert lines.of("format") == 1
    assert lines.of("contest") == 3
    assert lines.of("contest", 0, "id") == 4
    assert lines.of("contest", 0, "levels") == 9
    assert (lines.of("stage", 0, "id"), lines.of("stage", 1, "id")) == (14, 19)


def test_text_over_several_lines_is_not_looked_into():
    assert Lines(TEXT).of("lots") is None


def test_quotation_marks_of_the_other_kind_do_not_end_a_text():
    lines = Lines("a = '''\n\"\"\"\nb = 1\n'''\nc = 1\n")
    assert (lines.of("", 0, "b"), lines.of("", 0, "c")) == (None, 5)


def test_source_in_a_table_of_its_own():
    assert Lines(TEXT).of("stage", 0, "source") == 15
    assert Lines(TEXT).of("stage", 1, "source") == 20


def test_missing_key_is_placed_at_its_table():
    assert Lines(TEXT).of("stage", 1, "may_move") == 18


def test_carriage_returns_do_not_count_twice():
    assert Lines(TEXT.replace("\n", "\r\n")).of("stage", 1, "id") == 19


def test_every_key_of_a_real_plan_is_found_where_it_stands():
    text = sound()["rules.toml"].decode()
    lines, place = Lines(text), -1
    for number, line in enumerate(text.split("\n"), 1):
        place += line == "[[reading]]"
        if line.startswith("in_force"):
            assert lines.of("reading", place, "in_force") == number
    assert place == 8


def test_sources_may_be_tables_of_their_own():
    held = sound()
    text = held["rules.toml"].decode()
    inline = 'source = { document = "lakeland-handbook-2031", section = "6 Ties" }\n'
    assert inline in text
    apart = '[lots.source]\ndocument = "lakeland-handbook-2031"\nsection = "6 Ties"\n'
    held = {**held, "rules.toml": text.replace(inline, apart).encode()}
    assert load(Shelf(held)).rules["lots"] == load(Shelf(sound())).rules["lots"]
    held["rules.toml"] = held["rules.toml"].replace(
        b'[lots.source]\ndocument = "lakeland-h', b'[lots.source]\ndocument = "h'
    )
    (fault,) = faults_of(held)
    assert fault.line == line_of(held, "rules.toml", "[lots.source]")
