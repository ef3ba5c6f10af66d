"""The real Allure command line turns the plugin's results into a site.

It is brought by `sh scripts/setup-js.sh`; where node is at hand this test does that itself.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.rules.example import artifact, status
from tests import needs
from tests.pytest_plugin.material import GREEN, LEAK, OPEN, UNKNOWN, capture, scenario, waivers

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).with_name("allure")
ALLURE = FOLDER / "node_modules" / ".bin" / "allure"
MEND = "sh scripts/setup-js.sh"
PATH = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"

pytestmark = pytest.mark.slow


@pytest.fixture
def allure() -> list[str]:
    """The command; one of several test processes installs it."""
    node = needs.command("node", MEND, PATH)
    with (FOLDER / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ALLURE.exists():
            done = subprocess.run(
                ["sh", ROOT / "scripts" / "setup-js.sh", "tests/e2e/allure"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode:
                needs.lacking("allure", f"{MEND} ({done.stderr.strip().splitlines()[-1]})")
    return [node, str(ALLURE.resolve())]


def test_results_become_a_site(allure, tmp_path):
    evil = "<script>alert(1)</script> \x1b[31m ]]>"
    frames = {"DA-1": LEAK, "DA-2": UNKNOWN, "DA-3": LEAK, "DA-4": GREEN}
    frames["DA-5"] = (*OPEN, artifact(evil), status("failed", evil))
    for name, each in frames.items():
        scenario(tmp_path / "scen", name, rounds="  - send: x\n    expect: {text: {lacks: [script]}}\n")
        capture(tmp_path / "run", name, each)
    capture(tmp_path / "run", "DA-7")
    waivers(tmp_path, scope="{scenario: DA-3}")
    plugin = ("-p", "harness.pytest_plugin", "-p", "no:cacheprovider")
    arguments = ("scen", "--run", "run", "--waivers", "waivers.yaml", "--alluredir", "results")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugin, *arguments],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout

    made = subprocess.run(
        [*allure, "generate", "results", "-o", "site", "--cwd", str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    assert (tmp_path / "site" / "index.html").is_file()
    told = [json.loads(path.read_text()) for path in (tmp_path / "site").rglob("test-results/*.json")]
    assert {one["name"]: one["status"] for one in told if one["name"].endswith(" r1")} == {
        "DA-1 r1": "failed",
        "DA-2 r1": "unknown",
        "DA-3 r1": "skipped",
        "DA-4 r1": "passed",
        "DA-5 r1": "failed",
    }
    assert len(told) == 10
    environment = json.loads((tmp_path / "site" / "widgets" / "allure_environment.json").read_text())
    assert {"name": "contract", "values": ["masked"]} in environment

    older = subprocess.run(
        [*allure, "allure2", "results", "-o", "older", "--cwd", str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert older.returncode == 0, older.stdout + older.stderr
    sorted_by = json.loads((tmp_path / "older" / "widgets" / "categories.json").read_text())
    assert {"Leaks", "Scenario not met", "Waived", "Could not be decided"} <= {
        one["name"] for one in sorted_by["items"]
    }
