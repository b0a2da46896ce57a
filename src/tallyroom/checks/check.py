"""One object a check: its code, slug, severity, meaning and remedy. Findings, help and docs all come from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import cleandoc
from typing import TYPE_CHECKING, Generic, TypeVar

from tallyroom.checks.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tallyroom.checks.finding import Number

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found:
    """What a predicate yields: the sentence, the numbers that prove it, and what differs from the check's usual.

    Attributes:
        severity, todo: in place of the check's own.
        unit: the place, where facts about an area show something about one of its units.
    """

    text: str
    numbers: Mapping[str, Number] = field(default_factory=dict[str, "Number"])
    severity: Severity | None = None
    todo: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Check(Generic[T]):
    """A numbered check on facts of type `T` (a report, an area, a batch).

    Attributes:
        code: number, stable for ever.
        kind: slug, stable for ever.
        title: what it means, in a few words.
        specification: the predicate, exactly.
        todo: what to do about a finding.
    """

    code: str
    kind: str
    severity: Severity
    title: str
    specification: str
    todo: str
    predicate: Callable[[T], Iterator[Found]]

    def findings(self, facts: T, *, unit: str = "", area: str = "") -> Iterator[Finding]:
        """Give what the check finds in a place."""
        for found in self.predicate(facts):
            severity, todo = found.severity or self.severity, found.todo or self.todo
            yield Finding(self.code, self.kind, severity, unit or found.unit, area, found.numbers, found.text, todo)


class Register(Generic[T]):
    """The checks on facts of one type, in the order of their codes."""

    def __init__(self) -> None:
        self.checks: list[Check[T]] = []

    def check(
        self, code: str, kind: str, severity: Severity, title: str, todo: str
    ) -> Callable[[Callable[[T], Iterator[Found]]], Check[T]]:
        """Make a check of a predicate; the predicate's docstring is the specification."""

        def register(predicate: Callable[[T], Iterator[Found]]) -> Check[T]:
            specification = cleandoc(predicate.__doc__ or "")
            made = Check(code, kind, severity, title, specification, todo, predicate)
            self.checks.append(made)
            return made

        return register
