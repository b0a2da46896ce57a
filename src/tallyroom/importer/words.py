"""The words of a county's headings: what is counted, of whom, and where it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.importer.fold import joined, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallyroom.plan.types import Plan

ATTENDANCE = "attendance"
VIABILITY = "viability_number"
DELEGATES = "delegates"
VALUE = "value"
WITHOUT_GROUP = frozenset({ATTENDANCE, VIABILITY})
"""What is counted of the whole place."""

PLACE = frozenset(
    {"precinct", "place", "site", "location", "unit", "ward", "township", "town", "city", "caucus", "satellite"}
    | {"polling", "reporting", "pct", "prec", "venue", "precincts", "places", "locations", "units", "area"}
)
CODE = frozenset({"id", "code", "no", "nr", "key", "fips"})
NUMBER = frozenset({"number", "num"})
GROUP = frozenset({"candidate", "candidates", "group", "groups", "choice", "choices", "preference", "option"})
STAGE = frozenset({"stage", "round", "alignment", "phase", "expression", "tally"})
COUNT = frozenset(
    {"votes", "vote", "count", "counts", "people", "number", "supporters", "persons", "caucusgoers", "members"}
    | {"result", "results", "tally", "head", "headcount", "size", "total", "ballots"}
)
TOTAL = frozenset({"total", "totals", "sum", "subtotal", "sub", "grand", "all", "overall", "subtotals"})
SURE_TOTAL = frozenset({"total", "totals", "sum", "subtotal", "subtotals"})
NOISE = frozenset(
    {"votes", "vote", "count", "counts", "alignment", "expression", "round", "of", "the", "for", "people", "number"}
    | {"stage", "group", "preference", "tally", "in", "at", "after", "by", "candidate", "awarded", "won", "a", "and"}
    | {"results", "result", "ballots", "supporters"}
)
"""Words that change nothing beside a group or a stage."""
ASIDE = frozenset(
    {"registered", "chair", "notes", "note", "comment", "comments", "remarks", "address", "phone", "date", "time"}
    | {"party", "office", "contest", "race", "lat", "lon", "latitude", "longitude", "signed", "signature", "rank"}
    | {"winner", "turnout", "status", "updated", "reported", "source", "url", "email", "zip", "secretary", "photo"}
)
"""Words of columns that hold no counts of this contest; they are named, and left out."""
TITLE = frozenset(
    {"county", "counties", "official", "unofficial", "final", "results", "result", "caucus", "caucuses", "report"}
    | {"precinct", "precincts", "summary", "sheet", "page", "table", "of", "the", "for", "by", "in", "and", "from"}
    | {"returns", "counts", "count", "votes", "canvass", "places", "contd", "continued", "alignment", "vote", "s"}
    | {"preference", "party", "convention", "primary", "election"}
)
"""Words of titles that name no county and no stage."""
PERCENT = frozenset({"percent", "percentage", "percents", "share", "pct", "perc"})
_GENERIC = {
    ATTENDANCE: (
        ("attendance",), ("attending",), ("attendees",), ("attended",), ("present",), ("total", "attendance"),
        ("people", "present"), ("total", "attendees"), ("eligible", "attendees"), ("eligible", "caucus", "attendees"),
        ("eligible", "attendance"), ("number", "present"), ("checked", "in"), ("check", "in"), ("sign", "in"),
        ("total", "present"), ("number", "attending"), ("caucus", "attendance"),
    ),
    VIABILITY: (("viability", "number"), ("viability",), ("viability", "threshold"), ("viability", "count")),
    DELEGATES: (
        ("delegates",), ("delegate",), ("dels",), ("del",), ("delegates", "awarded"), ("delegates", "won"),
        ("county", "delegates"), ("county", "convention", "delegates"), ("delegate", "count"), ("ccd",), ("ccds",),
    ),
}  # fmt: skip
_FIRST = (("initial",), ("1", "st"), ("starting",), ("preliminary",))
_LAST = (("second",), ("2", "nd"), ("last",), ("realignment",), ("realigned",), ("ending",), ("viable",))


class Words:
    """What the words of a plan, and of the field, say is counted."""

    def __init__(self, plan: Plan) -> None:
        self.levels = frozenset(word for level in plan.levels for word in tokens(level)) | {"county", "parish"}
        self.certain = _measures(plan)
        self.perhaps: dict[tuple[str, ...], str] = {}
        stages = [stage.id for stage in plan.stages]
        if len(stages) == 2:
            self.perhaps = dict.fromkeys(_FIRST, stages[0]) | dict.fromkeys(_LAST, stages[1])
        self.single = stages[0] if len(stages) == 1 else ""
        self.stages = frozenset(stages)
        self.known = (
            PLACE | CODE | GROUP | COUNT | TOTAL | self.levels | {word for phrase in self.certain for word in phrase}
        )

    def measure(self, words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Find what is counted, the longest phrase first; give it with the words around it."""
        return _found(words, self.certain)

    def measure_perhaps(self, words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Find what may be meant: `initial`, `second round`."""
        return _found(words, self.perhaps)


def _measures(plan: Plan) -> dict[tuple[str, ...], str]:
    found = dict[tuple[str, ...], str]()
    for measure, phrases in _GENERIC.items():
        found.update(dict.fromkeys(phrases, measure))
    for yardstick in plan.yardsticks:
        measure = {"people": yardstick.stage, "delegates": DELEGATES}.get(yardstick.counts, VALUE)
        for text in (yardstick.id, yardstick.name, yardstick.unit):
            if words := tokens(text):
                found.setdefault(words, measure) if text == yardstick.unit else found.update({words: measure})
                if measure == VALUE and len(words) == 1:
                    found[(words[0] + "s",)] = measure
    for stage in plan.stages:
        for text in (stage.id, stage.name):
            found[tokens(text)] = stage.id
    found.update({("state", "delegate", "equivalents"): VALUE, ("state", "delegate", "equivalent"): VALUE})
    if not any(yardstick.counts == "weight" for yardstick in plan.yardsticks):
        found = {phrase: measure for phrase, measure in found.items() if measure != VALUE}
    # Words that every count has, such as `people` and `votes`, tell no stage from another.
    return {phrase: measure for phrase, measure in found.items() if phrase and not set(phrase) <= COUNT}


def _found(words: Sequence[str], known: Mapping[tuple[str, ...], str]) -> tuple[str, tuple[str, ...]]:
    longest = max((len(phrase) for phrase in known), default=0)
    for size in range(min(longest, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            if measure := known.get(tuple(words[start : start + size]), ""):
                return measure, (*words[:start], *words[start + size :])
    return "", tuple(words)


def same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two rows of words are written alike, blanks aside."""
    return joined(tuple(one)) == joined(tuple(other))
