"""Conversations: order of rounds, answers to what was asked, what is sent meanwhile, and what is not sent."""

from __future__ import annotations

import threading

import pytest

from tests.drive.conftest import CONTEXT, answering, asking, header, run, sent, streamed
from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.frames import TASK, artifact, frame, status, stream, task

pytestmark = pytest.mark.usefixtures("no_hang")

OPEN = (task(CONTEXT), status(CONTEXT, "WORKING"))
DONE = streamed(*stream(CONTEXT))
ASKS = streamed(*stream(CONTEXT, "INPUT_REQUIRED"))


def ends(driven) -> list[tuple[int, str, str | None]]:
    return [(one.number, one.end, one.state) for one in driven.rounds]


def test_rounds_continue_the_task_until_it_ends_as_expected() -> None:
    rounds = (
        "  - {send: one, expect: {outcome: INTERACTION}}\n"
        "  - {answer: two, expect: {outcome: COMPLETED}}\n"
        "  - send: three\n"
    )
    with FaultServer(answering(ASKS, DONE, DONE)) as agent:
        driven = run(agent.url, rounds, headers=(("Authorization", "Bearer x"),))
    assert ends(driven) == [(1, "over", "input-required"), (2, "over", "completed"), (3, "over", "completed")]
    bodies = [sent(one) for one in agent.requests]
    assert [one["method"] for one in bodies] == ["SendStreamingMessage"] * 3
    messages = [one["params"]["message"] for one in bodies]
    assert [(one["contextId"], one.get("taskId")) for one in messages] == [
        (CONTEXT, None), (CONTEXT, TASK), (CONTEXT, None),
    ]  # fmt: skip
    assert [one["parts"] for one in messages] == [[{"text": "one"}], [{"text": "two"}], [{"text": "three"}]]
    assert len({one["messageId"] for one in messages}) == len({one["id"] for one in bodies}) == 3
    assert {header(one, "A2A-Version") for one in agent.requests} == {"1.0"}
    assert {header(one, "Authorization") for one in agent.requests} == {"Bearer x"}
    traces = {header(one, "traceparent") for one in agent.requests}
    assert len(traces) == 3
    assert all(one and one.startswith("00-") and len(one) == 55 for one in traces)


def test_the_context_of_the_answer_is_gone_on_with() -> None:
    with FaultServer(answering(streamed(*stream("other", "INPUT_REQUIRED")), DONE)) as agent:
        run(agent.url, "  - send: one\n  - answer: two\n")
    assert [sent(one)["params"]["message"]["contextId"] for one in agent.requests] == [CONTEXT, "other"]


BATCH = (("call_1", "hotel-agent"), ("call_2", "flight-agent"), ("call_3", "flight-agent"))


@pytest.mark.parametrize(
    ("answers", "parts"),
    [
        (
            "{hotel-agent: 4 star, call_3: {data: {a: 1.50}}}",
            [
                {"text": "4 star", "metadata": {"toolCallId": "call_1"}},
                {"data": {"a": 1.5}, "metadata": {"toolCallId": "call_3"}},
            ],
        ),
        (
            "{flight-agent: CA}",
            "'flight-agent' was asked several times, name the toolCallId; asked was: hotel-agent",
        ),
        (
            "{train-agent: G1}",
            "'train-agent' was not asked; asked was: hotel-agent (call_1), flight-agent (call_2)",
        ),
    ],
)
def test_targeted_answers(answers: str, parts: object) -> None:
    script = answering(streamed(*OPEN, asking(*BATCH)), DONE)
    with FaultServer(script) as agent:
        driven = run(agent.url, f"  - send: one\n  - answers: {answers}\n  - answer: three\n")
    assert [(one.call, one.tool) for one in driven.rounds[0].questions] == list(BATCH)
    if isinstance(parts, list):
        assert sent(agent.requests[1])["params"]["message"]["parts"] == parts
        assert driven.rounds[1].end == "over"
    else:
        assert len(agent.requests) == 1
        assert driven.rounds[1].end == "not_sent"
        assert driven.rounds[1].text.startswith(parts)
        assert driven.rounds[2].text == "round 2 was not sent"


def test_what_was_asked_earlier_can_still_be_answered() -> None:
    script = answering(streamed(*OPEN, asking(*BATCH)), streamed(status(CONTEXT, "INPUT_REQUIRED")), DONE)
    with FaultServer(script) as agent:
        run(agent.url, "  - send: one\n  - answers: {call_1: x}\n  - answers: {call_2: y}\n")
    assert sent(agent.requests[2])["params"]["message"]["parts"][0]["metadata"] == {"toolCallId": "call_2"}


def test_an_end_that_was_not_expected_is_not_answered() -> None:
    with FaultServer(DONE) as agent:
        driven = run(agent.url, "  - send: one\n  - answer: two\n  - answer: three\n")
    assert len(agent.requests) == 1
    assert [one.text for one in driven.rounds[1:]] == [
        "the task is completed, and the scenario did not expect its end", "round 2 was not sent",
    ]  # fmt: skip


