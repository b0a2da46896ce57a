"""What every test module is held to."""

from __future__ import annotations

import threading

import pytest


def writers():
    """The threads of ledgers that are open."""
    return {thread for thread in threading.enumerate() if thread.name.startswith("ledger ")}


@pytest.fixture(autouse=True, scope="module")
def no_ledger_is_left_open():
    """A ledger that a module leaves open keeps its writer's thread for all the modules that come after."""
    before = writers()
    yield
    left = writers() - before
    assert not left, f"{len(left)} ledgers were left open: {sorted(thread.name for thread in left)[:5]}"
