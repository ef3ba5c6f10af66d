"""Which mapping a run uses: the user's files before the shipped ones.

YAML is read only for files that are not shipped: those come compiled ahead.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.mapping import shipped
from harness.mapping.form import Mapping
from harness.mapping.merge import merged

LARGEST = 256 * 1024
"""Bytes; a larger file is no shipped one."""


def load(paths: Sequence[str] = ()) -> Mapping:
    """The shipped mappings, with the files of `paths` tried before them in their order.

    A file whose text is that of a shipped one adds nothing. Raises `MappingError`.
    """
    added: list[Mapping] = []
    for path in paths:
        if not _is_shipped(path):
            from harness.mapping.compile import compile_file

            added.append(compile_file(path, (*added, *shipped.MAPPINGS)))
    return merged((*added, *shipped.MAPPINGS))


def _is_shipped(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        return False
    return any(data == text.encode() for text in shipped.SOURCES.values())
