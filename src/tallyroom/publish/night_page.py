"""The page of a replayed night: final standings, how they came about, and published figures beside ours."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Annotated

from tallyroom.checks import catalogue
from tallyroom.exact import printed
from tallyroom.publish.headline import contenders, grouped, headline, leaders, margin, shown, spread
from tallyroom.publish.pools import counts as pool_counts
from tallyroom.publish.pools import last_delegate, on_record
from tallyroom.publish.reasons import reason_words
from tallyroom.publish.times import release_time
from tallyroom.tabulate import Basis
from tallyroom.tabulate.claims import ClaimVerdict, counted
from tallyroom.tabulate.national import national
from tallyroom.tabulate.published import Verdict
from tallyroom.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tallyroom.checks.finding import Finding
    from tallyroom.plan.types import Plan, Release
    from tallyroom.tabulate import Standing, Tabulation, YardstickStanding
    from tallyroom.tabulate.claims import Decided
    from tallyroom.tabulate.national import National
    from tallyroom.tabulate.published import Compared

HUES = 5
"""Groups that get a colour of their own, by standing at the first release; the rest are grey."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One group on one yardstick."""

    yardstick: Annotated[str, "name of the yardstick, for screens too narrow for the heading"]
    value: Annotated[str, "official sum as the plan prints it"]
    percent: Annotated[str, "share of all groups, one decimal"]
    width: Annotated[str, "share of the longest bar, in percent"]
    leads: Annotated[bool, "nobody is ahead of this group here"]
    official: Annotated[bool, "this yardstick settles the contest"]
    bounds: Annotated[str, "range it lies in where part is not recorded, else empty"]


@dataclass(frozen=True, slots=True)
class Row:
    """One group on every yardstick."""

    group: Annotated[str, "id of the group"]
    name: Annotated[str, "printed name"]
    hue: Annotated[int, "1 to 5 for a colour of its own, 0 for grey"]
    cells: Annotated[tuple[Cell, ...], "a cell a yardstick"]


@dataclass(frozen=True, slots=True)
class Heading:
    """One yardstick's column."""

    name: Annotated[str, "name of the yardstick"]
    note: Annotated[str, "what it counts"]
    official: Annotated[bool, "this yardstick settles the contest"]


@dataclass(frozen=True, slots=True)
class ReleaseLine:
    """One release as it stood."""

    id: Annotated[str, "id of the release"]
    name: Annotated[str, "its name"]
    time: Annotated[str, "when, in the contest's own zone"]
    places: Annotated[str, "places reported"]
    changed: Annotated[str, "places changed by then"]
    leader: Annotated[tuple[str, ...], "leader on every yardstick, with the value"]
    delegates: Annotated[str, "national delegates, most first, and what they rest on where values are missing"]
    rests: Annotated[str, "what our figures of it rest on, where that is not the whole state behind it; else empty"]


