"""A capture as a timeline: one line for what belongs together, tokens collapsed.

Events in, steps out; nothing is kept but the step that is growing, so that a capture of any
size is told in flat memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from harness.report.cells import fit, harmless
from harness.report.eventlabel import label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.model.event import Event
    from harness.model.interaction import Mark, Sighting
    from harness.report.view import View


class Seen(NamedTuple):
    """An event with what the mapping read in it."""

    event: Event
    sightings: tuple[Sighting, ...] = ()
    marks: tuple[Mark, ...] = ()


class Step(NamedTuple):
    """One line of the timeline: `size` events of one kind in a row."""

    first: int
    last: int
    size: int
    span: tuple[int, int]
    kind: str
    label: str
    state: str | None
    chars: int
    """Characters of text that the events carry."""
    text: str
    """What a person would read: the status text, the error, why it is foreign."""
    seen: Seen
    """The first event, whose interactions and marks are shown."""


def steps(events: Iterable[Seen]) -> Iterator[Step]:
    """Events in a row that differ in nothing but their tokens become one step."""
    growing: Step | None = None
    key: object = None
    for one in events:
        step, its_key = _step(one)
        if growing is not None and its_key is not None and its_key == key:
            growing = _joined(growing, step)
            continue
        if growing is not None:
            yield growing
        growing, key = step, its_key
    if growing is not None:
        yield growing


def _step(one: Seen) -> tuple[Step, object]:
    event = one.event
    name, chars = label(event)
    text = event.text or event.error_message or event.reason
    number, span = event.frame.number, event.frame.span
    step = Step(number, number, 1, (span.start, span.end), event.kind, name, event.state, chars, text, one)
    alone = bool(one.sightings or one.marks or event.kind in ("error", "malformed", "foreign", "resume"))
    return step, None if alone else (event.kind, name, event.state, event.text, event.final)


def _joined(growing: Step, step: Step) -> Step:
    return growing._replace(
        last=step.last,
        size=growing.size + 1,
        span=(growing.span[0], step.span[1]),
        chars=growing.chars + step.chars,
    )


_ROLE = {
    "completed": "good",
    "failed": "error",
    "rejected": "error",
    "canceled": "warning",
    "input-required": "native",
    "auth-required": "native",
}


def lines(step: Step, view: View, digits: int = 6) -> Iterator[str]:
    """The step as text: its line, then a line for each interaction and mark in it."""
    numbers = str(step.first) if step.size == 1 else f"{step.first}..{step.last}"
    head = f"{numbers:>{2 * digits}}  {step.kind:<9}"
    words = [f"x{step.size:,}" if step.size > 1 else "", step.state or "", harmless(step.label, 80)]
    if step.chars:
        words.append(view.say("timeline.chars", count=f"{step.chars:,}"))
    plain = "  ".join(word for word in words if word)
    if step.text:
        plain += ("  " if plain else "") + f'"{harmless(step.text, 400)}"'
    role = "error" if step.kind in ("error", "malformed", "foreign") else _ROLE.get(step.state or "", "")
    yield f"{head}  {view.paint(role, fit(plain, view.width - len(head) - 2))}".rstrip()
    indent = " " * (2 * digits + 2)
    yield from (indent + line for line in _asked(step.seen, view))
    yield from (indent + line for line in _marked(step.seen, view))


def _asked(seen: Seen, view: View) -> Iterator[str]:
    for one in seen.sightings:
        said = view.say(
            "shown",
            exposure=view.words[one.exposure],
            kind=view.words[one.kind],
            channel=view.words[one.channel],
        )
        names = [one.tool_call_id, one.tool_name, one.agent if one.agent != one.tool_name else None]
        named = " ".join(harmless(name, 80) for name in names if name)
        yield f"! {view.paint(one.exposure, said)}  {named}".rstrip() + f"  [{harmless(one.shape, 80)}]"
        yield f"    {harmless(one.place.pointer or '', 1024)}"


def _marked(seen: Seen, view: View) -> Iterator[str]:
    for one in seen.marks:
        text = " ".join(harmless(part, 120) for part in (one.tool_call_id, one.text) if part)
        yield f"* {one.name}  {text}".rstrip()
        yield f"    {harmless(one.place.pointer or '', 1024)}"


def value(step: Step) -> dict[str, Any]:
    """The step as a JSON value."""
    return {
        "first": step.first,
        "last": step.last,
        "count": step.size,
        "kind": step.kind,
        "label": step.label,
        "state": step.state,
        "chars": step.chars,
        "text": step.text or None,
        "error_code": step.seen.event.error_code,
        "interactions": [
            {
                "kind": one.kind,
                "channel": one.channel,
                "exposure": one.exposure,
                "tool_call_id": one.tool_call_id,
                "tool_name": one.tool_name,
                "agent": one.agent,
                "shape": one.shape,
                "pointer": one.place.pointer,
            }
            for one in step.seen.sightings
        ],
        "marks": [{"name": m.name, "text": m.text, "pointer": m.place.pointer} for m in step.seen.marks],
        "span": list(step.span),
    }
