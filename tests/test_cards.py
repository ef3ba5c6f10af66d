"""Agent cards beside the rounds of a run folder: found by their request, given to the calls of their agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness import cards
from harness.capture.naming import Name
from harness.capture.store import Writer
from harness.model.capture import Head, Request
from harness.model.verdict import Report
from harness.pipeline import Options, check
from harness.rules.example import rpc_error, status, task

SEND = {"jsonrpc": "2.0", "id": "r-1", "method": "SendStreamingMessage", "params": {"message": {"parts": []}}}
STREAM = (task(), status("completed"))


def card(streaming: Any, path: str = "/") -> dict[str, Any]:
    return {
        "supportedInterfaces": [{"url": f"http://127.0.0.1:9{path}"}],
        "capabilities": {"streaming": streaming},
        "skills": [],
    }


def exchange(folder: Path, name: Name, request: Request, body: str, kind: str, status: int = 200) -> None:
    with Writer(str(folder), name, request, 1) as writer:
        writer.response(Head(status, (("content-type", kind),)), 2)
        writer.chunk(3, body.encode())
        writer.seal("clean", 4)


def fetched(
    folder: Path,
    value: Any,
    *,
    leg: str = "client",
    target: str = "/.well-known/agent-card.json",
    **more: Any,
) -> None:
    request = Request("GET", target)
    exchange(folder, Name("other", "OTHER", 0, leg), request, json.dumps(value), "application/json", **more)


def called(folder: Path, *frames: Any, leg: str = "client", target: str = "/") -> None:
    request = Request("POST", target, (("a2a-version", "1.0"),), json.dumps(SEND))
    body = "".join(f"data: {json.dumps(frame)}\n\n" for frame in frames)
    exchange(folder, Name("DA-1", "A2A_STREAM", 1, leg), request, body, "text/event-stream")


def judged(folder: Path) -> Report:
    return check([str(folder)], Options(contract="a2a", only=("NEG903",)))


def said(folder: Path) -> list[str]:
    """For each round a finding's message, the reason for which it was not checked, or `passed`."""
    return [
        one.findings[0].message
        if one.findings
        else one.not_checked[0].reason
        if one.not_checked
        else "passed"
        for one in judged(folder).rounds
    ]


ANSWERED = "the card declares no streaming, and the call was answered"
UNKNOWN = "no card of the agent was recorded beside it"


def test_a_card_speaks_of_the_calls_of_its_leg(tmp_path: Path) -> None:
    fetched(tmp_path, card(False))
    called(tmp_path, *STREAM)
    called(tmp_path, *STREAM, leg="hotel")
    assert said(tmp_path) == [ANSWERED, UNKNOWN]
    assert judged(tmp_path).not_captures == 1, "the card is no round, and is counted"


def test_a_card_speaks_of_its_own_addresses(tmp_path: Path) -> None:
    fetched(tmp_path, card(False, "/hotel"), target="/hotel/.well-known/agent-card.json")
    called(tmp_path, *STREAM, target="/train")
    assert said(tmp_path) == [UNKNOWN]
    called(tmp_path, *STREAM, target="/hotel/")
    assert sorted(said(tmp_path)) == sorted([UNKNOWN, ANSWERED])


@pytest.mark.parametrize(
    ("value", "frames", "told"),
    [
        (card(True), STREAM, "passed"),
        (card(None), STREAM, ANSWERED),
        (card(False), (rpc_error(-32004),), "passed"),
        (card(False), (rpc_error(-32601),), "the card declares no streaming; the call was refused with -32601, not with -32004"),
        (card(False), (rpc_error(-32602),), "the call was not answered, or refused for another reason"),
        ({**card(False), "capabilities": None}, STREAM, "the card declares no capabilities"),
        ({"hello": "there"}, STREAM, UNKNOWN),
    ],
)  # fmt: skip
def test_what_the_card_says_of_streaming(tmp_path: Path, value: Any, frames: Any, told: str) -> None:
    fetched(tmp_path, value)
    called(tmp_path, *frames)
    assert said(tmp_path) == [told]


def test_cards_that_differ_say_nothing(tmp_path: Path) -> None:
    fetched(tmp_path, card(False))
    fetched(tmp_path, card(True))
    called(tmp_path, *STREAM)
    assert said(tmp_path) == [UNKNOWN]


def test_only_an_answer_of_200_holds_a_card(tmp_path: Path) -> None:
    fetched(tmp_path, card(False), status=404)
    called(tmp_path, *STREAM)
    assert said(tmp_path) == [UNKNOWN]


def test_a_card_beyond_the_bound_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "MOST", 20)
    fetched(tmp_path, card(False))
    called(tmp_path, *STREAM)
    assert said(tmp_path) == [UNKNOWN]


def test_a_call_that_is_no_streaming_call(tmp_path: Path) -> None:
    fetched(tmp_path, card(False))
    request = Request("POST", "/", (), json.dumps({**SEND, "method": "SendMessage"}))
    answer = json.dumps(status("completed"))
    exchange(tmp_path, Name("DA-1", "A2A_SYNC"), request, answer, "application/json")
    assert said(tmp_path) == ["the request is no streaming call"]


def test_other_exchanges_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither those that ask for no card, nor any where the rule was not chosen."""

    def read(*_: Any) -> None:
        raise AssertionError("it was read")

    monkeypatch.setattr(cards, "Body", read)
    fetched(tmp_path, {"ok": True}, target="/health")
    called(tmp_path, *STREAM)
    assert said(tmp_path) == [UNKNOWN]
    fetched(tmp_path, card(False))
    check([str(tmp_path)], Options(only=("LEAK", "END")))
    with pytest.raises(AssertionError, match="was read"):
        judged(tmp_path)
