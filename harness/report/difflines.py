"""One change of a diff in words, for the terminal and for Markdown alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.cells import harmless

if TYPE_CHECKING:
    from harness.diff.values import Change
    from harness.report.view import View

SIGNS = {"added": "+", "removed": "-", "changed": "~", "reordered": "%"}
PLAIN = ("outcome", "http_status", "ending", "duration", "surface")
"""Subjects whose name says nothing more than the subject."""


def head(change: Change, view: View) -> str:
    """What changed, without its values."""
    subject = view.words[f"diff.subject.{change.subject}"]
    if change.subject == "surface" or change.subject not in PLAIN:
        subject = f"{subject}: {harmless(change.name, 200)}" if change.name else subject
    if change.operation == "reordered":
        subject += f" ({view.words['diff.reordered']})"
    return subject + (f" x{change.times:,}" if change.times > 1 else "")


def values(change: Change, view: View) -> tuple[str | None, str | None]:
    """The values of both sides as they may be shown."""
    before, after = (_value(change, value, view) for value in (change.before, change.after))
    return before, after


def places(change: Change, view: View) -> str:
    """Which frames show it, and where in them."""
    found = []
    if change.a.event is not None:
        found.append(view.say("diff.place_a", number=change.a.event))
    if change.b.event is not None:
        found.append(view.say("diff.place_b", number=change.b.event))
    pointer = change.b.pointer or change.a.pointer
    return ", ".join(found) + (f" {harmless(pointer, 400)}" if pointer and found else "")


def _value(change: Change, value: str | None, view: View) -> str | None:
    if value is None:
        return None
    if change.subject != "interaction":
        return harmless(value, 400)
    exposure, kind, _, channel = value.split(" ")
    said = {"exposure": view.words[exposure], "kind": view.words[kind], "channel": view.words[channel]}
    return view.say("shown", **said)
