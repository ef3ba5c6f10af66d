"""When a started system can be used: its health address, and how long one look may take."""

from __future__ import annotations

import pytest

from harness.live import ready
from harness.live.ready import Ready
from harness.scenario.sut import Sut, SutAgent
from tests.e2e.fault_server import FaultServer, Peer, Refusing

pytestmark = pytest.mark.usefixtures("no_hang")


def looked(url: str) -> tuple[bool, str]:
    asked = Ready(Sut("sut.yaml", (), ready_url=url))
    return asked.is_ready(), asked.lacks


@pytest.mark.parametrize(("status", "is_ready"), [(200, True), (404, True), (503, False)])
def test_the_status_decides(status: int, is_ready: bool) -> None:
    with FaultServer(lambda peer: peer.head(status, (("content-length", "0"),), chunked=False)) as agent:
        found, lacks = looked(agent.url)
    assert found is is_ready
    assert lacks == f"{agent.url}: HTTP {status}"


def test_a_body_without_an_end_is_an_answer() -> None:
    def endless(peer: Peer) -> None:
        peer.head()
        peer.until_left()

    with FaultServer(endless) as agent:
        assert looked(agent.url)[0]


def drips(peer: Peer) -> None:
    """A head that never comes to its end."""
    peer.send(b"HTTP/1.1 200 OK\r\nx-a: ")
    peer.until_left()


@pytest.mark.parametrize("script", [lambda peer: peer.until_left(), drips])
def test_one_look_ends(script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready, "_PATIENCE_S", 0.2)
    with FaultServer(script) as agent:
        found, lacks = looked(agent.url)
    assert not found
    assert lacks.endswith("no answer within 0.2 s")


def test_nobody_is_there() -> None:
    with Refusing() as agent:
        assert not looked(agent.url)[0]
        ports = Ready(Sut("sut.yaml", (SutAgent("entry", agent.url),)))
        assert not ports.is_ready()
        assert "refused" in ports.lacks
