"""A capture of the protocol LLM as a `ModelCall`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import wire
from harness.capture.files import Body
from harness.llm.answer import Answer
from harness.llm.request import request
from harness.llm.values import Answered, ModelCall

if TYPE_CHECKING:
    from harness.model.capture import Capture, Framing

MAX_FRAME = 4 << 20
"""Bytes of one chunk, or of a whole answer, that are read."""
_WHOLE = ("clean", "unknown", "client_left")
"""Endings after which nothing more was to come; a client may leave behind `[DONE]`."""


def read(capture: Capture, began_ns: int | None = None, ended_ns: int | None = None) -> ModelCall:
    """The model call that `capture` recorded; what can not be read is told in its flaws. Never raises."""
    asked = request(capture.request.body if capture.request else None)
    answered = _refused(capture) or _answer(capture)
    return ModelCall(
        source=capture.source,
        group=capture.group or capture.source,
        scenario=capture.scenario,
        round=capture.round,
        messages=asked.messages,
        tools=asked.tools,
        calls=answered.calls,
        text=answered.text,
        model=asked.model,
        began_ns=began_ns,
        ended_ns=ended_ns,
        request_flaw=asked.flaw,
        answer_flaw=answered.flaw or (capture.unread[0].reason if capture.unread else None),
    )


def _refused(capture: Capture) -> Answered | None:
    """An answer with an HTTP error, or none at all from a model that refused: it calls no tool."""
    status = capture.head.status if capture.head else None
    if status is not None and not 200 <= status < 300:
        return Answered()
    return Answered() if capture.ending == "refused" else None


def _answer(capture: Capture) -> Answered:
    framing: Framing = "sse" if capture.framing == "sse" else "document"
    decoder = wire.decoder(framing, capture.start, MAX_FRAME)
    answer = Answer(streamed=framing == "sse")
    body = Body(capture)
    for chunk in body.chunks():
        for frame in decoder.feed(chunk):
            answer.take(frame)
    for frame in decoder.finish()[0]:
        answer.take(frame)
    answered = answer.finish(whole=capture.ending in _WHOLE)
    return answered if not body.unread else answered._replace(flaw=body.unread[0].reason)
