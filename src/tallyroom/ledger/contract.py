"""What a draft must keep to be entered: codes, keys and digests in their forms, UTC, and a body of exact values."""

from __future__ import annotations

import re
from datetime import UTC, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from tallyroom.faults import Fault
from tallyroom.ledger.entry import Draft, Entry, seal, unwritable
from tallyroom.ledger.faults import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_LEAVES = frozenset({int, str, bool, type(None)})
_CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KEY = re.compile(r"[!-~]{1,200}")
_DIGEST = re.compile(r"[0-9a-f]{32,128}")
_NO_OFFSET = timedelta(0)


def check(drafts: Sequence[Draft]) -> None:
    """Hold drafts to the contract, one field of all of them after the other.

    Raises:
        LedgerError: names every fault of every draft.
    """
    found = [fault for codes in _codes(drafts) for fault in _code_faults(*codes)]
    found += [
        Fault(f"the time {draft.at.isoformat()} is not in UTC", "Give the recorder's clock in UTC.")
        for draft in drafts
        if draft.at.tzinfo is not UTC and draft.at.utcoffset() != _NO_OFFSET
    ]
    found += [
        Fault("key or author is empty, too long or has odd characters", "Use up to 200 visible ASCII characters.")
        for draft in drafts
        if not (_KEY.fullmatch(draft.key) and _KEY.fullmatch(draft.author.id))
    ]
    found += [
        Fault(
            f"version {draft.version!r} or replaced entry {draft.replaces!r} is no whole number", "Count from 1 and 0."
        )
        for draft in drafts
        if type(draft.version) is not int or (draft.replaces is not None and type(draft.replaces) is not int)
    ]
    found += [
        Fault("the paper is not a digest or code", "Give the digest of the paper's picture or its code.")
        for draft in drafts
        if draft.paper and not _KEY.fullmatch(draft.paper)
    ]
    found += [
        Fault("the text is not a digest", "Keep free text outside the ledger and give its salted digest in hex.")
        for draft in drafts
        if draft.text and not _DIGEST.fullmatch(draft.text)
    ]
    found += _body_faults(drafts)
    if found:
        raise LedgerError(*dict.fromkeys(found))


def canonical(entry: Entry) -> bool:
    """Whether the bytes are exactly those this contract gives for their content."""
    try:
        draft = entry.draft()
        check([draft])
        return seal(draft, entry.seq, entry.prev) == entry.raw
    except (LedgerError, msgspec.DecodeError, RecursionError):
        return False


def _codes(drafts: Sequence[Draft]) -> Iterable[tuple[str, int, str, str, str, str]]:
    """The codes of drafts, each combination once: an evening has few."""
    return dict.fromkeys(
        [(draft.kind, draft.version, draft.contest, draft.channel, draft.author.role, draft.reason) for draft in drafts]
    )


@lru_cache(maxsize=4096)
def _code_faults(kind: str, version: int, contest: str, channel: str, role: str, reason: str) -> tuple[Fault, ...]:
    found = list[Fault]()
    if not all(len(code) <= 64 and _CODE.fullmatch(code) for code in (kind, channel, contest, role)):
        names = f"{kind!r}, {channel!r}, {contest!r}, {role!r}"
        found.append(Fault(f"kind, channel, contest and role are {names}", "Use small letters, digits and hyphens."))
    if reason and not _CODE.fullmatch(reason):
        remedy = "Give a code of small letters, digits and hyphens; keep the text outside."
        found.append(Fault("the reason is not a code", remedy))
    if version < 1:
        found.append(Fault(f"version {version} of {kind!r}", "Count versions from 1."))
    return tuple(found)


def _body_faults(drafts: Sequence[Draft]) -> Iterator[Fault]:
    for draft in drafts:
        try:
            _only_exact(draft.body.values())
        except (TypeError, RecursionError) as error:
            yield unwritable(draft, error)


def _only_exact(values: Iterable[Any]) -> None:  # Any: the forms of values are what is asked here
    """Refuse whatever is no integer, text, truth, null, list or object; asked of every value of every report."""
    for value in values:
        form: type[Any] = type(value)
        if form in _LEAVES:
            continue
        if form is dict:
            inner = value.values()
        elif form is list or form is tuple:
            inner = value
        else:
            raise TypeError(f"{value!r} is a {form.__name__}"[:200])
        for first in inner:
            if type(first) is not int or not _sum_is_int(inner):
                _only_exact(inner)
            break


def _sum_is_int(values: Iterable[Any]) -> bool:  # Any: what cannot be added says so itself
    """Whether all are integers, for then so is their sum: most of a report, and three times as fast as one by one."""
    try:
        return type(sum(values)) is int
    except TypeError:
        return False
