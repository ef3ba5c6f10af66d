"""The scenarios by which `harness check` judges: files that must have been recorded, folders that may."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness import scenario, topologies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.pipeline import Options


def planned(options: Options, paths: Sequence[str]) -> Options:
    """`options` with the scenarios at `paths`; raises `ScenarioError`.

    A scenario that was named by its file must have been recorded; of a folder's scenarios those
    that were recorded are judged.
    """
    found = scenario.load_all(paths)
    scenario.check_against(found, topologies.load(options.topologies))
    named = {os.path.normpath(path) for path in paths}
    free = frozenset(one.name for one in found if os.path.normpath(one.file) not in named)
    return options._replace(scenarios=found, may_be_absent=free)
