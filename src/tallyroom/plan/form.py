"""The form of `rules.toml`: its tables, their keys, and what each means. Loader, template and docs are made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tallyroom.plan.acceptance import Channel, Policy
from tallyroom.plan.fields import (
    Field,
    always,
    count,
    decimals,
    delegates,
    identifier,
    moment,
    name,
    one_of,
    share,
    share_or_none,
    source,
    text,
    texts,
    yes,
    zone,
)
from tallyroom.plan.readings import KNOWN
from tallyroom.plan.types import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = 1
"""Version of the folder format."""

OPEN = "open"
"""Written where the sources leave a rule open and a reading decides."""

_SOURCE = Field(source, "where the rule stands: a document of sources.toml")


@dataclass(frozen=True, slots=True)
class Table:
    """One table of `rules.toml`: `many` is written [[name]] and may stand more than once."""

    meaning: str
    fields: Mapping[str, Field[Any]]  # a field of any type: what it reads is typed where it is used
    many: bool = False
    required: bool = True
    electing: bool = False
    """It belongs to contests whose places elect delegates, and to no other."""


FORM: Mapping[str, Table] = {
    "contest": Table(
        "What is decided, where and when.",
        {
            "id": Field(identifier, "id of the contest, in every command and file"),
            "name": Field(text, "its name as printed"),
            "summary": Field(text, "one sentence for people", ""),
            "timezone": Field(zone, "zone in which times are printed"),
            "kind": Field(
                one_of(*KINDS), "kind of contest: in a caucus places elect delegates, in the others they count votes"
            ),
            "levels": Field(texts, "levels of areas.csv, topmost first"),
            "source": _SOURCE,
        },
    ),
    "tables": Table(
        "Where the figures of the CSV files come from.",
        {file: Field(source, f"source of {file}.csv") for file in ("areas", "units", "groups")},
    ),
    "stage": Table(
        "A count of the people in the room, in order; delegates are awarded from the last.",
        {
            "id": Field(identifier, "id, and its column in a record"),
            "name": Field(text, "name as printed"),
            "may_move": Field(one_of("all", "nonviable", "nobody"), "who may change groups on the way into it"),
            "source": _SOURCE,
        },
        many=True,
    ),
    "component": Table(
        "A part of every count of people that is made apart and added in; a record may hold the parts or only the sum.",
        {
            "id": Field(identifier, "id, in a report's components"),
            "name": Field(text, "name as printed"),
            "early": Field(yes, "true if its people count as present without being in the room", default=False),
            "source": _SOURCE,
        },
        many=True,
        required=False,
    ),
    "viability": Table(
        "The share of those present a group needs, by delegates of the unit.",
        {
            "delegates_at_least": Field(count, "for units that elect this many or more"),
            "share": Field(share_or_none, 'exact share in quotation marks ("3/20"), or "none"'),
            "source": _SOURCE,
        },
        many=True,
        electing=True,
    ),
    "viability_number": Table(
        "How the share becomes a number of people.",
        {
            "base": Field(one_of("attendance"), "what the share is a share of"),
            "rounds": Field(one_of("up"), "how it is rounded to people"),
            "equality_viable": Field(always, "a group exactly at the number is viable"),
            "source": _SOURCE,
        },
        electing=True,
    ),
    "awarding": Table(
        "How people become delegates.",
        {
            "formula": Field(one_of("members x delegates / attendance"), "raw share of a viable group"),
            "rounding": Field(
                one_of("half-up", "down", OPEN), "how it is rounded to delegates; open if the reading rounding decides"
            ),
            "minimum": Field(delegates, "delegates a viable group has at least"),
            "too_many": Field(one_of("lowest-decimal-loses"), "correction when more are awarded than there are"),
            "too_few": Field(one_of("highest-decimal-gains"), "correction when fewer are"),
            "over_viable": Field(
                one_of("smallest-realigns", "each-has-minimum", OPEN),
                "what happens when more groups are viable than there are delegates; open if the reading decides",
            ),
            "source": _SOURCE,
        },
        electing=True,
    ),
    "lots": Table(
        "Games of chance.",
        {
            "compare": Field(one_of("decimal"), "what has to tie"),
            "two": Field(text, 'what decides between two groups, with its article: "a coin toss"'),
            "more": Field(text, 'what decides among three or more: "a drawing of lots"'),
            "source": _SOURCE,
        },
        electing=True,
    ),
    "band": Table(
        "Delegates of units whose number follows from attendance; the last band reached counts.",
        {
            "attending_at_least": Field(count, "for units with this many people present, or more"),
            "delegates": Field(delegates, "delegates of such a unit"),
            "source": _SOURCE,
        },
        many=True,
        required=False,
        electing=True,
    ),
    "yardstick": Table(
        "A way to count the contest.",
        {
            "id": Field(name, "id, in commands and JSON"),
            "name": Field(text, "name as printed"),
            "counts": Field(
                one_of("people", "delegates", "weight"),
                "what is counted: people of a stage, delegates, or their weight",
            ),
            "stage": Field(identifier, "stage whose people count", ""),
            "unit": Field(text, "the word printed after a value"),
            "official": Field(yes, "it settles the contest; exactly one does", default=False),
            "decimals": Field(decimals, "decimals each unit's value is rounded to before it is added", 0),
            "shown": Field(decimals, "decimals the sum is printed with", 0),
            "source": _SOURCE,
        },
        many=True,
    ),
    "national": Table(
        "How pools of national delegates are shared.",
        {
            "yardstick": Field(name, "yardstick they are shared by"),
            "method": Field(one_of("largest-remainder"), "how whole delegates follow from shares"),
            "threshold": Field(share, "share of the whole a group needs; equality qualifies"),
            "fallback": Field(
                one_of("half-of-leader", "ten-points-below-leader", "none"),
                "threshold that counts when nobody reaches it",
            ),
            "recomputed": Field(
                texts, "kinds of pools shared again without a group that withdraws, such as at-large", ()
            ),
            "source": _SOURCE,
        },
        required=False,
    ),
    "pool": Table(
        "National delegates shared together.",
        {
            "id": Field(identifier, "id, in commands and JSON"),
            "name": Field(text, "name as printed"),
            "kind": Field(identifier, "tier of its delegates, such as district, at-large or pleo"),
            "area": Field(identifier, "area whose standing counts"),
            "delegates": Field(delegates, "delegates of the pool"),
            "source": _SOURCE,
        },
        many=True,
        required=False,
    ),
    "reading": Table(
        "A point the sources leave open: the ways to read it and the one in force. Every point that can arise has one.",
        {
            "name": Field(one_of(*KNOWN, hint="is not a known reading"), "which point"),
            "question": Field(text, "the question, in the contest's own words"),
            "values": Field(texts, "values that some source supports"),
            "in_force": Field(text, "the value in force"),
            "source": _SOURCE,
        },
        many=True,
        required=False,
    ),
    "deadline": Table(
        "Something due at a time.",
        {
            "id": Field(identifier, "id, in commands and JSON"),
            "name": Field(text, "name as printed"),
            "at": Field(moment, "when, with its zone"),
            "source": _SOURCE,
        },
        many=True,
        required=False,
    ),
    "acceptance": Table(
        "What it takes for a report that comes by a channel to be counted; where none is written, the house's own.",
        {
            "channel": Field(one_of(*Channel), "how the report came"),
            "policy": Field(one_of(*Policy), "what it takes"),
            "source": _SOURCE,
        },
        many=True,
        required=False,
    ),
    "retention": Table(
        "How long private records are kept: names, telephone numbers, drafts, pictures, free texts.",
        {
            "days": Field(count, "days after the contest's last deadline or release, whichever is later"),
            "source": _SOURCE,
        },
        required=False,
    ),
    "release": Table(
        "A moment at which figures were published.",
        {
            "id": Field(identifier, "id, in commands and JSON"),
            "name": Field(text, "name as printed"),
            "at": Field(moment, "when, with its zone"),
            "approximate": Field(yes, "true if the hour is not on record", default=False),
            "reproducible": Field(yes, "false if the state behind it is not on record", default=True),
            "source": _SOURCE,
        },
        many=True,
        required=False,
    ),
}
