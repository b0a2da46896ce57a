"""A vault by the address of its ledger: `postgresql://...` is a database on a server, anything else a SQLite file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tallyroom.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tallyroom.vault.password import Cost
    from tallyroom.vault.shelf import Shelf

_ON_SERVER = ("postgresql://", "postgres://")


def open_vault(
    address: str | Path | None,
    contest: str,
    secret: bytes,
    random: Callable[[int], bytes],
    *,
    create: bool = False,
    cost: Cost | None = None,
) -> Vault:
    """Open the vault beside the ledger of a contest.

    Args:
        address: the ledger's: `postgresql://USER@HOST/DATABASE`, or a path. None keeps all in memory, for as long as
            the process runs.
        contest: id of the contest; the ledger must be of the same.
        secret: at least 32 bytes, kept outside of the database; always the same.
        random: gives that many bytes that nobody can foretell (`secrets.token_bytes`).
        create: make an empty vault if there is none yet.
        cost: of a password's hash; None takes the usual.

    Raises:
        VaultStoreError: no ledger, no vault, of another contest, another secret, not to be opened.
        VaultError: the secret is too short.
    """
    shelf = _shelf(address, contest, create=create)
    try:
        return Vault(shelf, contest, secret, random, cost=cost)
    except BaseException:
        shelf.close()
        raise


def _shelf(address: str | Path | None, contest: str, *, create: bool) -> Shelf:
    if isinstance(address, str) and address.startswith(_ON_SERVER):
        from tallyroom.vault.postgres_shelf import PostgresShelf  # noqa: PLC0415 - a file needs no database client

        return PostgresShelf(address, contest, create=create)
    from tallyroom.vault.sqlite_shelf import SqliteShelf  # noqa: PLC0415 - a server needs no SQLite

    return SqliteShelf(None if address is None else Path(address), contest, create=create)
