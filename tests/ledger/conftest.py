"""The PostgreSQL server of a test run: started when the first test asks for it, one for each worker of xdist."""

from __future__ import annotations

import pytest

from ledger.server import Server


@pytest.fixture(scope="session")
def server():
    """A server that no test may kill."""
    running = Server()
    yield running
    running.close()


@pytest.fixture(scope="session")
def _one_database(server):
    return server.database()


@pytest.fixture
def address(server, _one_database):
    """The address of an empty database; the next test finds it empty again."""
    server.empty(_one_database)
    return _one_database
