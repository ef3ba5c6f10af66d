"""The language of volatile values: YAML in, `Volatile` out. `docs/diff.md` explains it."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from harness import yamltext
from harness.diff.form import Compound, Id, Shape, Steps, Volatile, folded
from harness.errors import MappingError

_MEMBER = r"/?[^/]+(?:/[^/]+)*\Z"
_CLASS = r"[a-z][a-z0-9-]*\Z"
_PLACE = r"\{([a-z][a-z0-9-]*)\}"


def _member(text: str) -> str:
    if not re.match(_MEMBER, text):
        raise ValueError(f"{text!r} names no member; write a name, or steps such as agentEvent/source/taskId")
    return text


def _class(text: str) -> str:
    if not re.match(_CLASS, text):
        raise ValueError(f"{text!r} is no name of a class; write lower case letters, digits and -")
    return text


def _pattern(text: str) -> str:
    try:
        empty = re.compile(text).match("")
    except re.error as fault:
        raise ValueError(f"{text!r} is no regular expression: {fault}") from None
    if empty:
        raise ValueError(f"{text!r} matches the empty text")
    return text


def _ids(text: str) -> str:
    own = re.sub(_PLACE, "", text)
    if own in ("", text) or "{" in own or "}" in own:
        raise ValueError(f"{text!r} is no id made of others; write their classes into text, as job:{{task}}")
    return text


type Member = Annotated[str, AfterValidator(_member)]
type Class = Annotated[str, AfterValidator(_class)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ShapeText(_Strict):
    """An id by how it looks."""

    name: Class
    matches: Annotated[str, AfterValidator(_pattern)]


class Timing(_Strict):
    """When two durations are equal."""

    factor: float = Field(2.0, ge=1)
    seconds: float = Field(1.0, ge=0)


class File(_Strict):
    """A file of volatile values."""

    volatile: Literal[1]
    about: str = ""
    ids: dict[Class, list[Member]] = {}
    apart: list[Class] = []
    shapes: list[ShapeText] = []
    compounds: list[Annotated[str, AfterValidator(_ids)]] = []
    times: list[Member] = []
    texts: list[Member] = []
    trees: list[Member] = []
    timing: Timing = Timing(factor=2.0, seconds=1.0)


def schema() -> dict[str, Any]:
    """The JSON Schema of such a file."""
    return File.model_json_schema()


def compile_text(text: str, file: str) -> Volatile:
    """The volatile values that a YAML text declares; raises `MappingError` with line and path."""
    document = yamltext.read(text, file, MappingError)
    try:
        read = File.model_validate(document.value)
    except ValidationError as fault:
        raise yamltext.refused(fault, document, MappingError, "see docs/diff.md") from None
    return Volatile(
        tuple(Id(_steps(member), name) for name, members in read.ids.items() for member in members),
        tuple(read.apart),
        tuple(Shape(one.name, one.matches) for one in read.shapes),
        tuple(map(_compound, read.compounds)),
        tuple(map(_steps, read.times)),
        tuple(map(_steps, read.texts)),
        tuple(map(_steps, read.trees)),
        read.timing.factor,
        read.timing.seconds,
        "timing" in read.model_fields_set,
    )


def compile_file(path: str) -> Volatile:
    """The same of a file."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(yamltext.MAX_CHARACTERS + 1)
    except OSError as fault:
        raise MappingError(f"can not be read: {fault.strerror}", file=path, mend="check the path") from None
    except UnicodeDecodeError:
        raise MappingError("is no UTF-8 text", file=path, mend="save it as UTF-8") from None
    return compile_text(text, path)


def _steps(member: str) -> Steps:
    anchor = ("",) if member.startswith("/") else ()
    return (*anchor, *(folded(step) for step in member.strip("/").split("/")))


def _compound(text: str) -> Compound:
    pieces = re.split(_PLACE, text)
    literals, names = pieces[::2], pieces[1::2]
    return Compound("(.+)".join(map(re.escape, literals)), tuple(names))
