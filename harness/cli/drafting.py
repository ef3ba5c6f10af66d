"""`--write-waivers`: drafts of waivers for what is red, never over a file that is there."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from harness.errors import UsageError
from harness.waivers import DEFAULT

if TYPE_CHECKING:
    from harness.model.verdict import Report

DAYS = 90
"""Days that a drafted waiver holds, unless somebody writes another day."""


def target(asked: str) -> str:
    """The file to write, checked before anything is judged; `""` stands for the default."""
    path = asked or DEFAULT
    if not path.endswith((".yaml", ".yml")):
        mend = "write --write-waivers=FILE.yaml, or put --write-waivers behind the paths"
        raise UsageError(f"--write-waivers {path}: a file of waivers ends with .yaml", mend=mend)
    if os.path.exists(path):
        mend = "name another file and move over what you accept"
        raise UsageError(f"--write-waivers: {path} is there already", mend=mend)
    folder = os.path.dirname(path)
    if asked and folder and not os.path.isdir(folder):
        raise UsageError(f"--write-waivers: there is no folder {folder}", mend=f"mkdir -p {folder}")
    return path


def write(report: Report, path: str, breaking: frozenset[str], today: str) -> int:
    """Write the drafts to `path` and say how many there are; no file where nothing is red."""
    from harness.waivers.draft import drafts, text

    made = drafts(report, breaking)
    if not made:
        return 0
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(text(made, _later(today)))
    except OSError as fault:
        what = f"--write-waivers: {path} can not be written: {fault.strerror}"
        raise UsageError(what, mend="name another file") from None
    return len(made)


def _later(today: str) -> str:
    """The day `DAYS` after `today`."""
    noon = time.mktime(time.strptime(today + " 12", "%Y-%m-%d %H"))
    return time.strftime("%Y-%m-%d", time.localtime(noon + DAYS * 86_400))
