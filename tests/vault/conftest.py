"""A vault in every place that can keep one: in memory, beside a ledger in a file, beside one on a server."""

from __future__ import annotations

from functools import partial
from random import Random
from shutil import copytree

import pytest

from ledger.server import Server, said
from tallyroom.ledger.address import open_ledger
from tallyroom.vault.address import open_vault
from tallyroom.vault.people import Person
from vault.evening import CHEAP, CONTEST, EVENING, SECRET


@pytest.fixture(scope="session")
def server():
    """A server that no test may kill; started when the first test asks for it."""
    running = Server()
    yield running
    running.close()


@pytest.fixture
def bare_database(server):
    """The address of a new, empty database."""
    address = server.database()
    yield address
    server.say(f"DROP DATABASE {address.partition('?')[0].rpartition('/')[2]} WITH (FORCE)")


@pytest.fixture(scope="session")
def _one_database(server):
    address = server.database()
    open_ledger(address, CONTEST, create=True).close()
    return address


@pytest.fixture
def on_server(_one_database):
    """The address of a ledger; whatever vault there is has been emptied, which is quicker than a new one."""
    tables = said(
        _one_database, "SELECT tablename FROM pg_tables WHERE schemaname = 'vault' AND tablename <> 'vault_form'"
    )
    if tables:
        said(_one_database, ";".join(f"DELETE FROM vault.{table}" for (table,) in tables))
    return _one_database


@pytest.fixture(scope="session")
def _one_file(tmp_path_factory):
    """A folder with a ledger and an empty vault, to be copied: that needs no sync."""
    folder = tmp_path_factory.mktemp("night")
    open_ledger(folder / "night.db", CONTEST, create=True).close()
    open_vault(folder / "night.db", CONTEST, SECRET, Random(0).randbytes, create=True).close()
    return folder


@pytest.fixture(params=["file", "server"])
def place(request, tmp_path):
    """The address of a ledger of each kind, with an empty vault or none."""
    if request.param == "server":
        return request.getfixturevalue("on_server")
    return copytree(request.getfixturevalue("_one_file"), tmp_path / "night") / "night.db"


@pytest.fixture(params=["file", "server"])
def bare(request, tmp_path):
    """Where neither a ledger nor a vault is, of each kind."""
    return tmp_path / "night.db" if request.param == "file" else request.getfixturevalue("bare_database")


@pytest.fixture
def open_at():
    """Opens the vault at an address, as often as asked: each is another program. All are closed at the end."""
    chance, vaults = Random(2031), []

    def opening(address, **wanted):
        given = {"contest": CONTEST, "secret": SECRET, "random": chance.randbytes, "cost": CHEAP, **wanted}
        vaults.append(open_vault(address, create=True, **given))
        return vaults[-1]

    yield opening
    for vault in vaults:
        vault.close()


@pytest.fixture
def opened(open_at, place):
    """Opens the vault of a place."""
    return partial(open_at, place)


@pytest.fixture
def vault(opened):
    return opened()


@pytest.fixture
def ann(vault):
    """Somebody who is known."""
    person = vault.people.add("Ann Example", EVENING)
    assert isinstance(person, Person)
    return person
