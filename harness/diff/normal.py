"""An A2A object in its normal form: one text for one meaning.

Member order, number forms, empty defaults and the spellings of the dialects are gone; an id
is the mark `ID` (which one it was stands in a list beside the text), a time is `TIME`, and
what a model wrote begins with `TEXT`, so that a form can be compared without it.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from harness import jsontext
from harness.a2a.dialects import STATES
from harness.diff.carrier import carrier, unpacked
from harness.diff.marks import ID, NESTED, TEXT, TIME, clean
from harness.diff.rules import Members

if TYPE_CHECKING:
    from harness.diff.form import Steps, Volatile
    from harness.diff.ids import Ids
    from harness.diff.rules import Action

MAX_DEPTH = 64
MAX_JSON = 1 << 20
"""Characters of a string that is tried as JSON."""
_ESCAPED = re.compile(r"\\u[eE]00")
_WHEN = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?\Z")
_WRITTEN = re.compile(TEXT + r'(?:[^"\\]|\\.)*')
_DISCRIMINATORS = frozenset({"text", "data", "file", "message", "task", "status-update", "artifact-update"})
_ROLES = {"ROLE_AGENT": "agent", "ROLE_USER": "user"}
_CONTENT = frozenset({"text", "raw", "url", "data"})
_ABSENT: tuple[Any, ...] = ("", {}, [])


class Form(NamedTuple):
    """`meaning` is equal where all is equal, `shape` where all but what a model wrote is."""

    text: str
    """What is shown: `meaning`, but chunks stand in what they came in."""
    meaning: str
    shape: str
    ids: tuple[int, ...]


class Normal:
    """Brings the objects of one capture into normal form. `loose`: `final` proves nothing."""

    def __init__(self, volatile: Volatile, ids: Ids, *, loose: bool) -> None:
        self.ids = ids
        self._members = Members(volatile)
        self._loose = loose
        self._compounds = [(re.compile(one.pattern, re.DOTALL), one.names) for one in volatile.compounds]
        self._found: list[int] = []
        self._clean = True
        self.carriers: set[str] = set()
        """What chunks came in: `text` (JSON text), `data`."""

    def form(self, value: Any, pointer: str, data: str) -> Form:
        """The form of `value`, which stands at `pointer` of the frame whose text is `data`."""
        self._clean = data.isprintable() and not _ESCAPED.search(data)
        path = self._members.root(pointer)
        learned = self.ids.learned
        made = self._made(value, path)
        if self.ids.learned > learned:
            made = self._made(value, path)
        text = _text(made)
        meaning = _text(unpacked(made)) if "text" in self.carriers else text
        return Form(text, meaning, _WRITTEN.sub(TEXT, meaning), tuple(self._found))

    def _made(self, value: Any, path: Steps) -> Any:
        self._found = []
        return self._value(value, path, 0)

    def written(self, text: str) -> tuple[str, tuple[int, ...]]:
        """What a model wrote, with the ids in it."""
        self._found = []
        self._clean = False
        return self._written(text, 0), tuple(self._found)

    def _value(self, value: Any, path: Steps, depth: int) -> Any:
        if depth > MAX_DEPTH:
            return _deeper(value)
        kind = type(value)
        if kind is str:
            return self._string(value, path, depth)
        if kind is dict:
            return self._object(value, path, depth)
        if kind is list:
            return [self._value(item, path, depth + 1) for item in value]
        action = self._members.action(path)
        if action is not None and value is not None and kind is not bool:
            return self._declared(str(_number(value)), action, depth)
        return _number(value)

    def _object(self, value: dict[str, Any], path: Steps, depth: int) -> Any:
        action = self._members.action(path)
        if action is not None and action.what == "tree":
            return self._tree(value, depth)
        made: dict[str, Any] = {}
        for name in sorted(value):
            if name in _READERS and self._dialect(made, name, value[name], path):
                continue
            item = self._value(value[name], self._members.below(path, name), depth + 1)
            if item is None or item is False:
                continue
            if item in _ABSENT and not (name in _CONTENT and path[-1] == "parts"):
                continue
            made[name if self._clean else clean(name)] = item
        if path[-1] == "parts" and (held := carrier(made)):
            self.carriers.add(held)
        return made

    def _dialect(self, made: dict[str, Any], name: str, value: Any, path: Steps) -> bool:
        """What the dialects spell in their own ways; True: taken."""
        around = path[-1]
        if name == "final" or name == "finalOrInterrupted":
            return self._loose and around in ("statusupdate", "result", "")
        if name == "kind":
            return around in _SPEAKERS and type(value) is str and value in _DISCRIMINATORS
        if name == "state" and around == "status" and type(value) is str and value in STATES:
            made[name] = STATES[value]
            return True
        if name == "role" and around in _SPEAKERS and type(value) is str and value in _ROLES:
            made[name] = _ROLES[value]
            return True
        return False

    def _string(self, value: str, path: Steps, depth: int) -> Any:
        if not self._clean:
            value = clean(value)
        action = self._members.action(path)
        if action is not None:
            return self._declared(value, action, depth)
        if value[:1] in ("{", "[") and (inner := _json(value)) is not None:
            return {NESTED: self._value(inner, path, depth + 1)}
        if _WHEN.match(value):
            return TIME
        number = self.ids.alone(value)
        if number is not None:
            self._found.append(number)
            return ID
        return self._masked(value)

    def _declared(self, value: str, action: Action, depth: int) -> Any:
        if action.what == "time":
            return TIME
        if action.what == "id":
            return self._id(value, action.name) if value else ""
        if value[:1] in ("{", "[") and (inner := _json(value)) is not None:
            if action.what == "text" and isinstance(inner, dict) and "type" in inner:
                return {NESTED: self._value(inner, self._members.root(""), depth + 1)}
            return self._tree(inner, depth)
        return TEXT + self._masked(value) if value else ""

    def _tree(self, value: Any, depth: int) -> str:
        """A value that was written as a whole: its text, ids marked."""
        plain = self._value(value, self._members.root(""), depth + 1)
        if plain in _ABSENT:
            return ""
        return TEXT + json.dumps(plain, ensure_ascii=False, separators=(",", ":")).replace(TEXT, "")

    def _written(self, text: str, depth: int) -> str:
        if text[:1] in ("{", "[") and (inner := _json(text)) is not None:
            return self._tree(inner, depth)[1:]
        return self._masked(clean(text))

    def _id(self, value: str, name: str) -> str:
        for pattern, names in self._compounds:
            match = pattern.fullmatch(value)
            if match:
                self._found += map(self.ids.number, names, match.groups())
                return pattern.pattern.replace("(.+)", ID)
        spans = self.ids.inside(value)
        if spans and spans[0][:2] != (0, len(value)):
            return self._marked(value, spans)
        self._found.append(self.ids.number(name, value))
        return ID

    def _masked(self, value: str) -> str:
        spans = self.ids.inside(value)
        return self._marked(value, spans) if spans else value

    def _marked(self, value: str, spans: list[Any]) -> str:
        pieces: list[str] = []
        at = 0
        for start, end, number in spans:
            pieces += (value[at:start], ID)
            self._found.append(number)
            at = end
        return "".join((*pieces, value[at:]))


_READERS = frozenset({"final", "finalOrInterrupted", "kind", "state", "role"})
_SPEAKERS = frozenset(
    {"parts", "message", "history", "artifact", "statusupdate", "artifactupdate", "task", "result", ""}
)


def _text(made: Any) -> str:
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def _json(text: str) -> Any:
    """The object or array that `text` is, else None."""
    if len(text) > MAX_JSON:
        return None
    value = jsontext.read(text)
    return value if type(value) is dict or type(value) is list else None


def _number(value: Any) -> Any:
    """`41.0` is 41; digits that no float holds stay as text."""
    if type(value) is float:
        return int(value) if value.is_integer() else value
    return str(value) if isinstance(value, Decimal) else value


def _deeper(value: Any) -> str:
    """What stands for a value that is nested too deep to be walked."""
    try:
        text = json.dumps(value, sort_keys=True, default=str)
    except RecursionError:
        return "nested too deep"
    return f"nested too deep: {crc32(text.encode('utf-8', 'surrogatepass')):08x}"
