"""RPC302: the request's id comes back in every frame, digit for digit (a2a.md R02)."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from harness import jsontext
from harness.a2a.shapes import shown
from harness.rules.example import Example, rpc, status, task
from harness.rules.rule import Rule, place

if TYPE_CHECKING:
    from harness.model.event import Event

_GOOD = Example((task(), status("completed")))
_ID = re.compile(r'\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(-?[0-9][0-9.eE+-]*)\s*[,}]')


class Rpc302(Rule):
    code = "RPC302"
    slug = "id-echoed"
    title = "Every frame carries the request's id, of the same type and value"
    why = (
        "Clients match answers to requests by id; the JavaScript client throws at another one, and "
        'none can tell two streams of one connection apart. Echo the id as it came: 7 is not "7".'
    )
    source = "A2A 0.3 section 6.11.2; JSON-RPC 2.0 section 5"
    bindings = frozenset({"jsonrpc"})
    needs = frozenset({"raw", "request"})
    listens = ("*",)
    PASSES = (
        _GOOD,
        Example(
            (rpc(status("completed")["result"], 7.0),),
            "7.0 is 7",
            request={"jsonrpc": "2.0", "id": 7, "method": "SendStreamingMessage"},
        ),
    )
    FAILS = (
        Example((rpc(task()["result"], "other"), status("completed"))),
        Example(
            (rpc(task()["result"], "7"),),
            request={"jsonrpc": "2.0", "id": 7, "method": "SendStreamingMessage"},
        ),
        Example(({"jsonrpc": "2.0", "error": {"code": -32603, "message": "x"}},), "no id"),
    )

    def missing(self) -> str | None:
        return None if self.scope.asked.has_id else "the request carried no id"

    def event(self, event: Event) -> None:
        if not event.enveloped or not self.scope.asked.has_id:
            return
        wanted, json = self.scope.asked.rpc_id, event.json
        seen = json.get("id")
        if type(seen) is str and seen == wanted:
            return
        if seen is None and not _is_id(wanted):
            return
        if type(seen) is float:
            seen = _exact(event)
        if same(seen, wanted):
            return
        what = f"id {shown(seen)}" if "id" in json else "no id"
        self.found(
            f"the frame has {what}, the request {shown(wanted)}", place(event, "/id" if "id" in json else "")
        )


def _is_id(value: Any) -> bool:
    """Could a server read it as an id? JSON-RPC knows strings and numbers."""
    return isinstance(value, (str, int, float, Decimal)) and not isinstance(value, bool)


def same(seen: Any, wanted: Any) -> bool:
    """The same JSON type and the same exact value; never compares what is nested."""
    if isinstance(wanted, bool) or isinstance(seen, bool) or wanted is None:
        return seen is wanted
    if isinstance(wanted, str) or isinstance(seen, str):
        return type(seen) is type(wanted) and bool(seen == wanted)
    if isinstance(wanted, (int, float, Decimal)) and isinstance(seen, (int, float, Decimal)):
        return bool(seen == wanted)
    return False


def _exact(event: Event) -> Any:
    """The id with all its digits."""
    match = _ID.match(event.frame.data)
    if match is not None and float(match[1]) == event.json["id"]:
        return Decimal(match[1])
    whole = jsontext.read_exact(event.frame.data)
    return whole.get("id") if isinstance(whole, dict) else None
