"""The house's own files, as the house tests look at them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tallyroom"
MADE = {".git", ".uv", ".venv", "var", "dist", "_build", "generated", "__pycache__"}
"""Folders that are made, not written."""


def files(*folders: str, suffixes: tuple[str, ...]) -> list[Path]:
    """Every written file of these kinds below these folders (or these files themselves), in order."""
    found = []
    for folder in folders:
        start = ROOT / folder
        candidates = [start] if start.is_file() else start.rglob("*")
        found += [
            path
            for path in candidates
            if path.is_file()
            and (path.suffix in suffixes or path == start)
            and not any(part in MADE or part.endswith("_cache") for part in path.relative_to(ROOT).parts)
        ]
    return sorted(found)


def modules() -> list[Path]:
    """Every module of the package."""
    return files("src/tallyroom", suffixes=(".py",))


def name_of(path: Path) -> str:
    """A file as the house calls it: from the root, with forward slashes."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def docstrings(module: ast.Module) -> set[ast.Constant]:
    """The strings that document something: after a `def`, a `class`, the top of a module, or an assignment."""
    found = set()
    for node in ast.walk(module):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for before, statement in zip([None, *body], body, strict=False):
            if (
                isinstance(statement, ast.Expr)
                and isinstance(statement.value, ast.Constant)
                and isinstance(statement.value.value, str)
                and (before is None or isinstance(before, ast.Assign | ast.AnnAssign))
            ):
                found.add(statement.value)
    return found
