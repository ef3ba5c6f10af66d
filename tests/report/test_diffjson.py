"""The JSON form: valid by its schema, safe, equal for equal input."""

from __future__ import annotations

import json

import jsonschema

from harness.report.diffjson import pieces, text
from harness.report.diffschema import schema
from tests.report.diffvalues import difference


def test_valid_and_whole() -> None:
    value = json.loads(text(difference()))
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(value, schema())
    assert value["counts"] == {"contract": 3, "shape": 2, "text": 1, "timing": 1}
    assert [len(one["changes"]) for one in value["pairs"]] == [0, 6, 1]
    assert value["pairs"][2]["b"] is None


def test_empty() -> None:
    value = json.loads(text(difference()._replace(pairs=(), undecided=())))
    jsonschema.validate(value, schema())


def test_safe_on_a_terminal_and_the_same_twice() -> None:
    said = text(difference())
    assert "\x1b" not in said and "\u202e" not in said
    assert said == "".join(pieces(difference()))