def test_a_message_to_a_task_that_ended_as_expected_is_sent_where_the_scenario_says_so() -> None:
    rounds = "  - {send: one, expect: {outcome: COMPLETED}}\n  - {send: two, opens: false}\n"
    with FaultServer(DONE) as agent:
        run(agent.url, rounds)
    assert sent(agent.requests[1])["params"]["message"]["taskId"] == TASK


def test_without_a_task_nothing_is_continued() -> None:
    said = {"messageId": "m", "role": "ROLE_AGENT", "contextId": CONTEXT, "parts": [{"text": "hi"}]}
    with FaultServer(streamed(frame({"message": said}))) as agent:
        driven = run(agent.url, "  - send: one\n  - answer: two\n")
    assert [one.end for one in driven.rounds] == ["over", "not_sent"]
    assert driven.rounds[1].text == "no round has told a task that could be continued"


STEERED = frame({"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "noted"}]}})


class Steered:
    """Works until it is told something, or canceled, meanwhile."""

    def __init__(self, *, shows_work: bool = True) -> None:
        self.told = threading.Event()
        self.shows_work = shows_work

    def __call__(self, peer: Peer) -> None:
        method = sent(peer.request)["method"]
        if method == "SendStreamingMessage" and "taskId" not in sent(peer.request)["params"]["message"]:
            peer.head()
            peer.chunk(OPEN[0])
            if self.shows_work:
                peer.chunk(OPEN[1] + artifact(CONTEXT, "x"))
                peer.wait(self.told)
            peer.chunk(status(CONTEXT, "CANCELED" if method == "CancelTask" else "COMPLETED"))
            peer.end()
            return
        body = STEERED.removeprefix(b"data: ").strip()
        peer.head(
            200, (("content-type", "application/json"), ("content-length", str(len(body)))), chunked=False
        )
        peer.send(body)
        self.told.set()


def test_a_steering_text_goes_to_the_running_task() -> None:
    with FaultServer(Steered()) as agent:
        driven = run(agent.url, "  - send: one\n  - {send: cheap ones, during: 1, steer: true}\n")
    assert ends(driven) == [(1, "over", "completed"), (2, "over", None)]
    steer = sent(agent.requests[1])
    assert steer["method"] == "SendMessage"
    assert steer["params"]["message"]["taskId"] == TASK
    assert steer["params"]["message"]["metadata"] == {"steer": True}


def test_several_texts_meanwhile_go_out_in_order() -> None:
    agent_waits = Steered()
    gone: list[str] = []

    def script(peer: Peer) -> None:
        text = sent(peer.request)["params"]["message"]["parts"][0]["text"]
        gone.append(text)
        if text == "2":
            body = STEERED.removeprefix(b"data: ").strip()
            peer.head(
                200, (("content-type", "application/json"), ("content-length", str(len(body)))), chunked=False
            )
            peer.send(body)
        else:
            agent_waits(peer)

    rounds = "  - send: '1'\n" + "".join(f"  - {{send: '{n}', during: 1, steer: true}}\n" for n in (2, 3))
    with FaultServer(script) as agent:
        driven = run(agent.url, rounds)
    assert gone == ["1", "2", "3"]
    assert [one.end for one in driven.rounds] == ["over"] * 3


def test_a_round_that_never_works_is_not_steered() -> None:
    with FaultServer(streamed(OPEN[0])) as agent:
        driven = run(agent.url, "  - send: one\n  - {send: two, during: 1, steer: true}\n")
    assert len(agent.requests) == 1
    assert driven.rounds[1].text == "round 1 never showed that the agent works"


def test_cancel_names_the_running_task() -> None:
    with FaultServer(Steered()) as agent:
        driven = run(agent.url, "  - {send: one, cancel_after: 0.01, expect: {outcome: CANCELED}}\n")
    assert ends(driven) == [(1, "over", "completed")]
    cancel = sent(agent.requests[1])
    assert (cancel["method"], cancel["params"]) == ("CancelTask", {"id": TASK})


def test_a_round_that_is_over_is_not_canceled() -> None:
    with FaultServer(DONE) as agent:
        run(agent.url, "  - {send: one, cancel_after: 100}\n")
    assert len(agent.requests) == 1


def test_steps_are_told(steps) -> None:
    with FaultServer(answering(ASKS, DONE)) as agent:
        run(agent.url, "  - send: one\n  - answer: two\n", on_progress=steps.append)
    assert [(one.scenario, one.round, one.what) for one in steps] == [
        ("S", 1, "sent"), ("S", 1, "ended"), ("S", 2, "sent"), ("S", 2, "ended"),
    ]  # fmt: skip
    assert steps[1].driven.state == "input-required"
