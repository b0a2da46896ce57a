"""What Tab offers: contests, then what the contest has; never a complaint."""

from __future__ import annotations

import pytest

from cli.typed import typed
from tallyroom.plan.catalogue import find

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
        ("tallyroom night lake", [SMALL]),
        (f"tallyroom tabulate {SMALL} --release e", ["evening"]),
        (f"tallyroom tabulate {SMALL} --county al", ["alder"]),
        (f"tallyroom check {SMALL} --district n", ["north"]),
        (f"tallyroom check {SMALL} --unit clover-g", ["clover-gym"]),
        (f"tallyroom check {SMALL} --kind award-", ["award-differs"]),
        ("tallyroom tabulate nowhere --release e", []),
        ("tallyroom plan show lake", [SMALL]),
        ("tallyroom claims lake", [SMALL]),
        ("tallyroom award lake", [SMALL]),
        (f"tallyroom award {SMALL} bi", ["birch="]),
        (f"tallyroom award {SMALL} --delegates 6 --first ce", ["cedar="]),
        (f"tallyroom award {SMALL} --unit clover-g", ["clover-gym"]),
        (
            f"tallyroom award {SMALL} --reading attendance",
            ["attendance=first", "attendance=final", "attendance=larger"],
        ),
        (f"tallyroom tabulate {SMALL} --reading attendance=l", ["attendance=larger"]),
        ("tallyroom award nowhere bi", []),
        ("tallyroom award nowhere --reading a", []),
    ],
)
def test_tab_offers(line, names):
    assert offered(line) == names


def test_a_group_that_has_its_count_is_not_offered_again():
    assert offered(f"tallyroom award {SMALL} ash=52 ") == [
        f"{group}=" for group in find(SMALL).groups if group != "ash"
    ]