@dataclass(frozen=True, slots=True)
class PoolLine:
    """One pool of national delegates."""

    name: Annotated[str, "name of the pool"]
    delegates: Annotated[int, "delegates of the pool"]
    groups: Annotated[str, "delegates by group"]
    last: Annotated[str, "who won the last delegate, who came next, with the remainders"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A published figure beside ours."""

    release: Annotated[str, "id of the release"]
    measure: Annotated[str, "what was published"]
    group: Annotated[str, "printed name of the group, or `all`"]
    published: Annotated[str, "the figure as published"]
    ours: Annotated[str, "our figure at the same decimals, with its range if part is not recorded"]
    verdict: Annotated[str, "agrees, differs or not-in-record"]
    note: Annotated[str, "why, where that is known"]
    source: Annotated[str, "who published it"]


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """Irregularities of one kind that others named, by what the record says of them."""

    kind: Annotated[str, "kind of irregularity, as its source calls it"]
    found: Annotated[int, "the checks find it"]
    no_error: Annotated[int, "a rule says that it is none"]
    not_in_record: Annotated[int, "the record cannot tell"]


@dataclass(frozen=True, slots=True)
class NightPage:
    """All that the page of a replayed night says; `index.json` beside it holds the same."""

    contest: Annotated[str, "id of the contest"]
    name: Annotated[str, "its name"]
    headline: Annotated[str, "who leads by which yardstick"]
    margin: Annotated[str, "what settles the contest, and how far apart the first two are"]
    reported: Annotated[int, "places reported"]
    expected: Annotated[int, "places expected"]
    changed: Annotated[int, "places changed at least once"]
    status: Annotated[str, "name of the last release, and its time"]
    ways: Annotated[str, "how many yardsticks, in words"]
    how: Annotated[str, "how the contest is held, in a sentence"]
    headings: Annotated[tuple[Heading, ...], "a yardstick each"]
    rows: Annotated[tuple[Row, ...], "a group each, by the yardstick that settles"]
    releases: Annotated[tuple[ReleaseLine, ...], "how the night went"]
    national: Annotated[tuple[tuple[str, str, int, int], ...], "group, name, delegates and hue, most first"]
    pools: Annotated[tuple[PoolLine, ...], "national delegates by pool"]
    findings: Annotated[tuple[tuple[str, str, str, int], ...], "code, kind, meaning and number, in the last release"]
    undetermined: Annotated[tuple[tuple[str, int], ...], "places whose award the rule does not settle, by reason"]
    claims: Annotated[tuple[ClaimLine, ...], "irregularities that others named, decided from the record"]
    figures: Annotated[tuple[Figure, ...], "published figures beside ours"]
    summary: Annotated[str, "how many agree, differ, or are not in the record"]
    head: Annotated[str, "entries and root of the ledger behind it"]
    digest: Annotated[str, "digest of the plan"]


def hues(first: YardstickStanding) -> dict[str, int]:
    """Give colours by standing at the first release; they stay for the whole contest."""
    coloured = [group.group for group in first.groups if group.printed][:HUES]
    return {group: place + 1 for place, group in enumerate(coloured)}


def table(standing: Standing, names: Mapping[str, str], hue: Mapping[str, int]) -> tuple[Row, ...]:
    """Give the rows of the three yardsticks, in the order of the official one."""
    official = next(row for row in standing.yardsticks if row.yardstick.official)
    longest = max((row.groups[0].share for row in standing.yardsticks), default=Fraction(0)) or Fraction(1)
    rows: list[Row] = []
    for place in official.groups:
        cells = tuple(_cell(row, place.group, longest) for row in standing.yardsticks)
        rows.append(Row(place.group, names[place.group], hue.get(place.group, 0), cells))
    return tuple(rows)


def _cell(row: YardstickStanding, group: str, longest: Fraction) -> Cell:
    mine = row.of(group)
    return Cell(
        row.yardstick.name,
        shown(row, mine.printed),
        printed(100 * mine.share, 1),
        printed(100 * mine.share / longest, 1),
        group in leaders(row),
        row.yardstick.official,
        spread(row, mine) if mine.lowest != mine.highest else "",
    )


def pool_lines(pools: National, names: Mapping[str, str]) -> tuple[PoolLine, ...]:
    """Give a line a pool, with the comparison that decided its last delegate."""
    return tuple(
        PoolLine(
            standing.pool.name,
            standing.pool.delegates,
            pool_counts(standing.allocation.groups, names),
            last_delegate(standing, names),
        )
        for standing in pools.pools
    )


def figures(compared: Iterable[Compared], plan: Plan) -> tuple[Figure, ...]:
    """Give published figures beside ours."""
    rows: list[Figure] = []
    for row in compared:
        group = plan.groups[row.figure.group].name if row.figure.group else "all"
        ours = row.ours if row.bounds is None else f"{row.ours} (complete: {row.bounds[0]} to {row.bounds[1]})"
        verdict, figure = str(row.verdict), row.figure
        measure = figure.measure.replace("_", " ")
        rows.append(Figure(figure.release, measure, group, figure.value, ours, verdict, figure.note, figure.source))
    return tuple(rows)


def summary(compared: Sequence[Compared]) -> str:
    """Count the verdicts in words."""
    counts = {verdict: sum(row.verdict is verdict for row in compared) for verdict in Verdict}
    return (
        f"Of {len(compared)} published figures {counts[Verdict.AGREES]} agree to the last decimal, "
        f"{counts[Verdict.DIFFERS]} differ and {counts[Verdict.NOT_IN_RECORD]} cannot be given from the record."
    )


def release_line(release: Release, tabulation: Tabulation) -> ReleaseLine:
    """Give the line of a release, from the contest as it stood then."""
    plan, top = tabulation.plan, tabulation.top()
    known = release.reproducible
    return ReleaseLine(
        release.id,
        release.name,
        release_time(release, plan),
        f"{top.progress.reported:,}",
        f"{top.progress.changed:,}",
        tuple(_leader(row, plan) if known else NOT_IN_RECORD for row in top.yardsticks),
        _national_line(tabulation) if known else NOT_IN_RECORD,
        _rests(release, tabulation),
    )


def _rests(release: Release, tabulation: Tabulation) -> str:
    """Say what our figures of a release rest on, where that is not the whole state behind it."""
    without = max(row.units_without_value for row in tabulation.top().yardsticks)
    if release.reproducible:
        return on_record(without)
    before = [other for other in tabulation.plan.releases.values() if other.reproducible and other.at <= release.at]
    if not before:
        return "the state behind it is not on record"
    last = max(before, key=lambda other: other.at)
    stood = f"as it stood with release {last.id}, for the state behind this one is not on record"
    return "; ".join(filter(None, [stood, on_record(without)]))


def _leader(row: YardstickStanding, plan: Plan) -> str:
    """Name the leader with its sum, or those who may lead with what their sums lie between."""
    found = [group for group in row.groups if group.group in contenders(row)]
    if len({spread(row, group) for group in found}) == 1:
        return f"{listed([plan.groups[group.group].name for group in found])} {spread(row, found[0])}"
    return listed([f"{plan.groups[group.group].name} {spread(row, group)}" for group in found], "or")


def _national_line(tabulation: Tabulation) -> str:
    """Give national delegates, most first, and say so where values they follow from are missing."""
    plan = tabulation.plan
    if plan.national is None:
        return ""
    names = {group.id: group.name for group in plan.groups.values()}
    shared = pool_counts(national(tabulation, Basis.AS_WRITTEN).groups, names)
    rests = on_record(tabulation.top().on(plan.national.yardstick).units_without_value)
    return f"{shared} ({rests})" if shared and rests else shared


NOT_IN_RECORD = "not in the record"
"""What stands where the state behind a release is not on record."""


def night_page(
    tabulation: Tabulation,
    last: Release,
    lines: Sequence[ReleaseLine],
    found: Sequence[Finding],
    compared: Sequence[Compared],
    decided: Sequence[Decided],
    hue: Mapping[str, int],
    head: str,
) -> NightPage:
    """Build the context of the page from the contest as it stands at its last release."""
    plan, top = tabulation.plan, tabulation.top()
    names = {group.id: group.name for group in plan.groups.values()}
    pools = national(tabulation, Basis.AS_WRITTEN)
    counts = [(check, sum(row.kind == check.kind for row in found)) for check in catalogue()]
    return NightPage(
        contest=plan.contest,
        name=plan.name,
        headline=headline(top, names),
        margin=margin(top, names),
        reported=top.progress.reported,
        expected=top.progress.expected,
        changed=top.progress.changed,
        status=f"{last.name}, {release_time(last, plan)}",
        ways=_ways(len(top.yardsticks)),
        how=how_held(plan),
        headings=tuple(_heading(row) for row in top.yardsticks),
        rows=table(top, names, hue),
        releases=tuple(lines),
        national=tuple((group, names[group], count, hue.get(group, 0)) for group, count in pools.groups.items()),
        pools=pool_lines(pools, names),
        findings=tuple((check.code, check.kind, check.title, count) for check, count in counts if count),
        undetermined=tuple((reason_words(reason), count) for reason, count in top.undetermined.items()),
        claims=claim_lines(decided),
        figures=figures(compared, plan),
        summary=summary(compared),
        head=head,
        digest=plan.digest,
    )


def how_held(plan: Plan) -> str:
    """Say in a sentence how people and places of a contest decide."""
    if not plan.elects:
        return "People vote once, and national delegates follow from the votes of each area."
    if len(plan.stages) == 1:
        return "People stand in groups, and each place elects delegates from them."
    again = {
        "all": "everybody may choose again",
        "nonviable": "groups that are too small choose again",
        "nobody": "all are counted again",
    }
    rounds = ", then ".join(again[stage.may_move] for stage in plan.stages[1:])
    return f"People stand for their first choice, {rounds}, then each place elects delegates."


def _ways(number: int) -> str:
    words = {1: "One way", 2: "Two ways", 3: "Three ways", 4: "Four ways"}
    return words.get(number, f"{number} ways")


def claim_lines(decided: Iterable[Decided]) -> tuple[ClaimLine, ...]:
    """Count decided claims, a line a kind."""
    counts = counted(decided)
    return tuple(
        ClaimLine(kind, *(counts.get((kind, verdict), 0) for verdict in ClaimVerdict))
        for kind in dict.fromkeys(kind for kind, _ in counts)
    )


def _heading(row: YardstickStanding) -> Heading:
    yardstick = row.yardstick
    note = "this settles the contest" if yardstick.official else yardstick.unit
    return Heading(yardstick.name, note, yardstick.official)


def as_json(page: NightPage) -> dict[str, object]:
    """Give the JSON twin of the page."""
    return asdict(page)


def as_html(page: NightPage) -> str:
    """Render the page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - only pages need templates

    environment = Environment(
        loader=PackageLoader("tallyroom.publish"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["grouped"] = grouped
    return environment.get_template("night.html").render(page=page)


class _Values(HTMLParser):
    """Reads back what a rendered page says: the text of every element marked with `data-value`."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - the parser's shape
        """Begin a marked element."""
        self._open = "data-value" in dict(attrs)
        if self._open:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the parser's shape
        """End it."""
        self._open = False

    def handle_data(self, data: str) -> None:
        """Collect its text."""
        if self._open:
            self.found[-1] += data.strip()


def misprints(html: str, page: NightPage) -> tuple[str, ...]:
    """Read a rendered page back and give every value that is not, in its place, what the context says."""
    reader = _Values()
    reader.feed(html)
    expected = [cell.value for row in page.rows for cell in row.cells] + [
        grouped(figure.ours) for figure in page.figures
    ]
    if len(reader.found) != len(expected):
        return (f"the page shows {len(reader.found)} values where {len(expected)} are due",)
    pairs = zip(reader.found, expected, strict=True)
    return tuple(f"the page shows {found} where {due} is due" for found, due in pairs if found != due)
