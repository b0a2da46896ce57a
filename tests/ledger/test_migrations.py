"""An older ledger is brought up to date by whoever writes, told to whoever reads; a newer one is refused."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from ledger.drafts import CONTEST, report, reports
from ledger.server import said
from tallyroom.ledger import migrations
from tallyroom.ledger.faults import StoreError
from tallyroom.ledger.postgres import PostgresLedger
from tallyroom.ledger.sqlite import SqliteLedger
from tallyroom.ledger.sqlite_shelf import connect
from tallyroom.ledger.verify_postgres import verify_postgres
from tallyroom.ledger.verify_sqlite import verify_sqlite

LATER = {"later-0002.sql": "CREATE TABLE {}remark (seq bigint PRIMARY KEY);"}
FAULTY = {"later-0002.sql": "CREATE TABLE {}remark (seq bigint PRIMARY KEY);\nCREATE TABLE {}entry (seq bigint);"}


class OnSqlite:
    scripts, verify = "SQLITE", staticmethod(verify_sqlite)

    def __init__(self, tmp_path):
        self.place, self.prefix = tmp_path / "night.db", ""

    def opened(self, **how):
        return SqliteLedger(self.place, CONTEST, **how)

    def form(self):
        connection = connect(self.place, read_only=True)
        ((form,),) = connection.execute("PRAGMA user_version").fetchall()
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        connection.close()
        return form, "remark" in tables

    def make_newer(self):
        connection = connect(self.place, read_only=False)
        connection.execute("PRAGMA user_version = 99")
        connection.close()


class OnPostgres:
    scripts, verify = "POSTGRES", staticmethod(verify_postgres)

    def __init__(self, address):
        self.place, self.prefix = address, "ledger."

    def opened(self, **how):
        return PostgresLedger(self.place, CONTEST, **how)

    def form(self):
        return said(self.place, "SELECT max(version), to_regclass('ledger.remark') IS NOT NULL FROM ledger.form")[0]

    def make_newer(self):
        said(self.place, "INSERT INTO ledger.form VALUES (99)")


@pytest.fixture(params=["sqlite", "postgres"])
def kept_in(request, tmp_path):
    """A ledger of five reports in the form of today."""
    place = OnSqlite(tmp_path) if request.param == "sqlite" else OnPostgres(request.getfixturevalue("address"))
    with place.opened(create=True) as ledger:
        ledger.append(reports(5))
    return place


@pytest.fixture
def later(kept_in, monkeypatch):
    """Let a later Tallyroom know one script more."""

    def known(scripts):
        usual, today = migrations.script, getattr(migrations, kept_in.scripts)
        monkeypatch.setattr(migrations, kept_in.scripts, (*today, *scripts))
        texts = {name: text.replace("{}", kept_in.prefix) for name, text in scripts.items()}
        monkeypatch.setattr(migrations, "script", lambda name: texts[name] if name in texts else usual(name))

    return known


def test_writer_brings_an_older_ledger_up_to_date_and_keeps_its_entries(kept_in, later):
    assert kept_in.form() == (1, False)
    later(LATER)
    with kept_in.opened() as ledger:
        assert kept_in.form() == (2, True)
        assert ledger.append([report(5)])[0].seq == 5
    kept_in.opened().close()
    assert kept_in.form() == (2, True)
    assert kept_in.verify(kept_in.place) == []


def test_reader_says_that_a_writer_must_come_first(kept_in, later):
    later(LATER)
    with pytest.raises(StoreError, match=r"has form 1, and this Tallyroom reads form 2\. Open it once for writing"):
        kept_in.opened(read_only=True)
    assert kept_in.form() == (1, False)


def test_new_ledger_is_made_in_the_newest_form(tmp_path, kept_in, later, request):
    later(LATER)
    if isinstance(kept_in, OnSqlite):
        kept_in.place = tmp_path / "other.db"
    else:
        request.getfixturevalue("server").empty(kept_in.place)
    kept_in.opened(create=True).close()
    assert kept_in.form() == (2, True)


def test_script_that_fails_leaves_the_ledger_as_it_was(kept_in, later):
    later(FAULTY)
    with pytest.raises(StoreError, match="already exists"):
        kept_in.opened()
    assert kept_in.form() == (1, False)


@pytest.mark.parametrize("how", [{}, {"create": True}, {"read_only": True}])
def test_ledger_of_a_later_tallyroom_is_refused(kept_in, how):
    kept_in.make_newer()
    with pytest.raises(StoreError, match=r"has form 99, and this Tallyroom knows forms up to 1\. Use the Tallyroom"):
        kept_in.opened(**how)


@pytest.mark.parametrize("scripts", [migrations.SQLITE, migrations.POSTGRES])
def test_scripts_are_numbered_without_a_gap_and_none_is_forgotten(scripts):
    kind = scripts[0].partition("-")[0]
    assert list(scripts) == [f"{kind}-{number:04}.sql" for number in range(1, len(scripts) + 1)]
    there = [file.name for file in files("tallyroom.ledger").joinpath("schema").iterdir()]
    assert sorted(name for name in there if re.fullmatch(rf"{kind}-\d+\.sql", name)) == list(scripts)
