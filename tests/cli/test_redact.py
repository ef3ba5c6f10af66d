"""`harness redact`: finds secrets without showing them, and copies captures without them."""

from __future__ import annotations

import json

import pytest

SECRET = "Q7abcDEF2ghiJKL3mnoPQR4stuVWX5yz"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A folder with one secret in it, in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "a.sse").write_text(f'data: {{}}\n\ndata: {{"apiKey":"{SECRET}"}}\n\n')
    (tmp_path / "run" / "b.sse").write_text("data: {}\n\n")
    return tmp_path / "run"


def test_a_find_is_exit_1_and_names_its_place(harness, run):
    said = harness("redact", "--verify", "run")
    assert (said.code, said.err) == (1, "")
    assert said.out == "run/a.sse: byte 27: api-key\n1 places that look like secrets in 2 files\n"


def test_nothing_found_is_exit_0(harness, run):
    said = harness("redact", "--verify", "run/b.sse")
    assert (said.code, said.out) == (0, "no secrets found in 1 files\n")


def test_the_language_is_that_of_people(harness, run):
    assert "机密信息" in harness("redact", "--verify", "run", "--lang", "zh").out


def test_json(harness, run):
    said = harness("redact", "--verify", "run", "--json")
    value = json.loads(said.out)
    assert said.code == 1
    assert value == {
        "files": 2, "found": [{"file": "run/a.sse", "offset": 27, "kind": "api-key"}], "unread": [],
    }  # fmt: skip


def test_what_can_not_be_read_is_exit_3_unless_something_was_found(harness, run):
    (run / "c.sse").symlink_to(run / "none")
    assert harness("redact", "--verify", "run").code == 1
    (run / "a.sse").unlink()
    said = harness("redact", "--verify", "run")
    assert said.code == 3
    assert "run/c.sse" in said.err
    assert harness("redact", "--verify", "none").code == 3


def test_a_copy_is_clean(harness, run, tmp_path):
    said = harness("redact", "run", "-o", "out")
    assert (said.code, said.out) == (0, "out: 2 files, 1 secrets replaced\n")
    assert SECRET not in (tmp_path / "out" / "a.sse").read_text()
    assert harness("redact", "--verify", "out").code == 0
    assert json.loads(harness("redact", "run", "-o", "other", "--json").out)["secrets"] == 1


def test_own_secrets(harness, run):
    (run.parent / "own.yaml").write_text(
        "secrets: 1\nnames:\n  - {kind: ticket, named: ticket, in: [member]}\n"
    )
    (run / "b.sse").write_text('data: {"ticket":"abc"}\n\n')
    assert "run/b.sse: byte 17: ticket" in harness("redact", "--verify", "run", "--secrets", "own.yaml").out
    (run.parent / "own.yaml").write_text("secrets: 1\nnames:\n  - {kind: ticket}\n")
    said = harness("redact", "--verify", "run", "--secrets", "own.yaml")
    assert said.code == 2
    assert "own.yaml:3" in said.err


@pytest.mark.parametrize(
    "args",
    [("run",), ("--verify", "run", "-o", "out"), ("run", "run", "-o", "out"), ("run", "-o", "run/out"), ()],
)
def test_mistakes_are_exit_2(harness, run, args):
    assert harness("redact", *args).code == 2


def test_a_secret_is_never_printed(harness, run):
    for args in (("--verify", "run"), ("--verify", "run", "--json"), ("run", "-o", "out")):
        said = harness("redact", *args)
        assert SECRET not in said.out + said.err
