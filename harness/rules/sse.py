"""SSE: what stands in the events of a stream (a2a.md S01 to S05)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from harness.a2a.reader import Reader
from harness.jsontext import TOO_DEEP
from harness.model.frame import Frame
from harness.model.interaction import Place
from harness.rules.example import Example, rpc_error, status, task
from harness.rules.rule import Rule, place
from harness.rules.streams import OURS

if TYPE_CHECKING:
    from harness.model.event import Event
    from harness.model.frame import Rest

_MARKERS = ("__interaction__", "_interrupt", "a2a_delegate", "[DONE]")
_STATE = re.compile(r'"state"\s*:\s*"([A-Za-z_-]{1,40})"')
_GOOD = Example((task(), status("completed")))
_LAST = json.dumps(status("completed"))


class Sse201(Rule):
    code = "SSE201"
    slug = "event-is-json"
    title = "The data of every event that is no error is one complete JSON value"
    why = (
        "Official clients stop with an error at the first event they can not parse; all that follows it is "
        "lost. Write each "
        "event's JSON whole into one event, without line ends inside it."
    )
    source = "A2A 0.3 section 3.3.1; 1.0 section 9.4.2"
    needs = frozenset({"sse"})
    listens = ("malformed",)
    PASSES = (_GOOD, Example((task(), "event: error\ndata: upstream failed\n\n")))
    FAILS = (Example((task(), 'data: {"jsonrpc":\n\n', status("completed"))),)

    def event(self, event: Event) -> None:
        if event.frame.flaw is None and not event.reason.startswith(TOO_DEEP):
            shown = event.frame.data[:200]
            self.found(f"the data is no JSON value: {event.reason}", place(event), snippet=shown)


class Sse202(Rule):
    code = "SSE202"
    slug = "no-sentinel"
    title = "No end mark such as [DONE]: A2A has none"
    why = (
        "Both official clients throw at `[DONE]`, even after COMPLETED. The end of an A2A stream is a "
        "terminal state and the "
        "end of the body; leave the mark out."
    )
    source = "WHATWG HTML 9.2.6; tried with a2a-sdk 1.3.0 and @a2a-js/sdk 1.3.0"
    severity = "warning"
    needs = frozenset({"sse"})
    listens = ("sentinel",)
    PASSES = (_GOOD,)
    FAILS = (Example((task(), status("completed"), "data: [DONE]\n\n")),)

    def event(self, event: Event) -> None:
        self.found(f"the stream holds the mark {event.reason}", place(event), names=(event.reason,))


class Sse203(Rule):
    code = "SSE203"
    slug = "last-event-terminated"
    title = "The last event is closed by a blank line before the body ends"
    why = (
        "WHATWG discards an event without its blank line, and clients differ: some lose it silently, a "
        "COMPLETED "
        "included. End every event with an empty line."
    )
    source = "WHATWG HTML 9.2.6; tried with a2a-sdk 1.3.0, @a2a-js/sdk 1.3.0, a2a-java 1.0.0"
    severity = "warning"
    needs = frozenset({"sse"})
    PASSES = (_GOOD, Example((task(), f"data: {_LAST}"), "our side left", ending="client_left"))
    FAILS = (Example((task(), f"data: {_LAST}\n")), Example((task(), f"data: {_LAST}"), "no line end either"))

    def end(self) -> None:
        rest = self.scope.rest
        if rest is None or rest.tail is None or self.scope.capture.ending in OURS:
            return
        held = self._held(rest)
        names = tuple(held)
        seen = (
            "the JavaScript and the Java client deliver it, the Python client and WHATWG readers lose it"
            if rest.newline
            else "the Java client delivers it; the Python, the JavaScript client and WHATWG readers lose it"
        )
        self.found(
            f"the body ends inside an event that holds {', '.join(held) or 'no known mark'}; {seen}",
            Place(None, None, rest.span), names=names, snippet=rest.tail[:200],
        )  # fmt: skip

    def _held(self, rest: Rest) -> list[str]:
        """The state and the marks in the tail, also where its JSON is cut."""
        text = rest.tail or ""
        event = Reader(self.scope.capture, self.scope.asked).read(Frame(0, rest.span, text))
        match = _STATE.search(text)
        held = [f"state {event.state}"] if event.state else [f"state {match[1]}"] if match else []
        return held + [mark for mark in _MARKERS if mark in text]


class Sse204(Rule):
    code = "SSE204"
    slug = "valid-utf-8"
    title = "The stream is valid UTF-8"
    why = (
        "SSE is UTF-8 and nothing else: other bytes become U+FFFD and the text is lost for good. Encode "
        "text once, as UTF-8, "
        "and never cut a character."
    )
    source = "WHATWG HTML 9.2.6"
    needs = frozenset({"sse"})
    listens = ("*",)
    PASSES = (_GOOD, Example((task(), status("completed", "\ufffd is a character too"))))
    FAILS = (Example((task(), 'data: {"x": "\udcff"}\n\n', status("completed")), "a byte ff"),)

    seen = False

    def event(self, event: Event) -> None:
        self.seen = True
        if event.frame.replaced:
            shown = event.frame.data[:200]
            self.found("bytes that are no UTF-8 were replaced by U+FFFD", place(event), snippet=shown)

    def missing(self) -> str | None:
        rest = self.scope.rest
        junk = not self.seen and rest is not None and (rest.unknown or rest.flaw)
        return "the body could not be read as SSE" if junk else None

    def end(self) -> None:
        rest = self.scope.rest
        if rest is not None and rest.replaced:
            self.found("bytes that are no UTF-8 at the end of the body", Place(None, None, rest.span))


class Sse205(Rule):
    code = "SSE205"
    slug = "event-name"
    title = "The event name is absent, `message`, or `error` with an error in it"
    why = (
        "A browser's EventSource gives only unnamed and `message` events to `onmessage`: events of other "
        "names are "
        "not seen there. The official clients do not look at names."
    )
    source = "WHATWG HTML 9.2.6; recorded: `error` of the v1 SDKs, `jsonrpc` of the openJiuwen runtime"
    severity = "info"
    needs = frozenset({"sse"})
    listens = ("*",)
    PASSES = (_GOOD, Example((task(), f"event: error\ndata: {json.dumps(rpc_error())}\n\n")))
    FAILS = (
        Example((f"event:jsonrpc\ndata:{json.dumps(task())}\n\n", status("completed"))),
        Example((task(), f"event: error\ndata: {_LAST}\n\n"), "an error that is none"),
    )

    def event(self, event: Event) -> None:
        name = event.frame.name
        if not name or name == "message" or (name == "error" and event.kind == "error"):
            return
        shown = name[:60]
        what = "no error" if name == "error" else f"an event of kind {event.kind}"
        self.found(
            f"the event is named {shown!r} and holds {what}", place(event), cause=shown, names=(shown,)
        )

    def passed(self, name: str, frames: int) -> None:
        if name and name != "message":
            self.again(name[:60], frames)


RULES: tuple[type[Rule], ...] = (Sse201, Sse202, Sse203, Sse204, Sse205)
