"""Run all cases on the real system with `harness run`, compare, and write docs/real-systems.md.

    sh tests/e2e/openjiuwen/run.sh [--keep] [CASE...]

`--keep` also puts the captures of the cases in `cases.KEPT` below captures/golden/openjiuwen-live. Exit 0: all is
as `cases.py` says; the page is written only then, and only when no CASE was named.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.e2e.openjiuwen.cases import CASES, HERE, KEPT, Case
from tests.e2e.openjiuwen.page import PAGE, page
from tests.e2e.openjiuwen.report import Found, differences, found

ROOT = HERE.parents[2]
GOLDEN = ROOT / "captures/golden/openjiuwen-live"
CAPTURES = ROOT / ".openjiuwen/captures"
LIMIT = 180
"""Seconds that one case may take."""


def run(case: Case) -> tuple[Found, Path]:
    """One case from its start to its report; what the report says, and the run folder."""
    captures = CAPTURES / case.file
    shutil.rmtree(captures, ignore_errors=True)
    said = subprocess.run(
        [
            sys.executable, "-m", "harness", "run", str(case.path.relative_to(ROOT)),
            "--sut", str((HERE / "sut.yaml").relative_to(ROOT)),
            "--set", "as-reported", "--captures", str(captures.relative_to(ROOT)), "--json",
        ],
        cwd=ROOT, env={**os.environ, "OPENJIUWEN_ENTRY": case.entry}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=LIMIT, check=False,
    )  # fmt: skip
    if said.returncode not in (0, 1):
        sys.exit(f"{case.file}: harness run ended with {said.returncode}: {said.stderr.strip()[-2000:]}")
    (folder,) = captures.iterdir()
    told = found(json.loads(said.stdout))
    assert told.exit == said.returncode, "the report's exit is the command's"
    return told, folder


def keep(folders: dict[str, Path]) -> None:
    """Put the run folders of the kept cases among the golden captures, in place of those of before."""
    shutil.rmtree(GOLDEN, ignore_errors=True)
    for name in KEPT:
        shutil.copytree(folders[name], GOLDEN / name)


def main() -> None:
    """Run, compare, write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    told = parser.parse_args()
    chosen = [one for one in CASES if not told.cases or one.file in told.cases]
    runs: dict[str, tuple[Found, Path]] = {}
    wrong: list[str] = []
    for case in chosen:
        runs[case.file] = run(case)
        lines = differences(case, runs[case.file][0])
        print(f"{case.file}: {'; '.join(lines) or 'as expected'}", flush=True)
        wrong += lines
    if wrong:
        sys.exit(
            f"{len(wrong)} differences; see tests/e2e/openjiuwen/cases.py, and the captures in .openjiuwen"
        )
    if chosen == list(CASES):
        PAGE.write_text(page({name: one for name, (one, _) in runs.items()}), encoding="utf-8")
        if told.keep:
            keep({name: folder for name, (_, folder) in runs.items()})


if __name__ == "__main__":
    main()
