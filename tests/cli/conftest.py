"""How commands are called in tests: in this process, and as a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from harness.cli.main import run


class Said(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """No locale, no colours, no width but what a test sets."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "HARNESS_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def harness(plain_terminal: None, monkeypatch: pytest.MonkeyPatch, capfdbinary) -> Callable[..., Said]:
    """Run `harness ARGS...` in this process."""

    def call(*args: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["harness", *args])
        capfdbinary.readouterr()
        try:
            code = run()
        except SystemExit as leave:
            code = int(leave.code or 0)
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Said(code, out.decode(), err.decode())

    return call


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run `python -m harness ARGS...` as a process of its own."""

    def call(*args: str, env: dict[str, str] | None = None, **more) -> subprocess.CompletedProcess[bytes]:
        clean = {
            k: v
            for k, v in os.environ.items()
            if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LC_ALL", "LANG")
        }
        return subprocess.run(
            [sys.executable, "-m", "harness", *args],
            env={**clean, **(env or {})},
            capture_output=True,
            check=False,
            timeout=60,
            **more,
        )

    return call


@pytest.fixture
def capture(tmp_path, monkeypatch):
    """A small v1.0 stream in an empty current folder: its path."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "s.sse"
    path.write_bytes(STREAM)
    return "s.sse"


STREAM = b"".join(
    (
        b'data: {"jsonrpc":"2.0","id":"r","result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}}}\n\n',
        b'data: {"jsonrpc":"2.0","id":"r","result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"Hel"}]}}}}\n\n',
        b'data: {"jsonrpc":"2.0","id":"r","result":{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":"lo 1.50"}]}}}}\n\n',
        b": ping\nevent: message\nid: 7\n",
        b'data: {"jsonrpc":"2.0","id":"r","result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"metadata":{"note":"{\\"deep\\":[\\"needle\\"]}","n":1.50}}}}\n\n',
    )
)
