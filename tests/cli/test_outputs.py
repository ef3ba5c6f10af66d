"""`-o` writes what its ending or its format says, or says what it can write."""

from __future__ import annotations

import json

import pytest

from harness.cli.outputs import Output, outputs, write
from harness.errors import UsageError
from harness.report.entries import Edition
from harness.report.words import EN
from tests.report.values import full_report

EDITION = Edition(EN)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub.json").mkdir()
    return tmp_path


def test_format_by_ending_or_by_name() -> None:
    assert outputs(["a.json", "json=report.txt", "B.JSON"]) == (
        Output("json", "a.json"),
        Output("json", "report.txt"),
        Output("json", "B.JSON"),
    )


@pytest.mark.parametrize("path", ["a.htm", "a", "html=", "json=", "sub.json", "nowhere/a.json", "gitlab"])
def test_what_can_not_be_written_is_said_before_anything_is_judged(path: str) -> None:
    with pytest.raises(UsageError) as caught:
        outputs([path])
    assert caught.value.mend


def test_unknown_endings_name_the_known() -> None:
    with pytest.raises(UsageError, match=r"known are \.json \(json=PATH\), \.xml .*, gitlab=PATH"):
        outputs(["a.htm"])


def test_the_file_is_whole_and_nothing_is_left_beside_it(folder) -> None:
    write(full_report(), Output("json", "a.json"), EDITION)
    assert json.loads((folder / "a.json").read_bytes())["report"] == 1
    assert sorted(path.name for path in folder.iterdir()) == ["a.json", "sub.json"]


def test_a_write_that_fails_leaves_nothing_behind(folder, monkeypatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("harness.cli.outputs.os.replace", refused)
    with pytest.raises(UsageError, match="can not be written: Permission denied"):
        write(full_report(), Output("json", "a.json"), EDITION)
    assert [path.name for path in folder.iterdir()] == ["sub.json"]
