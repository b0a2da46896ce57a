"""Write tests/vectors/spoken.json: what other programs that speak and seal reports must agree with.

    python tools/spoken_vectors.py

The fictional contest, a few sheets, keys that seal nothing real. Same code in, same bytes out.
"""

from __future__ import annotations

import json
from pathlib import Path

from tallyroom.plan.catalogue import find
from tallyroom.report.check_digits import line_check, line_string, sheet_code, sheet_string
from tallyroom.report.read_back import spoken_words, words_of
from tallyroom.report.record import RecordedLot, Report
from tallyroom.report.sealed import contest_mark, seal_link, seal_texts, sheet_digest, unit_mark
from tallyroom.report.spoken import spoken, worksheet
from tallyroom.report.spoken_aloud import keys, sentences
from tallyroom.report.spoken_count import parse_spoken_count
from tallyroom.report.text_message_tags import tag_of
from tallyroom.report.wire import to_wire

OUT = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "spoken.json"
CONTEST = "lakeland-2031"
ADDRESS = "https://tally.example/r"
KEY, FILING = bytes(range(32)), bytes(range(16))
SEVEN = ("ash", "birch", "cedar", "dogwood", "elder", "other", "uncommitted")
COUNTS = (None, 0, 1, 9, 10, 13, 30, 97, 107, 1024, 9_999_998)
TYPED = ("", " 12 ", "1,024", "０４２", "١٢٣", "12.5", "1e3", "-3", "−3", "1,2", "blank", "twelve", "9999999999")
LEAVES = ("0" * 64, "f" * 64, "0123456789abcdef" * 4)


def reports(unit: str) -> dict[str, Report]:
    """A blank sheet, one of zeros, an ordinary one, and one with all that has no line."""
    first, final = (
        dict(zip(SEVEN, people, strict=True)) for people in ((52, 34, 14, 0, 0, 0, 3), (61, 42, 0, 0, 0, 0, 0))
    )
    ordinary = Report(unit, {"first": first, "final": final}, 103, delegates={"ash": 4, "birch": 2})
    zeros = dict.fromkeys(SEVEN, 0)
    full = Report(
        unit,
        {"first": first, "final": final},
        103,
        16,
        {"ash": 4, "birch": 2},
        lots=(RecordedLot("gain:1:ash+birch@1/2", ("ash",)),),
        signed=("chair", "secretary"),
        photo="ab" * 32,
    )
    return {
        "blank": Report(unit, {}),
        "zeros": Report(unit, {"first": zeros, "final": zeros}, 0, delegates=zeros),
        "ordinary": ordinary,
        "full": full,
    }


def read(text: str) -> dict[str, object]:
    """A typed count as it is read."""
    try:
        return {"typed": text, "count": parse_spoken_count(text)}
    except ValueError as error:
        return {"typed": text, "refused": str(error)}


def sheet(name: str, report: Report) -> dict[str, object]:
    """One report in all its forms."""
    plan = find(CONTEST)
    said = spoken(report, plan)
    counts = [line.count for line in said.lines]
    return {
        "name": name,
        "report": to_wire(report),
        "counts": counts,
        "checks": "".join(line.check for line in said.lines),
        "sheet_string": sheet_string(counts),
        "sheet_code": sheet_code(counts),
        "left_out": said.left_out,
        "keys": keys(said),
        "sentences": {language: sentences(said, language) for language in ("en", "es")},
        "link": seal_link(report, plan, KEY, FILING, ADDRESS),
        "texts": seal_texts(report, plan, KEY, FILING),
    }


def vectors() -> dict[str, object]:
    """All of it."""
    plan = find(CONTEST)
    unit = next(iter(plan.units))
    return {
        "contest": CONTEST,
        "unit": unit,
        "key": KEY.hex(),
        "filing": FILING.hex(),
        "marks": {
            "contest": contest_mark(plan).hex(),
            "sheet": sheet_digest(plan).hex(),
            "unit": unit_mark(unit).hex(),
        },
        "lines": [
            {
                "line": line.number,
                "stage": line.stage,
                "column": line.column,
                "group": line.group,
                "tag": tag_of(line.number),
            }
            for line in worksheet(plan)
        ],
        "checks": [
            {"line": line, "count": count, "string": line_string(line, count), "check": line_check(line, count)}
            for line in (1, 7, 9, 10, 11, 19, 20, 43)
            for count in COUNTS
        ],
        "sheets": [sheet(name, report) for name, report in reports(unit).items()],
        "counts": [read(text) for text in TYPED],
        "words": {language: list(spoken_words(language)) for language in ("en", "es")},
        "read_back": [
            {"leaf": leaf, **{language: words_of(leaf, language) for language in ("en", "es")}} for leaf in LEAVES
        ],
    }


def text() -> str:
    """The file's text."""
    return json.dumps(vectors(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    OUT.write_text(text(), encoding="utf-8")
    print(f"wrote {OUT.name}")
