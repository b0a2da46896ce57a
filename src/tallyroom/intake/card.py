"""Whether what a caller said of the read-aloud card agrees with what was heard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyroom.intake.decide import MATCHES
from tallyroom.report.spoken import spoken
from tallyroom.report.spoken_count import in_plain_digits

if TYPE_CHECKING:
    from tallyroom.plan.types import Plan
    from tallyroom.report.record import Report

DIFFERS = "differs"


def card(report: Report, plan: Plan, checks: str, code: str) -> str:
    """Compare the check digits of all lines and the sheet's code with those of a report.

    Args:
        report: what was heard.
        plan: whose sheet it is.
        checks: one digit a line in sheet order; other characters are passed over.
        code: the sheet's two digits.

    Returns:
        `matches` if all of them were said and agree, `differs` if anything that was said does not, else empty.
    """
    digits, said = _digits(checks), _digits(code)
    if not (digits or said):
        return ""
    sheet = spoken(report, plan)
    right = "".join(line.check for line in sheet.lines)
    if (digits and digits != right) or (said and said != sheet.code):
        return DIFFERS
    return MATCHES if digits and said else ""


def _digits(text: str) -> str:
    return "".join(letter for letter in in_plain_digits(text) if letter.isascii() and letter.isdigit())
