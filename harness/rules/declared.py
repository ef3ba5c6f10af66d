"""NEG903: what the agent card declares, against how the agent answered (a2a.md N03)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.a2a.dialects import STREAMING
from harness.rules.compare import Comparison, Tell
from harness.rules.example import Example, artifact, rpc_error, status, task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.rules.facts import RoundFacts

UNSUPPORTED, NO_METHOD = -32004, -32601
_JSON = (("content-type", "application/json"),)
_ANSWERED = Example((task(), status("working"), artifact("hello"), status("completed")))
_REFUSED = Example((rpc_error(UNSUPPORTED, "no streaming"),), headers=_JSON, framing="document")
_UNKNOWN = _REFUSED._replace(frames=(rpc_error(NO_METHOD, "no such method"),))


def _card(**capabilities: bool) -> dict[str, object]:
    address = {"url": "http://127.0.0.1:8080/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    return {"name": "hotel", "supportedInterfaces": [address], "capabilities": capabilities, "skills": []}


class Neg903(Comparison):
    """The card is found by its request, and belongs to the calls of its leg that go to an address in it."""

    code = "NEG903"
    slug = "streaming-declared"
    title = "An agent whose card says streaming:false refuses streaming calls with -32004"
    why = (
        "Clients choose the call by the card, and a `streaming` that is not there is a no. Correct the card, "
        "or refuse the call."
    )
    source = "A2A 1.0 section 3.3.4"
    versions = frozenset({"v1.0"})
    needs = frozenset({"request", "rounds"})
    second = frozenset({"card"})
    also_refused = True
    PASSES = (
        _ANSWERED._replace(note="streaming is declared", card=_card(streaming=True)),
        _REFUSED._replace(note="refused as declared", card=_card(streaming=False)),
    )
    FAILS = (
        _ANSWERED._replace(note="streamed all the same", card=_card(streaming=False)),
        _ANSWERED._replace(note="nothing is declared", card=_card(pushNotifications=True)),
        _UNKNOWN._replace(note="refused with another code", card=_card(streaming=False)),
    )

    @classmethod
    def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
        for index, one in enumerate(facts):
            reason = _lacks(one) or cls._answer(index, one, tell)
            if reason:
                tell.lacks(index, reason)

    @classmethod
    def _answer(cls, index: int, one: RoundFacts, tell: Tell) -> str | None:
        """Judge how a streaming call was answered; the reason if that can not be told."""
        if one.card is None or one.card.streaming or one.error_code == UNSUPPORTED:
            return None
        if one.recognised:
            tell.breach(index, "the card declares no streaming, and the call was answered", one.place)
            return None
        if one.error_code == NO_METHOD:
            message = f"the card declares no streaming; the call was refused with {NO_METHOD}"
            tell.breach(index, f"{message}, not with {UNSUPPORTED}", one.place)
            return None
        if one.binding == "rest" and one.failed:
            return None
        return "the call was not answered, or refused for another reason"


def _lacks(one: RoundFacts) -> str | None:
    """Why the rule can not be checked on a round, whatever the answer was."""
    if one.operation is None:
        return "the request is not known"
    if one.operation not in STREAMING:
        return "the request is no streaming call"
    if one.card is None:
        return "no card of the agent was recorded beside it"
    return "the card declares no capabilities" if one.card.streaming is None else None
