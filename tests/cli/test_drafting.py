"""`--write-waivers`: a new file of drafts for what is red, and nothing is ever written over."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from harness import waivers
from harness.cli import drafting
from harness.errors import UsageError

ROOT = Path(__file__).parents[2]
SIT = str(ROOT / "captures/golden/sit-logs")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_draft_decide_check(harness, folder) -> None:
    said = harness("check", SIT, "--write-waivers")
    assert said.code == 1, "drafting does not change the verdict"
    path = folder / "scenarios/waivers.yaml"
    assert "drafted 1 waivers in scenarios/waivers.yaml: replace every TODO" in said.err
    refused = harness("check", SIT)
    assert refused.code == 2
    assert "scenarios/waivers.yaml:9 $.waivers[0].reason: is still a draft" in refused.err
    text = re.sub("issue: TODO.*", "issue: https://t.example/1", path.read_text())
    path.write_text(re.sub("TODO.*", "decided", text))
    accepted = harness("check", SIT)
    assert accepted.code == 0
    assert "Waived: 7, by leak101-deep-research-da-09." in accepted.out


def test_a_file_of_its_own(harness, folder) -> None:
    harness("check", SIT, "--write-waivers=mine.yaml")
    assert (folder / "mine.yaml").exists()
    assert not (folder / "scenarios").exists()


def test_nothing_red_nothing_written(harness, folder) -> None:
    said = harness("check", f"{SIT}/run-20260812-112000", "--write-waivers")
    assert "nothing is red: scenarios/waivers.yaml was not written" in said.err
    assert list(folder.iterdir()) == []


def test_what_is_there_is_not_written_over(folder) -> None:
    (folder / "w.yaml").write_text("mine")
    with pytest.raises(UsageError, match=r"w\.yaml is there already; name another file"):
        drafting.target("w.yaml")


def test_a_capture_is_not_taken_for_the_file(harness) -> None:
    """`--write-waivers captures/run-1` would name the run as the file to write."""
    said = harness("check", "--write-waivers", SIT)
    assert said.code == 2
    assert "put --write-waivers behind the paths" in said.err


def test_a_folder_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="there is no folder nowhere"):
        drafting.target("nowhere/w.yaml")


def test_a_draft_holds_ninety_days(harness, folder) -> None:
    before = time.time()
    harness("check", SIT, "--write-waivers=w.yaml")
    days = {time.strftime("%Y-%m-%d", time.gmtime(at + 90 * 86_400)) for at in (before, time.time())}
    assert re.search(r"expires: (\S+)", (folder / "w.yaml").read_text())[1] in days
    assert waivers.DEFAULT == "scenarios/waivers.yaml"
