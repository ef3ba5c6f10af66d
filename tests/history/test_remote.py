"""An index where fsspec reaches: in memory, and on this disk by an address."""

from __future__ import annotations

import builtins
import uuid

import pytest

from harness.errors import UsageError
from harness.history.add import add, compact
from harness.history.ask import asked
from harness.history.folder import folder
from harness.history.read import read
from harness.history.values import Question
from tests.history.rows import broken, filled, summary


@pytest.fixture
def memory():
    import fsspec

    place = f"memory://{uuid.uuid4().hex}/history"
    yield place
    fsspec.filesystem("memory").rm(place.removeprefix("memory:/").rsplit("/", 1)[0], recursive=True)


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_it_is_as_a_folder_here(kind: str, request, tmp_path) -> None:
    where = request.getfixturevalue("memory") if kind == "memory" else f"file://{tmp_path}/history"
    runs = [broken(1), summary(2), broken(3)]
    filled(where, runs)
    here = asked(filled(tmp_path / "here", runs), Question())
    assert asked(where, Question()) == here
    made = compact(folder(where))
    assert (made.runs, made.merged) == (3, 3)
    assert folder(where).names() == [made.file]
    assert asked(where, Question()) == here


def test_foreign_and_unfinished_files(memory: str) -> None:
    made = folder(memory)
    add(made, summary(1))
    made.write("notes.txt", b"hello")
    made.write("bad.parquet", b"PAR1 damaged")
    made._files.pipe_file(made._path(".x.partial"), b"")
    with read(made) as index:
        assert index.runs == 1
        assert [one.file for one in index.skipped] == ["bad.parquet", "notes.txt"]


def test_no_folder(tmp_path) -> None:
    with pytest.raises(UsageError, match="there is no history"):
        read(folder(f"memory://{uuid.uuid4().hex}"))


def test_what_is_missing_is_told(monkeypatch) -> None:
    with pytest.raises(
        UsageError, match=r"odd://x: is no place that fsspec reaches: .*a2a-harness\[fsspec\]"
    ):
        folder("odd://x")
    true = builtins.__import__

    def without(name: str, *args: object) -> object:
        if name == "fsspec":
            raise ImportError(name)
        return true(name, *args)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(
        UsageError, match=r"fsspec, which is not installed; pip install 'a2a-harness\[fsspec\]'"
    ):
        folder("s3://bucket/history")


def test_a_place_that_refuses(memory: str, monkeypatch) -> None:
    made = folder(memory)

    def refuse(*args: object, **more: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(made._files, "pipe_file", refuse)
    with pytest.raises(UsageError, match="can not be written: Permission denied"):
        add(made, summary(1))
