"""What the shell offers when a person presses Tab: contests, releases, places and kinds of finding."""

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
    return _areas(context, "county", typed)


def districts(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the districts of the contest named before."""
    return _areas(context, "district", typed)


def units(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the units of the contest named before."""
    plan = _plan(context)
    return _offered(((unit.id, unit.name) for unit in plan.units.values()) if plan else (), typed)


def kinds(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the kinds of finding."""
    from tallyroom.checks import catalogue  # noqa: PLC0415 - only Tab needs it

    return _offered(((check.kind, check.title) for check in catalogue()), typed)


def _areas(context: click.Context, level: str, typed: str) -> list[CompletionItem]:
    plan = _plan(context)
    areas = plan.areas.values() if plan else ()
    return _offered(((area.id, area.name) for area in areas if area.level == level), typed)


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
