"""The recorded night of Iowa 2020, read once for all tests of a process."""

from __future__ import annotations

from functools import cache

from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.recorded import folder_of, read_night
from tallyroom.plan.catalogue import find
from tallyroom.tabulate import tabulated
from tallyroom.tabulate.published import replay


@cache
def plan():
    return find("iowa-2020")


@cache
def entries():
    night = read_night(folder_of("iowa-2020"), plan())
    with MemoryLedger("iowa-2020") as ledger:
        ledger.append(night.drafts)
        return tuple(ledger.entries())


@cache
def release(name):
    """The contest at a release."""
    return tabulated(entries(), plan(), at=plan().releases[name].at)


@cache
def compared():
    """Every published figure beside ours."""
    return tuple(row for played in replay(entries(), plan()) for row in played.compared)
