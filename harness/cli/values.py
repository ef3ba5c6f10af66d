"""Words that can stand behind an option or as an argument: what the completion of a shell offers."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Callable


def contracts() -> list[str]:
    """The shipped contracts."""
    from harness.rules.shipped import CONTRACTS

    return list(CONTRACTS)


def defects() -> list[str]:
    """Faults that the testbed can be told to have."""
    from harness.testbed.defects import DEFECTS

    return [one.name for one in DEFECTS]


def sets() -> list[str]:
    """Sets of such faults."""
    from harness.testbed.defects import SETS

    return list(SETS)


def families() -> list[str]:
    """Families of rules."""
    from harness.rules.registry import FAMILIES

    return list(FAMILIES)


def codes() -> list[str]:
    """Rules, and the other words that `explain` knows."""
    from harness.cli.glossary import TOPICS
    from harness.rules.registry import CODES

    return [*CODES, *TOPICS]


def topologies() -> list[str]:
    """The shipped topologies."""
    from harness.topologies.shipped import TOPOLOGIES

    return [one.name for one in TOPOLOGIES]


def scenarios() -> list[str]:
    """The shipped scenarios, where a folder has none of its own: their names without reading YAML."""
    from harness.cli.chosen import shipped
    from harness.scenario import ENDING

    for folder in shipped():
        if os.path.isdir(folder):
            files = (os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(ENDING))
            return sorted(name for file in files for name in _named(file))
    return []


def _named(file: str) -> list[str]:
    with open(file, encoding="utf-8") as opened:
        return re.findall(r"^name: *([\w.+-]+)", opened.read(), re.MULTILINE)


_OF: dict[str, Callable[[], list[str]]] = {
    "--contract": contracts,
    "--defect": defects,
    "--set": sets,
    "--only": families,
    "--skip": families,
    "--topology": topologies,
    "explain": codes,
    "run": scenarios,
}
"""By option, and by command for its arguments."""


def of(action: Action, command: str) -> list[str]:
    """The words that are known for an argument of `command`; none where anything can stand."""
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    name = next((one for one in action.option_strings if one in _OF), None)
    if name is None and not action.option_strings:
        name = command if command in _OF else None
    return [] if name is None or action.nargs == 0 else _OF[name]()
