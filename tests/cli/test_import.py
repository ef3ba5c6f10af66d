"""`harness import`: every form becomes a run folder that judges like its source."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.capture.discover import find
from harness.capture.files import Body
from harness.capture.journal import chunk_times
from harness.capture.moments import journal_of
from harness.capture.store import read_run
from harness.model.capture import Capture
from harness.pipeline import Options, check
from harness.report.json import text
from tests.cli.conftest import STREAM
from tests.replay.exchanges import BODIES, frame, record, rpc, status

GOLDEN = Path(__file__).parents[2] / "captures" / "golden"
GROUPS = sorted(
    {
        str(path.parent.relative_to(GOLDEN))
        for path in GOLDEN.rglob("*")
        if path.is_file() and path.parent != GOLDEN
    }
)
PLACES = {"span", "source", "sightings", "also", "rounds"}
"""Members that name files and bytes: an import has others."""
LEGS = ("STEER", "DEL")
"""Families that look at all legs of a run: an archive and a file of its own do not say which were recorded."""


def judged(path: str, **options: Any) -> tuple[int, list[str]]:
    """The exit code and the rounds, without places."""
    value = json.loads(text(check([path], Options(**options))))
    return value["exit"], sorted(json.dumps(without_places(one), sort_keys=True) for one in value["rounds"])


def without_places(value):
    if isinstance(value, dict):
        kept = {key: without_places(member) for key, member in value.items() if key not in PLACES}
        if "names" in kept:
            kept["names"] = [os.path.basename(one) for one in kept["names"]]
        return kept
    return [without_places(one) for one in value] if isinstance(value, list) else value


def imported(harness, folder: Path, *paths: str, code: int = 0) -> str:
    """The one run folder that the command made."""
    said = harness("import", *paths, "--captures", str(folder), "--json")
    assert said.code == code, said
    (run,) = json.loads(said.out)["runs"]
    return run["folder"]


def captures(folder: str) -> tuple[Capture, ...]:
    found = find([folder])
    assert not found.unread
    return found.captures


def body(capture: Capture) -> bytes:
    return b"".join(Body(capture).chunks())


# the laws


@pytest.mark.parametrize("group", GROUPS)
def test_a_golden_folder_judges_like_its_import(harness, tmp_path, group: str) -> None:
    run = imported(harness, tmp_path / "c", str(GOLDEN / group))
    assert judged(run) == judged(str(GOLDEN / group))
    assert all(journal_of(one) for one in captures(run))


@pytest.mark.parametrize("group", GROUPS)
def test_a_golden_folder_judges_like_its_archive(harness, tmp_path, group: str) -> None:
    archive = str(tmp_path / "x.har")
    assert harness("export", str(GOLDEN / group), "--har", "-o", archive).code == 0
    again = imported(harness, tmp_path / "c", archive)
    assert judged(again, skip=LEGS) == judged(str(GOLDEN / group), skip=LEGS)


def test_a_native_run_goes_over_whole(harness, tmp_path) -> None:
    """The round trip of our own form: bytes, chunks, times, head, request, ending."""
    (tmp_path / "a").mkdir()
    one = record(tmp_path / "a", BODIES, ending="upstream_cut", text="peer closed")
    for source in (str(tmp_path / "a"), archive_of(harness, tmp_path)):
        (again,) = captures(imported(harness, tmp_path / "c", source))
        assert body(again) == body(one)
        kept = (
            "request",
            "head",
            "ending",
            "ending_text",
            "timed",
            "scenario",
            "protocol",
            "round",
            "leg",
            "framing",
        )
        assert [getattr(again, name) for name in kept] == [getattr(one, name) for name in kept]
        assert list(chunk_times(journal_of(again) or "")) == list(chunk_times(journal_of(one) or ""))


def archive_of(harness, tmp_path: Path) -> str:
    path = str(tmp_path / "a.har")
    assert harness("export", str(tmp_path / "a"), "--har", "-o", path).code == 0
    return path


# forms


def test_a_wire_log_keeps_what_it_knows(harness, tmp_path) -> None:
    log = GOLDEN / "sit-logs/run-20260812-101500/DA-09-A2A_STREAM-r1.log"
    (one,) = captures(imported(harness, tmp_path / "c", str(log)))
    assert (one.rebuilt, one.framing, one.scenario, one.protocol) == (True, "sse", "DA-09", "A2A_STREAM")
    assert not one.timed and one.ending == "unknown"


def test_a_log_whose_events_are_cut_is_kept_as_it_is(harness, tmp_path) -> None:
    source = GOLDEN / "sit-logs/run-20260812-101500/DA-01-A2A_STREAM-r1.log"
    raw = source.read_bytes()
    at = raw.index(b"  raw: ") + 60
    cut = tmp_path / "DA-01-A2A_STREAM-r1.log"
    cut.write_bytes(raw[:at] + b" \xe2\x80\xa6 <truncated>" + raw[raw.index(b"\n", at) :])
    run = imported(harness, tmp_path / "c", str(cut), code=3)
    assert (Path(run) / cut.name).read_bytes() == cut.read_bytes()
    assert judged(run) == judged(str(cut))


def test_standard_input(process, tmp_path) -> None:
    said = process("import", "-", "--captures", str(tmp_path / "c"), input=STREAM)
    assert said.returncode == 0, said.stderr
    (run,) = (tmp_path / "c").iterdir()
    assert [body(one) for one in captures(str(run))] == [STREAM]


def test_an_archive_on_standard_input(process, tmp_path) -> None:
    path = har(tmp_path, entry("hi", STREAM, 1))
    said = process("import", "-", "--captures", str(tmp_path / "c"), input=Path(path).read_bytes())
    assert said.returncode == 0, said.stderr
    (run,) = (tmp_path / "c").iterdir()
    assert [body(one) for one in captures(str(run))] == [STREAM]


def test_a_name_of_an_archive_with_other_bytes(harness, tmp_path) -> None:
    (tmp_path / "x.har").write_text("words")
    said = harness("import", str(tmp_path / "x.har"), "--captures", str(tmp_path / "c"))
    assert said.code == 3 and "neither a HAR archive" in said.err


def test_folders_are_runs_of_their_own(harness, tmp_path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "S-r1.sse").write_bytes(STREAM)
    said = harness("import", str(tmp_path / "a"), str(tmp_path / "b"), "--captures", str(tmp_path / "c"))
    assert said.code == 0
    runs = sorted((tmp_path / "c").iterdir())
    assert [len(captures(str(run))) for run in runs] == [1, 1]
    assert said.out == "".join(f"{run}  1 exchanges\n" for run in runs)


def test_the_run_tells_where_it_came_from(harness, tmp_path, capture) -> None:
    run = imported(harness, tmp_path / "c", capture)
    facts = read_run(run)
    assert facts is not None and facts["imported"] is True and facts["id"] == Path(run).name
    assert facts["exchanges"] == [
        {
            "stem": "s-r1.client", "leg": "client", "protocol": None, "scenario": "s", "round": 1,
            "ending": "unknown", "unassigned": False, "imported": "s.sse",
        }
    ]  # fmt: skip


def test_equal_names_do_not_collide(harness, tmp_path) -> None:
    for name in ("x.sse", "x.log"):
        (tmp_path / name).write_bytes(STREAM)
    run = imported(harness, tmp_path / "c", str(tmp_path / "x.sse"), str(tmp_path / "x.log"))
    assert sorted(Path(one.path).name for one in captures(run)) == ["x-r1.client.2.sse", "x-r1.client.sse"]


# archives


def har(tmp_path: Path, *entries: dict, name: str = "x.har") -> str:
    path = tmp_path / name
    path.write_text(
        json.dumps({"log": {"version": "1.2", "creator": {"name": "b"}, "entries": list(entries)}})
    )
    return str(path)


def entry(
    text_: str, answer: bytes, second: int, host: str = "agent", path: str = "/a2a", **ids: str
) -> dict:
    return {
        "startedDateTime": f"2026-08-11T09:30:{second:02d}Z",
        "time": 500,
        "request": {
            "method": "POST",
            "url": f"http://{host}{path}",
            "headers": [{"name": "Content-Type", "value": "application/json"}],
            "postData": {"text": rpc("SendStreamingMessage", text_, **ids)},
        },
        "response": {
            "status": 200,
            "headers": [{"name": "content-type", "value": "text/event-stream"}],
            "content": {"size": len(answer), "text": answer.decode()},
        },
    }


def test_the_rounds_of_an_archive_are_told_by_its_ids(harness, tmp_path) -> None:
    path = har(
        tmp_path,
        entry("hi", frame(status("INPUT_REQUIRED", "c1", "t1")), 1),
        entry("hi", frame(status("COMPLETED", "c2", "t2")), 3),
        entry("more", frame(status("COMPLETED", "c1", "t1")), 5, contextId="c1", taskId="t1"),
    )
    found = captures(imported(harness, tmp_path / "c", path))
    assert sorted((one.scenario, one.protocol, one.round, one.leg) for one in found) == [
        ("c1", "A2A_STREAM", 1, "client"),
        ("c1", "A2A_STREAM", 2, "client"),
        ("c2", "A2A_STREAM", 1, "client"),
    ]
    assert not any(one.timed for one in found)
    assert json.loads(Path(journal_of(found[0]) or "").read_text().split("\n")[0])["at_ns"] > 1.7e18


def test_legs_can_be_named_by_host(harness, tmp_path) -> None:
    path = har(
        tmp_path,
        entry("hi", frame(status("COMPLETED", "c1")), 1),
        entry("sub", frame(status("COMPLETED", "c1_b_1")), 1, host="search:8192", contextId="c1_b_1"),
        entry("model", b"data: {}\n\n", 1, host="llm", path="/v1/chat/completions"),
    )
    said = harness(
        "import", path, "--captures", str(tmp_path / "c"), "--leg", "search:8192=search-agent", "--json"
    )
    (run,) = json.loads(said.out)["runs"]
    assert sorted(one.leg for one in find([run["folder"]]).captures) == ["client", "llm", "search-agent"]


def test_an_archive_is_told_by_its_content_and_may_be_packed(harness, tmp_path) -> None:
    import gzip

    path = har(tmp_path, entry("hi", STREAM, 1), name="session.txt")
    packed = tmp_path / "session.har.gz"
    packed.write_bytes(gzip.compress(Path(path).read_bytes()))
    for one in (path, str(packed)):
        assert len(captures(imported(harness, tmp_path / "c", one))) == 1


def test_archives_in_folders_are_found_among_other_captures(harness, tmp_path) -> None:
    (tmp_path / "d").mkdir()
    har(tmp_path / "d", entry("hi", STREAM, 1))
    (tmp_path / "d" / "y.sse").write_bytes(STREAM)
    (tmp_path / "d" / "readme.txt").write_text("no capture")
    assert len(captures(imported(harness, tmp_path / "c", str(tmp_path / "d")))) == 2


def test_what_an_archive_lacks_is_told_and_the_rest_imported(harness, tmp_path) -> None:
    lacking = entry("hi", STREAM, 1)
    del lacking["response"]["content"]["text"]
    said = harness(
        "import", har(tmp_path, lacking, entry("hi", STREAM, 2)), "--captures", str(tmp_path / "c")
    )
    assert said.code == 3
    assert "entry 1: the archive kept no body" in said.err
    assert "  1 exchanges" in said.out


def test_a_flow_file(harness, tmp_path) -> None:
    from mitmproxy.io import FlowWriter

    from tests.record.test_flows import flow

    path = tmp_path / "x.mitm"
    with path.open("wb") as file:
        FlowWriter(file).add(flow(STREAM))
        FlowWriter(file).add(flow(None))
    said = harness("import", str(path), "--captures", str(tmp_path / "c"), "--json")
    assert said.code == 3 and "streamed this body" in said.err
    (run,) = json.loads(said.out)["runs"]
    (one,) = captures(run["folder"])
    assert (body(one), one.ending, one.timed) == (STREAM, "clean", False)


def test_secrets_do_not_reach_the_disk(harness, tmp_path) -> None:
    secret = "sk-proj-9f8e7d6c5b4a39281706f5e4d3c2b1a0"
    leaking = entry("hi", frame(status("COMPLETED")) + f'data: {{"api_key":"{secret}"}}\n\n'.encode(), 1)
    leaking["request"]["headers"].append({"name": "Authorization", "value": f"Bearer {secret}"})
    leaking["request"]["url"] += f"?access_token={secret}"
    leaking["response"]["_error"] = f"refused {secret}"
    run = imported(harness, tmp_path / "c", har(tmp_path, leaking))
    files = [path for path in Path(run).iterdir() if path.is_file()]
    assert len(files) == 3 and not any(secret.encode() in path.read_bytes() for path in files)
    assert any(b"<secret:" in path.read_bytes() for path in files)
    facts = read_run(run)
    assert facts is not None and facts["redaction"]["key_id"]


# mistakes


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ((), 2),
        (("missing.har",), 3),
        (("s.sse", "--leg", "nonsense"), 2),
        (("note.txt",), 3),
        (("s.sse", "--captures", "note.txt"), 2),
    ],
)
def test_mistakes(harness, capture, tmp_path, args: tuple[str, ...], code: int) -> None:
    (tmp_path / "note.txt").write_text("just words")
    said = harness("import", *args)
    assert said.code == code and said.err.startswith(("harness: error:", "not read:"))
    assert not (tmp_path / "captures").exists()


def test_check_points_to_import(harness, tmp_path) -> None:
    said = harness("check", har(tmp_path, entry("hi", STREAM, 1)))
    assert said.code == 3 and "harness import" in said.out + said.err


def test_nothing_is_written_outside_the_run(harness, tmp_path) -> None:
    hostile = entry("hi", frame(status("COMPLETED", "../../../evil")), 1)
    run = imported(harness, tmp_path / "c", har(tmp_path, hostile))
    assert {path.parent for path in (tmp_path / "c").rglob("*") if path.is_file()} == {Path(run)}
    shutil.rmtree(tmp_path / "c")
    assert not (tmp_path / "evil").exists()
