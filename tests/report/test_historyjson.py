"""A history as JSON: by its schema, the same for the same."""

from __future__ import annotations

import json

import jsonschema
import pytest

from harness.history.sql import Answer
from harness.report.historyjson import answer, text
from harness.report.historyschema import schema
from tests.report.historyvalues import EMPTY, history, hostile


@pytest.mark.parametrize("one", [history(), EMPTY, hostile("\ud800\x1b[31m<script>")])
def test_it_fits_its_schema(one) -> None:
    jsonschema.validate(json.loads(text(one)), schema())


def test_members() -> None:
    value = json.loads(text(history()))
    first = value["rules"][0]
    assert (first["rule"], first["course"], first["fixed"]) == ("LEAK101", "flaky", None)
    assert first["since"] == {"run": "run-20260814-093000", "started": "2026-08-14T09:30:00Z"}
    assert value["topologies"][0]["events"] == [20, None, 1200, 40]
    assert value["skipped"][0]["file"] == "notes.txt"


def test_equal_input_equal_bytes() -> None:
    assert text(history()) == text(history())


def test_an_answer() -> None:
    made = "".join(answer(Answer(("run", "n"), (("a", 1), ("b", None)))))
    assert json.loads(made) == [{"run": "a", "n": 1}, {"run": "b", "n": None}]
    assert made.endswith("]\n")
    assert "".join(answer(Answer(("n",), ()))) == "[]\n"
