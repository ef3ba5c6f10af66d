"""Frames become events: one form for A2A v0.2, v0.3 and v1.0, over JSON-RPC and HTTP+JSON.

The reader is total: any frame gives an `Event`. What is no A2A is `foreign`, what is no
JSON is `malformed`, and both say why. It keeps only which dialect the capture has shown so
far, since REST frames of 0.3 and 1.0 often look alike (semantics section 1).
"""

from __future__ import annotations

import re
from typing import Any

from harness import jsontext
from harness.a2a import core
from harness.a2a.dialects import KINDS, ONEOF, ONEOF_SNAKE, STATES
from harness.a2a.request import Asked
from harness.a2a.shapes import (
    integer,
    is_error,
    is_old_rest,
    json_type,
    kind_by_shape,
    members,
    said,
    some_names,
    state_of,
    task_regions,
    word,
)
from harness.model.capture import Capture
from harness.model.event import Binding, Dialect, Event, EventKind, Region
from harness.model.frame import Frame

_TOLD = r"  (state|task|ctx)=(\S+)"
_SENTINEL = r"\[[A-Za-z_]{2,20}\]|DONE|END|EOF|EOS"


class Reader:
    """Reads the frames of one capture, in order."""

    def __init__(self, capture: Capture, asked: Asked) -> None:
        status = capture.head.status if capture.head else None
        self._refused = status is not None and not 200 <= status < 300
        self._hint: Dialect | None = asked.dialect if asked.dialect in ("v0.3", "v1.0") else None
        self._bare_binding: Binding | None = asked.binding or (None if capture.framing == "jsonl" else "rest")
        self._old_rest = self._hint == "v0.3"
        self.dialect: Dialect | None = self._hint
        """What the request and the frames so far have shown; bytes win over the request."""
        self._shown = False

    def read(self, frame: Frame) -> Event:
        """`frame` as an event."""
        if frame.flaw is not None:
            return self._flawed(frame)
        json = jsontext.read(frame.data)
        if type(json) is not dict:
            return self._no_object(frame, json)
        if "jsonrpc" in json or ("result" in json and "conversation_id" not in json):
            event = self._envelope(frame, json)
        else:
            event = self._bare(frame, json)
        if event.dialect is not None and event.kind != "error":
            self._settle(event.dialect)
        return event

    def _flawed(self, frame: Frame) -> Event:
        """A record that can not be read. A wire log's own line may still tell state, task and context."""
        told = dict(re.findall(_TOLD, frame.name)) if frame.name else {}
        return Event(
            frame, "malformed", task_id=told.get("task"), context_id=told.get("ctx"),
            state=STATES.get(told.get("state", "")), reason=frame.flaw or "",
        )  # fmt: skip

    def _settle(self, dialect: Dialect) -> None:
        if not self._shown or (dialect == "v0.3" and self._old_rest):
            self.dialect = dialect
            self._shown = True

    def _no_object(self, frame: Frame, json: Any) -> Event:
        if not isinstance(json, jsontext.Flaw):
            return Event(frame, "foreign", json, reason=f"JSON, but {json_type(json)} and no object")
        text = frame.data.strip()
        if re.fullmatch(_SENTINEL, text):
            return Event(frame, "sentinel", reason=text)
        if frame.name == "error":
            return Event(frame, "error", dialect=self.dialect, error_message=frame.data, reason="no JSON")
        if not text:
            return Event(frame, "malformed", reason="no data")
        return Event(frame, "malformed", reason=f"{json.reason} at character {json.at}")

    def _envelope(self, frame: Frame, json: dict[str, Any]) -> Event:
        error = json.get("error")
        if error:
            return self._error(frame, json, error, "/error", enveloped=True)
        result = json.get("result")
        if type(result) is dict:
            event = self._a2a(frame, json, result, "/result", enveloped=True)
            if event is not None:
                return event
            reason = "a result that is no A2A event; its members: " + some_names(result)
        elif "method" in json:
            reason = "a JSON-RPC request, not an answer"
        elif "result" in json:
            reason = f"a result that is {json_type(result)}"
        else:
            reason = "neither a result nor an error"
        return Event(frame, "foreign", json, result, "/result", None, "jsonrpc", True, reason=reason)

    def _bare(self, frame: Frame, json: dict[str, Any]) -> Event:
        if core.is_resume(json):
            return Event(frame, "resume", json, json, dialect="openjiuwen-core")
        chunk = core.chunk(json)
        if chunk is not None:
            return self._chunk(frame, json, chunk)
        event = self._a2a(frame, json, json, "", enveloped=False)
        if event is not None:
            return event
        error = json.get("error")
        if isinstance(error, (dict, str)) and error:
            enveloped = "id" in json and isinstance(error, dict) and "status" not in error
            return self._error(frame, json, error, "/error", enveloped=enveloped)
        if is_error(json) or (self._refused and "title" in json) or frame.name == "error":
            return self._error(frame, json, json, "", enveloped=False)
        return Event(frame, "foreign", json, json, reason="no A2A event; its members: " + some_names(json))

    def _chunk(self, frame: Frame, json: dict[str, Any], chunk: core.Chunk) -> Event:
        return Event(
            frame, "chunk", json, json, "", "openjiuwen-core", self._bare_binding, False, None, None,
            chunk.state, chunk.state_pointer, chunk.text, chunk.text_pointer, None,
            (Region(chunk.channel, chunk.pointer, chunk.value),), error_message=chunk.error,
        )  # fmt: skip

    def _error(self, frame: Frame, json: Any, error: Any, pointer: str, *, enveloped: bool) -> Event:
        binding: Binding = "jsonrpc" if enveloped else "rest"
        told = error if isinstance(error, dict) else {"message": error}
        code, message = told.get("code"), told.get("message") or told.get("title")
        return Event(
            frame, "error", json, error, pointer, self.dialect, binding, enveloped,
            regions=(Region("control", "", json),),
            error_code=integer(code), error_message=message if isinstance(message, str) else "",
        )  # fmt: skip

    def _a2a(
        self, frame: Frame, json: Any, holder: dict[str, Any], pointer: str, *, enveloped: bool
    ) -> Event | None:
        """`holder` (a result, or a whole REST frame) as an A2A event, if it is one."""
        for name, value in holder.items():
            kind = ONEOF.get(name)
            if kind is not None and type(value) is dict:
                dialect: Dialect = "v1.0" if enveloped else self._of_rest(kind, value)
                return self._event(frame, kind, json, value, f"{pointer}/{name}", dialect, enveloped)
        kind = KINDS.get(word(holder, "kind") or "")
        if kind is not None:
            return self._event(frame, kind, json, holder, pointer, "v0.3", enveloped)
        for name, kind in ONEOF_SNAKE.items():
            value = holder.get(name)
            if type(value) is dict:
                shown = self.dialect or "v1.0"
                return self._event(frame, kind, json, value, f"{pointer}/{name}", shown, enveloped)
        kind = kind_by_shape(holder)
        if kind is None:
            return None
        dialect = self._of_shape(kind, holder, enveloped)
        return self._event(frame, kind, json, holder, pointer, dialect, enveloped)

    def _of_rest(self, kind: EventKind, body: dict[str, Any]) -> Dialect:
        if not self._old_rest and kind != "artifact" and is_old_rest(kind, body):
            self._old_rest = True
        return "v0.3" if self._old_rest else "v1.0"

    def _of_shape(self, kind: EventKind, body: dict[str, Any], enveloped: bool) -> Dialect:
        if not enveloped and kind != "artifact" and is_old_rest(kind, body):
            return "v0.3"
        spelling = word(members(body.get("status")), "state") or word(body, "role") or ""
        if spelling.startswith(("TASK_STATE_", "ROLE_")):
            return self._hint if self._hint and not enveloped else "v1.0"
        return "v0.3" if spelling else self.dialect or "v1.0"

    def _event(
        self, frame: Frame, kind: EventKind, json: Any, body: dict[str, Any], pointer: str, dialect: Dialect,
        enveloped: bool,
    ) -> Event:  # fmt: skip
        binding = "jsonrpc" if enveloped else self._bare_binding
        task = body.get("id" if kind == "task" else "taskId")
        context = body.get("contextId")
        task = task if type(task) is str and task else word(body, "task_id")
        context = context if type(context) is str and context else word(body, "context_id")
        if kind == "artifact":
            return Event(
                frame, kind, json, body, pointer, dialect, binding, enveloped, task, context,
                None, "", "", "", None, (Region("content", pointer, body),),
            )  # fmt: skip
        if kind == "message":
            text, where = said(body, pointer)
            return Event(
                frame, kind, json, body, pointer, dialect, binding, enveloped, task, context,
                None, "", text, where, None, (Region("content", pointer, body),),
            )  # fmt: skip
        status = members(body.get("status"))
        state = status.get("state")
        text, where = said(status.get("message"), pointer + "/status/message")
        final = body.get("final")
        regions = task_regions(body, pointer) if kind == "task" else (Region("control", pointer, body),)
        return Event(
            frame, kind, json, body, pointer, dialect, binding, enveloped, task, context,
            state_of(state), pointer + "/status/state" if state else "", text, where,
            final if type(final) is bool else None, regions,
        )  # fmt: skip
