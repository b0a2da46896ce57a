"""Which place or group of the plan a text names: certainly, perhaps, or none at all."""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from hashlib import sha256
from typing import TYPE_CHECKING

from tallyroom.importer.fold import NAME_CHARACTERS, folded, joined, tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from tallyroom.plan.types import Plan

NEAR = 0.8
"""How alike two names must be for one to be a slip of the keyboard (difflib's ratio)."""
CLEARLY = 0.05
"""How much closer the closest must be than the next."""
GUESSES = 2_000
"""So many different unknown names are looked at closely; a file with more is of another contest."""

_LONG = {
    "twp": "township", "tp": "township", "twnshp": "township", "pct": "precinct", "prec": "precinct", "pr": "precinct",
    "p": "precinct", "pcnt": "precinct", "w": "ward", "wd": "ward", "st": "saint", "ste": "saint", "mt": "mount",
    "mtn": "mountain", "ft": "fort", "n": "north", "s": "south", "e": "east", "ne": "northeast", "nw": "northwest",
    "se": "southeast", "sw": "southwest", "ctr": "center", "centre": "center", "cty": "city", "co": "county",
    "cnty": "county", "vlg": "village", "vil": "village", "bldg": "building", "sch": "school", "elem": "elementary",
    "hs": "high school", "comm": "community", "univ": "university", "lib": "library", "no": "", "num": "", "and": "",
    "the": "", "of": "", "at": "", "hosp": "hospital", "ch": "church", "harbour": "harbor", "hq": "headquarters",
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "one": "1", "two": "2", "three": "3",
    "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "i": "1", "ii": "2",
    "iii": "3", "iv": "4", "v": "5", "vi": "6", "dist": "district", "hall": "hall", "dr": "", "mr": "", "mrs": "",
    "ms": "", "sen": "", "rep": "", "gov": "", "th": "", "nd": "", "rd": "",
}  # fmt: skip
"""What people shorten; a name that only matches this way is always asked about."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class Match:
    """What a text names.

    Attributes:
        ids: everything that it may name: one, or several that are written alike.
        certain: it is written as the plan writes it, but for case, marks, blanks, punctuation and leading zeros.
        how: what is different otherwise, for a sentence.
    """

    ids: tuple[str, ...]
    certain: bool = False
    how: str = ""


NOTHING = Match(())


class Names:
    """Names of things, to be found by what people write.

    Args:
        named: id -> all its names.
        digests: SHA-256 (hex) of a name that must not be known -> id.
    """

    def __init__(self, named: Mapping[str, Iterable[str]], digests: Mapping[str, str] | None = None) -> None:
        self._exact, self._folded = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        self._long, self._words = defaultdict[str, set[str]](set), defaultdict[frozenset[str], set[str]](set)
        self._digests = digests or {}
        self._guesses = 0
        self._known: dict[tuple[str, str], Match] = {}
        for thing, names in named.items():
            for name in names:
                self._exact[name.strip()].add(thing)
                if fold := folded(name):
                    self._folded[fold].add(thing)
                    longer = _longer(tokens(name))
                    self._long[joined(longer)].add(thing)
                    self._words[frozenset(longer)].add(thing)

    def certain(self, text: str, within: Collection[str] | None = None) -> tuple[str, ...]:
        """Give what a text names as the plan writes it, within some ids; several if they are written alike."""
        for found in (self._exact.get(text.strip()), self._folded.get(folded(text))):
            if found and (inside := _inside(found, within)):
                return inside
        if self._digests and (hidden := self._digests.get(_digest(text))) and (within is None or hidden in within):
            return (hidden,)
        return ()

    def match(self, text: str, within: Collection[str] | None = None, scope: str = "") -> Match:
        """Give what a text names or may name. `scope` is a name for `within`: the same scope, the same ids."""
        if len(text) > NAME_CHARACTERS:
            return NOTHING
        key = scope, text
        if key not in self._known:
            if len(self._known) > 20_000:
                self._known.clear()
            self._known[key] = self._match(text, within)
        return self._known[key]

    def _match(self, text: str, within: Collection[str] | None) -> Match:
        if found := self.certain(text, within):
            return Match(found, certain=True)
        for told, undone in _undone(text):
            if found := self.certain(undone, within):
                return Match(found, how=told)
        longer = _longer(tokens(text))
        for how, found in (
            ("it is shortened", self._long.get(joined(longer))),
            ("its words stand in another order", self._words.get(frozenset(longer))),
        ):
            if longer and found and (inside := _inside(found, within)):
                return Match(inside, how=how)
        self._guesses += 1
        return self._guess(longer, within) if self._guesses <= GUESSES else NOTHING

    def _guess(self, longer: tuple[str, ...], within: Collection[str] | None) -> Match:
        """Find the one name that a text may be a slip or a part of; numbers in it must be the same."""
        wanted, words = joined(longer), set(longer)
        if len(wanted) < 2:
            return NOTHING
        numbers = [word for word in longer if word.isdigit()]
        parts, near = set[str](), dict[str, float]()
        matcher = SequenceMatcher(b=wanted)
        for name, things in self._long.items():
            inside = _inside(things, within)
            if inside and re.findall(r"[0-9]+", name) == numbers:
                matcher.set_seq1(name)
                likeness = _likeness(matcher, wanted, name)
                for thing in inside:
                    near[thing] = max(near.get(thing, 0), likeness)
        for known, things in self._words.items():
            if sorted(word for word in known if word.isdigit()) != sorted(set(numbers)):
                continue
            if (words < known and any(len(word) > 1 for word in words)) or (known and known < words):
                parts.update(_inside(things, within))
        if len(parts) == 1:
            return Match(tuple(parts), how="it has other words beside it, or lacks some")
        ranked = sorted(near.items(), key=lambda found: -found[1])
        if ranked and ranked[0][1] >= NEAR and (len(ranked) == 1 or ranked[0][1] - ranked[1][1] >= CLEARLY):
            return Match((ranked[0][0],), how="it is written nearly so")
        return Match(tuple(sorted(parts)), how="it may be several") if 1 < len(parts) <= 8 else NOTHING


def places(plan: Plan) -> Names:
    """Give the names of a plan's units: name, id, aliases, and each with its area's name before it."""
    named = dict[str, list[str]]()
    for unit in plan.units.values():
        area = plan.areas[unit.area].name
        own = [unit.name, *unit.aliases]
        named[unit.id] = [unit.id, *own, *(f"{area} {name}" for name in own)]
    return Names(named, {unit.name_digest: unit.id for unit in plan.units.values() if unit.name_digest})


def groups(plan: Plan) -> Names:
    """Give the names of a plan's preference groups."""
    return Names({group.id: [group.id, group.name] for group in plan.groups.values()})


