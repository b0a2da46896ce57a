"""Tallyroom: the results system for contests that people count by hand in many places at once.

    import tallyroom

    night = tallyroom.load("iowa-2020")
    tallyroom.standings(night, level="state")

These functions are those of `tallyroom.frames`, which is imported, and polars with it, when one is first asked for;
importing the package imports nothing else.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` alone would be most of the time that importing takes
if TYPE_CHECKING:
    from tallyroom.frames import awards, counts, findings, load, national, places, standings

__version__ = "0.1.0"
"""The version of the distribution; a test holds it to `pyproject.toml`."""

__all__ = ["awards", "counts", "findings", "load", "national", "places", "standings"]


def __getattr__(name: str) -> object:
    """Give a function of the library, importing it the first time."""
    if name not in __all__:
        raise AttributeError(f"module 'tallyroom' has no attribute {name!r}")
    from tallyroom import frames  # noqa: PLC0415 - polars only where frames are asked for

    return getattr(frames, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
