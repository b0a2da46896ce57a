"""What a draft must keep to be entered: codes, keys and digests in their forms, UTC, and a body of exact values."""

from __future__ import annotations

import re
from datetime import UTC, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import msgspec

from tallyroom.faults import Fault
from tallyroom.ledger.entry import Draft, Entry, seal, unwritable
from tallyroom.ledger.faults import LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_LEAVES = frozenset({int, str, bool, type(None)})
_CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KEY = re.compile(r"[!-~]{1,200}")
_DIGEST = re.compile(r"[0-9a-f]{32,128}")
_NO_OFFSET = timedelta(0)
_VALUES = cast("Callable[[object], Iterable[object]]", dict.values)  # asked of dicts alone
_SUM = cast("Callable[[Iterable[object]], object]", sum)  # what cannot be added raises TypeError


def check(drafts: Iterable[Draft]) -> None:
    """Hold drafts to the contract.

    Raises:
        LedgerError: names every fault of every draft.
    """
    found = list[Fault]()
    for draft in drafts:
        found += _field_faults(draft)
        try:
            _only_exact(draft.body.values())
        except (TypeError, RecursionError) as error:
            found.append(unwritable(draft, error))
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


def _field_faults(draft: Draft) -> tuple[Fault, ...]:
    found = _code_faults(draft.kind, draft.version, draft.contest, draft.channel, draft.author.role, draft.reason)
    if draft.at.tzinfo is not UTC and draft.at.utcoffset() != _NO_OFFSET:
        found += (Fault(f"the time {draft.at.isoformat()} is not in UTC", "Give the recorder's clock in UTC."),)
    if not (_KEY.fullmatch(draft.key) and _KEY.fullmatch(draft.author.id)):
        what = "key or author is empty, too long or has odd characters"
        found += (Fault(what, "Use up to 200 visible ASCII characters."),)
    if type(draft.version) is not int or (draft.replaces is not None and type(draft.replaces) is not int):
        what = f"version {draft.version!r} or replaced entry {draft.replaces!r} is no whole number"
        found += (Fault(what, "Count versions from 1 and entries from 0."),)
    if draft.paper and not _KEY.fullmatch(draft.paper):
        remedy = "Give the digest of the paper's picture or its code."
        found += (Fault("the paper is not a digest or code", remedy),)
    if draft.text and not _DIGEST.fullmatch(draft.text):
        remedy = "Keep free text outside the ledger and give its salted digest in hex."
        found += (Fault("the text is not a digest", remedy),)
    return found


@lru_cache(maxsize=4096)
def _code_faults(kind: str, version: int, contest: str, channel: str, role: str, reason: str) -> tuple[Fault, ...]:
    """Faults of the fields that take few values in an evening, looked at once for each combination."""
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


def _only_exact(values: Iterable[object]) -> None:
    """Refuse whatever is no integer, text, truth, null, list or object; asked of every value of every report."""
    for value in values:
        form = type(value)
        if form in _LEAVES:
            continue
        if form is dict:
            inner = _VALUES(value)
        elif form is list or form is tuple:
            inner = cast("Iterable[object]", value)  # form tells
        else:
            raise TypeError(f"{value!r} is a {form.__name__}"[:200])
        for first in inner:
            if type(first) is not int or not _sum_is_int(inner):
                _only_exact(inner)
            break


def _sum_is_int(values: Iterable[object]) -> bool:
    """Whether all are integers, for then so is their sum: most of a report, and three times as fast as one by one."""
    try:
        return type(_SUM(values)) is int
    except TypeError:
        return False
