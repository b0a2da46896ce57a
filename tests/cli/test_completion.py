"""What Tab offers: contests, then what the contest has; never a complaint."""

from __future__ import annotations

import pytest

from cli.typed import typed

SMALL = "lakeland-2031"


def offered(line):
    """What bash would be offered at the end of a line."""
    words = line.split(" ")
    said = typed(_TALLYROOM_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    assert said.err == ""
    return [row.split(",")[1] for row in said.out.split()]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("tallyroom tabulate lake", [SMALL]),
        ("tallyroom night io", ["iowa-2020"]),
        (f"tallyroom tabulate {SMALL} --release e", ["evening"]),
        (f"tallyroom tabulate {SMALL} --county al", ["alder"]),
        (f"tallyroom check {SMALL} --district n", ["north"]),
        (f"tallyroom check {SMALL} --unit clover-g", ["clover-gym"]),
        (f"tallyroom check {SMALL} --kind award-", ["award-differs"]),
        ("tallyroom tabulate nowhere --release e", []),
    ],
)
def test_tab_offers(line, names):
    assert offered(line) == names
