"""What other tools recorded, written in the native form: nothing is made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.capture.adopt import Foreign, adopt, new_run
from harness.capture.discover import find
from harness.capture.files import Body
from harness.capture.journal import Chunk, chunk_times
from harness.capture.naming import Name
from harness.model.capture import Capture, Head, Request

ASKED = Request("POST", "/a2a", (("host", "h"),), "{}")
HEAD = Head(200, (("content-type", "text/event-stream"),))
FULL = Foreign(
    Name("S", "A2A_STREAM", 2, "x"), ASKED, HEAD, [(5, b"data: 1\n"), (6, b"\n")], True, "clean", "", 1, 2, 9
)


def written(tmp_path: Path, foreign: Foreign) -> Capture:
    adopt(str(tmp_path), foreign)
    found = find([str(tmp_path)])
    assert not found.unread
    (one,) = found.captures
    return one


def lines(tmp_path: Path) -> list[dict]:
    (path,) = tmp_path.glob("*.jsonl")
    return [json.loads(line) for line in path.read_text().split("\n")[:-1]]


def test_all_that_is_known(tmp_path) -> None:
    one = written(tmp_path, FULL)
    assert (one.scenario, one.protocol, one.round, one.leg) == FULL.name
    assert (one.request, one.head, one.ending, one.timed) == (ASKED, HEAD, "clean", True)
    assert b"".join(Body(one).chunks()) == b"data: 1\n\n"
    (journal,) = tmp_path.glob("*.jsonl")
    assert list(chunk_times(str(journal))) == [Chunk(5, 0, 8), Chunk(6, 8, 1)]
    assert [line.get("at_ns") for line in lines(tmp_path)] == [1, 2, 5, 6, 9]


def test_what_is_not_known_is_left_out(tmp_path) -> None:
    nothing = Foreign(Name("S"), None, None, [(None, b"data: 1\n\n")], True)
    one = written(tmp_path, nothing)
    assert (one.head, one.timed, one.ending) == (None, False, "unknown")
    assert [line["kind"] for line in lines(tmp_path)] == ["request", "ending"]
    assert not any("at_ns" in line for line in lines(tmp_path))


@pytest.mark.parametrize("ending", ["refused", "upstream_cut"])
def test_no_answer_is_no_body(tmp_path, ending: str) -> None:
    one = written(tmp_path, FULL._replace(head=None, body=[(None, b"")], ending=ending))
    assert (one.head, one.ending) == (None, ending)
    assert [path.suffix for path in tmp_path.iterdir()] == [".jsonl"]


def test_a_body_without_a_head_is_kept_also_when_it_was_cut(tmp_path) -> None:
    one = written(tmp_path, FULL._replace(head=None, ending="upstream_cut"))
    assert b"".join(Body(one).chunks()) == b"data: 1\n\n"


def test_what_was_never_sealed_stays_so(tmp_path) -> None:
    assert written(tmp_path, FULL._replace(ending="unsealed")).ending == "unsealed"


def test_facts_of_a_wire_log(tmp_path) -> None:
    one = written(tmp_path, FULL._replace(known={"rebuilt": True, "task_id": "t", "context_id": "c"}))
    assert (one.rebuilt, one.task_id, one.context_id) == (True, "t", "c")


def test_names_do_not_collide_and_do_not_leave_the_folder(tmp_path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    hostile = FULL._replace(name=Name("../../x", "../P", 1, "../l"))
    assert len({adopt(str(run), one) for one in (FULL, FULL, hostile, hostile)}) == 4
    assert {path.parent for path in tmp_path.rglob("*") if path.is_file()} == {run}


def test_run_folders_are_new_each_time(tmp_path) -> None:
    made = {new_run(str(tmp_path / "c")) for _ in range(3)}
    assert len(made) == 3 and all(Path(one).is_dir() for one in made)
