"""Streams made up by hypothesis: token chunks as servers print them, with all that may stand between.

Shares no code with the decoders: frames are put together as text, byte by byte.
"""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import strategies as st

TASK, CONTEXT, RPC_ID = "t-1", "c-1", "r-1"
WORDS = st.sampled_from(
    [
        "the ",
        "answer",
        " 价格",
        "\n",
        "{",
        "error",
        "\U0001f600",
        '"',
        "\\",
        "a2a_delegate",
        " ",
        "tool_",
        "é",
    ]
)
TEXTS = st.lists(WORDS, max_size=5).map("".join)
STATES = st.sampled_from(
    ["SUBMITTED", "WORKING", "INPUT_REQUIRED", "COMPLETED", "FAILED", "AUTH_REQUIRED", "ODD"]
)


def call(number: int, kind: str, tool: str = "search-agent") -> dict[str, Any]:
    """An interrupt as the cores print it."""
    name = f"call_0{number}"
    value = {"toolCallId": name, "toolName": tool, "message": "m", "context": {"_interrupt_kind": kind}}
    return {"type": "__interaction__", "index": number, "payload": {"id": name, "value": value}}


def mirror(number: int) -> dict[str, Any]:
    """The content mirror of the task loop."""
    payload = {"type": "task_interaction", "data": [{"data": call(number, "a2a_delegate")}]}
    return {"type": "controller_output", "index": number, "payload": payload}


def token(text: str) -> dict[str, Any]:
    """A token chunk."""
    return {"type": "llm_output", "index": 1, "payload": {"content": text, "result_type": "answer"}}


CALLS = st.builds(call, st.integers(0, 3), st.sampled_from(["a2a_delegate", "ask_user", "odd"]))
DATA = st.one_of(
    TEXTS.map(token),
    TEXTS.map(token),
    st.integers(0, 3).map(mirror),
    CALLS,
    st.just({"runtime.remoteBatchId": "b"}),
    st.just({"type": "answer", "index": 0, "payload": {"result_type": "error", "output": "x"}}),
    st.just({"a": {"b": [1.5, None, True, "versatile-delegate-1"]}}),
)
PARTS = st.one_of(
    DATA.map(lambda data: {"data": data}),
    DATA.map(lambda data: {"text": json.dumps(data)}),
    DATA.map(lambda data: {"text": json.dumps(json.dumps(data))}),
    TEXTS.map(lambda text: {"text": text}),
    st.just({"text": "{payload=InteractionOutput{id='x'}, type=__interaction__}"}),
    st.just({"text": "a", "data": 1}),
    st.just({}),
)


@st.composite
def artifacts(draw: st.DrawFn) -> dict[str, Any]:
    """An artifactUpdate, mostly a plain one."""
    name = (
        draw(st.sampled_from(["a-1", "a-2"]))
        if draw(st.integers(0, 3)) == 0
        else f"u-{draw(st.integers(0, 10**9))}"
    )
    update: dict[str, Any] = {
        "taskId": draw(st.sampled_from([TASK] * 9 + ["other", ""])),
        "artifact": {"artifactId": name, "parts": draw(st.lists(PARTS, min_size=1, max_size=2))},
        "contextId": draw(st.sampled_from([CONTEXT] * 9 + ["other"])),
    }
    for extra in ("append", "lastChunk"):
        if draw(st.integers(0, 5)) == 0:
            update[extra] = draw(st.booleans())
    if draw(st.integers(0, 9)) == 0:
        update["artifact"]["metadata"] = draw(
            st.sampled_from([{}, {"agentEvent": {"type": "output"}}, {"k": 1}])
        )
    return {"artifactUpdate": update}


@st.composite
def statuses(draw: st.DrawFn) -> dict[str, Any]:
    """A statusUpdate, with or without an interrupt."""
    status: dict[str, Any] = {"state": f"TASK_STATE_{draw(STATES)}", "timestamp": "2026-11-30T11:20:12.031Z"}
    if draw(st.booleans()):
        message: dict[str, Any] = {
            "role": "ROLE_AGENT", "parts": [{"text": "q"}], "messageId": "m", "contextId": CONTEXT, "taskId": TASK
        }  # fmt: skip
        held = draw(st.one_of(st.none(), CALLS, st.just({"message": "q", "items": [
            {"toolCallId": "call_00", "toolName": "search-agent", "message": "q"}]})))  # fmt: skip
        if held is not None:
            message["metadata"] = {"_interrupt": held}
        status["message"] = message
    return {"statusUpdate": {"taskId": TASK, "status": status, "contextId": CONTEXT}}


