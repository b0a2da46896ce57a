"""A house in memory with the small contest, and people who bring reports to its door."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import msgspec

from tabulate.room import GROUPS, PLAN
from tabulate.room import report as parse
from tallyroom.intake.bearer import Bearer
from tallyroom.intake.house import open_house
from tallyroom.intake.offered import Offered, Ruling
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.plan.acceptance import Channel
from tallyroom.report.wire import to_wire
from tallyroom.vault.address import open_vault
from tallyroom.vault.people import Grant, Role

START = datetime(2031, 2, 4, 1, 30, tzinfo=UTC)
SECRET = b"a secret of thirty-two bytes ...."

SOUND = "elm-1 attending 40 / first ash 20 birch 20 / final ash 20 birch 20 / delegates ash 2 birch 2"
OTHER = "elm-1 attending 40 / first ash 21 birch 19 / final ash 21 birch 19 / delegates ash 2 birch 2"
BROKEN = "elm-1 attending 40 / first ash 20 birch 20 / final ash 30 birch 20 / delegates ash 2 birch 2"


def staff(name, *roles):
    return Bearer(f"p-{name}", frozenset(Grant(role) for role in roles))


ANN, BOB = staff("ann", Role.OPERATOR), staff("bob", Role.OPERATOR)
ADA = staff("ada", Role.ADJUDICATOR)
DIRECTOR = staff("dee", Role.DIRECTOR)
WATCHER = staff("cam", Role.OBSERVER)
CHAIR = Bearer("p-chair", frozenset({Grant(Role.CHAIR, "elm-1")}), "elm-1", 1)


class Evening:
    """A house whose clock goes on a second whenever it is looked at. It closes what it made."""

    def __init__(self, plan=PLAN, ledger=None, vault=None):
        self._made = [which for which, given in (("ledger", ledger), ("vault", vault)) if given is None]
        ticks = itertools.count()
        counted = itertools.count(1)
        self.plan = plan
        self.ledger = ledger if ledger is not None else MemoryLedger(plan.contest)
        self.vault = vault or open_vault(None, plan.contest, SECRET, lambda n: next(counted).to_bytes(n, "big"))
        self.house = open_house(plan, self.ledger, self.vault, lambda: START + timedelta(seconds=next(ticks)), bytes)
        self.door = self.house.door
        self._keys = itertools.count()

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        for made in self._made:
            getattr(self, made).close()

    def brings(self, who, line, channel=Channel.OPERATOR, *, key=None, **more):
        """Somebody brings a report, written as a line of the small language."""
        return self.door.file(self.offered(line, channel, key=key, **more), who)

    def offered(self, line, channel=Channel.OPERATOR, *, key=None, **more):
        report = parse(line) if isinstance(line, str) else line
        raw = msgspec.Raw(msgspec.json.encode(to_wire(report)))
        return Offered(key=key or f"k{next(self._keys)}", channel=channel, report=raw, **more)

    def decides(self, who, filing, standing=None, *, accept=True, key=None, reason="as-on-the-sheet"):
        key = key or f"d{next(self._keys)}"
        return self.door.rule(Ruling(key=key, filing=filing, accept=accept, reason=reason, standing=standing), who)

    def counts(self, unit="elm-1"):
        """What is in force of a unit: people by group at the end; None if nothing is."""
        force = self.door.record.of(unit).in_force
        return None if force is None else dict(force.report.alignments["final"])


__all__ = ["GROUPS", "PLAN", "Evening"]
