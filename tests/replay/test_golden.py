"""The law over every golden capture: a plain client gets what was recorded, cut where it was cut."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import httpx
import pytest

from harness.capture.discover import find
from harness.capture.files import Body
from harness.model.capture import Capture
from harness.replay import Server
from harness.replay.projection import frames, projected

GOLDEN = Path(__file__).parents[2] / "captures" / "golden"


@cache
def captures() -> tuple[Capture, ...]:
    return tuple(one for one in find([str(GOLDEN)]).captures if one.told is None)


def replayed(capture: Capture) -> tuple[bytes, bool]:
    """The body as a plain client reads it, and whether it was cut."""
    request, got = capture.request, b""
    with Server([capture], speed=0, hold_s=0) as server, httpx.Client(base_url=server.address) as client:
        method, target = (request.method, request.target) if request else (None, None)
        body = (request.body if request else None) or ""
        try:
            with client.stream(method or "POST", target or "/a2a", content=body) as answer:
                assert answer.status_code == (capture.head.status if capture.head else 200)
                for chunk in answer.iter_raw():
                    got += chunk
        except httpx.RemoteProtocolError:
            return got, True
    return got, False


def hold(some: list[Capture]) -> None:
    for capture in some:
        got, cut = replayed(capture)
        if projected(capture):
            data = [frame.data.encode() for frame in frames(capture)]
            assert got.count(b"\n\n") == len(data) and all(one in got for one in data), capture.source
        else:
            assert got == b"".join(Body(capture).chunks()), capture.source
        if capture.ending in ("upstream_cut", "clean", "unknown"):
            assert cut == (capture.ending == "upstream_cut"), capture.source


def test_one_of_each_kind() -> None:
    kinds = {(one.group, one.framing, one.ending, one.head is None): one for one in captures()}
    assert len(kinds) > 15
    hold(list(kinds.values()))


@pytest.mark.slow
def test_every_golden_capture() -> None:
    assert len(captures()) > 350
    hold(list(captures()))
