"""Contracts: a named choice of rules and of how much a breach weighs.

The shipped ones are compiled ahead (`harness.rules.shipped`), so that choosing one loads neither
PyYAML nor pydantic; a user's file pays for both. Rank 3.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from harness.errors import ScenarioError
from harness.rules import registry

if TYPE_CHECKING:
    from collections.abc import Mapping

type Word = Literal["off", "info", "warning", "error", "table"]
"""`table`: the severity that the rule itself states for the protocol version."""

DEFAULT = "masked"


class Contract(NamedTuple):
    """One contract. A rule's own code in `words` wins over its family; a rule of neither is off."""

    name: str
    title: str
    words: Mapping[str, Word]
    """By family or code."""
    tags: Mapping[str, Mapping[str, Word]]
    """By code: what a finding with that tag (`agent-event`) weighs at most."""

    def word(self, code: str) -> Word:
        """What it says of one rule; what a scenario expects is an error unless it says otherwise."""
        family = registry.family(code)
        return self.words.get(code) or self.words.get(family) or ("error" if family == "SCN" else "off")

    def codes(self) -> tuple[str, ...]:
        """The rules that are not off, in the registry's order."""
        return tuple(code for code in registry.CODES if self.word(code) != "off")


def load(name: str = DEFAULT) -> Contract:
    """The shipped contract of that name, or the one in that file; raises `ScenarioError`."""
    from harness.rules.shipped import CONTRACTS

    if name in CONTRACTS:
        return CONTRACTS[name]
    return parse(_text_of(name, tuple(CONTRACTS)), name)


def parse(text: str, file: str) -> Contract:
    """A contract from YAML text; errors name `file`, line and `$.path`."""
    from harness.rules.language import compile_contract

    return compile_contract(text, file)


def schema() -> dict[str, Any]:
    """The JSON Schema of a contract file."""
    from harness.rules.language import ContractFile

    return ContractFile.model_json_schema(by_alias=True)


def _text_of(name: str, shipped: tuple[str, ...]) -> str:
    if not os.path.lexists(name):
        mend = f"name a file, or one of {', '.join(shipped)}"
        raise ScenarioError(f"no contract is called {name!r}", mend=mend)
    from harness import yamltext

    return yamltext.text_of(name, ScenarioError, "name a YAML text file")
