"""A YAML document against the language: the model, or the first fault with line, path and mend."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from harness.errors import MappingError
from harness.mapping.language import File
from harness.yamltext import Document, Path, dollar

_QUOTED = re.compile(r"'([^']*)'")


def checked(document: Document) -> File:
    """The document as a model. Raises `MappingError` for the fault that stands first."""
    try:
        return File.model_validate(document.value)
    except ValidationError as error:
        faults = [_fault(one, document) for one in error.errors(include_url=False)]
    faults.sort(key=lambda one: one.line or 0)
    first = faults[0]
    if len(faults) > 1:
        first.mend = f"{first.mend} ({len(faults) - 1} more after this one)"
    raise first


def _fault(error: Any, document: Document) -> MappingError:
    where = located(document.value, error["loc"])
    what, mend = _said(error, where)
    return MappingError(what, file=document.file, line=document.line(where), path=dollar(where), mend=mend)


def located(value: Any, loc: tuple[str | int, ...]) -> Path:
    """pydantic's location without the steps that stand for unions and single values."""
    where: list[str | int] = []
    for at, step in enumerate(loc):
        held = isinstance(value, dict) and step in value
        held = held or (isinstance(value, list) and isinstance(step, int) and step < len(value))
        if held:
            value = value[step]
        elif not (isinstance(value, dict) and isinstance(step, str) and at == len(loc) - 1):
            continue
        where.append(step)
    return tuple(where)


def _said(error: Any, where: Path) -> tuple[str, str]:
    kind, context = error["type"], error.get("ctx", {})
    name = str(where[-1]) if where else "the file"
    if kind == "mapping":
        return context["what"], context["mend"]
    if kind == "extra_forbidden":
        return f"`{name}` is not in the vocabulary", _nearest(name, _known(where))
    if kind == "missing":
        return f"`{name}` is missing", f"add `{name}:`"
    if kind == "literal_error":
        allowed = _QUOTED.findall(context["expected"])
        if not allowed:
            return f"`{name}` has a wrong value", f"write {context['expected']}"
        return f"`{error['input']}` is not a value of `{name}`", _nearest(str(error["input"]), allowed)
    if kind == "string_pattern_mismatch":
        return f"`{error['input']}` is no id", "use a to z, 0 to 9 and `-`"
    return _of_wrong_type(kind, name, error)


def _of_wrong_type(kind: str, name: str, error: Any) -> tuple[str, str]:
    wanted = {
        "model_type": "an object",
        "dict_type": "an object",
        "list_type": "a list",
        "string_type": "a text",
        "bool_type": "true or false",
        "too_short": "at least one value",
        "string_too_short": "a text",
    }.get(kind)
    if wanted is None:
        return f"`{name}`: {error['msg']}", "see `harness schema mapping`"
    return f"`{name}` must be {wanted}", f"write {wanted} here"


def _nearest(word: str, allowed: list[str]) -> str:
    close = get_close_matches(word, allowed, 1, 0.6)
    listed = ", ".join(allowed)
    return f"did you mean `{close[0]}`? allowed: {listed}" if close else f"allowed: {listed}"


def _known(where: Path) -> list[str]:
    """The keys allowed at the place of an unknown one, read off the schema of the models."""
    schema = File.model_json_schema(by_alias=True)
    nodes = [schema]
    for step in where[:-1]:
        nodes = [inner for node in nodes for inner in _inner(node, step, schema)]
    names: dict[str, None] = {}
    for node in nodes:
        for one in _unfolded(node, schema):
            names.update(dict.fromkeys(one.get("properties", {})))
    return list(names)


def _unfolded(node: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    found, waiting = [], [node]
    while waiting:
        one = waiting.pop(0)
        if "$ref" in one:
            waiting.append(schema["$defs"][one["$ref"].rpartition("/")[2]])
        else:
            waiting += [*one.get("anyOf", []), *one.get("oneOf", [])]
            found.append(one)
    return found


def _inner(node: dict[str, Any], step: str | int, schema: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for one in _unfolded(node, schema):
        if isinstance(step, int):
            found += [one["items"]] if "items" in one else []
        elif step in one.get("properties", {}):
            found.append(one["properties"][step])
        elif isinstance(one.get("additionalProperties"), dict):
            found.append(one["additionalProperties"])
    return found
