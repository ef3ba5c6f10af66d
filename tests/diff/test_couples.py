"""Captures of two folders: the same request in the same place first, then the same place."""

from __future__ import annotations

from harness.diff.couples import couples
from harness.model.capture import Capture, Request


def capture(
    source: str, round: int = 1, leg: str = "client", asked: str = "", protocol: str | None = "A2A_STREAM"
):
    body = f'{{"params":{{"message":{{"parts":[{{"text":"{asked}"}}]}}}}}}'
    request = Request(body=body) if asked else None
    return Capture(
        source, source, "sse", scenario="S", round=round, leg=leg, protocol=protocol, request=request
    )


def sources(a, b) -> list[tuple[str | None, str | None]]:
    return [(one and one.source, other and other.source) for one, other in couples(a, b)]


def test_two_files_belong_together() -> None:
    assert sources([capture("x", 1)], [capture("y", 7, "other")]) == [("x", "y")]


def test_what_was_asked_decides_between_calls_of_one_agent() -> None:
    a = [
        capture("a1", leg="s", asked="A"),
        capture("a2", leg="s", asked="B"),
        capture("a3", leg="s", asked="C"),
    ]
    b = [
        capture("b1", leg="s", asked="C"),
        capture("b2", leg="s", asked="A"),
        capture("b3", leg="s", asked="D"),
    ]
    assert sources(a, b) == [("a1", "b2"), ("a2", "b3"), ("a3", "b1")]


def test_a_round_of_one_side() -> None:
    assert sources([capture("a1"), capture("a2", 2)], [capture("b1"), capture("b2", 2), capture("b3", 3)]) == [
        ("a1", "b1"), ("a2", "b2"), (None, "b3"),
    ]  # fmt: skip


def test_a_name_without_a_protocol() -> None:
    a, b = [capture("a1"), capture("a2", 2)], [capture("b1", protocol=None), capture("b2", 2)]
    assert sources(a, b) == [("a1", "b1"), ("a2", "b2")]
