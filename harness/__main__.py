"""`python -m harness` is `harness`."""

from __future__ import annotations

import sys

from harness.cli.main import entry

if __name__ == "__main__":
    sys.exit(entry())
