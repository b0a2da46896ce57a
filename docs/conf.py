"""How the documentation is built; every warning is an error (`make docs`)."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import generate  # noqa: E402 - found beside this file

from tallyroom import __version__  # noqa: E402 - the order shows what the path is for

project = "Tallyroom"
copyright = "the Tallyroom contributors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"Tallyroom {__version__}"
html_static_path = []
html_copy_source = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# What a package gives on from its modules is described once, where it is defined.
autodoc_default_options = {"members": True, "show-inheritance": True, "ignore-module-all": True}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

nitpicky = True
# Names of other projects, and short names and variables that exist for type checkers only, have no page to point to.
nitpick_ignore_regex = [("py:.*", r"(?!tallyroom\.).*"), ("py:class", r"tallyroom\..*\.[A-Z](_co)?"), ("py:obj", r".*")]

# Two parts may use one short name; annotations show it, and the page it is on tells which is meant.
suppress_warnings = ["ref.python"]

generate.write(HERE / "reference" / "generated")


def literal(_app: object, _what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Set what docstrings put between single backticks as code, whatever stands in it."""
    text = re.sub(r"(?<!`)`([^`]+)`(?!`)", lambda match: f"``{' '.join(match[1].split())}``", "\n".join(lines))
    lines[:] = text.split("\n")


def setup(app: Sphinx) -> None:
    """Tell Sphinx about the step of our own; it runs before napoleon's, which then leaves code alone."""
    app.connect("autodoc-process-docstring", literal, priority=100)
