"""ART: what a finished task has to show for itself (a2a.md A06, A07)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.a2a.artifacts import ArtifactFacts, content, digest, id_of
from harness.a2a.members import blank
from harness.a2a.shapes import members
from harness.model.event import TERMINAL
from harness.rules.artifacts import Assembled
from harness.rules.example import Example, artifact, status, task
from harness.rules.rule import place
from harness.rules.streams import no_stream

if TYPE_CHECKING:
    from harness.model.event import Event


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


class Art707(Assembled):
    code = "ART707"
    slug = "assembled-is-final"
    title = "The artifacts put together from the chunks are those of the final Task"
    why = (
        "A client that streamed shows another answer than one that asks later. Look for chunks that were "
        "lost, sent "
        "twice or appended in another order than they were stored."
    )
    source = "A2A 1.0 section 3.5.2"
    listens = ("task",)
    PASSES = (
        Example(
            (
                task(),
                artifact("Hel"),
                artifact("lo", append=True, lastChunk=True),
                status("completed"),
                _final("Hello"),
            )
        ),
    )
    FAILS = (
        Example(
            (
                task(),
                artifact("Hel"),
                artifact("lo", append=True, lastChunk=True),
                status("completed"),
                _final("Help"),
            )
        ),
        Example((task(), artifact("Hello"), status("completed"), _final("Hello", "a-2"))),
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


def _equal(facts: ArtifactFacts, text: str, others: int) -> bool:
    if facts.others != others:
        return False
    seen = digest(text)
    is_whole = len(text) == facts.length and seen == facts.digest
    return is_whole or (len(text) == facts.snap_length and seen == facts.snap_digest)
