"""The mapping language, version 1, as pydantic models: the closed vocabulary of its YAML.

Imported only where a YAML file is loaded or its schema is printed. Field descriptions are
the reference: the JSON Schema is made from them, docs/mapping-language.md is checked against them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

VALUE_TESTS = ("exists", "filled", "is", "in", "starts", "contains", "type")
SUBJECTS = ("path", "anywhere", "field", "event", "members", "internal", "container", "all", "any", "none")
MARK_NAMES = ("remote-output", "remote-call", "remote-status", "failure", "internal-key", "printed-object")


def _many(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _given(value: Any) -> Any:
    if value is None:
        raise fault("the key has no value", "give one, or remove the key")
    return value


def _without_null(schema: dict[str, Any]) -> None:
    for inner in schema.get("properties", {}).values():
        options = [one for one in inner.get("anyOf", []) if one != {"type": "null"}]
        if len(options) == 1:
            inner.pop("anyOf")
            inner.update({**options[0], **inner})
        elif options:
            inner["anyOf"] = options
        inner.pop("default", None)


def _as_source(value: Any) -> Any:
    return {"path": value} if isinstance(value, str) else value


def _place(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value not in ("anywhere", "frame"):
        raise fault(
            f"`{value}` is no place", "write anywhere or frame, or give one key, like `key: _interrupt`"
        )
    return {value: True}


def _scalar(value: Any) -> Any:
    if isinstance(value, (str, bool, int, float)):
        return value
    raise fault("a value is compared with a text, number or boolean", "use `exists: false` for null")


def _named_or_listed(value: Any) -> str:
    return "name" if isinstance(value, str) else "list"


def fault(what: str, mend: str) -> PydanticCustomError:
    """An error of ours, with its mend."""
    return PydanticCustomError("mapping", "{what}", {"what": what, "mend": mend})


_T = TypeVar("_T")
Maybe = Annotated[_T | None, BeforeValidator(_given)]
"""A key that may be left out, but not left empty."""
type Text = Annotated[str, Field(min_length=1)]
type Texts = Annotated[
    list[Text], BeforeValidator(_many, json_schema_input_type=Text | list[Text]), Field(min_length=1)
]
type Scalar = Annotated[
    Any, BeforeValidator(_scalar), WithJsonSchema({"type": ["string", "number", "boolean"]})
]
type Scalars = Annotated[list[Scalar], Field(min_length=1)]
type Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
type NameOrScalars = Annotated[
    Annotated[Scalars, Tag("list")] | Annotated[Text, Tag("name")], Discriminator(_named_or_listed)
]
type Ids = Annotated[
    list[Id], BeforeValidator(_many, json_schema_input_type=Id | list[Id]), Field(min_length=1)
]
type FieldName = Literal["toolCallId", "toolName", "agent", "prompt", "interruptId", "interruptKind"]
type MarkField = Literal["toolCallId", "target", "text"]
type EventValue = Literal["text", "state", "kind"]


class Part(BaseModel):
    """Base of all models: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra=_without_null)


type Conditions = Annotated[list[Condition], Field(min_length=1)]


class Condition(Part):
    """A test of a node: one subject, and for values one test (`exists: true` where none is given)."""

    path: Maybe[Texts] = Field(None, description="values at these JSONPaths, relative to the node")
    anywhere: Maybe[Texts] = Field(
        None, description="values of members of these names at any depth of the node"
    )
    excepted: Maybe[Texts] = Field(None, alias="except", description="with `anywhere`: members not entered")
    field: Maybe[FieldName] = Field(None, description="the shape's field of this name")
    event: Maybe[EventValue] = Field(None, description="of the event: its status text, state or kind")
    members: Maybe[MemberTest] = Field(None, description="which members the object has")
    internal: Maybe[bool] = Field(None, description="a member of the shape's `internal` list is visible")
    container: Maybe[Condition] = Field(None, description="a condition on the container that opened the node")
    all: Maybe[Conditions] = None
    any: Maybe[Conditions] = None
    none: Maybe[Conditions] = None
    exists: Maybe[bool] = Field(None, description="there and not null")
    filled: Maybe[bool] = Field(None, description="not null, false, blank or empty")
    is_: Maybe[Scalar] = Field(None, alias="is")
    in_: Maybe[NameOrScalars] = Field(None, alias="in", description="one of these, or of the named list")
    starts: Maybe[Texts] = Field(None, description="a text that begins with one of these")
    contains: Maybe[Texts] = Field(None, description="a text with one of these in it")
    type: Maybe[Literal["object", "array", "string", "number", "boolean", "null"]] = None

    @model_validator(mode="after")
    def _shape(self) -> Condition:
        given = {name.rstrip("_") for name in self.model_fields_set}
        subjects = [name for name in SUBJECTS if name in given]
        tests = [name for name in VALUE_TESTS if name in given]
        if len(subjects) != 1:
            raise fault(
                f"a condition has one subject, this one has {', '.join(subjects) or 'none'}",
                f"give one of {', '.join(SUBJECTS)}; put several conditions under all, any or none",
            )
        if len(tests) > 1:
            raise fault(
                f"a condition has one test, this one has {', '.join(tests)}", "put two conditions under all"
            )
        if tests and subjects[0] not in ("path", "anywhere", "field", "event"):
            raise fault(f"`{subjects[0]}` takes no test `{tests[0]}`", f"remove `{tests[0]}`")
        if "excepted" in given and subjects[0] != "anywhere":
            raise fault("`except` goes with `anywhere` only", "remove `except`")
        return self


