"""How values go into a database and come out: times as whole microseconds, texts that every database can hold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def stamp(at: datetime) -> int:
    """Microseconds since 1970 UTC of a time that knows its zone."""
    return (at - _EPOCH) // _MICROSECOND


def moment(stamped: int) -> datetime:
    """The time, in UTC, of a stamp."""
    return _EPOCH + timedelta(microseconds=stamped)


def moment_or_none(stamped: int | None) -> datetime | None:
    """The time of a stamp that may be missing."""
    return None if stamped is None else moment(stamped)


def writable(text: str) -> bool:
    """Whether every database can hold a text: it has bytes in UTF-8 and no NUL."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
