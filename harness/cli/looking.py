"""What `harness inspect` shows of a capture: timeline, neighbours of a frame, one frame.

Lines come as the capture is read, so that memory stays flat whatever its size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.cli.reading import Reading
    from harness.model.capture import Capture
    from harness.model.frame import Frame
    from harness.report.view import View


def timeline(reading: Reading, view: View, mappings: tuple[str, ...]) -> Iterator[str]:
    """Head, steps, and how the stream was written."""
    from harness.report.cells import harmless, wrap
    from harness.report.clients import Habits, notes
    from harness.report.timeline import lines, steps

    yield from head(reading.capture, view)
    habits = [Habits()]
    empty = True
    for step in steps(_counted(reading, mappings, habits)):
        empty = False
        yield from lines(step, view)
    if empty:
        yield f"  {view.words['inspect.empty']}"
    sse = reading.capture.framing == "sse"
    said = list(notes(habits[0], reading.manner, reading.rest, view, sse=sse))
    if said:
        yield ""
        yield view.head("inspect.notes")
        for sentence in said:
            yield from ("  " + line for line in wrap(sentence, view.width - 2, "  "))
    for one in reading.unread:
        yield f"{view.words['inspect.unread']}: {harmless(one.reason, 400)}"


def _counted(reading: Reading, mappings: tuple[str, ...], habits: list) -> Iterator:  # type: ignore[type-arg]
    for seen in reading.events(mappings):
        habits[0] = habits[0].take(seen.event)
        yield seen


def timeline_json(reading: Reading, mappings: tuple[str, ...]) -> Iterator[str]:
    """The steps as JSON Lines."""
    import json

    from harness.report.timeline import steps, value

    for step in steps(reading.events(mappings)):
        yield json.dumps(value(step))


def head(capture: Capture, view: View) -> Iterator[str]:
    """What is known of the exchange before its first byte."""
    from harness.a2a.request import asked as request_of
    from harness.report.cells import fit, harmless

    names = ("capture", "request", "response", "ending")
    request = request_of(capture)
    status = capture.head.status if capture.head else None
    type_ = (
        next((v for k, v in capture.head.headers if k.lower() == "content-type"), None)
        if capture.head
        else None
    )
    values = (
        (capture.source, capture.framing, capture.protocol, capture.scenario, f"r{capture.round}"),
        (request.method, request.dialect, request.task_id, request.context_id),
        (None if status is None else f"HTTP {status}", type_),
        (capture.ending, capture.ending_text),
    )
    for name, parts in zip(names, values, strict=True):
        text = "  ".join(harmless(part, 400) for part in parts if part)
        if text:
            yield fit(f"{view.words['inspect.' + name]}: {text}", max(view.width, 200))
    yield ""


def around(
    reading: Reading, number: int, context: int, view: View, mappings: tuple[str, ...]
) -> Iterator[str]:
    """Each event around a frame on its own line, the frame itself whole."""
    from harness.report.timeline import lines, steps

    met = False
    for seen in reading.events(mappings):
        at = seen.event.frame.number
        if at > number + context:
            break
        if at >= number - context:
            for step in steps([seen]):
                yield from lines(step, view)
        if at == number:
            met = True
            yield from ("      " + line for line in body(seen.event.frame, view))
    if not met:
        raise _no_frame(number, reading)


def frame(reading: Reading, number: int, view: View) -> Iterator[str]:
    """One frame: place, SSE fields, JSON."""
    from harness.report.cells import harmless

    one = _find(reading, number)
    start, end = one.span
    yield view.paint(
        "head",
        view.say(
            "inspect.frame", number=number, start=start, end=end, source=harmless(reading.capture.source)
        ),
    )
    fields = [
        ("event", one.name),
        ("id", one.last_id),
        ("flaw", one.flaw),
        ("U+FFFD", "yes" if one.replaced else ""),
    ]
    fields += [("comment", comment) for comment in one.comments] + [("unknown", line) for line in one.unknown]
    yield from (f"  {name}: {harmless(text, 400)}" for name, text in fields if text)
    yield from body(one, view)


def body(one: Frame, view: View) -> Iterator[str]:
    """The data of a frame: JSON laid out, anything else as it stands."""
    from harness.jsontext import Flaw, read
    from harness.report.cells import harmless
    from harness.report.jsonlayout import layout

    if isinstance(read(one.data), Flaw):
        yield from (harmless(line, 1 << 20) for line in one.data.split("\n"))
    else:
        yield from (harmless(line, 1 << 20) for line in layout(one.data))


def raw(reading: Reading, number: int) -> Iterator[bytes]:
    """The exact bytes of one frame, comments before it included."""
    return reading.bytes_of(_find(reading, number).span)


def _find(reading: Reading, number: int) -> Frame:
    for one in reading.frames():
        if one.number == number:
            return one
    raise _no_frame(number, reading)


def _no_frame(number: int, reading: Reading) -> UsageError:
    last = sum(1 for _ in type(reading)(reading.capture).frames())
    return UsageError(f"{reading.capture.source} has no frame {number}", mend=f"its frames are 1 to {last}")
