"""What a correct harness says of every golden capture, one row a file and round.

Written from semantics.md, wire/*.md, the seeds and the raw bytes alone, never from output. `masked` and
`a2a` are the exact sets of error codes under the contract of that name, `warns` codes that are surely among
the warnings of `masked`, `shown` the exact toolCallIds by (kind, channel, exposure). ANY is not compared.
A file with `.headers`, `.rc`, `.request.json` beside it stands here without its ending `.body`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

ANY: Any = "(any)"

type Shown = Mapping[tuple[str, str, str], tuple[str | None, ...]]


class Row(NamedTuple):
    file: str
    round: int
    outcome: str
    masked: frozenset[str]
    a2a: frozenset[str]
    shown: Shown
    warns: frozenset[str]
    dialect: str | None
    binding: str | None  # "rpc" or "rest", whatever the report spells
    ending: str
    status: int | None
    unread: int
    topology: str | None
    why: str


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _names(prefixes: str, cases: str) -> str:
    """Each case word behind each prefix: _names("v1_rpc v1_rest", "ask auth")."""
    return " ".join(f"{p}_{c}" for p in prefixes.split() for c in cases.split())


class Folder:
    """Collects the rows of one folder; what most of its files share is said once."""

    def __init__(self, folder: str, **common: Any) -> None:
        self.folder = folder
        self.common = {
            "round": 1,
            "errors": "",
            "masked": "",
            "a2a": "",
            "shown": {},
            "warns": "",
            "dialect": ANY,
            "binding": ANY,
            "ending": "clean",
            "status": 200,
            "unread": 0,
            "topology": None,
        } | common

    def __call__(self, files: str, outcome: str, why: str, **facts: Any) -> None:
        """One row a file; `errors` under both contracts, `masked` and `a2a` under that one only."""
        said = self.common | facts
        both = _codes(said.pop("errors"))
        said["masked"] = both | _codes(said["masked"])
        said["a2a"] = both | _codes(said["a2a"])
        said["warns"] = _codes(said["warns"])
        for name in files.split():
            wire = said.copy()
            if wire["dialect"] == "by name":
                wire["dialect"] = "v0.3" if "v03_" in name else "v1.0"
            if wire["binding"] == "by name":
                wire["binding"] = "rest" if "_rest" in name else "rpc"
            ROWS.append(Row(file=f"{self.folder}/{name}", outcome=outcome, why=why, **wire))


ROWS: list[Row] = []

LEFT: dict[str, Any] = {"ending": "client_left"}  # curl_rc=28
CUT: dict[str, Any] = {"ending": "upstream_cut", "errors": "END505"}  # curl_rc=18
UNSAID: dict[str, Any] = {"ending": "unknown"}  # neither .rc nor journal
NO_EVENT: dict[str, Any] = {"dialect": ANY}  # an error frame does not tell its version
ASKS: dict[str, Any] = {"shown": {("user_input", "control", "native"): (None,)}}
BY_NAME: dict[str, Any] = {"dialect": "by name", "binding": "by name"}


def _leaks(*ids: str, channel: str = "content") -> Shown:
    return {("delegation", channel, "leaked"): ids}


def _batch(stem: str, n: int = 3) -> tuple[str, ...]:
    return tuple(f"call_0{i}_{stem}" for i in range(n))


# fmt: off
# -------- a2a-sdk-1.3.0 (py)
py = Folder("a2a-sdk-1.3.0", **BY_NAME)
_ALL = "v1_rpc v1_rest v03_rpc v03_rest"
_ERR = "v1_rpc v1_rest v03_rpc"

py(_names(_ALL, "complete"), "COMPLETED", "a2a.md 1.2: Task, working, 3 chunks, completed, EOF")
py(_names(_ALL, "msg"), "COMPLETED",
    "semantics 2.2: the stream is one Message; v0.3 REST calls parts `content`")
py(_names(_ALL, "ask"), "INTERACTION",
    "semantics 3: input-required with a text; a2a.md 0.1: final:false is legal", **ASKS)
py(_names(_ALL, "auth"), "AUTH_REQUIRED",
    "semantics 2.4; an answer, no finding, and no interaction of section 3")
py(_names(_ALL, "fail"), "FAILED", "semantics 2: FAILED is an answer, no finding by itself")
py(_names(_ALL, "reject"), "REJECTED", "semantics 2: REJECTED is an answer, no finding by itself")
py(_names(_ALL, "drop"), "NO_TERMINAL", "issue 3: drop; O06 told as END502", errors="END502")
py(_names("v1_rpc v1_rest", "after"), "COMPLETED",
    "a2a.md 1.4: py sends an event after the end: O07 E, O09 W; semantics 2.2: the state stays",
    errors="ORD507", warns="ORD509")
py(_names("v03_rpc v03_rest", "after"), "COMPLETED",
    "as v1 after (O07 is of all versions); final:true is not on the last frame: O10 W", errors="ORD507",
    warns="ORD509 ORD510")
py(_names(_ALL, "latechunk"), "COMPLETED", "A02 W: chunk after lastChunk:true", warns="ART702")
py(_names(_ERR, "raise raisea2a msgintask orphan wrongid"), "PROTOCOL_ERROR",
    "a2a.md 1.4: mid-stream error frame (v1 `event: error`, v0.3 plain data); the refused event is not sent",
    errors="END504")
py(_names("v03_rest", "raise raisea2a msgintask orphan wrongid"), "TRANSPORT_ERROR",
    "a2a.md 0.5: v0.3 REST compat cuts on any stream error, curl_rc=18", **CUT)
py(_names("v1_rpc", "nostart raise0"), "PROTOCOL_ERROR",
    "a2a.md 1.4: before the first event HTTP 200 application/json error", errors="END504", **NO_EVENT)
py(_names("v03_rpc", "nostart raise0"), "PROTOCOL_ERROR",
    "a2a.md 1.4: before the first event 200 SSE with one plain error frame", errors="END504", **NO_EVENT)
py(_names("v1_rest", "nostart raise0"), "HTTP_ERROR",
    "a2a.md 1.4: before the first event HTTP 500 {error:{code,status,message}}; T05", errors="END504",
    status=500, **NO_EVENT)
py(_names("v03_rest", "nostart raise0"), "TRANSPORT_ERROR",
    "curl_rc=18 and no .body: an empty body, cut (semantics 1); the cut is the one cause, T04 needs an EOF",
    dialect=ANY, binding=ANY, **CUT)
py("x_v1_ask_turn2", "COMPLETED",
    "a2a.md 0.3: a turn with a taskId opens with statusUpdate: O01 info; id 7 is 7")
py("x_v1_badparams x_v1_nover x_v1_send_terminal x_v1_sub_terminal x_v1_sub_unknown x_v1_unknown_task"
    " x_v1_unknownmethod x_v1_ver05", "PROTOCOL_ERROR",
    "a2a.md 1.3, 1.4: HTTP 200 application/json error, id 7 kept; N rules hold or lack the header",
    errors="END504", **NO_EVENT)
py("x_v1_badjson", "PROTOCOL_ERROR", "-32700, id null, no request kept: R02 not checked", errors="END504",
    **UNSAID, **NO_EVENT)
py("x_v1_sub_interrupted", "AUTH_REQUIRED", "a2a.md 0.2: the subscription stays open; our curl left", **LEFT)
py("y_v03_slow_resub y_v1_slow_resub y_v1_slow_resub_rest", "CANCELED",
    "a2a.md M03: snapshot s0..s5, then s6; canceled", **UNSAID)
py("y_v1_cancel", "CANCELED", "semantics 2: CancelTask's bare Task is judged by its state; no .headers",
    status=None, **UNSAID)
py("y_v1_idle_ping", "COMPLETED", "a2a.md 1.1: `: ping` comment in the silence; A06 info only", **UNSAID)
py("y_v1_slow_cut", "INCONCLUSIVE", "semantics 2.6: curl_rc=28 while WORKING is our side leaving", **LEFT)

# -------- a2a-js-sdk-1.3.0
js = Folder("a2a-js-sdk-1.3.0", **BY_NAME)
_JS = "v1_rpc v1_rest"

js(_names(_JS, "complete msg"), "COMPLETED", "well-behaved; one Message ends the round")
js(_names(_JS, "after"), "COMPLETED", "a2a.md 1.4: js drops the event after the end")
js(_names(_JS, "ask"), "INTERACTION", "semantics 3: input-required with a text", **ASKS)
js(_names(_JS, "auth"), "AUTH_REQUIRED", "semantics 2.4")
js(_names(_JS, "fail raise"), "FAILED", "a2a.md 1.4 and bytes: an exception becomes a FAILED statusUpdate")
js(_names(_JS, "reject"), "REJECTED", "semantics 2")
js(_names(_JS, "drop"), "NO_TERMINAL", "issue 3: drop", errors="END502")
js(_names(_JS, "latechunk"), "COMPLETED", "A02 W", warns="ART702")
js(_names(_JS, "orphan"), "COMPLETED",
    "a2a.md 1.4: js passes the orphan append on: A01 W, never closed: A04 W", warns="ART701 ART704")
js(_names(_JS, "raise0"), "FAILED", "a2a.md 0.10: Task(FAILED), then an equal statusUpdate: O07 W, no error",
    warns="ORD507")
js(_names(_JS, "wrongid"), "COMPLETED", "a2a.md 1.4: js passes taskId OTHER: I01 E; the state was seen",
    errors="IDS601")
js(_names(_JS, "msgintask"), "PROTOCOL_ERROR", "a2a.md 1.4: -32004 `event: error`, the Message is not sent",
    errors="END504")
js("v1_rpc_nostart", "PROTOCOL_ERROR", "a2a.md 1.4: HTTP 200 application/json error", errors="END504",
    **NO_EVENT)
js("v1_rest_nostart", "HTTP_ERROR", "a2a.md 1.4: HTTP 400 application/a2a+json", errors="END504", status=400,
    **NO_EVENT)
js("x_v1_ask_turn2", "PROTOCOL_ERROR", "a2a.md 0.3: js refuses with -32004", errors="END504", **UNSAID,
    **NO_EVENT)
js("x_v1_sub_interrupted", "AUTH_REQUIRED", "Task snapshot with auth-required, nothing after it", **UNSAID)

# -------- a2a-java-sdk-1.0.0
java = Folder("a2a-java-sdk-1.0.0", **BY_NAME)

java(_names("v1_rpc", "complete taskfirst unicode numbers meta file slow3"), "COMPLETED",
    "java-sdk.md 2, 3, 4: empty defaults are absent")
java(_names("v1_rpc", "msg msgtask"), "COMPLETED", 'one Message; `"taskId":""` is absent (java-sdk.md 8)')
java(_names("v1_rpc", "after after2 afterart"), "COMPLETED",
    "java-sdk.md 4: what comes after the end never reaches the wire; here COMPLETED won")
java(_names("v1_rpc", "ask"), "INTERACTION",
    "java-sdk.md 1.1: kept open; `_interrupt` of no form: one user_input (semantics 3)", **ASKS, **LEFT)
java(_names("v1_rpc", "askfinal asktext"), "INTERACTION", "java-sdk.md 1.1: kept open, curl left; text only",
    **ASKS, **LEFT)
java(_names("v1_rpc", "auth"), "AUTH_REQUIRED", "java-sdk.md 1.1: kept open, curl left", **LEFT)
java(_names("v1_rpc", "canceled"), "CANCELED", "java-sdk.md 4")
java(_names("v1_rpc", "fail failbare"), "FAILED", "java-sdk.md 4: that state, EOF")
java(_names("v1_rpc", "reject"), "REJECTED", "java-sdk.md 4")
java(_names("v1_rpc", "drop nostart"), "NO_TERMINAL", "java-sdk.md 4: clean EOF without terminal",
    errors="END502")
java("v1_rpc_nothing", "NO_TERMINAL", "java-sdk.md 4: 200 SSE, content-length 0: T04 E",
    errors="END502 HTTP104", dialect=ANY, binding=ANY)
java("v1_rpc_msgintask", "NO_TERMINAL",
    "java-sdk.md 4: Message in the task stream (O04 E), EOF while WORKING; it has no contextId: P11 W",
    errors="END502 ORD504", warns="SHP411")
java("v1_rpc_latechunk", "COMPLETED", "java-sdk.md 4: passed on unchanged; A02 W", warns="ART702")
java("v1_rpc_orphan", "COMPLETED", "java-sdk.md 4: passed on unchanged; A01 W, A04 W", warns="ART701 ART704")
java(_names("v1_rpc", "failerr raise raisea2a raiseerror wrongid"), "PROTOCOL_ERROR",
    "java-sdk.md 4: last frame is a plain error envelope", errors="END504")
java(_names("v1_rpc", "raise0 raise0a2a"), "PROTOCOL_ERROR", "java-sdk.md 4: 200 SSE, one error frame",
    errors="END504", **NO_EVENT)
java("v1_rpc_cut", "TRANSPORT_ERROR",
    "java-sdk.md: server cuts mid-event; the half event is never dispatched", unread=ANY, **CUT)
java("v1_rpc_nan", "TRANSPORT_ERROR", "java-sdk.md 4: nan: J cut", **CUT)
java("x_v1_drop_state", "NO_TERMINAL", "drop again", errors="END502")
java("x_v1_raise_state", "PROTOCOL_ERROR", "raise again", errors="END504")
java("x_v1_echo_nonull", "COMPLETED", "java-sdk.md 3: numbers as doubles, no rule on data")
java("x_v1_ask_turn1_open x_v1_sub_interrupted", "COMPLETED",
    "java-sdk.md 1.2: turn 2 appears on the open stream; the question was seen before the terminal state",
    **ASKS)
java("x_v1_ask_turn2", "COMPLETED",
    "java-sdk.md 1.2: turn 2 only, opens with statusUpdate; request has a taskId: O01 info")
java("x_v1_text_plain x_v1_ver11", "COMPLETED", "java-sdk.md 5: version 1.1 accepted; one Message")
java("x_v1_id_emptystr x_v1_id_int x_v1_id_neg x_v1_id_uni x_v1_id_zero", "COMPLETED",
    "java-sdk.md 5: these ids come back equal")
java("x_v1_id_bigint x_v1_id_bool x_v1_id_float x_v1_id_numstr x_v1_id_p53", "COMPLETED",
    'java-sdk.md 5, 8: the id is altered (int overflow, "7" to 7, true to "true", 1.5 to 1): R02 E',
    errors="RPC302")
java("x_v1_id_absent x_v1_id_null x_v1_id_obj", "PROTOCOL_ERROR",
    "java-sdk.md 5: -32600; the request has no readable id, so R02 is not checked", errors="END504",
    **NO_EVENT)
java("x_v1_array x_v1_badjson x_v1_emptybody x_v1_notjson", "PROTOCOL_ERROR",
    "java-sdk.md 5: the request is no JSON object, so it has no id: R02 not checked", errors="END504",
    **NO_EVENT)
java("x_v1_ctx_mismatch x_v1_echo_numbers x_v1_noparams x_v1_send_terminal x_v1_sub_terminal x_v1_sub_unknown"
    " x_v1_unknown_task", "PROTOCOL_ERROR",
    "java-sdk.md 5, 8: `id` is left out of errors found before the call: R02 E", errors="END504 RPC302",
    **NO_EVENT)
java("x_v1_badparams x_v1_badrole x_v1_cancel_terminal x_v1_cancel_unknown x_v1_get_unknown x_v1_id_int_err"
    " x_v1_nojsonrpc x_v1_nomessage x_v1_nomethod x_v1_noparts x_v1_send_raise x_v1_send_raise0"
    " x_v1_unknownfield x_v1_unknownmethod x_v1_v03method x_v1_v03part", "PROTOCOL_ERROR",
    "java-sdk.md 5: HTTP 200 application/json error, id kept", errors="END504", **NO_EVENT)
java("x_v1_nover x_v1_ver03 x_v1_ver05", "PROTOCOL_ERROR", "java-sdk.md 5: 200 SSE with one -32009 frame",
    errors="END504", **NO_EVENT)
java("x_v1_get_after_drop", "INCONCLUSIVE",
    "semantics 2: a GetTask snapshot that is WORKING is no end, without END502")
java("x_v1_get_after_raise", "FAILED",
    "java-sdk.md 4: the store says FAILED; a bare Task is right for GetTask")
java("x_v1_get_complete x_v1_send_complete", "COMPLETED", "single Task body, judged by its state")
java("x_v1_send_msg", "COMPLETED", "single Message body")
java("x_v1_send_ask", "INTERACTION", "single Task body, input-required, `_interrupt` of no form", **ASKS)
java("y_v1_cancel", "CANCELED", "CancelTask answers the bare Task")
java("y_v1_cancel_stream", "CANCELED", "java-sdk.md 4: the stream gets CANCELED, EOF")
java("y_v1_idle40", "COMPLETED", "java-sdk.md 4: 40 s of silence, no keep-alive; A06 info")
java("y_v1_slow y_v1_slow_resub", "COMPLETED", "java-sdk.md 4: s0..s39; snapshot, then s8 onwards")
java("y_v1_slow_cut", "INCONCLUSIVE", "semantics 2.6: curl_rc=28 while WORKING", **LEFT)

# -------- openjiuwen-on-java-sdk
oj = Folder("openjiuwen-on-java-sdk", dialect="v1.0", binding="rpc")

oj("oj_plain oj_tokens_g1_textpart ojhtml_plain ojrpc_plain ojs_plain", "COMPLETED",
    "twin of openjiuwen-shape/plain, tokens_g1; java-sdk.md 6")
oj("oj_canceled", "CANCELED", "twin")
oj("oj_failed_older oj_failed_structured", "FAILED", "twins: FAILED is an answer")
oj("oj_false_completed_answer_error", "COMPLETED", "twin: task_failed and answer error before COMPLETED",
    errors="END503")
oj("oj_leak_controller_output_v1_three_frames oj_leak_controller_output_v2 oj_leak_g1_textpart_string",
    "COMPLETED", "twins: seed 000 mirror, 3 delegations on the content channel", masked="LEAK101",
    shown=_leaks("call_00_Zx0AbC", "call_01_Zx1AbC", "call_02_Zx2AbC"))
oj("oj_leak_python_task_completion", "COMPLETED", "twin: form h under task_completion, snake_case",
    masked="LEAK101", shown=_leaks("call_00_Zx0AbC"))
oj("oj_native_ask_user_rail", "INTERACTION", "twin; kept open",
    shown={("user_input", "control", "native"): ("call_00_Qq2",)}, **LEFT)
oj("oj_native_batch2", "INTERACTION", "twin, form b; kept open",
    shown={("user_input", "control", "native"): ("call_00_B0", "call_01_B1")}, **LEFT)
oj("oj_native_confirm", "INTERACTION", "twin: schema with `approved`",
    shown={("confirmation", "control", "native"): ("call_00_Cc1",)}, **LEFT)
oj("oj_native_request_user_input", "INTERACTION", "twin, form a",
    shown={("user_input", "control", "native"): ("call_00_Qq1",)}, **LEFT)
oj("oj_proxy_interrupt_masked_g2", "INTERACTION", "twin, form c",
    shown={("delegation", "control", "masked"): ("call_00_Vv1",)}, **LEFT)
oj("oj_proxy_interrupt_masked_multi", "INTERACTION", "twin, form c, two members",
    shown={("delegation", "control", "masked"): ("call_00_Vv1", "call_01_Vv2")}, **LEFT)
oj("oj_remote_events_g3_agentEvent", "COMPLETED",
    "twin, G3: declared by agentEvent; A01 and A04 are info there",
    shown={("delegation", "content", "declared"): ("call_00_Zx0AbC",)})

oj(_names("v1_a2a", "complete taskfirst unicode numbers meta file slow3"), "COMPLETED",
    "java-sdk.md 2, 3, 4, Gson form")
oj(_names("v1_a2ahtml", "numbers unicode"), "COMPLETED",
    "java-sdk.md 2: HTML characters escaped by older controllers")
oj(_names("v1_a2a", "msg msgtask"), "COMPLETED", "one Message")
oj(_names("v1_a2a", "after afterart"), "COMPLETED", "java-sdk.md 4: swallowed")
oj("v1_a2a_after2", "TRANSPORT_ERROR",
    "java-sdk.md 4: the error stands instead of COMPLETED (race), and O cuts", **CUT)
oj("v1_a2a_ask", "INTERACTION", "java-sdk.md 1.1; `_interrupt` of no form: one user_input", **ASKS, **LEFT)
oj(_names("v1_a2a", "askfinal asktext"), "INTERACTION", "java-sdk.md 1.1; text only", **ASKS, **LEFT)
oj("v1_a2a_auth", "AUTH_REQUIRED", "java-sdk.md 1.1: kept open, curl left", **LEFT)
oj("v1_a2a_canceled", "CANCELED", "java-sdk.md 4")
oj(_names("v1_a2a", "fail failbare"), "FAILED", "java-sdk.md 4")
oj("v1_a2a_reject", "REJECTED", "java-sdk.md 4")
oj(_names("v1_a2a", "drop nostart"), "NO_TERMINAL", "java-sdk.md 4", errors="END502")
oj("v1_a2a_nothing", "NO_TERMINAL", "200 SSE with content-length 0: T04 E", errors="END502 HTTP104",
    dialect=ANY, binding=ANY)
oj("v1_a2a_msgintask", "NO_TERMINAL", "as in J: O04 E, END502, P11 W", errors="END502 ORD504", warns="SHP411")
oj("v1_a2a_latechunk", "COMPLETED", "A02 W", warns="ART702")
oj("v1_a2a_orphan", "COMPLETED", "A01 W, A04 W", warns="ART701 ART704")
oj(_names("v1_a2a", "failerr nan raise raisea2a raiseerror wrongid"), "TRANSPORT_ERROR",
    "java-sdk.md 4: completeWithError cuts the chunked body without an error frame, curl_rc=18", **CUT)
oj(_names("v1_a2a", "raise0 raise0a2a"), "HTTP_ERROR",
    "java-sdk.md 4: HTTP 500, empty body; T05: no SSE rules", errors="END504", status=500, dialect=ANY,
    binding=ANY)
oj("x_v1_drop_state", "NO_TERMINAL", "drop again", errors="END502")
oj("x_v1_raise_state", "TRANSPORT_ERROR", "raise again: cut", **CUT)
oj("x_v1_echo_nonull x_v1_echo_numbers", "COMPLETED",
    "java-sdk.md 3: O parses with JsonUtil, the null does not kill it")
oj("x_v1_ask_turn1_open x_v1_sub_interrupted", "COMPLETED", "java-sdk.md 1.2: turn 2 on the open stream",
    **ASKS)
oj("x_v1_ask_turn2", "COMPLETED", "java-sdk.md 1.2: turn 2 only; O01 info")
oj("x_v1_nover", "COMPLETED",
    "openjiuwen.md 1: the controller does not check A2A-Version; request headers unknown: N02 not checked")
oj("x_v1_id_absent x_v1_id_bigint x_v1_id_emptystr x_v1_id_float x_v1_id_int x_v1_id_null x_v1_id_numstr",
    "COMPLETED",
    "java-sdk.md 5: 7.0 is 7, 1.234567890123E12 is exact, null where the request has no id; R02 holds")
oj("x_v1_id_p53", "COMPLETED", "9.007199254740992E15 is not 9007199254740993 (a2a.md R02)", errors="RPC302")
oj("x_v1_busy503", "HTTP_ERROR", "openjiuwen.md 1: admission reject, HTTP 503", errors="END504", status=503,
    **NO_EVENT)
oj("x_v1_ctx_mismatch x_v1_get_unknown x_v1_id_int_err x_v1_send_raise x_v1_send_raise0 x_v1_send_terminal"
    " x_v1_sub_terminal x_v1_sub_unknown x_v1_unknown_task x_v1_unknownmethod y_v1_cancel", "PROTOCOL_ERROR",
    "java-sdk.md 5: HTTP 200 JSON error, id kept (7.0 is 7); CancelTask is not dispatched: -32601",
    errors="END504", **NO_EVENT)
oj("x_v1_get_after_drop", "INCONCLUSIVE", "semantics 2: GetTask snapshot, WORKING")
oj("x_v1_send_ask", "INCONCLUSIVE",
    "java-sdk.md 4: stale WORKING (race, kept on purpose); a snapshot is no end")
oj("x_v1_get_after_raise", "FAILED", "the store says FAILED")
oj("x_v1_get_complete x_v1_send_complete", "COMPLETED", "single Task body")
oj("y_v1_ask_open150", "INTERACTION", "java-sdk.md 1.1: open and silent for 150 s", **ASKS, **LEFT)
oj("y_v1_cancel_stream y_v1_slow y_v1_slow_resub", "COMPLETED",
    "s0..s39; the cancel was refused, so this stream ran on")
oj("y_v1_idle40", "COMPLETED", "java-sdk.md 4: silence; A06 info")

# -------- openjiuwen-shape
shape = Folder("openjiuwen-shape", dialect="v1.0", binding="rpc", ending="unknown", status=None, a2a="SHP409")
# SHP409: every timestamp has +08:00; E under a2a (P09), info under masked (semantics 4)

shape("plain.sse tokens_g1_textpart.sse", "COMPLETED", "openjiuwen.md 1b: plain answer, G2 and G1 tokens")
shape("canceled.sse", "CANCELED", "openjiuwen.md 1b")
shape("failed_older.sse failed_structured.sse", "FAILED", "openjiuwen.md 1: error end, older and newest")
shape("false_completed_answer_error.sse", "COMPLETED", "openjiuwen.md 1b: false COMPLETED after error",
    errors="END503")
shape("leak_controller_output_v1_three_frames.sse leak_controller_output_v2.sse leak_g1_textpart_string.sse",
    "COMPLETED", "seed 000 2.1, openjiuwen.md 1b: mirror of 3 delegations, content channel only",
    masked="LEAK101", shown=_leaks("call_00_Zx0AbC", "call_01_Zx1AbC", "call_02_Zx2AbC"))
shape("leak_python_task_completion.sse", "COMPLETED",
    "openjiuwen.md 7: form h, task_completion, tool_call_id", masked="LEAK101",
    shown=_leaks("call_00_Zx0AbC"))
shape("native_ask_user_rail.sse", "INTERACTION", "form a with questions[]",
    shown={("user_input", "control", "native"): ("call_00_Qq2",)})
shape("native_batch2.sse", "INTERACTION", "form b",
    shown={("user_input", "control", "native"): ("call_00_B0", "call_01_B1")})
shape("native_confirm.sse", "INTERACTION", "schema with `approved`",
    shown={("confirmation", "control", "native"): ("call_00_Cc1",)})
shape("native_request_user_input.sse", "INTERACTION", "form a",
    shown={("user_input", "control", "native"): ("call_00_Qq1",)})
shape("proxy_interrupt_masked_g2.sse", "INTERACTION", "form c; same call as the mark",
    shown={("delegation", "control", "masked"): ("call_00_Vv1",)})
shape("proxy_interrupt_masked_multi.sse", "INTERACTION", "form c",
    shown={("delegation", "control", "masked"): ("call_00_Vv1", "call_01_Vv2")})
shape("remote_events_g3_agentEvent.sse", "COMPLETED",
    "openjiuwen.md G3: delegation public by design; output and status are no interactions",
    shown={("delegation", "content", "declared"): ("call_00_Zx0AbC",)})
shape("jsonrpc_errors.jsonl", "PROTOCOL_ERROR",
    "six error frames and nothing else; R06 W: frames follow an error frame", errors="END504", a2a="",
    warns="RPC306", **NO_EVENT)
shape("resume_requests.jsonl", "INCONCLUSIVE",
    "semantics 1: requests are told as such; the spoofed runtime.* and _interrupt are the client's, no leak",
    a2a="", dialect=ANY, binding=ANY, unread=ANY)

# -------- openjiuwen-python
opy = Folder("openjiuwen-python", dialect="v1.0", binding="rpc", ending="unknown")  # status from the # lines

opy("a2a_javalike_plain.sse a2a_stock_plain.sse", "COMPLETED", "openjiuwen.md 7")
opy("a2a_javalike_error.sse a2a_stock_error.sse", "COMPLETED",
    "openjiuwen.md 7: task_failed, answer{error}, COMPLETED", errors="END503")
opy("a2a_javalike_ask_resume.sse a2a_javalike_confirm_resume.sse a2a_javalike_delegate3_resume.sse",
    "COMPLETED", "the second turn shows no interrupt; request taskId kept")
opy("a2a_javalike_ask.sse", "INTERACTION",
    "native question on the control channel and mirrored (form h): native on both (semantics 3)",
    shown={("user_input", c, "native"): _batch("038065283", 1) for c in ("content", "control")})
opy("a2a_javalike_confirm.sse", "INTERACTION", "schema with `approved`, on both channels",
    shown={("confirmation", c, "native"): _batch("038066246", 1) for c in ("content", "control")})
opy("a2a_javalike_delegate3.sse", "INTERACTION",
    "openjiuwen.md 7: leaks on both channels, 6 interactions (semantics 3)", masked="LEAK101 LEAK102",
    shown=_leaks(*_batch("038065807")) | _leaks(*_batch("038065807"), channel="control"))
opy("a2a_stock_delegate3.sse", "INTERACTION",
    "form k at the end, forms h and i on the content channel: 3 interactions of 2 sightings, no END501",
    masked="LEAK101", shown=_leaks(*_batch("038065670")))
opy("a2a_bad_version.sse a2a_unknown_method.sse", "PROTOCOL_ERROR",
    "application/json error body behind # lines", errors="END504", **NO_EVENT)
opy("fake_llm_requests.jsonl", "INCONCLUSIVE", "semantics 1: requests to the model are told as such",
    status=None, dialect=ANY, binding=ANY, unread=ANY)

core = Folder("openjiuwen-python", dialect="openjiuwen-core", ending="unknown", status=None)
for _loop, _ask, _confirm, _delegate in (
    ("loop", "037769439", "037769976", "037769699"),
    ("noloop", "037770864", "037771271", "037771068"),
):
    _py = f"py_deepagent_{_loop}"
    core(f"{_py}_plain.jsonl", "COMPLETED", "semantics 1: clean `answer`")
    core(f"{_py}_error.jsonl", "FAILED", "semantics 1: task_failed or `_exception`; FAILED is an answer")
    core(f"{_py}_ask_user.jsonl", "INTERACTION", "top-level __interaction__, content channel; questions[]",
        shown={("user_input", "content", "native"): _batch(_ask, 1)})
    core(f"{_py}_confirm.jsonl", "INTERACTION", "schema with `approved`",
        shown={("confirmation", "content", "native"): _batch(_confirm, 1)})
    core(f"{_py}_delegate3.jsonl", "INTERACTION",
        "issue 3: both give LEAK101; the loop shows each call twice", masked="LEAK101",
        shown=_leaks(*_batch(_delegate)))
    for _case in ("ask_user", "confirm", "delegate3"):
        core(f"{_py}_{_case}.jsonl", "COMPLETED", "after `_marker: RESUME` the next round; clean `answer`",
            round=2)

# -------- ai-sdk-7.0.173
ai = Folder("ai-sdk-7.0.173", ending="unknown", status=None, unread=ANY)  # .headers without a status line
ai("agent_invoke_ok agent_invoke_tool_error", "INCONCLUSIVE",
    "semantics 1: another protocol, no dialect of ours", warns="SSE202")

# fmt: on
# -------- sit-logs
SIT: dict[str, Any] = {
    "dialect": "v1.0",
    "binding": "rpc",
    "ending": "unknown",
    "status": None,
    "a2a": "SHP409",
}
# SHP409: logs carry +08:00 (semantics 4)


def _sit(
    run: str, scenario: str, topology: str, rounds: Iterator[tuple[int, str, Any]], why: str, **facts: Any
) -> None:
    folder = Folder(f"sit-logs/{run}", topology=topology, **SIT)
    for number, outcome, shown in rounds:
        folder(f"{scenario}-A2A_STREAM-r{number}.log", outcome, why, round=number, shown=shown, **facts)


def _asked(
    key: tuple[str, str, str], ids: str, last: str | None = "COMPLETED"
) -> Iterator[tuple[int, str, Any]]:
    """One round a toolCallId, and one more that completes without an interaction."""
    calls = ids.split()
    yield from ((n, "INTERACTION", {key: (f"call_00_{i}",)}) for n, i in enumerate(calls, 1))
    if last:
        yield len(calls) + 1, last, {}


_MASKED = ("delegation", "control", "masked")
_NATIVE = ("user_input", "control", "native")
_SMALL, _DA, _EDPA, _EXP = (
    "run-20260811-093000",
    "run-20260812-101500",
    "run-20260812-112000",
    "run-20260812-134500",
)

_sit(_SMALL, "DA-01", "deep-research", iter([(1, "COMPLETED", {})]), "no delegation")
_sit(
    _SMALL,
    "DA-09",
    "deep-research",
    iter([(1, "COMPLETED", _leaks("call_00_Zx0AbC", "call_01_Zx1AbC", "call_02_Zx2AbC"))]),
    "seed 000 2.1: one mirror of 3, content channel only, COMPLETED",
    masked="LEAK101",
)
_sit(_SMALL, "EDPA-03", "edpa", _asked(_MASKED, "Vv1", None), "seed 000 2.2: masked proxy")
_sit(_SMALL, "EXP-01", "expense-review", _asked(_NATIVE, "Qq1", None), "seed 000 2.3: native question")
_sit(_DA, "DA-01", "deep-research", iter([(1, "COMPLETED", {})]), "no delegation")
_FOUR = (
    "call_00_4e2076fefbb6e21b61 call_00_f47e911f6d926f3b74"
    " call_01_117f756e140768b437 call_02_d704d9ba9270dfb1ac"
)
_sit(
    _DA,
    "DA-09",
    "deep-research",
    iter([(1, "COMPLETED", _leaks(*_FOUR.split()))]),
    "seed 000 2.1, openjiuwen.md 4: 2 mirror frames, 3 + 1 calls, where a line grep says 4, 4, 6 and 2",
    masked="LEAK101",
)
for _scenario, _ids in (
    ("EDPA-01", "06c387d336c2d802df"),
    ("EDPA-03", "97c5b45ff3ecebdd4d ef7f0b4ff42a716f6b"),
    (
        "balanceThen",
        "7a522bb9e5ba41af85 dae04a153fdaac5414 21c0ac6cbd8abc1bfa 185caa946bf21ae8d7 d8ddba073efcaa06da"
        " 42bcdff05cf37a8151",
    ),
):
    _sit(
        _EDPA,
        _scenario,
        "edpa",
        _asked(_MASKED, _ids),
        "seed 000 2.2: masked proxies, call as in the marks; then the answer",
    )
for _scenario, _ids, _last in (
    (
        "EXP-01",
        "3e94bd7f8c6efcb5c8 eb83e8ad7e511937b3 b2565e33b148e6f48e 50c692b68441ffad65 69a3366fbee09b9e8d",
        None,
    ),
    (
        "EXP-02",
        "9d5cdff6428581be11 44a4402e08c49c1be9 6223060d496b095fda 809bb57e6a247cd478 c051d54e161c13482f",
        None,
    ),
    ("EXP-03", "782afa3bc57649774e 249bf6874a82cef9bd fe7d09cc7ce48f716b 80c88fd291364bdb0d", "COMPLETED"),
):
    _sit(
        _EXP,
        _scenario,
        "expense-review",
        _asked(_NATIVE, _ids, _last),
        "seed 000 2.3: request_user_input, 14 of 14 bound; EXP-03's last only talks about the tool",
    )
