"""Captures of the legs to remote agents as remote calls: what was asked, and what was answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.a2a.request import asked
from harness.legs.reading import events, span
from harness.legs.shown import Shown
from harness.legs.words import is_whole, text_of
from harness.mapping.nested import within
from harness.rules.legs import RemoteCall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.capture import Capture
    from harness.model.event import Event
    from harness.model.verdict import Round

KEPT = 256 << 10
"""Characters of one text of an answer that are kept."""
_ANSWERS = ("answer", "workflow_final")


def remote_call(capture: Capture, round: Round, max_line: int) -> RemoteCall | None:
    """The remote call that `capture` recorded; None for a call about a task (GetTask and its kin)."""
    request = asked(capture)
    if request.operation not in (None, "send", "stream"):
        return None
    shown, last = Shown(keep=KEPT), _Last()
    for event in events(capture, max_line):
        shown.take(event)
        last.take(event)
    body = capture.request
    when = span(capture)
    return RemoteCall(
        source=capture.source,
        leg=capture.leg,
        round=capture.round,
        text="" if body is None else text_of(body),
        asked_task=request.task_id,
        asked_context=request.context_id,
        task_id=last.task_id,
        outcome=round.outcome,
        failed=round.outcome == "HTTP_ERROR" or capture.ending == "refused",
        began_ns=when.began_ns,
        ended_ns=when.ended_ns,
        texts=shown.texts,
        last=last.text,
        flaw=_flaw(capture, round, shown),
    )


def _flaw(capture: Capture, round: Round, shown: Shown) -> str | None:
    if not asked(capture).known:
        return f"the request of {capture.source} is not known"
    if capture.request is not None and not is_whole(capture.request):
        return f"the request of {capture.source} was not recorded whole"
    if shown.cut:
        return f"the answer in {capture.source} is longer than {KEPT} characters"
    if round.unread or round.outcome == "INCONCLUSIVE":
        return f"the answer in {capture.source} is not known whole"
    return None


class _Last:
    """The last whole text of an answer: of an artifact, a message, or a status."""

    def __init__(self) -> None:
        self.text = ""
        self.task_id: str | None = None
        self._artifact: object = None

    def take(self, event: Event) -> None:
        self.task_id = self.task_id or event.task_id
        if event.kind == "artifact":
            self._chunk(event.body)
        elif event.text and event.kind in ("message", "status", "task"):
            self.text, self._artifact = event.text, None
        elif event.kind == "chunk":
            self.text = next(_outputs(event.json), self.text)

    def _chunk(self, body: dict[str, Any]) -> None:
        artifact = body.get("artifact")
        parts = artifact.get("parts") if isinstance(artifact, dict) else None
        text = (
            "".join(_said(part) for part in parts if isinstance(part, dict))
            if isinstance(parts, list)
            else ""
        )
        if not text or not isinstance(artifact, dict):
            return
        name = artifact.get("artifactId")
        adds = body.get("append") is True and name == self._artifact
        self.text = (self.text if adds else "") + text[:KEPT]
        self._artifact = name


def _said(part: Any) -> str:
    """The text of a part, or the output of the core chunk that it holds."""
    if not isinstance(part, dict):
        return ""
    text, data = part.get("text"), part.get("data")
    if isinstance(text, str):
        inner = within(text) if text.lstrip().startswith("{") else []
        return next((out for one in inner for out in _outputs(one)), "" if inner else text)
    return next(_outputs(data), "")


def _outputs(chunk: Any) -> Iterator[str]:
    if isinstance(chunk, dict) and chunk.get("type") in _ANSWERS:
        payload = chunk.get("payload")
        output = payload.get("output") if isinstance(payload, dict) else payload
        if isinstance(output, str) and output:
            yield output
