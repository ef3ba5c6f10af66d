"""The evidence of a finding as a terminal may show it: where it stood, what stood there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.cells import cells, fit, harmless

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.model.interaction import Place
    from harness.report.words import Words


def location(source: str, place: Place, words: Words) -> list[str]:
    """`file`, `event N`, the pointer, `bytes a-b`: as far as they are known."""
    parts = [harmless(source)]
    if place.event is not None:
        parts.append(words["event"].format(number=place.event))
    if place.pointer:
        parts.append(harmless(place.pointer, 1024))
    if place.span is not None:
        parts.append(words["bytes"].format(start=place.span.start, end=place.span.end))
    return parts


def excerpt(snippet: str, room: int, lines: int = 2) -> list[str]:
    """`snippet` in at most `lines` lines of `room` cells."""
    text = harmless(snippet, 1024)
    shown: list[str] = []
    while text and len(shown) < lines - 1 and cells(text) > room:
        head = fit(text, room + 1)[:-1]
        shown.append(head)
        text = text[len(head) :]
    return [*shown, fit(text, room)] if text else shown


def closer(source: str, place: Place, rule: str | None) -> list[str]:
    """Commands that look closer; standard input can not be read a second time."""
    commands = [f"harness explain {rule}"] if rule else []
    if source != "-" and place.event:
        commands.insert(0, f"harness inspect {quoted(source)} frame {place.event}")
    return commands


def quoted(path: str) -> str:
    """A path as a word of a shell that a terminal may show."""
    import shlex

    return harmless(shlex.quote(path))


def flow(parts: Iterable[str], room: int, indent: str, gap: str = "  ") -> list[str]:
    """`parts` side by side as long as they fit in `room` cells, whole ones only."""
    lines: list[str] = []
    for part in parts:
        if lines and cells(lines[-1] + gap + part) <= room:
            lines[-1] += gap + part
        else:
            lines.append(indent + part)
    return lines
