"""Topologies: which agents there are, who calls whom, and which scenarios run on which.

The file's schema is fixed here; recorder and driver read the same file. The shipped file is
compiled ahead (`harness.topologies.shipped`); a user's own loads PyYAML and pydantic. Rank 1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from harness.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.model.topology import Topology

_BORDER = r"\W|_"


def load(file: str | None = None) -> tuple[Topology, ...]:
    """The shipped topologies, or those of `file`; raises `ScenarioError` with file, line, path."""
    if file is None:
        from harness.topologies.shipped import TOPOLOGIES

        return TOPOLOGIES
    from harness import yamltext

    text = yamltext.text_of(file, ScenarioError, "name a YAML text file of topologies")
    return parse(text, file)


def parse(text: str, file: str) -> tuple[Topology, ...]:
    """Topologies from YAML text."""
    from harness.topologies.language import compile_topologies

    return compile_topologies(text, file)


def schema() -> dict[str, Any]:
    """The JSON Schema of a topologies file."""
    from harness.topologies.language import TopologiesFile

    return TopologiesFile.model_json_schema()


def of_scenario(topologies: Sequence[Topology], scenario: str) -> Topology | None:
    """The topology that a scenario runs on: the longest prefix wins.

    A prefix ends at a border of words: `DA` is that of `DA-09` and `DA_1`, not of `DATA-1`.
    """
    best: tuple[int, Topology] | None = None
    for topology in topologies:
        for prefix in topology.scenarios:
            if starts(scenario, prefix) and (best is None or len(prefix) > best[0]):
                best = (len(prefix), topology)
    return None if best is None else best[1]


def starts(scenario: str, prefix: str) -> bool:
    """Does `scenario` start with the whole word or words `prefix`?"""
    if not scenario.startswith(prefix):
        return False
    rest = scenario[len(prefix) :]
    return not rest or not prefix[-1:].isalnum() or re.match(_BORDER, rest) is not None


def named(topologies: Sequence[Topology], name: str) -> Topology | None:
    """The topology of that name."""
    return next((topology for topology in topologies if topology.name == name), None)
