"""The rules that no golden capture exercises, each with its reason; every other rule bites somewhere here."""

from collections.abc import Callable
from typing import Any

from harness.rules.registry import CODES

GOLDEN = "captures/golden"

TOLD_BY_CONTRACT = "the contract rule is told instead and names it (semantics 4): "
TWO_STREAMS = "the recorded streams of one task show the same (test_two_streams.py)"

SEVERAL_LEGS = "needs the legs to model and remote agents side by side (tests/legs has a run folder for each)"
SCENARIO = "speaks only where a scenario is given (tests/legs)"

NOT_EXERCISED = {
    **dict.fromkeys(("WAIV101", "WAIV102", "WAIV103"), "no stream shows what is wrong with a waivers file"),
    "LEAK103": "runtime.* keys stand only in a request (resume_requests.jsonl); no stream shows any",
    "LEAK104": "no capture holds a Java toString of an internal object",
    "LEAK105": "no capture has an _interrupt_kind beyond the three known ones",
    "MASK201": "every recorded proxy item has exactly toolCallId, toolName, message",
    "MASK202": "every recorded proxy's toolCallId is that of the remote-output marks",
    "BIND301": "every native question names ask_user or request_user_input",
    "BIND302": "the same call always carries the same content",
    "END501": "each INPUT_REQUIRED without a text comes with interactions (a2a_stock_delegate3)",
    "RES601": "every resume keeps task and context",
    "RES602": "targeted and untargeted answers are never mixed",
    **dict.fromkeys(("STEER101", "DEL103"), SEVERAL_LEGS),
    **dict.fromkeys(("STEER102", "DEL102"), SCENARIO),
    **dict.fromkeys((f"SCN10{number}" for number in range(1, 7)), SCENARIO),
    "HTTP101": "no success came with another media type",
    "HTTP102": "no streaming call was answered with a JSON result",
    "HTTP103": TOLD_BY_CONTRACT + "END505",
    "HTTP106": "recorded REST error bodies repeat the status; those without ErrorInfo are no A2A errors",
    "SSE201": "no dispatched frame holds broken JSON; the half frame of v1_rpc_cut is never dispatched",
    "SSE204": "all bytes are valid UTF-8",
    "RPC301": "every envelope says 2.0",
    "RPC303": "every envelope has exactly one of result and error",
    "RPC304": "every error has an integer code known for its version",
    "RPC305": "v1 error.data is always an array with @type; jsonrpc_errors.jsonl does not tell its version",
    "SHP401": "every result has exactly one known member",
    "SHP402": "every v0.3 result has a known kind",
    "SHP403": "no v1.0 member has a kind",
    "SHP404": "no stream changes its dialect, or answers in another than was asked",
    "SHP405": "every state is of the enum",
    "SHP406": "no snake_case name outside of data",
    "SHP407": "no required field is empty",
    "SHP408": "every part has exactly one content",
    "ORD502": "every subscription opens with a Task",
    "ORD503": "each Message stream is one Message",
    "ORD505": "no stream has a second Task",
    "ORD506": TOLD_BY_CONTRACT + "END502",
    "ORD508": "needs the time of the close after the end; curl recorded no times",
    "ORD511": "final:true stands on terminal states only",
    "ORD512": "every v0.3 terminal state has final:true",
    "IDS602": "contextId never changes inside a stream",
    "IDS603": TOLD_BY_CONTRACT + "RES601, and every resume keeps its task",
    "IDS604": "no run folder reuses a task without continuing it",
    "ART705": "no append chunk repeats the whole text",
    "ART707": "the one Task that was asked for after its stream has what was streamed (test_two_streams.py)",
    "MUL801": TWO_STREAMS,
    "MUL802": "needs the times of the closes; curl recorded no times",
    "MUL803": TWO_STREAMS,
    "NEG901": "subscribing to an ended or unknown task was refused rightly, or the task's state is unknown",
    "NEG902": "request headers were not recorded",
    "NEG903": "agent cards were not recorded",
    "NEG904": "every AUTH_REQUIRED carries a message",
    "NEG906": "needs chunk times; curl recorded none",
}


def test_rules_without_a_golden_capture(check: Callable[..., Any]) -> None:
    bitten: set[str] = set()
    for contract in ("masked", "symmetric", "unified", "a2a"):
        report = check("--contract", contract, GOLDEN).report
        bitten |= {f["rule"] for r in report["rounds"] for f in r["findings"]}
        bitten |= {f["rule"] for f in report["findings"]}
    assert set(CODES) - bitten == set(NOT_EXERCISED)


def test_principles_have_no_code() -> None:
    assert not {"HTTP105", "SHP410"} & set(CODES)  # T05 and P10, semantics 4


def test_each_reason_is_told_of_a_rule_that_exists() -> None:
    assert set(NOT_EXERCISED) <= set(CODES)
    assert all(NOT_EXERCISED.values())
