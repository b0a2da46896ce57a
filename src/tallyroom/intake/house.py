"""A running contest: its ledger, its vault, the one door between them and the world, and the clock they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.intake.door import Door

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tallyroom.ledger.port import Ledger
    from tallyroom.plan.types import Plan
    from tallyroom.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class House:
    """What whoever serves a contest needs.

    Attributes:
        now: the clock, UTC.
        random: gives that many bytes that nobody can foretell.
    """

    ledger: Ledger
    vault: Vault
    door: Door
    now: Callable[[], datetime]
    random: Callable[[int], bytes]

    @property
    def plan(self) -> Plan:
        """The plan in force."""
        return self.door.plan


def open_house(
    plan: Plan, ledger: Ledger, vault: Vault, now: Callable[[], datetime], random: Callable[[int], bytes]
) -> House:
    """Put a house together. Ledger and vault stay those of the caller, to be closed by it.

    Args:
        plan: before all amendments.
        ledger: opened for writing.
        vault: of the same contest.
        now: the clock, UTC.
        random: gives that many bytes that nobody can foretell.

    Raises:
        InputError: the ledger does not go with the plan.
        StoreError: it was opened to be read only.
    """
    door = Door(plan, ledger, vault, now)
    door.record.filed()
    return House(ledger, vault, door, now, random)
