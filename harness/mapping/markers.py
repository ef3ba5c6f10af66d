"""Markers: the texts of which every frame that matters holds one.

Sound also where JSON is printed with escapes: a marker has only characters that JSON
leaves alone or writes as `\\u00XX`, and the pipeline decodes every frame with such an escape.
"""

from __future__ import annotations

from collections.abc import Iterable

from harness.mapping.form import Mapping, Place


def held_by(text: str, markers: tuple[str, ...] | None) -> bool:
    """The text can matter: it holds a marker, or an escape that may hide one."""
    if markers is None or "\\u00" in text:
        return True
    return any(marker in text for marker in markers)


def all_markers(mapping: Mapping) -> tuple[str, ...] | None:
    """The markers of all clauses, none of them part of another; None: not derivable."""
    containers = {shape.id: shape.places for shape in mapping.shapes if shape.each}
    places = [place for shape in mapping.shapes for place in shape.places]
    places += [place for mark in mapping.marks for place in mark.places]
    texts: set[str] = set()
    for place in _origins(places, containers):
        if place.markers is None:
            return None
        texts.update(place.markers)
    return _least(texts)


def _origins(places: Iterable[Place], containers: dict[str, tuple[Place, ...]]) -> list[Place]:
    """The places, containers in the stead of their members; states need no marker."""
    found: list[Place] = []
    waiting, done = list(places), set[str]()
    while waiting:
        place = waiting.pop()
        if place.kind != "member_of":
            found += [] if place.kind == "state" else [place]
            continue
        for name in place.names:
            if name not in done:
                done.add(name)
                waiting += containers.get(name, ())
    return found


def _least(texts: Iterable[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for text in sorted(set(texts), key=lambda one: (len(one), one)):
        if not any(one in text for one in kept):
            kept.append(text)
    return tuple(sorted(kept))
