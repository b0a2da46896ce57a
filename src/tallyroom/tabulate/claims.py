"""What others called irregular, claim by claim: found, no error by a rule, or not in the record."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tallyroom.award import could_give, locked, viability_number, viable_groups
from tallyroom.checks.finding import Severity
from tallyroom.exact import parse_count
from tallyroom.faults import Fault, InputError, refuse
from tallyroom.tabulate.findings import findings, twins_of
from tallyroom.tabulate.night import Tabulation, tabulated
from tallyroom.tabulate.ruled import Undetermined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from importlib.resources.abc import Traversable

    from tallyroom.checks.finding import Finding
    from tallyroom.ledger.entry import Entry
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report
    from tallyroom.tabulate.ruled import Ruled

COLUMNS = ("area", "unit", "kind", "groups", "release", "also", "text", "source")


class ClaimVerdict(StrEnum):
    """What the record says to a claim."""

    FOUND = "found"
    """A check finds it in the state the claim is about."""
    NO_ERROR = "no error"
    """The state is as claimed or not, and a rule says that it is no error."""
    NOT_IN_RECORD = "not in the record"
    """The state, or the paper it is about, is not on record."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One irregularity that somebody reported.

    Attributes:
        line: its line in the file.
        unit: id of the place; empty where it is about an area.
        groups: ids of the groups it is about.
        release: the release whose state it describes; one that the plan does not have is not on record.
        also: id of another place it is about.
        text: what was claimed, in the claimant's words.
    """

    line: int
    area: str
    unit: str
    kind: str
    groups: tuple[str, ...]
    release: str
    also: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Decided:
    """A claim with its verdict; `by` names the findings or says the rule."""

    claim: Claim
    verdict: ClaimVerdict
    by: str


def read_claims(folder: Traversable, plan: Plan) -> tuple[Claim, ...]:
    """Read `claims.csv` of a recorded night; a folder without one makes no claims.

    Raises:
        InputError: all faults together: a ragged row, a kind that cannot be decided, a place or group the plan lacks.
    """
    path = folder / "claims.csv"
    file = str(path)
    if not path.is_file():
        return ()
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(Fault(f"byte {error.start} is not UTF-8", "Save the file as UTF-8.", file)) from None
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise InputError(Fault("these are not the columns of claims", f"They are {', '.join(COLUMNS)}.", file, 1))
    claims: list[Claim] = []
    faults: list[Fault] = []
    for row in rows:
        cells: Mapping[str, str | None] = row
        if None in row or None in cells.values():
            faults.append(Fault(f"the row has not {len(COLUMNS)} cells", "Correct the row.", file, rows.line_num))
            continue
        claim = _claim(row, rows.line_num)
        faults.extend(Fault(what, "Correct the row.", file, claim.line) for what in _misfits(claim, plan))
        claims.append(claim)
    refuse(faults)
    return tuple(claims)


def _claim(row: Mapping[str, str], line: int) -> Claim:
    groups = tuple(filter(None, row["groups"].split(";")))
    return Claim(
        line, row["area"], row["unit"], row["kind"], groups, row["release"], row["also"], row["text"], row["source"]
    )


def _misfits(claim: Claim, plan: Plan) -> Iterator[str]:
    if claim.kind not in _DECIDE and claim.kind != AGGREGATE:
        yield f"{claim.kind!r} is not a kind of claim that can be decided"
    if claim.area not in plan.areas:
        yield f"{claim.area!r} is not an area of contest {plan.contest}"
    yield from (
        f"{unit!r} is not a unit of contest {plan.contest}"
        for unit in (claim.unit, claim.also)
        if unit and unit not in plan.units
    )
    yield from (
        f"{group!r} is not a group of contest {plan.contest}" for group in claim.groups if group not in plan.groups
    )


def decide(claims: Sequence[Claim], plan: Plan, entries: Iterable[Entry]) -> tuple[Decided, ...]:
    """Decide every claim from the state of its release, in the order given; each release is tabulated once."""
    rows = list(entries)
    moments: dict[str, _Moment] = {}
    decided: list[Decided] = []
    for claim in claims:
        release = plan.releases.get(claim.release)
        if release is None or not release.reproducible:
            decided.append(Decided(claim, ClaimVerdict.NOT_IN_RECORD, f"release {claim.release} is not on record"))
            continue
        if release.id not in moments:
            moments[release.id] = _Moment(tabulated(rows, plan, at=release.at))
        decided.append(Decided(claim, *moments[release.id].verdict(claim)))
    return tuple(decided)


def counted(decided: Iterable[Decided]) -> Mapping[tuple[str, ClaimVerdict], int]:
    """Count decided claims by kind and verdict, in alphabetical order."""
    return dict(sorted(Counter((row.claim.kind, row.verdict) for row in decided).items()))


AGGREGATE = "aggregate-count"
"""Kind of a claim about how many places are affected."""
UNDECIDED = "neither a check nor a rule decides it"
"""Said of a claim that is about the record and yet comes to nothing: a gap in the checks."""

Answer = tuple[ClaimVerdict, str]


class _Moment:
    """A contest at one release, with what the checks find in it."""

    def __init__(self, tabulation: Tabulation) -> None:
        self.tabulation = tabulation
        self.findings = findings(tabulation)
        self.twins = twins_of(tabulation)
        self.of_unit: dict[str, list[Finding]] = {}
        for finding in self.findings:
            self.of_unit.setdefault(finding.unit, []).append(finding)

    def verdict(self, claim: Claim) -> Answer:
        """Decide one claim."""
        if claim.kind == AGGREGATE:
            return _aggregate(claim, self.findings)
        if claim.unit not in self.tabulation.ruled:
            return ClaimVerdict.NOT_IN_RECORD, f"{claim.unit or claim.area} has no report in release {claim.release}"
        return _DECIDE[claim.kind](_Place(self, claim))


class _Place:
    """One place at one release, as far as deciding a claim needs it."""

    def __init__(self, moment: _Moment, claim: Claim) -> None:
        tabulation = moment.tabulation
        self.claim = claim
        self.plan: Plan = tabulation.plan
        self.rule = tabulation.rule
        self.report: Report = tabulation.filed.filings[claim.unit][-1].report
        self.ruled: Ruled = tabulation.ruled[claim.unit]
        self.found = moment.of_unit.get(claim.unit, [])
        self.twins = moment.twins.get(claim.unit, {})
        self.people = self.ruled.attendance.people
        self.first: Mapping[str, int] = self.report.alignments.get(self.plan.stages[0].id, {})
        self.final: Mapping[str, int] = self.report.alignments.get(self.plan.final_stage, {})

    @property
    def number(self) -> int | None:
        """The viability number; None where there is no viability."""
        return viability_number(self.rule, self.ruled.delegates, self.people) if self.ruled.delegates else None

    def by(self, *kinds: str, severity: Severity | None = None, groups: Sequence[str] = ()) -> str:
        """Name the kinds of finding that were found here, of a severity, about any of the groups; none if empty."""
        named = [
            finding.kind
            for finding in self.found
            if finding.kind in kinds
            and severity in (None, finding.severity)
            and (not groups or any(_about(finding, group) for group in groups))
        ]
        return ", ".join(dict.fromkeys(named))


def _about(finding: Finding, group: str) -> bool:
    """Whether a finding's numbers name a group or a place."""
    for name, number in finding.numbers.items():
        if group in (name, number):
            return True
        if isinstance(number, list | Mapping) and group in number:
            return True
    return False


