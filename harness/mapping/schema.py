"""JSON Schema of the mapping language, for editors: `harness schema mapping` prints it."""

from __future__ import annotations

from typing import Any

from harness.mapping.language import File


def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a mapping file."""
    made = File.model_json_schema(by_alias=True)
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "harness mapping, version 1"}
    return {**made, **title}
