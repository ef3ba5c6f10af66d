"""The captures of a report, found again by their sources, and the model calls of their run folders."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from harness.capture.discover import find
from harness.capture.naming import BESIDE
from harness.errors import CaptureError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.model.capture import Capture
    from harness.model.verdict import Report

_MODEL = BESIDE[1]


class Sources(NamedTuple):
    """What can be read a second time. Standard input can not."""

    captures: Mapping[str, Capture] = {}
    """By source."""
    models: tuple[Capture, ...] = ()


def sources(report: Report) -> Sources:
    """The captures of the report's rounds; those that are gone or were no files are left out."""
    wanted = {source for source in {one.source for one in report.rounds} if _is_file(source)}
    runs = sorted({folder for source in wanted if _is_run(folder := os.path.dirname(source))})
    found = {capture.source: capture for capture in _found(runs)}
    found |= {capture.source: capture for capture in _found(sorted(wanted - found.keys()))}
    models = [capture for capture in found.values() if capture.protocol == _MODEL]
    return Sources(
        {source: capture for source, capture in found.items() if source in wanted},
        tuple(sorted(models, key=lambda capture: capture.source)),
    )


def _is_file(path: str) -> bool:
    """Is it one? A name that the system refuses is none."""
    try:
        return path != "-" and os.path.isfile(path)
    except ValueError:
        return False


def _is_run(folder: str) -> bool:
    return bool(folder) and os.path.isfile(os.path.join(folder, "run.json"))


def _found(paths: list[str]) -> Iterable[Capture]:
    try:
        return find(paths).captures if paths else ()
    except CaptureError:
        return () if len(paths) == 1 else [one for path in paths for one in _found([path])]
