"""ART: what a finished task has to show for itself (a2a.md A06, A07).

The final Task of A07 stands at the end of the stream, or in the answer to a GetTask that was
recorded in the same run folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from harness.a2a.artifacts import ArtifactFacts, content, digest, id_of
from harness.a2a.members import blank
from harness.a2a.shapes import members
from harness.model.event import TERMINAL
from harness.rules.artifacts import Assembled
from harness.rules.compare import Comparison, Tell
from harness.rules.example import Example, artifact, rpc, status, task
from harness.rules.rule import ALL, place
from harness.rules.streams import no_stream
from harness.rules.task import TRUNCATED, UNREAD, gives_result, is_stream, tasks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.model.event import Event
    from harness.rules.facts import RoundFacts

_GET = {"jsonrpc": "2.0", "id": "r-1", "method": "GetTask", "params": {"id": "t-1"}}
_CHUNKED = (task(), artifact("Hel"), artifact("lo", append=True, lastChunk=True), status("completed"))


def _got(text: str) -> Example:
    """The answer to a GetTask after the stream: the Task alone."""
    held = [{"artifactId": "a-1", "parts": [{"text": text}]}]
    state = {"state": "TASK_STATE_COMPLETED", "timestamp": "2026-11-30T11:20:12.031Z"}
    answer = rpc({"id": "t-1", "contextId": "c-1", "status": state, "artifacts": held})
    json = (("content-type", "application/json"),)
    return Example((answer,), request=_GET, headers=json, framing="document", round=2)


def _final(text: str, name: str = "a-1") -> Any:
    return task("completed", artifacts=[{"artifactId": name, "parts": [{"text": text}]}])


class Art706(Assembled):
    code = "ART706"
    slug = "completed-with-something"
    title = "A COMPLETED task has an artifact or a status message"
    why = (
        "The user sees a success that says nothing. Results should be artifacts; if there is none, say so "
        "in the "
        "status message."
    )
    source = "A2A 1.0 section 3.7"
    severity = "info"
    listens = ()
    PASSES = (
        Example((task(), artifact("x"), status("completed"))),
        Example((task(), status("completed", "done"))),
    )
    FAILS = (Example((task(), status("working"), status("completed"))),)

    def missing(self) -> str | None:
        return no_stream(self.scope) or super().missing()

    def end(self) -> None:
        stream = self.scope.stream
        end = stream.terminal
        if end is None or end.state != "completed" or len(stream.artifacts) or stream.messages:
            return
        if blank(members(end.body.get("status")).get("message")):
            self.found("the task completed without an artifact or a message", place(end, end.state_pointer))


class Art707(Assembled, Comparison):
    code = "ART707"
    slug = "assembled-is-final"
    title = "The artifacts put together from the chunks are those of the final Task"
    versions: ClassVar[frozenset[str]] = ALL
    needs: ClassVar[frozenset[str]] = frozenset({"events"})
    second = frozenset({"trail"})
    why = (
        "A client that streamed shows another answer than one that asks later. Look for chunks that were "
        "lost, sent "
        "twice or appended in another order than they were stored."
    )
    source = "A2A 1.0 section 3.5.2"
    listens = ("task",)
    PASSES = (
        Example((*_CHUNKED, _final("Hello")), "a Task at the end"),
        Example(_CHUNKED, "a GetTask after the end", then=(_got("Hello"),)),
    )
    FAILS = (
        Example((*_CHUNKED, _final("Help")), "another text at the end"),
        Example((task(), artifact("Hello"), status("completed"), _final("Hello", "a-2")), "another id"),
        Example(_CHUNKED, "another text in the answer to a GetTask", then=(_got("Help"),)),
    )

    compared = False

    def missing(self) -> str | None:
        return super().missing() or (None if self.compared else "no final Task stands beside the chunks")

    def event(self, event: Event) -> None:
        stream = self.scope.stream
        if stream.first is None or event.state not in TERMINAL:
            return
        self.compared = True
        listed = event.body.get("artifacts")
        final = {id_of(one): content(one) for one in (listed if type(listed) is list else ())}
        for name in stream.artifacts:
            facts = stream.artifact(name)
            if name not in final:
                self._differs(event, name, "is not in the final Task")
            elif facts is not None and not _equal(facts, *final[name]):
                length = len(final[name][0])
                self._differs(
                    event,
                    name,
                    f"has {facts.length} characters in the stream and others ({length}) at the end",
                )
        if stream.first.kind == "task" and not stream.artifacts.capped:
            for name in final:
                if name and name not in stream.artifacts:
                    self._differs(event, name, "was never streamed")

    def _differs(self, event: Event, name: str, how: str) -> None:
        self.found(
            f"the artifact {name[:60]} {how}", place(event, event.pointer + "/artifacts"), names=(name[:60],)
        )

    @classmethod
    def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
        for rounds in tasks(facts):
            streams = [index for index in rounds if _ended(facts[index])]
            for result in (index for index in rounds if gives_result(facts[index])):
                for stream in streams:
                    cls._with_result(stream, result, facts, tell)

    @classmethod
    def _with_result(cls, stream: int, result: int, facts: Sequence[RoundFacts], tell: Tell) -> None:
        one, other = facts[stream], facts[result]
        if one.trail is None or other.trail is None or (one.failed and other.last_state != "failed"):
            return
        if one.trail.truncated or other.trail.truncated or one.trail.unread:
            tell.lacks(stream, UNREAD if one.trail.unread else TRUNCATED)
            return
        tell.checks(stream)
        tell.checks(result)
        where = other.place._replace(pointer=f"{other.place.pointer or ''}/artifacts")
        for name, how in _differences(one.trail.artifacts, other.trail.artifacts):
            message = f"the artifact {name[:60]} {how} (streamed in {one.source})"
            tell.breach(result, message, where, names=(name[:60],))


def _ended(one: RoundFacts) -> bool:
    """Did the stream show its task from the beginning (or a subscription's Task) to an end that it knows of?

    An error frame is such an end where the task has failed: nothing comes behind it.
    """
    subscribed = one.operation == "subscribe" and one.snapshot
    if not is_stream(one) or not (one.opened is True or subscribed):
        return False
    return one.last_state in TERMINAL or (one.failed and one.ending == "clean")


def _differences(
    streamed: Mapping[str, ArtifactFacts], final: Mapping[str, ArtifactFacts]
) -> Iterator[tuple[str, str]]:
    """What is another thing in the stream than in the final Task, by artifact."""
    for name, one in streamed.items():
        other = final.get(name)
        if other is None:
            yield name, "is not in the final Task"
        elif not _are_equal(one, other):
            yield (
                name,
                f"has {one.length} characters in the stream and others ({other.length}) in the final Task",
            )
    for name in final:
        if name not in streamed:
            yield name, "was never streamed"


def _are_equal(streamed: ArtifactFacts, final: ArtifactFacts) -> bool:
    if streamed.others != final.others:
        return False
    texts = ((streamed.length, streamed.digest), (streamed.snap_length, streamed.snap_digest))
    return (final.length, final.digest) in texts


def _equal(facts: ArtifactFacts, text: str, others: int) -> bool:
    if facts.others != others:
        return False
    seen = digest(text)
    is_whole = len(text) == facts.length and seen == facts.digest
    return is_whole or (len(text) == facts.snap_length and seen == facts.snap_digest)
