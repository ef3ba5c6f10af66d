"""YAML > `Mapping`: expressions lowered, names expanded, references resolved or refused.

Imports YAML, pydantic and jsonpath-ng: never on the path of a run with shipped mappings only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from harness import yamltext
from harness.errors import MappingError
from harness.mapping import language as yaml_form
from harness.mapping.check import checked
from harness.mapping.derive import markers_of, triggers_of
from harness.mapping.form import (
    Case,
    ChannelClause,
    Combined,
    Condition,
    Container,
    Holds,
    Internal,
    Mapping,
    MarkClause,
    Members,
    Path,
    Place,
    Scope,
    Shape,
    Source,
    Test,
    Up,
)
from harness.mapping.jsonpath import PathFault, lower
from harness.mapping.merge import References, merged
from harness.mapping.spelling import spellings


def compile_text(text: str, file: str, beside: Sequence[Mapping] = ()) -> Mapping:
    """One mapping file. `beside`: mappings whose ids it may refer to and must not repeat."""
    document = yamltext.read(text, file, MappingError)
    compiler = _Compiler(document)
    mapping = compiler.file(checked(document))
    References(document, merged(beside)).check(mapping)
    return mapping


def compile_file(path: str, beside: Sequence[Mapping] = ()) -> Mapping:
    """Like `compile_text`, from a file. Raises `MappingError` where it cannot be read."""
    return compile_text(file_text(path), path, beside)


LARGEST = 4 << 20
"""Bytes read of a mapping file; a larger one is refused by its number of characters."""


def file_text(path: str) -> str:
    """The text of a mapping file."""
    try:
        with open(path, "rb") as file:
            return file.read(LARGEST + 1).decode("utf-8-sig")
    except OSError as error:
        raise MappingError(
            f"the file cannot be read ({error.strerror})", file=path, mend="check the path"
        ) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise MappingError("the file is not UTF-8", file=path, line=line, mend="save it as UTF-8") from error


def _names(names: Iterable[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(spelling for name in names or () for spelling in spellings(name)))


class _Compiler:
    """Compiles the model of one document; `where` is the place of what is compiled."""

    def __init__(self, document: yamltext.Document) -> None:
        self._document = document

    def file(self, model: yaml_form.File) -> Mapping:
        """The whole file."""
        readings = {name: self._fields(fields, ("readings", name)) for name, fields in model.readings.items()}
        classes = {name: self._cases(cases, ("classes", name)) for name, cases in model.classes.items()}
        return Mapping(
            tuple(self._shape(one, ("shapes", at), readings, classes) for at, one in enumerate(model.shapes)),
            tuple(self._mark(one, ("marks", at)) for at, one in enumerate(model.marks)),
            tuple(self._scope(one, ("scopes", at)) for at, one in enumerate(model.scopes)),
            tuple(self._channel(one, ("channels", at)) for at, one in enumerate(model.channels)),
            tuple((name, tuple(values)) for name, values in model.lists.items()),
        )

    def _shape(
        self, model: yaml_form.Shape, where: yamltext.Path, readings: dict[str, Any], classes: dict[str, Any]
    ) -> Shape:
        match = self._condition(model.match, (*where, "match"))
        fields = dict(self._fields(model.fields or {}, (*where, "fields")))
        for name, sources in self._known(readings, model.reading, (*where, "reading")):
            fields[name] = (*fields.get(name, ()), *sources)
        return Shape(
            model.id,
            self._places(model.at, match, (*where, "at")),
            match,
            tuple(self._downward(text, (*where, "each", at)) for at, text in enumerate(model.each or ())),
            tuple(fields.items()),
            self._classify(model.classify, where, classes),
            tuple(spellings(name) for name in model.proxy or ()),
            self._internal(model.internal),
            model.fallback,
            model.otherwise,
        )

    def _classify(self, classify: Any, where: yamltext.Path, classes: dict[str, Any]) -> tuple[Case, ...]:
        if isinstance(classify, list):
            return self._cases(classify, (*where, "classify"))
        return tuple(self._known(classes, classify, (*where, "classify")))

    def _known(self, table: dict[str, Any], name: str | None, where: yamltext.Path) -> Any:
        if name is None:
            return ()
        if name not in table:
            known = ", ".join(table) or "none"
            raise self._fault(
                where, f"`{name}` is not defined in this file", f"define it, or use one of: {known}"
            )
        return table[name]

    def _downward(self, text: str, where: yamltext.Path) -> Path:
        path = self._path(text, where)
        if not path or any(isinstance(step, Up) for step in path):
            raise self._fault(where, f"`{text}` does not lead downward", "write a path like items[*]")
        return path

    def _internal(self, model: yaml_form.Internals | None) -> Source | None:
        if model is None:
            return None
        return Source(
            "anywhere", names=_names(model.names), listed=model.list_ or "", excepted=_names(model.excepted)
        )

    def _mark(self, model: yaml_form.Mark, where: yamltext.Path) -> MarkClause:
        match = self._condition(model.match, (*where, "match"))
        fields = self._fields(model.fields or {}, (*where, "fields"))
        places = self._places(model.at, match, (*where, "at"))
        return MarkClause(
            model.id, model.name, places, match, fields, tuple(model.outside or ()), model.prose
        )

    def _scope(self, model: yaml_form.Scope, where: yamltext.Path) -> Scope:
        match = self._condition(model.match, (*where, "match"))
        return Scope(model.id, self._places(model.at, match, (*where, "at")), match)

    def _channel(self, model: yaml_form.ChannelRule, where: yamltext.Path) -> ChannelClause:
        match = self._condition(model.match, (*where, "match"))
        assert match is not None
        return ChannelClause(model.id, match, model.channel)

    def _places(
        self, models: Sequence[yaml_form.NodePlace], match: Condition | None, where: yamltext.Path
    ) -> tuple[Place, ...]:
        return tuple(self._place(model, match, (*where, at)) for at, model in enumerate(models))

    def _place(self, model: yaml_form.NodePlace, match: Condition | None, where: yamltext.Path) -> Place:
        kind = next(name for name in sorted(model.model_fields_set) if name != "when")
        given = getattr(model, kind)
        when = self._condition(model.when, (*where, "when"))
        place = Place(kind, when=when)  # type: ignore[arg-type]
        if kind == "path":
            place = place._replace(path=self._downward(given, (*where, "path")))
        elif kind in ("key", "member"):
            place = place._replace(names=_names(given))
        elif given is not True:
            place = place._replace(names=tuple(given if isinstance(given, list) else [given]))
        if kind == "anywhere":
            place = place._replace(triggers=triggers_of(when, match))
        return place._replace(markers=markers_of(place, match))

    def _cases(self, models: Sequence[yaml_form.Case], where: yamltext.Path) -> tuple[Case, ...]:
        for at, model in enumerate(models[:-1]):
            if model.when is None:
                raise self._fault(
                    (*where, at + 1), "this case is never reached", "give `when` to the one before it"
                )
        return tuple(
            Case(self._condition(model.when, (*where, at, "when")), model.kind, model.exposure)
            for at, model in enumerate(models)
        )

    def _fields(self, model: Any, where: yamltext.Path) -> tuple[tuple[str, tuple[Source, ...]], ...]:
        return tuple(
            (name, tuple(self._source(source, (*where, name, at)) for at, source in enumerate(sources)))
            for name, sources in model.items()
        )

    def _source(self, model: yaml_form.Source, where: yamltext.Path) -> Source:
        if model.path is not None:
            return Source("path", self._path(model.path, (*where, "path")))
        if model.enclosing is not None:
            return Source("enclosing", self._path(model.enclosing, (*where, "enclosing")))
        if model.event is not None:
            return Source("event", name=model.event)
        return Source("anywhere", names=_names(model.anywhere), excepted=_names(model.excepted))

    def _condition(self, model: yaml_form.Condition | None, where: yamltext.Path) -> Condition | None:
        if model is None:
            return None
        for word in ("all", "any", "none"):
            parts = getattr(model, word)
            if parts is not None:
                inner = (self._condition(part, (*where, word, at)) for at, part in enumerate(parts))
                return Combined(word, tuple(part for part in inner if part is not None))
        if model.container is not None:
            part = self._condition(model.container, (*where, "container"))
            assert part is not None
            return Container(part)
        if model.members is not None:
            needed = tuple(spellings(name) for name in model.members.needed or ())
            return Members(needed, None if model.members.only is None else _names(model.members.only))
        if model.internal is not None:
            return Internal(model.internal)
        return Holds(self._subjects(model, where), _test(model))

    def _subjects(self, model: yaml_form.Condition, where: yamltext.Path) -> tuple[Source, ...]:
        if model.path is not None:
            return tuple(
                Source("path", self._path(text, (*where, "path", at))) for at, text in enumerate(model.path)
            )
        if model.anywhere is not None:
            return (Source("anywhere", names=_names(model.anywhere), excepted=_names(model.excepted)),)
        if model.event is not None:
            return (Source("event", name=model.event),)
        return (Source("field", name=model.field or ""),)

    def _path(self, text: str, where: yamltext.Path) -> Path:
        try:
            return lower(text)
        except PathFault as fault:
            raise self._fault(where, fault.what, fault.mend) from fault

    def _fault(self, where: yamltext.Path, what: str, mend: str) -> MappingError:
        document = self._document
        while where not in document.lines:
            where = where[:-1]
        return MappingError(
            what, file=document.file, line=document.line(where), path=yamltext.dollar(where), mend=mend
        )


def _test(model: yaml_form.Condition) -> Test:
    if model.exists is not None:
        return Test("exists" if model.exists else "absent")
    if model.filled is not None:
        return Test("filled" if model.filled else "empty")
    if model.is_ is not None:
        return Test("is", (model.is_,))
    if isinstance(model.in_, str):
        return Test("in_list", (model.in_,))
    for word, operand in (("in", model.in_), ("starts", model.starts), ("contains", model.contains)):
        if operand is not None:
            return Test(word, tuple(operand))
    return Test("exists") if model.type is None else Test("type", (model.type,))
