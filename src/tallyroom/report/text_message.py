"""A report typed as a text message: the unit's code, a tag and a number for each line, perhaps `@` and a comment.

`7KM2P9 AAE120 ABH40 ACM0 ADRX RESTX @all went well`: `X` is blank and `0` was counted. `REST0` or `RESTX` says what the
lines that are not named hold; it covers nothing while anything is wrong, for what is wrong may have been a line. Before
the `@`, I and l are read as 1 and O as 0; signs between a tag and its number do no harm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tallyroom.report.check_digits import SPOKEN_LIMIT
from tallyroom.report.spoken import report_of
from tallyroom.report.spoken_count import in_plain_digits, parse_spoken_count
from tallyroom.report.text_message_tags import tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report
    from tallyroom.report.spoken import Line

LONGEST = 2_000
"""Letters before the `@` that are read: what is longer is no report."""
_REPAIR = str.maketrans("ILO|", "1101")
_LOOSE = re.compile(r"(?<=[^\W\d_])[\s:=]+(?=[^\w\s]*[0-9]|X(?![^\W\d_]))")
"""What stands between a tag and its number or X."""
_REST = re.compile(r"REST(?:0?(?P<blank>X)|0+)(?![0-9.])")
"""`RESTO0` has become `REST00`, and `RESTOX` `REST0X`."""
_ITEM = re.compile(r"(?P<letters>[^\W\d_]*)(?P<number>(?:\W|[\d_])*)")
_TAG_LENGTH = 3
_BLANK = "X"
_EDGES = " \t\r\n:=;,/.#*_"
"""Signs that people put between a tag, its number and the next tag."""


class Trouble(StrEnum):
    """What can be wrong with one item of a message."""

    UNKNOWN = "unknown"
    """There is no such tag on the sheet."""
    NO_NUMBER = "no-number"
    """A tag without a number, and without X for a blank."""
    INVALID = "invalid"
    """What follows the tag is not a count."""
    TWICE = "twice"
    """One tag with two numbers."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """One item of a message that cannot be taken.

    Attributes:
        item: as it was read, after repair.
        tag: the tag, if the sheet has it.
        why: a reason in words, where a number itself is at fault.
    """

    trouble: Trouble
    item: str
    tag: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class TextMessage:
    """A message as far as it was understood.

    Attributes:
        code: the first word: who reports, for intake to resolve; empty if there is none.
        counts: by tag; None is a blank that was said.
        missing: tags of the sheet that were neither named nor covered by `REST`, in sheet order.
        wrong: items that cannot be taken, in the order of the message.
        comment: free text behind `@`, as it was typed. It never enters a ledger.
    """

    code: str
    counts: Mapping[str, int | None]
    missing: tuple[str, ...]
    wrong: tuple[Wrong, ...]
    comment: str

    @property
    def whole(self) -> bool:
        """Whether every line has its count or its blank, and nothing is wrong."""
        return not self.missing and not self.wrong


def read_text(message: str, plan: Plan) -> TextMessage:
    """Read a message. Whatever it holds, it is read and can be answered."""
    body, at, _after = in_plain_digits(message).partition("@")
    comment = message[len(body) + len(at) :].strip()
    body = body[:LONGEST]
    code, *items = body.upper().translate(_REPAIR).split(maxsplit=1) or [""]
    text, rest = _rest(_LOOSE.sub("", items[0] if items else ""))
    known = tags(plan)
    counts, wrong = _taken(text, known)
    missing = tuple(tag for tag in known if tag not in counts)
    if rest is not None and not wrong:
        counts |= dict.fromkeys(missing, None if rest == _BLANK else 0)
        missing = ()
    return TextMessage(
        code, {tag: counts[tag] for tag in known if tag in counts}, missing, tuple(wrong), comment.strip()
    )


def joined(earlier: TextMessage, later: TextMessage) -> TextMessage:
    """Give two messages of one unit as one: the later fills what the earlier left open, and never changes a number."""
    twice = tuple(
        Wrong(Trouble.TWICE, f"{tag}{_text(count)}", tag)
        for tag, count in later.counts.items()
        if tag in earlier.counts and earlier.counts[tag] != count
    )
    counts = {**later.counts, **earlier.counts}
    missing = tuple(tag for tag in earlier.missing if tag not in counts)
    mended = tuple(one for one in earlier.wrong if one.tag and one.tag in missing)
    comment = "\n".join(filter(None, (earlier.comment, later.comment)))
    return TextMessage(earlier.code, counts, missing, (*mended, *later.wrong, *twice), comment)


def written(message: TextMessage, plan: Plan, unit: str) -> Report | None:
    """Give the report of a whole message; None while anything is missing or wrong."""
    if not message.whole:
        return None
    return report_of(unit, [message.counts[tag] for tag in tags(plan)], plan)


def _rest(text: str) -> tuple[str, str | None]:
    """Take out what says how the lines not named are: blank or 0."""
    found = _REST.search(text)
    if found is None:
        return text, None
    return text[: found.start()] + " " + text[found.end() :], found["blank"] or "0"


def _taken(text: str, known: Mapping[str, Line]) -> tuple[dict[str, int | None], list[Wrong]]:
    """Give the counts and what is wrong, item by item."""
    counts: dict[str, int | None] = {}
    wrong: list[Wrong] = []
    before = ""
    for letters, number in _items(text):
        found = _count(letters, number, known)
        if isinstance(found, Wrong):
            if found.trouble is Trouble.UNKNOWN and len(letters) < _TAG_LENGTH and before in counts:
                # Letters that are no tag may belong to the number before them: 1e3, 1B for 18.
                found = Wrong(Trouble.INVALID, f"{before}{_text(counts.pop(before))}{letters}{number}", before)
            wrong.append(found)
            before = ""
        elif letters in counts and counts[letters] != found:
            wrong.append(Wrong(Trouble.TWICE, letters + number, letters))
        else:
            counts[letters] = found
            before = letters
    return counts, wrong


def _text(count: int | None) -> str:
    return _BLANK if count is None else str(count)


def _items(text: str) -> Iterator[tuple[str, str]]:
    """Give letters and what follows them up to the next letter; of letters that run on, a tag or a blank at a time."""
    for found in _ITEM.finditer(text):
        letters, number = found["letters"], found["number"].strip(_EDGES)
        while len(letters) > _TAG_LENGTH:
            blank = letters[_TAG_LENGTH] == _BLANK
            yield letters[:_TAG_LENGTH], _BLANK if blank else ""
            letters = letters[_TAG_LENGTH + blank :]
        if letters or number:
            yield letters, number


def _count(letters: str, number: str, known: Mapping[str, Line]) -> int | Wrong | None:
    """Give the count of one item, None if it says blank, or what is wrong with it."""
    if letters not in known:
        return Wrong(Trouble.UNKNOWN, letters + number)
    if number == _BLANK:
        return None
    if not number:
        return Wrong(Trouble.NO_NUMBER, letters, letters)
    try:
        return parse_spoken_count(number, SPOKEN_LIMIT)
    except ValueError as error:
        return Wrong(Trouble.INVALID, letters + number, letters, str(error))
