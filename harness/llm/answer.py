"""The answer of a chat completion, frame by frame: its text and the tools that it calls.

A stream ends with `[DONE]`, or with a finish reason where a server leaves that out; an answer
without either is told as broken off. Memory is bounded by `MOST`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness import jsontext
from harness.llm.request import arguments, content, text
from harness.llm.values import Answered, ToolCall

if TYPE_CHECKING:
    from harness.model.frame import Frame

MOST = 4 << 20
"""Characters of text and of arguments that one answer may have."""
DONE = "[DONE]"


class Answer:
    """Takes the frames of one answer in order; `finish` gives what they say together."""

    def __init__(self, *, streamed: bool) -> None:
        self._streamed = streamed
        self._text: list[str] = []
        self._calls: dict[tuple[int, int], list[Any]] = {}
        self._size = 0
        self._flaw: str | None = None
        self._ended = False
        self._read = 0

    def take(self, frame: Frame) -> None:
        """One frame: a chunk of the stream, or the whole answer."""
        if frame.data.strip() == DONE:
            self._ended = True
            return
        value = jsontext.read(frame.data) if frame.flaw is None else jsontext.Flaw(frame.flaw, 0)
        if isinstance(value, jsontext.Flaw):
            self._tell(f"frame {frame.number} of the answer is no JSON: {value.reason}")
        elif isinstance(value, dict):
            self._object(frame.number, value)

    def finish(self, *, whole: bool) -> Answered:
        """The answer; `whole`: the connection did not break off."""
        if self._flaw is None and not (self._ended and (whole or self._streamed)):
            self._flaw = "the answer breaks off" if self._read else "no answer was recorded"
        calls = tuple(ToolCall(call, name, "".join(pieces)) for call, name, pieces in self._in_order())
        return Answered(calls, "".join(self._text), self._flaw)

    def _in_order(self) -> list[Any]:
        return [self._calls[key] for key in sorted(self._calls)]

    def _object(self, number: int, value: dict[str, Any]) -> None:
        choices = value.get("choices")
        if isinstance(choices, list):
            self._read += 1
            for choice in choices:
                if isinstance(choice, dict):
                    self._choice(choice)
        elif "error" in value:
            self._read += 1
            self._ended = True
        else:
            names = ", ".join(str(name)[:40] for name in list(value)[:6])
            self._tell(f"frame {number} of the answer is no chat completion ({names})")

    def _choice(self, choice: dict[str, Any]) -> None:
        said = choice.get("delta") if self._streamed else choice.get("message")
        said = said if isinstance(said, dict) else {}
        place = choice.get("index")
        place = place if isinstance(place, int) else 0
        self._keep(self._text, content(said.get("content")))
        listed = said.get("tool_calls")
        for at, one in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(one, dict):
                self._call(place, one, at)
        if not self._streamed or choice.get("finish_reason"):
            self._ended = True

    def _call(self, place: int, one: dict[str, Any], at: int) -> None:
        given = one.get("index")
        key = (place, given if isinstance(given, int) else at)
        call = self._calls.setdefault(key, [None, "", []])
        function = one.get("function")
        members = function if isinstance(function, dict) else {}
        call[0] = call[0] or text(one.get("id"))
        call[1] = call[1] or text(members.get("name")) or ""
        self._keep(call[2], arguments(members.get("arguments")))

    def _keep(self, kept: list[str], more: str) -> None:
        self._size += len(more)
        if self._size > MOST:
            self._tell(f"the answer is longer than {MOST} characters")
        elif more:
            kept.append(more)

    def _tell(self, flaw: str) -> None:
        self._flaw = self._flaw or flaw
