"""LEAK: internal detail that a client can see (seed 000; semantics, section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.example import Example, artifact, interrupt, status
from harness.rules.rule import ALL, Rule

if TYPE_CHECKING:
    from harness.model.event import Channel
    from harness.model.interaction import Interaction, Mark

VERSIONS = ALL | {"openjiuwen-core"}
PROMPT = 80
"""Characters of a prompt that a message quotes."""


def quoted(text: str | None) -> str:
    """A text in quotes, on one line, cut to `PROMPT` characters."""
    flat = " ".join((text or "").split())
    return repr(flat if len(flat) <= PROMPT else flat[: PROMPT - 3] + "...")


def called(interaction: Interaction) -> str:
    """Agent, tool, call and prompt of an interaction, as far as they are known."""
    parts = (
        ("to agent", interaction.agent),
        ("by tool", interaction.tool_name),
        ("as call", interaction.tool_call_id),
    )
    said = [f"{word} {value!r}" for word, value in parts if value]
    if interaction.prompt:
        said.append(f"with {quoted(interaction.prompt)}")
    return " ".join(said)


def _call(number: int = 0, kind: str = "a2a_delegate", tool: str = "search-agent") -> dict[str, object]:
    """A core interaction as Java writes it."""
    call = f"call_0{number}_Ex"
    value = {
        "toolCallId": call,
        "toolName": tool,
        "message": "price of A",
        "payloadSchema": {},
        "context": {"_interrupt_kind": kind, "agentName": tool},
    }
    return {"type": "__interaction__", "index": number, "payload": {"id": call, "value": value}}


def _mirror(*calls: dict[str, object]) -> dict[str, object]:
    """The controller_output copy of interactions, as one DataPart."""
    payload = {"type": "task_interaction", "data": [{"data": call} for call in calls]}
    return {"data": {"type": "controller_output", "index": 41, "payload": payload}}


def _interrupt(call: dict[str, object]) -> dict[str, object]:
    """The same interaction as the control channel carries it (form a)."""
    payload = call["payload"]
    value = payload["value"] if isinstance(payload, dict) else {}
    return {**call, **{name: value[name] for name in ("message", "context", "toolCallId", "toolName")}}


_OPEN = (status("submitted"), status("working"))
_DONE = (artifact("The answer is 42.", id="a-9"), status("completed"))
_HANDOFF = {"targetAgentId": "search-agent", "remoteTaskId": "rt-1"}
_PROXY = {
    "message": "Remote agent requires input",
    "items": [{"toolCallId": "call_00_Ex", "toolName": "search-agent", "message": "Which city?"}],
}


class Shown(Rule):
    """A rule about what the client was shown: interactions and marks, in events and in errors."""

    versions = VERSIONS

    def missing(self) -> str | None:
        stream = self.scope.stream
        read = stream.recognised or stream.error is not None or self.scope.outcome == "NO_TERMINAL"
        return None if read else "no A2A event was recognised"


class _Delegation(Shown):
    """A leaked delegation on one channel: each is a cause of its own."""

    channel: Channel

    def end(self) -> None:
        for number, interaction in enumerate(self.scope.interactions):
            leaked = interaction.kind == "delegation" and interaction.exposure == "leaked"
            if leaked and interaction.channel == self.channel:
                self._leaked(number, interaction)

    def _leaked(self, number: int, interaction: Interaction) -> None:
        what = f"a delegation {called(interaction)}".rstrip()
        internal = tuple(dict.fromkeys(name for one in interaction.sightings for name in one.internal))
        for sighting in interaction.sightings:
            message = f"{what} is visible on the {self.channel} channel"
            self.found(message, sighting.place, cause=number, names=internal)


class DelegationOnContent(_Delegation):
    """An internal `a2a_delegate` interaction is mirrored to the client in an artifact."""

    code = "LEAK101"
    slug = "delegation-on-content-channel"
    title = "No delegation detail on the content channel"
    why = (
        "The client sees which agent is called and with what prompt, though the control channel masks it: a "
        "text search takes the mirror for a question. Mask items of kind a2a_delegate before "
        "controller_output is published."
    )
    source = "seed 000, sections 2.1 and 8 (view A); semantics, section 3"
    channel: Channel = "content"
    PASSES = (
        Example((*_OPEN, *_DONE), "nothing internal"),
        Example(
            (*_OPEN, artifact(_mirror(_call(kind="ask_user", tool="request_user_input"))), *_DONE),
            "a native question may be mirrored",
        ),
        Example((*_OPEN, interrupt(_PROXY)), "a masked proxy on the control channel"),
    )
    FAILS = (
        Example((*_OPEN, artifact(_mirror(_call(0), _call(1))), *_DONE), "the mirror of two delegations"),
        Example((*_OPEN, artifact({"data": _call(0)}), *_DONE), "the interaction itself as a part"),
    )


class DelegationOnControl(_Delegation):
    """An internal `a2a_delegate` interaction reaches the client as an interrupt."""

    code = "LEAK102"
    slug = "delegation-on-control-channel"
    title = "No delegation detail on the control channel"
    why = (
        "The client is asked to answer what another agent should: the coordinator did not take the "
        "interrupt. Handle it there and, where the client must answer, send a proxy of toolCallId, toolName "
        "and message."
    )
    source = "seed 000, sections 2.2 and 8 (view A); semantics, section 3"
    channel: Channel = "control"
    PASSES = (
        Example((*_OPEN, interrupt(_PROXY)), "a masked proxy"),
        Example(
            (*_OPEN, interrupt(_interrupt(_call(kind="ask_user", tool="request_user_input")))),
            "a native question",
        ),
    )
    FAILS = (
        Example((*_OPEN, interrupt(_interrupt(_call()))), "the delegation is not masked"),
        Example(
            (*_OPEN, interrupt({"message": "handing over", "_interrupt": _HANDOFF})),
            "the controller's handoff",
        ),
    )


class InternalKey(Shown):
    """Keys and ids of the runtime's own are visible to the client."""

    code = "LEAK103"
    slug = "internal-key-visible"
    title = "No runtime-internal key or id is visible"
    why = (
        "`runtime.*`, `_stream_mode` and ids of the form `versatile-delegate-*` belong to the runtime; a "
        "client that sees them may send them back and steer it. Strip them where the event leaves it."
    )
    source = "openJiuwen facts, section 2 (reserved keys; form f)"
    marks = frozenset({"internal-key"})
    PASSES = (Example((*_OPEN, *_DONE)),)
    FAILS = (
        Example(
            (*_OPEN, artifact({"data": {"metadata": {"runtime.remoteBatchId": "batch-1"}}}), *_DONE),
            "a reserved key",
        ),
        Example((*_OPEN, artifact({"data": {"_stream_mode": "sse"}}), *_DONE), "the stream mode"),
    )

    def end(self) -> None:
        for mark in self.scope.marks:
            if mark.name == "internal-key":
                self._visible(mark)

    def _visible(self, mark: Mark) -> None:
        family = "versatile-delegate-*" if mark.text.startswith("versatile-delegate-") else mark.text
        message = f"the internal {family!r} is visible on the {mark.channel} channel"
        self.found(message, mark.place, cause=(family, mark.channel), names=(family,), snippet=mark.text)


