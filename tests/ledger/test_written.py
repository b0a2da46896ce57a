"""A head as it is written down: one line that everything prints and everything reads."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.drafts import CONTEST, reports
from tallyroom.ledger.entry import Head
from tallyroom.ledger.export import export
from tallyroom.ledger.kept import kept_path
from tallyroom.ledger.memory import MemoryLedger
from tallyroom.ledger.sqlite import SqliteLedger
from tallyroom.ledger.written import read_written, written

ROOT = "ab" * 32
heads = st.builds(Head, st.integers(0, 10**20 - 1), st.binary(min_size=32, max_size=32).map(bytes.hex))


@given(heads, st.sampled_from(["", "\n", "  \n"]))
def test_what_is_written_is_read(head, end):
    assert read_written(written(head) + end) == head


def test_the_kept_file_is_read(tmp_path):
    path = tmp_path / "night.db"
    with SqliteLedger(path, CONTEST, create=True) as ledger:
        ledger.append(reports(3))
        head = ledger.head()
    assert read_written(kept_path(path).read_text(encoding="utf-8")) == head


@pytest.mark.parametrize("count", [0, 1, 7])
def test_the_end_of_an_export_is_read(count):
    with MemoryLedger(CONTEST) as ledger:
        ledger.append(reports(count))
        out = io.BytesIO()
        export(ledger, out)
        assert read_written(out.getvalue().decode()) == ledger.head()
        assert read_written(out.getvalue().decode().splitlines()[-1]) == ledger.head()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        f"7 entries, head {ROOT}",
        ROOT,
        f"-7 {ROOT}",
        f"7 {ROOT.upper()}",
        f"7 {ROOT[1:]}",
        f"7  {ROOT}",
        f"\u0667 {ROOT}",
        f"7 {ROOT}\nand more",
        '{"count":7}',
        f'{{"count":-7,"root":"{ROOT}"}}',
        f'{{"count":"7","root":"{ROOT}"}}',
        '{"count":7,"root":"ab"}',
        '{"count":7,"root":null}',
        "[" * 100_000,
        '{"count":' * 100_000,
        '{"more":' + "[" * 100_000,
        "\ud800",
    ],
)
def test_what_is_no_head_is_none(text):
    assert read_written(text) is None
