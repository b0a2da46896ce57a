"""A plan folder becomes a `Plan`, or all its faults are named with file and line."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from tallyroom.faults import CannotRunError, Fault, refuse
from tallyroom.plan.build import build
from tallyroom.plan.lines import Lines
from tallyroom.plan.places import read_areas, read_groups, read_published, read_units
from tallyroom.plan.rules import Rules, read_rules, read_sources
from tallyroom.plan.whole import named, whole_faults

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

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
        InputError: all faults of all files together; what a missing or broken file would have said is not held
            against the others.
    """
    label = str(folder) if name is None else name
    if not is_folder(folder):
        raise CannotRunError(Fault("there is no such folder", "Give the folder of a plan.", label))
    texts, unread = _texts(folder, label)
    sources, source_faults = _sources(texts["sources.toml"], f"{label}/sources.toml")
    rules = _rules(texts["rules.toml"], f"{label}/rules.toml", sources)
    groups, group_rows = read_groups(texts["groups.csv"], f"{label}/groups.csv")
    areas, area_rows = read_areas(texts["areas.csv"], f"{label}/areas.csv", rules.one("contest").get("levels", ()))
    units, unit_rows = read_units(texts["units.csv"], f"{label}/units.csv", {} if area_rows.broken else areas)
    releases = None if rules.broken else named(rules, "release")
    published, figure_rows = read_published(
        texts.get("published.csv", NO_FIGURES),
        f"{label}/published.csv",
        releases,
        measures(rules),
        {} if group_rows.broken else groups,
    )
    across = whole_faults(rules, {} if area_rows.broken else areas, units, area_rows, unit_rows)
    in_tables = [fault for table in (group_rows, area_rows, unit_rows, figure_rows) for fault in table.faults]
    refuse([*unread, *rules.faults, *source_faults, *in_tables, *across])
    return build(rules, sources, groups, areas, units, published=published, digest=_digest(texts))


def is_folder(folder: Traversable | Path) -> bool:
    """Whether there is such a folder; a name that no file system can have names none."""
    try:
        return folder.is_dir()
    except (OSError, ValueError):
        return False


def measures(rules: Rules) -> tuple[str, ...]:
    """Give what a published figure can be of: yardsticks, their totals, national delegates and those of a kind.

    Empty if a yardstick or the kind of a pool could not be read.
    """
    yardsticks, kinds = named(rules, "yardstick"), named(rules, "pool", "kind")
    if not yardsticks or kinds is None:
        return ()
    tiers = dict.fromkeys(kind.replace("-", "_") for kind in kinds)
    national = ["national_delegates", "national_delegates_total", *(f"national_delegates_{tier}" for tier in tiers)]
    return (*yardsticks, *(f"{name}_total" for name in yardsticks), *national)


def _sources(text: str | None, file: str) -> tuple[Mapping[str, dict[str, str]], list[Fault]]:
    return ({}, []) if text is None else read_sources(text, file)


def _rules(text: str | None, file: str, sources: Mapping[str, object]) -> Rules:
    return Rules(file, Lines("")) if text is None else read_rules(text, file, sources)


def _texts(folder: Traversable | Path, label: str) -> tuple[dict[str, str | None], list[Fault]]:
    """Read the files; one that is missing or is not UTF-8 is None, and a fault. One that may be left out then is."""
    texts: dict[str, str | None] = dict.fromkeys((*NEEDED, *OPTIONAL))
    faults: list[Fault] = []
    for name in (*NEEDED, *OPTIONAL):
        file = folder / name
        try:
            if file.is_file():
                texts[name] = file.read_bytes().decode("utf-8-sig")
            elif name in NEEDED:
                what, remedy = "the file is missing", "Add it; `tallyroom plan new` shows its form."
                faults.append(Fault(what, remedy, f"{label}/{name}"))
            else:
                del texts[name]
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            what = f"byte {error.start} is not UTF-8"
            faults.append(Fault(what, "Save the file as UTF-8.", f"{label}/{name}", line))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            faults.append(Fault(f"the file cannot be read: {reason}", "Make it readable.", f"{label}/{name}"))
    return texts, faults


def _digest(texts: Mapping[str, str | None]) -> str:
    """SHA-256 over the files in order of name: name, length, content (UTF-8 without byte order mark)."""
    digest = sha256()
    for name, text in sorted(texts.items()):
        content = (text or "").encode()
        digest.update(f"{name}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
