"""MUL802: a client closes one stream of a task, and another one goes on or breaks off (a2a.md M02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harness.rules.concurrent import CHUNKS, Shared, joining
from harness.rules.example import Example, artifact, status, task

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.rules.compare import Tell
    from harness.rules.facts import RoundFacts

SOON_NS = 1_000_000_000
"""A stream that breaks off within a second of another's close breaks off with it."""
_BROKEN = frozenset({"NO_TERMINAL", "TRANSPORT_ERROR", "PROTOCOL_ERROR"})
_OPEN = frozenset({"INCONCLUSIVE", "INTERACTION", "AUTH_REQUIRED"})


class Mul802(Shared):
    code = "MUL802"
    slug = "streams-are-independent"
    title = "Closing one stream of a task leaves the others running"
    why = (
        "One closed window ends the answer in the other. Bind the task's life to the task and not to a "
        "connection."
    )
    source = "A2A 1.0 section 3.5.2"
    needs = frozenset({"events", "rounds", "timing"})
    _LEFT = Example((task(), artifact("s0 ")), ending="client_left", at_ms=(0, 10, 500))
    _ON = joining(*CHUNKS, status("completed"))._replace(at_ms=(20, 300, 600, 900, 1000, 1001))
    _OFF = joining(CHUNKS[0])._replace(at_ms=(20, 300, 510))
    PASSES: ClassVar[tuple[Example, ...]] = (_LEFT._replace(then=(_ON,)),)
    FAILS: ClassVar[tuple[Example, ...]] = (
        _LEFT._replace(note="closed with it", then=(_OFF,)),
        _LEFT._replace(note="cut with it", then=(_OFF._replace(ending="upstream_cut"),)),
    )

    @classmethod
    def together(cls, facts: Sequence[RoundFacts], streams: Sequence[int], tell: Tell) -> dict[int, str]:
        lacking: dict[int, str] = {}
        left = [index for index in streams if _was_closed(facts[index])]
        for index in streams:
            others = [other for other in left if other != index]
            lacking[index] = cls._stream(index, facts, others, tell)
        checked = [index for index, reason in lacking.items() if not reason]
        return {**lacking, **dict.fromkeys(left, "")} if checked else lacking

    @classmethod
    def _stream(cls, index: int, facts: Sequence[RoundFacts], left: Iterable[int], tell: Tell) -> str:
        """Judge one stream by the closes of others that lie in its time."""
        one, reason = facts[index], "no client closed another stream of its task while it was open"
        for other in left:
            closed = facts[other].closed_ns
            if closed is None or one.began_ns is None or one.closed_ns is None:
                return "the times of the chunks are not known"
            if not one.began_ns <= closed < one.closed_ns:
                continue
            after = one.closed_ns - closed
            if one.outcome not in _BROKEN:
                reason = "" if one.outcome not in _OPEN else reason
            elif after > SOON_NS:
                reason = "it broke off, but not at once after the other stream was closed"
            else:
                message = f"the stream broke off {after / 1e6:.0f} ms after {facts[other].source} was closed"
                tell.breach(index, message, one.place)
                return ""
        return reason


def _was_closed(one: RoundFacts) -> bool:
    """Did the client close the stream while its task was going on?"""
    return one.ending == "client_left" and one.outcome in _OPEN
