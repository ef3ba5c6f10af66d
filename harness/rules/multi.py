"""MUL: several streams of one task (a2a.md M01 to M03).

Where one of them joined late, or went on after a question, all of them are held against each
other (`harness.rules.abreast`), on trails from a second reading. What is compared are updates, that
is status and artifact events: a Task repeats what was said, and a Message has no place there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.closing import Mul802
from harness.rules.concurrent import CHUNKS, Shared, beside
from harness.rules.example import status
from harness.rules.facts import NOWHERE
from harness.rules.task import TRUNCATED, joins

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.rules.abreast import Meeting
    from harness.rules.compare import Tell
    from harness.rules.facts import RoundFacts
    from harness.rules.rule import Rule


TRIED = 10
"""Earlier streams that one is held against before it is told as not checked."""


class Followed(Shared):
    """A rule about the updates of a stream that joined late, against those of an earlier one."""

    second = frozenset({"trail"})

    @classmethod
    def together(cls, facts: Sequence[RoundFacts], streams: Sequence[int], tell: Tell) -> dict[int, str]:
        ordered = sorted((index for index in streams if facts[index].trail), key=lambda i: _order(facts, i))
        lacking = {index: TRUNCATED for index in ordered if _is_truncated(facts[index])}
        for number, late in enumerate(ordered):
            if facts[late].opened is True:
                continue
            for early in ordered[: min(number, TRIED)]:
                met = _meeting(facts[late], facts[early])
                is_good = cls.of(met)
                if is_good is None:
                    lacking[late] = met.reason
                    continue
                lacking[late] = lacking[early] = ""
                if not is_good:
                    cls.told(late, facts[late], facts[early], met, tell)
                break
        return lacking

    @classmethod
    def of(cls, met: Meeting) -> bool | None:
        """What the meeting says of this rule."""
        raise NotImplementedError

    @classmethod
    def told(cls, index: int, late: RoundFacts, early: RoundFacts, met: Meeting, tell: Tell) -> None:
        """Tell the breach."""
        raise NotImplementedError


def _order(facts: Sequence[RoundFacts], index: int) -> tuple[bool, int, int]:
    """Streams that opened their task first, then those that saw more of it."""
    one = facts[index]
    size = len(one.trail.prints) if one.trail else 0
    return one.opened is not True, -size, index


def _is_truncated(one: RoundFacts) -> bool:
    return one.trail is not None and one.trail.truncated


def _meeting(late: RoundFacts, early: RoundFacts) -> Meeting:
    from harness.rules.abreast import meet

    assert late.trail is not None
    assert early.trail is not None
    opened = early.opened is True
    known = opened or (early.trail.snapshot and joins(early))
    trail = late.trail if joins(late) else late.trail._replace(snapshot=False)
    return meet(trail, early.trail, complete=opened and early.trail.whole, known=known)


class Mul801(Followed):
    code = "MUL801"
    slug = "same-events"
    title = "Two streams of one task show the same events in the same order from where they join"
    why = (
        "Two windows of one user show different conversations. Send every event to all the streams of its "
        "task, in one order."
    )
    source = "A2A 1.0 section 3.5.2"
    FAILS = (
        beside(CHUNKS[0], CHUNKS[2], status("completed"), note="an event is left out"),
        beside(CHUNKS[1], CHUNKS[0], CHUNKS[2], status("completed"), note="in another order"),
    )

    @classmethod
    def of(cls, met: Meeting) -> bool | None:
        return met.same

    @classmethod
    def told(cls, index: int, late: RoundFacts, early: RoundFacts, met: Meeting, tell: Tell) -> None:
        assert late.trail is not None
        assert early.trail is not None
        numbers = early.trail.numbers
        there = f"event {numbers[met.early]}" if met.early < len(numbers) else "nothing more"
        message = f"the stream does not go on as {early.source} does, which has {there} here"
        tell.breach(index, message, late.trail.place(met.late))


class Mul803(Followed):
    code = "MUL803"
    slug = "no-gap-no-duplicate"
    title = "Snapshot and later chunks of a subscription give neither a gap nor a duplicate"
    why = (
        "A client that reconnects shows a text with a hole or a piece twice. Take the snapshot and the "
        "place in the event queue at one moment."
    )
    source = "A2A 1.0 section 3.1.6; recorded: the snapshot has s0 to s5, the next chunk is s6"
    FAILS = (
        beside(*CHUNKS[1:], status("completed"), note="a chunk is left out"),
        beside(*CHUNKS, status("completed"), note="a chunk comes twice", text="s0 s1 "),
        beside(*CHUNKS, status("completed"), note="no state of the other stream", text="s1 "),
    )

    @classmethod
    def of(cls, met: Meeting) -> bool | None:
        return met.joined

    @classmethod
    def told(cls, index: int, late: RoundFacts, early: RoundFacts, met: Meeting, tell: Tell) -> None:
        assert late.trail is not None
        if met.off is None:
            what = "holds artifacts that are at no place those of"
        else:
            how = "left out" if met.off > 0 else "repeated"
            what = f"is followed by events of which {abs(met.off)} are {how}, against"
        message = f"the Task that the stream opens with {what} {early.source}"
        tell.breach(index, message, late.trail.place(0) if late.trail.prints else NOWHERE)


RULES: tuple[type[Rule], ...] = (Mul801, Mul802, Mul803)
