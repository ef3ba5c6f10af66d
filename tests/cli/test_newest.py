"""Without a path the newest run is judged, of the harness or of the SIT suite."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.cli.newest import narrowed, newest

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "captures/golden/sit-logs"
WIRE = "target/sit-logs/wire"


def runs(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).mkdir(parents=True)


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["captures/run-20260811-093000", "captures/run-20260812-093000"], "captures/run-20260812-093000"),
        (["captures/run-20260811-093000", f"{WIRE}/run-20260812-112000"], f"{WIRE}/run-20260812-112000"),
        (["captures/run-20260813-093000", f"{WIRE}/run-20260812-112000"], "captures/run-20260813-093000"),
        (["captures/run-20260811-093000-9", "captures/run-20260811-093000-10"], "captures/run-20260811-093000-10"),
        (["captures/run-20260811-093000", "captures/run-20260811-093000-2"], "captures/run-20260811-093000-2"),
        (["captures/golden/run-1"], None),
    ],
)  # fmt: skip
def test_the_newest_run(tmp_path: Path, monkeypatch, names: list[str], wanted: str | None) -> None:
    monkeypatch.chdir(tmp_path)
    runs(tmp_path, *names)
    assert newest() == wanted


def test_folders_of_runs_are_narrowed_and_other_paths_kept(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    runs(tmp_path, "a/run-1", "a/run-2", "b")
    assert narrowed(["a/", "a/run-1", "b", "*.sse"]) == ["a/run-2", "a/run-1", "b", "*.sse"]


@pytest.fixture
def suite(tmp_path: Path, monkeypatch) -> Path:
    """A project whose SIT suite left its wire logs of two runs, and nothing of ours: the older leaks."""
    monkeypatch.chdir(tmp_path)
    for name in ("run-20260811-093000", "run-20260812-112000"):
        shutil.copytree(GOLDEN / name, tmp_path / WIRE / name)
    return tmp_path


def test_the_suite_is_gated_with_one_command_and_no_configuration(harness, suite: Path) -> None:
    said = harness("check")
    assert said.code == 0, said.out
    assert f"checking the newest run, {WIRE}/run-20260812-112000" in said.err
    assert harness("check", WIRE, "--newest").code == 0
    assert harness("check", WIRE).code == 1, "without --newest all runs below the folder are judged"
    shutil.rmtree(suite / WIRE / "run-20260812-112000")
    said = harness("check")
    assert said.code == 1
    assert "error LEAK101" in said.out


def test_no_run_at_all(harness, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = harness("check")
    assert said.code == 2
    assert f"there is no run in captures or {WIRE}" in said.err
