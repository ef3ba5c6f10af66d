"""MUL: several streams of one task (a2a.md M01 to M03).

They compare streams that were open at the same time. One capture never shows that; until
captures of such streams are compared, these rules are told as not checked.
"""

from __future__ import annotations

from harness.rules.example import Example, artifact, status, task
from harness.rules.rule import Rule

_SUBSCRIBE = {"jsonrpc": "2.0", "id": "r-1", "method": "SubscribeToTask", "params": {"id": "t-1"}}
_FIRST = (task(), artifact("s0 "), artifact("s1 ", append=True, lastChunk=True), status("completed"))
_SNAPSHOT = task("working", artifacts=[{"artifactId": "a-1", "parts": [{"text": "s0 "}]}])
_REST = (artifact("s1 ", append=True, lastChunk=True), status("completed"))


class Shared(Rule):
    """A rule that needs two streams of one task."""

    versions = frozenset({"v1.0"})
    needs = frozenset({"events", "rounds"})
    PASSES = (Example(_FIRST, then=(Example((_SNAPSHOT, *_REST), request=_SUBSCRIBE, round=2),)),)


class Mul801(Shared):
    code = "MUL801"
    slug = "same-events"
    title = "Two streams of one task show the same events in the same order from where they join"
    why = (
        "Two windows of one user show different conversations. Send every event to all the streams of its "
        "task, in "
        "one order."
    )
    source = "A2A 1.0 section 3.5.2"


class Mul802(Shared):
    code = "MUL802"
    slug = "streams-are-independent"
    title = "Closing one stream of a task leaves the others running"
    why = (
        "One closed window ends the answer in the other. Bind the task's life to the task and not to a "
        "connection."
    )
    source = "A2A 1.0 section 3.5.2"


class Mul803(Shared):
    code = "MUL803"
    slug = "no-gap-no-duplicate"
    title = "Snapshot and later chunks of a subscription give neither a gap nor a duplicate"
    why = (
        "A client that reconnects shows a text with a hole or a piece twice. Take the snapshot and the "
        "place in the "
        "event queue at one moment."
    )
    source = "A2A 1.0 section 3.1.6; recorded: the snapshot has s0 to s5, the next chunk is s6"


RULES: tuple[type[Rule], ...] = (Mul801, Mul802, Mul803)
