"""Entries become standings by unit, county, district and state, at any point in time, as written and by rule."""

from tallyroom.tabulate.night import Basis, Tabulation, tabulated
from tallyroom.tabulate.standing import GroupStanding, Standing, YardstickStanding

__all__ = ["Basis", "GroupStanding", "Standing", "Tabulation", "YardstickStanding", "tabulated"]
