"""What run folders say of themselves: which legs were recorded, and with which defects the run was made."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.capture.naming import BESIDE, split
from harness.capture.store import read_run
from harness.errors import CaptureError
from harness.rules.legs import LLM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.model.capture import Capture

_OTHER, _MODEL = BESIDE


class Listed(NamedTuple):
    """One exchange as `run.json` names it."""

    stem: str
    """Of its files' names."""
    scenario: str | None
    """None: it was assigned to no round."""
    leg: str


class RunFolder(NamedTuple):
    """One run folder."""

    legs: frozenset[str] = frozenset()
    """Legs that were recorded, also those on which nothing passed."""
    loose: frozenset[str] = frozenset()
    """Legs with exchanges that the recorder could not assign to a round."""
    defects: str = ""
    """The set of defects that the run was made with."""
    listed: frozenset[Listed] = frozenset()
    """Exchanges that were recorded, and of which no capture is known."""

    def gone(self, scenario: str) -> frozenset[str]:
        """Legs of which exchanges are missing that were of `scenario`, or may have been."""
        return frozenset(one.leg for one in self.listed if one.scenario in (scenario, None))


def runs(captures: Iterable[Capture]) -> dict[str, RunFolder]:
    """The run folders in which `captures` lie, by the name that reports give them."""
    found: dict[str, RunFolder] = {}
    stems: dict[str, set[str]] = {}
    for capture in captures:
        group = capture.group or capture.source
        run = found[group] if group in found else _told(capture)
        leg = LLM if capture.protocol == _MODEL else capture.leg
        loose = {leg} if capture.round == 0 and capture.protocol != _OTHER else set()
        found[group] = run._replace(legs=run.legs | {leg}, loose=run.loose | loose)
        stems.setdefault(group, set()).add(split(os.path.basename(capture.path))[0])
    return {
        group: run._replace(listed=frozenset(one for one in run.listed if one.stem not in stems[group]))
        for group, run in found.items()
    }


def _told(capture: Capture) -> RunFolder:
    """What `run.json` says; what is wrong with that file is told where it is found."""
    try:
        facts = read_run(os.path.dirname(capture.path)) if capture.group else None
    except CaptureError:
        facts = None
    if facts is None:
        return RunFolder()
    defects = facts.get("defects")
    return RunFolder(
        legs=frozenset(name for one in _objects(facts, "legs") if isinstance(name := one.get("name"), str)),
        defects=defects if isinstance(defects, str) else "",
        listed=frozenset(filter(None, map(_listed, _objects(facts, "exchanges")))),
    )


def _objects(facts: Mapping[str, Any], name: str) -> Iterable[Mapping[str, Any]]:
    listed = facts.get(name)
    return (one for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()


def _listed(one: Mapping[str, Any]) -> Listed | None:
    stem, scenario, leg = one.get("stem"), one.get("scenario"), one.get("leg")
    if not (isinstance(stem, str) and isinstance(leg, str)) or one.get("protocol") == _OTHER:
        return None
    return Listed(stem, None if one.get("unassigned") or not isinstance(scenario, str) else scenario, leg)
