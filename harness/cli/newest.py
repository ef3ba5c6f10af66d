"""Which runs `harness check` judges: those at the paths, or only the newest of them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FOLDERS = ("captures", "target/sit-logs/wire")
"""Where runs are looked for: what the harness records, and the wire logs of the SIT suite."""
_NUMBER = re.compile(r"(\d+)")


def newest(folders: Iterable[str] = FOLDERS) -> str | None:
    """The newest run folder directly below `folders`, by its name, which tells when it was made."""
    runs = [f"{folder}/{name}" for folder in folders for name in _runs(folder)]
    return max(runs, key=_age, default=None)


def needed() -> str:
    """`newest`; raises `UsageError` where there is no run."""
    found = newest()
    if found is None:
        what = f"no PATH was given and there is no run in {' or '.join(FOLDERS)}"
        raise UsageError(what, mend="name a capture or a folder")
    return found


def narrowed(paths: Sequence[str]) -> list[str]:
    """The paths with each folder of runs replaced by its newest run."""
    return [newest((path.rstrip("/") or path,)) or path for path in paths]


def _runs(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.name.startswith("run-") and entry.is_dir()]
    except OSError:
        return []


def _age(path: str) -> list[tuple[bool, int, str]]:
    """Numbers count as numbers: the tenth run of a second is newer than the ninth."""
    parts = _NUMBER.split(os.path.basename(path))
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]
