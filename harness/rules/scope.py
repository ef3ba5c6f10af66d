"""What a rule may know of its round: capture, request, stream so far, and at the end the verdict."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.a2a.request import Asked
    from harness.a2a.stream import Stream
    from harness.model.capture import Capture
    from harness.model.event import Binding, Dialect
    from harness.model.frame import Manner, Rest
    from harness.model.interaction import Interaction, Mark


class Times(NamedTuple):
    """When the bytes of a body came: chunk i reached to offset `ends[i]` at `at_ns[i]`."""

    at_ns: Sequence[int]
    ends: Sequence[int]
    """Offsets in the decompressed file, as spans count them."""
    closed_ns: int | None = None
    """When the connection closed; None: not known."""

    def of(self, offset: int) -> int | None:
        """When the byte before `offset` came, in ns; None where no chunk tells."""
        number = bisect_left(self.ends, offset)
        return self.at_ns[number] if number < len(self.at_ns) else None


class Scope:
    """Filled by the pipeline as the round goes on; rules only read it."""

    __slots__ = (
        "asked",
        "binding",
        "capture",
        "dialect",
        "interactions",
        "manner",
        "marks",
        "outcome",
        "rest",
        "stream",
        "times",
        "user_input_tools",
    )

    def __init__(self, capture: Capture, asked: Asked, stream: Stream) -> None:
        self.capture = capture
        self.asked = asked
        """The request as A2A: method, id, task, context; every member None where unknown."""
        self.stream = stream
        """The life cycle so far, without the event in hand."""
        self.dialect: Dialect | None = None
        """Known from the first recognised event or the request on."""
        self.binding: Binding | None = None
        self.rest: Rest | None = None
        """What the body ends with; known in `end`."""
        self.manner: Manner | None = None
        """How the SSE was written; known in `end`."""
        self.times: Times | None = None
        """Arrival of the chunks; known in `end`, and only where the capture is timed."""
        self.interactions: tuple[Interaction, ...] = ()
        self.marks: tuple[Mark, ...] = ()
        self.outcome: str = ""
        self.user_input_tools: frozenset[str] = frozenset()
