"""The reference page of all findings, written from the checks themselves."""

from __future__ import annotations

from tallyroom.checks.examine import catalogue


def reference() -> str:
    """Give the page in Markdown: a table of all, then a section each."""
    parts = [
        "# Findings",
        "",
        "Every finding has a code and a kind that never change, and the numbers that prove it. The severity is the",
        "usual one; the specification says where it is another.",
        "",
        "| code | kind | severity | meaning |",
        "| --- | --- | --- | --- |",
        *(f"| {check.code} | `{check.kind}` | {check.severity} | {check.title} |" for check in catalogue()),
        "",
    ]
    for check in catalogue():
        parts += [
            f"## {check.kind}",
            "",
            f"**{check.title}** ({check.code}, {check.severity}).",
            "",
            check.specification,
            "",
            f"*What to do:* {check.todo}",
            "",
        ]
    return "\n".join(parts).rstrip() + "\n"
