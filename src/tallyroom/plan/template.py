"""A plan folder to begin with: it loads as it stands, and explains every key of the format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.faults import CannotRunError, Fault
from tallyroom.plan.fields import ID_LIMIT, UNIT_ID_LIMIT, Missing, OneOf, identifier
from tallyroom.plan.form import FORM, FORMAT
from tallyroom.plan.readings import EARLY, KNOWN, OPEN_OVER_VIABLE, OPEN_ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tallyroom.plan.form import Table

_PLAN = '{ document = "party-plan", section = "to be named" }'
_CALL = '{ document = "party-call", section = "to be named" }'

_ROWS: Mapping[str, Sequence[Mapping[str, str]]] = {
    "tables": ({"areas": _CALL, "units": _CALL, "groups": _CALL},),
    "stage": (
        {"id": '"first"', "name": '"First alignment"', "may_move": '"all"'},
        {"id": '"final"', "name": '"Final alignment"', "may_move": '"nonviable"'},
    ),
    "component": ({"id": '"room"', "name": '"In the room"', "early": "false"},),
    "viability": (
        {"delegates_at_least": "1", "share": '"none"'},
        {"delegates_at_least": "2", "share": '"1/4"'},
        {"delegates_at_least": "3", "share": '"1/6"'},
        {"delegates_at_least": "4", "share": '"3/20"'},
    ),
    "viability_number": ({"base": '"attendance"', "rounds": '"up"', "equality_viable": "true"},),
    "awarding": (
        {
            "formula": '"members x delegates / attendance"',
            "rounding": '"half-up"',
            "minimum": "1",
            "too_many": '"lowest-decimal-loses"',
            "too_few": '"highest-decimal-gains"',
            "over_viable": '"smallest-realigns"',
        },
    ),
    "lots": ({"compare": '"decimal"', "two": '"a coin toss"', "more": '"a drawing of lots"'},),
    "band": (
        {"attending_at_least": "1", "delegates": "2"},
        {"attending_at_least": "21", "delegates": "3"},
    ),
    "yardstick": (
        {"id": '"first_alignment"', "name": '"First vote"', "counts": '"people"', "stage": '"first"'}
        | {"unit": '"people"', "official": "false", "decimals": "0", "shown": "0"},
        {"id": '"final_alignment"', "name": '"Final vote"', "counts": '"people"', "stage": '"final"'}
        | {"unit": '"people"'},
        {"id": '"sde"', "name": '"State delegates"', "counts": '"weight"', "unit": '"sde"'}
        | {"official": "true", "decimals": "4", "shown": "3"},
    ),
    "national": (
        {"yardstick": '"sde"', "method": '"largest-remainder"', "threshold": '"3/20"'}
        | {"fallback": '"half-of-leader"', "recomputed": '["at-large"]'},
    ),
    "pool": (
        {"id": '"at-large"', "name": '"At large"', "kind": '"at-large"', "area": '"whole-state"', "delegates": "5"},
    ),
    "deadline": ({"id": '"certification"', "name": '"Certification"', "at": '"2032-02-15T18:00:00Z"'},),
    "acceptance": (
        {"channel": '"app"', "policy": '"if-sound"'},
        {"channel": '"operator"', "policy": '"second-entry"'},
    ),
    "retention": ({"days": "180"},),
    "release": (
        {"id": '"first-results"', "name": '"First results"', "at": '"2032-02-03T04:00:00Z"'}
        | {"approximate": "false", "reproducible": "true"},
    ),
}
"""Values by key for each table of `rules.toml`, as they are typed; sources are added to every row."""

_TABLES: Mapping[str, str] = {
    "areas.csv": "id,level,name,parent,weight,sharing\n"
    "whole-state,state,The whole state,,,\n"
    "first-county,county,First county,whole-state,10,delegates\n"
    "satellites,county,Satellites,whole-state,2,attendance\n",
    "units.csv": "id,area,name,kind,delegates,aliases,name_digest\n"
    "first-county-library,first-county,Library,precinct,4,FC-1;The Library,\n"
    "first-county-school,first-county,School,precinct,3,FC-2,\n"
    "satellites-college,satellites,College,satellite,,,\n",
    "groups.csv": "id,name,kind\n"
    "first-candidate,First Candidate,candidate\n"
    "second-candidate,Second Candidate,candidate\n"
    "other,Other,other\n"
    "uncommitted,Uncommitted,uncommitted\n",
    "published.csv": "release,measure,group,value,note,source\n",
}

_OPENING = f"""\
# The plan of a contest: replace what stands here by your party's rules, then run `tallyroom plan check` on this folder.
#
# Every rule names the document it stands in, a table of sources.toml; section, quote and note may be added.
# Exact shares stand in quotation marks: "3/20". Times name their zone: "2032-02-03T04:00:00Z".
# An id is made of small letters and digits, with single hyphens between them. It has at most {ID_LIMIT} characters,
# that of a place at most {UNIT_ID_LIMIT}, and stays the same for the whole life of the contest.
# [one] table stands once; [[many]] may stand more than once, in order. A key marked (optional) may be left out.
#
# Beside this file:
#   areas.csv      the tree above the places. level: one of `levels` below. parent: empty for the whole contest alone.
#                  weight: delegates of the next tier that its places elect together, a number or a fraction.
#                  sharing: `delegates` (by the delegates of each place) or `attendance` (by the people who came).
#   units.csv      the places that report. kind: precinct, satellite or area (reported as a whole).
#                  delegates: empty where the bands below decide.
#                  aliases: other names of the place, with ; between them. name_digest: SHA-256 of a name that must not
#                  be shown, such as a private person's; both columns may be left out.
#   groups.csv     preference groups, in the order of the sheet. kind: candidate, uncommitted or other.
#   sources.toml   the documents: a title, a publisher, and where each can be read.
#   published.csv  figures somebody published, to hold ours against. measure: a yardstick, its name with _total,
#                  national_delegates, national_delegates_total, or with a kind of pool. note: why it cannot agree, if
#                  that is known. The file may be left out.

