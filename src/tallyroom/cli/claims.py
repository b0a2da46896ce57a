"""`tallyroom claims`: what others called irregular, each decided from the record, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tallyroom.cli import complete, terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tallyroom.cli.terminal import Terminal
    from tallyroom.plan.types import Plan
    from tallyroom.tabulate.claims import Decided

VERDICTS = ("found", "no-error", "not-in-record")
"""What `--verdict` takes: the words of a verdict as one word each."""


@click.command("claims")
@click.argument("contest", shell_complete=complete.contests)
@click.option("--ledger", metavar="FILE", help="Decide from this ledger, not from the recorded night.")
@click.option("--record", metavar="FOLDER", help="Read the claims, and the recorded night, in this folder.")
@click.option("--kind", "kinds", multiple=True, metavar="SLUG", help="Only claims of this kind; may be repeated.")
@click.option("--verdict", type=click.Choice(VERDICTS), default=None, help="Only claims with this verdict.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(
    contest: str,
    ledger: str | None,
    record: str | None,
    kinds: tuple[str, ...],
    verdict: str | None,
    as_json: bool,  # noqa: FBT001 - click's shape
) -> None:
    """Decide what others called irregular, claim by claim, with the finding or the rule that decides.

    CONTEST is the id of a contest that comes with Tallyroom, or the folder of a plan. The claims are those of
    `claims.csv` in its record. Each is decided from the state of the release that it is about: the checks find it, a
    rule says that it is no error, or it is not in the record.
    """
    from tallyroom.cli.opened import entries_of, record_of  # noqa: PLC0415 - `--help` needs none of this
    from tallyroom.plan.catalogue import find  # noqa: PLC0415 - the same
    from tallyroom.tabulate.claims import decide, read_claims  # noqa: PLC0415 - the same

    plan = find(contest)
    claims = read_claims(record_of(plan, record), plan)
    _refuse_unknown(kinds, [claim.kind for claim in claims])
    entries = entries_of(plan, ledger, None if ledger else record)
    rows = [
        row
        for row in decide(claims, plan, entries)
        if (not kinds or row.claim.kind in kinds) and verdict in (None, _word(row))
    ]
    if as_json:
        terminal.print_json(_claims_object(plan, rows))
    else:
        _show(plan, rows)


def _refuse_unknown(kinds: Iterable[str], known: Sequence[str]) -> None:
    """Refuse a kind of claim that nobody made, with the closest one."""
    for kind in kinds:
        if kind not in known:
            from tallyroom.plan.closest import closest  # noqa: PLC0415 - only a slip of the keyboard needs it

            hint = closest(kind, dict.fromkeys(known), "The kinds are")
            raise click.UsageError(f"there is no claim of kind {kind!r}. {hint}")


def _word(row: Decided) -> str:
    """Give the verdict as `--verdict` takes it."""
    from tallyroom.tabulate.claims import ClaimVerdict  # noqa: PLC0415 - `--help` needs no claims

    return VERDICTS[list(ClaimVerdict).index(row.verdict)]


def _show(plan: Plan, rows: Sequence[Decided]) -> None:
    """Print how many claims of each kind have which verdict, then every claim."""
    from tallyroom.cli.layout import prose  # noqa: PLC0415 - only people need it
    from tallyroom.publish.night_page import claim_lines  # noqa: PLC0415 - the same

    page = terminal.current()
    prose(page, f"{plan.name}: what others called irregular.")
    if not rows:
        page.line("No such claim is in the record.")
        return
    page.line()
    page.table(
        ["Kind", "Found", "No error", "Not in record"],
        [[line.kind, f"{line.found:,}", f"{line.no_error:,}", f"{line.not_in_record:,}"] for line in claim_lines(rows)],
        right={1, 2, 3},
    )
    page.line()
    _show_claims(page, plan, rows)


def _show_claims(page: Terminal, plan: Plan, rows: Sequence[Decided]) -> None:
    """Print a row a claim; two lines a claim where the screen is too narrow for the row."""
    from tallyroom.cli.layout import Block, prose  # noqa: PLC0415 - only people need it

    headings = ("Place", "Kind", "Release", "Verdict", "Finding or rule")
    cells = [(_place(plan, row), row.claim.kind, row.claim.release, str(row.verdict), row.by) for row in rows]
    if not page.person or Block(headings, tuple(cells)).width() <= page.width:
        page.table(headings, cells)
        return
    for place, kind, release, verdict, by in cells:
        prose(page, f"{place}: {kind}, {release}", hang="  ")
        prose(page, f"{verdict}: {by}", "    ")


def _place(plan: Plan, row: Decided) -> str:
    """Name the place of a claim by its id, and the groups that it is about."""
    groups = ", ".join(plan.groups[group].name for group in row.claim.groups)
    return f"{row.claim.unit or row.claim.area}{f' ({groups})' if groups else ''}"


def _claims_object(plan: Plan, rows: Sequence[Decided]) -> dict[str, object]:
    """Give the claims as JSON; keys are added, never renamed."""
    from tallyroom.tabulate.claims import ClaimVerdict, counted  # noqa: PLC0415 - `--help` needs no claims

    numbers = counted(rows)
    kinds = sorted({kind for kind, _ in numbers})
    return {
        "schema": 1,
        "contest": plan.contest,
        "plan": plan.digest,
        "counts": {kind: {str(found): numbers.get((kind, found), 0) for found in ClaimVerdict} for kind in kinds},
        "claims": [_claim_object(plan, row) for row in rows],
    }


def _claim_object(plan: Plan, row: Decided) -> dict[str, object]:
    """Give one claim; `unit` is null where it is about an area."""
    from tallyroom.tabulate.wire import unit  # noqa: PLC0415 - only pipes need it

    claim = row.claim
    area = plan.areas[claim.area]
    return {
        "line": claim.line,
        "kind": claim.kind,
        "unit": unit(plan, claim.unit) if claim.unit else None,
        "area": {"id": area.id, "name": area.name},
        "groups": list(claim.groups),
        "release": claim.release,
        "also": unit(plan, claim.also) if claim.also else None,
        "verdict": str(row.verdict),
        "by": row.by,
        "text": claim.text,
        "source": claim.source,
    }
