"""docs/history.md says what is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from harness.cli.history import LAST
from harness.history.folder import DEFAULT, Local
from harness.history.form import COLUMNS, FORMAT
from harness.history.read import read
from harness.history.sql import TABLES
from harness.history.values import Course, State
from tests.history.rows import broken, filled

PAGE = (Path(__file__).parents[2] / "docs" / "history.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", TABLES)
def test_the_columns_of_each_table(tmp_path, table: str) -> None:
    filled(tmp_path, [broken(1)])
    with read(Local(str(tmp_path))) as index:
        columns = [row[0] for row in index.database.execute(f"DESCRIBE {table}").fetchall()]
    assert f"| {table} | {', '.join(columns)} |" in PAGE


def test_every_state_and_course_is_defined() -> None:
    first = set(re.findall(r"^\| (\w+) \|", PAGE, re.MULTILINE))
    assert {*get_args(State.__value__), *get_args(Course.__value__)} <= first


def test_names_and_numbers() -> None:
    assert f"`history` (the form's version, {FORMAT})" in PAGE
    assert f"(`--last`, {LAST})" in PAGE and f"goes to {DEFAULT}" in PAGE
    assert {"history", "added", "rounds", "findings"} <= COLUMNS.keys()
