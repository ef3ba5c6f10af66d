"""The README's commands are run, and what it quotes is what they print.

A quoted line `...` stands for any number of lines. Mend a stale quotation by pasting the new output.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HARNESS = Path(sys.executable).with_name("harness")
EXITS = {"check": 1}
"""What the quoted commands end with, where it is not 0."""


def quoted(page: str) -> list[tuple[str, str]]:
    """Commands and outputs of the page's console blocks."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    found = []
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def plain_environment() -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}


LIVE = {"demo"}
"""Commands that write a run folder: they are called elsewhere."""


def run(command: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    program, *arguments = command.split()
    assert program == "harness"
    return subprocess.run(
        [HARNESS, *arguments], cwd=folder, env=plain_environment(),
        capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def as_pattern(output: str) -> str:
    """The quotation as a pattern: spaces at line ends do not count."""
    lines = [
        ".*(?:\n.*)*?" if line == "..." else re.escape(line.rstrip())
        for line in output.rstrip("\n").split("\n")
    ]
    return "\n".join(lines)


def test_the_page_quotes_something():
    assert len(quoted("README.md")) >= 4


@pytest.mark.parametrize(
    ("command", "output"), quoted("README.md"), ids=lambda text: text.split("\n")[0][:60]
)
def test_what_is_quoted_is_what_is_printed(command, output, tmp_path):
    done = run(command, tmp_path if command.split()[1] in LIVE else ROOT)
    assert done.returncode == EXITS.get(command.split()[1], 0), done.stderr
    printed = "\n".join(line.rstrip() for line in done.stdout.rstrip("\n").split("\n"))
    assert re.fullmatch(as_pattern(output), printed), printed


@pytest.mark.parametrize("name", ["mapping", "contract", "report", "topologies"])
def test_the_schemas_it_names_are_printed(name):
    done = run(f"harness schema {name}")
    assert (done.returncode, done.stdout[:1]) == (0, "{")


@pytest.mark.parametrize(
    "contract", re.findall(r"^\| `(\w+)`", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
)
def test_the_contracts_it_names_exist(contract):
    done = run(f"harness check --contract {contract} captures/golden/a2a-sdk-1.3.0/v1_rpc_complete.body")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("captures/golden/openjiuwen-shape/plain.sse", 0),
        ("captures/golden/openjiuwen-shape/leak_controller_output_v2.sse", 1),
        ("--contract nowhere captures/golden/openjiuwen-shape/plain.sse", 2),
        ("captures/golden/ai-sdk-7.0.173/agent_invoke_ok.body", 3),
        ("captures/golden/openjiuwen-shape/leak_controller_output_v2.sse captures/golden/ai-sdk-7.0.173/agent_invoke_ok.body", 1),
        ("captures/golden/no-such-file.sse", 3),
    ],
)  # fmt: skip
def test_the_exit_codes_it_lists(arguments, code):
    done = run(f"harness check {arguments}")
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_path_the_newest_run_folder_is_taken(tmp_path):
    assert run("harness check", tmp_path).returncode == 2
    for name in ("run-20260811-093000", "run-20260812-112000"):
        source = ROOT / "captures/golden/sit-logs" / name
        target = tmp_path / "captures" / name
        target.mkdir(parents=True)
        for log in source.iterdir():
            (target / log.name).write_bytes(log.read_bytes())
    done = run("harness check", tmp_path)
    assert done.returncode == 0, "the newest one has no leak"
