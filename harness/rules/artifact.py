"""ART: how the pieces of an artifact fit together (a2a.md A01 to A07).

`append` adds to an artifact, its absence replaces it, `lastChunk` closes it. What is kept of
each artifact is `harness.a2a.artifacts`; where its memory ends, nothing is claimed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.a2a.artifacts import MAX_CHUNKED, content, digest, id_of
from harness.a2a.shapes import members
from harness.rules.artifact_end import Art706, Art707
from harness.rules.artifacts import Assembled
from harness.rules.example import Example, artifact, status, task
from harness.rules.rule import Rule, place

if TYPE_CHECKING:
    from harness.model.event import Event
    from harness.model.interaction import Place

_GOOD = Example(
    (
        task(),
        artifact("Hel"),
        artifact("lo", append=True),
        artifact("", append=True, lastChunk=True),
        status("completed"),
    )
)
_REMOTE = {"agentEvent": {"type": "output", "source": {"agentId": "x", "taskId": "y"}}}
_TURN_2 = {
    "jsonrpc": "2.0",
    "id": "r-1",
    "method": "SendStreamingMessage",
    "params": {"message": {"taskId": "t-1"}},
}
_SNAPSHOTS = (
    artifact("Hel"),
    artifact("Hello", append=True),
    artifact("Hello you", append=True, lastChunk=True),
)
LONG = 16
"""Characters from which on a chunk equal to the whole text is no coincidence."""
SHORT = 3


def _tag(event: Event) -> str | None:
    """Forwarded output of a remote agent, which contracts may weigh lighter."""
    metadata = members(members(event.body.get("artifact")).get("metadata"))
    return "agent-event" if metadata.get("agentEvent") else None


class Art701(Assembled):
    code = "ART701"
    slug = "append-to-known"
    title = "append:true only for an artifact that was seen before"
    why = (
        "There is nothing to append to: the Python server refuses the event, clients drop it or make a new "
        "artifact. Send "
        "the first chunk without `append`."
    )
    source = "a2a.proto TaskArtifactUpdateEvent; recorded: a2a-sdk -32006; A2A PR 2173 proposes otherwise"
    severity = "warning"
    PASSES = (
        _GOOD,
        Example(
            (
                task(artifacts=[{"artifactId": "a-1", "parts": [{"text": "x"}]}]),
                artifact("y", append=True, lastChunk=True),
                status("completed"),
            )
        ),
    )
    FAILS = (
        Example((task(), artifact("x", append=True, lastChunk=True), status("completed"))),
        Example(
            (status("working"), artifact("x", append=True, lastChunk=True)), "info: turn 2", request=_TURN_2
        ),
    )

    def event(self, event: Event) -> None:
        name = id_of(event.body.get("artifact"))
        if event.body.get("append") is not True or not name or name in self.scope.stream.artifacts:
            return
        is_later_turn = self.scope.asked.task_id is not None and self.scope.stream.tasks == 0
        self.found(
            f"append:true for the artifact {name[:60]}, which was not seen before",
            place(event, event.pointer),
            names=(name[:60],), tag=_tag(event), severity="info" if is_later_turn else None,
        )  # fmt: skip


class Art702(Assembled):
    code = "ART702"
    slug = "nothing-after-last-chunk"
    title = "No chunk for an artifact after its lastChunk:true"
    why = (
        "Clients close the artifact at its last chunk; a later one is dropped or opens it again. Set "
        "`lastChunk` on the last "
        "chunk only, and give a new result a new id."
    )
    source = "a2a.proto: final chunk; A2A issue 1231 is open"
    severity = "warning"
    PASSES = (_GOOD,)
    FAILS = (
        Example((task(), artifact("x", lastChunk=True), artifact("y", append=True), status("completed"))),
    )

    def event(self, event: Event) -> None:
        name = id_of(event.body.get("artifact"))
        facts = self.scope.stream.artifact(name) if name else None
        if facts is not None and facts.last:
            self.found(
                f"a chunk for the artifact {name[:60]} after its last one",
                place(event, event.pointer),
                names=(name[:60],),
            )


class Art703(Assembled):
    code = "ART703"
    slug = "replaced-text-kept"
    title = "An artifact that is sent again without append keeps the text that was shown"
    why = (
        "Without `append` a chunk replaces the artifact: the text before it vanishes in clients that "
        "follow the "
        "specification. Set `append:true` on all chunks but the first."
    )
    source = "A2A 0.2.1 section 7.2.3; recorded defect of an agent kit (adk 6680)"
    severity = "warning"
    PASSES = (_GOOD, Example((task(), artifact("Hel"), artifact("Hello"), status("completed")), "it grows"))
    FAILS = (Example((task(), artifact("Hello "), artifact("world", lastChunk=True), status("completed"))),)

    def event(self, event: Event) -> None:
        shown = event.body.get("artifact")
        name = id_of(shown)
        facts = self.scope.stream.artifact(name) if name else None
        if facts is None or facts.length == 0 or event.body.get("append") is True:
            return
        text, _ = content(shown)
        if facts.begins(text):
            return
        if len(text) >= facts.length and digest(text[: facts.length]) == facts.digest:
            return
        self.found(
            f"{len(text)} characters replace the {facts.length} of the artifact {name[:60]}",
            place(event, event.pointer),
            names=(name[:60],),
        )  # fmt: skip


class Art704(Assembled):
    code = "ART704"
    slug = "chunks-have-a-last"
    title = "An artifact that came in chunks has its lastChunk:true before COMPLETED"
    why = (
        "Without a last chunk a client can not tell a finished artifact from one that was cut. Set "
        "`lastChunk:true` on the last chunk."
    )
    source = "A2A 0.3 section 9.3, example"
    severity = "warning"
    PASSES = (_GOOD, Example((task(), artifact("whole"), status("completed"))))
    FAILS = (Example((task(), artifact("a"), artifact("b", append=True), status("completed"))),)

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self._open: dict[str, tuple[Place, str | None]] = {}

    def event(self, event: Event) -> None:
        name = id_of(event.body.get("artifact"))
        if not name or self.scope.stream.terminal is not None:
            return
        facts = self.scope.stream.artifact(name)
        if (
            event.body.get("append") is not True
            or event.body.get("lastChunk") is True
            or (facts and facts.last)
        ):
            self._open.pop(name, None)
        elif name not in self._open and len(self._open) < MAX_CHUNKED:
            self._open[name] = (place(event, event.pointer), _tag(event))

    def end(self) -> None:
        terminal = self.scope.stream.terminal
        if terminal is None or terminal.state != "completed":
            return
        for name, (where, tag) in self._open.items():
            self.found(f"the artifact {name[:60]} has no last chunk", where, names=(name[:60],), tag=tag)


class Art705(Assembled):
    code = "ART705"
    slug = "no-cumulative-chunks"
    title = "An appended chunk does not begin with all the text before it"
    why = (
        "The agent appends snapshots instead of what is new: clients show the text again and again. Append "
        "only the new piece, "
        "or leave `append` out to replace."
    )
    source = "recorded defect of an agent kit (agentscope-java 1378)"
    severity = "warning"
    PASSES = (
        _GOOD,
        Example((task(), artifact("ha"), artifact("ha", append=True, lastChunk=True), status("completed"))),
    )
    FAILS = (Example((task(), *_SNAPSHOTS, status("completed"))),)

    def event(self, event: Event) -> None:
        shown = event.body.get("artifact")
        name = id_of(shown)
        facts = self.scope.stream.artifact(name) if name and event.body.get("append") is True else None
        if facts is None or not facts.snap_length:
            return
        text, _ = content(shown)
        if len(text) < facts.snap_length or not facts.begins(text):
            return
        enough = LONG if len(text) == facts.snap_length else SHORT
        if facts.snap_length >= enough or facts.repeats:
            self.found(
                f"the chunk begins with all {facts.snap_length} characters of the artifact {name[:60]}",
                place(event, event.pointer), names=(name[:60],),
            )  # fmt: skip


RULES: tuple[type[Rule], ...] = (Art701, Art702, Art703, Art704, Art705, Art706, Art707)
