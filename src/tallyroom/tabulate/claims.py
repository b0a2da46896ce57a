"""What others called irregular, claim by claim: found, no error by a rule, or not in the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tallyroom.award import could_give, locked, viability_number, viable_groups
from tallyroom.checks.finding import Severity
from tallyroom.tabulate.claim import AGGREGATE, ANY_ERROR, COLUMNS, Claim, read_claims
from tallyroom.tabulate.findings import findings, twins_of
from tallyroom.tabulate.night import Tabulation, tabulated
from tallyroom.tabulate.ruled import Undetermined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tallyroom.checks.finding import Finding
    from tallyroom.ledger.entry import Entry
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report
    from tallyroom.tabulate.ruled import Ruled

__all__ = ["COLUMNS", "Claim", "ClaimVerdict", "Decided", "counted", "decide", "read_claims"]


class ClaimVerdict(StrEnum):
    """What the record says to a claim."""

    FOUND = "found"
    """A check finds it in the state the claim is about."""
    NO_ERROR = "no error"
    """The state is as claimed or not, and a rule says that it is no error."""
    NOT_IN_RECORD = "not in the record"
    """The state, or the paper it is about, is not on record."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A claim with its verdict; `by` names the findings or says the rule."""

    claim: Claim
    verdict: ClaimVerdict
    by: str


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


UNDECIDED = "neither a check nor a rule decides it"
"""Said of a claim that is about the record and yet comes to nothing: a gap in the checks."""

UNATTENDED = "how many people were present is not on record"

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
        self.delegates = self.ruled.delegates
        self.first: Mapping[str, int] = self.report.alignments.get(self.plan.stages[0].id, {})
        self.final: Mapping[str, int] = self.report.alignments.get(self.plan.final_stage, {})

    @property
    def number(self) -> int | None:
        """The viability number; None where there is no viability, or nobody knows how many were present."""
        if not self.delegates or self.people is None:
            return None
        return viability_number(self.rule, self.delegates, self.people)

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
    if place.people is None or place.delegates is None:
        return ClaimVerdict.NOT_IN_RECORD, UNATTENDED
    people, delegates = place.people, place.delegates
    reasons = dict.fromkeys(_may_lose(place, group, delegates, people) for group in place.claim.groups)
    if None in reasons:
        return ClaimVerdict.NOT_IN_RECORD, UNDECIDED
    return ClaimVerdict.NO_ERROR, "; ".join(filter(None, reasons))


def _may_lose(place: _Place, group: str, delegates: int, people: int) -> str | None:
    """Say which rule lets a group have fewer people in the end; None if none does."""
    number, before = place.number, place.first.get(group, 0)
    if number is None:
        return "one delegate: there is no viability, so anybody may move"
    if before < number:
        return f"not viable: {before} of {people} people, the viability number is {number}"
    if before <= place.final.get(group, 0):
        return "the group lost nobody"
    if group not in locked(place.rule, delegates, people, place.first):
        viable = viable_groups(number, place.first)
        what = f"{len(viable)} for {delegates}"
        return f"more viable groups than delegates, {what}: a viable group may dissolve"
    return None


def _order(place: _Place) -> Answer:
    """More people, fewer delegates."""
    if found := place.by("order-inverted", severity=Severity.ERROR, groups=place.claim.groups):
        return ClaimVerdict.FOUND, found
    if place.number is None and place.people is not None:
        return ClaimVerdict.NO_ERROR, "one delegate: the whole caucus elects it, it need not follow the groups"
    return _awarded_otherwise(place)


def _awarded_otherwise(place: _Place) -> Answer:
    """Say why an award that looks wrong is none, as far as the record can."""
    written, delegates = place.report.delegates, place.delegates
    if written is None:
        return ClaimVerdict.NOT_IN_RECORD, "the delegates of that day are not on record"
    if place.people is None or delegates is None:
        return ClaimVerdict.NOT_IN_RECORD, UNATTENDED
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
    if place.delegates is None:
        return ClaimVerdict.NOT_IN_RECORD, UNATTENDED
    what = f"the delegates reported are the {place.delegates} of the plan"
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


def _aggregate(claim: Claim, found: Iterable[Finding]) -> Answer:
    """Compare our count of each part of a claim with the number it names."""
    if not claim.counts:
        return ClaimVerdict.NOT_IN_RECORD, f"nothing is counted here as {claim.text!r}"
    rows = list(found)
    compared = [(_count(rows, kind), number, kind) for kind, number in claim.counts]
    said = "; ".join(
        f"{'places with an error' if kind == ANY_ERROR else kind} {ours}, claimed {theirs}"
        for ours, theirs, kind in compared
    )
    if all(ours >= theirs for ours, theirs, _ in compared):
        return ClaimVerdict.FOUND, said
    return ClaimVerdict.NOT_IN_RECORD, said


def _count(rows: Iterable[Finding], kind: str) -> int:
    """Count places with a kind of finding, or with any error."""
    return len(
        {
            finding.unit
            for finding in rows
            if finding.unit and (finding.severity is Severity.ERROR if kind == ANY_ERROR else finding.kind == kind)
        }
    )
