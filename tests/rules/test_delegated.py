"""Delegations and what became of them: ids, history that is repeated, calls that are made again, overlap in time."""

from __future__ import annotations

from typing import Any

import pytest

from harness.llm import Message, ModelCall, ToolCall
from harness.rules.delegated import chains, delegations, holds, leaves, open_at_once, openings
from harness.rules.legs import Conversation, RemoteCall

TOOLS = {"search-agent": "search", "verify-agent": "verify-agent"}


def model(*calls: ToolCall, history: tuple[ToolCall, ...] = (), round: int = 1) -> ModelCall:
    messages = (Message("assistant", "", None, history),) if history else ()
    return ModelCall("m", "run", "S-1", round, messages, calls=calls)


def tool(id: str | None, name: str = "search-agent", arguments: str = '{"q":"A"}') -> ToolCall:
    return ToolCall(id, name, arguments)


def remote(text: str = "A", **more: Any) -> RemoteCall:
    return RemoteCall(more.pop("source", "r"), more.pop("leg", "search"), 1, text, **more)


def talk(*models: ModelCall) -> Conversation:
    return Conversation("run", "S-1", models=models, tools=TOOLS)


def test_only_tools_that_are_remote_agents_delegate() -> None:
    found = delegations(talk(model(tool("c0"), tool("c1", "ask_user"), tool("c2", "verify-agent"))))
    assert [(one.call, one.leg) for one in found] == [("c0", "search"), ("c2", "verify-agent")]


def test_history_that_later_requests_repeat_counts_once() -> None:
    made = (
        model(tool("c0"), tool("c1")),
        model(history=(tool("c0"), tool("c1"))),
        model(tool("c2"), history=(tool("c0"),)),
    )
    assert [one.call for one in delegations(talk(*made))] == ["c0", "c1", "c2"]


def test_a_call_whose_answer_was_not_recorded_is_known_by_history() -> None:
    assert [one.call for one in delegations(talk(model(history=(tool("c0"),), round=3)))] == ["c0"]


def test_calls_without_an_id_count_each() -> None:
    assert len(delegations(talk(model(tool(None), tool(None)), model(tool(None))))) == 3


def test_prompts_are_the_texts_of_the_arguments() -> None:
    [one] = delegations(talk(model(tool("c0", arguments='{"remoteInput":"price of A","n":{"x":["y"]}}'))))
    assert one.prompts == ("price of A", "y")


def test_leaves_open_json_inside_strings() -> None:
    assert list(leaves('{"result":"{\\"text\\":\\"A costs 1\\"}","ok":true}')) == ["A costs 1"]
    assert list(leaves("plain {text")) == ["plain {text"]


def test_what_continues_a_task_is_no_opening() -> None:
    assert openings([remote(), remote("Beijing", asked_task="rt-1")]) == [remote()]


def test_a_call_that_reached_nobody_and_was_made_again_counts_once() -> None:
    refused = remote(failed=True, asked_context="c_b_c0", source="r1")
    again = remote(asked_context="c_b_c0", source="r2")
    assert openings([refused, again]) == [again]
    assert len(openings([refused, remote("B", source="r2")])) == 2
    assert len(openings([again, again])) == 2


def test_a_chain_is_found_by_the_end_of_the_child_context() -> None:
    [one] = delegations(talk(model(tool("c0"))))
    first = remote("other words", asked_context="ctx:batch:c0", task_id="rt-1", source="r1")
    answer = remote("Beijing", asked_task="rt-1", source="r2")
    others = [
        remote("A", asked_context="ctx_batch_xc0", source="r3"),
        remote("A", leg="verify-agent", source="r4"),
    ]
    assert chains(one, [first, answer, *others]) == [first, answer]


def test_a_chain_is_found_by_a_prompt_that_one_request_has() -> None:
    [one] = delegations(talk(model(tool("c0"))))
    own = remote("A\n", source="r1")
    assert chains(one, [own, remote("B", source="r2")]) == [own]
    assert chains(one, [own, remote("A", source="r2")]) == []


@pytest.mark.parametrize(
    ("told", "texts", "last", "is_held"),
    [
        ("A costs 1", ("A costs 1",), "A costs 1", True),
        ('{"ok":true,"result":"A costs 1"}', (), "A costs 1", True),
        ("The answer: A costs 1.", (), "A costs 1", True),
        ("costs 1", ("A costs 1 or so",), "thanks", True),
        ("B costs 2", ("A costs 1",), "A costs 1", False),
        ("7", ("A costs 17",), "", False),
        ("", ("A",), "", False),
    ],
)
def test_whose_answer_the_model_was_told(told: str, texts: tuple[str, ...], last: str, is_held: bool) -> None:
    assert holds(told, remote(texts=texts, last=last)) is is_held


@pytest.mark.parametrize(
    ("spans", "most"),
    [
        ([(0, 9), (1, 8), (2, 7)], 3),
        ([(0, 5), (5, 9)], 1),  # one ends as the other begins
        ([(0, 5), (4, 9), (6, 8)], 2),
        ([], 0),
        ([(0, None)], None),
    ],
)
def test_how_many_are_open_at_once(spans: list[tuple[int, int | None]], most: int | None) -> None:
    assert open_at_once([remote(began_ns=began, ended_ns=ended) for began, ended in spans]) == most
