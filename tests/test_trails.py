"""The second reading: which captures are read again, within which bounds, and that nothing else decides."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import trails
from harness.model.verdict import Report
from harness.pipeline import Options, check, load
from harness.report.json import text
from harness.rules.example import artifact, rpc, status, task
from tests.rules.values import facts

RULES = ("MUL801", "MUL802", "MUL803", "ART707")
SEND = {"jsonrpc": "2.0", "id": "r-1", "method": "SendStreamingMessage", "params": {"message": {"parts": []}}}
SUBSCRIBE = {"jsonrpc": "2.0", "id": "r-1", "method": "SubscribeToTask", "params": {"id": "t-1"}}
GET = {"jsonrpc": "2.0", "id": "r-1", "method": "GetTask", "params": {"id": "t-1"}}
DONE = status("completed")


def chunks(first: int, last: int) -> list[Any]:
    return [artifact(f"s{number} ", append=number > 0) for number in range(first, last)]


def snapshot(upto: int, state: str = "working") -> Any:
    text = "".join(f"s{number} " for number in range(upto))
    return task(state, artifacts=[{"artifactId": "a-1", "parts": [{"text": text}]}])


def write(folder: Path, name: str, frames: list[Any], request: Any) -> None:
    body = "".join(f"data: {json.dumps(frame)}\n\n" for frame in frames)
    (folder / f"{name}.body").write_text(body, encoding="utf-8")
    (folder / f"{name}.request.json").write_text(json.dumps(request), encoding="utf-8")


def pair(folder: Path, size: int = 10, joined: int = 4, *, skipped: int = 0) -> Path:
    """A whole stream and a subscription that joined after `joined` chunks and lost `skipped` of them."""
    folder.mkdir(exist_ok=True)
    write(folder, "whole", [task(), *chunks(0, size), DONE], SEND)
    write(folder, "joined", [snapshot(joined), *chunks(joined + skipped, size), DONE], SUBSCRIBE)
    return folder


def found(report: Report) -> set[tuple[str, str]]:
    return {(Path(one.source).stem, f.rule) for one in report.rounds for f in one.findings if f.rule in RULES}


def lacking(report: Report, code: str = "MUL801") -> dict[str, str]:
    told = ((Path(one.source).stem, entry) for one in report.rounds for entry in one.not_checked)
    return {stem: entry.reason for stem, entry in told if entry.rule == code}


def of(*paths: Path, **options: Any) -> Report:
    return check([str(path) for path in paths], Options(contract="a2a", **options))


def test_two_streams_of_a_folder_are_compared(tmp_path: Path) -> None:
    report = of(pair(tmp_path / "good"))
    assert found(report) == set()
    assert lacking(report, "MUL801") == lacking(report, "MUL803") == {}
    assert found(of(pair(tmp_path / "bad", skipped=1))) == {("joined", "MUL803")}


def test_one_stream_alone_is_not_checked(tmp_path: Path) -> None:
    write(tmp_path, "joined", [snapshot(4), *chunks(4, 10), DONE], SUBSCRIBE)
    assert lacking(of(tmp_path)) == {"joined": "a single stream does not show it"}


def test_streams_of_two_folders_are_strangers(tmp_path: Path) -> None:
    for name in ("whole", "joined"):
        pair(tmp_path / name)
    (tmp_path / "whole" / "joined.body").unlink()
    (tmp_path / "joined" / "whole.body").unlink()
    assert set(lacking(of(tmp_path))) == {"whole", "joined"}


def test_neither_order_nor_processes_nor_lanes_change_a_byte(tmp_path: Path) -> None:
    pair(tmp_path, skipped=1)
    write(
        tmp_path,
        "got",
        [rpc({**snapshot(3)["result"]["task"], "status": {"state": "TASK_STATE_COMPLETED"}})],
        GET,
    )
    for number in range(6):
        shutil.copyfile(tmp_path / "joined.body", tmp_path / f"more{number}.body")
        shutil.copyfile(tmp_path / "joined.request.json", tmp_path / f"more{number}.request.json")
    paths = sorted(tmp_path.glob("*.body"))
    first = text(of(*paths))
    assert '"MUL803"' in first
    assert '"ART707"' in first
    assert text(of(*paths[::-1])) == first
    assert text(of(*paths[::-1], jobs=2)) == first
    assert text(of(*paths, lanes=False)) == first


def test_a_task_that_was_asked_for_after_the_stream(tmp_path: Path) -> None:
    """a2a.md A07, with the GetTask of the same folder."""
    write(tmp_path, "whole", [task(), *chunks(0, 3), DONE], SEND)
    for name, held, state in (("same", 3, "completed"), ("less", 2, "completed"), ("going", 2, "working")):
        write(tmp_path, name, [rpc(snapshot(held, state)["result"]["task"])], GET)
    report = of(tmp_path)
    assert found(report) == {("less", "ART707")}
    assert set(lacking(report, "ART707")) == {"going"}


def test_an_event_that_can_not_be_read_is_no_difference(tmp_path: Path) -> None:
    """What SSE201 finds is not found again as a gap, and what came behind it is not judged."""
    pair(tmp_path)
    write(tmp_path, "got", [rpc(snapshot(9, "completed")["result"]["task"])], GET)
    for name in ("whole", "joined"):
        path = tmp_path / f"{name}.body"
        path.write_text(path.read_text(encoding="utf-8").replace('"s7 "', '"s7 '), encoding="utf-8")
    report = of(tmp_path)
    assert found(report) == set()
    assert lacking(report, "MUL803") == {"got": "the answer is one body, no stream"}
    assert lacking(report, "ART707")["whole"] == "an event of the stream could not be read"


def test_a_later_turn_may_open_with_a_bare_task(tmp_path: Path) -> None:
    """Its artifacts are those of the turn: neither a gap nor another result."""
    again = {**SEND, "params": {"message": {"taskId": "t-1", "parts": []}}}
    turn = [artifact("x", id="a-2"), DONE]
    write(tmp_path, "first", [task(), *chunks(0, 3), status("input-required", "City?"), *turn], SEND)
    write(tmp_path, "second", [task("working"), *turn], again)
    held = [*snapshot(3)["result"]["task"]["artifacts"], {"artifactId": "a-2", "parts": [{"text": "x"}]}]
    write(tmp_path, "got", [rpc(task("completed", artifacts=held)["result"]["task"])], GET)
    report = of(tmp_path)
    assert found(report) == set()
    assert "second" not in lacking(report, "MUL801")
    assert {"first", "got"}.isdisjoint(lacking(report, "ART707"))


def test_more_than_the_bound_is_told_and_never_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair(tmp_path, skipped=1)
    write(tmp_path, "got", [rpc(snapshot(2, "completed")["result"]["task"])], GET)
    monkeypatch.setattr("harness.rules.trail.MOST", 5)
    report = of(tmp_path)
    assert found(report) == set()
    for code in ("MUL801", "MUL803"):
        assert (
            lacking(report, code)["joined"] == "the streams have more updates or artifacts than are compared"
        )
    assert "than are compared" in lacking(report, "ART707")["whole"]


def test_all_streams_share_one_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams that come when it is spent are told; what it is spent on depends on names alone."""
    pair(tmp_path)
    for number in range(4):
        write(tmp_path, f"late{number}", [snapshot(4), *chunks(4, 10), DONE], SUBSCRIBE)
    monkeypatch.setattr(trails, "BUDGET", 70)
    report = of(tmp_path)
    assert found(report) == set()
    assert "than are compared" in lacking(report)["whole"]
    assert text(report) == text(of(*sorted(tmp_path.glob("*.body"), reverse=True)))


def test_nothing_is_read_twice_without_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: Any) -> Iterator[Any]:
        raise AssertionError("a capture was read again")

    monkeypatch.setattr(trails, "_events", read)
    asks = [task(), status("input-required", "City?")]
    answer = {**SEND, "params": {"message": {"taskId": "t-1", "parts": []}}}
    write(tmp_path, "turn1", asks, SEND)
    write(tmp_path, "turn2", [status("working"), *chunks(0, 2), DONE], answer)
    write(tmp_path, "other", [task(id="t-2"), status("completed", task="t-2")], SEND)
    of(tmp_path)
    pair(tmp_path / "pair")
    check([str(tmp_path / "pair")], Options(only=("LEAK", "MASK", "BIND", "END", "RES")))
    with pytest.raises(AssertionError, match="read again"):
        of(tmp_path / "pair")


def test_facts_of_captures_that_are_not_at_hand_stay_as_they_are() -> None:
    rounds = [
        facts(source="a", streamed=True), facts(source="b", streamed=True, operation="subscribe", opened=False)
    ]  # fmt: skip
    assert trails.with_trails(rounds, (), load(Options())) == rounds
