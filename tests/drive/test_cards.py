"""What an agent speaks, by its card."""

from __future__ import annotations

import contextlib
import json

import pytest

from harness.drive.cards import protocols, spoken
from harness.drive.values import Target
from tests.drive.conftest import CONTEXT, HEAD, run, sent, streamed
from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.frames import stream

pytestmark = pytest.mark.usefixtures("no_hang")

TARGET = Target("http://127.0.0.1:1/a2a", "auto", (("X-A", "b"),))
NEW = {"url": "http://127.0.0.1:1/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
REST = {"url": "http://127.0.0.1:1/", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
FAR = {**NEW, "url": "http://elsewhere/rpc"}
OLD = {"url": "http://127.0.0.1:1/old", "protocolVersion": "0.3.0", "preferredTransport": "JSONRPC"}


@pytest.mark.parametrize(
    ("card", "protocol", "url"),
    [
        ({"supportedInterfaces": [REST, NEW]}, "v1.0", "http://127.0.0.1:1/rpc"),
        ({"supportedInterfaces": [{**NEW, "protocolVersion": "0.3"}]}, "v0.3", "http://127.0.0.1:1/rpc"),
        ({"supportedInterfaces": [NEW], **OLD}, "v1.0", "http://127.0.0.1:1/rpc"),
        (OLD, "v0.3", "http://127.0.0.1:1/old"),
        ({"supportedInterfaces": [FAR]}, "v1.0", TARGET.url),
        ({"supportedInterfaces": [REST]}, None, None),
        ({"supportedInterfaces": [{**NEW, "protocolVersion": "2.0"}]}, None, None),
        ({**OLD, "preferredTransport": "GRPC"}, None, None),
        ({"supportedInterfaces": 1}, None, None),
        ([], None, None),
    ],
)
def test_the_card_decides(card: object, protocol: str | None, url: str | None) -> None:
    found = spoken(card, TARGET)
    assert found == (None if protocol is None else Target(url or "", protocol, TARGET.headers))


@pytest.mark.parametrize(("asked", "url"), [("", "/rpc"), ("/", "/rpc"), ("/a2a", "/a2a")])
def test_behind_another_host_name_the_path_is_the_cards(asked: str, url: str) -> None:
    found = spoken({"supportedInterfaces": [FAR]}, Target("http://127.0.0.1:1" + asked, "auto"))
    assert found == Target("http://127.0.0.1:1" + url, "v1.0")


def test_a_protocol_that_was_chosen_is_looked_for() -> None:
    both = {"supportedInterfaces": [NEW, {**NEW, "protocolVersion": "0.3"}]}
    assert protocols(both) == ("v1.0", "v0.3")
    assert protocols(OLD) == ("v0.3",)
    for chosen in ("v1.0", "v0.3"):
        found = spoken(both, TARGET._replace(protocol=chosen))
        assert found is not None
        assert found.protocol == chosen
    assert spoken(OLD, TARGET._replace(protocol="v1.0")) is None


def with_card(text: bytes, status: int = 200):
    def script(peer: Peer) -> None:
        if peer.request.startswith(b"GET"):
            head = (("content-type", "application/json"), ("content-length", str(len(text))))
            peer.head(status, head, chunked=False)
            peer.send(text)
        else:
            streamed(*stream(CONTEXT))(peer)

    return script


def test_the_driver_asks_the_card_once() -> None:
    card = json.dumps({**OLD, "url": "http://elsewhere/"}).encode()
    with FaultServer(with_card(card)) as agent:
        driven = run(agent.url + "/a2a", "  - send: one\n", protocol="auto")
    assert driven.rounds[0].end == "over"
    assert [one.split(b"\r\n")[0].split()[1] for one in agent.requests] == [
        b"/.well-known/agent-card.json",
        b"/a2a",
    ]
    assert sent(agent.requests[1])["method"] == "message/stream"


@pytest.mark.parametrize(("text", "status"), [(b"<html>", 200), (b"{}", 404), (b"{}", 200)])
def test_without_a_card_nothing_is_sent(text: bytes, status: int, steps) -> None:
    with FaultServer(with_card(text, status)) as agent:
        driven = run(agent.url, "  - send: one\n  - answer: two\n", protocol="auto", on_progress=steps.append)
    assert [one.end for one in driven.rounds] == ["not_sent"] * 2
    assert driven.rounds[0].text.startswith("no agent card tells what it speaks: http://127.0.0.1")
    assert [one.what for one in steps] == ["ended"] * 2
    assert {one.split(b" ")[0] for one in agent.requests} == {b"GET"}


def test_a_card_without_an_end_is_not_read_to_its_end() -> None:
    def endless(peer: Peer) -> None:
        peer.head()
        with contextlib.suppress(OSError):
            while True:
                peer.chunk(b" " * 65536)

    with FaultServer(endless) as agent:
        driven = run(agent.url, "  - send: one\n", protocol="auto")
    assert "HTTP 200, no card" in driven.rounds[0].text


def test_a_card_that_does_not_come_in_time_is_told() -> None:
    with FaultServer(lambda peer: peer.until_left()) as agent:
        driven = run(agent.url, "  - send: one\n", protocol="auto", head=HEAD.replace("20", "0.2"))
    assert driven.rounds[0].text == "no agent card tells what it speaks: no answer within 0.2 s"
