"""The command line as a whole: commands, mistakes, ends, cost."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

import harness as package
from harness.cli import main as cli_main
from harness.cli.main import COMMANDS
from harness.errors import CaptureError, UsageError


def test_version(harness) -> None:
    assert harness("--version") == (0, f"harness {package.__version__}\n", "")


def test_help_lists_every_command_and_no_other(harness) -> None:
    said = harness("--help")
    assert said.code == 0
    listed = [line.split()[0] for line in said.out.split("commands:\n")[1].split("\n\n")[0].splitlines()]
    assert listed == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_s_help_has_an_example_and_the_exit_codes(harness, command: str) -> None:
    said = harness(command, "--help")
    assert said.code == 0
    assert "examples:\n  " in said.out
    assert f"harness {command}" in said.out.split("examples:")[1]
    assert re.search(r"exit codes:\n  0  .+\n(?:  [1-4]  .+\n)*  4  an error of the harness itself", said.out)


def test_help_headings_follow_the_language(harness) -> None:
    assert "退出码:\n  0  契约成立" in harness("check", "--help", "--lang", "zh").out
    assert "命令:" in harness("--lang", "zh", "--help").out


def test_nothing_said_shows_help_and_is_a_mistake(harness) -> None:
    said = harness()
    assert (said.code, said.out) == (2, "")
    assert "usage: harness" in said.err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("chek",), "there is no command 'chek'; did you mean `harness check`?"),
        (
            ("zzz",),
            f"there is no command 'zzz'; commands are {', '.join(COMMANDS)}",
        ),
        (("check", "--jsn"), "--jsn is not known here; did you mean --json?"),
        (("check", "--fail-on", "info"), "invalid choice: 'info'"),
        (("check", "--jobs", "0"), "--jobs 0: no number of processes; write a number from 1 on"),
        (("check", "x", "--max-line", "lots"), "--max-line lots: no size; write bytes, or 64k, 16M, 1G"),
        (("check", "x", "--only", "LEEK"), "'LEEK' is no rule and no family of rules"),
        (("--langg", "zh"), "--langg is not known here; did you mean --lang?"),
        (("schema", "raport"), "invalid choice: 'raport'"),
    ],
)
def test_mistakes_are_one_line_with_the_mend_and_exit_2(
    harness, args, told: str, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = harness(*args)
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("harness: error: ")
    assert told in said.err
    assert said.err.count("\n") == 1


def test_errors_are_told_in_chinese_too(harness, monkeypatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert harness("chek").err.startswith("harness: 错误: ")
    assert harness("check", "nowhere", "--lang", "en").err.startswith("harness: error: ")
    monkeypatch.setenv("LANG", "C")
    assert harness("check", "nowhere", "--lang", "zh").err.startswith("harness: 错误: ")


@pytest.mark.parametrize(
    ("fault", "code", "told"),
    [
        (
            UsageError("is wrong", file="a.yaml", line=3, path="$.x", mend="mend it"),
            2,
            "harness: error: a.yaml:3 $.x: is wrong; mend it\n",
        ),
        (CaptureError("gone", file="\x1b[31mx"), 3, "harness: error: \\x1b[31mx: gone\n"),
        (KeyboardInterrupt(), 130, "\nharness: interrupted\n"),
    ],
)
def test_every_end_has_its_line_and_code(harness, monkeypatch, fault, code: int, told: str) -> None:
    def broken(argv: list[str]) -> int:
        raise fault

    monkeypatch.setattr(cli_main, "main", broken)
    said = harness("check")
    assert (said.code, said.err) == (code, told)


def test_a_fault_of_ours_is_one_line_without_traceback(harness, monkeypatch) -> None:
    def broken(argv: list[str]) -> int:
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr(cli_main, "main", broken)
    said = harness("check")
    assert said.code == 4
    assert said.err.startswith("harness: internal error: ZeroDivisionError: division\\nby zero; ")
    assert "report" in said.err
    assert said.err.count("\n") == 1
    monkeypatch.setenv("HARNESS_DEBUG", "1")
    assert "Traceback" in harness("check").err


def test_a_reader_that_leaves_is_no_error() -> None:
    code = "import subprocess,sys; p = subprocess.Popen([sys.executable, '-m', 'harness', 'explain', 'exit'], stdout=subprocess.PIPE, stderr=subprocess.PIPE); p.stdout.close(); err = p.stderr.read(); print(p.wait(), err)"
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout == "0 b''\n"


LEFT = """
import os, subprocess, sys
read, write = os.pipe()
os.close(read)
for err in (write, None):
    close = (lambda: os.close(2)) if err is None else None
    command = [sys.executable, "-m", "harness", *sys.argv[1:]]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=err, preexec_fn=close)
    print(done.returncode)
"""


@pytest.mark.parametrize(("arguments", "code"), [(("check", "nowhere"), 3), (("chek",), 2)])
def test_the_exit_code_is_true_where_nobody_reads_the_errors(arguments, code: int) -> None:
    command = [sys.executable, "-c", LEFT, *arguments]
    assert subprocess.run(command, capture_output=True, text=True).stdout.split() == [str(code)] * 2


def test_interrupt_of_a_process(tmp_path) -> None:
    code = "import signal; from harness.cli import main; main.main = lambda argv: signal.raise_signal(signal.SIGINT) or 0; import sys; sys.exit(main.run())"
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert signal.SIGINT
    assert (said.returncode, said.stderr) == (130, "\nharness: interrupted\n")


HEAVY = {
    "yaml",
    "pydantic",
    "jsonpath_ng",
    "rich",
    "dataclasses",
    "inspect",
    "pytest",
    "msgspec",
    "asyncio",
    "hashlib",
    "importlib.metadata",
    "json",
    "difflib",
    "tomllib",
}


def test_help_imports_next_to_nothing() -> None:
    code = "import sys; sys.argv = ['harness', '--help']; from harness.cli.main import run; run(); print(sorted(sys.modules), file=sys.stderr)"
    said = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert HEAVY & set(eval(said.stderr)) == set()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("args", [("--help",), ("check", "--help"), ("explain", "exit")])
def test_a_full_disk_is_told_in_one_line(args) -> None:
    with open("/dev/full", "wb") as full:
        said = subprocess.run(
            [sys.executable, "-m", "harness", *args],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert said.returncode == 4
    assert (
        said.stderr
        == "harness: error: standard output can not be written: No space left on device; make room, or write somewhere else\n"
    )
