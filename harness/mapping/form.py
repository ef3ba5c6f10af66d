"""The compiled mapping: plain named tuples, picklable, and printable as Python literals.

What may live here: the closed vocabulary of the mapping language after compilation. No
behaviour, no file, no dialect; `compile` makes these values, `shipped` holds them ready
made, `engine` runs them.
"""

from typing import Any, Literal, NamedTuple

from harness.model.event import Channel
from harness.model.interaction import Exposure, Kind

type Names = tuple[str, ...]
"""One member name in all its spellings."""


class Member(NamedTuple):
    """Step to a member, by any of its spellings (several names: every one that is there)."""

    names: Names


class Index(NamedTuple):
    """Step to one place of an array; negative counts from the end."""

    at: int


class Each(NamedTuple):
    """Step to every value of an array or object."""

    word: str = "*"


class Up(NamedTuple):
    """Step to the enclosing value."""

    word: str = "^"


class Deep(NamedTuple):
    """Step to the value itself and everything below it."""

    word: str = ".."


class Cut(NamedTuple):
    """Step to a slice of an array."""

    start: int | None
    stop: int | None
    stride: int | None


class Having(NamedTuple):
    """Step to the members or places for which every test holds: (path, operator, operand)."""

    tests: tuple[tuple[tuple[Any, ...], str, Any], ...]


type Step = Member | Index | Each | Up | Deep | Cut | Having
type Path = tuple[Step, ...]


type Condition = Holds | Members | Internal | Container | Combined


class Source(NamedTuple):
    """Where a value is read: the first that gives one wins in a list of them."""

    kind: Literal["path", "anywhere", "enclosing", "event", "field"]
    path: Path = ()
    name: str = ""
    """Of the event's attribute or the shape's field."""
    names: tuple[str, ...] = ()
    """Member names (all spellings) searched for at any depth."""
    listed: str = ""
    """A list whose names, in all spellings, are searched for as well."""
    excepted: tuple[str, ...] = ()
    """Member names that such a search does not enter."""


class Test(NamedTuple):
    """One test of a value; `word` is of the closed list in `language.TESTS`."""

    word: str
    operand: tuple[Any, ...] = ()


class Holds(NamedTuple):
    """True where any value of any source passes the test."""

    sources: tuple[Source, ...]
    test: Test


class Members(NamedTuple):
    """True where the object has every `needed` member and no filled one outside `only`."""

    needed: tuple[Names, ...] = ()
    only: tuple[str, ...] | None = None


class Internal(NamedTuple):
    """True where one of the shape's internal members is visible at any depth."""

    wanted: bool = True


class Container(NamedTuple):
    """True where the condition holds for the container that opened the node."""

    part: Condition


class Combined(NamedTuple):
    """`all`, `any` or `none` of the parts hold."""

    word: Literal["all", "any", "none"]
    parts: tuple[Condition, ...]


type Trigger = tuple[str, str | None]
"""A member name, and the text it must hold (None: any value)."""


class Place(NamedTuple):
    """Where a clause looks for its nodes."""

    kind: Literal[
        "anywhere",
        "frame",
        "key",
        "path",
        "member_of",
        "state",
        "member",
        "member_starts",
        "text_starts",
        "text_contains",
    ]
    names: tuple[str, ...] = ()
    """Member names in all spellings, container ids, states, or the texts looked for."""
    path: Path = ()
    when: Condition | None = None
    triggers: tuple[Trigger, ...] | None = None
    """`anywhere`: every node that can fit has one of these; None: each object is tried."""
    markers: tuple[str, ...] | None = None
    """Every frame with a fitting node holds one of these texts; None: cannot be derived."""


class Case(NamedTuple):
    """What a node is, where the condition holds (None: else)."""

    when: Condition | None
    kind: Kind
    exposure: Exposure


class Shape(NamedTuple):
    """One shape in which an agent stops and asks."""

    id: str
    places: tuple[Place, ...]
    match: Condition | None = None
    each: tuple[Path, ...] = ()
    """A container: where its members are, which are nodes of their own."""
    fields: tuple[tuple[str, tuple[Source, ...]], ...] = ()
    cases: tuple[Case, ...] = ()
    proxy: tuple[Names, ...] = ()
    """The members that a proxy item has, and no others."""
    internal: Source | None = None
    """The search for members that must not be visible."""
    fallback: bool = False
    otherwise: bool = False
    """Taken only if nothing inside the node is an interaction."""


class MarkClause(NamedTuple):
    """Evidence that is no interaction."""

    id: str
    name: str
    places: tuple[Place, ...]
    match: Condition | None = None
    fields: tuple[tuple[str, tuple[Source, ...]], ...] = ()
    outside: tuple[str, ...] = ()
    """Ids of scopes within which this is no evidence."""
    prose: bool = True
    """Also within JSON that stands in the middle of a text."""


class Scope(NamedTuple):
    """Objects whose inside is told apart, by id."""

    id: str
    places: tuple[Place, ...]
    match: Condition | None = None


class ChannelClause(NamedTuple):
    """A whole frame without an envelope that belongs to another channel than its reader says."""

    id: str
    match: Condition
    channel: Channel


class Mapping(NamedTuple):
    """Compiled mapping files, the first tried first."""

    shapes: tuple[Shape, ...] = ()
    marks: tuple[MarkClause, ...] = ()
    scopes: tuple[Scope, ...] = ()
    channels: tuple[ChannelClause, ...] = ()
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
