"""The protocol rules on the recorded official servers.

A well-behaved agent gives no error in any dialect, on any official SDK; faults that are true
ones are found, and nothing else is (wire/a2a.md sections 0, 1.4, 2; java-sdk.md).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from harness.capture.discover import find
from harness.capture.files import Body
from tests.rules.protocol import Judged, judge_capture

GOLDEN = Path("captures/golden")
PY, JS, JAVA, OJ = "a2a-sdk-1.3.0", "a2a-js-sdk-1.3.0", "a2a-java-sdk-1.0.0", "openjiuwen-on-java-sdk"
GOOD = frozenset(
    "complete ask asktext askfinal auth fail failbare reject canceled msg msgtask taskfirst unicode numbers meta file "
    "slow3".split()
)


@cache
def judged(path: str) -> Judged:
    (capture,) = find([str(GOLDEN / path)]).captures
    return judge_capture(capture, b"".join(Body(capture).chunks()))


def names(folder: str) -> list[str]:
    return sorted(path.name for path in (GOLDEN / folder).glob("*.body"))


WELL_BEHAVED = [
    f"{folder}/{name}"
    for folder in (PY, JS, JAVA, OJ)
    for name in names(folder)
    if name.removesuffix(".body").rpartition("_")[2] in GOOD and name.startswith(("v1_", "v03_"))
]


def test_the_well_behaved_captures_are_all_there() -> None:
    assert len(WELL_BEHAVED) >= 60


@pytest.mark.parametrize("path", WELL_BEHAVED)
def test_a_well_behaved_server_gives_no_error(path: str) -> None:
    assert judged(path).errors() == set()


TRUE_ERRORS = {
    **{f"{PY}/{b}_after.body": "ORD507" for b in ("v1_rpc", "v1_rest", "v03_rpc", "v03_rest")},
    **{f"{PY}/{b}_drop.body": "ORD506" for b in ("v1_rpc", "v1_rest", "v03_rpc", "v03_rest")},
    **{f"{PY}/v03_rest_{c}.body": "HTTP103" for c in ("raise", "raisea2a", "msgintask", "orphan", "wrongid")},
    **{f"{JS}/{b}_drop.body": "ORD506" for b in ("v1_rpc", "v1_rest")},
    **{f"{JS}/{b}_wrongid.body": "IDS601" for b in ("v1_rpc", "v1_rest")},
    **{f"{JAVA}/v1_rpc_{c}.body": "ORD506" for c in ("drop", "nostart")},
    f"{JAVA}/x_v1_drop_state.body": "ORD506",
    f"{JAVA}/v1_rpc_nothing.body": "HTTP104",
    f"{JAVA}/v1_rpc_msgintask.body": "ORD504 ORD506",
    **{f"{JAVA}/v1_rpc_{c}.body": "HTTP103" for c in ("cut", "nan")},
    **{f"{JAVA}/x_v1_id_{c}.body": "RPC302" for c in ("bigint", "bool", "float", "numstr", "p53")},
    **{
        f"{JAVA}/x_v1_{c}.body": "RPC302"
        for c in (
            "ctx_mismatch",
            "echo_numbers",
            "noparams",
            "send_terminal",
            "sub_terminal",
            "sub_unknown",
            "unknown_task",
        )
    },
    **{f"{OJ}/v1_a2a_{c}.body": "ORD506" for c in ("drop", "nostart")},
    f"{OJ}/x_v1_drop_state.body": "ORD506",
    f"{OJ}/v1_a2a_nothing.body": "HTTP104",
    f"{OJ}/v1_a2a_msgintask.body": "ORD504 ORD506",
    **{
        f"{OJ}/v1_a2a_{c}.body": "HTTP103"
        for c in ("after2", "failerr", "nan", "raise", "raisea2a", "raiseerror", "wrongid")
    },
    f"{OJ}/x_v1_raise_state.body": "HTTP103",
    **{f"{OJ}/x_v1_id_{c}.body": "RPC302" for c in ("p53",)},
}


@pytest.mark.parametrize(
    "path", [f"{folder}/{name}" for folder in (PY, JS, JAVA, OJ) for name in names(folder)]
)
def test_the_errors_of_every_recorded_server(path: str) -> None:
    assert judged(path).errors() == set(TRUE_ERRORS.get(path, "").split())


@pytest.mark.parametrize(
    ("path", "code", "weight"),
    [
        (f"{JAVA}/v1_rpc_complete.body", "ORD501", "warning"),
        (f"{PY}/x_v1_ask_turn2.body", "ORD501", "info"),
        (f"{PY}/v1_rpc_latechunk.body", "ART702", "warning"),
        (f"{PY}/v1_rpc_after.body", "ORD509", "warning"),
        (f"{PY}/v03_rpc_after.body", "ORD510", "warning"),
        (f"{JS}/v1_rpc_raise0.body", "ORD507", "warning"),
        (f"{JS}/v1_rest_orphan.body", "ART701", "warning"),
        (f"{JS}/v1_rest_orphan.body", "ART704", "warning"),
        (f"{JAVA}/v1_rpc_msgintask.body", "SHP411", "warning"),
        (f"{JAVA}/x_v1_ask_turn1_open.body", "ORD509", "info"),
        (f"{JAVA}/y_v1_idle40.body", "ART706", "info"),
        (f"{OJ}/oj_plain.body", "SSE205", "info"),
        (f"{OJ}/oj_plain.body", "NEG905", "info"),
        (f"{OJ}/oj_remote_events_g3_agentEvent.body", "ART701", "warning"),
        ("openjiuwen-shape/jsonrpc_errors.jsonl", "RPC306", "warning"),
        ("openjiuwen-shape/plain.sse", "SHP409", "error"),
        ("ai-sdk-7.0.173/agent_invoke_ok.body", "SSE202", "warning"),
    ],
)
def test_milder_findings(path: str, code: str, weight: str) -> None:
    assert judged(path).weight(code) == weight


@pytest.mark.parametrize(
    ("path", "codes"),
    [
        (f"{JAVA}/x_v1_id_absent.body", "RPC302"),
        (f"{JAVA}/x_v1_get_complete.body", "SHP401 ORD506 HTTP101"),
        (f"{PY}/x_v1_sub_unknown.body", "ORD501 SHP407 IDS601 ART701 NEG902"),
        ("sit-logs/run-20260811-093000/DA-01-A2A_STREAM-r1.log", "RPC302 SSE201 HTTP103 HTTP104 NEG905"),
        (f"{PY}/v1_rpc_complete.body", "NEG902 NEG906 ORD508 ART707"),
    ],
)
def test_what_a_capture_can_not_tell_is_not_checked(path: str, codes: str) -> None:
    assert set(codes.split()) <= set(judged(path).not_checked)


def test_rebuilt_logs_have_only_their_offset_as_an_error() -> None:
    for path in sorted((GOLDEN / "sit-logs").rglob("*.log")):
        assert judged(str(path.relative_to(GOLDEN))).errors() == {"SHP409"}, path


def test_chunk_streams_are_not_judged_by_the_protocol() -> None:
    for path in (GOLDEN / "openjiuwen-python").glob("py_*.jsonl"):
        assert not judged(str(path.relative_to(GOLDEN))).findings
