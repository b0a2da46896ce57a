"""Who decides, inside the ledger's single writer and in ledger order, what stands right behind an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallyroom.ledger.entry import Draft, Entry


class Judge(Protocol):
    """Sees every new entry of a ledger before it is committed; one thread at a time asks.

    What it answers with is entered right behind the entry, in the same commit: an entry that must be judged never
    stands there without its judgement.
    """

    def behind(self, entry: Entry) -> Sequence[Draft]:
        """Take the next entry into account, and give what shall stand behind it.

        What it gives comes back as an entry before the next one does.
        """
        ...

    def at(self, count: int) -> None:
        """Stand where the ledger stands: it has exactly `count` entries, whatever was asked about since.

        Must not read the ledger yet: what went wrong may still go wrong.
        """
        ...


class NoJudge:
    """Lets every entry stand alone."""

    def behind(self, entry: Entry) -> Sequence[Draft]:  # noqa: ARG002 - whatever it is
        """See `Judge.behind`."""
        return ()

    def at(self, count: int) -> None:
        """See `Judge.at`."""
