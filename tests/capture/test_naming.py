"""What a capture's name tells (semantics section 1)."""

from __future__ import annotations

import pytest

from harness.capture.naming import Name, parse, split

NAMES = [
    ("DA-09-A2A_STREAM-r1", Name("DA-09", "A2A_STREAM", 1)),
    ("balanceThen-A2A_STREAM-r12", Name("balanceThen", "A2A_STREAM", 12)),
    ("DA-09-A2A_STREAM-r1.client", Name("DA-09", "A2A_STREAM", 1, "client")),
    ("DA-09-A2A_STREAM-r1.search-agent.1", Name("DA-09", "A2A_STREAM", 1, "search-agent")),
    ("DA-09-A2A_STREAM-r1.llm.12", Name("DA-09", "A2A_STREAM", 1, "llm")),
    ("DA-09-A2A_STREAM-r2-tc07", Name("DA-09", "A2A_STREAM", 2)),
    ("DA-09-A2A_STREAM-r2-tc-0a1b2c3d", Name("DA-09", "A2A_STREAM", 2)),
    ("S-REST_QUERY-r3", Name("S", "REST_QUERY", 3)),
    ("a-b-c-A2A-r1", Name("a-b-c", "A2A", 1)),
    ("会话-A2A_STREAM-r1", Name("会话", "A2A_STREAM", 1)),
    ("session-r2", Name("session-r2", None, 2)),
    ("v1_rpc_ask", Name("v1_rpc_ask")),
    ("x-A2A_STREAM-rx", Name("x-A2A_STREAM-rx")),
    ("-", Name("-")),
    ("", Name("")),
]


@pytest.mark.parametrize(("stem", "name"), NAMES)
def test_names(stem: str, name: Name) -> None:
    assert parse(stem) == name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("a.sse", ("a", ".sse")),
        ("a.b.sse.gz", ("a.b", ".sse")),
        ("a.body.zst", ("a", ".body")),
        ("a.request.json", ("a", ".request.json")),
        ("a.json", ("a", ".json")),
        ("a", ("a", "")),
        (".sse", (".sse", "")),
        (".gz", (".gz", "")),
        ("a.gz", ("a", "")),
    ],
)
def test_split(name: str, parts: tuple[str, str]) -> None:
    assert split(name) == parts


def test_a_long_name_costs_nothing() -> None:
    assert parse("-A" * 20_000) == Name("-A" * 20_000)
