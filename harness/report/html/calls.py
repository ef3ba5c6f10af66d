"""What was sent: the requests of rounds, calls of the model, and which remote call a leak belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness import llm
from harness.a2a.request import asked as request_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from harness.model.capture import Capture
    from harness.model.interaction import Interaction
    from harness.model.verdict import Round
    from harness.report.html.views import Model, View

BODY = 3000
"""Characters of a request's body."""
RELATED = 4
"""Remote calls that are named beside one interaction."""


def request(capture: Capture) -> dict[str, Any] | None:
    """The request that a capture answers; None where it was not recorded."""
    one = capture.request
    if one is None:
        return None
    said = request_of(capture)
    body = one.body or ""
    value: dict[str, Any] = {
        "line": " ".join(part for part in (one.method, one.target) if part)[:300],
        "method": said.method or "",
        "context": said.context_id or "",
        "task": said.task_id or "",
        "body": body[:BODY],
    }
    if len(body) > BODY:
        value["cut"] = len(body) - BODY
    return value


def model_call(model: Model, view: View) -> dict[str, Any]:
    """One call of the model on the axis of its view."""
    took = model.lasting
    call = llm.read(model.capture, took.began_ns, took.ended_ns)
    last = call.messages[-1] if call.messages else None
    return {
        "x": [view.axis.place(took.began_ns), view.axis.place(took.ended_ns)],
        "source": model.capture.source,
        "ms": (took.ended_ns - took.began_ns) // 1_000_000,
        "calls": [one.name[:80] for one in call.calls[:12]],
        "role": last.role[:40] if last else "",
        "last": last.text[:400] if last else "",
        "text": call.text[:400],
        "flaw": call.request_flaw or call.answer_flaw or "",
    }


class Related:
    """Finds the remote calls of an interaction: by its call's id, by what was asked, else by the agent."""

    def __init__(
        self, rounds: Sequence[Round], captures: Mapping[str, Capture], views: Iterable[View]
    ) -> None:
        self._rounds = rounds
        self._captures = captures
        self._remotes = {view.client: view.remotes for view in views}

    def __call__(self, client: int, asked: Interaction) -> list[int]:
        """Positions of the remote calls that `asked`, seen in round `client`, speaks of."""
        remotes = self._remotes.get(client, ())
        if asked.kind not in ("delegation", "unknown") or not remotes:
            return []
        by_id = [at for at in remotes if asked.tool_call_id and asked.tool_call_id in self._body(at)]
        if by_id:
            return by_id[:RELATED]
        named = [at for at in remotes if self._rounds[at].leg in (asked.agent, asked.tool_name)]
        free = named or [at for at in remotes if not self._is_claimed(at, client)]
        by_text = [at for at in free if asked.prompt and asked.prompt in self._body(at)]
        return (by_text or named)[:RELATED]

    def _is_claimed(self, at: int, client: int) -> bool:
        """Does the remote call name a call of the round?"""
        calls = {asked.tool_call_id for asked in self._rounds[client].interactions}
        return any(call in self._body(at) for call in calls if call)

    def _body(self, at: int) -> str:
        one = self._captures[self._rounds[at].source].request
        return (one.body or "") if one else ""