RESULTS = st.one_of(artifacts(), artifacts(), artifacts(), artifacts(), statuses())
FRAMES = st.one_of(
    RESULTS.map(lambda result: {"jsonrpc": "2.0", "id": RPC_ID, "result": result}),
    RESULTS.map(lambda result: {"jsonrpc": "2.0", "id": RPC_ID, "result": result}),
    RESULTS.map(lambda result: {"result": result, "id": RPC_ID, "jsonrpc": "2.0"}),
    st.sampled_from([
        {"jsonrpc": "2.0", "id": 7, "result": {}},
        {"jsonrpc": "2.0", "id": RPC_ID, "error": {"code": -32603, "message": "boom"}},
        {"jsonrpc": "2.0", "id": RPC_ID, "result": {"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "x"}]}}},
    ]),
)  # fmt: skip


@st.composite
def runs(draw: st.DrawFn) -> list[dict[str, Any]]:
    """One frame of any kind, or several token chunks in a row."""
    if draw(st.booleans()):
        return [draw(FRAMES)]
    first = draw(st.integers(0, 10**9))
    grows = draw(st.sampled_from(["", "", "a-1", "a-2"]))
    frames = []
    for number, text in enumerate(draw(st.lists(TEXTS, min_size=1, max_size=12))):
        artifact = {"artifactId": f"p-{first + number}", "parts": [{"data": token(text)}]}
        if grows:
            artifact = {"artifactId": grows, "name": "answer", "parts": [{"text": text}]}
        update: dict[str, Any] = {"taskId": TASK, "artifact": artifact, "contextId": CONTEXT}
        if grows and number:
            update["append"] = True
        frames.append({"jsonrpc": "2.0", "id": RPC_ID, "result": {"artifactUpdate": update}})
    return frames


def escaped(text: str, pick: random.Random) -> str:
    """Any letter or underscore of a JSON text's strings may be printed as an escape."""
    out, inside, skip = [], False, False
    for sign in text:
        if skip:
            skip = False
        elif sign == "\\":
            skip = True
        elif sign == '"':
            inside = not inside
        elif inside and (sign.isalpha() or sign == "_") and pick.random() < 0.03:
            sign = "".join(f"\\u{ord(half):04x}" for half in _utf16(sign))
        out.append(sign)
    return "".join(out)


def _utf16(sign: str) -> list[str]:
    raw = sign.encode("utf-16-be")
    return [chr(int.from_bytes(raw[at : at + 2])) for at in range(0, len(raw), 2)]


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """A body: an opening, frames, now and then something odd, and maybe damage."""
    prefix = draw(st.sampled_from(["event:jsonrpc\ndata:", "data: ", "data:", "event: x\ndata: "]))
    pick = random.Random(draw(st.integers(0, 1 << 30)))
    spaced = draw(st.booleans())
    opening = [
        {"jsonrpc": "2.0", "id": RPC_ID, "result": {"statusUpdate": {
            "taskId": TASK, "status": {"state": f"TASK_STATE_{state}"}, "contextId": CONTEXT}}}
        for state in ("SUBMITTED", "WORKING")
    ]  # fmt: skip
    out = ""
    oddness = draw(st.sampled_from([0, 0, 0, 1]))
    frames = [frame for run in draw(st.lists(runs(), max_size=10)) for frame in run]
    for frame in (*opening, *frames):
        text = json.dumps(frame, ensure_ascii=pick.random() < 0.1, separators=None if spaced else (",", ":"))
        if pick.random() < 0.1:
            text = escaped(text, pick)
        odd = pick.random() if oddness else 1.0
        if odd < 0.02:
            text = text[: pick.randrange(len(text))]
        elif odd < 0.03:
            text = "[DONE]"
        elif odd < 0.05:
            out += ": ping\n\n"
        elif odd < 0.07:
            text += "\nid: 5"
        out += f"{prefix}{text}\n\n"
    data = out.encode("utf-8", "surrogatepass")
    if draw(st.booleans()):
        data = data.replace(b"\n", b"\r\n")
    damage = draw(st.integers(0, 12))
    if damage == 0 and data:
        at = pick.randrange(len(data))
        data = data[:at] + bytes([pick.randrange(256)]) + data[at + 1 :]
    elif damage == 1:
        data = data[: pick.randrange(len(data))]
    return data
