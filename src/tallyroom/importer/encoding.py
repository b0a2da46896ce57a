"""Which code page a text file is written in, decided by the bytes themselves."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterable

CODE_PAGES = ("cp1252", "cp437", "mac-roman")
"""What American offices have typed in before UTF-8, the likeliest first."""

CHUNK = 1 << 20
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTEXT = re.compile(rb"(?s).?[\x80-\xff]+.?")
_CONTEXTS = 5_000
"""So many words with a strange letter are evidence enough."""
_LETTERS = frozenset("áàâäãåéèêëíìîïóòôöõúùûüñçßøæœÁÀÂÄÃÅÉÈÊËÍÌÎÏÓÒÔÖÕÚÙÛÜÑÇØÆŒ")
_MARKS = frozenset("’‘“”–—…\u00a0")


@dataclass(frozen=True, slots=True)
class Encoding:
    """A code page: Python's name for it, and the bytes of the mark before the text."""

    name: str
    mark: int = 0


def encoding_of(stream: BinaryIO) -> Encoding:
    """Look through a whole file, in pieces, and say how it is written. The stream is left anywhere.

    A byte-order mark settles it; then bytes that only UTF-16 has; then whether it is UTF-8 (up to one bad letter in
    five, for files glued together); then the code page that makes words of the bytes above 127. No digit depends on
    the answer: all of these write digits alike.
    """
    stream.seek(0)
    beginning = stream.read(4096)
    for mark, name in _BOMS:
        if beginning.startswith(mark):
            return Encoding(name, len(mark))
    if wide := _wide(beginning):
        return Encoding(wide)
    stream.seek(0)
    good, bad, contexts = _as_utf8(stream)
    if 4 * bad <= good:
        return Encoding("utf-8")
    return Encoding(max(CODE_PAGES, key=lambda page: _likeness(contexts, page)))


def _wide(beginning: bytes) -> str:
    """UTF-16 without a mark: every other byte of plain letters is zero."""
    pairs = len(beginning) // 2
    first, second = beginning[0 : 2 * pairs : 2].count(0), beginning[1 : 2 * pairs : 2].count(0)
    if pairs < 2:
        return ""
    if second > 0.6 * pairs and first < 0.1 * pairs:
        return "utf-16-le"
    return "utf-16-be" if first > 0.6 * pairs and second < 0.1 * pairs else ""


def _as_utf8(stream: BinaryIO) -> tuple[int, int, list[bytes]]:
    """Letters beyond ASCII that are UTF-8, bytes that are not, and where bytes above 127 stand."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    good = bad = 0
    contexts = list[bytes]()
    while True:
        piece = stream.read(CHUNK)
        if piece and piece.isascii():
            bad += decoder.decode(piece).count("\ufffd")
            continue
        text = decoder.decode(piece, final=not piece)
        wrong = text.count("\ufffd")
        bad += wrong
        good += len(text) - wrong - len(text.encode("ascii", "ignore"))
        if len(contexts) < _CONTEXTS:
            contexts += _CONTEXT.findall(piece)[:_CONTEXTS]
        if not piece:
            return good, bad, contexts


def _likeness(contexts: Iterable[bytes], page: str) -> int:
    """How much a code page makes words of bytes: letters of the neighbours' case count, signs inside words weigh."""
    score = 0
    for context in contexts:
        text = context.decode(page, "replace")
        for place, letter in enumerate(text):
            if letter > "\x7f":
                before = text[place - 1] if place else " "
                after = text[place + 1] if place + 1 < len(text) else " "
                score += _weight(letter, before, after)
    return score


def _weight(letter: str, before: str, after: str) -> int:
    if letter == "\ufffd":
        return -20
    if letter in _LETTERS:
        if letter.isupper() and (before.islower() or (after.islower() and before.isalpha())):
            return -2
        if not before.isalpha():
            return -2 if letter.islower() and after.isupper() else 2 if after.isalpha() else 0
        return 3
    if letter in _MARKS:
        return 1
    return -3 if before.isalpha() or after.isalpha() else -1