class MemberTest(Part):
    """Which members an object has, in either spelling; empty ones count as absent."""

    needed: Maybe[Texts] = Field(None, alias="with", description="it has all of these")
    only: Maybe[Texts] = Field(None, description="it has no others than these")

    @model_validator(mode="after")
    def _shape(self) -> MemberTest:
        if self.needed is None and self.only is None:
            raise fault("`members` tests nothing", "give `with`, `only` or both")
        return self


class Source(Part):
    """Where a field is read: one of the keys."""

    path: Maybe[Text] = Field(None, description="JSONPath, relative to the node")
    anywhere: Maybe[Texts] = Field(None, description="member of one of these names at any depth of the node")
    excepted: Maybe[Texts] = Field(None, alias="except", description="with `anywhere`: members not entered")
    enclosing: Maybe[Text] = Field(
        None, description="JSONPath, from the nearest value around the node that has it"
    )
    event: Maybe[EventValue] = Field(None, description="of the event: its status text, state or kind")

    @model_validator(mode="after")
    def _shape(self) -> Source:
        given = self.model_fields_set - {"excepted"}
        if len(given) != 1:
            raise fault(
                f"a source has one key, this one has {', '.join(sorted(given)) or 'none'}",
                "give one of path, anywhere, enclosing, event; put several sources in a list",
            )
        if self.excepted and self.anywhere is None:
            raise fault("`except` goes with `anywhere` only", "remove `except`")
        return self


type OneSource = Annotated[Source, BeforeValidator(_as_source, json_schema_input_type=Text | Source)]
type Sources = Annotated[
    list[OneSource],
    BeforeValidator(_many, json_schema_input_type=OneSource | list[OneSource]),
    Field(min_length=1),
]
type Fields = dict[FieldName, Sources]


class NodePlace(Part):
    """Where nodes are looked for: one of the keys, and a condition of this place alone."""

    anywhere: Maybe[Literal[True]] = Field(
        None, description="every object at any depth, JSON in strings included"
    )
    frame: Maybe[Literal[True]] = Field(None, description="the whole frame, where it has no envelope")
    key: Maybe[Texts] = Field(None, description="the value held under this member name, at any depth")
    path: Maybe[Text] = Field(None, description="fixed place, relative to the A2A object")
    when: Maybe[Condition] = Field(None, description="a further condition, for this place alone")

    @model_validator(mode="after")
    def _shape(self) -> NodePlace:
        given = sorted(self.model_fields_set - {"when"})
        if len(given) != 1:
            allowed = sorted(set(type(self).model_fields) - {"when"})
            raise fault(
                f"a place has one key, this one has {', '.join(given) or 'none'}",
                f"give one of {', '.join(allowed)}; put several places in a list",
            )
        return self


class ShapePlace(NodePlace):
    """A place of a shape."""

    member_of: Maybe[Ids] = Field(None, description="the members that these containers open")
    state: Maybe[Literal["input-required", "auth-required"]] = Field(
        None, description="an event of this state; the node is the A2A object"
    )


class MarkPlace(NodePlace):
    """A place of a mark."""

    member: Maybe[Texts] = Field(None, description="every member of this name; the node is its value")
    member_starts: Maybe[Texts] = Field(None, description="every member whose name begins so")
    text_starts: Maybe[Texts] = Field(None, description="every text that begins so")
    text_contains: Maybe[Texts] = Field(None, description="every text with this in it")


