"""Measure against the goals: `rows()` of every bench/*.py, each in a process of its own; writes var/bench.json."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "var" / "bench.json"
KEYS = ("id", "value", "goal", "better", "ours", "reference", "unit")


def measure(name: str) -> list[dict]:
    """Run the `rows()` of one module, or the function of its own name, in this process."""
    spec = importlib.util.spec_from_file_location(f"bench_{name}", HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    rows = getattr(module, "rows", None) or getattr(module, name)
    return [{key: row[key] for key in KEYS} for row in rows()]


def measure_apart(name: str) -> list[dict] | None:
    """Run one module in a fresh process, so that none warms another's caches; None if it failed."""
    print(f"measuring {name} ...", file=sys.stderr, flush=True)
    done = subprocess.run([sys.executable, __file__, "--rows", name], stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def met(row: dict) -> bool:
    """Say whether a value reaches its goal."""
    return row["value"] >= row["goal"] if row["better"] == "higher" else row["value"] <= row["goal"]


def number(value: object) -> str:
    """Write a measurement with three significant figures at least."""
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return "-" if value is None else str(value)


def report(rows: list[dict]) -> None:
    """Print all rows as a table, and what falls short by name."""
    heads = ("id", "value", "goal", "", "ours", "reference", "unit")
    sign = {"higher": ">=", "lower": "<="}
    lines = [
        (
            row["id"],
            number(row["value"]),
            f"{sign[row['better']]} {number(row['goal'])}",
            "met" if met(row) else "SHORT",
            number(row["ours"]),
            number(row["reference"]),
            row["unit"],
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in (heads, *lines)) for column in range(len(heads))]
    for line in (heads, *lines):
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    short = [row["id"] for row in rows if not met(row)]
    print(f"{len(rows) - len(short)} of {len(rows)} goals met" + (f"; short: {', '.join(short)}" if short else ""))


def write(rows: list[dict]) -> None:
    """Put the rows into var/bench.json by rename, so that a reader never sees half of it."""
    OUT.parent.mkdir(exist_ok=True)
    fresh = OUT.with_suffix(".json.new")
    fresh.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(fresh, OUT)  # noqa: PTH105 - the call whose promise is meant


def main(arguments: list[str]) -> int:
    """Measure all modules and write the file, or only those named and print."""
    if arguments[:1] == ["--rows"]:
        print(json.dumps(measure(arguments[1])))
        return 0
    names = arguments or sorted(path.stem for path in HERE.glob("*.py") if path.stem != "run" and path.stem[0] != "_")
    measured = {name: measure_apart(name) for name in names}
    rows = [row for found in measured.values() for row in found or ()]
    report(rows)
    if not arguments:
        write(rows)
        print(f"written to {OUT.relative_to(HERE.parent)}")
    failed = [name for name, found in measured.items() if found is None]
    if failed:
        print(f"could not be measured (see above): {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
