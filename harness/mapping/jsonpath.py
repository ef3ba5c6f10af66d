"""JSONPath, parsed by jsonpath-ng and lowered to steps; the only importer of jsonpath-ng.

Members match in both spellings. What the walk cannot do (unions, arithmetic, regular
expressions, functions) is refused with the mend.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

from jsonpath_ng import jsonpath as plain
from jsonpath_ng.exceptions import JSONPathError
from jsonpath_ng.ext import filter as filters
from jsonpath_ng.ext.parser import parse

from harness.mapping.form import Cut, Deep, Each, Having, Index, Member, Path, Step, Up
from harness.mapping.paths import OPERATORS
from harness.mapping.spelling import spellings

_FUNCTION = re.compile(r"`([^`(]*)[^`]*`")


class PathFault(ValueError):
    """An expression that is no JSONPath, or one that mappings do not take; text and mend."""

    def __init__(self, what: str, mend: str) -> None:
        super().__init__(what)
        self.what = what
        self.mend = mend


def lower(text: str) -> Path:
    """The steps of a JSONPath expression; `$` and `@` may be left out."""
    for name in _FUNCTION.findall(text):
        if name not in ("parent", "this"):
            raise PathFault(
                f"`{text}` calls {name}, which mappings do not take", "use `parent` or `this` only"
            )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            tree = parse(text)
    except JSONPathError as error:
        first_line = str(error).partition("\n")[0]
        mend = "write member names joined by dots, like payload.value.message"
        raise PathFault(f"`{text}` is no JSONPath ({first_line})", mend) from error
    return tuple(_steps(tree, text, first=True))


def _steps(tree: Any, text: str, *, first: bool = False) -> list[Step]:
    if isinstance(tree, plain.Child):
        return [*_steps(tree.left, text, first=first), *_steps(tree.right, text)]
    if isinstance(tree, plain.Descendants):
        return [*_steps(tree.left, text, first=first), Deep(), *_steps(tree.right, text)]
    if isinstance(tree, plain.This) or (first and isinstance(tree, plain.Root)):
        return []
    return [_step(tree, text)]


def _step(tree: Any, text: str) -> Step:
    if isinstance(tree, plain.Fields):
        return _fields(tree, text)
    if isinstance(tree, plain.Index):
        return Index(_index(tree, text))
    if isinstance(tree, plain.Parent):
        return Up()
    if type(tree).__name__ == "Wildcard":
        return Each()
    if isinstance(tree, plain.Slice):
        bounds = (tree.start, tree.end, tree.step)
        if tree.step == 0:
            raise PathFault(f"`{text}` has a stride of 0", "leave the stride out")
        return Each() if bounds == (None, None, None) else Cut(*bounds)
    if isinstance(tree, filters.Filter):
        return Having(tuple(_test(one, text) for one in tree.expressions))
    raise PathFault(
        f"`{text}` uses {type(tree).__name__.strip('_')}, which mappings do not take",
        "use members, [n], [*], [a:b], ..name, `parent` or [?(@.name == 'value')]",
    )


def _fields(tree: Any, text: str) -> Step:
    names = tree.fields
    if names == ("*",):
        return Each()
    if len(names) != 1:
        raise PathFault(f"`{text}` names several members in one step", "write one expression for each")
    return Member(spellings(names[0]))


def _index(tree: Any, text: str) -> int:
    indices = getattr(tree, "indices", None) or (tree.index,)
    if len(indices) != 1:
        raise PathFault(f"`{text}` names several places in one step", "write one expression for each")
    return int(indices[0])


def _test(expression: Any, text: str) -> tuple[Path, str, Any]:
    if not isinstance(expression, filters.Expression) or isinstance(expression.value, plain.JSONPath):
        raise PathFault(f"`{text}` has a test that mappings do not take", "compare one path with one value")
    word = expression.op or ""
    if word not in OPERATORS:
        raise PathFault(f"`{text}` compares with {word}", "use ==, !=, <, <=, > or >=")
    return tuple(_steps(expression.target, text, first=True)), word, expression.value
