"""HTTP: the answer to a streaming call, as HTTP carries it (a2a.md T01 to T06)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.a2a.shapes import shown, word
from harness.model.interaction import Place
from harness.rules.example import Example, rpc_error, status, task
from harness.rules.rule import Rule, place
from harness.rules.streams import OURS, is_json, is_success, media

if TYPE_CHECKING:
    from harness.model.event import Event

NOWHERE = Place(None, None, None)
SSE = "text/event-stream"
JSON = (("content-type", "application/json"),)
INFO = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "X", "domain": "a2a-protocol.org"}
HTML = "<html>sign in</html>"


class Streaming(Rule):
    """A rule about successful answers to calls that asked for a stream."""

    def missing(self) -> str | None:
        capture = self.scope.capture
        if not is_success(capture):
            return "the call was refused by its HTTP status"
        if self.scope.asked.streaming is False:
            return "the request asked for no stream"
        if self.scope.asked.streaming is None and media(capture) != SSE:
            return "whether a stream was asked for is not known"
        return None


class Http101(Streaming):
    code = "HTTP101"
    slug = "stream-is-sse"
    title = "A streaming call that succeeds is answered with HTTP 200 and text/event-stream"
    why = (
        "Clients choose how to read the answer by its media type: with another one they buffer it, or find "
        "no "
        "event at all. Answer with status 200 and `Content-Type: text/event-stream`."
    )
    source = "A2A 0.3 section 3.3.1; 1.0 sections 9.4.2, 11.7"
    needs = frozenset({"raw", "http"})
    PASSES = (
        Example((task(), status("completed"))),
        Example((rpc_error(),), "an error before the stream", headers=JSON, framing="document"),
    )
    FAILS = (
        Example((HTML,), "a page for people", headers=(("content-type", "text/html"),), framing="document"),
        Example((task(), status("completed")), "accepted only", status=202),
    )

    def missing(self) -> str | None:
        head = self.scope.capture.head
        if head is None or not head.headers:
            return "the response's headers are not known"
        return super().missing()

    def end(self) -> None:
        capture, kind = self.scope.capture, media(self.scope.capture)
        code = capture.head.status if capture.head else None
        if is_json(kind) and self.scope.stream.error is not None and self.scope.stream.recognised == 0:
            return
        if code != 200 or kind != SSE:
            self.found(f"answered with HTTP {code} and {kind or 'no Content-Type'}", NOWHERE)


class Http102(Streaming):
    code = "HTTP102"
    slug = "json-answer-is-error"
    title = "A streaming call that is answered with JSON is answered with one error"
    why = (
        "A JSON body instead of a stream is the form of an error that came before the first event. "
        "Anything else in it "
        "is lost by clients that wait for a stream, and looks like an empty success."
    )
    source = "A2A 1.0 sections 9.5, 11.6"
    needs = frozenset({"raw", "http"})
    listens = ("*",)
    PASSES = (
        Example((rpc_error(-32601, "Method not found"),), headers=JSON, framing="document"),
        Example((task(), status("completed"))),
    )
    FAILS = (Example((task("completed"),), "a Task, not a stream of it", headers=JSON, framing="document"),)

    seen = 0

    def event(self, event: Event) -> None:
        self.seen += 1

    def end(self) -> None:
        if not is_json(media(self.scope.capture)):
            return
        error = self.scope.stream.error
        if error is not None and self.seen == 1 and (error.enveloped or self.scope.asked.binding != "rest"):
            return
        what = "nothing" if self.seen == 0 else "an error" if error is not None else "no error"
        over = "REST errors have a status of 4xx or 5xx" if error is not None else "an error object was due"
        self.found(f"the JSON body holds {what} ({self.seen} values); {over}", NOWHERE)


class Http103(Rule):
    code = "HTTP103"
    slug = "body-ends-cleanly"
    title = "The body ends cleanly: last chunk, Content-Length or END_STREAM"
    why = (
        "A cut body lost what came after the cut, and some clients take it for a clean end. Look for a "
        "crash, a "
        "time limit or a proxy between; send an error frame or a terminal state before closing."
    )
    source = "RFC 9112 section 8; a2a-sdk 0.3.26 cuts where the agent raises (recorded)"
    needs = frozenset({"raw", "ending"})
    PASSES = (
        Example((task(), status("completed"))),
        Example((task(), status("input-required")), ending="client_left"),
    )
    FAILS = (Example((task(), status("working")), ending="upstream_cut"),)

    def missing(self) -> str | None:
        stream, ending = self.scope.stream, self.scope.capture.ending
        if ending == "refused":
            return "no connection was made"
        if ending in OURS and stream.phase not in ("ended", "asking", "said"):
            return "our side ended the exchange first"
        return None

    def end(self) -> None:
        capture = self.scope.capture
        if capture.ending == "upstream_cut":
            rest = self.scope.rest
            told = f": {capture.ending_text}" if capture.ending_text else ""
            where = Place(None, None, rest.span if rest else None)
            self.found(f"the body was cut by the upstream{told}", where)


class Http104(Rule):
    code = "HTTP104"
    slug = "stream-has-events"
    title = "A stream brings at least one event before it ends"
    why = (
        "An empty stream ends without an error in every official client: the user sees a success that "
        "says nothing. Send the Task first, or an error."
    )
    source = "A2A 1.0 section 3.1.2; all official clients end cleanly on it (tried)"
    needs = frozenset({"raw"})
    listens = ("*",)
    PASSES = (
        Example((task(), status("completed"))),
        Example((), "cut before it began", ending="upstream_cut"),
    )
    FAILS = (Example((), "an empty body"), Example((": ping\n\n",), "comments only"))

    seen = False

    def event(self, event: Event) -> None:
        self.seen = True

    def missing(self) -> str | None:
        capture = self.scope.capture
        if is_success(capture) is False:
            return "the call was refused by its HTTP status"
        if capture.framing != "sse" and media(capture) != SSE:
            return "the answer is no SSE body"
        if not self.seen and capture.ending not in ("clean", "unknown"):
            return "the exchange was ended before the server ended it"
        rest = self.scope.rest
        if not self.seen and rest is not None and (rest.unknown or rest.flaw):
            return "the body could not be read as SSE"
        return None

    def end(self) -> None:
        if not self.seen:
            rest = self.scope.rest
            self.found("the stream ends without an event", Place(None, None, rest.span if rest else None))


def _refused(error: object, code: int = 404) -> Example:
    return Example(
        ({"error": error},), request=None, target="/tasks/t-1:subscribe", status=code, headers=JSON,
        framing="document",
    )  # fmt: skip


class Http106(Rule):
    code = "HTTP106"
    slug = "rest-error-body"
    title = "A REST error body repeats the HTTP status, and its ErrorInfo has reason and domain"
    why = (
        "Clients tell A2A errors apart by ErrorInfo's reason and domain, and trust the code in the body. "
        "Write "
        "`{error:{code,status,message,details}}` as google.rpc.Status has it."
    )
    source = "A2A 1.0 section 11.6"
    severity = "warning"
    versions = frozenset({"v1.0"})
    bindings = frozenset({"rest"})
    needs = frozenset({"raw", "http"})
    listens = ("error",)
    PASSES = (
        _refused({"code": 404, "status": "NOT_FOUND", "message": "x", "details": [INFO]}),
        _refused({"code": 500, "status": "INTERNAL", "message": "x"}, 500),
    )
    FAILS = (
        _refused({"code": 400, "status": "NOT_FOUND", "message": "x", "details": [INFO]}),
        _refused({"code": 404, "status": "NOT_FOUND", "message": "x"}),
        _refused({"code": 404, "status": "NOT_FOUND", "message": "x", "details": [{**INFO, "domain": ""}]}),
    )

    def event(self, event: Event) -> None:
        capture = self.scope.capture
        code = capture.head.status if capture.head else None
        if is_success(capture) or event.enveloped or type(event.body) is not dict:
            return
        if event.error_code != code:
            self.found(
                f"HTTP status {code}, but error.code {shown(event.body.get('code'))}",
                place(event, event.pointer + "/code"), cause="code",
            )  # fmt: skip
        flaw = _details_flaw(event.body)
        if flaw:
            self.found(flaw, place(event, event.pointer + "/details"), cause="details")


def _details_flaw(error: dict[str, object]) -> str | None:
    details = error.get("details")
    infos = [
        item
        for item in (details if type(details) is list else ())
        if type(item) is dict and (word(item, "@type") or "").endswith("google.rpc.ErrorInfo")
    ]
    if not infos:
        is_a2a = error.get("status") in ("NOT_FOUND", "FAILED_PRECONDITION")
        return "details hold no ErrorInfo that names the A2A error" if is_a2a else None
    if all(info.get("reason") and info.get("domain") for info in infos):
        return None
    return "an ErrorInfo without reason or domain"


RULES: tuple[type[Rule], ...] = (Http101, Http102, Http103, Http104, Http106)
