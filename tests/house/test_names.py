"""Law is data: no contest, state, party or candidate is named in code; that is what plans are for.

Strings and identifiers name none at all. Comments and docstrings may name the state, party or contest a rule was
learned from, as its source; a candidate stands nowhere, save in a repository's owner/name that is a source.
The fictional contest's groups are trees, and a tree may stand for a group in an example.
"""

from __future__ import annotations

import ast
import csv
import io
import re
import tokenize

import pytest

from house.house import SOURCE, docstrings, files, modules, name_of, tree

FICTIONAL = {"lakeland-2031"}
PARTIES = {"democratic", "democrat", "democrats", "republican", "republicans", "libertarian", "dnc", "rnc", "idp"}
ENGLISH = {"clay", "fremont", "lee", "page", "story", "union", "worth", "state"}
"""Names of places that are also words of the field or of the language."""


def rows(plan, name):
    with (plan / name).open(encoding="utf-8-sig", newline="") as lines:
        yield from csv.DictReader(lines)


def plans():
    return [plan for plan in sorted((SOURCE / "plans").iterdir()) if plan.is_dir()]


def real_plans():
    return [plan for plan in plans() if plan.name not in FICTIONAL]


def candidates():
    return {
        word.casefold()
        for plan in real_plans()
        for row in rows(plan, "groups.csv")
        if row["kind"] == "candidate"
        for word in (row["id"], row["name"])
    }


def places():
    """Names of states and counties that cannot be mistaken for an ordinary word."""
    return {
        row["name"].casefold()
        for plan in real_plans()
        for row in rows(plan, "areas.csv")
        if row["level"] in {"state", "county"} and "satellite" not in row["id"]
    } - ENGLISH


def contests():
    return {plan.name for plan in plans()}


def naming(words):
    longest_first = sorted(words, key=len, reverse=True)
    # An underscore joins words in an identifier, so it bounds a name as a blank does.
    return re.compile(rf"(?<![a-z0-9])({'|'.join(map(re.escape, longest_first))})(?![a-z0-9])", re.IGNORECASE)


STRICT = naming(candidates() | places() | contests() | PARTIES)
NOWHERE = naming(candidates())
REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")


def identifiers(node):
    """The names a node of the syntax tree brings in."""
    for field in ("id", "attr", "name", "arg", "asname", "module"):
        word = getattr(node, field, None)
        if isinstance(word, str):
            yield word


def test_the_words_are_there():
    assert {"sanders", "buttigieg"} <= candidates()
    assert {"iowa", "polk", "van buren"} <= places()
    assert {"iowa-2020"} <= contests()


@pytest.mark.parametrize("text", ["Polk", "iowa_rules", "the-Iowa-way", "VAN BUREN", "sanders"])
def test_a_name_is_found(text):
    assert STRICT.search(text)


@pytest.mark.parametrize("text", ["polka", "warrenty", "unpolk", "page", "worth"])
def test_a_part_of_a_word_is_none(text):
    assert not STRICT.search(text)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_no_contest_is_named_in_code(path):
    module = tree(path)
    documentation = docstrings(module)
    named = []
    for node in ast.walk(module):
        words = list(identifiers(node))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documentation:
            words.append(node.value)
        named += [f"line {node.lineno}: {match[0]!r}" for word in words for match in STRICT.finditer(word)]
    assert named == []


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_no_candidate_is_named_in_words_either(path):
    text = path.read_text(encoding="utf-8")
    spoken = [
        token
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type in {tokenize.COMMENT, tokenize.STRING}
    ]
    assert [
        f"line {token.start[0]}: {match[0]!r}"
        for token in spoken
        for match in NOWHERE.finditer(REPOSITORY.sub("", token.string))
    ] == []


@pytest.mark.parametrize(
    "path",
    files("src/tallyroom", suffixes=(".html", ".sql", ".css", ".js", ".j2", ".svg")) or [None],
    ids=lambda path: name_of(path) if path else "none yet",
)
def test_no_contest_is_named_in_templates(path):
    if path is not None:
        assert STRICT.findall(path.read_text(encoding="utf-8")) == []
