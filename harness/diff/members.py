"""Where two normal forms differ: member by member, with what kind of difference it is."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.diff.marks import ID, NAME, NESTED, TEXT
from harness.diff.text import plain
from harness.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.diff.values import Subject

_NAME = re.compile(f"{NAME}[^{NAME}]*{NAME}")
MAX_TOLD = 20
"""Differences of two forms that are told one by one."""


class Member(NamedTuple):
    """One difference; None where a side lacks the member."""

    subject: Subject
    pointer: str
    before: str | None
    after: str | None


def named(form: str, ids: Sequence[int], names: Sequence[str]) -> Any:
    """The value of a form, with the names of its ids in it."""
    told = iter(ids)
    return json.loads(re.sub(ID, lambda _: NAME + names[next(told)] + NAME, form))


def differences(a: Any, b: Any, pointer: str = "") -> list[Member]:
    """How `a` and `b` differ, in document order."""
    return list(_walk(a, b, pointer))


def reordered(a: Any, b: Any) -> bool:
    """They differ in the order of list items only."""
    return bool(_bag(a) == _bag(b))


def together(a: Any, b: Any) -> Iterator[tuple[int, int]]:
    """The numbers that stand as names at equal places of both values, list items in any order if need be."""
    if type(a) is str and type(b) is str:
        if _bare(a) == _bare(b):
            yield from zip(_numbers(a), _numbers(b), strict=True)
    elif type(a) is dict and type(b) is dict:
        for name in sorted(a.keys() & b.keys()):
            yield from together(a[name], b[name])
    elif type(a) is list and type(b) is list:
        left, right = ([(_bare(_text(_bag(item))), at) for at, item in enumerate(value)] for value in (a, b))
        if [text for text, _ in left] != [text for text, _ in right]:
            ordered = sorted(left), sorted(right)
            if [text for text, _ in ordered[0]] == [text for text, _ in ordered[1]]:
                left, right = ordered
        for (_, i), (_, j) in zip(left, right, strict=False):
            yield from together(a[i], b[j])


def _bare(text: str) -> str:
    return _NAME.sub(ID, text)


def _numbers(text: str) -> list[int]:
    return [int(name[1:-1]) for name in _NAME.findall(text)]


def shown(value: Any) -> str:
    """A value as people read it."""
    return plain(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _walk(a: Any, b: Any, pointer: str) -> Iterator[Member]:
    if a == b:
        return
    if type(a) is dict and type(b) is dict:
        for name in sorted({*a, *b}):
            step = pointer + NESTED if name == NESTED else child(pointer, name)
            if name not in a or name not in b:
                yield Member("member", step, _maybe(a.get(name)), _maybe(b.get(name)))
            else:
                yield from _walk(a[name], b[name], step)
    elif type(a) is list and type(b) is list and len(a) == len(b):
        for at, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from _walk(left, right, child(pointer, at))
    else:
        yield Member(_subject(a, b), pointer, shown(a), shown(b))


def _maybe(value: Any) -> str | None:
    return None if value is None else shown(value)


def _subject(a: Any, b: Any) -> Subject:
    if isinstance(a, str) and isinstance(b, str):
        if _bare(a) == _bare(b):
            return "identity"
        if a.startswith(TEXT) and b.startswith(TEXT):
            return "text"
    return "member"


def _bag(value: Any) -> Any:
    if type(value) is dict:
        return {name: _bag(item) for name, item in value.items()}
    if type(value) is list:
        return sorted((_bag(item) for item in value), key=_text)
    return value


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