# -- one predicate a kind of claim -------------------------------------------------------------------------------------


def _people_added(place: _Place) -> Answer:
    if found := place.by("final-exceeds-first"):
        return ClaimVerdict.FOUND, found
    first, final = sum(place.first.values()), sum(place.final.values())
    return ClaimVerdict.NO_ERROR, f"the first total is not the smaller: {first} and {final}"


def _lost_people(place: _Place) -> Answer:
    """A viable group has fewer people in the end; of several groups it is enough that one has."""
    if found := place.by("viable-group-lost-people", groups=place.claim.groups):
        return ClaimVerdict.FOUND, found
    reasons = dict.fromkeys(_may_lose(place, group) for group in place.claim.groups)
    if None in reasons:
        return ClaimVerdict.NOT_IN_RECORD, UNDECIDED
    return ClaimVerdict.NO_ERROR, "; ".join(filter(None, reasons))


def _may_lose(place: _Place, group: str) -> str | None:
    """Say which rule lets a group have fewer people in the end; None if none does."""
    number, before = place.number, place.first.get(group, 0)
    if number is None:
        return "one delegate: there is no viability, so anybody may move"
    if before < number:
        return f"not viable: {before} of {place.people} people, the viability number is {number}"
    if before <= place.final.get(group, 0):
        return "the group lost nobody"
    if group not in locked(place.rule, place.ruled.delegates, place.people, place.first):
        viable = viable_groups(number, place.first)
        what = f"{len(viable)} for {place.ruled.delegates}"
        return f"more viable groups than delegates, {what}: a viable group may dissolve"
    return None


def _order(place: _Place) -> Answer:
    """More people, fewer delegates."""
    if found := place.by("order-inverted", severity=Severity.ERROR, groups=place.claim.groups):
        return ClaimVerdict.FOUND, found
    if place.number is None:
        return ClaimVerdict.NO_ERROR, "one delegate: the whole caucus elects it, it need not follow the groups"
    return _awarded_otherwise(place)


