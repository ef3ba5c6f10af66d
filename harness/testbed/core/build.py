"""Agents by kind."""

from collections.abc import Sequence

from harness.testbed.core.chunks import CoreAgent


def build(kind: str | None, name: str, tools: Sequence[str], model_url: str) -> CoreAgent:
    """The agent `name` of a kind, with remote agents `tools`, whose model answers at `model_url` (ends with /v1)."""
    raise NotImplementedError
