"""Which round an exchange belongs to."""

from __future__ import annotations

import json

import pytest

from harness.a2a.request import asked
from harness.model.capture import Capture, Request
from harness.record.assign import Call, Rounds, Where, traces
from harness.record.labels import protocol

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def call(leg, context=None, task=None, method="SendStreamingMessage", target="/a2a", trace=None, body=None):
    if body is None:
        message = {"messageId": "m", **({"contextId": context} if context else {})}
        params = {
            "message": message,
            **({"id": task} if task and method in ("GetTask", "CancelTask") else {}),
        }
        if task and "id" not in params:
            message["taskId"] = task
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = (("traceparent", f"00-{trace}-00f067aa0ba902b7-01"),) if trace else ()
    request = Request("POST", target, headers, json.dumps(body))
    return Call(
        leg, "POST", target, asked(Capture("", "", "none", request=request)), traces(headers), is_json=True
    )


MODEL = call("llm", target="/v1/chat/completions", body={"model": "m", "messages": []})


def test_the_context_names_the_scenario():
    rounds = Rounds()
    assert rounds.begin(1, call("client", "ctx")) == Where("ctx", "A2A_STREAM", 1, "client")
    rounds.end(1)
    assert rounds.begin(2, call("client", "ctx", method="SendMessage")) == Where(
        "ctx", "A2A_SYNC", 2, "client"
    )


def test_a_scenario_of_the_user_names_all():
    rounds = Rounds("DA-09")
    assert rounds.begin(1, call("client", "a"))[:3] == ("DA-09", "A2A_STREAM", 1)
    assert rounds.begin(2, call("client", "b"))[:3] == ("DA-09", "A2A_STREAM", 2)


def test_the_answer_tells_the_context():
    rounds = Rounds()
    assert rounds.begin(1, call("client")).scenario == "conversation-1"
    assert rounds.learn(1, "ctx", "t1") == Where("ctx", "A2A_STREAM", 1, "client")
    rounds.end(1)
    assert rounds.begin(2, call("client", "ctx", "t1"))[:3] == ("ctx", "A2A_STREAM", 2)
    rounds.end(2)
    assert rounds.begin(3, call("client", task="t1"))[:3] == ("ctx", "A2A_STREAM", 3)


def test_what_happens_while_one_round_is_open_belongs_to_it():
    rounds = Rounds()
    rounds.begin(1, call("client", "ctx"))
    assert rounds.begin(2, call("search-agent", "other")) == Where("ctx", "A2A_STREAM", 1, "search-agent")
    assert rounds.begin(3, MODEL) == Where("ctx", "LLM", 1, "llm")
    rounds.end(1)
    assert rounds.begin(4, MODEL) == Where("unassigned", "LLM", 0, "llm", True)


@pytest.mark.parametrize("child", ["ctx-a:1:call_00", "ctx-a_1_call_00", "ctx-a"])
def test_a_child_context_tells_the_round(child):
    rounds = Rounds()
    rounds.begin(1, call("client", "ctx-a"))
    rounds.begin(2, call("client", "ctx-b"))
    assert rounds.begin(3, call("search-agent", child))[:3] == ("ctx-a", "A2A_STREAM", 1)


def test_children_of_children():
    rounds = Rounds()
    rounds.begin(1, call("client", "ctx-a"))
    rounds.begin(2, call("client", "ctx-b"))
    rounds.begin(3, call("search-agent", "ctx-b_1_x"))
    assert rounds.begin(4, call("deep", "ctx-b_1_x_2_y"))[:3] == ("ctx-b", "A2A_STREAM", 1)


def test_a_shadow_task_tells_the_round():
    rounds = Rounds()
    rounds.begin(1, call("client", "a", "t-a"))
    rounds.begin(2, call("client", "b", "t-b"))
    found = rounds.begin(3, call("search-agent", task="shadow:search-agent:t-b"))
    assert found[:3] == ("b", "A2A_STREAM", 1)


def test_ids_that_a_remote_made_are_remembered():
    rounds = Rounds()
    rounds.begin(1, call("client", "ctx"))
    rounds.begin(2, call("search-agent"))
    rounds.learn(2, "remote-ctx", "remote-task")
    rounds.end(2)
    rounds.begin(3, call("client", "else"))
    assert rounds.begin(4, call("search-agent", "remote-ctx", "remote-task"))[:3] == ("ctx", "A2A_STREAM", 1)


def test_a_trace_tells_the_round():
    rounds = Rounds()
    rounds.begin(1, call("client", "a", trace=TRACE))
    rounds.begin(2, call("client", "b", trace=TRACE.replace("4", "5")))
    assert rounds.begin(3, call("search-agent", "x", trace=TRACE))[:3] == ("a", "A2A_STREAM", 1)


def test_a_trace_of_two_open_rounds_tells_nothing():
    rounds = Rounds()
    rounds.begin(1, call("client", "a", trace=TRACE))
    rounds.begin(2, call("client", "b", trace=TRACE))
    assert rounds.begin(3, call("search-agent", "x", trace=TRACE)).unassigned


def test_concurrent_rounds_stay_apart():
    rounds = Rounds()
    rounds.begin(1, call("client", "a"))
    rounds.begin(2, call("client", "b"))
    assert rounds.begin(3, MODEL) == Where("unassigned", "LLM", 0, "llm", True)
    rounds.end(1)
    assert rounds.begin(4, MODEL)[:3] == ("b", "LLM", 1)


