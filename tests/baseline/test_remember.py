"""A report that is remembered is what its JSON would be read as."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import pipeline
from harness.baseline.read import load
from harness.baseline.remember import remembered
from harness.pipeline import Options
from harness.report.json import text

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("waivers", [None, str(ROOT / "scenarios/examples/waivers.yaml")])
@pytest.mark.parametrize("contract", ["masked", "symmetric"])
def test_the_same_as_read(tmp_path: Path, contract: str, waivers: str | None) -> None:
    options = Options(contract=contract, waivers=waivers, today="2026-08-11")
    report = pipeline.check([str(ROOT / "captures/golden/sit-logs")], options)
    path = tmp_path / "r.json"
    path.write_text(text(report), encoding="utf-8")
    read = load(str(path), contract).findings
    assert remembered(report).findings == read
    assert bool(read) is (contract == "symmetric" or waivers is None)
