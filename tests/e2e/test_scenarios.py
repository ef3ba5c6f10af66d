"""The repository's own scenarios through the plugin, live on the testbed, as `pytest scenarios/` runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("workers", [(), ("-n", "4")], ids=["alone", "xdist"])
def test_all_are_green_on_the_fixed_testbed(workers, tmp_path):
    """In a process of its own, so that nothing of this session's plugins and warnings' filters is left out."""
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "scenarios/", "-p", "no:cacheprovider", *workers,
            "--captures", str(tmp_path), "--junitxml", str(tmp_path / "junit.xml"),
        ],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    written = {path.name for path in (ROOT / "scenarios").glob("*.scenario.yaml")}
    told = (tmp_path / "junit.xml").read_text()
    names = {name.removesuffix(".yaml").replace("/", ".") for name in written}
    assert not [name for name in names if f'classname="scenarios.{name}' not in told]
    assert 'skipped="0"' in told