def test_the_round_that_was_interrupted_is_followed_by_the_next():
    """The Java SDK keeps the first stream open at INPUT_REQUIRED, while the second turn runs."""
    rounds = Rounds()
    rounds.begin(1, call("client", "a"))
    rounds.begin(2, call("client", "a"))
    assert rounds.begin(3, MODEL)[:3] == ("a", "LLM", 2)


def test_a_subscription_causes_nothing():
    rounds = Rounds()
    rounds.begin(1, call("client", "a", "t"))
    rounds.learn(1, "a", "t")
    assert rounds.begin(2, call("client", task="t", method="SubscribeToTask"))[:3] == (
        "a",
        "A2A_SUBSCRIBE",
        2,
    )
    assert rounds.begin(3, MODEL)[:3] == ("a", "LLM", 1)


def test_calls_about_a_task_are_in_its_round():
    rounds = Rounds()
    rounds.begin(1, call("client", "a", "t"))
    assert rounds.begin(2, call("client", task="t", method="GetTask")) == Where("a", "A2A_GET", 1, "client")
    assert rounds.begin(3, call("client", task="t", method="CancelTask")).protocol == "A2A_CANCEL"


@pytest.mark.parametrize(
    ("target", "body", "label"),
    [
        ("/v1/query", {"conversation_id": "c", "message": "x"}, "REST_QUERY"),
        ("/query", {"conversation_id": "c", "stream": False}, "REST_QUERY_SYNC"),
        ("/v1/query/reactive", {"conversation_id": "c"}, "REST_REACTIVE"),
        ("/v1/p/agents/a/conversations/c?type=controller", {"query": "x"}, "REST_VERSATILE"),
        ("/message:stream", {"message": {"messageId": "m", "parts": []}}, "A2A_STREAM"),
        ("/v1/message:send", {"request": {"messageId": "m"}}, "A2A_SYNC"),
        ("/tasks/7:subscribe", {}, "A2A_SUBSCRIBE"),
        ("/v1/chat/completions", {"model": "m"}, "LLM"),
        ("/a2a", {"jsonrpc": "2.0", "id": 1, "method": "nonsense"}, "A2A_SYNC"),
        ("/a2a", {"jsonrpc": "2.0", "id": 1, "method": "GetExtendedAgentCard"}, "OTHER"),
    ],
)
def test_labels(target, body, label):
    assert protocol(call("client", target=target, body=body)) == label


def test_health_checks_are_other():
    health = Call(
        "client", "GET", "/health", asked(Capture("", "", "none", request=Request("GET", "/health")))
    )
    assert protocol(health) == "OTHER"
    assert Rounds().begin(1, health) == Where("other", "OTHER", 0, "client")


def test_a_named_conversation_gives_its_name_to_all_its_rounds():
    rounds = Rounds()
    rounds.name("ctx-7f", "DA-09")
    first = rounds.begin(1, call("client", "ctx-7f"))
    rounds.end(1)
    second = rounds.begin(2, call("client", "ctx-7f", "t-1"))
    other = rounds.begin(3, call("client", "ctx-8"))
    named = [(one.scenario, one.round) for one in (first, second, other)]
    assert named == [("DA-09", 1), ("DA-09", 2), ("ctx-8", 1)]


def test_a_request_that_is_sent_again_is_the_same_round():
    rounds = Rounds()
    rounds.name("ctx", "DA-09")
    assert rounds.again("ctx") is None
    rounds.begin(1, call("client", "ctx"))
    rounds.end(1)
    place = rounds.again("ctx")
    assert place == Where("DA-09", "A2A_STREAM", 1, "client")
    assert rounds.begin(2, call("client", "ctx")) == place
    rounds.end(2)
    assert rounds.begin(3, call("client", "ctx", "t1"))[:3] == ("DA-09", "A2A_STREAM", 2)


def test_a_child_that_goes_on_belongs_to_the_round_that_is_open_then():
    """The remote agent asked back in round 1; the user's answer of round 2 goes on to it."""
    rounds = Rounds()
    rounds.begin(1, call("client", "ctx"))
    assert rounds.begin("a", call("hotel", "ctx_b1_call-1"))[:3] == ("ctx", "A2A_STREAM", 1)
    rounds.end(1)
    rounds.begin(2, call("client", "ctx", "t1"))
    assert rounds.begin("b", call("hotel", "ctx_b1_call-1", "t9"))[:3] == ("ctx", "A2A_STREAM", 2)
    rounds.end(2)
    assert rounds.begin("c", call("hotel", "ctx_b1_call-1", "t9"))[:3] == ("ctx", "A2A_STREAM", 2)


def test_a_child_of_a_round_that_is_still_open_stays_with_it():
    rounds = Rounds()
    rounds.begin(1, call("client", "ctx"))
    rounds.begin("a", call("hotel", "ctx_b1_call-1"))
    rounds.begin(2, call("client", "ctx", "t1", method="SendMessage"))
    assert rounds.begin("b", call("hotel", "ctx_b1_call-1"))[:3] == ("ctx", "A2A_STREAM", 1)
