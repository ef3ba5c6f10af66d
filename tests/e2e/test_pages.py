"""What the pages say of recording: each command is one that the recorder takes, the Python block records."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from harness.cli import record
from tests.e2e.fault_server import FaultServer
from tests.e2e.raw_client import V1, post, stream_request
from tests.e2e.test_faults import CONTEXT, whole

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ("README.md", "README.zh-CN.md", "docs/recording.md")


def commands() -> list[str]:
    found = []
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        found += re.findall(r"^(?: {4})?harness record (.+)$", text, re.MULTILINE)
    return sorted(set(found))


def test_the_pages_show_commands():
    assert len(commands()) >= 6


@pytest.mark.parametrize("command", commands())
def test_each_command_is_one(command):
    arguments, _, client = command.partition(" -- ")
    asked = record.parser().parse_args(
        [*shlex.split(arguments), *(["--", *shlex.split(client)] if client else [])]
    )
    chosen = record.settings(asked)
    assert chosen.legs or chosen.forward


def test_the_python_block_records(tmp_path, monkeypatch):
    text = (ROOT / "docs/recording.md").read_text(encoding="utf-8")
    block = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[0]
    monkeypatch.chdir(tmp_path)
    seen = []
    with FaultServer(whole) as upstream:
        names = {"call": lambda url: seen.append(post(url, stream_request(context=CONTEXT), V1))}
        exec(block.replace("http://127.0.0.1:8191", upstream.url), names)
    assert seen[0].status == 200
    assert [path.name for path in sorted((tmp_path / "captures/run-1").iterdir())] == [
        f"{CONTEXT}-A2A_STREAM-r1.client.jsonl", f"{CONTEXT}-A2A_STREAM-r1.client.sse", "run.json",
    ]  # fmt: skip