def areas(plan: Plan) -> Names:
    """Give the names of a plan's areas, alone and with the word for their level."""
    return Names(
        {
            area.id: [area.id, area.name, f"{area.name} {area.level}", f"{area.level} {area.name}"]
            for area in plan.areas.values()
        }
    )


def _inside(found: Collection[str], within: Collection[str] | None) -> tuple[str, ...]:
    return tuple(sorted(found if within is None else (thing for thing in found if thing in within)))


def _digest(text: str) -> str:
    return sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()


def _longer(words: tuple[str, ...]) -> tuple[str, ...]:
    """Write out what is shortened, and leave out what says nothing."""
    written = (part for word in words for part in _LONG.get(word, word).split())
    return tuple(written)


def _likeness(matcher: SequenceMatcher[str], one: str, other: str) -> float:
    """How alike two names are; the same letters in another order are a slip of the keyboard in short names too."""
    if len(one) > 2 and len(one) == len(other) and sorted(one) == sorted(other):
        return 0.95
    # The two quick bounds spare the long comparison for nearly every pair.
    if matcher.real_quick_ratio() < NEAR - CLEARLY or matcher.quick_ratio() < NEAR - CLEARLY:
        return 0
    return matcher.ratio()


def _undone(text: str) -> Iterable[tuple[str, str]]:
    """Give what may have been typed before a spreadsheet made a date or a number of it, the likeliest first."""
    cell, told = text.strip(), "a spreadsheet made a date of it"
    with suppress(UnicodeError):
        yield "its letters were encoded twice", cell.encode("cp1252").decode("utf-8") if not cell.isascii() else ""
    if found := re.fullmatch(r"(\d{1,2})[-/ ]([A-Za-z]{3})[a-z]*", cell):
        yield from ((told, typed) for typed in _typed(_month(found[2]), found[1]))
    elif found := re.fullmatch(r"([A-Za-z]{3})[a-z]*[-/ ](\d{2,4})", cell):
        yield from ((told, typed) for typed in _typed(_month(found[1]), found[2]))
    elif found := re.fullmatch(r"(?:\d{4}-)?(\d{1,2})[-/](\d{1,2})(?:/\d{2,4}|[ T]00:00(?::00)?)?", cell):
        yield from ((told, typed) for typed in _typed(int(found[1]), found[2]))
    elif found := re.fullmatch(r"(\d+)(?:\.(0+|\d+))?[Ee]\+?(\d+)", cell):
        zeros = "" if not found[2] or not found[2].strip("0") else f".{found[2]}"
        yield "a spreadsheet made a number of it", f"{found[1]}{zeros}E{int(found[3])}"
    elif found := re.fullmatch(r"(\d+)\.0+", cell):
        yield "a spreadsheet made a number of it", found[1]


def _typed(month: int, rest: str) -> Iterable[str]:
    if month:
        yield from (f"{month}-{int(rest)}", f"{int(rest)}-{month}", f"{month}/{int(rest)}")


def _month(name: str) -> int:
    return _MONTHS.index(name.lower()) + 1 if name.lower() in _MONTHS else 0
