"""Any order of doings on a ledger gives what a plain list of drafts gives."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ledger.drafts import CONTEST, report
from tallyroom.ledger.faults import KeyConflictError, LedgerError
from tallyroom.ledger.verify import verify

NUMBERS = st.integers(0, 12)
"""Few numbers, so that keys come again and clash."""


class _Doings(RuleBasedStateMachine):
    opened = None
    lasts = True

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.ledger = type(self).opened(Path(self.folder.name))
        self.plain = []

    def _expected(self, drafts):
        """What a list would hold afterwards and the numbers given, or None if it must be refused."""
        plain, numbers = list(self.plain), []
        for draft in drafts:
            keys = [held.key for held in plain]
            if draft.key in keys:
                held = plain[keys.index(draft.key)]
                if replace(held, at=draft.at) != draft:
                    return None
                numbers.append((keys.index(draft.key), True))
            elif draft.replaces is not None and draft.replaces >= len(plain):
                return None
            else:
                numbers.append((len(plain), False))
                plain.append(draft)
        return plain, numbers

    @rule(
        picks=st.lists(st.tuples(NUMBERS, NUMBERS, st.booleans(), st.none() | NUMBERS), min_size=1, max_size=5),
        one_by_one=st.booleans(),
    )
    def file(self, picks, one_by_one):
        drafts = [
            report(number, key=f"k-{key}" if odd else f"k-{number}", replaces=replaces)
            for number, key, odd, replaces in picks
        ]
        for group in [[draft] for draft in drafts] if one_by_one else [drafts]:
            self._file(group, by_submit=one_by_one)

    @precondition(lambda self: self.plain)
    @rule(pick=st.integers(0, 10_000), late=st.integers(0, 90))
    def send_again(self, pick, late):
        draft = self.plain[pick % len(self.plain)]
        self._file([replace(draft, at=draft.at + timedelta(minutes=late))])

    @precondition(lambda self: self.lasts)
    @rule()
    def close_and_open(self):
        self.ledger.close()
        self.ledger = type(self).opened(Path(self.folder.name))

    def _file(self, drafts, *, by_submit=False):
        expected = self._expected(drafts)
        ask = (lambda: [self.ledger.submit(drafts[0]).result(20)]) if by_submit else lambda: self.ledger.append(drafts)
        if expected is None:
            with pytest.raises((KeyConflictError, LedgerError)):
                ask()
            return
        receipts = ask()
        self.plain, numbers = expected
        assert [(receipt.seq, receipt.repeated) for receipt in receipts] == numbers

    @invariant()
    def holds_what_the_list_holds(self):
        entries = list(self.ledger.entries())
        assert [entry.draft() for entry in entries] == self.plain
        assert verify([entry.raw for entry in entries], self.ledger.head(), CONTEST) == []

    def teardown(self):
        self.ledger.close()
        self.folder.cleanup()


def machine(opened, *, lasts):
    """A test case of random doings for a driver."""
    doings = type("Doings", (_Doings,), {"opened": staticmethod(opened), "lasts": lasts})
    case = doings.TestCase
    case.settings = settings(
        max_examples=40, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    return case
