"""What stands in the folder already: nothing of it is written over, unless that is asked for."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING

from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

_OWN_FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini")
_SHARED = {"tox.ini": "[pytest]", "setup.cfg": "[tool:pytest]", "pyproject.toml": "[tool.pytest"}
"""Files with a section that makes them the settings of pytest."""


def existing(folder: str, paths: Iterable[str]) -> list[str]:
    """Those of `paths` that are there, and settings of the harness in pyproject.toml."""
    found = [path for path in paths if os.path.lexists(os.path.join(folder, path))]
    if _has_settings(_text(folder, "pyproject.toml")):
        found.append("pyproject.toml [tool.harness]")
    return found


def pytest_settings(folder: str) -> str | None:
    """The file that pytest takes its settings from; None where there is none."""
    for name in _OWN_FILES:
        if os.path.exists(os.path.join(folder, name)):
            return name
    return next((name for name, section in _SHARED.items() if section in _text(folder, name)), None)


def lacks(folder: str, path: str, text: str) -> bool:
    """Is the file there without the lines of `text`?"""
    there = _text(folder, path).split("\n")
    return any(line not in there for line in text.split("\n") if line)


def _has_settings(text: str) -> bool:
    try:
        tool = tomllib.loads(text).get("tool")
    except tomllib.TOMLDecodeError:
        return False  # `harness check` tells what is wrong with it
    return isinstance(tool, dict) and "harness" in tool


def _text(folder: str, name: str) -> str:
    path = os.path.join(folder, name)
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as fault:
        raise UsageError(f"can not be read: {fault.strerror}", file=path, mend="make it readable") from None


def write(folder: str, path: str, text: str, *, force: bool) -> None:
    """Write one file, and the folders that it needs; raises `UsageError`."""
    whole = os.path.join(folder, path)
    try:
        os.makedirs(os.path.dirname(whole) or ".", exist_ok=True)
        with open(whole, "w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as fault:
        raise UsageError(
            f"can not be written: {fault.strerror}", file=whole, mend="choose another folder"
        ) from None
