"""Compiles mappings/volatile.yaml ahead: `python -m harness.diff.generate [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path

from harness.diff.language import compile_text
from harness.generated import ROOT, formatted, settle

SOURCE = ROOT / "mappings" / "volatile.yaml"
TARGET = Path(__file__).with_name("shipped.py")

HEAD = '''"""GENERATED from mappings/volatile.yaml by `python -m harness.diff.generate`; do not edit."""

from __future__ import annotations

from harness.diff.form import Compound, Id, Shape, Volatile

'''


def rendered() -> str:
    """The text of `shipped.py`."""
    made = compile_text(SOURCE.read_text(encoding="utf-8"), "mappings/volatile.yaml")
    return formatted(f"{HEAD}VOLATILE = {made!r}\n", TARGET)


def main(arguments: list[str]) -> int:
    """Write `shipped.py`, or with `--check` tell whether it is fresh."""
    return settle({TARGET: rendered()}, "harness.diff.generate", arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
