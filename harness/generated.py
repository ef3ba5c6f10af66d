"""Modules that are compiled ahead of YAML files: written, or told when they are stale. Rank 0.

Each `generate` module says what the text of its files is; what is done with it stands here.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parents[1]
"""The repository: generated files are written there and nowhere else."""


def formatted(text: str, target: Path) -> str:
    """`text` as the formatter leaves it in the file `target`."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(target), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def settle(texts: Mapping[Path, str], module: str, arguments: Sequence[str]) -> int:
    """Write each file, or with `--check` tell which are stale; the exit code of the module `module`."""
    stale = [file for file, text in texts.items() if not file.exists() or file.read_text("utf-8") != text]
    if "--check" not in arguments:
        for file in stale:
            file.write_text(texts[file], encoding="utf-8")
        return 0
    for file in stale:
        name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        sys.stderr.write(f"{name} is stale: run python -m {module}\n")
    return 1 if stale else 0
