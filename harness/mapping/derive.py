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
    "type payload message metadata data text content id kind result index context value name "
    "state status parts artifact role answer result_type resultType taskId task_id contextId output".split()
)
"""Names that stand in most frames: a marker of last resort."""
_SCAN = 6.0
"""What one more text to look for costs, in letters of rarity."""
_RARE = 8.0
"""The name of a fixed place is marker enough from here on."""
NEGATIVE = frozenset({"absent", "empty"})


def triggers_of(*conditions: Condition | None) -> tuple[Trigger, ...] | None:
    """Members of the node itself, one of which it must have to fit all the conditions."""
    return _best((_triggers(one) for one in conditions if one is not None), _rarity_of_trigger)


def markers_of(place: Place, match: Condition | None) -> tuple[str, ...] | None:
    """Texts, one of which a frame must hold to have a fitting node at the place."""
    options: list[tuple[str, ...] | None] = []
    if place.kind in ("key", "member", "member_starts", "text_starts", "text_contains"):
        is_name = place.kind in ("key", "member", "member_starts")
        options.append(_members(place.names) if is_name else _plain(place.names))
        if options[0] and min(map(_rarity, options[0])) >= _RARE:
            return options[0]
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


def _members(names: Iterable[str]) -> tuple[str, ...] | None:
    """With the quote that stands before every member name, in a string inside a string as well."""
    parts = [(name, plain(name)) for name in names]
    if not parts or any(len(part) < 2 for _, part in parts):
        return None
    quoted = ('"' + part if name.startswith(part) else part for name, part in parts)
    return tuple(dict.fromkeys(quoted))


def _best[T](options: Iterable[tuple[T, ...] | None], rarity: Callable[[T], float]) -> tuple[T, ...] | None:
    """The rarest option; each further text of it costs a scan."""
    known = [option for option in options if option]
    return max(known, key=lambda option: min(map(rarity, option)) - _SCAN * (len(option) - 1), default=None)


def _rarity(text: str) -> float:
    name = text.removeprefix('"')
    if name in USUAL:
        return -100.0
    return len(text) + (50.0 if name.startswith("_") else 0.0)


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


def _least(texts: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Without the texts that hold another one of them."""
    if texts is None:
        return None
    return tuple(one for one in texts if not any(other in one for other in texts if other != one))


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
            return _least(_union(parts))
        return _best(parts, _rarity) if condition.word == "all" else None
    if isinstance(condition, Members):
        return _best([_members(names) for names in condition.needed], _rarity)
    if isinstance(condition, Holds) and condition.test.word not in NEGATIVE:
        return _least(_union(_source_markers(source, condition.test) for source in condition.sources))
    return None


def _source_markers(source: Source, test: Test) -> tuple[str, ...] | None:
    options: list[tuple[str, ...] | None] = []
    if source.kind in ("path", "enclosing"):
        options += _path_markers(source.path)
    elif source.kind == "anywhere" and not source.listed:
        options.append(_members(source.names))
    else:
        return None
    texts = [one for one in test.operand if isinstance(one, str)]
    if test.word in ("is", "in", "starts", "contains") and texts and len(texts) == len(test.operand):
        options.append(_plain(texts))
    return _best(options, _rarity)


def _path_markers(path: Path) -> list[tuple[str, ...] | None]:
    found = [_members(step.names) for step in path if isinstance(step, Member)]
    for step in path:
        if isinstance(step, Having):
            found += [one for inner, _, _ in step.tests for one in _path_markers(inner)]
    return found
