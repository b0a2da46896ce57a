"""A file of any size that is made while it is read, and how much memory reading it takes.

`python -m importer.large KIND MEGABYTES` prints what came of it and the process's peak, for a test to look at.
"""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from pathlib import Path

from importer.county import PLAN, csv_of, ods_raw, of_stage, told
from tallyroom.importer.outcomes import Refused
from tallyroom.importer.reading import Reader

TITLE = b"First alignment\r\n"
GOOD = [list(row) for row in of_stage(PLAN.stages[0])]
NOTE = "so it went that evening, " * 200


class Endless(io.RawIOBase):
    """A beginning, and then a block again and again up to a size."""

    def __init__(self, beginning, block, size):
        whole = (size - len(beginning)) // len(block) * len(block)
        self._beginning, self._block, self._size, self._place = beginning, block, len(beginning) + whole, 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self._place

    def seek(self, place, whence=0):
        self._place = place + {0: 0, 1: self._place, 2: self._size}[whence]
        return self._place

    def readinto(self, buffer):
        wanted = min(len(buffer), self._size - self._place)
        if wanted <= 0:
            return 0
        if self._place < len(self._beginning):
            piece = self._beginning[self._place : self._place + wanted]
        else:
            start = (self._place - len(self._beginning)) % len(self._block)
            repeats = wanted // len(self._block) + 2
            piece = (
                (self._block * repeats)[start : start + wanted]
                if wanted > len(self._block) - start
                else self._block[start : start + wanted]
            )
        buffer[: len(piece)] = piece
        self._place += len(piece)
        return len(piece)


def peak_kb():
    """The most memory this program has held, in kB; `getrusage` would count what its parent held at the fork."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])


def endless(kind, size):
    """A stream of a kind."""
    heads = [*GOOD[0], "Notes"]
    if kind == "rows with long notes":
        return Endless(TITLE + csv_of([heads]), csv_of([[*row, NOTE] for row in GOOD[1:]]), size)
    if kind == "short rows":
        return Endless(TITLE + csv_of(GOOD[:1]), csv_of(GOOD[1:]), size)
    if kind == "one line without end":
        return Endless(TITLE + csv_of(GOOD), b"7,", size)
    if kind == "a quotation mark never closed":
        return Endless(TITLE + csv_of(GOOD) + b'"', b"Alder School,1,2\n", size)
    if kind == "places of another contest":
        block = csv_of([[f"Nowhere {number}", *GOOD[1][1:]] for number in range(100_000)])
        return Endless(TITLE + csv_of(GOOD), block, size)
    if kind == "nothing but zeros":
        return Endless(b"", b"\0" * 4096, size)
    assert kind == "a bomb", kind
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        with packed.open("content.xml", "w", force_zip64=True) as part:
            content = zipfile.ZipFile(io.BytesIO(ods_raw('<table:table table:name="S">@</table:table>'))).read(
                "content.xml"
            )
            before, _, after = content.partition(b"@")
            part.write(before)
            for _ in range(size // 1_000_000):
                part.write(b" " * 1_000_000)
            part.write(after)
    out.seek(0)
    return out


def main(kind, megabytes):
    """Read a stream of a kind; print the outcome as JSON."""
    stream = endless(kind, int(megabytes) * 1_000_000)
    start = peak_kb()
    reader = Reader(PLAN)
    reader.read(io.BufferedReader(stream) if isinstance(stream, Endless) else stream, kind)
    found = reader.finish()
    refused = [outcome.reason for outcome in found.outcomes if isinstance(outcome, Refused)]
    print(
        json.dumps(
            {
                "rows": dict(found.rows),
                "reports": len(found.reports),
                "broken": bool(found.broken),
                "refused": refused[-1][:200] if refused else "",
                "before_mb": start // 1000,
                "peak_mb": peak_kb() // 1000,
            }
        )
    )
    assert told(found)


if __name__ == "__main__":
    main(*sys.argv[1:])
