"""SHP: names and spellings of v1.0 (a2a.md P03, P05, P06)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.a2a.dialects import ONEOF_SNAKE, V1_STATES
from harness.a2a.members import DEFINED, Piece, blank, camel
from harness.a2a.shapes import members, shown
from harness.rules.example import Example, artifact, message, rpc, status, task
from harness.rules.rule import place
from harness.rules.shape_members import GOOD, Shaped, patched

if TYPE_CHECKING:
    from harness.model.event import Event

_STATUS = {"contextId": "c-1", "status": {"state": "TASK_STATE_WORKING"}}


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
    listens = ("task", "message", "status")
    PASSES = (GOOD,)
    FAILS = (
        Example((task(), patched(status("completed"), status={"state": "completed"}))),
        Example((task(), patched(status("completed"), status={"state": "TASK_STATE_CANCELLED"}))),
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
        seen = shown(value)
        self.found(
            f"the {name} {seen} is not of v1.0's enum", place(event, f"{piece.pointer}/{name}"), cause=seen,
            names=(seen,),
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
