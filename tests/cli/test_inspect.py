"""One capture, looked into: frames, text, neighbours, timeline."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cli.conftest import STREAM


def test_frame_shows_place_fields_and_json_as_it_stands(harness, capture: str) -> None:
    said = harness("inspect", capture, "frame", "4")
    assert said.code == 0
    start = STREAM.index(b": ping")
    assert f"frame 4  bytes {start}-{len(STREAM)} of s.sse" in said.out
    assert "  event: message\n  id: 7\n  comment: ping\n" in said.out.replace(
        "comment:  ping", "comment: ping"
    )
    assert '"n": 1.50' in said.out


def test_raw_gives_the_exact_bytes(harness, capture: str) -> None:
    whole = "".join(harness("inspect", capture, "frame", str(n), "--raw").out for n in (1, 2, 3, 4))
    assert whole.encode() == STREAM


def test_grep_finds_text_inside_strings(harness, capture: str) -> None:
    said = harness("inspect", capture, "grep", "needle")
    assert "4  /result/statusUpdate/metadata/note#/deep/0  needle" in said.out
    assert said.out.endswith("2 matches in 1 frames, 4 frames read\n")


def test_grep_pointer_shows_values(harness, capture: str) -> None:
    said = harness("inspect", capture, "grep", "--pointer", "/result/artifactUpdate/artifact/parts/0/text")
    assert [line.split("  ")[-1] for line in said.out.splitlines()[:2]] == ["Hel", "lo 1.50"]
    below = harness("inspect", capture, "grep", "TASK_STATE", "--pointer", "/result/task")
    assert below.out.splitlines()[0] == "1  /result/task/status/state  TASK_STATE_SUBMITTED"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("frame", "9"), "s.sse has no frame 9; its frames are 1 to 4"),
        (("around", "9"), "s.sse has no frame 9; its frames are 1 to 4"),
        (("frame", "x"), "frame x: no number from 1 on"),
        (("frame",), "frame needs the number of a frame"),
        (("grep",), "grep needs a text or --pointer"),
        (("timelin",), "there is nothing called 'timelin' to show"),
        (("timeline", "3"), "timeline takes no '3'"),
    ],
)
def test_mistakes(harness, capture: str, args, told: str) -> None:
    said = harness("inspect", capture, *args)
    assert said.code == 2
    assert told in said.err


def test_a_file_that_is_not_there(harness, capture: str) -> None:
    said = harness("inspect", "nope.sse")
    assert said.code == 3
    assert "nope.sse" in said.err


def test_a_folder_of_several_names_them(harness, capture: str, tmp_path) -> None:
    (tmp_path / "t.sse").write_bytes(STREAM)
    said = harness("inspect", ".", "frame", "1")
    assert said.code == 2
    assert "holds 2 captures; name one of" in said.err


def test_timeline_collapses_tokens(harness, capture: str) -> None:
    lines = harness("inspect", capture).out.splitlines()
    assert any(line.split() == ["1", "task", "submitted"] for line in lines)
    assert any(line.split() == ["2..3", "artifact", "x2", "text", "10", "chars"] for line in lines)
    assert any(line.split() == ["4", "status", "completed"] for line in lines)
    assert any("line ends: LF" in line for line in lines)
    assert any("(lines: 1)" in line for line in lines)


def test_timeline_as_json_lines(harness, capture: str) -> None:
    steps = [json.loads(line) for line in harness("inspect", capture, "--json").out.splitlines()]
    assert [(one["first"], one["last"], one["kind"]) for one in steps] == [
        (1, 1, "task"),
        (2, 3, "artifact"),
        (4, 4, "status"),
    ]


def test_around_shows_neighbours_and_the_frame_whole(harness, capture: str) -> None:
    out = harness("inspect", capture, "around", "2", "-C", "1").out
    numbers = [line.split()[0] for line in out.splitlines() if line[:12].strip().isdecimal()]
    assert numbers == ["1", "2", "3"]
    assert '"text": "Hel"' in out


@pytest.mark.parametrize(
    ("stream", "told"),
    [
        (b"\xef\xbb\xbf" + STREAM, "py and java lose the first event"),
        (STREAM.replace(b"\n", b"\r"), "js sees no event"),
        (STREAM[:-1], "lacks its blank line"),
        (STREAM[:-2], "is not ended"),
        (STREAM + b"data: [DONE]\n\n", "a sentinel such as [DONE]"),
        (STREAM.replace(b"Hel", "H\u2028l".encode()), "raw U+2028"),
    ],
)
def test_timeline_says_what_official_clients_would_see(
    harness, capture: str, tmp_path, stream: bytes, told: str
) -> None:
    (tmp_path / capture).write_bytes(stream)
    assert told in harness("inspect", capture).out


def test_interactions_are_marked(harness) -> None:
    out = harness("inspect", "captures/golden/sit-logs/run-20260811-093000/DA-09-A2A_STREAM-r1.log").out
    assert out.count("! leaked delegation on content") == 3


def test_hostile_text_is_harmless(harness, capture: str, tmp_path) -> None:
    (tmp_path / capture).write_bytes(STREAM.replace(b"Hel", "\\u001b]0;x\\u0007\u202e".encode()))
    for args in ((), ("frame", "2"), ("around", "2"), ("grep", "x")):
        out = harness("inspect", capture, *args).out
        assert not set(out) & set("\x1b\x07\u202e")


@pytest.mark.parametrize("query", [(), ("grep", "nothing"), ("frame", "40000")])
def test_a_large_capture_takes_no_memory(tmp_path, query) -> None:
    """Peak memory over that of a tiny capture stays far below the capture's size."""
    token = STREAM.split(b"\n\n")[2] + b"\n\n"
    large, small = tmp_path / "large.sse", tmp_path / "small.sse"
    small.write_bytes(STREAM)
    with large.open("wb") as file:
        file.writelines([token * 1000] * 200)
    assert large.stat().st_size > 30_000_000
    code = "import resource,subprocess,sys; subprocess.run([sys.executable,'-m','harness','inspect',*sys.argv[1:]],stdout=subprocess.DEVNULL,check=False); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    peaks = [
        int(
            subprocess.run(
                [sys.executable, "-c", code, str(path), *query], capture_output=True, check=True, timeout=120
            ).stdout
        )
        for path in (small, large)
    ]
    assert peaks[1] - peaks[0] < 16_000
