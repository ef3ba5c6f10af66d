"""Events for the mapping's tests: a crude reader, sharing nothing with harness.a2a."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from harness.model.event import Event, Region
from harness.model.frame import Frame, Span
from harness.model.interaction import Sighting

STATUS = "/result/statusUpdate"
ARTIFACT = "/result/artifactUpdate"
HELD = STATUS + "/status/message/metadata/_interrupt"
TEXT_STATE = "input-required"


class Seen(NamedTuple):
    """What the tests compare of a sighting."""

    kind: str
    exposure: str
    call: str | None = None
    tool: str | None = None
    agent: str | None = None
    prompt: str | None = None


def seen(sighting: Sighting) -> Seen:
    """The compared part of one sighting."""
    return Seen(
        sighting.kind, sighting.exposure, sighting.tool_call_id or sighting.interrupt_id, sighting.tool_name,
        sighting.agent, sighting.prompt,
    )  # fmt: skip


def event(whole: Any, kind: Any, pointer: str, regions: tuple[Region, ...], **more: Any) -> Event:
    """An event around a whole frame."""
    body = whole
    for name in pointer.split("/")[1:]:
        body = body[name]
    frame = Frame(7, Span(100, 200), json.dumps(whole))
    return Event(
        frame, kind, whole, body, pointer, "v1.0", "jsonrpc", True, "t-1", "c-1", regions=regions, **more
    )


def status(interrupt: Any = None, text: str = "", state: Any = TEXT_STATE, metadata: Any = None) -> Event:
    """A statusUpdate; `interrupt` goes to `status.message.metadata._interrupt`."""
    metadata = {"_interrupt": interrupt} if metadata is None else metadata
    message: dict[str, Any] = {"role": "ROLE_AGENT", "parts": [{"text": text}], "metadata": metadata}
    whole = {
        "jsonrpc": "2.0",
        "id": "r",
        "result": {"statusUpdate": {"taskId": "t-1", "status": {"message": message}}},
    }
    region = Region("control", STATUS, whole["result"]["statusUpdate"])  # type: ignore[index]
    return event(
        whole, "status", STATUS, (region,), state=state, state_pointer=STATUS + "/status/state", text=text,
        text_pointer=STATUS + "/status/message" if text else "",
    )  # fmt: skip


def artifact(*parts: Any, metadata: Any = None) -> Event:
    """An artifactUpdate with these parts."""
    inner: dict[str, Any] = {"artifactId": "a-1", "parts": list(parts)}
    if metadata is not None:
        inner["metadata"] = metadata
    whole: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": "r",
        "result": {"artifactUpdate": {"taskId": "t-1", "artifact": inner}},
    }
    return event(
        whole, "artifact", ARTIFACT, (Region("content", ARTIFACT, whole["result"]["artifactUpdate"]),)
    )


def bare(chunk: Any, **more: Any) -> Event:
    """A bare core chunk: one content region, the whole frame."""
    frame = Frame(7, Span(100, 200), json.dumps(chunk))
    return Event(
        frame, "chunk", chunk, chunk, "", "openjiuwen-core", regions=(Region("content", "", chunk),), **more
    )


def snake(value: Any) -> Any:
    """The value with every member name in snake_case."""
    return _renamed(value, lambda name: re.sub(r"(?<=[a-z0-9])([A-Z])", lambda m: "_" + m[1].lower(), name))


def camel(value: Any) -> Any:
    """The value with every member name in camelCase; leading underscores stay."""
    return _renamed(value, lambda name: re.sub(r"(?<=[a-z0-9])_([a-z])", lambda m: m[1].upper(), name))


def _renamed(value: Any, rename: Any) -> Any:
    if isinstance(value, dict):
        return {rename(name): _renamed(held, rename) for name, held in value.items()}
    if isinstance(value, list):
        return [_renamed(held, rename) for held in value]
    return value
