"""A module is one idea, a function one step: neither outgrows a reader."""

from __future__ import annotations

import ast

import pytest

from house.house import modules, name_of, tree

LONGEST_MODULE = 700
LONGEST_FUNCTION = 40
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def code_lines(function: FUNCTION, source: list[str]) -> int:
    """Lines of a function's body that hold code: no signature, docstring, comment or blank line."""
    body = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    if not body:
        return 0
    lines = source[body[0].lineno - 1 : body[-1].end_lineno]
    return sum(1 for line in lines if line.strip() and not line.strip().startswith("#"))


def test_lines_are_counted_as_said():
    text = 'def f(\n    a,\n):\n    """Doc.\n\n    More.\n    """\n    # why\n    b = a\n\n    return b\n'
    assert code_lines(ast.parse(text).body[0], text.splitlines()) == 2


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_module_is_not_too_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_functions_are_not_too_long(path):
    source = path.read_text(encoding="utf-8").splitlines()
    long = {
        f"{node.name} (line {node.lineno})": lines
        for node in ast.walk(tree(path))
        if isinstance(node, FUNCTION) and (lines := code_lines(node, source)) > LONGEST_FUNCTION
    }
    assert long == {}


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_module_says_its_idea_in_its_first_line(path):
    first = (ast.get_docstring(tree(path)) or "").partition("\n")[0]
    assert first.endswith("."), f"{name_of(path)} begins with {first!r}"
