"""Which run a folder is."""

from __future__ import annotations

import json

import pytest

from harness.errors import CaptureError
from harness.summary.runs import RunFacts, is_run, run_of, runs_below


def run_json(folder, **facts) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps({"run": 1, **facts}))
    return str(folder)


def test_run_json_tells(tmp_path) -> None:
    facts = {"id": "run-1", "started": "2026-08-11T17:30:00+08:00", "ended": "2026-08-11T09:31:00Z"}
    folder = run_json(tmp_path / "any", **facts, sut="testbed", defects="as-reported")
    found = run_of(folder)
    assert found is not None and found[:5] == (
        "run-1", "2026-08-11T09:30:00Z", "2026-08-11T09:31:00Z", "testbed", "as-reported",
    )  # fmt: skip
    assert is_run(folder)


@pytest.mark.parametrize(
    ("name", "started"),
    [
        ("run-20260811-093000", "2026-08-11T09:30:00Z"),
        ("run-20260811-093000-2", "2026-08-11T09:30:00Z"),
        ("run-20261311-093000", None),
        ("run-1", None),
        ("sit-logs", None),
    ],
)
def test_a_name_tells_where_there_is_no_run_json(tmp_path, name: str, started: str | None) -> None:
    (tmp_path / name).mkdir()
    assert run_of(str(tmp_path / name)) == (None if started is None else RunFacts(name, started))
    assert is_run(str(tmp_path / name)) == (started is not None)


def test_a_run_json_that_lacks_the_start(tmp_path) -> None:
    assert run_of(run_json(tmp_path / "x", id="run-1")) is None
    named = run_json(tmp_path / "run-20260811-093000", started=7, ended=None)
    found = run_of(named)
    assert found is not None and found[:2] == ("run-20260811-093000", "2026-08-11T09:30:00Z")


@pytest.mark.parametrize(
    "more",
    [
        {"conversations": {"DA-09": {"contextId": "da-09-b"}}},
        {"legs": [{"name": "client", "listen": "http://127.0.0.1:2"}]},
        {"redaction": {"key_id": "b"}},
        {"id": "run-2"},
        {"started": "2026-08-11T09:30:01Z"},
    ],
)
def test_two_runs_of_one_second_are_two(tmp_path, more: dict[str, object]) -> None:
    """Two jobs may begin at once: the folders' names are the same, the runs are not."""
    facts = {
        "id": "run-1",
        "started": "2026-08-11T09:30:00Z",
        "conversations": {"DA-09": {"contextId": "da-09-a"}},
        "legs": [{"name": "client", "listen": "http://127.0.0.1:1"}],
        "redaction": {"key_id": "a"},
    }
    one, same, other = (
        run_of(run_json(tmp_path / name, **{**facts, **add}))
        for name, add in (("a", {}), ("b", {}), ("c", more))
    )
    assert one and same and other
    assert one.key == same.key != other.key


def test_a_broken_run_json_is_told(tmp_path) -> None:
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(CaptureError, match=r"run\.json"):
        run_of(str(tmp_path))


def test_run_folders_below_a_path(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path in (
        "captures/run-20260811-093000/run-20260811-093001",
        "captures/b/run-20260812-093000",
        "captures/c",
    ):
        (tmp_path / path).mkdir(parents=True)
    run_json(tmp_path / "captures/a")
    assert list(runs_below(["captures"])) == [
        "captures/a",
        "captures/run-20260811-093000",
        "captures/b/run-20260812-093000",
    ]
    assert list(runs_below(["captures/a"])) == ["captures/a"]
    assert list(runs_below(["none"])) == []
