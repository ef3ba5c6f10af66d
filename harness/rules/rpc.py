"""RPC: the JSON-RPC envelope of each frame (a2a.md R01 to R06)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.a2a.dialects import A2A_RESERVED, JSONRPC_CODES, known_codes
from harness.a2a.shapes import integer, shown
from harness.a2a.stream import A2A_KINDS
from harness.rules.example import Example, rpc, rpc_error, status, task, v03
from harness.rules.rpc_id import Rpc302
from harness.rules.rule import Rule, place

if TYPE_CHECKING:
    from harness.model.event import Event

_GOOD = Example((task(), status("completed")))
_INFO = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "X", "domain": "a2a-protocol.org"}
_VERSION_REFUSED = -32009


class Rpc301(Rule):
    code = "RPC301"
    slug = "jsonrpc-2.0"
    title = 'Every frame of a JSON-RPC stream is an envelope with `"jsonrpc":"2.0"`'
    why = (
        "The JavaScript and the Java client reject a frame without it; the stream ends there for them. Print "
        "the whole envelope for every event, errors included."
    )
    source = "A2A 0.3 section 6.11.2; 1.0 section 9.3"
    bindings = frozenset({"jsonrpc"})
    listens = ("*",)
    PASSES = (_GOOD,)
    FAILS = (
        Example(({**task(), "jsonrpc": "1.0"}, status("completed"))),
        Example((task(), {"id": "r-1", "result": status("completed")["result"]})),
        Example((task(), status("completed")["result"]), "no envelope at all"),
    )

    def event(self, event: Event) -> None:
        if event.enveloped:
            seen = event.json.get("jsonrpc")
            if seen != "2.0":
                what = "no `jsonrpc`" if seen is None else f"`jsonrpc` {shown(seen)}"
                self.found(f"the envelope has {what}", place(event, "/jsonrpc" if seen is not None else ""))
        elif event.kind in A2A_KINDS and self.scope.capture.framing == "sse":
            self.found("the frame has no JSON-RPC envelope", place(event))


class Rpc303(Rule):
    code = "RPC303"
    slug = "result-or-error"
    title = "Every envelope has exactly one of `result` and `error`"
    why = (
        "With both, or with a null beside the other, clients disagree: the JavaScript client throws a "
        "TypeError at "
        "`error:null`, the Python client goes on. Leave out the one that does not apply."
    )
    source = "A2A 0.3 section 6.11.2; JSON-RPC 2.0 section 5; tried with @a2a-js/sdk 1.3.0"
    bindings = frozenset({"jsonrpc"})
    needs = frozenset({"raw"})
    listens = ("*",)
    PASSES = (_GOOD, Example((task(), rpc_error())))
    FAILS = (
        Example(({**task(), "error": None}, status("completed"))),
        Example((task(), {"jsonrpc": "2.0", "id": "r-1"}, status("completed"))),
        Example((task(), {**status("completed"), **rpc_error()})),
    )

    def event(self, event: Event) -> None:
        if not event.enveloped:
            return
        json = event.json
        has_result = "result" in json
        has_error = "error" in json and (json["error"] is None or bool(json["error"]))
        if has_result and has_error:
            what = "`error` null beside a result" if json["error"] is None else "both a result and an error"
            self.found(f"the envelope has {what}", place(event, "/error"), cause="both")
        elif (
            not has_result and not has_error and ("method" not in json or self.scope.capture.framing == "sse")
        ):
            self.found("the envelope has neither a result nor an error", place(event), cause="neither")


class Rpc304(Rule):
    code = "RPC304"
    slug = "error-object"
    title = "An error has an integer code and a string message; codes of A2A's range are known to the version"
    why = (
        "Clients choose what to do by the code: one of another type or unknown to them becomes a mere "
        "failure. "
        "Use the codes of the specification, with a message that a person can read."
    )
    source = "A2A 1.0 section 9.5; 0.3 section 8; JSON-RPC 2.0 section 5.1"
    bindings = frozenset({"jsonrpc"})
    listens = ("error",)
    PASSES = (Example((task(), rpc_error(-32603, "boom"))), Example((task(), rpc_error(-32006, "x"))))
    FAILS = (
        Example((task(), rpc(None) | {"error": {"code": "boom", "message": "x"}})),
        Example((task(), rpc_error(-32603) | {"error": {"code": -32603}})),
        Example((task(), rpc_error(-32042, "unknown in the reserved range"))),
        Example(
            (v03("task", status={"state": "working"}), rpc_error(-32008, "of 1.0")),
            request={"jsonrpc": "2.0", "id": "r-1", "method": "message/stream"},
        ),
    )

    def event(self, event: Event) -> None:
        if not event.enveloped:
            return
        error = event.body if type(event.body) is dict else {}
        code, message = error.get("code"), error.get("message")
        if integer(code) is None:
            self.found(f"error.code is {shown(code)}, no integer", place(event, "/error/code"), cause="code")
        elif not self._known(event.error_code or 0):
            self.found(
                f"error.code {event.error_code} is not known to {self.scope.dialect or 'any version'}",
                place(event, "/error/code"), cause=event.error_code,
            )  # fmt: skip
        if type(message) is not str:
            self.found(
                f"error.message is {shown(message)}, no string",
                place(event, "/error/message"),
                cause="message",
            )

    def _known(self, code: int) -> bool:
        if code not in A2A_RESERVED or code in JSONRPC_CODES or code == _VERSION_REFUSED:
            return True
        return code in known_codes(self.scope.dialect)


class Rpc305(Rule):
    code = "RPC305"
    slug = "error-data"
    title = "error.data is an array of objects, each with @type"
    why = (
        "A2A 1.0 carries details as google.rpc messages in an array; clients that look for ErrorInfo find "
        "nothing in "
        "another form. Put an ErrorInfo with reason and domain into an array."
    )
    source = "A2A 1.0 sections 3.3.2, 9.5"
    severity = "warning"
    versions = frozenset({"v1.0"})
    bindings = frozenset({"jsonrpc"})
    listens = ("error",)
    PASSES = (Example((task(), rpc_error(data=[_INFO]))), Example((task(), rpc_error())))
    FAILS = (
        Example((task(), rpc_error(data={"businessCode": "BUSY"}))),
        Example((task(), rpc_error(data=[{"reason": "X"}]))),
    )

    def event(self, event: Event) -> None:
        data = event.body.get("data") if event.enveloped and type(event.body) is dict else None
        if not data and type(data) not in (int, float):
            return
        if type(data) is not list:
            self.found("error.data is no array", place(event, "/error/data"))
        elif not all(
            type(item) is dict and type(item.get("@type")) is str and item["@type"] for item in data
        ):
            self.found("error.data holds something without @type", place(event, "/error/data"))


class Rpc306(Rule):
    code = "RPC306"
    slug = "error-is-last"
    title = "Nothing follows an error frame"
    why = (
        "A request has one outcome: clients stop at the error, and what follows is seen by some of them "
        "only. End "
        "the stream with the error, or report the failure as a FAILED state."
    )
    source = "JSON-RPC 2.0 section 5; recorded: the Java client still delivers what follows"
    severity = "warning"
    listens = ("*",)
    PASSES = (Example((task(), rpc_error())),)
    FAILS = (Example((task(), rpc_error(), status("completed"))),)

    def event(self, event: Event) -> None:
        if self.scope.stream.error is not None and event.kind not in ("sentinel", "resume"):
            first = self.scope.stream.error.frame.number
            self.found(f"a frame of kind {event.kind} follows the error in event {first}", place(event))


RULES: tuple[type[Rule], ...] = (Rpc301, Rpc302, Rpc303, Rpc304, Rpc305, Rpc306)
