"""SHP: what the objects in an event must hold (a2a.md P07, P08, P09, P11)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from harness.a2a.members import CONTENT, REQUIRED, REQUIRED_V03_RPC, Piece, blank, pieces
from harness.a2a.shapes import json_type, members, shown, word
from harness.rules.example import Example, artifact, message, rpc, status, task, v03
from harness.rules.rule import Rule, place

if TYPE_CHECKING:
    from harness.model.event import Event

A2A = ("task", "message", "status", "artifact")
V1 = frozenset({"v1.0"})
V03 = frozenset({"v0.2", "v0.3"})
EVENTS = frozenset({"events"})
OLD = {"jsonrpc": "2.0", "id": "r-1", "method": "message/stream", "params": {}}
GOOD = Example((task(), status("working"), artifact("hello"), status("completed")))
GOOD_03 = Example(
    (
        v03("task", status={"state": "submitted"}),
        v03("artifact-update", artifact={"artifactId": "a", "parts": [{"kind": "text", "text": "x"}]}),
        v03("status-update", status={"state": "completed"}, final=True),
    ),
    request=OLD,
    request_headers=(),
)


def patched(frame: Any, **members: Any) -> Any:
    """A statusUpdate frame with members of its body replaced."""
    (name,) = frame["result"]
    return rpc({name: {**frame["result"][name], **members}})


class Shaped(Rule):
    """A rule about the objects of v1.0 events."""

    versions = V1
    needs = EVENTS
    listens: ClassVar[tuple[str, ...]] = A2A

    def event(self, event: Event) -> None:
        if event.dialect == "v1.0":
            for piece in pieces(self.scope.stream, event):
                if type(piece.value) is dict:
                    self.piece(event, piece)

    def piece(self, event: Event, piece: Piece) -> None:
        """Look at one object."""


class Shp407(Rule):
    code = "SHP407"
    slug = "required-members"
    title = "Members that the protocol requires are there and not empty"
    why = (
        "Without its ids an event belongs to no task, without parts a message says nothing; clients fail "
        "late or "
        "drop it. An empty string, list or object counts as absent."
    )
    source = (
        "a2a.proto REQUIRED; A2A 1.0 section 5.7; 0.3 types.ts; in 0.2 `final` is optional, hence an info"
    )
    needs = EVENTS
    listens = A2A
    PASSES = (GOOD, GOOD_03, Example((rpc({"message": message(taskId="", extensions=[], metadata={})}),)))
    FAILS = (
        Example((task(), patched(status("completed"), contextId=""))),
        Example((rpc({"message": {**message(), "parts": []}}),)),
        Example(
            (v03("task", status={"state": "working"}), v03("status-update", status={"state": "completed"})),
            request=OLD,
        ),
    )

    def event(self, event: Event) -> None:
        old = event.dialect != "v1.0"
        table = REQUIRED_V03_RPC if old and event.binding != "rest" else REQUIRED
        for piece in pieces(self.scope.stream, event):
            if piece.echoed:
                continue
            value = members(piece.value)
            for name in table[piece.type]:
                if name not in value or (blank(value[name]) and name != "final"):
                    self._lacking(event, piece, name, value)

    def _lacking(self, event: Event, piece: Piece, name: str, value: dict[str, Any]) -> None:
        if name == "final" and self.scope.capture.rebuilt:
            return
        if name == "parts" and event.dialect == "v0.3" and event.binding == "rest" and value.get("content"):
            return
        snake = re.sub("([A-Z])", r"_\1", name).lower()
        if snake != name and value.get(snake):
            return
        what = "is empty" if name in value else "is absent"
        self.found(
            f"{piece.type}.{name} {what}",
            place(event, piece.pointer),
            cause=(piece.type, name),
            names=(name,),
            severity="info" if name == "final" else None,
        )


class Shp408(Shaped):
    code = "SHP408"
    slug = "one-part-content"
    title = "Each Part has exactly one of text, raw, url and data"
    why = (
        "A part with none shows nothing, one with two shows what the client happens to look for first. Split "
        "it into two parts. An empty text is a text."
    )
    source = "a2a.proto Part; semantics section 4"
    PASSES = (
        GOOD,
        Example(
            (
                task(),
                artifact({"text": ""}, {"data": {}}, {"data": False}, {"text": "x", "url": ""}),
                status("completed"),
            )
        ),
    )
    FAILS = (
        Example((task(), artifact({"text": "x", "data": {"y": 1}}), status("completed"))),
        Example((task(), artifact({"metadata": {"x": 1}}), status("completed"))),
    )

    def event(self, event: Event) -> None:
        if event.dialect != "v1.0":
            return
        for piece in pieces(self.scope.stream, event):
            if piece.type == "part" and not piece.echoed:
                held = _content(members(piece.value))
                if len(held) != 1:
                    what = " and ".join(held) if held else "none of text, raw, url and data"
                    self.found(
                        f"the part has {what}",
                        place(event, piece.pointer),
                        cause=len(held),
                        names=tuple(held),
                    )


def _content(part: dict[str, Any]) -> list[str]:
    held = [name for name in CONTENT if name in part and (part[name] is not None or name == "data")]
    full = [name for name in held if not blank(part[name])]
    return full or held


_STAMP = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?Z",
    re.ASCII,
)


class Shp409(Shaped):
    code = "SHP409"
    slug = "utc-timestamps"
    title = "Timestamps are ISO 8601 in UTC, with Z"
    why = (
        "Readers of protocol buffer JSON refuse other forms, and local times can not be ordered. Print UTC "
        "with a Z; "
        "up to nine digits of a second are right."
    )
    source = "A2A 1.0 section 5.6.1"
    listens = ("task", "status")
    PASSES = (GOOD, Example((task(), patched(status("completed"), status={
        "state": "TASK_STATE_COMPLETED", "timestamp": "2026-11-30T13:14:25.320059608Z"})),))  # fmt: skip
    FAILS = tuple(
        Example(
            (
                task(),
                patched(status("completed"), status={"state": "TASK_STATE_COMPLETED", "timestamp": stamp}),
            )
        )
        for stamp in ("2026-08-11T09:30:01.137+08:00", "2026-08-11T09:30:01", 1796037769)
    )

    def piece(self, event: Event, piece: Piece) -> None:
        stamp = piece.value.get("timestamp") if piece.type == "status" else None
        if blank(stamp) or (type(stamp) is str and _STAMP.fullmatch(stamp)):
            return
        shown = stamp[:60] if type(stamp) is str else json_type(stamp)
        self.found(f"the timestamp {shown} is not UTC with Z", place(event, piece.pointer + "/timestamp"))


class Shp411(Shaped):
    code = "SHP411"
    slug = "agent-message"
    title = "A message of the server has a contextId, and its role is the agent"
    why = (
        "Without a contextId the client can not put the message into its conversation; with the user's "
        "role it "
        "shows the answer as a question. Fill in both."
    )
    source = "a2a.proto Message"
    severity = "warning"
    listens = ("task", "message", "status")
    PASSES = (GOOD, Example((rpc({"message": message()}),)))
    FAILS = (
        Example((rpc({"message": message(contextId="")}),)),
        Example((rpc({"message": message(role="ROLE_USER")}),)),
    )

    def piece(self, event: Event, piece: Piece) -> None:
        if piece.type != "message" or "/history/" in piece.pointer:
            return
        if word(piece.value, "contextId") is None and word(piece.value, "context_id") is None:
            self.found("the message has no contextId", place(event, piece.pointer), cause="contextId")
        if piece.value.get("role") not in ("ROLE_AGENT", "agent", None, ""):
            self.found(
                f"the message's role is {shown(piece.value['role'])}",
                place(event, piece.pointer + "/role"),
                cause="role",
            )
