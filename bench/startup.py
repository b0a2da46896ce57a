"""How long a person waits before anything happens: `import tallyroom` and `tallyroom --help`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter

RUNS = 15


def milliseconds(code: str) -> float:
    """The quickest of several fresh interpreters: what the code costs, without the machine's other work."""
    best = float("inf")
    for _ in range(RUNS):
        start = perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
        best = min(best, perf_counter() - start)
    return best * 1000


def command_milliseconds() -> float:
    """The same for the installed command, as a shell starts it."""
    command = Path(sys.executable).with_name("tallyroom")
    best = float("inf")
    for _ in range(RUNS):
        start = perf_counter()
        subprocess.run([command, "--help"], check=True, stdout=subprocess.DEVNULL)
        best = min(best, perf_counter() - start)
    return best * 1000


def rows() -> list[dict]:
    """Whole process times; the reference is an interpreter that does nothing."""
    bare = milliseconds("pass")
    package = milliseconds("import tallyroom")
    shown = command_milliseconds()
    return [
        {
            "id": "import-tallyroom",
            "value": package,
            "goal": 150,
            "better": "lower",
            "ours": package,
            "reference": bare,
            "unit": "ms",
        },
        {
            "id": "tallyroom-help",
            "value": shown,
            "goal": 300,
            "better": "lower",
            "ours": shown,
            "reference": bare,
            "unit": "ms",
        },
    ]
