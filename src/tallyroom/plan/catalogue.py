"""The contests that come with Tallyroom, and plans in folders of your own."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from tallyroom.faults import CannotRunError, Fault
from tallyroom.plan.closest import closest
from tallyroom.plan.fields import shown
from tallyroom.plan.folder import is_folder, load

if TYPE_CHECKING:
    from tallyroom.plan.types import Plan


def contests() -> tuple[str, ...]:
    """Give the ids of the contests that come with Tallyroom, in alphabetical order."""
    folders = (files("tallyroom") / "plans").iterdir()
    return tuple(sorted(folder.name for folder in folders if (folder / "rules.toml").is_file()))


@cache
def _known(contest: str) -> Plan:
    return load(files("tallyroom") / "plans" / contest, contest)


def find(name: str) -> Plan:
    """Give the plan of a contest by its id, or of a folder by its path.

    Raises:
        CannotRunError: neither a contest that comes with Tallyroom nor a folder.
        InputError: the folder's plan is at fault.
    """
    if name in contests():
        return _known(name)
    if name and is_folder(Path(name)):
        return load(Path(name), name.rstrip("/") or name)
    what = f"{shown(name)} is neither a contest that comes with Tallyroom nor a folder"
    hint = closest(name, contests())
    known = "" if hint.startswith("There are") else f" There are {', '.join(contests())}."
    raise CannotRunError(Fault(what, f"{hint}{known}"))