class PrintedObject(Shown):
    """An internal object was printed as text into the stream."""

    code = "LEAK104"
    slug = "internal-object-printed"
    title = "No internal object is printed as text"
    why = (
        "`InteractionOutput{...}` is an object that was turned to text by its toString: no client can read "
        "it, and it shows internals. Serialise the object, or keep it out of the stream."
    )
    source = "seed 001 (InteractionOutput in a text); openJiuwen facts, section 4"
    marks = frozenset({"printed-object"})
    PASSES = (
        Example((*_OPEN, *_DONE)),
        Example((*_OPEN, artifact("an InteractionOutput is a Java object"), *_DONE), "the bare word"),
    )
    FAILS = (
        Example(
            (
                *_OPEN,
                artifact("{payload=InteractionOutput{id='c-1', value=x, metadata={}}, type=__interaction__}"),
                *_DONE,
            )
        ),
    )

    def end(self) -> None:
        for mark in self.scope.marks:
            if mark.name == "printed-object":
                message = f"an internal object is printed as text: {quoted(mark.text)}"
                self.found(message, mark.place, snippet=mark.text)


class UnknownKind(Shown):
    """An interrupt has a kind that nobody told this tool about."""

    code = "LEAK105"
    slug = "interrupt-of-unknown-kind"
    title = "Every interrupt is of a known kind"
    why = (
        "Whether it is meant for the client can not be said, so the round can not be called clean. Describe "
        "the kind in a mapping file, or mend the agent that sends it."
    )
    source = "openJiuwen facts, section 2 (values of _interrupt_kind); semantics, section 3"
    severity = "warning"
    PASSES = (
        Example((*_OPEN, interrupt(_interrupt(_call(kind="ask_user", tool="request_user_input"))))),
        Example((*_OPEN, interrupt(_PROXY))),
    )
    FAILS = (
        Example((*_OPEN, interrupt(_interrupt(_call(kind="quantum_handover"))))),
        Example((*_OPEN, artifact(_mirror(_call(kind="quantum_handover"))), *_DONE), "in a mirror"),
    )

    def end(self) -> None:
        for interaction in self.scope.interactions:
            if interaction.kind == "unknown":
                self._unknown(interaction)

    def _unknown(self, interaction: Interaction) -> None:
        for sighting in interaction.sightings:
            kind = sighting.interrupt_kind or "of no kind"
            message = f"an interrupt of unknown kind {kind!r} {called(interaction)}".rstrip()
            self.found(message, sighting.place, cause=kind, names=(kind,))


RULES: tuple[type[Rule], ...] = (
    DelegationOnContent,
    DelegationOnControl,
    InternalKey,
    PrintedObject,
    UnknownKind,
)
