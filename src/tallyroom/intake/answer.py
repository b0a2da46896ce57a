"""What the door answers: a receipt with what became of the filing, or why nothing was kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallyroom.report.read_back import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.checks.finding import Finding
    from tallyroom.faults import Fault
    from tallyroom.ledger.entry import Head


@dataclass(frozen=True, slots=True)
class Answer:
    """It is in the ledger, on disk: the receipt.

    Attributes:
        seq: number of its entry.
        leaf: leaf hash of the entry, hex.
        head: a head of the ledger that covers it.
        repeated: the very same had been sent before, and this is its receipt.
        outcome: what became of it, a value of `tabulate.decision.Outcome`.
        because: why, a value of `tabulate.decision.Because`.
        findings: what the checks say about the report alone.
        differing: titles of the lines of the sheet that are not as on the one it was compared with; never the values.
        beside: number of that one; None if with none.
    """

    seq: int
    leaf: str
    head: Head
    repeated: bool
    outcome: str
    because: str
    findings: tuple[Finding, ...] = ()
    differing: tuple[str, ...] = ()
    beside: int | None = None

    @property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """The entry in a few words that can be read out, by language."""
        return {"en": words_of(self.leaf, "en"), "es": words_of(self.leaf, "es")}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Nothing was kept, or not as it was meant.

    Attributes:
        status: of HTTP, so that every door says the same.
        code: stable, for programs.
        title: what is wrong, in a few words.
        detail: what is wrong, where, and what to do.
        fields: by field, where fields are wrong.
        seq: number of the entry under which it was kept all the same, for a person to look at.
    """

    status: int
    code: str
    title: str
    detail: str
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    seq: int | None = None


def refusal_of(status: int, code: str, title: str, *faults: Fault) -> Refusal:
    """Tell faults as a refusal: each with what to do."""
    return Refusal(status, code, title, " ".join(f"{_sentence(fault.what)} {fault.remedy}" for fault in faults))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
