"""One pass over a capture: steps, densities, places on the axis, kept frames."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from harness.capture.discover import find
from harness.pipeline import check
from harness.report.html.clock import WIDE, Arrivals, Axis, lasting
from harness.report.html.encode import json_text
from harness.report.html.frames import read
from harness.report.html.room import Room, Rooms
from harness.report.html.track import BUCKETS, Order
from harness.report.html.tracks import Wants, tracks
from harness.wire import MAX_LINE
from tests.report.html import runs

NONE: frozenset[int] = frozenset()


def followed(
    source: str, frames: frozenset[int] = NONE, steps: int = 240, room: int = 10_000, lines: int = 100_000
) -> list[dict]:
    """The tracks of one capture, on an axis of order."""
    report = check([source])
    (capture,) = find([source]).captures
    orders = [Order(one, Axis(0, max(one.events, 1), False)) for one in report.rounds]
    rooms = Rooms()
    rooms.spare = Room(room)
    made = tracks(capture, orders, Wants(frames, 5000, steps, rooms, MAX_LINE))
    return [track.value(Room(lines)) for track in made]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return runs.leaking(tmp_path / "run-1", tokens=200)


@pytest.fixture
def client(run: Path) -> str:
    return str(run / "DA-09-A2A_STREAM-r1.client.sse")


def test_tokens_flow_together_and_every_event_is_counted(client: str) -> None:
    (track,) = followed(client)
    steps = track["steps"]
    assert sum(step[2] for step in steps) == 207
    assert [step[5] for step in steps if step[5]] == ["submitted", "working", "completed"]
    assert steps[0][0] == 1 and steps[-1][1] == 207
    assert all(before[1] + 1 == after[0] for before, after in pairwise(steps))
    assert len(track["strips"]["content"]) == BUCKETS
    assert sum(track["strips"]["content"]) == 204
    assert sum(track["strips"]["control"]) == 3


def test_places_lie_in_order_on_the_axis(client: str) -> None:
    (track,) = followed(client, frozenset({203, 204}))
    places = [at for _, at in track["at"]]
    assert places == sorted(places)
    assert all(0 <= at <= WIDE for at in places)
    assert track["steps"][0][8] < 100 and track["steps"][-1][9] > WIDE - 100


def test_wanted_frames_their_neighbours_and_both_ends_are_kept(client: str) -> None:
    (track,) = followed(client, frozenset({203}))
    assert [frame["n"] for frame in track["frames"]] == [1, 202, 203, 204, 206, 207]


def test_without_room_only_wanted_frames_are_kept(client: str) -> None:
    (track,) = followed(client, frozenset({203}), room=0)
    assert [frame["n"] for frame in track["frames"]] == [203]


@pytest.mark.parametrize("most", [3, 8, 24])
def test_a_long_timeline_flows_together(tmp_path: Path, most: int) -> None:
    body = runs.status("WORKING")
    for at in range(500):
        body += runs.token("a", at) if at % 2 else runs.artifact({"text": f"b{at}"}, f"t-{at}")
    (tmp_path / "a.sse").write_bytes(body + runs.status("COMPLETED"))
    (track,) = followed(str(tmp_path / "a.sse"), steps=most)
    assert sum(step[2] for step in track["steps"]) == 502
    assert len(track["steps"]) <= most
    assert track["steps"][-1][5] == "completed"


def test_without_room_a_timeline_loses_its_texts_and_then_its_lines(client: str) -> None:
    (whole,) = followed(client)
    (bare,) = followed(client, lines=len(json_text(whole["steps"]).encode()))
    (none,) = followed(client, lines=10)
    assert [step[:4] for step in bare["steps"]] == [step[:4] for step in whole["steps"]]
    assert any(step[4] for step in whole["steps"]) and not any(step[4] for step in bare["steps"])
    assert none["steps"] == []
    assert none["strips"] == whole["strips"]


def test_a_file_of_several_rounds_gives_a_track_each(tmp_path: Path) -> None:
    chunk = '{"type":"llm_output","index":0,"payload":{"content":"a"}}\n'
    answer = '{"type":"answer","index":1,"payload":{"output":"b","result_type":"answer"}}\n'
    (tmp_path / "a.jsonl").write_text(chunk + answer + '{"_marker":"RESUME"}\n' + chunk * 3 + answer)
    first, second = followed(str(tmp_path / "a.jsonl"))
    assert sum(step[2] for step in first["steps"]) == 2
    assert sum(step[2] for step in second["steps"]) == 4
    assert second["steps"][0][0] == 4


def test_arrivals_are_those_of_the_journal(client: str) -> None:
    (capture,) = find([client]).captures
    arrivals = Arrivals(capture)
    at = [arrivals.at_ns(one.event.frame.span) for one in read(capture, MAX_LINE)]
    assert at == [runs.BEGAN_NS + number * 10 * runs.MS for number in range(1, 208)]
    took = lasting(capture)
    assert took is not None
    assert took.ended_ns - took.began_ns == 2070 * runs.MS


def test_an_axis_keeps_everything_on_it() -> None:
    axis = Axis(1000, 2000, True)
    assert [axis.place(at) for at in (0, 1000, 1500, 2000, 9000)] == [0, 0, WIDE // 2, WIDE, WIDE]
    assert Axis(5, 5, False).place(5) == 0