type PlaceWord = Literal["anywhere", "frame"]
type OneNodePlace = Annotated[
    NodePlace, BeforeValidator(_place, json_schema_input_type=PlaceWord | NodePlace)
]
type NodePlaces = Annotated[
    list[OneNodePlace],
    BeforeValidator(_many, json_schema_input_type=OneNodePlace | list[OneNodePlace]),
    Field(min_length=1),
]
type OneShapePlace = Annotated[
    ShapePlace, BeforeValidator(_place, json_schema_input_type=PlaceWord | ShapePlace)
]
type ShapePlaces = Annotated[
    list[OneShapePlace],
    BeforeValidator(_many, json_schema_input_type=OneShapePlace | list[OneShapePlace]),
    Field(min_length=1),
]
type OneMarkPlace = Annotated[
    MarkPlace, BeforeValidator(_place, json_schema_input_type=PlaceWord | MarkPlace)
]
type MarkPlaces = Annotated[
    list[OneMarkPlace],
    BeforeValidator(_many, json_schema_input_type=OneMarkPlace | list[OneMarkPlace]),
    Field(min_length=1),
]


class Case(Part):
    """What a node is, if the condition holds; the last case of a list may go without."""

    when: Maybe[Condition] = None
    kind: Literal["user_input", "confirmation", "client_tool", "delegation", "unknown"]
    exposure: Literal["native", "masked", "leaked", "declared"]


type Cases = Annotated[list[Case], Field(min_length=1)]
type NameOrCases = Annotated[
    Annotated[Cases, Tag("list")] | Annotated[Id, Tag("name")], Discriminator(_named_or_listed)
]


class Internals(Part):
    """Members that must not be visible, looked for at any depth of the node."""

    names: Maybe[Texts] = None
    list_: Maybe[Text] = Field(None, alias="list", description="name of a list with more names")
    excepted: Maybe[Texts] = Field(None, alias="except", description="members not entered")


class Shape(Part):
    """One shape in which an agent stops and asks, or a container of such."""

    id: Id
    about: Maybe[str] = Field(None, description="for the reader")
    at: ShapePlaces
    match: Maybe[Condition] = None
    each: Maybe[Texts] = Field(None, description="makes it a container: JSONPaths to its members")
    reading: Maybe[Id] = Field(None, description="the reading whose fields it takes over")
    fields: Maybe[Fields] = Field(None, description="where its fields are read; goes before the reading")
    classify: Maybe[NameOrCases] = Field(
        None, description="cases, the first that holds wins; or the name of a list of them under `classes`"
    )
    proxy: Maybe[Texts] = Field(None, description="the members that a proxy item has, and no others")
    internal: Maybe[Internals] = None
    fallback: bool = Field(False, description="counts only where the round has no other interaction")
    otherwise: bool = Field(False, description="taken only if nothing inside the node is an interaction")

    @model_validator(mode="after")
    def _shape(self) -> Shape:
        if (self.each is None) == (self.classify is None):
            raise fault(
                "a shape either classifies its node or opens its members", "give one of `classify` and `each`"
            )
        if self.each is not None and self.model_fields_set & {"fields", "reading", "proxy", "internal"}:
            raise fault(
                "a container has no fields of its own", "give them to the shapes that are `member_of` it"
            )
        return self


class Mark(Part):
    """Evidence that is no interaction."""

    id: Id
    about: Maybe[str] = None
    name: Literal[
        "remote-output", "remote-call", "remote-status", "failure", "internal-key", "printed-object"
    ]
    at: MarkPlaces
    match: Maybe[Condition] = None
    fields: Maybe[dict[MarkField, Sources]] = None
    outside: Maybe[Ids] = Field(None, description="scopes within which it is no evidence")
    prose: bool = Field(True, description="also within JSON that stands in the middle of a text")


class Scope(Part):
    """Objects whose inside is told apart."""

    id: Id
    about: Maybe[str] = None
    at: NodePlaces
    match: Maybe[Condition] = None


class ChannelRule(Part):
    """Whole frames without an envelope that belong to another channel."""

    id: Id
    about: Maybe[str] = None
    match: Condition
    channel: Literal["control", "content"]


class File(Part):
    """A mapping file."""

    mapping: Literal[1] = Field(description="version of the language")
    about: Maybe[str] = None
    lists: dict[str, list[Text]] = Field(
        default={}, description="named lists; files add to lists of one name"
    )
    readings: dict[Id, Fields] = Field(default={}, description="fields that several shapes read alike")
    classes: dict[Id, Cases] = Field(default={})
    channels: list[ChannelRule] = Field(default=[])
    scopes: list[Scope] = Field(default=[])
    shapes: list[Shape] = Field(default=[], description="tried in this order")
    marks: list[Mark] = Field(default=[])
