"""The versatile adapter: streams, waits without saying for what, goes on with any text."""

from __future__ import annotations

from tests.testbed.core.playing import playing


def test_it_streams_and_waits():
    """Form k: no message, no interrupt."""
    with playing(None, "versatile-adapter", asks=2) as player:
        first = player.says("查询余额")
        second = player.resumed({"": "账户 1"})
        last = player.resumed({"": "今天"})
    assert first.of("llm_output")
    assert first.end == second.end == {"type": "input_required", "index": 0, "payload": {}}
    assert last.end["type"] == "answer"
    for text in ("查询余额", "账户 1", "今天", "88.00"):
        assert text in last.end["payload"]["output"]
