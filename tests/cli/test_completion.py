"""Completion scripts are made from the parsers and are good shell."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from harness.cli.completion import bash, fish, words_of
from harness.cli.main import COMMANDS


def complete(*words: str) -> list[str]:
    script = (
        bash()
        + f"COMP_WORDS=(harness {' '.join(words)})\nCOMP_CWORD={len(words)}\n_harness\necho ${{COMPREPLY[@]}}\n"
    )
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()


def test_bash_completes_commands_and_options() -> None:
    assert complete("ch") == ["check"]
    assert complete("check", "--js") == ["--json"]
    assert complete("completion", "z") == ["zsh"]


def test_every_command_and_option_is_there() -> None:
    for name in COMMANDS:
        assert f"    {name})" in bash()
        assert f"-a {name} " in fish()
        assert "--help" in words_of(name)
    assert "--max-line" in words_of("check")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_command_prints_a_script(harness, shell: str) -> None:
    said = harness("completion", shell)
    assert said.code == 0
    assert f"{shell} completion of harness" in said.out
    if shutil.which(shell):
        assert (
            subprocess.run([shell, "-n"], input=said.out, text=True, check=False, timeout=60).returncode == 0
        )
