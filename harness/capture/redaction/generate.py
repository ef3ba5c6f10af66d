"""Compiles mappings/secrets.yaml ahead: `python -m harness.capture.redaction.generate [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path

from harness.capture.redaction.compile import compile_text
from harness.generated import ROOT, formatted, settle

SOURCE = ROOT / "mappings" / "secrets.yaml"
TARGET = Path(__file__).with_name("shipped.py")

HEAD = '''"""GENERATED from mappings/secrets.yaml by `python -m harness.capture.redaction.generate`."""

from __future__ import annotations

from harness.capture.redaction.form import Name, Secrets, Shape

'''


def rendered() -> str:
    """The text of `shipped.py`."""
    text = SOURCE.read_text(encoding="utf-8")
    made = compile_text(text, "mappings/secrets.yaml")
    lines = "\n    ".join(repr(line) for line in text.splitlines(keepends=True))
    return formatted(f"{HEAD}SOURCE = (\n    {lines}\n)\n\nSECRETS = {made!r}\n", TARGET)


def main(arguments: list[str]) -> int:
    """Write `shipped.py`, or with `--check` tell whether it is fresh."""
    return settle({TARGET: rendered()}, "harness.capture.redaction.generate", arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