format = {FORMAT}
"""

_SOURCES = """\
# The documents that rules and figures rest on. The names in brackets are what rules.toml calls them.

[party-plan]
title = "To be named: the party's delegate selection plan"
publisher = "To be named"
where = "to be named: an address, or a shelf"

[party-call]
title = "To be named: the call to the caucuses, with its places and their delegates"
publisher = "To be named"
where = "to be named"
"""


def template(contest: str) -> Mapping[str, str]:
    """Give the files of a plan to begin with, by name.

    Raises:
        CannotRunError: the contest's id is none.
    """
    try:
        identifier(contest)
    except ValueError as error:
        raise CannotRunError(Fault(str(error), "Name the contest in a form such as my-town-2032.")) from None
    return {"rules.toml": _rules(contest), "sources.toml": _SOURCES, **_TABLES}


def write_template(folder: Path, contest_id: str) -> None:
    """Write a plan to begin with into a new or empty folder.

    Raises:
        CannotRunError: the folder holds something, cannot be written, or the contest's id is none.
    """
    files = template(contest_id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise CannotRunError(Fault("the folder is not empty", "Name a new one; nothing was written.", str(folder)))
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as failure:
        reason = (getattr(failure, "strerror", None) or str(failure)).lower()
        fault = Fault(f"the folder cannot be written: {reason}", "Name another one.", str(folder))
        raise CannotRunError(fault) from None


def _rules(contest: str) -> str:
    rows = {"contest": (_contest(contest),), **_ROWS, "reading": tuple(_readings())}
    return _OPENING + "".join(_table(name, table, rows[name]) for name, table in FORM.items())


def _contest(contest: str) -> Mapping[str, str]:
    return {
        "id": f'"{contest}"',
        "name": '"Name of the contest, to be replaced"',
        "summary": '"One sentence for people, to be replaced."',
        "timezone": '"America/Chicago"',
        "kind": '"caucus"',
        "levels": '["state", "county"]',
    }


def _readings() -> Iterator[Mapping[str, str]]:
    """Give a reading for every point that can arise; the first value is in force."""
    for known in KNOWN.values():
        if known.needs in {EARLY, OPEN_OVER_VIABLE, OPEN_ROUNDING}:
            continue
        values = [f'"{value}"' for value in known.meaning]
        yield {
            "name": f'"{known.name}"',
            "question": f'"{known.question}"',
            "values": f"[{', '.join(values)}]",
            "in_force": values[0],
        }


def _table(name: str, table: Table, rows: Sequence[Mapping[str, str]]) -> str:
    """Write a table: its meaning, then its rows; keys are explained in the first."""
    lines = ["", f"# {table.meaning}{'' if table.required else ' (optional)'}", "#"]
    for key, field in table.fields.items():
        optional = "" if isinstance(field.default, Missing) else " (optional)"
        choice = f": {', '.join(field.read.supported)}" if isinstance(field.read, OneOf) else ""
        lines.append(f"#   {key}{optional}: {field.meaning}{choice}")
    for row in rows:
        lines += ["", f"[[{name}]]" if table.many else f"[{name}]"]
        for key in table.fields:
            value = row.get(key, _PLAN if key == "source" else None)
            if value is not None:
                lines.append(f"{key} = {value}")
            if name == "reading" and key == "name":
                meaning = KNOWN[row["name"].strip('"')].meaning
                lines += [f"# {choice}: {meant}" for choice, meant in meaning.items()]
    return "\n".join((*lines, ""))
