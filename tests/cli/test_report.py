"""`harness report` writes the page of a run, says where, and leaves the verdict to the page."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

GOLDEN = Path("captures/golden/sit-logs/run-20260812-101500").absolute()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    shutil.copytree(GOLDEN, tmp_path / "captures" / GOLDEN.name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_is_called_like_the_run(harness, folder) -> None:
    said = harness("report", f"captures/{GOLDEN.name}")
    assert (said.code, said.out) == (0, f"reports/{GOLDEN.name}.html\n")
    assert "exit 1: the contract is broken" in said.err
    assert (folder / "reports" / f"{GOLDEN.name}.html").read_text("utf-8").startswith("<!doctype html>")


def test_without_a_path_the_newest_run_is_taken(harness) -> None:
    assert harness("report", "--lang", "zh").out == f"reports/{GOLDEN.name}.html\n"


def test_it_goes_where_it_is_told_and_is_opened(harness, folder, monkeypatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    said = harness("report", "captures", "-o", "a.html", "-o", "b.json", "--open")
    assert said.code == 0
    assert opened == [(folder / "a.html").as_uri()]
    assert sorted(path.name for path in folder.iterdir()) == ["a.html", "b.json", "captures"]


def test_check_writes_the_same_page(harness, folder) -> None:
    assert harness("check", "captures", "-o", "a.html").code == 1
    assert harness("report", "captures", "-o", "b.html").code == 0
    assert (folder / "a.html").read_bytes() == (folder / "b.html").read_bytes()


def test_another_run_beside_it(harness, folder, tmp_path) -> None:
    said = harness("report", str(folder), "--against", str(folder), "-o", "r.html")
    assert said.code == 0
    assert '"diff":{' in (tmp_path / "r.html").read_text("utf-8")
    assert harness("report", "--against", str(folder), str(folder), str(folder)).code == 2
    assert harness("report", str(folder), "--against", str(folder), "-o", "r.json").code == 2
    assert harness("report", "--history", "--against", str(folder)).code == 2
    assert harness("report", str(folder), "--against", "none").code in (2, 3)


def test_nothing_to_show_is_no_success(harness, folder) -> None:
    (folder / "empty").mkdir()
    assert harness("report", "empty", "-o", "a.html").code == 3


def test_a_wrong_path_is_told(harness) -> None:
    said = harness("report", "gone", "-o", "a.html")
    assert said.code == 3
    assert "gone" in said.err
