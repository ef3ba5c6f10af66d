"""Secrets made ready for looking up: one set of tables for each `Secrets`, made once."""

from __future__ import annotations

from functools import lru_cache

from harness.capture.redaction.form import Name, Place, Secrets, Shape

_LOWER = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ-", b"abcdefghijklmnopqrstuvwxyz_")
_ALIKE = bytes.maketrans(b"ousrk", b"ppppp")
FOLD = _LOWER.translate(_ALIKE)
"""What is searched has neither upper case nor `-`, since names are written in many ways; and five letters
are one, so that one search finds `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_`, and one `AKIA`, `ASIA`."""
_SEPARATORS = b"_-. "
_CACHED = 4096


def folded(name: bytes) -> str:
    """A name as the tables hold it: `X-Api-Key` is `xapikey`."""
    return str(name.translate(_LOWER, _SEPARATORS), "latin-1")


class Tables:
    """What to look for, and what it means."""

    def __init__(self, secrets: Secrets) -> None:
        self.secrets = secrets
        self._names: dict[tuple[bytes, Place], Name | None] = {}
        self.words = tuple({word.encode("ascii").translate(FOLD) for word in secrets.words})
        self.shapes = _by_beginning(secrets.shapes)
        """Shapes by what is looked for, folded."""
        self.begins = frozenset(
            begin.encode("ascii")[:length].translate(FOLD)
            for shape in secrets.shapes
            if shape.build in ("run", "jwt")
            for begin in shape.begins
            for length in range(1, len(begin))
        )
        """What may be the beginning of a shape at the end of the bytes, folded."""
        self.longest = max((len(one) for one in self.begins), default=0)

    def name(self, name: bytes, place: Place) -> Name | None:
        """What a name of a header, member or field says of its value."""
        key = (name, place)
        if key not in self._names:
            if len(self._names) > _CACHED:
                self._names.clear()
            self._names[key] = self._looked_up(folded(name), place)
        return self._names[key]

    def _looked_up(self, name: str, place: Place) -> Name | None:
        for one in self.secrets.names:
            if place not in one.places or name in one.excepted:
                continue
            if name in one.exact or name.endswith(one.endings):
                return one
        return None


def _by_beginning(shapes: tuple[Shape, ...]) -> dict[bytes, tuple[Shape, ...]]:
    """What begins like something shorter that is looked for is found with it."""
    keys = {begin.encode("ascii").translate(FOLD) for shape in shapes for begin in shape.begins}
    made: dict[bytes, tuple[Shape, ...]] = {}
    for shape in shapes:
        for begin in shape.begins:
            key = begin.encode("ascii").translate(FOLD)
            shortest = min((one for one in keys if key.startswith(one)), key=len)
            if shape not in made.get(shortest, ()):
                made[shortest] = (*made.get(shortest, ()), shape)
    return made


@lru_cache(maxsize=16)
def tables(secrets: Secrets) -> Tables:
    """The tables of `secrets`."""
    return Tables(secrets)
