"""WAIV: what is wrong with a waiver itself. No stream shows it: the composition judges it. Rank 3."""

from __future__ import annotations

from harness.rules.example import Example, artifact, status
from harness.rules.rule import ALL, Rule

TODAY = "2026-08-11"
"""The day on which the examples are judged."""

_LEAK = artifact(
    {
        "data": {
            "type": "controller_output",
            "index": 4,
            "payload": {
                "type": "task_interaction",
                "data": [
                    {
                        "data": {
                            "type": "__interaction__",
                            "payload": {
                                "id": "call_00_Ex",
                                "value": {
                                    "toolCallId": "call_00_Ex",
                                    "toolName": "search-agent",
                                    "message": "price of A",
                                    "context": {
                                        "_interrupt_kind": "a2a_delegate",
                                        "agentName": "search-agent",
                                    },
                                },
                            },
                        }
                    }
                ],
            },
        }
    }
)
_OPEN, _DONE = status("working"), status("completed")


def _waiver(rule: str = "LEAK101", expires: str = "2026-12-31") -> str:
    return (
        "version: 1\n"
        "waivers:\n"
        "  - id: W-1\n"
        f"    rule: {rule}\n"
        "    scope: {scenario: S-1}\n"
        "    reason: mended with the next release\n"
        "    issue: https://tracker.example/1\n"
        "    owner: runtime team\n"
        f"    expires: {expires}\n"
    )


class Expired(Rule):
    """A waiver whose last day is over, while its finding is still there."""

    code = "WAIV101"
    slug = "waiver-expired"
    title = "A waiver holds until its last day"
    why = (
        "The last day of the waiver is over, so that its findings count again. Mend what they tell, or agree "
        "on a new last day with the owner and write it into the file."
    )
    source = "this project: a waiver has a reason, an owner and an end"
    severity = "warning"
    versions = ALL | {"openjiuwen-core"}
    PASSES = (Example((_OPEN, _LEAK, _DONE), "holds on its last day", waivers=_waiver(expires=TODAY)),)
    FAILS = (Example((_OPEN, _LEAK, _DONE), "one day late", waivers=_waiver(expires="2026-08-10")),)


class Stale(Rule):
    """A waiver that accepts nothing although its rule was checked where it holds."""

    code = "WAIV102"
    slug = "waiver-stale"
    title = "A waiver accepts something"
    why = (
        "The rule was checked on every round in the waiver's scope and found nothing: what was accepted is "
        "mended, or the scope is wrong. Remove the waiver, since it would hide the next breach."
    )
    source = "this project: what nobody needs any more must not hide anything"
    severity = "warning"
    versions = ALL | {"openjiuwen-core"}
    PASSES = (
        Example((_OPEN, _LEAK, _DONE), "accepts a leak", waivers=_waiver()),
        Example((_OPEN, _DONE), "about another scenario", scenario="S-2", waivers=_waiver()),
    )
    FAILS = (Example((_OPEN, _DONE), "nothing leaks any more", waivers=_waiver()),)


class UnknownRule(Rule):
    """A waiver for a rule that does not exist."""

    code = "WAIV103"
    slug = "waiver-of-unknown-rule"
    title = "A waiver names a rule that exists"
    why = (
        "No rule has this code, so that the waiver accepts nothing. Correct the code: `harness explain` "
        "lists all rules."
    )
    source = "this project: a mistake in the file must not look like a decision"
    severity = "error"
    versions = ALL | {"openjiuwen-core"}
    PASSES = (Example((_OPEN, _LEAK, _DONE), "a rule's code", waivers=_waiver()),)
    FAILS = (Example((_OPEN, _LEAK, _DONE), "no rule's code", waivers=_waiver("LEAK199")),)


RULES: tuple[type[Rule], ...] = (Expired, Stale, UnknownRule)
