"""SYM: the same meaning looks the same in every topology (seed 000, views B and C)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.compare import Comparison, Tell
from harness.rules.example import Example, artifact, interrupt, status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.model.interaction import Interaction, Place
    from harness.rules.facts import RoundFacts
    from harness.rules.rule import Rule

_OPEN = (status("submitted"), status("working"))
_DONE = (artifact("The answer is 42.", id="a-9"), status("completed"))


def _proxy() -> object:
    item = {"toolCallId": "call_00_Ex", "toolName": "search-agent", "message": "Which city?"}
    return interrupt({"message": "Which city?", "items": [item]})


def _call(tool: str, kind: str) -> dict[str, object]:
    value = {
        "toolCallId": "call_00_Ex",
        "toolName": tool,
        "message": "Which city?",
        "context": {"_interrupt_kind": kind, "agentName": tool},
    }
    return {"type": "__interaction__", "index": 0, "payload": {"id": "call_00_Ex", "value": value}}


def _mirror() -> object:
    """The leak of seed 000: the delegation in a content mirror."""
    payload = {"type": "task_interaction", "data": [{"data": _call("search-agent", "a2a_delegate")}]}
    return artifact({"data": {"type": "controller_output", "index": 0, "payload": payload}})


def _native() -> object:
    call = {"toolCallId": "call_00_Ex", "toolName": "request_user_input", "message": "Which city?"}
    return interrupt({**_call("request_user_input", "ask_user"), **call}, "Which city?")


_LEAKING = Example((*_OPEN, _mirror(), *_DONE), scenario="DA-1", topology="deep-research")
_MASKING = Example((*_OPEN, _proxy()), scenario="EDPA-1", topology="edpa")
_ASKING = Example((*_OPEN, _native()), scenario="EXP-1", topology="expense-review")
_PLAIN = Example((*_OPEN, status("input-required", "Which city?")), scenario="P-1", topology="plain")


class Exposures(Comparison):
    """A kind of interaction is shown by one topology as another does not show it."""

    code = "SYM401"
    slug = "exposure-differs"
    title = "Topologies show each kind of interaction alike"
    why = (
        "The client has to know which topology it talks to before it can read what it gets. Mask the "
        "delegation in all topologies, or in none."
    )
    source = "seed 000, section 8 (view B); semantics, section 3"
    PASSES = (
        _MASKING._replace(note="masked in both", then=(_MASKING._replace(scenario="X-1", topology="x"),)),
        _ASKING._replace(note="each kind in one topology", then=(_MASKING,)),
    )
    FAILS = (_LEAKING._replace(note="leaked here, masked there", then=(_MASKING,)),)

    @classmethod
    def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
        if alone(facts, tell):
            return
        for kind in sorted({interaction.kind for one in facts for interaction in one.interactions}):
            for channel in ("control", "content"):
                seen = Seen()
                for index, topology, interaction in _each(facts):
                    if interaction.kind == kind:
                        shown = interaction.exposure if interaction.channel == channel else None
                        seen.add(topology, index, interaction, shown)
                seen.differ(f"{kind} on the {channel} channel", (kind, channel), tell)


class Envelopes(Comparison):
    """What a client must answer comes in another envelope from each topology."""

    code = "SYM402"
    slug = "envelope-differs"
    title = "What a client must answer comes in one envelope"
    why = (
        "A client needs one reader for each envelope, and assertions written for one topology misread "
        "another. Report every request for input in one form."
    )
    source = "seed 000, section 8 (view C) and section 9.3; semantics, section 3"
    PASSES = (
        _MASKING._replace(note="a proxy in both", then=(_MASKING._replace(scenario="X-1", topology="x"),)),
        _LEAKING._replace(note="only one topology asks the client", then=(_MASKING,)),
    )
    FAILS = (
        _ASKING._replace(note="native here, a proxy there", then=(_MASKING,)),
        _PLAIN._replace(note="plain text here, native there", then=(_ASKING,)),
    )

    @classmethod
    def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
        if alone(facts, tell):
            return
        seen = Seen()
        for index, topology, interaction in _each(facts):
            envelope = _envelope(interaction)
            if envelope is not None:
                seen.add(topology, index, interaction, envelope)
        seen.differ("what the client must answer", "envelope", tell)


class Seen:
    """What each topology shows of one meaning, and where it showed it first."""

    def __init__(self) -> None:
        self._shown: dict[str, dict[str, tuple[int, Place]]] = {}
        self._rounds: dict[str, int] = {}

    def add(self, topology: str, round: int, interaction: Interaction, shown: str | None) -> None:
        """The meaning occurs in that round; it is `shown` so, or (None) not where we look."""
        known = self._shown.setdefault(topology, {})
        self._rounds.setdefault(topology, round)
        if shown is not None:
            known.setdefault(shown, (round, interaction.sightings[0].place))

    def differ(self, what: str, cause: object, tell: Tell) -> None:
        """Tell a breach between the rounds where topologies show different sets."""
        if len({frozenset(shown) for shown in self._shown.values()}) < 2:
            return
        names = tuple(sorted(self._shown))
        said = "; ".join(f"{name}: {', '.join(sorted(self._shown[name])) or 'none'}" for name in names)
        firsts = sorted(first for shown in self._shown.values() for first in shown.values())
        others = {*self._rounds.values(), *(index for index, _ in firsts)} - {firsts[0][0]}
        rounds = [firsts[0][0], *sorted(others)]
        message = f"{what} differs between topologies ({said})"
        tell.between(rounds, message, firsts[0][1], cause=cause, names=names)


def alone(facts: Iterable[RoundFacts], tell: Tell) -> bool:
    """Is there no second topology to compare with? Then the rule is told as not checked."""
    names = {one.topology for one in facts if one.topology}
    if len(names) > 1:
        return False
    tell.lacks(None, f"only one topology: {names.pop()}" if names else "no capture tells its topology")
    return True


def _each(facts: Iterable[RoundFacts]) -> Iterable[tuple[int, str, Interaction]]:
    """Every interaction of a round whose topology is known."""
    for index, one in enumerate(facts):
        if one.topology:
            yield from ((index, one.topology, interaction) for interaction in one.interactions)


def _envelope(interaction: Interaction) -> str | None:
    """How the client is asked on the control channel; None: it need not answer."""
    if interaction.channel != "control":
        return None
    if interaction.kind == "delegation":
        return "proxy" if interaction.exposure == "masked" else None
    if interaction.kind not in ("user_input", "confirmation", "client_tool"):
        return None
    return "plain text" if any(one.fallback for one in interaction.sightings) else "native"


RULES: tuple[type[Rule], ...] = (Exposures, Envelopes)
