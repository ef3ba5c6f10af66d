"""YAML text with the line of every value: what each of our YAML files is read with.

Used by `harness.mapping`, `harness.topologies` and `harness.rules.contracts`. Stricter than
PyYAML where PyYAML is silent: a key that stands twice is refused, aliases and size are capped,
and only `true` and `false` are booleans (YAML 1.2), so that `off` is a word. Rank 0; PyYAML is
imported when a text is read, not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Sequence

type Path = tuple[str | int, ...]

MAX_CHARACTERS = 1 << 20
MAX_NODES = 100_000
"""Values after aliases were followed: ten nested aliases can stand for a billion values."""
MAX_DEPTH = 64


class Document(NamedTuple):
    """A YAML file's value, and the line (from 1) of each value in it by path."""

    value: Any
    lines: dict[Path, int]
    file: str

    def line(self, path: Path) -> int | None:
        """The line of `path`, or of the nearest value around it."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.lines:
                return self.lines[path[:length]]
        return None


def dollar(path: Sequence[str | int]) -> str:
    """`("agents", 0, "url")` as `$.agents[0].url`."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)


def text_of(file: str, error: type[HarnessError], mend: str) -> str:
    """The text of a YAML file; raises `error` where it can not be read or is no UTF-8."""
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except OSError as fault:
        raise error(f"can not be read: {fault.strerror}", file=file, mend=mend) from None
    except UnicodeDecodeError as fault:
        what = f"can not be read: byte {fault.start} is no UTF-8"
        raise error(what, file=file, mend=mend) from None


def read(text: str, file: str, error: type[HarnessError]) -> Document:
    """The one document in `text`; raises `error` with file, line and `$.path`."""
    import yaml

    if len(text) > MAX_CHARACTERS:
        raise error(f"the file has more than {MAX_CHARACTERS} characters", file=file, mend="split it")
    try:
        root = yaml.compose(text, Loader=_loader())
    except yaml.MarkedYAMLError as fault:
        raise error(_said(fault), file=file, line=_line_of(fault), mend="mend the YAML") from None
    except yaml.YAMLError as fault:
        raise error(str(fault).replace("\n", " "), file=file, mend="mend the YAML") from None
    except RecursionError:
        raise error("the YAML is nested too deep", file=file, mend="flatten it") from None
    if root is None:
        raise error("the file is empty", file=file, line=1, mend="write what `harness schema` shows")
    lines: dict[Path, int] = {}
    return Document(_Walk(file, error, lines).value(root, (), 0), lines, file)


def refused(
    fault: Any, document: Document, error: type[HarnessError], mend: str | None = None
) -> HarnessError:
    """The first complaint of a pydantic `ValidationError`, as an error with its line and path."""
    first = fault.errors(include_url=False)[0]
    path = tuple(first["loc"])
    # pydantic puts names of union members and "[key]" into the path: they are no steps of the file
    known = _steps(path, document.value)
    what = str(first["msg"]).removeprefix("Value error, ")
    kind = first["type"]
    if kind in {"missing", "extra_forbidden"} and path[-1] not in known:
        what = f"{path[-1]!r}: {what}"
    if kind == "extra_forbidden":
        what = f"{path[-1]!r} is no word of this file"
    if kind in {"model_type", "dict_type"}:
        what = "words with values are expected here (NAME: VALUE)"
    return error(what, file=document.file, line=document.line(known), path=dollar(known), mend=mend)


def _steps(path: Path, value: Any) -> Path:
    steps: list[str | int] = []
    for step in path:
        if not _has(value, step):
            continue
        value = value[step]
        steps.append(step)
    return tuple(steps)


def _has(value: Any, step: str | int) -> bool:
    if isinstance(value, list):
        return isinstance(step, int) and step < len(value)
    return isinstance(value, dict) and step in value


def _said(fault: Any) -> str:
    return " ".join(part for part in (fault.context, fault.problem) if part)


def _line_of(fault: Any) -> int | None:
    mark = fault.problem_mark or fault.context_mark
    return None if mark is None else mark.line + 1


def _loader() -> Any:
    import re

    import yaml

    class Loader(yaml.SafeLoader):
        """Resolves scalars as YAML 1.2's core schema does, near enough."""

    Loader.yaml_implicit_resolvers = {}
    number = list("-+0123456789.")
    for tag, pattern, first in (
        ("bool", r"true|false", ["t", "f"]),
        ("null", r"~|null|", ["~", "n", ""]),
        ("int", r"[-+]?[0-9]+", number),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", number),
    ):
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), first)
    return Loader


class _Walk:
    """Builds plain values from nodes, noting lines, refusing what PyYAML lets pass."""

    def __init__(self, file: str, error: type[HarnessError], lines: dict[Path, int]) -> None:
        self.file = file
        self.error = error
        self.lines = lines
        self.nodes = 0

    def value(self, node: Any, path: Path, depth: int) -> Any:
        self.nodes += 1
        self.lines.setdefault(path, node.start_mark.line + 1)
        if self.nodes > MAX_NODES:
            raise self._no(node, path, "aliases stand for too many values", "write fewer aliases")
        if depth > MAX_DEPTH:
            raise self._no(node, path, f"nested more than {MAX_DEPTH} deep", "flatten it")
        if node.id == "scalar":
            return self._scalar(node, path)
        if node.id == "mapping":
            return self._mapping(node, path, depth)
        return [self.value(item, (*path, i), depth + 1) for i, item in enumerate(node.value)]

    def _mapping(self, node: Any, path: Path, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if key_node.id != "scalar":
                raise self._no(key_node, path, "a key must be one word", "write it as a string")
            key = str(key_node.value)
            if key in made:
                raise self._no(key_node, (*path, key), f"the key {key!r} stands twice", "keep one of them")
            self.lines[(*path, key)] = key_node.start_mark.line + 1
            made[key] = self.value(value_node, (*path, key), depth + 1)
        return made

    def _scalar(self, node: Any, path: Path) -> Any:
        tag, text = node.tag.rpartition(":")[2], node.value
        if tag == "bool":
            return text == "true"
        if tag == "null":
            return None
        if tag == "int" and len(text) < 40:
            return int(text)
        if tag == "float":
            return float(text)
        if tag in {"str", "int"}:
            return text
        raise self._no(node, path, f"the tag {node.tag} is not known here", "write a plain value")

    def _no(self, node: Any, path: Path, what: str, mend: str) -> HarnessError:
        return self.error(what, file=self.file, line=node.start_mark.line + 1, path=dollar(path), mend=mend)
