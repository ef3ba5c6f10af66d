"""Which scenarios `harness run` runs: by name, by file, or all that the system can be."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness import scenario as scenarios
from harness.errors import ScenarioError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from harness.model.scenario import Scenario

FOLDER = "scenarios"


def chosen(
    asked: Sequence[str], paths: Sequence[str], why_not: Callable[[Scenario], str | None]
) -> tuple[Scenario, ...]:
    """Scenarios by name or file, else all of `paths` (else the project's, else the shipped ones).

    `why_not` tells why the system can not run a scenario: such a one is left out, and refused where
    it was asked for. Raises `UsageError`.
    """
    if not asked:
        found = tuple(one for one in known(paths) if why_not(one) is None)
        if not found:
            raise UsageError("there is no scenario for this system", mend="name one, or --scenarios DIR")
        return found
    found = _asked(asked, paths)
    for one in found:
        if (why := why_not(one)) is not None:
            raise ScenarioError(why, file=one.file, line=one.line, mend="choose another scenario or --sut")
    return found


def _asked(asked: Sequence[str], paths: Sequence[str]) -> tuple[Scenario, ...]:
    named = {} if all(map(_is_file, asked)) else {one.name: one for one in known(paths)}
    made: dict[str, Scenario] = {}
    for word in dict.fromkeys(asked):
        if os.path.isdir(word):
            raise UsageError(
                f"{word} is a folder", mend=f"name scenarios, or `--scenarios {word}` for all of it"
            )
        one = scenarios.load(word) if _is_file(word) else named.get(word)
        if one is None:
            raise UsageError(f"no scenario is called {word!r}", mend=_mend(word, named))
        if one.name in made and made[one.name] != one:
            what = f"two scenarios are called {one.name!r}: {made[one.name].file} and {one.file}"
            raise UsageError(what, mend="run one of them")
        made[one.name] = one
    return tuple(made.values())


def _is_file(word: str) -> bool:
    return os.path.isfile(word) or word.endswith((".yaml", ".yml")) or os.sep in word


def _mend(word: str, named: Iterable[str]) -> str:
    from harness.cli.parser import nearest

    near = nearest(word, named)
    return f"did you mean {near!r}?" if near else f"known are {', '.join(named)}"


def known(paths: Sequence[str]) -> tuple[Scenario, ...]:
    """All scenarios of `paths`; without any, of the current folder's `scenarios/`, else the shipped ones."""
    if paths:
        return scenarios.load_all(paths)
    for folder in (FOLDER, *shipped()):
        if os.path.isdir(folder) and any(name.endswith(scenarios.ENDING) for name in os.listdir(folder)):
            return scenarios.load_all(folder)
    raise UsageError("there are no scenarios here", mend="name a file, or --scenarios DIR")


def shipped() -> tuple[str, ...]:
    """Where the package has its scenarios: its data, or the repository that it is run from."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return (os.path.join(package, "data", FOLDER), os.path.join(os.path.dirname(package), FOLDER))
