"""Mistakes in a file of volatile values are told with their line; the shipped one is fresh."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.diff import generate
from harness.diff.form import Compound, Id, Volatile
from harness.diff.language import compile_file, compile_text
from harness.diff.load import load
from harness.diff.shipped import VOLATILE
from harness.errors import MappingError


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("volatile: 2", "v.yaml:1 $.volatile: "),
        ("volatile: 1\nids: {Task: [taskId]}", "v.yaml:2 $.ids"),
        ("volatile: 1\nids: {task: ['a//b']}", "'a//b' names no member"),
        ("volatile: 1\nodd: 1", "'odd' is no word of this file"),
        ("volatile: 1\nshapes:\n  - {name: x, matches: '('}", "v.yaml:3 $.shapes[0].matches: '(' is no regular expression"),
        ("volatile: 1\nshapes: [{name: x, matches: 'a*'}]", "matches the empty text"),
        ("volatile: 1\ntiming: {factor: 0.5}", "$.timing.factor"),
        ("volatile: 1\ncompounds: [job]", "v.yaml:2 $.compounds[0]: 'job' is no id made of others"),
        ("volatile: 1\ncompounds: ['job:{Task}']", "is no id made of others"),
        ("volatile: 1\ncompounds: ['{task}{job}']", "is no id made of others"),
        ("", "the file is empty"),
    ],
)  # fmt: skip
def test_mistakes(text: str, said: str) -> None:
    with pytest.raises(MappingError) as told:
        compile_text(text, "v.yaml")
    assert said in str(told.value)


def test_words_become_values() -> None:
    made = compile_text(
        "volatile: 1\nids: {agent-task: [agentEvent/source/taskId, /id]}\ncompounds: ['run:{job}:{job}']\n"
        "timing: {factor: 3, seconds: 2}\n",
        "v.yaml",
    )
    assert made == Volatile(
        ids=(Id(("agentevent", "source", "taskid"), "agent-task"), Id(("", "id"), "agent-task")),
        compounds=(Compound("run:(.+):(.+)", ("job", "job")),),
        factor=3.0,
        least_s=2.0,
        timed=True,
    )


def test_a_file_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match="check the path"):
        compile_file(str(tmp_path / "none.yaml"))
    (tmp_path / "b.yaml").write_bytes(b"\xff")
    with pytest.raises(MappingError, match="UTF-8"):
        compile_file(str(tmp_path / "b.yaml"))


def test_the_users_file_comes_first(tmp_path: Path) -> None:
    (tmp_path / "v.yaml").write_text("volatile: 1\nids: {job: [taskId]}\n")
    made = load([str(tmp_path / "v.yaml")])
    assert made.ids[0] == Id(("taskid",), "job") and made.shapes == VOLATILE.shapes
    assert load() == VOLATILE


def test_durations_are_those_of_the_first_file_that_states_them(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("volatile: 1\ntimes: [took]\n")
    (tmp_path / "b.yaml").write_text("volatile: 1\ntiming: {factor: 5, seconds: 3}\n")
    (tmp_path / "c.yaml").write_text("volatile: 1\ntiming: {factor: 7}\n")
    paths = [str(tmp_path / f"{name}.yaml") for name in "abc"]
    made = load(paths)
    assert (made.factor, made.least_s) == (5, 3)
    assert (load(paths[:1]).factor, load(paths[2:]).factor) == (VOLATILE.factor, 7)


def test_the_shipped_file_is_fresh(capsys) -> None:
    assert generate.main(["--check"]) == 0


def test_a_stale_one_is_told(monkeypatch, tmp_path: Path, capsys) -> None:
    monkeypatch.setattr(generate, "TARGET", tmp_path / "shipped.py")
    assert generate.main(["--check"]) == 1
    assert "run python -m harness.diff.generate" in capsys.readouterr().err
    assert generate.main([]) == 0 and generate.main(["--check"]) == 0
