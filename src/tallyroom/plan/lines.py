"""On which line of a TOML file a table or key stands: the parser of the standard library does not say."""

from __future__ import annotations

import re

_TABLE = re.compile(r"\s*\[\[?\s*\"?([A-Za-z0-9_.-]+)\"?\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*\"?([A-Za-z0-9_-]+)\"?\s*[.=]")
_QUOTES = re.compile(r"\"\"\"|'''")


class Lines:
    """Lines of tables and keys by name, place in the array of tables, and key; counted from 1."""

    def __init__(self, text: str) -> None:
        self._found: dict[tuple[str, int, str], int] = {}
        table, place, seen, inside = "", 0, dict[str, int](), ""
        for number, line in enumerate(text.split("\n"), 1):
            was_inside, inside = inside, _left_open(line, inside)
            if was_inside:
                continue
            if match := _TABLE.match(line):
                table = match[1]
                place = seen.get(table, 0)
                seen[table] = place + 1
                self._found[table, place, ""] = number
            elif match := _KEY.match(line):
                self._found.setdefault((table, place, match[1]), number)

    def of(self, table: str, place: int = 0, key: str = "") -> int | None:
        """Give the line of a key, else of its table; None if neither is there."""
        for sought in ((table, place, key), (f"{table}.{key}", place, ""), (table, place, ""), ("", 0, table)):
            if sought in self._found:
                return self._found[sought]
        return None


def _left_open(line: str, inside: str) -> str:
    """Give the quotation mark of a text over several lines that is open after this line; empty if none is."""
    for match in _QUOTES.finditer(line):
        if not inside:
            inside = match[0]
        elif inside == match[0]:
            inside = ""
    return inside
