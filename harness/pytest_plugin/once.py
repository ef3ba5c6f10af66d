"""One judgement for all workers of xdist.

The first process that needs it makes it, under a lock, and leaves it in a folder that the controller
made for this session alone; the others read it.
"""

from __future__ import annotations

import fcntl
import os
import pickle
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.pytest_plugin.runs import Judgement


def shared(folder: str | None, make: Callable[[], Judgement]) -> Judgement:
    """The judgement in `folder`, made there by the first who asks; without a folder it is made here."""
    if folder is None:
        return make()
    with open(os.path.join(folder, "lock"), "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = kept(folder)
        if known is None:
            known = make()
            with open(os.path.join(folder, "new"), "wb") as file:
                pickle.dump(known, file)
            os.replace(os.path.join(folder, "new"), os.path.join(folder, "judgement"))
    return known


def kept(folder: str) -> Judgement | None:
    """The judgement in `folder`, if anybody made one."""
    try:
        with open(os.path.join(folder, "judgement"), "rb") as file:
            made: Judgement = pickle.load(file)
            return made
    except FileNotFoundError:
        return None
