"""Readers of single values of `rules.toml`: each gives the value or says in words what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, Generic, TypeGuard, TypeVar
from zoneinfo import ZoneInfo

from tallyroom.exact import COUNT_LIMIT, DELEGATES_LIMIT, parse_fraction
from tallyroom.plan.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

T = TypeVar("T")

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
ID_LIMIT = 64
"""Characters an id can have: those of the ledger's codes."""
UNIT_ID_LIMIT = 120
"""Characters a unit's id can have: town, building and room stand in it, and with a release it still makes a key."""
DECIMALS_LIMIT = 12
"""Decimals a figure can be rounded to; sums share a denominator that has as many."""


class Missing(Enum):
    """Default of a field that must be there."""

    MISSING = 0


MISSING = Missing.MISSING


@dataclass(frozen=True, slots=True)
class Field(Generic[T]):
    """A key of a table: how its value is read, what it is when left out, and what it means."""

    read: Callable[[object], T]
    meaning: str
    default: T | Missing = MISSING


def is_list(value: object) -> TypeGuard[list[object]]:
    """Whether a value of TOML is a list."""
    return isinstance(value, list)


def is_table(value: object) -> TypeGuard[dict[str, object]]:
    """Whether a value of TOML is a table; its keys are texts by then."""
    return isinstance(value, dict)


def shown(value: object) -> str:
    """Give a value as a fault can show it: as written, but not at any length."""
    try:
        written = repr(value)
    except (ValueError, RecursionError):
        # Python refuses to write numbers of thousands of digits, which TOML can hold in hexadecimal.
        return "a value too large to show"
    return written if len(written) <= 60 else f"{written[:57]}..."


def text(value: object) -> str:
    """Read a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{shown(value)} is not a text")
    return value


def identifier(value: object) -> str:
    """Read an id of small letters and digits, with single hyphens between them."""
    return _id(value, ID_LIMIT)


def unit_identifier(value: object) -> str:
    """Read the id of a reporting place: of the same form, but longer."""
    return _id(value, UNIT_ID_LIMIT)


def _id(value: object, limit: int) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError(f"{shown(value)} is not an id: small letters and digits, with single hyphens between them")
    if len(value) > limit:
        raise ValueError(f"{shown(value)} is too long for an id: it has {len(value):,} characters (limit {limit})")
    return value


def name(value: object) -> str:
    """Read a name in code: an id in which underscores may stand for hyphens."""
    if not isinstance(value, str) or not _ID.fullmatch(value.replace("_", "-")):
        raise ValueError(f"{shown(value)} is not a name of small letters, digits, and hyphens or underscores between")
    if len(value) > ID_LIMIT:
        raise ValueError(f"{shown(value)} is too long for a name: it has {len(value):,} characters (limit {ID_LIMIT})")
    return value


def count(value: object) -> int:
    """Read a whole number, 0 or more."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{shown(value)} is not a whole number")  # noqa: TRY004 - one kind of error for every reader
    if value < 0:
        raise ValueError(f"{shown(value)} is negative: a count is 0 or more")
    if value >= COUNT_LIMIT:
        raise ValueError(f"{shown(value)} is larger than any place can hold (limit {COUNT_LIMIT:,})")
    return value


def delegates(value: object) -> int:
    """Read a number of delegates."""
    number = count(value)
    if number >= DELEGATES_LIMIT:
        raise ValueError(f"{number} is more than any place elects (it must be below {DELEGATES_LIMIT:,})")
    return number


def decimals(value: object) -> int:
    """Read a number of decimals."""
    number = count(value)
    if number > DECIMALS_LIMIT:
        raise ValueError(f"{number} decimals are more than any figure has (limit {DECIMALS_LIMIT})")
    return number


def yes(value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{shown(value)} is not true or false")  # noqa: TRY004 - the same
    return value


def always(value: object) -> bool:
    """Read a rule that can only be true today."""
    if value is not True:
        raise ValueError(f"{shown(value)} is not supported yet: it can be true")
    return True


def share(value: object) -> Fraction:
    """Read an exact share from 0 to 1."""
    if not isinstance(value, str | int):
        raise ValueError(f'{shown(value)} is not an exact share: write it in quotation marks, as "3/20"')  # noqa: TRY004 - the same
    exact = parse_fraction(value)
    if not 0 <= exact <= 1:
        raise ValueError(f"{shown(value)} is not a share from 0 to 1")
    return exact


def share_or_none(value: object) -> Fraction | None:
    """Read an exact share above 0, or the word `none`."""
    if value == "none":
        return None
    exact = share(value)
    if not exact:
        raise ValueError('a share of 0 makes everybody viable: write "none" if there is no viability')
    return exact


def moment(value: object) -> datetime:
    """Read a time with its zone."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError(f"{shown(value)} is not a time such as 2020-02-07T01:28:00Z") from None
    if not isinstance(value, datetime):
        raise ValueError(f"{shown(value)} is not a time such as 2020-02-07T01:28:00Z")  # noqa: TRY004 - the same
    if value.tzinfo is None:
        raise ValueError(f"{value.isoformat()} names no time zone: add Z for universal time")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{value.isoformat()} is not a time in which a contest is held") from None


def zone(value: object) -> str:
    """Read a time zone such as America/Chicago."""
    try:
        return ZoneInfo(text(value)).key
    except (KeyError, OSError, ValueError):
        raise ValueError(f"{shown(value)} is not a time zone such as America/Chicago") from None


def texts(value: object) -> tuple[str, ...]:
    """Read a list of texts, none twice."""
    if not is_list(value) or not value:
        raise ValueError(f"{shown(value)} is not a list of texts")
    found = tuple(text(part) for part in value)
    if len(set(found)) < len(found):
        raise ValueError(f"{', '.join(found)} names one twice")
    return found


@dataclass(frozen=True, slots=True)
class OneOf:
    """Reader of a rule that can take the supported values; `hint` says what another one is."""

    supported: tuple[str, ...]
    hint: str

    def __call__(self, value: object) -> str:
        """Read one of the supported values."""
        if not isinstance(value, str) or value not in self.supported:
            raise ValueError(f"{shown(value)} {self.hint}: it can be {' or '.join(self.supported)}")
        return value


def one_of(*supported: str, hint: str = "is not supported yet") -> OneOf:
    """Give a reader of a rule that can take these values today."""
    return OneOf(supported, hint)


def source(value: object) -> Source:
    """Read where a rule stands: a document and optionally a section, a quote, a note."""
    if isinstance(value, str):
        return Source(identifier(value))
    if not is_table(value) or "document" not in value:
        raise ValueError('a source is { document = "...", section = "...", note = "..." }')
    known: Sequence[str] = ("document", "section", "quote", "note")
    parts = {key: text(part) for key, part in value.items()}
    if strange := [key for key in parts if key not in known]:
        raise ValueError(f"a source has no {strange[0]!r}: it has {', '.join(known)}")
    return Source(
        identifier(parts["document"]), parts.get("section", ""), parts.get("quote", ""), parts.get("note", "")
    )
