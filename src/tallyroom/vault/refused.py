"""Why a record was not kept or changed, as a value: a code for programs and a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Reason(StrEnum):
    """What stands in the way: its value is the code.

    Attributes:
        sentence: what people read: what is wrong, and what to do.
    """

    sentence: str

    def __new__(cls, code: str, sentence: str) -> Self:
        """Make an arm of its code and its sentence."""
        arm = str.__new__(cls, code)
        arm._value_ = code
        arm.sentence = sentence
        return arm

    NO_PERSON = "no-person", "There is nobody with this id. Add the person first."
    NO_ACCOUNT = "no-account", "This person has no account of the staff. Enrol the person first."
    HAS_ACCOUNT = "has-account", "This person has an account already. Change that one."
    LOGIN_TAKEN = "login-taken", "Another person signs in under this name. Choose another name."
    LOGIN_FORM = "login-form", "A sign-in name has 2 to 64 small letters, digits, dots, hyphens. Choose such a name."
    PASSWORD_SHORT = (
        "password-short",
        "The password has fewer than 12 characters. Take a longer one, such as four words.",
    )
    PASSWORD_LONG = "password-long", "The password has more than 1,000 characters. Take a shorter one."
    PASSKEY_KNOWN = "passkey-known", "This passkey is registered already. Use it, or register another device."
    NOT_A_NUMBER = (
        "not-a-number",
        "This is no telephone number. Give 4 to 15 digits, with + and the country before them.",
    )
    UNWRITABLE = "unwritable", "The text holds characters that cannot be kept. Type it again."
    STALE = "stale", "Somebody else has changed this draft meanwhile. Look at it again before you change it."
    OTHER_UNIT = "other-unit", "This draft belongs to another place. Begin a new one."
    TOO_LARGE = "too-large", "This is larger than what can be kept. Make it smaller and send it again."
    EMPTY = "empty", "There is nothing in it. Send it again."


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was kept or changed.

    Attributes:
        reason: the code, with its sentence.
    """

    reason: Reason

    @property
    def sentence(self) -> str:
        """What is wrong and what to do, in words."""
        return self.reason.sentence
