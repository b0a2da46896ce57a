"""Whole numbers added up for every area at once: putting one in costs its line of ancestors."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Sums:
    """Sums by area and name.

    Until `add_up` only the areas that units lie in are kept: a whole contest is counted faster that way.
    """

    def __init__(self, lineage: Mapping[str, tuple[str, ...]], names: Iterable[str] = ()) -> None:
        start = dict.fromkeys(names, 0)
        self.rows: dict[str, dict[str, int]] = {area: dict(start) for area in lineage}
        self._lineage = lineage
        self._up: Mapping[str, tuple[str, ...]] = {area: (area,) for area in lineage}

    def add(self, area: str, values: Mapping[str, int]) -> None:
        """Add values to an area and all above it."""
        for place in self._up[area]:
            row = self.rows[place]
            for name, count in values.items():
                if count:
                    row[name] = row.get(name, 0) + count

    def subtract(self, area: str, values: Mapping[str, int]) -> None:
        """Take values added before out again."""
        self.add(area, {name: -count for name, count in values.items()})

    def add_up(self) -> None:
        """Carry what was added into the areas above; from then on every value is. May be called once."""
        rows = [(area, dict(row)) for area, row in self.rows.items()]
        for area, row in rows:
            for place in self._lineage[area][1:]:
                above = self.rows[place]
                for name, count in row.items():
                    if count:
                        above[name] = above.get(name, 0) + count
        self._up = self._lineage
