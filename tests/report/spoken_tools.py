"""The tool that makes every slip, as a module for the tests."""

from __future__ import annotations

import importlib.util
import sys

from house.house import ROOT


def tool(name):
    """A tool of the project, by its name."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
