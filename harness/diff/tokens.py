"""Pieces of a text that come one by one: what such an event says, and what it says it in.

Knows three ways: the `content` of an openJiuwen core chunk (in a data part, in a text part
as JSON, bare), the output of a remote agent, and text that is appended to an artifact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from harness import jsontext
from harness.diff.marks import NESTED

if TYPE_CHECKING:
    from harness.model.event import Event


OUTPUTS: frozenset[str] = frozenset({"remote output", "agentEvent output"})


class Token(NamedTuple):
    """`text` is the piece; `body` the event's object without it."""

    text: str
    body: Any
    label: str
    way: str
    """`core`: one source speaks after another; `remote`: sources speak at the same time;
    `artifact`: pieces name the artifact that they belong to."""
    key: tuple[Any, ...] | None = None
    """Equal for events that surely differ in nothing but their text and their artifactId."""
    artifact_id: str = ""
    append: bool = False
    last: bool = False


def token(event: Event) -> Token | None:
    """`event` as a piece of text, or None where it is more than that."""
    body = event.body
    if type(body) is not dict:
        return None
    if event.kind == "chunk":
        said = _core(body)
        return None if said is None else Token(said[0], said[1], said[2], "core")
    artifact = body.get("artifact") if event.kind == "artifact" else None
    if type(artifact) is not dict:
        return None
    parts = artifact.get("parts")
    if type(parts) is not list or not parts or not all(type(part) is dict for part in parts):
        return None
    return _of_part(body, artifact, parts[0]) if len(parts) == 1 else _of_texts(body, artifact, parts)


def inner(part: dict[str, Any]) -> dict[str, Any] | None:
    """The core chunk in a part, as data or as JSON text."""
    data = part.get("data")
    if type(data) is dict:
        data = data["data"] if len(data) == 1 and type(data.get("data")) is dict else data
        return data if type(data.get("type")) is str else None
    text = part.get("text")
    if type(text) is str and text.startswith("{") and '"type"' in text and len(text) < 1 << 20:
        value = jsontext.read(text)
        if type(value) is dict and type(value.get("type")) is str and "payload" in value:
            return value
    return None


def _core(chunk: dict[str, Any]) -> tuple[str, dict[str, Any], str] | None:
    payload = chunk.get("payload")
    if type(payload) is not dict or type(chunk.get("type")) is not str:
        return None
    content = payload.get("content")
    if type(content) is not str:
        return None
    rest = {name: value for name, value in payload.items() if name != "content"}
    return content, {**chunk, "payload": rest}, chunk["type"]


def _of_part(body: dict[str, Any], artifact: dict[str, Any], part: dict[str, Any]) -> Token | None:
    chunk = inner(part)
    if chunk is None:
        return _of_texts(body, artifact, [part])
    said = _core(chunk)
    if said is None:
        return None
    text, chunk, label = said
    in_data = "data" in part
    held = {**part, "data": chunk} if in_data else {**part, "text": {NESTED: chunk}}
    return Token(text, _with(body, artifact, held), label, "core", _key(body, artifact, part, chunk, in_data))


def _key(
    body: dict[str, Any], artifact: dict[str, Any], part: dict[str, Any], chunk: dict[str, Any], in_data: bool
) -> tuple[Any, ...] | None:
    """For the usual token: nothing but strings and numbers around its text."""
    if len(artifact) != 2 or len(part) != 1 or len(body) != 3 or len(chunk) > 3:
        return None
    payload = chunk["payload"]
    values = (body.get("taskId"), body.get("contextId"), *payload.values())
    if any(type(value) is not str for value in values):
        return None
    return in_data, tuple(body), tuple(chunk), chunk["type"], tuple(payload), values


def _of_texts(body: dict[str, Any], artifact: dict[str, Any], parts: list[dict[str, Any]]) -> Token | None:
    texts = [part.get("text") for part in parts]
    pieces = [text for text in texts if type(text) is str]
    bare = [{**part, "text": ""} for part in parts]
    if len(pieces) != len(texts) or any(one != bare[0] for one in bare):
        return None
    flags = {name: body.get(name) is True for name in ("append", "lastChunk")}
    rest = {name: value for name, value in body.items() if name not in flags}
    label = _remote(artifact, bare[0])
    is_output = label in OUTPUTS
    held = (
        _with(rest, artifact, bare[0]) if is_output else {**rest, "artifact": {**artifact, "parts": bare[:1]}}
    )
    name = artifact.get("artifactId")
    artifact_id = name if type(name) is str else ""
    way = "remote" if is_output else "artifact"
    text, append, last = "".join(pieces), flags["append"], flags["lastChunk"]
    return Token(text, held, label or "text", way, None, artifact_id, append, last)


def _remote(artifact: dict[str, Any], part: dict[str, Any]) -> str:
    """What is told of a remote agent, as a name; empty where nothing is."""
    metadata = part.get("metadata")
    if type(metadata) is dict and "_remote_invocation" in metadata:
        return "remote output"
    return public(artifact)


def public(artifact: dict[str, Any]) -> str:
    """`agentEvent output`: the name of what a G3 runtime says openly of a remote agent; else empty."""
    metadata = artifact.get("metadata")
    event = metadata.get("agentEvent") if type(metadata) is dict else None
    kind = event.get("type") if type(event) is dict else None
    return f"agentEvent {kind}" if type(kind) is str else ""


def _with(body: dict[str, Any], artifact: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """The body around one part; which of many artifacts it came in says nothing."""
    rest = {name: value for name, value in artifact.items() if name != "artifactId"}
    return {**body, "artifact": {**rest, "parts": [part]}}
