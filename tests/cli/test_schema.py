"""Schemas are valid JSON Schemas."""

from __future__ import annotations

import json

import jsonschema
import pytest

from harness.cli.schema import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_schemas(harness, name: str) -> None:
    said = harness("schema", name)
    assert said.code == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(said.out))
