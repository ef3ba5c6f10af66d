"""What one model call says: frozen, small, picklable."""

from __future__ import annotations

from typing import NamedTuple


class ToolCall(NamedTuple):
    """A tool that the model called; `arguments` as the model wrote them, mostly JSON."""

    id: str | None
    name: str
    arguments: str = ""


class Message(NamedTuple):
    """One message of the request."""

    role: str
    text: str = ""
    """Its text; parts are joined by line feeds, parts that are no text are left out."""
    tool_call_id: str | None = None
    """Of a tool's result: the call that it answers."""
    calls: tuple[ToolCall, ...] = ()
    """Of the model's own message: the tools that it called then."""


class Asked(NamedTuple):
    """The request of a model call."""

    messages: tuple[Message, ...] = ()
    model: str | None = None
    tools: tuple[str, ...] = ()
    """The tools that the model may call."""
    flaw: str | None = None
    """Why it could not be read."""


class Answered(NamedTuple):
    """The answer of a model call."""

    calls: tuple[ToolCall, ...] = ()
    text: str = ""
    flaw: str | None = None
    """Why it could not be read, or not to its end."""


class ModelCall(NamedTuple):
    """One recorded model call. Times are ns of the recorder's clock, None where they are not known."""

    source: str
    group: str
    """The run folder; the source itself where it lies in none."""
    scenario: str
    round: int
    """0: the recorder could not assign it."""
    messages: tuple[Message, ...] = ()
    tools: tuple[str, ...] = ()
    """The tools that the request offers."""
    calls: tuple[ToolCall, ...] = ()
    """The tools that its answer calls."""
    text: str = ""
    """The answer's text."""
    model: str | None = None
    began_ns: int | None = None
    ended_ns: int | None = None
    request_flaw: str | None = None
    """Why the request is not known whole: a rule that needs it is not checked."""
    answer_flaw: str | None = None

    def repeats(self, earlier: ModelCall) -> bool:
        """Does the request go on behind the answer of `earlier`, so that it carries what that one said?"""
        size = len(earlier.messages)
        return len(self.messages) > size and self.messages[:size] == earlier.messages
