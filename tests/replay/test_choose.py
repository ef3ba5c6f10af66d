"""Which recorded exchange answers: method, path, JSON-RPC method, conversation, order of rounds."""

from __future__ import annotations

from harness.capture.naming import Name
from harness.model.capture import Head, Request
from harness.replay.choose import Chooser
from harness.replay.known import Known, key_of, known
from tests.replay.exchanges import JSON, SSE, frame, record, rpc, status


def chooser(*captures) -> Chooser:
    return Chooser(known(captures))


def ask(choose: Chooser, body: str | None, path: str = "/a2a/", method: str = "POST") -> str | None:
    found: Known | None = choose.choose(key_of(Request(method, path, (), body)))
    return f"{found.capture.scenario}-r{found.capture.round}" if found else None


def conversation(tmp_path, scenario: str, texts: tuple[str, ...], *, own: bool = False):
    """Rounds of one context; `own`: the client named it in the first round already."""
    context = f"ctx-{scenario}"
    made = []
    for number, text in enumerate(texts, 1):
        ids = {"contextId": context} if own or number > 1 else {}
        made.append(
            record(
                tmp_path,
                (frame(status("COMPLETED", context, f"task-{scenario}")),),
                name=Name(scenario, "A2A_STREAM", number),
                request=Request("POST", "/a2a/", (), rpc("SendStreamingMessage", text, **ids)),
            )
        )
    return made


def test_rounds_come_in_their_order_and_begin_again(tmp_path) -> None:
    choose = chooser(*conversation(tmp_path, "A", ("one", "two", "three"), own=True))
    body = rpc("SendStreamingMessage", "other words", contextId="ctx-A")
    assert [ask(choose, body) for _ in range(4)] == ["A-r1", "A-r2", "A-r3", "A-r1"]


def test_the_same_words_get_their_own_answer(tmp_path) -> None:
    choose = chooser(*conversation(tmp_path, "A", ("one", "two", "two"), own=True))
    asked = [rpc("SendStreamingMessage", text, rpc_id=9, contextId="ctx-A") for text in ("two", "one", "two")]
    assert [ask(choose, body) for body in asked] == ["A-r2", "A-r1", "A-r3"]


def test_a_first_round_names_no_context_and_later_ones_do(tmp_path) -> None:
    choose = chooser(
        *conversation(tmp_path, "A", ("hi", "more")), *conversation(tmp_path, "B", ("hi", "more"))
    )
    first = rpc("SendStreamingMessage", "hi")
    assert [ask(choose, first), ask(choose, first)] == ["A-r1", "B-r1"]
    assert ask(choose, rpc("SendStreamingMessage", "x", contextId="ctx-B")) == "B-r2"
    assert ask(choose, rpc("SendStreamingMessage", "x", contextId="ctx-A")) == "A-r2"


def test_a_clients_own_context_is_bound_to_one_conversation(tmp_path) -> None:
    choose = chooser(
        *conversation(tmp_path, "A", ("1", "2"), own=True), *conversation(tmp_path, "B", ("1", "2"), own=True)
    )
    mine, yours = (rpc("SendStreamingMessage", "?", contextId=name) for name in ("mine", "yours"))
    assert [ask(choose, body) for body in (mine, yours, yours, mine)] == ["A-r1", "B-r1", "B-r2", "A-r2"]


def test_parallel_first_rounds_are_told_by_their_words(tmp_path) -> None:
    choose = chooser(*(c for name in "ABC" for c in conversation(tmp_path, name, (f"say {name}",))))
    assert [ask(choose, rpc("SendStreamingMessage", f"say {name}")) for name in "CAB"] == [
        "C-r1",
        "A-r1",
        "B-r1",
    ]


def test_a_task_leads_to_its_conversation(tmp_path) -> None:
    choose = chooser(*conversation(tmp_path, "A", ("1", "2")), *conversation(tmp_path, "B", ("1", "2")))
    assert ask(choose, rpc("SendStreamingMessage", "2", taskId="task-B")) == "B-r2"


def test_another_method_or_path_fits_nothing(tmp_path) -> None:
    choose = chooser(*conversation(tmp_path, "A", ("1",)))
    body = rpc("SendStreamingMessage", "1")
    assert ask(choose, rpc("SendMessage", "1")) is None
    assert ask(choose, body, "/other") is None
    assert ask(choose, None, method="GET") is None
    assert ask(choose, body, "/a2a?tenant=1") == "A-r1"


def card(tmp_path, number: int, path: str = "/.well-known/agent-card.json"):
    return record(
        tmp_path,
        (b'{"n":%d}' % number,),
        name=Name(f"n{number}", "OTHER"),
        request=Request("GET", path, (), None),
        head=Head(200, JSON),
        gap_ns=number,
    )


def test_reads_stay_at_the_last_answer(tmp_path) -> None:
    choose = chooser(card(tmp_path, 1), card(tmp_path, 2))
    path = "/.well-known/agent-card.json"
    assert [ask(choose, None, path, "GET") for _ in range(4)] == ["n1-r1", "n2-r1", "n2-r1", "n2-r1"]


def test_head_is_answered_by_get(tmp_path) -> None:
    assert ask(chooser(card(tmp_path, 1)), None, "/.well-known/agent-card.json", "HEAD") == "n1-r1"


def test_what_a_capture_does_not_tell_fits(tmp_path) -> None:
    (tmp_path / "x.body").write_bytes(frame(status("COMPLETED")))
    (tmp_path / "x.request.json").write_text(rpc("SendStreamingMessage", "hi"))
    from harness.capture.discover import find

    choose = chooser(*find([str(tmp_path)]).captures)
    assert ask(choose, rpc("SendStreamingMessage", "any"), "/anywhere") == "x-r1"
    assert ask(choose, rpc("SendMessage", "any"), "/anywhere") is None


def test_files_without_an_answer_are_not_known(tmp_path) -> None:
    (tmp_path / "requests.jsonl").write_text('{"jsonrpc":"2.0","id":1,"method":"SendMessage"}\n' * 2)
    from harness.capture.discover import find

    assert known(find([str(tmp_path)]).captures) == ()


def test_sse_and_its_head_are_one_of_many(tmp_path) -> None:
    one = record(tmp_path, (frame(status("WORKING")),), head=Head(200, SSE))
    (found,) = known([one])
    assert found.key.context == "ctx" and "task" in found.ids and not found.opens
