"""NEG: versions, subscriptions, authorisation, and whether the stream really streams (a2a.md N01 to N06)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from harness.a2a.members import blank
from harness.a2a.shapes import members, word
from harness.model.event import TERMINAL
from harness.model.interaction import Place
from harness.rules.declared import Neg903
from harness.rules.example import Example, artifact, rpc, rpc_error, status, task
from harness.rules.rule import Rule, place
from harness.rules.streams import header, is_success, media, no_stream

if TYPE_CHECKING:
    from harness.model.event import Event

_V1 = frozenset({"v1.0"})
_GOOD = Example((task(), status("working"), artifact("hello"), status("completed")))
_SUBSCRIBE = {"jsonrpc": "2.0", "id": "r-1", "method": "SubscribeToTask", "params": {"id": "t-1"}}
_NO_VERSION = (("content-type", "application/json"),)
_JSON = (("content-type", "application/json"),)
_OWN = frozenset({"content-type"})


class Neg901(Rule):
    code = "NEG901"
    slug = "no-subscription-to-ended"
    title = "Subscribing to a task that has ended is refused with -32004, to an unknown one with -32001"
    why = (
        "A stream that opens with a finished task tells a client to wait for what never comes. Refuse it; "
        "the client asks "
        "GetTask for the result."
    )
    source = "A2A 1.0 section 3.1.6"
    severity = {"v1.0": "error", "v0.3": "warning", "v0.2": "warning"}  # noqa: RUF012
    listens = ("task",)
    PASSES = (
        Example((rpc_error(-32004, "ended"),), request=_SUBSCRIBE, headers=_JSON, framing="document"),
        Example((task("working"), status("completed")), request=_SUBSCRIBE),
    )
    FAILS = (Example((task("completed"),), request=_SUBSCRIBE),)

    def missing(self) -> str | None:
        known = self.scope.asked.operation is not None
        return None if known else "whether the request is a subscription is not known"

    def event(self, event: Event) -> None:
        if (
            self.scope.asked.operation == "subscribe"
            and self.scope.stream.first is None
            and event.state in TERMINAL
        ):
            self.found(
                f"the subscription is answered with a task that is {event.state}, not with -32004",
                place(event, event.state_pointer),
            )


class Neg902(Rule):
    code = "NEG902"
    slug = "version-header"
    title = "A v1.0 request carries A2A-Version; without it the answer is v0.3 or -32009"
    why = (
        "An absent A2A-Version means 0.3: a server may refuse the call or answer in a form that the client "
        "can "
        "not read. Send `A2A-Version: 1.0`."
    )
    source = "A2A 1.0 section 3.6"
    versions = _V1
    needs = frozenset({"raw", "request"})
    PASSES = (
        _GOOD,
        Example((task(), status("completed")), target="/?A2A-Version=1.0", request_headers=_NO_VERSION),
    )
    FAILS = (
        Example((task(), status("completed")), "neither header nor parameter", request_headers=_NO_VERSION),
        Example(
            (rpc_error(-32009, "0.3?"),),
            "refused rightly",
            request_headers=_NO_VERSION,
            headers=_JSON,
            framing="document",
        ),
    )

    def missing(self) -> str | None:
        return None if self.scope.asked.has_headers else "the request's headers are not known"

    def end(self) -> None:
        asked, stream = self.scope.asked, self.scope.stream
        if asked.version is not None or asked.dialect != "v1.0":
            return
        first = stream.first or stream.error
        where = place(first, first.pointer) if first else Place(None, None, None)
        how = "refused the call" if stream.first is None else f"answered in {stream.dialect}"
        self.found(f"the request carries no A2A-Version; the server {how}", where)


class Neg904(Rule):
    code = "NEG904"
    slug = "auth-says-what"
    title = "AUTH_REQUIRED carries a status message"
    why = "The user must learn what to authorise and where. Put it into the message of the status."
    source = "A2A 1.0 section 7.6.1"
    severity = "warning"
    versions = _V1
    needs = frozenset({"events"})
    listens = ("status", "task")
    PASSES = (Example((task(), status("auth-required", "Sign in at ..."))),)
    FAILS = (Example((task(), status("auth-required"))),)

    def event(self, event: Event) -> None:
        if event.state == "auth-required" and blank(members(event.body.get("status")).get("message")):
            self.found("AUTH_REQUIRED says nothing", place(event, event.state_pointer))


class Neg905(Rule):
    code = "NEG905"
    slug = "anti-buffering-headers"
    title = "A stream's headers forbid caching and buffering on the way"
    why = (
        "Proxies hold a stream back that does not say otherwise. Send `Cache-Control: no-cache` (or "
        "no-store) and "
        "`X-Accel-Buffering: no`."
    )
    source = "headers of the official Python and JavaScript servers (recorded)"
    severity = "info"
    needs = frozenset({"raw", "http"})
    PASSES = (_GOOD,)
    FAILS = (Example(_GOOD.frames, headers=(("content-type", "text/event-stream"), ("date", "today"))),)

    def missing(self) -> str | None:
        capture = self.scope.capture
        if not capture.head or {name for name, _ in capture.head.headers} <= _OWN:
            return "the response's headers are not known"
        if not is_success(capture) or media(capture) != "text/event-stream":
            return "the answer is no SSE body"
        return None

    def end(self) -> None:
        capture = self.scope.capture
        cache = (header(capture, "cache-control") or "").lower()
        absent = []
        if "no-cache" not in cache and "no-store" not in cache:
            absent.append("Cache-Control: no-cache")
        if (header(capture, "x-accel-buffering") or "").strip().lower() != "no":
            absent.append("X-Accel-Buffering: no")
        if absent:
            self.found(
                f"the response lacks {' and '.join(absent)}", Place(None, None, None), names=tuple(absent)
            )


def _at(state: str, stamp: str) -> object:
    return rpc(
        {
            "statusUpdate": {
                "taskId": "t-1",
                "contextId": "c-1",
                "status": {"state": state, "timestamp": stamp},
            }
        }
    )


class Neg906(Rule):
    code = "NEG906"
    slug = "really-streamed"
    title = "Events arrive while they are made, not all at once at the end"
    why = (
        "The agent worked for seconds and everything came in one burst: something buffers, the user waits "
        "before an empty "
        "screen. Look for a proxy, compression or a server that collects the stream."
    )
    source = "A2A 1.0 section 3.1.2"
    severity = "warning"
    needs = frozenset({"events", "raw", "timing"})
    listens = ("task", "status")
    _SLOW = (
        _at("TASK_STATE_WORKING", "2026-11-30T11:20:12.000Z"), artifact("hello"),
        _at("TASK_STATE_COMPLETED", "2026-11-30T11:20:22.000Z"),
    )  # fmt: skip
    PASSES = (Example(_SLOW, at_ms=(0, 5_000, 10_000, 10_001)),)
    FAILS = (Example(_SLOW, at_ms=(10_000, 10_000, 10_001, 10_002)),)

    first: tuple[float, Event] | None = None
    last: tuple[float, Event] | None = None

    def event(self, event: Event) -> None:
        made = _seconds(word(members(event.body.get("status")), "timestamp"))
        if made is not None:
            self.first = self.first or (made, event)
            self.last = (made, event)

    def missing(self) -> str | None:
        if self.scope.times is None:
            return "the times of the chunks are not known"
        if self.first is None or self.last is None or self.last[0] - self.first[0] < 1:
            return "the events' own timestamps lie less than a second apart"
        return no_stream(self.scope)

    def end(self) -> None:
        times = self.scope.times
        if times is None or self.first is None or self.last is None:
            return
        came = [times.of(event.frame.span.end) for _, event in (self.first, self.last)]
        if came[0] is None or came[1] is None:
            return
        made, took = self.last[0] - self.first[0], (came[1] - came[0]) / 1e9
        if took < made / 10:
            self.found(
                f"made within {made:.1f} s, arrived within {took:.3f} s",
                place(self.last[1], self.last[1].pointer),
            )


def _seconds(stamp: str | None) -> float | None:
    try:
        return datetime.fromisoformat(stamp).timestamp() if stamp else None
    except (ValueError, OverflowError, OSError):
        return None


RULES: tuple[type[Rule], ...] = (Neg901, Neg902, Neg903, Neg904, Neg905, Neg906)
