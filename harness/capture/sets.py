"""Which files of one folder belong together: a body, its sidecars, its journal."""

from __future__ import annotations

import os
from collections.abc import Iterator

from harness.capture.beside import Parts, begins_as_journal, begins_as_sidecar
from harness.capture.naming import MUST, PACKED, split

BODIES = (".body", ".sse")
SIDECARS = (".headers", ".rc", ".request.json")


def must_be_capture(name: str) -> bool:
    """Whether a file of a folder must be a capture, by its name."""
    return split(name)[1] in MUST


def same_stem(folder: str, name: str, stem: str) -> list[str]:
    """Names of the files that may belong together with `name`."""
    names = {name}
    for extension in (*BODIES, *SIDECARS, ".jsonl"):
        for packed in ("", *PACKED):
            candidate = stem + extension + packed
            if os.path.isfile(os.path.join(folder, candidate)):
                names.add(candidate)
    return sorted(names)


def captures_of(folder: str, names: list[str]) -> Iterator[Parts]:
    """The captures among the regular files of a folder that consist of body and sidecars."""
    groups: dict[str, dict[str, list[str]]] = {}
    for name in names:
        stem, extension = split(name)
        if extension in BODIES or extension in SIDECARS or extension == ".jsonl":
            groups.setdefault(stem, {}).setdefault(extension, []).append(name)
    for stem, group in groups.items():
        yield from _of_stem(folder, stem, group)


def _of_stem(folder: str, stem: str, group: dict[str, list[str]]) -> Iterator[Parts]:
    bodies = group.get(".body", []) + group.get(".sse", [])
    journals, lines = _journals(folder, group.get(".jsonl", []), bodies)
    journal = journals[0] if journals else None
    headers, rc, request = (_first_of(group, extension) for extension in SIDECARS)
    if bodies:
        streamed = group.get(".sse", bodies)[0]
        for body in bodies:
            parts = Parts(body, True, headers, rc, request) if body == bodies[0] else Parts(body)
            yield parts._replace(journal=journal) if body == streamed else parts
    elif journal is not None or _speaks(folder, group):
        yield Parts(f"{stem}.body", False, headers, rc, request, journal)
    for name in lines:
        yield Parts(name)


def _first_of(group: dict[str, list[str]], extension: str) -> str | None:
    names = group.get(extension)
    return names[0] if names else None


def _journals(folder: str, names: list[str], bodies: list[str]) -> tuple[list[str], list[str]]:
    """Of `.jsonl` files the journals, and those that are captures themselves."""
    journals = [name for name in names if begins_as_journal(os.path.join(folder, name))]
    return journals, [name for name in names if name not in journals]


def _speaks(folder: str, group: dict[str, list[str]]) -> bool:
    """Whether sidecars without a body tell of an exchange: of its head or of its ending."""
    return any(
        begins_as_sidecar(os.path.join(folder, name), extension)
        for extension in (".headers", ".rc")
        for name in group.get(extension, [])
    )
