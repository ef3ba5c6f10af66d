"""Completion scripts are made from the parsers and are good shell."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from harness.cli.completion import bash, fish, words_of
from harness.cli.main import COMMANDS
from harness.rules.registry import CODES
from harness.testbed.defects import DEFECTS, SETS


def complete(*words: str, folder: Path | None = None) -> list[str]:
    """What bash offers for the last of the words, in an empty folder unless one is named."""
    typed = " ".join(word or "''" for word in words)
    script = (
        bash() + f"COMP_WORDS=(harness {typed})\nCOMP_CWORD={len(words)}\n_harness\necho ${{COMPREPLY[@]}}\n"
    )
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands_and_options() -> None:
    assert complete("ch") == ["check"]
    assert complete("check", "--js") == ["--json"]
    assert complete("completion", "z") == ["zsh"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("check", "--contract", ""), ["masked", "symmetric", "unified", "a2a"]),
        (("run", "--contract", "uni"), ["unified"]),
        (("run", "--set", ""), list(SETS)),
        (("run", "--defect", ""), [one.name for one in DEFECTS]),
        (("check", "--only", "LEA"), ["LEAK"]),
        (("check", "--topology", "edp"), ["edpa"]),
        (("check", "--fail-on", ""), ["error", "warning"]),
        (("init", "--ci", "g"), ["github", "gitlab"]),
        (("explain", "LEAK10"), [code for code in CODES if code.startswith("LEAK10")]),
        (("schema", "wai"), ["waivers"]),
    ],
)
def test_what_stands_behind_an_option(tmp_path: Path, words: tuple[str, ...], offered: list[str]) -> None:
    assert sorted(complete(*words, folder=tmp_path)) == sorted(offered)


def test_scenarios_are_those_of_the_folder_else_the_shipped_ones(tmp_path: Path) -> None:
    assert complete("run", "DA-0", folder=tmp_path) == ["DA-09"]
    (tmp_path / "scenarios").mkdir()
    for name, line in (("a", "name: TRIP-1"), ("b", 'name: "TRIP-2"'), ("c", "title: name: TRIP-3")):
        (tmp_path / f"scenarios/{name}.scenario.yaml").write_text(f"version: 1\n{line}\nrounds: []\n")
    assert complete("run", "TRIP", folder=tmp_path) == ["TRIP-1", "TRIP-2"]
    assert complete("run", "DA-0", folder=tmp_path) == []
    assert complete("run", "--defe", folder=tmp_path) == ["--defect"]


def test_a_name_in_a_file_is_no_command(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    names = ("$(touch${IFS}made)", "`touch${IFS}made`", "$HOME", "a b", "*", "DA-1")
    for number, name in enumerate(names):
        (tmp_path / f"scenarios/{number}.scenario.yaml").write_text(f"version: 1\nname: {name}\n")
    offered = [one for one in complete("run", "", folder=tmp_path) if not one.startswith("-")]
    assert offered == ["DA-1"]
    assert complete("run", "D", folder=tmp_path) == ["DA-1"]
    assert [one.name for one in tmp_path.iterdir()] == ["scenarios"]


def test_a_value_behind_an_equals_sign() -> None:
    """bash breaks words at `=`."""
    assert complete("check", "--contract", "=", "s") == ["symmetric"]
    assert complete("check", "--fail-on", "=") == ["error", "warning"]


def test_fish_offers_the_same_words() -> None:
    script = fish()
    names = " ".join(one.name for one in DEFECTS)
    assert f"'__fish_seen_subcommand_from run' -l defect -x -a '{names}'" in script
    assert "'__fish_seen_subcommand_from run; and not test -d scenarios' -a DA-09" in script
    assert "scenarios/*.scenario.yaml" in script


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
