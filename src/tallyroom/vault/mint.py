"""What is made of chance and what is only kept as a digest; both the chance and the key of digests are given."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b32encode, urlsafe_b64encode
from typing import TYPE_CHECKING

from tallyroom.faults import Fault
from tallyroom.vault import code
from tallyroom.vault.faults import VaultError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SECRET_BYTES = 32
"""Bytes of the key of all digests, at least, and of every token made here."""

PASSPHRASE_WORDS = 4
"""Of a list of 2,048 words, four are worth 44 bits: enough for what is only tried by telephone."""

_WORDS_AT_LEAST = 1024


class Mint:
    """Makes ids and secrets, and digests of secrets.

    Args:
        secret: at least 32 bytes that are kept outside of the database (a file of the server). Without it, digests
            of short codes cannot be tried out by whoever has a copy of the database.
        random: gives that many bytes that nobody can foretell (`secrets.token_bytes`).

    Raises:
        VaultError: the secret is too short.
    """

    def __init__(self, secret: bytes, random: Callable[[int], bytes]) -> None:
        if len(secret) < SECRET_BYTES:
            what = f"the vault's secret has {len(secret)} bytes, fewer than {SECRET_BYTES}"
            raise VaultError(Fault(what, f"Make one of {SECRET_BYTES} random bytes and keep it beside the server."))
        self._secret, self.random = secret, random

    def digest(self, purpose: str, *parts: str) -> bytes:
        """The digest by which a secret is found again; equal only for the same purpose and parts."""
        # surrogatepass: what nobody can write down is a wrong code like any other
        encoded = [part.encode("utf-8", "surrogatepass") for part in (purpose, *parts)]
        text = b"".join(len(part).to_bytes(8, "big") + part for part in encoded)
        return hmac.digest(self._secret, text, "sha256")

    def mark(self) -> bytes:
        """Tells this secret from another one, without giving it away."""
        return self.digest("mark")

    def id(self, prefix: str) -> str:
        """An opaque id, such as `p-4tq7kz2m6a3d5rxw`: 80 bits that say nothing."""
        return f"{prefix}-{b32encode(self.random(10)).decode().lower()}"

    def token(self) -> str:
        """A secret for machines to carry: 256 bits in 43 characters that an address may hold."""
        return urlsafe_b64encode(self.random(SECRET_BYTES)).decode().rstrip("=")

    def code(self) -> str:
        """A short code for people to type; see `vault.code`."""
        return code.short_code([self.below(len(code.ALPHABET)) for _ in range(code.LENGTH)])

    def passphrase(self, words: Sequence[str]) -> str:
        """Words to say on the telephone, separated by blanks.

        Args:
            words: the dictionary, at least 1,024 different words.

        Raises:
            VaultError: the dictionary is too small.
        """
        if len(set(words)) < _WORDS_AT_LEAST:
            what = f"the list for passphrases has {len(set(words))} words, fewer than {_WORDS_AT_LEAST:,}"
            raise VaultError(Fault(what, "Take a longer list."))
        return " ".join(words[self.below(len(words))] for _ in range(PASSPHRASE_WORDS))

    def below(self, limit: int) -> int:
        """A number from 0 to `limit - 1`, each as likely as the next."""
        width = (limit.bit_length() + 7) // 8 + 1
        fair = 256**width - 256**width % limit
        while (drawn := int.from_bytes(self.random(width), "big")) >= fair:
            pass
        return drawn % limit


def text_digest(salt: bytes, text: str) -> str:
    """SHA-256 (hex) of salt and text: what stands in the ledger in the text's place."""
    return hashlib.sha256(salt + text.encode()).hexdigest()
