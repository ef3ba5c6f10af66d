"""Names of files: one for each run and contract, safe on every disk."""

from __future__ import annotations

import json

import pytest

from harness.history.form import COLUMNS, file_stem, row
from tests.history.rows import broken, summary


def test_the_same_run_and_contract_have_the_same_stem() -> None:
    assert file_stem(summary(1)) == file_stem(broken(1))


@pytest.mark.parametrize(
    "more", [{"run": "x"}, {"started": "2026-09-01T00:00:00Z"}, {"contract": "a2a"}, {"key": "x"}]
)
def test_any_other_has_another(more: dict[str, str]) -> None:
    assert file_stem(summary(1)) != file_stem(summary(1, **more))


@pytest.mark.parametrize("run", ["../../etc/x", "a/b", "a\\b", "运行", "\udc80", "x" * 500, ".", "*?["])
def test_names_are_safe(run: str) -> None:
    name = file_stem(summary(1, run=run))
    assert name.isascii() and len(name) < 200 and name.startswith("20260801T000100Z-")
    assert not set(name) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def test_a_row_has_every_column() -> None:
    assert set(json.loads(row(broken(1), "2026-08-01T00:00:00"))) == set(COLUMNS)
