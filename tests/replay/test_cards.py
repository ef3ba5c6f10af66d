"""Addresses of agent cards name the replay; no other byte changes."""

from __future__ import annotations

import json

import pytest

from harness.replay.cards import edits_of

ORIGIN = "http://127.0.0.1:7"


def rewritten(body: bytes) -> bytes:
    out, done = b"", 0
    for edit in edits_of(body, ORIGIN):
        out += body[done : edit.at] + edit.new
        done = edit.at + edit.old
    return out + body[done:]


V1 = {
    "name": "a",
    "description": "see http://agent:8191/a2a",
    "supportedInterfaces": [
        {"url": "http://agent:8191/a2a", "protocolBinding": "JSONRPC"},
        {"url": "https://agent:8443/v1/", "protocolBinding": "HTTP+JSON"},
        {"url": "agent:50051", "protocolBinding": "GRPC"},
    ],
    "provider": {"url": "http://provider.example/"},
}
V03 = {
    "url": "http://agent:8191",
    "capabilities": {},
    "additionalInterfaces": [{"url": "http://agent:8191/rest?x", "transport": "HTTP+JSON"}],
}


@pytest.mark.parametrize("dump", [json.dumps, lambda v: json.dumps(v, indent=2).replace("/", "\\/")])
def test_v1_interfaces(dump) -> None:
    card = json.loads(rewritten(dump(V1).encode()))
    assert [one["url"] for one in card["supportedInterfaces"]] == [
        f"{ORIGIN}/a2a",
        f"{ORIGIN}/v1/",
        "agent:50051",
    ]
    assert card["provider"] == V1["provider"]
    assert card["description"] == V1["description"]


def test_v03_url_and_additional_interfaces() -> None:
    card = json.loads(rewritten(json.dumps(V03).encode()))
    assert card["url"] == ORIGIN
    assert card["additionalInterfaces"][0]["url"] == f"{ORIGIN}/rest?x"


def test_a_card_as_a_result() -> None:
    answer = json.loads(rewritten(json.dumps({"jsonrpc": "2.0", "id": 1, "result": V03}).encode()))
    assert answer["result"]["url"] == ORIGIN


@pytest.mark.parametrize("body", [b"", b"{}", b"[1]", b"no json", b'{"url": "http://agent/x"}', b"\xff\xfe"])
def test_what_is_no_card_is_left_alone(body: bytes) -> None:
    assert edits_of(body, ORIGIN) == []
