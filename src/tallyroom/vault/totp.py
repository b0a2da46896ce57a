"""Codes that change every half minute (RFC 6238), in the form that every authenticator reads: SHA-1, six digits."""

from __future__ import annotations

import hmac
from base64 import b32encode
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from tallyroom.vault.stored import stamp

if TYPE_CHECKING:
    from datetime import datetime

DIGITS, STEP_SECONDS, SECRET_BYTES = 6, 30, 20
"""Of RFC 6238; 20 bytes are the length of SHA-1 (RFC 4226, section 4)."""

_LEEWAY = (0, -1, 1)


def step_of(at: datetime) -> int:
    """The number of the half minute since 1970."""
    return stamp(at) // (STEP_SECONDS * 1_000_000)


def code_at(secret: bytes, step: int) -> str:
    """The code of one step (RFC 4226, section 5.3)."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 0x0F
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**DIGITS).rjust(DIGITS, "0")


def matching_step(secret: bytes, typed: str, at: datetime) -> int | None:
    """The step whose code was typed: this one, the one before or the one after; None if it is none of them."""
    plain = "".join(typed.split()).encode("utf-8", "surrogatepass")
    now = step_of(at)
    found = [now + by for by in _LEEWAY if hmac.compare_digest(code_at(secret, now + by).encode(), plain)]
    return found[0] if found else None


def address(secret: bytes, login: str, issuer: str) -> str:
    """The `otpauth://` address that an authenticator reads as a QR code. It holds the secret: show it once."""
    asked = urlencode({"secret": b32encode(secret).decode().rstrip("="), "issuer": issuer}, quote_via=quote)
    return f"otpauth://totp/{quote(issuer)}:{quote(login)}?{asked}"
