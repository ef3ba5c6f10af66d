"""Files are whole or not there; what the disk refuses is told."""

from __future__ import annotations

import os

import pytest

from harness.errors import UsageError
from harness.history import folder as folders
from harness.history.folder import Local


def test_no_folder_and_an_empty_one(tmp_path) -> None:
    assert Local(str(tmp_path / "none")).names() is None
    assert Local(str(tmp_path)).names() == []


def test_written_files_are_seen_and_nothing_else_is_left(tmp_path) -> None:
    made = Local(str(tmp_path / "a" / "b"))
    made.write("x.parquet", b"1")
    made.write("x.parquet", b"2")
    assert made.names() == os.listdir(tmp_path / "a" / "b") == ["x.parquet"]
    assert (tmp_path / "a/b/x.parquet").read_bytes() == b"2"


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch) -> None:
    made = Local(str(tmp_path))
    made.write("x.parquet", b"old")

    def full(path: str, data: bytes) -> None:
        with open(path, "wb") as file:
            file.write(data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders, "_flushed", full)
    with pytest.raises(
        UsageError, match=r"can not be written: No space left on device; make it writable, or"
    ):
        made.write("x.parquet", b"new")
    assert os.listdir(tmp_path) == ["x.parquet"]
    assert (tmp_path / "x.parquet").read_bytes() == b"old"


def test_unfinished_files_are_not_seen_and_old_ones_are_tidied(tmp_path) -> None:
    made = Local(str(tmp_path))
    young, old = (tmp_path / folders.partial("x.parquet") for _ in range(2))
    for path in (young, old):
        path.write_bytes(b"PAR1")
    os.utime(old, (1, 1))
    assert made.names() == []
    made.tidy()
    assert os.listdir(tmp_path) == [young.name]
    Local(str(tmp_path / "none")).tidy()


def test_a_file_that_is_gone_already_is_no_error(tmp_path) -> None:
    Local(str(tmp_path)).remove(["gone.parquet"])


@pytest.mark.parametrize("action", ["names", "write"])
def test_what_is_no_folder_is_told(tmp_path, action: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    made = Local(str(tmp_path / "file"))
    with pytest.raises(UsageError, match=r"Not a directory|File exists"):
        made.names() if action == "names" else made.write("x.parquet", b"")


@pytest.mark.parametrize("call", ["open", "replace"])
def test_a_read_only_folder_is_told(tmp_path, monkeypatch, call: str) -> None:
    """Simulated: who may do everything is not stopped by a mode."""

    def refuse(*args: object) -> None:
        raise PermissionError(13, "Permission denied")

    if call == "open":
        monkeypatch.setattr(folders, "_flushed", refuse)
    else:
        monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(UsageError, match=r"Permission denied; make it writable, or name another folder"):
        Local(str(tmp_path)).write("x.parquet", b"")
    assert os.listdir(tmp_path) == []
