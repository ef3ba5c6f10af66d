"""What the protocol rules ask of a round's frame: is it a stream, what do its headers say. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harness.rules.rule import Rule

if TYPE_CHECKING:
    from harness.model.capture import Capture
    from harness.rules.scope import Scope

NO_STREAM = "the answer is one body, no stream"
OURS: frozenset[str] = frozenset({"client_left", "proxy_stopped", "timeout", "unsealed"})
"""Endings that our side made: what would have come is not known."""


def streamed(scope: Scope) -> bool:
    """Is the round a stream? The answers of GetTask, CancelTask and SendMessage are none."""
    capture, asked = scope.capture, scope.asked
    if asked.streaming is False or capture.framing in ("document", "none"):
        return False
    stream = scope.stream
    if capture.framing == "jsonl" and not asked.known:
        return stream.recognised > stream.tasks or stream.tasks > 1
    return True


def no_stream(scope: Scope) -> str | None:
    """The reason for which a rule about streams can not be checked, if there is one."""
    return None if streamed(scope) else NO_STREAM


def header(capture: Capture, name: str) -> str | None:
    """A header of the response, by its lower-case name."""
    for key, value in capture.head.headers if capture.head else ():
        if key == name:
            return value
    return None


def media(capture: Capture) -> str | None:
    """The media type of the response, without its parameters, in lower case."""
    value = header(capture, "content-type")
    return None if value is None else value.partition(";")[0].strip().lower()


def is_success(capture: Capture) -> bool | None:
    """2xx? None: the status is not known."""
    status = capture.head.status if capture.head else None
    return None if status is None else 200 <= status < 300


def is_json(kind: str | None) -> bool:
    """`application/json` and its relatives."""
    return kind is not None and (kind == "application/json" or kind.endswith("+json"))


class Ordered(Rule):
    """A rule about streams of A2A events; single bodies are none."""

    needs = frozenset({"events"})
    listens: ClassVar[tuple[str, ...]] = ("task", "message", "status", "artifact")

    def missing(self) -> str | None:
        return no_stream(self.scope)
