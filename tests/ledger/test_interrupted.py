"""A writer interrupted in the middle of a commit: whoever waits with it hears of it and never waits for ever."""

from __future__ import annotations

import pytest

from ledger.drafts import report
from tallyroom.ledger.faults import StoreError
from tallyroom.ledger.memory import MemoryLedger


def test_everybody_in_the_batch_hears_that_it_was_interrupted(monkeypatch):
    with MemoryLedger(report(0).contest) as ledger:

        def interrupted(_rows):
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(ledger._writer._shelf, "put", interrupted)
            with pytest.raises((KeyboardInterrupt, StoreError)):
                ledger.append([report(0)])
        assert ledger.head().count == 0
        assert ledger.append([report(0)])[0].seq == 0
