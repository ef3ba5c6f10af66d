"""RPC rules: ids by exact value and type, and errors of every shape (a2a.md R01 to R06)."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from harness.rules.example import Example, rpc_error, status, task
from harness.rules.rpc_id import same
from tests.rules.protocol import judge

RESULT = status("completed")["result"]


def echo(asked: str | None, answered: str | None, error: bool = False) -> Example:
    """Ids as JSON text; None: no member."""
    said = '"error":{"code":-32603,"message":"x"}' if error else f'"result":{json.dumps(RESULT)}'
    own = "" if answered is None else f'"id":{answered},'
    frame = f'data: {{"jsonrpc":"2.0",{own}{said}}}\n\n'
    theirs = "" if asked is None else f'"id":{asked},'
    request = f'{{"jsonrpc":"2.0",{theirs}"method":"SendStreamingMessage","params":{{}}}}'
    return Example((frame,), request=request)


@pytest.mark.parametrize(
    ("asked", "answered", "is_found"),
    [
        ("7", "7", False), ("7", "7.0", False), ("7", "7.00", False), ("7", "70e-1", False), ('"7"', '"7"', False),
        ('""', '""', False), ("0", "-0.0", False), ("1.234567890123E12", "1234567890123", False),
        ("7", '"7"', True), ('"7"', "7", True), ("1.5", "1", True),
        ("9007199254740993", "9007199254740993", False),
        ("9007199254740993", "9.007199254740993E15", False),
        ("9007199254740993", "9.007199254740992E15", True),
        ("9007199254740992", "9007199254740992.0000001", True),
        ("7", "null", True), ("7", None, True), ('"a"', None, True),
        ("null", "null", False), ("null", None, False), ("null", "7", True),
        ('{"a":1}', None, False), ('{"a":1}', "null", False), ("true", "null", False), ("true", '"true"', True),
        ("true", "true", False), ("1", "true", True), ("[1]", "1", True),
    ],
)  # fmt: skip
def test_ids(asked: str, answered: str | None, is_found: bool) -> None:
    assert ("RPC302" in judge(echo(asked, answered)).findings) is is_found


def test_a_request_without_an_id_is_not_checked() -> None:
    for request in (None, "hello", '{"jsonrpc":"2.0","method":"SendStreamingMessage"}'):
        assert "RPC302" in judge(Example((task(), status("completed")), request=request)).not_checked
    assert "RPC302" in judge(Example((task(),)), rebuilt=True).not_checked


@pytest.mark.parametrize("value", [None, True, 0, 0.0, "", [], {}, Decimal(0)])
def test_same_takes_anything(value: Any) -> None:
    for other in (None, True, 0, "", [], {}, Decimal(0)):
        assert same(value, other) in (True, False)


@pytest.mark.parametrize(
    ("frame", "codes"),
    [
        (rpc_error(), ""),
        (rpc_error(-32603.0), ""),
        (rpc_error(-1), ""),
        (rpc_error(-32000), ""),
        (rpc_error(-32042), "RPC304"),
        (rpc_error(True), "RPC304"),
        (rpc_error("x"), "RPC304"),
        (rpc_error(message=None), "RPC304"),
        ({**rpc_error(), "error": "boom"}, "RPC304"),
        (rpc_error(data=[]), ""),
        (rpc_error(data={}), ""),
        (rpc_error(details={"businessCode": "X"}), ""),
        (rpc_error(data="x"), "RPC305"),
        (rpc_error(data=[{"@type": ""}]), "RPC305"),
        (rpc_error(data=[7]), "RPC305"),
        (rpc_error(data=7), "RPC305"),
        ({**status("completed"), "error": None}, "RPC303"),
        ({**status("completed"), "error": {}}, ""),
        ({"jsonrpc": "2.0", "id": "r-1", "result": None}, ""),
        ({"jsonrpc": "2.0", "id": "r-1"}, "RPC303"),
        ({"jsonrpc": "2.0", "id": "r-1", "method": "notify"}, "RPC303"),
        ({**status("completed"), "jsonrpc": 2.0}, "RPC301"),
        ({"id": "r-1", "result": RESULT}, "RPC301"),
        (RESULT, "RPC301"),
    ],
)
def test_one_frame(frame: Any, codes: str) -> None:
    found = {code for code in judge(Example((task(), frame))).findings if code.startswith("RPC")}
    assert found == set(codes.split())


def test_a_refused_version_is_known_to_every_version() -> None:
    old = {"jsonrpc": "2.0", "id": "r-1", "method": "message/stream"}
    assert "RPC304" not in judge(Example((rpc_error(-32009),), request=old)).findings
    assert "RPC304" in judge(Example((rpc_error(-32008),), request=old)).findings


def test_rest_streams_have_no_envelope() -> None:
    frames = (task()["result"], status("completed")["result"])
    judged = judge(Example(frames, request=None, target="/message:stream"))
    assert not {code for code in judged.findings if code.startswith("RPC")}


def test_what_follows_an_error_frame() -> None:
    assert judge(Example((task(), rpc_error(), task(), task()))).findings["RPC306"].times == 2
    assert "RPC306" not in judge(Example((task(), rpc_error(), "data: [DONE]\n\n"))).findings


def test_bare_results_in_a_file_of_lines_need_no_envelope() -> None:
    judged = judge(Example((task()["result"], status("completed")["result"]), request=None, framing="jsonl"))
    assert not {code for code in judged.findings if code.startswith("RPC")}
