"""Compiles mappings/secrets.yaml ahead: `python -m harness.capture.redaction.generate [--check]`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness.capture.redaction.compile import compile_text

ROOT = Path(__file__).resolve().parents[3]
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
    return _formatted(f"{HEAD}SOURCE = (\n    {lines}\n)\n\nSECRETS = {made!r}\n")


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
    name = "harness/capture/redaction/shipped.py"
    print(f"{name} is stale: run python -m harness.capture.redaction.generate", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
