"""Who stands at the door: a person, what the person may do, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyroom.plan.acceptance import Channel
from tallyroom.vault.people import Grant, Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.plan.types import Plan
    from tallyroom.vault.sessions import Session
    from tallyroom.vault.vault import Vault

FILED_BY: Mapping[Channel, frozenset[Role]] = {
    Channel.APP: frozenset({Role.CHAIR}),
    Channel.OPERATOR: frozenset({Role.OPERATOR}),
    Channel.KEYPAD: frozenset({Role.CHAIR}),
    Channel.SMS: frozenset({Role.CHAIR}),
    Channel.PHOTO: frozenset({Role.OPERATOR, Role.COUNTY}),
    Channel.PAPER: frozenset({Role.OPERATOR, Role.COUNTY}),
    Channel.CAMPAIGN: frozenset({Role.OBSERVER}),
    Channel.FILE: frozenset({Role.DIRECTOR}),
}
"""Who may file by which channel."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """Somebody who has proved who it is.

    Attributes:
        person: opaque id.
        grants: roles held, and where.
        unit: the place whose packet was shown; empty for the staff.
        packet: version of that packet; 0 for the staff.
    """

    person: str
    grants: frozenset[Grant]
    unit: str = ""
    packet: int = 0

    def may(self, role: Role, *scopes: str) -> bool:
        """Whether the bearer holds a role, for the whole contest or for one of these scopes."""
        return any(grant.role is role and grant.scope in {"", *scopes} for grant in self.grants)

    def has(self, role: Role) -> bool:
        """Whether the bearer holds a role anywhere."""
        return any(grant.role is role for grant in self.grants)

    def role_for(self, channel: Channel, unit: str, plan: Plan) -> Role | None:
        """The role in which the bearer may file a unit by a channel; None: it may not."""
        scopes = (unit, *plan.lineage(plan.units[unit].area))
        return next((role for role in sorted(FILED_BY[channel]) if self.may(role, *scopes)), None)


def bearer_of(vault: Vault, session: Session) -> Bearer | None:
    """Give who is behind a session; None if the person is gone.

    Whoever came with a packet is the chair of that one place, whatever other roles the person holds.
    """
    if session.unit:
        return Bearer(session.person, frozenset({Grant(Role.CHAIR, session.unit)}), session.unit, session.packet)
    person = vault.people.find(session.person)
    return None if person is None else Bearer(person.id, person.grants)
