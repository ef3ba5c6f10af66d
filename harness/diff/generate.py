"""Compiles mappings/volatile.yaml ahead: `python -m harness.diff.generate [--check]`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness.diff.language import compile_text

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "mappings" / "volatile.yaml"
TARGET = Path(__file__).with_name("shipped.py")

HEAD = '''"""GENERATED from mappings/volatile.yaml by `python -m harness.diff.generate`; do not edit."""

from __future__ import annotations

from harness.diff.form import Compound, Id, Shape, Volatile

'''


def rendered() -> str:
    """The text of `shipped.py`."""
    made = compile_text(SOURCE.read_text(encoding="utf-8"), "mappings/volatile.yaml")
    return _formatted(f"{HEAD}VOLATILE = {made!r}\n")


def _formatted(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout


def main(arguments: list[str]) -> int:
    """Write `shipped.py`, or with `--check` tell whether it is fresh."""
    text = rendered()
    if "--check" not in arguments:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print("harness/diff/shipped.py is stale: run python -m harness.diff.generate", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
