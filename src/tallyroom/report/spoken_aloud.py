"""The short forms of a spoken sheet: a card to read from, sentences for a voice, keys for a telephone."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeAlias

from tallyroom.report.spoken_heard import Misheard, Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallyroom.report.spoken import Spoken, SpokenLine

Language: TypeAlias = Literal["en", "es"]
"""Languages a sheet can be said in."""

_DIGITS = {
    "en": ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    "es": ("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"),
}
_LINE = {"en": "Line {0}: {1}, check {2}.", "es": "Línea {0}: {1}, control {2}."}
_BLANK = {"en": "Line {0}: blank, check {1}.", "es": "Línea {0}: en blanco, control {1}."}
_BLANKS = {"en": "Lines {0} to {1}: blank, checks {2}.", "es": "Líneas {0} a {1}: en blanco, controles {2}."}
_CODE = {"en": "Sheet code: {0}.", "es": "Código de la hoja: {0}."}
_KEYS = re.compile(r"(?:\*?[0-9]+#)+")


def digits(text: str, language: Language) -> str:
    """Say digits one by one: never `thirteen`, which is heard as thirty."""
    return " ".join(_DIGITS[language][int(digit)] for digit in text)


def sentences(sheet: Spoken, language: Language = "en") -> tuple[str, ...]:
    """Give what a voice says: a sentence a line, one for a run of blanks, and the code at the end."""
    told: list[str] = []
    for blanks, lines in _runs(sheet):
        numbers = [digits(str(line.line.number), language) for line in lines]
        checks = [digits(line.check, language) for line in lines]
        if blanks and len(lines) > 1:
            told.append(_BLANKS[language].format(numbers[0], numbers[-1], " ".join(checks)))
        elif blanks:
            told.append(_BLANK[language].format(*numbers, *checks))
        else:
            counts = [digits(str(line.count), language) for line in lines]
            told.extend(map(_LINE[language].format, numbers, counts, checks))
    return (*told, _CODE[language].format(digits(sheet.code, language)))


def card(sheet: Spoken) -> str:
    """Give the card to read from: line, count, check and title in columns, then the code."""
    counts = ["blank" if line.count is None else line.count for line in sheet.lines]
    rows = [
        f"{line.line.number:>3}  {count:>9}  check {line.check}  {line.line.title}"
        for line, count in zip(sheet.lines, counts, strict=True)
    ]
    return "\n".join([*rows, f"sheet code {sheet.code}"])


def keys(sheet: Spoken) -> str:
    """Give the keys of a telephone: for each line its count (`*` if blank), check and `#`; then the code and `#`."""
    lines = (f"{'*' if line.count is None else line.count}{line.check}#" for line in sheet.lines)
    return "".join(lines) + f"{sheet.code}#"


def keyed(pressed: str) -> tuple[tuple[Said, ...], str] | Misheard:
    """Give the lines and the code that keys say, for `spoken_heard.heard`; or what to ask."""
    if not _KEYS.fullmatch(pressed):
        return Misheard(None, "these keys are no sheet", "Ask for each line's digits, its check and the number sign.")
    *lines, code = pressed.removesuffix("#").split("#")
    for number, line in enumerate(lines, start=1):
        if len(line) < 2 or (line.startswith("*") and len(line) > 2):
            what = f"line {number} is {line!r}: there must be a count, or * for a blank, and one check digit"
            return Misheard(number, what, f"Ask for line {number} again, digit by digit, with its check.")
    return tuple(Said(number, line[:-1].strip("*"), line[-1]) for number, line in enumerate(lines, start=1)), code


def _runs(sheet: Spoken) -> Iterator[tuple[bool, list[SpokenLine]]]:
    """Give the lines in order, the blank ones together."""
    for blanks, lines in groupby(sheet.lines, key=lambda line: line.count is None):
        yield blanks, list(lines)
