"""SHP: the members of the objects in an event (a2a.md P03, P05 to P09, P11)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from harness.a2a.dialects import ONEOF_SNAKE, V1_STATES
from harness.a2a.members import CONTENT, DEFINED, REQUIRED, REQUIRED_V03_RPC, Piece, blank, camel, pieces
from harness.a2a.shapes import json_type, members, word
from harness.rules.example import Example, artifact, message, rpc, status, task, v03
from harness.rules.rule import Rule, place

if TYPE_CHECKING:
    from harness.model.event import Event

A2A = ("task", "message", "status", "artifact")
V1 = frozenset({"v1.0"})
V03 = frozenset({"v0.2", "v0.3"})
EVENTS = frozenset({"events"})
_STATUS = {"contextId": "c-1", "status": {"state": "TASK_STATE_WORKING"}}
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


def _patched(frame: Any, **members: Any) -> Any:
    """A statusUpdate frame with members of its body replaced."""
    (name,) = frame["result"]
    return rpc({name: {**frame["result"][name], **members}})


class Shaped(Rule):
    """A rule about the objects of v1.0 events."""

    versions = V1
    needs = EVENTS
    listens = A2A

    def event(self, event: Event) -> None:
        if event.dialect == "v1.0":
            for piece in pieces(self.scope.stream, event):
                if type(piece.value) is dict:
                    self.piece(event, piece)

    def piece(self, event: Event, piece: Piece) -> None:
        """Look at one object."""


class Shp403(Shaped):
    code = "SHP403"
    slug = "no-kind"
    title = "v1.0 members have no `kind`"
    why = (
        "1.0 names events and parts by their members; `kind` is a left-over of 0.3 that strict readers, "
        "the Java "
        "client among them, refuse. Leave it out."
    )
    source = "A2A 1.0 appendix A.2.1"
    severity = "warning"
    PASSES = (
        GOOD,
        Example((task(), artifact({"data": {"kind": "x"}, "metadata": {"kind": "y"}}), status("completed"))),
    )
    FAILS = (
        Example((task(), artifact({"kind": "text", "text": "x"}), status("completed"))),
        Example((task(), rpc({**status("completed")["result"], "kind": "status-update"}))),
    )

    def event(self, event: Event) -> None:
        super().event(event)
        where = event.pointer.rpartition("/")[0]
        holder = event.json if not event.enveloped else event.json.get("result")
        if event.dialect == "v1.0" and holder is not event.body and "kind" in members(holder):
            self.found("the result has a `kind`", place(event, where + "/kind"), cause="result")

    def piece(self, event: Event, piece: Piece) -> None:
        if "kind" in piece.value and not piece.echoed:
            self.found(
                f"a {piece.type} has a `kind`", place(event, piece.pointer + "/kind"), cause=piece.type
            )


class Shp405(Shaped):
    code = "SHP405"
    slug = "enum-spelling"
    title = "States and roles are spelled as v1.0 has them: TASK_STATE_..., ROLE_..."
    why = (
        "Clients map a spelling that they do not know to `unspecified` without an error: the end of a task "
        "passes "
        "unseen. Print the names of the v1.0 enums."
    )
    source = "A2A 1.0 section 5.5"
    PASSES = (GOOD,)
    FAILS = (
        Example((task(), _patched(status("completed"), status={"state": "completed"}))),
        Example((task(), _patched(status("completed"), status={"state": "TASK_STATE_CANCELLED"}))),
        Example((rpc({"message": message(role="agent")}),)),
    )

    def piece(self, event: Event, piece: Piece) -> None:
        if piece.type == "status":
            self._judge(event, piece, "state", V1_STATES)
        elif piece.type == "message" and not piece.echoed:
            role = piece.value.get("role")
            if type(role) is not str or not role.startswith("ROLE_"):
                self._judge(event, piece, "role", {})

    def _judge(self, event: Event, piece: Piece, name: str, known: dict[str, Any]) -> None:
        value = piece.value.get(name)
        if blank(value) or (type(value) is str and value in known):
            return
        shown = f"{value!r}"[:80] if type(value) in (str, int, float, bool) else json_type(value)
        self.found(
            f"the {name} {shown} is not of v1.0's enum", place(event, f"{piece.pointer}/{name}"), cause=shown,
            names=(shown,),
        )  # fmt: skip


class Shp406(Shaped):
    code = "SHP406"
    slug = "camel-case"
    title = "Members that the protocol defines are written in camelCase"
    why = (
        "JSON of protocol buffers is camelCase: `task_id` is an unknown member, and the task has no id for "
        "the "
        "client. Names inside metadata and data are free."
    )
    source = "A2A 1.0 section 5.5"
    PASSES = (
        GOOD,
        Example((task(), artifact({"data": {"task_id": 1}}, metadata={"task_id": 1}), status("completed"))),
    )
    FAILS = (
        Example((task(), rpc({"statusUpdate": {**_STATUS, "task_id": "t-1"}}), status("completed"))),
        Example((task(), rpc({"status_update": status("completed")["result"]["statusUpdate"]}))),
    )

    def event(self, event: Event) -> None:
        super().event(event)
        name = event.pointer.rpartition("/")[2]
        if event.dialect == "v1.0" and name in ONEOF_SNAKE:
            self.found(
                f"{name} is {camel(name)} in A2A", place(event, event.pointer), cause=name, names=(name,)
            )

    def piece(self, event: Event, piece: Piece) -> None:
        for name in piece.value:
            if "_" in name and camel(name) in DEFINED[piece.type] and not piece.echoed:
                where = place(event, f"{piece.pointer}/{name}")
                self.found(
                    f"{name} in a {piece.type} is {camel(name)} in A2A", where, cause=name, names=(name,)
                )


class Shp407(Rule):
    code = "SHP407"
    slug = "required-members"
    title = "Members that the protocol requires are there and not empty"
    why = (
        "Without its ids an event belongs to no task, without parts a message says nothing; clients fail "
        "late or "
        "drop it. An empty string, list or object counts as absent."
    )
    source = "a2a.proto REQUIRED; A2A 1.0 section 5.7; 0.3 types.ts"
    needs = EVENTS
    listens = A2A
    PASSES = (GOOD, GOOD_03, Example((rpc({"message": message(taskId="", extensions=[], metadata={})}),)))
    FAILS = (
        Example((task(), _patched(status("completed"), contextId=""))),
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
    PASSES = (GOOD, Example((task(), _patched(status("completed"), status={
        "state": "TASK_STATE_COMPLETED", "timestamp": "2026-11-30T13:14:25.320059608Z"})),))  # fmt: skip
    FAILS = tuple(
        Example(
            (
                task(),
                _patched(status("completed"), status={"state": "TASK_STATE_COMPLETED", "timestamp": stamp}),
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
            role = (
                str(piece.value["role"])[:40]
                if type(piece.value["role"]) is str
                else json_type(piece.value["role"])
            )
            self.found(f"the message's role is {role}", place(event, piece.pointer + "/role"), cause="role")
