"""Agent cards: what they declare, which calls they speak of (v1.0 section 8, v0.3 section 5.5)."""

import json
from typing import Any

import pytest

from harness.a2a.card import Card, is_card_path, read_card

V1 = {
    "name": "hotel",
    "supportedInterfaces": [
        {"url": "http://127.0.0.1:8080/rpc/", "protocolBinding": "JSONRPC"},
        {"url": "http://127.0.0.1:8080/rest", "protocolBinding": "HTTP+JSON"},
    ],
    "capabilities": {"streaming": True},
    "skills": [],
}
V03 = {"url": "http://h/a2a?x=1#y", "capabilities": {}, "skills": [], "protocolVersion": "0.3.0"}


@pytest.mark.parametrize(
    ("value", "card"),
    [
        (V1, Card(True, ("/rpc", "/rest"))),
        ({"jsonrpc": "2.0", "id": 1, "result": V1}, Card(True, ("/rpc", "/rest"))),
        (V03, Card(False, ("/a2a",))),
        ({**V1, "capabilities": {"streaming": False}}, Card(False, ("/rpc", "/rest"))),
        (
            {name: value for name, value in V1.items() if name != "capabilities"},
            Card(None, ("/rpc", "/rest")),
        ),
        ({**V1, "supportedInterfaces": []}, None),
        ({"url": "http://h/"}, None),
        ([], None),
        ("x", None),
    ],
)
def test_what_a_card_declares(value: Any, card: Card | None) -> None:
    assert read_card(json.dumps(value)) == card


def test_what_is_no_json_is_no_card() -> None:
    assert read_card("<html>") is None


@pytest.mark.parametrize(
    ("target", "paths", "own"),
    [
        ("/rpc", ("/rpc",), True),
        ("/rpc/", ("/rpc",), True),
        ("/rest/message:stream?x=1", ("/rpc", "/rest"), True),
        ("/rpcs", ("/rpc",), False),
        ("/other", ("/rpc",), False),
        ("/any/where", ("",), True),
        ("http://h/rpc", ("/rpc",), True),
    ],
)
def test_whose_call_it_is(target: str, paths: tuple[str, ...], own: bool) -> None:
    assert Card(False, paths).is_of(target) is own


@pytest.mark.parametrize(
    ("target", "asks"),
    [
        ("/.well-known/agent-card.json", True),
        ("/hotel/.well-known/agent.json?x", True),
        ("/v1/card", True),
        ("/extendedAgentCard", True),
        ("/rpc", False),
        ("/postcard", False),
    ],
)
def test_requests_for_a_card(target: str, asks: bool) -> None:
    assert is_card_path(target) is asks
