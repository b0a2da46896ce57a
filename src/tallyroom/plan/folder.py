"""A plan folder becomes a `Plan`, or all its faults are named with file and line."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from tallyroom.faults import CannotRunError, Fault, refuse
from tallyroom.plan.build import build
from tallyroom.plan.places import read_areas, read_groups, read_published, read_units
from tallyroom.plan.rules import read_rules, read_sources
from tallyroom.plan.whole import whole_faults

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from tallyroom.plan.rules import Rules
    from tallyroom.plan.types import Plan

NEEDED = ("rules.toml", "sources.toml", "areas.csv", "units.csv", "groups.csv")
OPTIONAL = ("published.csv",)
NO_FIGURES = "release,measure,group,value,note,source\n"


def load(folder: Traversable | Path, name: str | None = None) -> Plan:
    """Load a plan folder.

    Args:
        folder: where the files are.
        name: what the caller calls the folder, for faults; the path itself by default.

    Raises:
        CannotRunError: there is no such folder.
        InputError: all faults of all files together.
    """
    label = str(folder) if name is None else name
    if not is_folder(folder):
        raise CannotRunError(Fault("there is no such folder", "Give the folder of a plan.", label))
    texts, faults = _texts(folder, label)
    refuse(faults)
    sources, found = read_sources(texts["sources.toml"], f"{label}/sources.toml")
    rules = read_rules(texts["rules.toml"], f"{label}/rules.toml", sources)
    faults += found
    groups, group_rows = read_groups(texts["groups.csv"], f"{label}/groups.csv")
    areas, area_rows = read_areas(texts["areas.csv"], f"{label}/areas.csv", rules.one("contest").get("levels", ()))
    units, unit_rows = read_units(texts["units.csv"], f"{label}/units.csv", {} if area_rows.broken else areas)
    releases = None if rules.broken else [row["id"] for row in rules.many("release") if "id" in row]
    published, figure_rows = read_published(
        texts.get("published.csv", NO_FIGURES),
        f"{label}/published.csv",
        releases,
        measures(rules),
        {} if group_rows.broken else groups,
    )
    across = [] if rules.broken else whole_faults(rules, {} if area_rows.broken else areas, units, area_rows, unit_rows)
    tables = (group_rows, area_rows, unit_rows, figure_rows)
    refuse([*rules.faults, *faults, *(fault for table in tables for fault in table.faults), *across])
    return build(rules, sources, groups, areas, units, published=published, digest=_digest(texts))


def is_folder(folder: Traversable | Path) -> bool:
    """Whether there is such a folder; a name that no file system can have names none."""
    try:
        return folder.is_dir()
    except (OSError, ValueError):
        return False


def measures(rules: Rules) -> tuple[str, ...]:
    """Give what a published figure can be of: yardsticks, their totals, national delegates and those of a kind.

    Empty if no yardstick could be read.
    """
    yardsticks = [row["id"] for row in rules.many("yardstick") if "id" in row]
    kinds = dict.fromkeys(row["kind"].replace("-", "_") for row in rules.many("pool") if "kind" in row)
    national = ["national_delegates", "national_delegates_total", *(f"national_delegates_{kind}" for kind in kinds)]
    if not yardsticks:
        return ()
    return (*yardsticks, *(f"{name}_total" for name in yardsticks), *national)


def _texts(folder: Traversable | Path, label: str) -> tuple[dict[str, str], list[Fault]]:
    """Read the files; a missing one, or one that is not UTF-8, is a fault."""
    texts: dict[str, str] = {}
    faults: list[Fault] = []
    for name in (*NEEDED, *OPTIONAL):
        file = folder / name
        try:
            if file.is_file():
                texts[name] = file.read_bytes().decode("utf-8-sig")
            elif name in NEEDED:
                what, remedy = "the file is missing", "Add it; `tallyroom plan new` shows its form."
                faults.append(Fault(what, remedy, f"{label}/{name}"))
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            what = f"byte {error.start} is not UTF-8"
            faults.append(Fault(what, "Save the file as UTF-8.", f"{label}/{name}", line))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            faults.append(Fault(f"the file cannot be read: {reason}", "Make it readable.", f"{label}/{name}"))
    return texts, faults


def _digest(texts: dict[str, str]) -> str:
    """SHA-256 over the files in order of name: name, length, content (UTF-8 without byte order mark)."""
    digest = sha256()
    for name, text in sorted(texts.items()):
        content = text.encode()
        digest.update(f"{name}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
