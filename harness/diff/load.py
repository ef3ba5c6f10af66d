"""Which values are volatile in a run: the user's declarations before the shipped ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.diff.form import Volatile, joined
from harness.diff.shipped import VOLATILE

if TYPE_CHECKING:
    from collections.abc import Sequence


def load(paths: Sequence[str] = ()) -> Volatile:
    """The shipped declarations, with the files of `paths` before them; raises `MappingError`."""
    declared = VOLATILE
    for path in reversed(paths):
        from harness.diff.language import compile_file

        declared = joined(declared, compile_file(path))
    return declared
