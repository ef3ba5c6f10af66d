"""What a remote agent's stream says: its task, its output, its answer. Knows no transport."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness import jsontext
from harness.testbed.runtime.javatext import text_of
from harness.testbed.runtime.projection import ANSWERS, Remote, answer_text

type Json = dict[str, Any]


class Reading:
    """One remote turn, result by result, of any chunk generation."""

    def __init__(self, started: Callable[[str], None], output: Callable[[Remote], None]) -> None:
        self.task_id = ""
        self.state = ""
        self.message = ""
        """The text of the last status."""
        self._started, self._output = started, output
        self._answer: str | None = None
        self._texts: list[str] = []

    def answer(self) -> str:
        """The answer as the caller's model gets it: the marked artifact, else all text, else the status."""
        if self._answer is not None:
            return self._answer
        return "".join(self._texts) or self.message

    def take(self, result: Json) -> None:
        """Read one result."""
        for name in ("task", "statusUpdate", "artifactUpdate", "message"):
            if isinstance(update := result.get(name), dict):
                self._take(name, update)

    def _take(self, name: str, update: Json) -> None:
        if task_id := update.get("id" if name == "task" else "taskId"):
            self._know(str(task_id))
        if name == "artifactUpdate":
            self._artifact(update)
        elif name == "message":
            self.state, self.message = "COMPLETED", _text(update)
        else:
            status = update.get("status") or {}
            self.state = str(status.get("state")).removeprefix("TASK_STATE_")
            self.message = _text(status.get("message") or {})

    def _know(self, task_id: str) -> None:
        if not self.task_id:
            self.task_id = task_id
            self._started(task_id)

    def _artifact(self, update: Json) -> None:
        made = update.get("artifact") or {}
        is_answer = bool((made.get("metadata") or {}).get("_agentcore_terminal"))
        for part in made.get("parts") or []:
            shown = self._part(part, is_answer=is_answer)
            if shown:
                self._show(update, made, shown)

    def _part(self, part: Json, *, is_answer: bool) -> str:
        """The text that a part adds to the output, nothing for the answer and for what is internal."""
        if is_answer:
            self._answer = str(part.get("text") or "")
            return ""
        text = part.get("text")
        chunk = part.get("data") if text is None else jsontext.read(text)
        if isinstance(chunk, dict) and "payload" in chunk and isinstance(chunk.get("type"), str):
            return self._chunk(chunk)
        return str(text) if text is not None else text_of(chunk)

    def _chunk(self, chunk: Json) -> str:
        if chunk["type"] in ANSWERS:
            self._answer = answer_text(chunk)
            return ""
        payload = chunk["payload"]
        is_output = chunk["type"] in ("llm_output", "message", "remote_agent_output")
        return str(payload.get("content") or "") if is_output and isinstance(payload, dict) else ""

    def _show(self, update: Json, made: Json, text: str) -> None:
        self._texts.append(text)
        append = bool(update.get("append"))
        last = bool(update.get("lastChunk", not append))
        self._output(Remote(self.task_id, str(made.get("artifactId")), text, append, last))


def _text(message: Json) -> str:
    return "".join(str(part["text"]) for part in message.get("parts") or [] if part.get("text"))
