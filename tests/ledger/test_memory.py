"""The ledger in memory."""

from __future__ import annotations

import pytest

from ledger.drafts import CONTEST
from ledger.kit import LedgerKit
from ledger.machine import machine
from tallyroom.ledger.memory import MemoryLedger


class TestMemoryLedger(LedgerKit):
    lasts = False

    @pytest.fixture
    def opened(self):
        return lambda: MemoryLedger(CONTEST)


TestMemoryAgainstAList = machine(lambda _folder: MemoryLedger(CONTEST), lasts=False)
