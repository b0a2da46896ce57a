"""How a report may come and what it takes to be counted: data of the plan, or the house's own where it says nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallyroom.plan.types import Source


class Channel(StrEnum):
    """The way a report came: whatever it is, the record is the same.

    Attributes:
        meaning: in words.
    """

    meaning: str

    def __new__(cls, name: str, meaning: str) -> Self:
        """Make an arm of its name and its meaning."""
        arm = str.__new__(cls, name)
        arm._value_ = name
        arm.meaning = meaning
        return arm

    APP = "app", "the chair typed it, on a page of ours"
    OPERATOR = "operator", "an operator heard it on the telephone"
    KEYPAD = "keypad", "the chair keyed it in on a telephone"
    SMS = "sms", "a text message"
    PHOTO = "photo", "read from a picture of the sheet"
    PAPER = "paper", "read from the sheet itself"
    CAMPAIGN = "campaign", "a copy that a campaign made"
    FILE = "file", "a file of many reports, vouched for by the director"


class Policy(StrEnum):
    """What it takes for a report to be counted.

    Attributes:
        meaning: in words.
    """

    meaning: str

    def __new__(cls, name: str, meaning: str) -> Self:
        """Make an arm of its name and its meaning."""
        arm = str.__new__(cls, name)
        arm._value_ = name
        arm.meaning = meaning
        return arm

    IF_SOUND = "if-sound", "counted at once if no check finds an error"
    SECOND_ENTRY = (
        "second-entry",
        "counted when another person enters the same figures unseen, or the caller's check digits and code agree",
    )
    AUTHORITY = "authority", "counted at once, whatever the checks find"
    EVIDENCE = "evidence", "never counted; kept beside what is"


HOUSE: Mapping[str, Policy] = {
    Channel.APP: Policy.IF_SOUND,
    Channel.OPERATOR: Policy.SECOND_ENTRY,
    Channel.KEYPAD: Policy.SECOND_ENTRY,
    Channel.SMS: Policy.SECOND_ENTRY,
    Channel.PHOTO: Policy.SECOND_ENTRY,
    Channel.PAPER: Policy.SECOND_ENTRY,
    Channel.CAMPAIGN: Policy.EVIDENCE,
    Channel.FILE: Policy.AUTHORITY,
}
"""The house's own policy, by channel: in force where a plan has no [[acceptance]] for the channel."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What it takes for a report that comes by a channel to be counted."""

    channel: str
    policy: str
    source: Source


@dataclass(frozen=True, slots=True)
class Retention:
    """How long private records are kept.

    Attributes:
        days: after the last deadline or release of the plan, whichever is later.
    """

    days: int
    source: Source
