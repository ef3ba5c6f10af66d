"""What is secret, compiled: names whose values are, and shapes that are by themselves. Values only."""

from __future__ import annotations

from typing import Literal, NamedTuple

type Place = Literal["header", "member", "query"]
"""Where a name counts: an HTTP header, a member of JSON (or its like in text), a query or form field."""

type Takes = Literal["any", "word", "mixed"]
"""`any`: every value is secret. `word`: a number, a mark, several words, a word of another script is none.
`mixed`: only a word of six characters or more that holds a digit is."""

type Keeps = Literal["nothing", "scheme", "cookies", "set-cookie"]
"""What of a value is no secret: the scheme before credentials, the names of cookies."""

type Build = Literal["run", "jwt", "pem", "url", "bearer", "basic"]
"""How a shape is read: `run` is a fixed start and a run of characters; the others have code of their own."""


class Name(NamedTuple):
    """Names of one kind of secret, folded: lower case, without `-` and `_`."""

    kind: str
    exact: tuple[str, ...]
    endings: tuple[str, ...]
    """A name that ends so counts too."""
    excepted: tuple[str, ...]
    """Names that do not count, though they end so."""
    places: tuple[Place, ...]
    takes: Takes
    keeps: Keeps
    deep: bool
    """All strings in an array or object of this name are secret."""


class Shape(NamedTuple):
    """What is a secret wherever it stands."""

    kind: str
    build: Build
    begins: tuple[str, ...] = ()
    """How it begins, as written (`run`), or what the fast scan looks for (others)."""
    characters: str = ""
    """The characters that may follow, as a regular expression's class."""
    least: int = 0
    """How many of them at least."""


class Secrets(NamedTuple):
    """All that counts as secret."""

    names: tuple[Name, ...]
    shapes: tuple[Shape, ...]
    words: tuple[str, ...]
    """Each name that counts holds one of these, folded: what a fast scan looks for."""
