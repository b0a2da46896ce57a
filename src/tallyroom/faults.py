"""What is wrong with an input, where, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an input.

    Attributes:
        what: one sentence without a full stop, in the words of the field.
        remedy: one sentence that says what to do.
        file: the file as the caller named it; empty when there is none.
        line: line in that file, counted from 1.
    """

    what: str
    remedy: str
    file: str = ""
    line: int | None = None

    def __str__(self) -> str:
        """Give `file:line: what. Remedy.` as one line."""
        place = self.file + (f":{self.line}" if self.line is not None else "")
        return f"{place + ': ' if place else ''}{self.what}. {self.remedy}".rstrip()


class TallyroomError(Exception):
    """Base of everything Tallyroom raises on purpose; carries all faults found, not only the first."""

    exit_code: ClassVar[int] = 2

    def __init__(self, *faults: Fault) -> None:
        self.faults = faults
        super().__init__("\n".join(str(fault) for fault in faults))


class CannotRunError(TallyroomError):
    """The request cannot be carried out at all: a missing file, an unknown contest, a locked database."""


class InputError(TallyroomError):
    """The input was read and its content is at fault: a rule without source, a negative count."""

    exit_code = 65


def refuse(faults: Iterable[Fault]) -> None:
    """Raise `InputError` with all of them, or return if there are none."""
    found = tuple(faults)
    if found:
        raise InputError(*found)
