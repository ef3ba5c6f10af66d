"""The shipped mappings: fresh, used without YAML, and right on recorded streams."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.mapping import generate, shipped
from harness.mapping.collect import collect
from harness.mapping.compile import compile_text
from harness.mapping.engine import Mapper
from harness.mapping.load import load
from harness.model.event import Event, Region
from harness.model.frame import Frame, Span
from harness.model.interaction import Interaction, Mark

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "captures" / "golden"
MAPPER = Mapper(load())


def test_shipped_py_is_fresh() -> None:
    assert generate.main(["--check"]) == 0, "run python -m harness.mapping.generate"


def test_a_stale_file_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "TARGET", tmp_path / "shipped.py")
    assert generate.main(["--check"]) == 1
    assert "is stale: run python -m harness.mapping.generate" in capsys.readouterr().err
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def test_the_literals_are_what_the_yaml_compiles_to() -> None:
    parts: list[Any] = []
    for name, text in shipped.SOURCES.items():
        assert (ROOT / "mappings" / name).read_text(encoding="utf-8") == text
        parts.append(compile_text(text, name, parts))
    assert tuple(parts) == shipped.MAPPINGS


def test_a_shipped_file_named_by_hand_adds_nothing() -> None:
    assert load([str(ROOT / "mappings" / "openjiuwen.yaml"), str(ROOT / "mappings" / "a2a.yaml")]) == load()


def test_ids_are_unique() -> None:
    mapping = load()
    for section in (mapping.shapes, mapping.marks, mapping.scopes, mapping.channels):
        ids = [clause.id for clause in section]
        assert len(ids) == len(set(ids))


def test_no_clause_hangs_on_a_default_text() -> None:
    for text in shipped.SOURCES.values():
        for words in ("require", "Remote agent", "Input required", "interaction batch", "approve or"):
            assert words not in text.replace("input-required", "").replace("about: input-required", "")


def events(path: Path) -> Iterator[Event]:
    lines = path.read_text(encoding="utf-8").split("\n")
    if path.suffix == ".sse":
        lines = [line.removeprefix("data:").strip() for line in lines if line.startswith("data:")]
    for number, line in enumerate((line for line in lines if line.strip()), 1):
        yield crude(number, line)


def crude(number: int, line: str) -> Event:
    whole = json.loads(line)
    result = whole.get("result", {})
    name = next(
        (name for name in ("statusUpdate", "artifactUpdate", "task", "message") if name in result), None
    )
    frame = Frame(number, Span(0, 1), line)
    if name is None:
        return Event(frame, "chunk", whole, whole, regions=(Region("content", "", whole),))
    body, pointer = result[name], f"/result/{name}"
    state = body.get("status", {}).get("state", "").removeprefix("TASK_STATE_").lower().replace("_", "-")
    text = "".join(
        part.get("text", "") for part in body.get("status", {}).get("message", {}).get("parts", [])
    )
    region = Region("control" if name == "statusUpdate" else "content", pointer, body)
    return Event(
        frame,
        "status",
        whole,
        body,
        pointer,
        task_id=body.get("taskId"),
        state=state or None,
        text=text,
        regions=(region,),
    )


def read(name: str) -> tuple[tuple[Interaction, ...], list[Mark]]:
    sightings, marks = [], []
    for event in events(GOLDEN / name):
        more_sightings, more_marks = MAPPER.read(event)
        sightings += more_sightings
        marks += more_marks
    return collect(sightings), marks


SHAPE = "openjiuwen-shape/"
PYTHON = "openjiuwen-python/"
A, B, C = "call_00_Zx0AbC", "call_01_Zx1AbC", "call_02_Zx2AbC"


def leaked(channel: str, sightings: int, *calls: str) -> list[tuple[str, str, str, str | None, int]]:
    return [("delegation", channel, "leaked", call, sightings) for call in calls]


EXPECTED: dict[str, list[tuple[str, str, str, str | None, int]]] = {
    # hand-made Java streams: facts page section 1b
    SHAPE + "plain.sse": [],
    SHAPE + "tokens_g1_textpart.sse": [],
    SHAPE + "canceled.sse": [],
    SHAPE + "failed_older.sse": [],
    SHAPE + "failed_structured.sse": [],
    SHAPE + "false_completed_answer_error.sse": [],
    SHAPE + "leak_controller_output_v1_three_frames.sse": leaked("content", 1, A, B, C),
    SHAPE + "leak_controller_output_v2.sse": leaked("content", 1, A, B, C),
    SHAPE + "leak_g1_textpart_string.sse": leaked("content", 1, A, B, C),
    SHAPE + "leak_python_task_completion.sse": leaked("content", 1, A),
    SHAPE + "native_ask_user_rail.sse": [("user_input", "control", "native", "call_00_Qq2", 1)],
    SHAPE + "native_batch2.sse": [
        ("user_input", "control", "native", "call_00_B0", 1), ("user_input", "control", "native", "call_01_B1", 1)],
    SHAPE + "native_confirm.sse": [("confirmation", "control", "native", "call_00_Cc1", 1)],
    SHAPE + "native_request_user_input.sse": [("user_input", "control", "native", "call_00_Qq1", 1)],
    SHAPE + "proxy_interrupt_masked_g2.sse": [("delegation", "control", "masked", "call_00_Vv1", 1)],
    SHAPE + "proxy_interrupt_masked_multi.sse": [
        ("delegation", "control", "masked", "call_00_Vv1", 1), ("delegation", "control", "masked", "call_01_Vv2", 1)],
    SHAPE + "remote_events_g3_agentEvent.sse": [("delegation", "content", "declared", A, 1)],
    # recorded Python streams: facts page section 7, identity rows of the semantics
    PYTHON + "a2a_stock_delegate3.sse": leaked("content", 2, *(f"call_0{n}_038065670" for n in range(3))),
    PYTHON + "a2a_javalike_delegate3.sse": [
        *leaked("content", 1, *(f"call_0{n}_038065807" for n in range(3))),
        *leaked("control", 1, *(f"call_0{n}_038065807" for n in range(3)))],
    PYTHON + "a2a_javalike_ask.sse": [
        ("user_input", "content", "native", "call_00_038065283", 1), ("user_input", "control", "native", "call_00_038065283", 1)],
    PYTHON + "a2a_javalike_confirm.sse": [
        ("confirmation", "content", "native", "call_00_038066246", 1), ("confirmation", "control", "native", "call_00_038066246", 1)],
    PYTHON + "a2a_javalike_delegate3_resume.sse": [],
    PYTHON + "a2a_stock_plain.sse": [],
    # in loop mode the mirror comes before the top-level frames; without the loop only these
    PYTHON + "py_deepagent_loop_delegate3.jsonl": leaked("content", 2, *(f"call_0{n}_037769699" for n in range(3))),
    PYTHON + "py_deepagent_noloop_delegate3.jsonl": leaked("content", 1, *(f"call_0{n}_037771068" for n in range(3))),
    PYTHON + "py_deepagent_loop_ask_user.jsonl": [("user_input", "content", "native", "call_00_037769439", 2)],
    PYTHON + "py_deepagent_noloop_confirm.jsonl": [("confirmation", "content", "native", "call_00_037771271", 1)],
    PYTHON + "py_deepagent_loop_plain.jsonl": [],
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_interactions_of_recorded_streams(name: str) -> None:
    interactions, _ = read(name)
    assert [
        (one.kind, one.channel, one.exposure, one.tool_call_id, len(one.sightings)) for one in interactions
    ] == EXPECTED[name]


def test_every_hand_made_stream_has_its_row() -> None:
    assert {SHAPE + path.name for path in (GOLDEN / "openjiuwen-shape").glob("*.sse")} <= set(EXPECTED)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (SHAPE + "proxy_interrupt_masked_g2.sse", [("remote-output", "call_00_Vv1", "versatile-adapter")]),
        (SHAPE + "remote_events_g3_agentEvent.sse", [
            ("remote-call", A, "search-agent"), ("remote-output", None, "search-agent"), ("remote-status", None, "search-agent")]),
        (SHAPE + "false_completed_answer_error.sse", [("failure", None, None)] * 2),
        (SHAPE + "plain.sse", []),
        (SHAPE + "leak_controller_output_v2.sse", []),
        (PYTHON + "a2a_stock_error.sse", [("failure", None, None)] * 2),
        (PYTHON + "py_deepagent_loop_error.jsonl", [("failure", None, None)] * 2),
        (PYTHON + "py_deepagent_noloop_error.jsonl", [("failure", None, None)]),
    ],
)  # fmt: skip
def test_marks_of_recorded_streams(name: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert [(one.name, one.tool_call_id, one.target) for one in read(name)[1]] == expected
