"""A head as people keep it: one line `COUNT ROOT`, or the last line of an export; read wherever it stands last."""

from __future__ import annotations

import re

import msgspec

from tallyroom.ledger.entry import Head

_LINE = re.compile(r"([0-9]{1,20}) ([0-9a-f]{64})")


class _HeadLine(msgspec.Struct, frozen=True):
    """The fields that every JSON object with a head has; the others do not matter here."""

    count: int
    root: str


_OBJECT = msgspec.json.Decoder(_HeadLine)


def written(head: Head) -> str:
    """Write a head down, as `tallyroom ledger verify` prints it and `read_written` reads it."""
    return f"{head.count} {head.root}"


def read_written(text: str) -> Head | None:
    """Read a head from a text that is one, or ends in one: a kept file, an export, the JSON of a verification."""
    whole = text.strip()
    return _read(whole) or _read(whole.rpartition("\n")[2].strip())


def _read(text: str) -> Head | None:
    if line := _LINE.fullmatch(text):
        return Head(int(line[1]), line[2])
    try:
        found = _OBJECT.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    head = Head(found.count, found.root)
    return head if _LINE.fullmatch(written(head)) else None
