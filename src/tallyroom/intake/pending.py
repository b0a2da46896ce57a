"""A filing that waits for the disk: whoever sent it may wait in a thread or in an event loop."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tallyroom.ledger.faults import LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from tallyroom.intake.answer import Answer, Refusal
    from tallyroom.ledger.entry import Receipt

Ended: TypeAlias = "Answer | Refusal"


@dataclass(frozen=True, slots=True)
class Pending:
    """What was handed to the ledger and is not on disk yet.

    Attributes:
        future: the ledger's.
        answered: makes the answer of a receipt.
        failed: says what is to be done when the ledger refuses: an end, or something else to wait for.
    """

    future: Future[Receipt]
    answered: Callable[[Receipt], Ended]
    failed: Callable[[LedgerError], Ended | Pending]

    def result(self) -> Ended:
        """Wait in this thread."""
        try:
            receipt = self.future.result()
        except LedgerError as error:
            next_step = self.failed(error)
            return next_step.result() if isinstance(next_step, Pending) else next_step
        return self.answered(receipt)

    async def arrived(self) -> Ended:
        """Wait in an event loop."""
        try:
            receipt = await asyncio.wrap_future(self.future)
        except LedgerError as error:
            next_step = self.failed(error)
            return await next_step.arrived() if isinstance(next_step, Pending) else next_step
        return self.answered(receipt)
