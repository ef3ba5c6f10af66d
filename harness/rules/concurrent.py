"""What the MUL rules share: which streams of one task stand side by side, and what is told of the others.

Streams of one task are those of one run folder and leg that name it. Rank 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harness.rules.compare import Comparison, Tell
from harness.rules.example import Example, artifact, status, task
from harness.rules.streams import NO_STREAM
from harness.rules.task import is_stream, tasks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.rules.facts import RoundFacts

ALONE = "a single stream does not show it"
UNRECOGNISED = "no A2A event was recognised"
REBUILT = "the frames were printed again from parsed records"
APART = "no stream of its task is known to have been open beside it"

_SUBSCRIBE = {"jsonrpc": "2.0", "id": "r-1", "method": "SubscribeToTask", "params": {"id": "t-1"}}


def more(text: str, *, last: bool = False) -> object:
    """One more chunk of the artifact."""
    return artifact(text, append=True, lastChunk=last)


CHUNKS = (more("s1 "), more("s2 "), more("s3 ", last=True))
FIRST = Example((task(), artifact("s0 "), *CHUNKS, status("completed")))


def joining(*frames: object, text: str = "s0 ") -> Example:
    """A subscription that joined when the task's artifact was `text`."""
    held = [{"artifactId": "a-1", "parts": [{"text": text}]}]
    return Example((task("working", artifacts=held), *frames), request=_SUBSCRIBE, round=2)


def beside(*frames: object, note: str = "", text: str = "s0 ") -> Example:
    """The whole stream, and beside it one that joined when the artifact was `text`."""
    return FIRST._replace(note=note, then=(joining(*frames, text=text),))


class Shared(Comparison):
    """A rule about two streams of one task."""

    versions: ClassVar[frozenset[str]] = frozenset({"v1.0"})
    needs: ClassVar[frozenset[str]] = frozenset({"events", "rounds"})
    also_refused = True
    PASSES: ClassVar[tuple[Example, ...]] = (
        beside(*CHUNKS, status("completed")),
        beside(CHUNKS[2], status("completed"), note="joined near the end", text="s0 s1 s2 "),
    )

    @classmethod
    def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
        lacking = {index: _alone(one) for index, one in enumerate(facts)}
        for rounds in tasks(facts):
            streams = [index for index in rounds if is_stream(facts[index])]
            if len(streams) > 1:
                lacking.update(dict.fromkeys(streams, APART))
                lacking.update(cls.together(facts, streams, tell))
        for index, reason in lacking.items():
            if reason:
                tell.lacks(index, reason)

    @classmethod
    def together(cls, facts: Sequence[RoundFacts], streams: Sequence[int], tell: Tell) -> dict[int, str]:
        """Judge the streams of one task; the reason for each that was not checked, empty if it was."""
        raise NotImplementedError


def _alone(one: RoundFacts) -> str:
    if not one.recognised:
        return UNRECOGNISED
    if one.rebuilt:
        return REBUILT
    return ALONE if one.streamed else NO_STREAM
