"""Compare a text with the file that holds it; a difference is left beside it as `.new`, to be read and moved."""

from __future__ import annotations

from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str, text: str) -> None:
    """Hold a text to `golden/NAME.txt`."""
    kept, new = GOLDEN / f"{name}.txt", GOLDEN / f"{name}.new"
    expected = kept.read_text(encoding="utf-8") if kept.exists() else None
    if text == expected:
        new.unlink(missing_ok=True)
        return
    new.write_text(text, encoding="utf-8")
    assert text == expected, f"{kept.name} differs; if {new.name} is right, move it there"
