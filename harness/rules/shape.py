"""SHP: what a frame says it is, and in which version (a2a.md P01, P02, P04).

The rules about the objects inside an event stand in `shape_members`, about names in `shape_names`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.a2a.dialects import KINDS, ONEOF, ONEOF_SNAKE
from harness.a2a.members import blank
from harness.a2a.shapes import json_type, members, shown
from harness.rules.example import Example, artifact, rpc, status, task, v03
from harness.rules.rule import Rule, place
from harness.rules.shape_members import A2A, EVENTS, GOOD, GOOD_03, OLD, V03, Shp407, Shp408, Shp409, Shp411
from harness.rules.shape_names import Shp403, Shp405, Shp406
from harness.rules.streams import no_stream

if TYPE_CHECKING:
    from harness.model.event import Event

_UPDATE = {"taskId": "t-1", "contextId": "c-1"}
_WORKING = v03("task", status={"state": "working"})
_ANSWERS = frozenset({"stream", "send", "subscribe", "get", "cancel", None})


class Shp401(Rule):
    code = "SHP401"
    slug = "one-event-member"
    title = "A stream's result has exactly one of task, message, statusUpdate and artifactUpdate"
    why = (
        "Protocol buffer clients refuse two members, the JavaScript client drops one silently, and a "
        "member that nobody "
        "knows is an event that nobody sees. Send one event a frame."
    )
    source = "A2A 1.0 sections 3.2.3, 4.3.3; a2a.proto StreamResponse"
    needs = EVENTS
    listens = (*A2A, "foreign")
    PASSES = (
        GOOD,
        Example((task(), rpc({"statusUpdate": status("completed")["result"]["statusUpdate"], "task": {}}))),
    )
    FAILS = (
        Example((rpc({**task()["result"], **artifact("x")["result"]}), status("completed"))),
        Example((rpc(task()["result"]["task"]), status("completed")), "a bare Task"),
        Example(
            (task(), rpc({"progressUpdate": {"percent": 5}}), status("completed")), "a member that is unknown"
        ),
    )

    def missing(self) -> str | None:
        return no_stream(self.scope)

    def event(self, event: Event) -> None:
        if event.dialect == "v0.3" and event.binding != "rest":
            return
        if event.kind == "foreign" and (not event.enveloped or "result" not in event.json):
            return
        if self.scope.dialect in V03 and self.scope.binding == "jsonrpc":
            return
        where = "/result" if event.enveloped else ""
        holder = event.json.get("result") if event.enveloped else event.json
        names = [name for name in members(holder) if not blank(holder[name])]
        known = [name for name in names if name in ONEOF or name in ONEOF_SNAKE]
        if len(known) > 1:
            self.found(
                f"the frame has {' and '.join(known)}", place(event, where), cause="two", names=tuple(known)
            )
        elif known and event.kind == "foreign":
            what = json_type(members(holder)[known[0]])
            self.found(f"{known[0]} is {what}, no object", place(event, where), cause="none")
        elif known or event.pointer.rpartition("/")[2] in ONEOF:
            self._unknown(event, where, [name for name in names if name not in known and name != "kind"])
        elif event.kind == "foreign" and type(holder) is dict:
            self._unknown(event, where, names or ["no member"])
        else:
            what = f"a bare {event.kind}" if type(holder) is dict else json_type(holder)
            self.found(f"the result is {what}, not named by a member", place(event, where), cause="none")

    def _unknown(self, event: Event, where: str, names: list[str]) -> None:
        if names:
            shown = tuple(name[:60] for name in names[:5])
            self.found(
                f"a result's member that A2A does not define: {', '.join(shown)}", place(event, where),
                cause=shown, severity="warning", names=shown,
            )  # fmt: skip


class Shp402(Rule):
    code = "SHP402"
    slug = "known-kind"
    title = "A v0.3 result has a `kind`: task, message, status-update or artifact-update"
    why = (
        "In 0.2 and 0.3 `kind` alone tells what a result is: without it clients drop the event or stop. "
        "Print the "
        "kind of every result."
    )
    source = "A2A 0.3 types.ts"
    versions = V03
    bindings = frozenset({"jsonrpc"})
    needs = EVENTS
    listens = (*A2A, "foreign")
    PASSES = (GOOD_03,)
    FAILS = (
        Example((_WORKING, rpc({**_UPDATE, "status": {"state": "completed"}, "final": True})), request=OLD),
        Example((_WORKING, v03("progress", percent=5)), request=OLD),
    )

    def event(self, event: Event) -> None:
        result = event.json.get("result") if event.enveloped else None
        if event.dialect == "v1.0" or type(result) is not dict or self.scope.asked.operation not in _ANSWERS:
            return
        kind = result.get("kind")
        if type(kind) is not str or kind not in KINDS:
            what = "no `kind`" if kind is None else f"the kind {shown(kind)}"
            self.found(f"the result has {what}", place(event, "/result"), cause=what)


class Shp404(Rule):
    code = "SHP404"
    slug = "one-dialect"
    title = "The dialect is the same throughout a stream, and the one that was asked for"
    why = (
        "A client of one version sees events of the other as empty, without an error. Answer in the "
        "version of the "
        "method and of A2A-Version, or refuse with -32009."
    )
    source = "A2A 1.0 section 3.6.2; tried: a v0.3 frame gives an empty event in both v1.0 clients"
    needs = EVENTS
    listens = A2A
    PASSES = (GOOD, GOOD_03)
    FAILS = (
        Example(
            (
                v03("task", status={"state": "submitted"}),
                v03("status-update", status={"state": "completed"}, final=True),
            )
        ),
        Example((task(), v03("status-update", status={"state": "completed"}, final=True)), request=None),
    )

    def event(self, event: Event) -> None:
        asked, first = self.scope.asked, self.scope.stream.first
        wanted = {
            dialect for dialect in (asked.dialect, _of_version(asked.version)) if dialect in ("v0.3", "v1.0")
        }
        if wanted and event.dialect not in wanted:
            self.found(
                f"{' or '.join(sorted(wanted))} was asked for, this event is {event.dialect}",
                place(event),
                cause="asked",
            )
        elif first is not None and event.enveloped and first.dialect != event.dialect:
            self.found(
                f"the stream began in {first.dialect}, this event is {event.dialect}",
                place(event),
                cause="mixed",
            )


def _of_version(version: str | None) -> str | None:
    return {"1.": "v1.0", "0.": "v0.3"}.get((version or "")[:2])


RULES: tuple[type[Rule], ...] = (
    Shp401, Shp402, Shp403, Shp404, Shp405, Shp406, Shp407, Shp408, Shp409, Shp411,
)  # fmt: skip
