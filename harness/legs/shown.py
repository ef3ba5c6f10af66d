"""What a stream showed, as texts: found in it wherever they stand, however they were cut into frames.

Every string of an event counts, keys too, and what is JSON inside a string is opened. Strings at
the same place of later events are read as one text, since tokens come one by one; so are the
chunks of one artifact. Of each such track only its end is kept, or, up to `keep` characters, all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from harness.mapping.nested import within, worth
from harness.model.interaction import Place
from harness.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.model.event import Event

TRACKS = 4096
"""Tracks that are followed; the oldest are given up."""
_DEEP = 64
"""JSON inside strings inside JSON is opened so often."""
_OPENINGS = ("{", "[", '"')


class Leaf(NamedTuple):
    """One string of an event."""

    track: str
    """Strings of one track are read as one text; empty: it stands alone."""
    text: str
    pointer: str
    in_order: bool = True
    """It counts for `order`: of a text and the JSON in it only one does."""


class Shown:
    """Takes the events of one round. `texts` are looked for anywhere, `order` one behind another."""

    def __init__(self, texts: Sequence[str] = (), order: Sequence[str] = (), keep: int = 0) -> None:
        self._open = dict.fromkeys(text for text in texts if text)
        self._order = order
        self._tail = max((len(text) for text in (*texts, *order)), default=1) - 1
        self._keep = keep
        self._tracks: dict[str, str] = {}
        self.found: dict[str, Place] = {}
        self.reached = 0
        self.cut = False
        """More was shown than is kept."""

    def take(self, event: Event) -> None:
        """One event."""
        leaves = list(_leaves(*_body(event)))
        start = self.reached
        for leaf in leaves:
            self._text(leaf, event)
        name = _artifact(event)
        if name is not None:
            reached, self.reached = self.reached, start
            for leaf in leaves:
                if leaf.track:
                    self._text(leaf._replace(track=f"{name} {leaf.track}"), event)
            self.reached = max(reached, self.reached)

    @property
    def texts(self) -> tuple[str, ...]:
        """What the tracks hold."""
        return tuple(self._tracks.values())

    def _text(self, leaf: Leaf, event: Event) -> None:
        before = self._tracks.pop(leaf.track, "") if leaf.track else ""
        joined = before + leaf.text
        for one in [one for one in self._open if one in joined]:
            self.found[one] = Place(event.frame.number, leaf.pointer, event.frame.span)
            del self._open[one]
        if leaf.in_order:
            self._advance(joined, len(before))
        if leaf.track:
            self._remember(leaf.track, joined)

    def _advance(self, joined: str, new: int) -> None:
        """Find the next texts of `order` that end behind `new`, one behind another."""
        floor = 0
        while self.reached < len(self._order):
            wanted = self._order[self.reached]
            begin = joined.find(wanted, max(floor, new - len(wanted) + 1, 0))
            if begin < 0:
                return
            self.reached += 1
            floor = begin + len(wanted)

    def _remember(self, track: str, joined: str) -> None:
        if len(self._tracks) >= TRACKS:
            del self._tracks[next(iter(self._tracks))]
        if not self._keep:
            joined = joined[len(joined) - self._tail :] if self._tail < len(joined) else joined
        elif len(joined) > self._keep:
            joined, self.cut = joined[: self._keep], True
        self._tracks[track] = joined


def _body(event: Event) -> tuple[Any, str]:
    """What is shown of an event, and where it stands in the frame: without what the user said."""
    if event.kind == "malformed":
        return event.frame.data, ""
    if event.kind in ("error", "foreign", "chunk"):
        return event.json, ""
    body = event.body
    if event.kind == "task" and type(body.get("history")) is list:
        body = {**body, "history": [None if _is_user(one) else one for one in body["history"]]}
    return body, event.pointer


def _is_user(message: Any) -> bool:
    return type(message) is dict and message.get("role") in ("user", "ROLE_USER")


def _artifact(event: Event) -> str | None:
    artifact = event.body.get("artifact") if event.kind == "artifact" else None
    name = artifact.get("artifactId") if type(artifact) is dict else None
    return name if type(name) is str else None


class _Node(NamedTuple):
    """A value on the way through an event."""

    value: Any
    track: str
    pointer: str
    depth: int = 0
    """Strings that were opened on the way."""
    in_order: bool = True


def _leaves(body: Any, at: str) -> Iterator[Leaf]:
    """Every string in `body`, in order; the track is its place without numbers and with each `type`."""
    stack = [_Node(body, ":", at)]
    while stack:
        node = stack.pop()
        value, track, pointer, depth, in_order = node
        if type(value) is str:
            inner = within(value) if depth < _DEEP and worth(value) else ()
            opened = len(inner) == 1 and value.strip()[:1] in _OPENINGS
            yield Leaf(track, value, pointer, in_order and not opened)
            stack += [_Node(one, track + "#", pointer + "#", depth + 1, in_order and opened) for one in inner]
        elif type(value) is dict:
            yield from (Leaf("", name, pointer, False) for name in value)
            track = _named(value, track)
            below = [
                _Node(held, f"{track}/{name}", child(pointer, name), depth, in_order)
                for name, held in value.items()
            ]
            stack += reversed(below)
        elif type(value) is list:
            below = [_Node(held, track, child(pointer, at), depth, in_order) for at, held in enumerate(value)]
            stack += reversed(below)


def _named(value: dict[str, Any], track: str) -> str:
    """The track below an object: its `type`, and the remote call whose output it is, tell it from others."""
    kind, metadata = value.get("type"), value.get("metadata")
    remote = metadata.get("_remote_invocation") if type(metadata) is dict else None
    call = remote.get("toolCallId") if type(remote) is dict else None
    return track + "".join(f"<{one}>" for one in (kind, call) if type(one) is str)
