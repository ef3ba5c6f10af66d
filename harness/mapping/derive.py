"""What a condition demands of a node: triggers for the walk, markers for the prefilter.

Both are necessary conditions: a node that fits has one of the triggers, a frame with such
a node holds one of the markers. None means: nothing can be told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from harness.mapping.form import (
    Combined,
    Condition,
    Having,
    Holds,
    Member,
    Members,
    Path,
    Place,
    Source,
    Test,
    Trigger,
)

USUAL = frozenset(
    "type payload message items metadata data text content id kind result index context value name "
    "state status parts artifact role answer result_type resultType taskId task_id contextId output".split()
)
"""Names that stand in most frames: a marker of last resort."""
NEGATIVE = frozenset({"absent", "empty"})


def triggers_of(*conditions: Condition | None) -> tuple[Trigger, ...] | None:
    """Members of the node itself, one of which it must have to fit all the conditions."""
    return _best((_triggers(one) for one in conditions if one is not None), _rarity_of_trigger)


def markers_of(place: Place, match: Condition | None) -> tuple[str, ...] | None:
    """Texts, one of which a frame must hold to have a fitting node at the place."""
    options: list[tuple[str, ...] | None] = []
    if place.kind in ("key", "member", "member_starts", "text_starts", "text_contains"):
        options.append(_plain(place.names))
    elif place.kind == "path":
        options += _path_markers(place.path)
    options += [_markers(one) for one in (place.when, match) if one is not None]
    return _best(options, _rarity)


def plain(text: str) -> str:
    """The longest part of `text` that JSON never prints otherwise than as `\\u00XX`."""
    best, part = "", ""
    for sign in text:
        part = part + sign if " " <= sign <= "~" and sign not in '"\\/' else ""
        best = max(best, part, key=len)
    return best


def _plain(texts: Iterable[str]) -> tuple[str, ...] | None:
    parts = tuple(dict.fromkeys(plain(text) for text in texts))
    return parts if all(len(part) >= 2 for part in parts) and parts else None


def _best[T](options: Iterable[tuple[T, ...] | None], rarity: Callable[[T], float]) -> tuple[T, ...] | None:
    known = [option for option in options if option]
    return max(known, key=lambda option: min(map(rarity, option)), default=None)


def _rarity(text: str) -> float:
    if text in USUAL:
        return 0.0
    return len(text) + (50.0 if text.startswith("_") else 0.0)


def _rarity_of_trigger(trigger: Trigger) -> float:
    name, value = trigger
    return _rarity(name) if value is None else 100.0 + _rarity(value)


def _union[T](options: Iterable[tuple[T, ...] | None]) -> tuple[T, ...] | None:
    found: dict[T, None] = {}
    for option in options:
        if not option:
            return None
        found.update(dict.fromkeys(option))
    return tuple(found) or None


def _triggers(condition: Condition) -> tuple[Trigger, ...] | None:
    if isinstance(condition, Combined):
        parts = [_triggers(part) for part in condition.parts]
        if condition.word == "any":
            return _union(parts)
        return _best(parts, _rarity_of_trigger) if condition.word == "all" else None
    if isinstance(condition, Members):
        options = [tuple((name, None) for name in names) for names in condition.needed]
        return _best(options, _rarity_of_trigger)
    if isinstance(condition, Holds) and condition.test.word not in NEGATIVE:
        return _union(_source_triggers(source, condition.test) for source in condition.sources)
    return None


def _source_triggers(source: Source, test: Test) -> tuple[Trigger, ...] | None:
    if source.kind != "path" or not source.path or not isinstance(source.path[0], Member):
        return None
    names = source.path[0].names
    texts = [one for one in test.operand if isinstance(one, str)]
    if len(source.path) == 1 and test.word in ("is", "in") and len(texts) == len(test.operand):
        return tuple((name, text) for name in names for text in texts)
    return tuple((name, None) for name in names)


def _markers(condition: Condition) -> tuple[str, ...] | None:
    if isinstance(condition, Combined):
        parts = [_markers(part) for part in condition.parts]
        if condition.word == "any":
            return _union(parts)
        return _best(parts, _rarity) if condition.word == "all" else None
    if isinstance(condition, Members):
        return _best([_plain(names) for names in condition.needed], _rarity)
    if isinstance(condition, Holds) and condition.test.word not in NEGATIVE:
        return _union(_source_markers(source, condition.test) for source in condition.sources)
    return None


def _source_markers(source: Source, test: Test) -> tuple[str, ...] | None:
    options: list[tuple[str, ...] | None] = []
    if source.kind in ("path", "enclosing"):
        options += _path_markers(source.path)
    elif source.kind == "anywhere" and not source.listed:
        options.append(_plain(source.names))
    else:
        return None
    texts = [one for one in test.operand if isinstance(one, str)]
    if test.word in ("is", "in", "starts", "contains") and texts and len(texts) == len(test.operand):
        options.append(_plain(texts))
    return _best(options, _rarity)


def _path_markers(path: Path) -> list[tuple[str, ...] | None]:
    found = [_plain(step.names) for step in path if isinstance(step, Member)]
    for step in path:
        if isinstance(step, Having):
            found += [one for inner, _, _ in step.tests for one in _path_markers(inner)]
    return found
