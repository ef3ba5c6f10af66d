"""The trail of a stream: what it showed of its task, small enough to be held against another stream's.

Of each update only a print of 8 bytes is kept, its place, and one number that stands for all
artifacts as they were then. A trail is made from a second reading, and only for streams that
have one to be compared with (`harness.trails`). Pure; memory is bounded by `MOST`. Rank 3.
"""

from __future__ import annotations

import json
from array import array
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.a2a.artifacts import ArtifactFacts, id_of
from harness.a2a.stream import Stream
from harness.model.frame import Span
from harness.model.interaction import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.model.event import Event

MOST = 200_000
"""Updates of one trail. A stream with more of them is not compared, and that is told."""
MOST_ARTIFACTS = 10_000
"""Artifacts of one trail whose text is remembered, as length and checksum."""


class Trail(NamedTuple):
    """The updates (status and artifact events) of one stream, up to its first terminal state."""

    prints: array[int]
    """One an update: equal for equal updates, whatever request, binding and SSE id they came under."""
    states: array[int]
    """All artifacts in one number: before the first update and after each."""
    numbers: array[int]
    """Frame numbers of the updates; `starts` and `sizes` are their spans."""
    starts: array[int]
    sizes: array[int]
    snapshot: bool = False
    """The stream opens with a Task: the artifacts that it had by then are known."""
    whole: bool = False
    """A terminal state was seen."""
    cumulative: bool = False
    """Chunks repeat the text before them: text put together from them proves nothing."""
    unread: bool = False
    """The trail ends before an event that could not be read, as if the stream had broken off there."""
    truncated: bool = False
    """More than is remembered; the trail must not be compared."""
    artifacts: dict[str, ArtifactFacts] = {}  # noqa: RUF012  nobody writes to the default
    """What they were in the end, by id."""

    def place(self, index: int) -> Place:
        """Where update `index` stands; the last one for an index behind them."""
        if not self.prints:
            return Place(None, None, None)
        at = min(index, len(self.prints) - 1)
        start = self.starts[at]
        return Place(self.numbers[at], "", Span(start, start + self.sizes[at]))


def trail(events: Iterable[Event], most: int = MOST) -> Trail:
    """The trail of a stream of `events`, of at most `most` updates."""
    tracker = _Tracker()
    for event in events:
        if tracker.stream.terminal is not None:
            break
        if event.kind == "malformed":
            return tracker.trail()._replace(unread=True)
        if len(tracker.prints) >= most or tracker.is_full():
            return tracker.trail()._replace(truncated=True)
        tracker.take(event)
    return tracker.trail()


def fingerprint(event: Event) -> int:
    """8 bytes of what an update says.

    Left out are the time stamp, which a server may print anew, and members that hold an
    empty default, which one serialiser prints and another does not. Numbers count by value.
    """
    body = event.body
    status = body.get("status")
    if type(status) is dict:
        body = {**body, "status": {name: value for name, value in status.items() if name != "timestamp"}}
    text = json.dumps([event.kind, body], default=str)
    value = json.loads(text, parse_int=float, object_pairs_hook=_digest_of)
    return _number(repr(value))


def _digest_of(pairs: list[tuple[str, Any]]) -> str:
    """An object as one word, so that nothing nests; empty where nothing in it is said."""
    said = sorted((name, repr(value)) for name, value in pairs if not _is_empty(value))
    return blake2b(repr(said).encode(), digest_size=8).hexdigest() if said else ""


def _is_empty(value: Any) -> bool:
    return value is None or value is False or (type(value) in (str, list) and not value)


def _number(text: str) -> int:
    raw = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8).digest())


class _Tracker:
    """Feeds a stream's memory and notes what each update left of it."""

    def __init__(self) -> None:
        self.stream = Stream()
        self.prints, self.states = array("Q"), array("Q", (0,))
        self._numbers, self._starts, self._sizes = array("Q"), array("Q"), array("Q")
        self._tokens: dict[str, int] = {}
        self._cumulative = False

    def is_full(self) -> bool:
        """Are there more artifacts than are remembered?"""
        return self.stream.artifacts_capped or len(self._tokens) > MOST_ARTIFACTS

    def take(self, event: Event) -> None:
        """Let one event in."""
        self.stream.take(event)
        if event.kind == "task":
            listed = event.body.get("artifacts")
            names = [id_of(one) for one in (listed if type(listed) is list else ())]
            self.states[-1] = self._after(names)
        elif event.kind in ("status", "artifact"):
            self._update(event)

    def _update(self, event: Event) -> None:
        names = [id_of(event.body.get("artifact"))] if event.kind == "artifact" else []
        self.states.append(self._after(names))
        self.prints.append(fingerprint(event))
        span = event.frame.span
        self._numbers.append(event.frame.number)
        self._starts.append(span.start)
        self._sizes.append(span.end - span.start)

    def _after(self, names: Iterable[str]) -> int:
        """The number of all artifacts, now that those called `names` have changed."""
        state: int = self.states[-1]
        for name in names:
            facts = self.stream.artifact(name)
            if facts is None:
                continue
            token = _number(repr((name, facts.length, facts.digest, facts.others)))
            state ^= self._tokens.get(name, 0) ^ token
            self._tokens[name] = token
            self._cumulative = self._cumulative or facts.repeats > 0
        return state

    def trail(self) -> Trail:
        """What is known by now."""
        stream = self.stream
        known = {} if self.is_full() else {name: stream.artifact(name) for name in self._tokens}
        return Trail(
            self.prints,
            self.states,
            self._numbers,
            self._starts,
            self._sizes,
            snapshot=stream.first is not None and stream.first.kind == "task",
            whole=stream.terminal is not None,
            cumulative=self._cumulative,
            truncated=self.is_full(),
            artifacts={name: facts for name, facts in known.items() if facts is not None},
        )
