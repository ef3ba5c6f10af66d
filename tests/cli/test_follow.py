"""One exchange as it grows: what is told of it, and that it ends up where `check` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.capture.naming import Name
from harness.capture.store import Writer
from harness.cli.follow import Follower, followed
from harness.cli.watch import Watch
from harness.cli.words import words
from harness.model.capture import Head, Request
from harness.pipeline import check

SSE = Head(200, (("content-type", "text/event-stream"),))
GOLDEN = sorted(Path("captures/golden/openjiuwen-shape").glob("*.sse"))


def follower(folder, writer):
    return Follower(str(folder), writer.stem, words("en"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_is_followed_ends_as_check_judges(tmp_path, path):
    data = path.read_bytes()
    writer = Writer(str(tmp_path), Name("S", "A2A_STREAM"), Request("POST", "/a2a"), 1)
    one = follower(tmp_path, writer)
    list(one.look())
    writer.response(SSE, 2)
    for at in range(0, len(data), 700):
        writer.chunk(at + 3, data[at : at + 700])
        list(one.look())
    writer.seal("clean", 10**9)
    while not one.is_over:
        list(one.look())
    (round,) = check([str(tmp_path)]).rounds
    assert (one.state, one.events) == (round.outcome, round.events)
    assert one.leaked == sum(each.exposure == "leaked" for each in round.interactions)


def test_a_leak_is_told_once_and_at_once(tmp_path):
    leaky = next(path for path in GOLDEN if "leak" in path.stem).read_bytes()
    writer = Writer(str(tmp_path), Name("S", "A2A_STREAM"), Request("POST", "/a2a"), 1)
    one = follower(tmp_path, writer)
    writer.response(SSE, 2)
    writer.chunk(3, leaky)
    told = [text for role, text in one.look() if role == "leaked"]
    assert told
    assert all(text.startswith("LEAK: delegation leaked") for text in told)
    assert not list(one.look())
    writer.close()


def test_a_name_that_becomes_known_is_the_same_exchange(tmp_path):
    writer = Writer(str(tmp_path), Name("conversation-1", "A2A_STREAM"), Request("POST", "/a2a"), 1)
    watch = Watch(str(tmp_path), "en")
    assert [line.text for line in watch.look()] == ["conversation-1 r1 client: A2A_STREAM began"]
    writer.response(SSE, 2)
    writer.rename(Name("ctx", "A2A_STREAM"))
    writer.seal("clean", 3)
    assert [line.text for line in watch.look()] == [
        "ctx r1 client: NO_TERMINAL, 0 events, 0 asked, 0 leaked (clean)"
    ]
    assert len(watch.rounds) == 1


def test_calls_of_the_model_are_not_read_as_a2a(tmp_path):
    writer = Writer(str(tmp_path), Name("S", "LLM", 1, "llm"), Request("POST", "/v1/chat/completions"), 1)
    writer.response(SSE, 2)
    writer.chunk(3, b"data: [DONE]\n\n")
    writer.seal("clean", 4)
    one = follower(tmp_path, writer)
    assert [text for _, text in one.look()] == ["LLM began", "LLM ended (clean)"]
    assert one.is_over


def test_a_folder_that_is_not_there_yet_is_empty(tmp_path):
    assert followed(str(tmp_path / "none")) == {}
    assert Watch(str(tmp_path / "none"), "zh").look() == []
