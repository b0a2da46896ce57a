"""What the shell offers when a person presses Tab: contests, then what the contest has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

from tallyroom.faults import TallyroomError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click

    from tallyroom.plan.types import Plan


def contests(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the contests that come with Tallyroom, and folders."""
    from tallyroom.plan.catalogue import contests as known  # noqa: PLC0415 - only Tab needs it

    found = [CompletionItem(name) for name in known() if name.startswith(typed)]
    return found or [CompletionItem(typed, type="dir")]


def releases(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the releases of the contest named before."""
    plan = _plan(context)
    return _offered(((release.id, release.name) for release in plan.releases.values()) if plan else (), typed)


def counties(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the counties of the contest named before."""
    return _areas(context, typed, "county")


def districts(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the districts of the contest named before."""
    return _areas(context, typed, "district")


def areas(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the areas of every level of the contest named before."""
    return _areas(context, typed)


def units(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the units of the contest named before."""
    plan = _plan(context)
    return _offered(((unit.id, unit.name) for unit in plan.units.values()) if plan else (), typed)


def kinds(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the kinds of finding."""
    from tallyroom.checks import catalogue  # noqa: PLC0415 - only Tab needs it

    return _offered(((check.kind, check.title) for check in catalogue()), typed)


def groups(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the groups of the contest named before, ready for a count; those that have one are left out."""
    plan = _plan(context)
    given = {word.partition("=")[0] for word in (*(context.params.get("final") or ()), *context.args) if "=" in word}
    known = plan.groups.values() if plan else ()
    return _offered(((f"{group.id}=", group.name) for group in known if group.id not in given), typed)


def readings(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer every way to read what the rules of the contest named before leave open."""
    plan = _plan(context)
    known = plan.readings.items() if plan else ()
    ways = ((f"{name}={value}", reading.question) for name, reading in known for value in reading.values)
    return _offered(ways, typed)


def _areas(context: click.Context, typed: str, level: str = "") -> list[CompletionItem]:
    plan = _plan(context)
    known = plan.areas.values() if plan else ()
    return _offered(((area.id, area.name) for area in known if level in ("", area.level)), typed)


def _offered(known: Iterable[tuple[str, str]], typed: str) -> list[CompletionItem]:
    return [CompletionItem(name, help=text) for name, text in known if name.startswith(typed)]


def _plan(context: click.Context) -> Plan | None:
    """Give the plan of the contest typed so far; None if there is none, for a shell is told nothing of faults."""
    from tallyroom.plan.catalogue import find  # noqa: PLC0415 - only Tab needs it

    # An option that still waits for its value ends click's reading: what was typed before stands in `args`.
    name = context.params.get("contest") or next(iter(context.args), "")
    try:
        return find(name)
    except TallyroomError:
        return None
