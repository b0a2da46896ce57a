"""Passwords of the staff, as argon2id hashes; the salt is given, the secret of the vault is mixed in first."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from argon2 import Type, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import hash_secret, verify_secret

from tallyroom.vault.refused import Reason

if TYPE_CHECKING:
    from tallyroom.vault.mint import Mint

AT_LEAST, AT_MOST = 12, 1000
"""Characters of a password: length is what makes it hard to guess, so nothing else is asked."""

_SALT_BYTES, _HASH_BYTES = 16, 32


@dataclass(frozen=True, slots=True)
class Cost:
    """What one hash costs; the default is the second recommendation of RFC 9106, section 4.

    Attributes:
        passes: over the memory.
        kibibytes: of memory.
        lanes: computed at once.
    """

    passes: int = 3
    kibibytes: int = 65_536
    lanes: int = 4


def objection(password: str) -> Reason | None:
    """Why a password is not taken; None if it is."""
    if len(password) < AT_LEAST:
        return Reason.PASSWORD_SHORT
    return Reason.PASSWORD_LONG if len(password) > AT_MOST else None


def hashed(password: str, mint: Mint, cost: Cost) -> str:
    """The hash to keep, with salt and cost inside."""
    hashing = hash_secret(
        _mixed(password, mint),
        mint.random(_SALT_BYTES),
        cost.passes,
        cost.kibibytes,
        cost.lanes,
        _HASH_BYTES,
        Type.ID,
    )
    return hashing.decode()


def matches(kept: str, password: str, mint: Mint) -> bool:
    """Whether a password is the one that was hashed."""
    try:
        return verify_secret(kept.encode(), _mixed(password, mint), Type.ID)
    except (VerificationError, InvalidHashError):
        return False


def dated(kept: str, cost: Cost) -> bool:
    """Whether a hash was made at another cost than is asked for now."""
    found = extract_parameters(kept)
    return (found.time_cost, found.memory_cost, found.parallelism) != (cost.passes, cost.kibibytes, cost.lanes)


def _mixed(password: str, mint: Mint) -> bytes:
    return mint.digest("password", unicodedata.normalize("NFKC", password[: AT_MOST + 1]))