def _awarded_otherwise(place: _Place) -> Answer:
    """Say why an award that looks wrong is none, as far as the record can."""
    written, delegates = place.report.delegates, place.ruled.delegates
    if written is None:
        return ClaimVerdict.NOT_IN_RECORD, "the delegates of that day are not on record"
    viable = viable_groups(place.number, place.final)
    if len(viable) * place.rule.minimum > delegates:
        what = f"{len(viable)} for {delegates}"
        return ClaimVerdict.NO_ERROR, f"more viable groups than delegates, {what}: one gets none"
    if place.ruled.undetermined is Undetermined.UNSETTLED_TIE:
        return ClaimVerdict.FOUND, f"{Undetermined.UNSETTLED_TIE}: no lot could have given the written award"
    if place.ruled.outcome is not None and could_give(place.ruled.outcome, written):
        return ClaimVerdict.NO_ERROR, "the written award is one that the rule gives"
    return ClaimVerdict.NOT_IN_RECORD, UNDECIDED


def _award(place: _Place) -> Answer:
    """The delegates written are not those that the rule gives."""
    kinds = ("award-differs", "order-inverted", "viable-without-delegates", "over-awarded", "under-awarded")
    if found := place.by(*kinds, severity=Severity.ERROR):
        return ClaimVerdict.FOUND, found
    return _awarded_otherwise(place)


def _total(place: _Place) -> Answer:
    """The delegates written are more or fewer than the place elects."""
    if found := place.by("over-awarded", "under-awarded"):
        return ClaimVerdict.FOUND, found
    if place.report.delegates is None:
        return ClaimVerdict.NOT_IN_RECORD, "the delegates of that day are not on record"
    what = f"the delegates reported are the {place.ruled.delegates} of the plan"
    return ClaimVerdict.NOT_IN_RECORD, f"{what}; what a worksheet said before it was reported is not on record"


def _alike(place: _Place) -> Answer:
    """The figures are those of another place too."""
    also = (place.claim.also,) if place.claim.also else ()
    if found := place.by("duplicate-of-unit", groups=also):
        return ClaimVerdict.FOUND, found
    alike = [stage for stage in place.report.alignments if stage in place.twins]
    if alike:
        people = max(place.report.total(stage) for stage in alike)
        return ClaimVerdict.NO_ERROR, f"{people} people are alike: so few that it happens by chance"
    if not (any(place.first.values()) and any(place.final.values())):
        return ClaimVerdict.NO_ERROR, "an alignment of zeros: nobody is there who could be entered twice"
    return ClaimVerdict.NO_ERROR, "no other place has these figures at any alignment"


def _shifted(place: _Place) -> Answer:
    if found := place.by("columns-shifted"):
        return ClaimVerdict.FOUND, found
    return ClaimVerdict.NO_ERROR, "no neighbouring columns are exchanged"


def _nothing(place: _Place) -> Answer:
    """A place shows only zeros."""
    if found := place.by("delegates-without-votes", "votes-without-delegates"):
        return ClaimVerdict.FOUND, found
    if any(place.first.values()) or any(place.final.values()):
        return ClaimVerdict.NO_ERROR, "people are on record there"
    return ClaimVerdict.NO_ERROR, "nobody came: a complete report of zeros, and its delegates are vacant"


_DECIDE: Mapping[str, Callable[[_Place], Answer]] = {
    "final-total-exceeds-first-total": _people_added,
    "viable-candidate-has-zero-final": _lost_people,
    "viable-candidate-lost-support": _lost_people,
    "delegate-order-contradicts-final-count": _order,
    "delegate-rounding": _award,
    "viable-group-without-delegate": _award,
    "over-allocation": _total,
    "wrong-delegate-total": _total,
    "duplicate-of-another-precinct": _alike,
    "columns-shifted": _shifted,
    "no-data": _nothing,
}

_COUNTED: Mapping[str, str] = {
    "final than first votes": "final-exceeds-first",
    "the final is higher": "final-exceeds-first",
    "lost support": "viable-group-lost-people",
    "fewer SDE": "order-inverted",
    "totals differ": "alignment-totals-differ",
    "impossible under the rules": "",
}
"""Words of a claim about a number of places, and the kind of finding counted for it; empty: any error."""


def _aggregate(claim: Claim, found: Iterable[Finding]) -> Answer:
    """Compare our count of each part of a claim with the number it names."""
    rows = list(found)
    compared: list[tuple[int, int, str]] = []
    for part in claim.text.split(";"):
        kinds = [kind for words, kind in _COUNTED.items() if words in part]
        number = re.search(r"\d+", part)
        if not kinds or number is None:
            return ClaimVerdict.NOT_IN_RECORD, f"nothing is counted here as {part.strip()!r}"
        compared.append((_count(rows, kinds[0]), parse_count(number[0]) or 0, kinds[0] or "places with an error"))
    said = "; ".join(f"{kind} {ours}, claimed {theirs}" for ours, theirs, kind in compared)
    if all(ours >= theirs for ours, theirs, _ in compared):
        return ClaimVerdict.FOUND, said
    return ClaimVerdict.NOT_IN_RECORD, said


def _count(rows: Iterable[Finding], kind: str) -> int:
    """Count places with a kind of finding, or with any error."""
    return len(
        {
            finding.unit
            for finding in rows
            if finding.unit and (finding.kind == kind if kind else finding.severity is Severity.ERROR)
        }
    )
