"""What run folders say of themselves: which legs were recorded, and with which defects the run was made."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.capture.naming import BESIDE
from harness.capture.store import read_run
from harness.errors import CaptureError
from harness.rules.legs import LLM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.model.capture import Capture

_OTHER, _MODEL = BESIDE


class RunFolder(NamedTuple):
    """One run folder."""

    legs: frozenset[str] = frozenset()
    """Legs that were recorded, also those on which nothing passed."""
    loose: frozenset[str] = frozenset()
    """Legs with exchanges that the recorder could not assign to a round."""
    defects: str = ""
    """The set of defects that the run was made with."""


def runs(captures: Iterable[Capture]) -> dict[str, RunFolder]:
    """The run folders in which `captures` lie, by the name that reports give them."""
    found: dict[str, RunFolder] = {}
    for capture in captures:
        group = capture.group or capture.source
        run = found[group] if group in found else _told(capture)
        leg = LLM if capture.protocol == _MODEL else capture.leg
        loose = {leg} if capture.round == 0 and capture.protocol != _OTHER else set()
        found[group] = run._replace(legs=run.legs | {leg}, loose=run.loose | loose)
    return found


def _told(capture: Capture) -> RunFolder:
    """What `run.json` says; what is wrong with that file is told where it is found."""
    try:
        facts = read_run(os.path.dirname(capture.path)) if capture.group else None
    except CaptureError:
        facts = None
    if facts is None:
        return RunFolder()
    defects = facts.get("defects")
    return RunFolder(frozenset(_legs(facts)), defects=defects if isinstance(defects, str) else "")


def _legs(facts: Mapping[str, Any]) -> Iterable[str]:
    listed = facts.get("legs")
    names = (one.get("name") for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()
    return (name for name in names if isinstance(name, str))
