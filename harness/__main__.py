"""`python -m harness` is `harness`."""

from __future__ import annotations

import sys

from harness.cli.main import run

if __name__ == "__main__":
    sys.exit(run())
