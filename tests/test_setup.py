"""`make setup`: what it needs, how it heals, and how quick it is when there is nothing to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NEEDED = (
    "scripts",
    "harness",
    "requirements.lock",
    "pyproject.toml",
    "Makefile",
    ".python-version",
    "README.md",
    "LICENSE",
)
PACKAGE_DATA = ("mappings", "scenarios", "captures/golden/sit-logs")
TOOLS = ("sh", "cat", "cksum", "dirname", "rm", "mv", "mkdir")


def copy_of_the_tree(folder: Path) -> Path:
    """What set-up reads, in a folder of its own."""
    for name in NEEDED + PACKAGE_DATA:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return folder


def bare_path(folder: Path) -> Path:
    """A folder for PATH with the few tools that the script uses, and no Python."""
    folder.mkdir(parents=True)
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found, f"{tool} is not on this machine"
        (folder / tool).symlink_to(found)
    return folder


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def setup(tree: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "scripts/setup.sh"],
        cwd=tree, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def surroundings(**more: str) -> dict[str, str]:
    """This process's environment without a virtual one."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("VIRTUAL_ENV", "PYTHON", "PYTHONPATH")
    }
    return kept | more


@pytest.fixture
def tree(tmp_path):
    return copy_of_the_tree(tmp_path / "a folder" / "with spaces")


def test_no_python_is_said_in_one_line(tree, tmp_path):
    done = setup(tree, PATH=str(bare_path(tmp_path / "bin")), HOME=str(tmp_path / "home"))
    assert done.returncode == 1
    assert done.stderr == (
        "setup: no Python found; install Python 3.12 or newer (Debian: apt-get install python3 python3-venv)\n"
    )


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (
            "echo old 3.11.7 /usr/bin/python3",
            "setup: found only Python 3.11.7 (/usr/bin/python3); install Python 3.12 or newer "
            "(for example: pyenv install 3.13, or uv python install 3.13)\n",
        ),
        (
            "echo bare 3.12.3 /usr/bin/python3",
            "setup: /usr/bin/python3 (3.12.3) has no ensurepip; install its venv package "
            "(Debian: apt-get install python3-venv), then type the command again\n",
        ),
        (
            "echo \"pyenv: version '3.13' is not installed\" >&2; exit 1",
            "setup: no Python found; install Python 3.12 or newer (Debian: apt-get install python3 python3-venv)\n",
        ),
    ],
    ids=["too old", "no ensurepip", "shim that fails"],
)
def test_a_python_that_will_not_do_is_said_in_one_line(tree, tmp_path, answer, line):
    tools = bare_path(tmp_path / "bin")
    script(tools / "python3", answer)
    done = setup(tree, PATH=str(tools), HOME=str(tmp_path / "home"))
    assert (done.returncode, done.stderr) == (1, line)


@pytest.mark.parametrize(
    "place",
    [".pyenv/versions/3.13.9", ".local/share/uv/python/cpython-3.12.11-linux-x86_64-gnu"],
    ids=["pyenv", "uv"],
)
def test_pythons_that_are_not_on_the_path_are_found(tree, tmp_path, place):
    """A stand-in answers the search, then fails as `venv`: the message shows which one was taken."""
    tools, home = bare_path(tmp_path / "bin"), tmp_path / "home"
    script(tools / "python3", "echo no such version >&2; exit 127")
    (home / place / "bin").mkdir(parents=True)
    path = home / place / "bin" / "python3"
    script(path, f'case "$2" in -c) echo "ok 3.13.9 {path}";; *) exit 9;; esac')
    done = setup(tree, PATH=str(tools), HOME=str(home))
    assert done.returncode == 1
    assert f"building .venv with Python 3.13.9 ({path})" in done.stderr
    assert f"could not create .venv with {path}" in done.stderr


def test_a_named_python_is_the_only_one_tried(tree, tmp_path):
    nowhere = tmp_path / "nowhere"
    done = setup(tree, PATH=os.environ["PATH"], HOME=str(tmp_path), PYTHON=str(nowhere))
    assert done.returncode == 1
    assert done.stderr == (
        f"setup: PYTHON={nowhere} does not run; name a Python 3.12 or newer, or leave PYTHON out\n"
    )


def test_the_script_is_plain_posix_shell():
    text = (ROOT / "scripts" / "setup.sh").read_text(encoding="utf-8")
    assert text.startswith("#!/bin/sh\n")
    for word in ("[[", "local ", "function ", "<<<", "pipefail", "source "):
        assert word not in text
    assert subprocess.run(["sh", "-n", "scripts/setup.sh"], cwd=ROOT, check=False).returncode == 0


@pytest.mark.slow
def test_setup_builds_is_quick_and_heals(tree, tmp_path):
    """One build in a folder with spaces, then: nothing to do, an interrupted build, a changed lock."""
    environment = surroundings(HOME=str(tmp_path / "home"), PYTHON=sys.executable)
    first = setup(tree, **environment)
    assert first.returncode == 0, first.stderr
    for name in ("harness", "python", "pytest", "ruff", "mypy"):
        assert (tree / ".venv" / "bin" / name).exists()
    where = subprocess.run(
        [tree / ".venv" / "bin" / "python", "-c", "import harness; print(harness.__file__)"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert where.stdout.strip() == str(tree / "harness" / "__init__.py")

    built = (tree / ".venv" / "bin" / "pytest").stat().st_mtime_ns
    again = setup(tree, **environment)
    assert (again.returncode, again.stderr) == (0, "")
    assert (tree / ".venv" / "bin" / "pytest").stat().st_mtime_ns == built, "nothing is built twice"

    marker = tree / ".venv" / "left-over"
    marker.touch()
    (tree / ".venv" / ".setup-stamp").unlink()
    (tree / ".venv" / "bin" / "pytest").unlink()
    healed = setup(tree, **environment)
    assert healed.returncode == 0, healed.stderr
    assert not marker.exists()
    assert (tree / ".venv" / "bin" / "pytest").exists()

    with (tree / "requirements.lock").open("a", encoding="utf-8") as lock:
        lock.write("no-such-package-of-ours ==\n")
    broken = setup(tree, **environment)
    assert broken.returncode == 1
    assert broken.stderr.endswith(
        "setup: could not install requirements.lock (pip's reason is above); mend it and type the command again\n"
    )
    assert not (tree / ".venv" / ".setup-stamp").exists()
