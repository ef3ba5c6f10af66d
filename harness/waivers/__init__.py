"""Waivers: findings that somebody accepts, with a reason, an owner, an issue and a last day.

A waived finding stays in every report, marked; it does not break the contract. Where the file
is wrong, nothing is judged. PyYAML and pydantic are loaded only for a file. Rank 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.errors import ScenarioError

if TYPE_CHECKING:
    from harness.model.waiver import Waiver

DEFAULT = "scenarios/waivers.yaml"
"""The file that the command line reads where it exists."""
TODO = "TODO"
"""What a draft holds where somebody must decide; a file that holds it is refused."""


def load(file: str) -> tuple[Waiver, ...]:
    """The waivers of `file`; raises `ScenarioError` with file, line, path."""
    from harness import yamltext

    text = yamltext.text_of(file, ScenarioError, "name a YAML text file of waivers")
    return parse(text, file)


def parse(text: str, file: str) -> tuple[Waiver, ...]:
    """Waivers from YAML text."""
    from harness.waivers.language import compile_waivers

    return compile_waivers(text, file)


def schema() -> dict[str, Any]:
    """The JSON Schema of a waivers file."""
    from harness.waivers.language import WaiversFile

    return WaiversFile.model_json_schema()
