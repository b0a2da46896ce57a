"""Tallyroom: the results system for contests that people count by hand in many places at once.

Importing the package imports nothing else; each part is imported by its own name.
"""

from __future__ import annotations

__version__ = "0.1.0"
"""The version of the distribution; a test holds it to `pyproject.toml`."""
