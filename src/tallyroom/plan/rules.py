"""`rules.toml` and `sources.toml` read value by value: every fault is found, each with its line."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tallyroom.faults import Fault
from tallyroom.plan.closest import closest
from tallyroom.plan.fields import Missing, is_list, is_table, shown
from tallyroom.plan.form import FORM, FORMAT
from tallyroom.plan.lines import Lines
from tallyroom.plan.types import ELECTING, Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallyroom.plan.form import Table

Row = dict[str, Any]  # values of one table by key: typed by its `Field`s, one by one


@dataclass(slots=True)
class Rules:
    """Values of `rules.toml` by table, with their lines, and the faults found on the way."""

    file: str
    lines: Lines
    tables: dict[str, list[Row]] = field(default_factory=dict[str, list[Row]])
    faults: list[Fault] = field(default_factory=list[Fault])

    def fault(self, what: str, remedy: str, table: str, place: int = 0, key: str = "") -> None:
        """Note a fault at a table or key."""
        self.faults.append(Fault(what, remedy, self.file, self.lines.of(table, place, key)))

    @property
    def broken(self) -> bool:
        """Whether the file could not be read at all: what it says cannot be held against other files."""
        return not self.tables

    def one(self, table: str) -> Row:
        """Give the values of a table that stands once; empty if it is missing."""
        return next(iter(self.tables.get(table, ())), Row())

    def many(self, table: str) -> Sequence[Row]:
        """Give the values of a table that may stand more than once."""
        return self.tables.get(table, [])


def parse_toml(text: str, file: str) -> tuple[Mapping[str, object], Fault | None]:
    """Parse TOML; a file that is none gives a fault with its line."""
    try:
        return tomllib.loads(text), None
    except (ValueError, RecursionError) as error:
        # Numbers of thousands of digits and endless nesting are refused by Python itself, without a line.
        message = str(error)
        line = message.rpartition("(at line ")[2].partition(",")[0]
        what = f"this is not TOML: {message.partition(' (at ')[0].rstrip('.')}"
        return {}, Fault(what, "Correct the line.", file, int(line) if line.isdigit() else text.count("\n") + 1)


def read_rules(text: str, file: str, documents: Mapping[str, object]) -> Rules:
    """Read all tables of `rules.toml`; `documents` are those that sources may name, not checked if there are none."""
    raw, broken = parse_toml(text, file)
    rules = Rules(file, Lines(text))
    if broken is not None:
        rules.faults.append(broken)
        return rules
    version = raw.get("format")
    if isinstance(version, bool) or version != FORMAT:
        what = "the format is not stated" if version is None else f"format {shown(version)} is not known"
        rules.fault(what, f"Write format = {FORMAT} above all tables.", "format")
    for name in raw:
        if name not in FORM and name != "format":
            rules.fault(f"there is no table {name!r}", closest(name, tuple(FORM)), name)
    for name, table in FORM.items():
        found = raw.get(name)
        if table.electing and not _elects(rules):
            if found:
                what = f"table {name} is there, but no delegates are elected in the places of a {_kind(rules)}"
                rules.fault(what, "Leave it out, or correct the kind of the contest.", name)
            rules.tables[name] = []
            continue
        rules.tables[name] = _rows(rules, name, table, found, documents)
    return rules


def _kind(rules: Rules) -> str:
    """Give the kind of the contest; where it could not be read, that with every table."""
    return rules.one("contest").get("kind", "caucus")


def _elects(rules: Rules) -> bool:
    return _kind(rules) in ELECTING


def _rows(rules: Rules, name: str, table: Table, found: object, documents: Mapping[str, object]) -> list[Row]:
    written = f"[[{name}]]" if table.many else f"[{name}]"
    if found is None or found == []:
        if table.required:
            rules.fault(f"table {written} is missing", f"Add it: {table.meaning}", name)
        return []
    if not (is_list(found) if table.many else is_table(found)):
        rules.fault(f"{name} is not written as {written}", f"Write {written} above its keys.", name)
        return []
    rows = found if is_list(found) else [found]
    tables = [row for row in rows if is_table(row)]
    if len(tables) < len(rows):
        rules.fault(f"{name} holds what is not a table", f"Write {written} above the keys of each.", name)
    return [_row(rules, name, table, place, row, documents) for place, row in enumerate(tables)]


def _row(
    rules: Rules, name: str, table: Table, place: int, found: Mapping[str, object], documents: Mapping[str, object]
) -> Row:
    row: Row = {}
    for key in found:
        if key not in table.fields:
            rules.fault(f"table {name} has no key {key!r}", closest(key, tuple(table.fields)), name, place, key)
    for key, form in table.fields.items():
        if key not in found:
            if isinstance(form.default, Missing):
                what = f"{name} has no source" if key == "source" else f"key {key!r} of table {name} is missing"
                remedy = "Name the document the rule stands in." if key == "source" else f"Add it: {form.meaning}."
                rules.fault(what, remedy, name, place)
            else:
                row[key] = form.default
            continue
        try:
            row[key] = form.read(found[key])
        except ValueError as error:
            rules.fault(f"{name}.{key}: {error}", f"Expected: {form.meaning}.", name, place, key)
            continue
        source = row[key]
        if documents and isinstance(source, Source) and source.document not in documents:
            what = f"{name}.{key} names document {source.document!r}, which sources.toml does not have"
            rules.fault(what, closest(source.document, tuple(documents)), name, place, key)
    return row


def read_sources(text: str, file: str) -> tuple[Mapping[str, dict[str, str]], list[Fault]]:
    """Read `sources.toml`: a table a document, with at least a title and where it is."""
    raw, broken = parse_toml(text, file)
    if broken is not None:
        return {}, [broken]
    lines, faults, documents = Lines(text), list[Fault](), dict[str, dict[str, str]]()
    for name, row in raw.items():
        if not is_table(row):
            faults.append(Fault(f"{name!r} is not a table", f"Write [{name}] above its keys.", file, lines.of(name)))
            continue
        texts = {key: value for key, value in row.items() if isinstance(value, str)}
        documents[name] = texts
        faults += [
            Fault(f"{key} of document {name} is not a text", "Put it in quotation marks.", file, lines.of(name, 0, key))
            for key in row
            if key not in texts
        ]
        faults += [
            Fault(f"document {name} has no {key}", f"Add its {key}.", file, lines.of(name))
            for key in ("title", "where")
            if not texts.get(key, "").strip()
        ]
    if not documents and not faults:
        faults.append(Fault("there is no document", "Add those that the rules stand in, [name] above each.", file, 1))
    return documents, faults
