"""openJiuwen core: bare chunks `{type,index,payload}` and their REST forms.

A chunk stream has no task and no status; how its rounds end is told by single chunks
(semantics section 1). Pure functions from one JSON object to what it says.
"""

from typing import Any, NamedTuple

from harness.model.event import Channel, State

INTERACTION = "__interaction__"
_ANSWERS = frozenset({"answer", "workflow_final"})
_ASIDE = ("message", "toolCallId", "toolName", "context", "items")
"""Members that the REST form of an interrupt has beside its payload, and a core chunk has not."""


class Chunk(NamedTuple):
    """What one chunk says. `channel` and `pointer` say where its interactions stand."""

    channel: Channel = "content"
    pointer: str = ""
    value: Any = None
    state: State | None = None
    state_pointer: str = ""
    text: str = ""
    text_pointer: str = ""
    error: str = ""


def chunk(json: dict[str, Any]) -> Chunk | None:
    """`json` as a core chunk, or None where it is none."""
    if isinstance(json.get("_exception"), str):
        return Chunk("content", "", json, "failed", "/_exception", error=json["_exception"])
    kind = json.get("type")
    if isinstance(kind, str):
        if kind == "error" and json.get("error"):
            return Chunk("content", "", json, "failed", "/error", error=_words(json["error"]))
        if kind == INTERACTION and ("payload" in json or "items" in json):
            return _interaction(json)
        if "payload" in json:
            return _typed(json, kind)
        return None
    return _rest(json)


def is_resume(json: dict[str, Any]) -> bool:
    """The marker line between two rounds of one recording."""
    return json.get("_marker") == "RESUME"


def _typed(json: dict[str, Any], kind: str) -> Chunk:
    payload = json["payload"]
    if kind in _ANSWERS:
        return _answer(json, payload)
    if kind == "controller_output" and isinstance(payload, dict) and payload.get("type") == "task_failed":
        return Chunk("content", "", json, "failed", "/payload/type", error=_failure(payload.get("data")))
    return Chunk("content", "", json)


def _answer(json: dict[str, Any], payload: Any) -> Chunk:
    if not isinstance(payload, dict):
        return Chunk("content", "", json, "completed", "/type")
    error, result_type = payload.get("error"), payload.get("result_type")
    if error:
        return Chunk("content", "", json, "failed", "/payload/error", error=_words(error))
    if result_type == "error":
        output = _words(payload.get("output"))
        return Chunk("content", "", json, "failed", "/payload/result_type", error=output)
    if result_type == "interrupt":
        return Chunk("content", "", json, "input-required", "/payload/result_type")
    return Chunk("content", "", json, "completed", "/type")


def _interaction(json: dict[str, Any]) -> Chunk:
    """A top-level interrupt: a core chunk, or (with members beside the payload) the REST form."""
    if any(name in json for name in _ASIDE):
        text = json.get("message")
        said = text if isinstance(text, str) else ""
        return Chunk("control", "", json, "input-required", "/type", said, "/message" if said else "")
    return Chunk("content", "", json, "input-required", "/type")


def _rest(json: dict[str, Any]) -> Chunk | None:
    """The REST frames without a `type`: proxy batch, hand-over, remote output, whole answer."""
    result = json.get("result")
    if isinstance(result, dict) and "conversation_id" in json:
        return _whole(json, result)
    if isinstance(json.get("message"), str) and ("items" in json or "_interrupt" in json):
        where = "/items" if "items" in json else "/_interrupt"
        return Chunk("control", "", json, "input-required", where, json["message"], "/message")
    metadata = json.get("metadata")
    is_remote = "projection" in json or (isinstance(metadata, dict) and "agentEvent" in metadata)
    return Chunk("content", "", json) if is_remote and "content" in json else None


def _whole(json: dict[str, Any], result: dict[str, Any]) -> Chunk:
    interrupt = result.get("_interrupt")
    if interrupt:
        text = result.get("content")
        said = text if isinstance(text, str) else ""
        where = "/result/content" if said else ""
        return Chunk("control", "", json, "input-required", "/result/_interrupt", said, where)
    return Chunk("content", "", json, "completed", "/result")


def _failure(data: Any) -> str:
    first = data[0] if isinstance(data, list) and data else None
    return _words(first.get("text")) if isinstance(first, dict) else ""


def _words(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("message")
    return value if isinstance(value, str) else ""
