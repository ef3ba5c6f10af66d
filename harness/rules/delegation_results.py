"""DEL103 and DEL104: what came back from remote agents, and what the client was shown of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.delegated import chains, delegations, holds, short
from harness.rules.delegation_examples import ANOTHER, CALLED, CROSSED, LEAKING, LOST, SILENT
from harness.rules.legs import OverLegs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.model.interaction import Interaction
    from harness.rules.delegated import Delegation
    from harness.rules.legs import Conversation, RemoteCall, Seen, TellLegs


class FedBack(OverLegs):
    """A remote result reaches the model under the call of another one, or not at all."""

    code = "DEL103"
    slug = "result-under-wrong-call"
    title = "Each remote result is fed back under its own toolCallId"
    why = (
        "The model takes the answer to one question for the answer to another, and says so to the client. "
        "Match results by toolCallId, never by the order in which they come."
    )
    source = "seed 000, section 6.3 (remoteToolResults); openJiuwen facts, section 2 (resume)"
    PASSES = (CALLED,)
    FAILS = (CROSSED, LOST)

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        reason = talk.no_models() or talk.no_remotes()
        if reason:
            tell.lacks(None, reason)
            return
        made = [one for one in delegations(talk) if one.call is not None]
        results = _results(talk)
        calls = {one: chains(one, talk.remotes) for one in made}
        for one in made:
            cls._one(talk, one, results, calls, tell)

    @classmethod
    def _one(
        cls,
        talk: Conversation,
        one: Delegation,
        results: Mapping[str, str],
        calls: Mapping[Delegation, Sequence[RemoteCall]],
        tell: TellLegs,
    ) -> None:
        seen, own, told = talk.at(one.round), calls[one], results.get(one.call or "")
        if told is None:
            cls._nothing(talk, one, own, tell)
        elif not own:
            tell.lacks(seen, f"no remote request is known to be that of {one.call}")
        elif not any(holds(told, call) for call in own):
            others = (other for other in calls if other != one)
            whose = [each for each in others if any(holds(told, call) for call in calls[each])]
            if whose:
                message = (
                    f"under {one.call} the model was told what {whose[0].leg} answered to {whose[0].call}: "
                    f"{short(told)}"
                )
                names = (one.call or "", whose[0].call or "", *(each.source for each in own))
                tell.breach(seen, message, cause=one.call, names=names, snippet=told)
            else:
                reason = next((call.flaw for call in own if call.flaw), None)
                what = f"what was fed back under {one.call} is no text that {one.leg} answered"
                tell.lacks(seen, reason or what)

    @classmethod
    def _nothing(cls, talk: Conversation, one: Delegation, own: Sequence[RemoteCall], tell: TellLegs) -> None:
        """No tool message has the id: a breach where a request goes on behind the call, else not known."""
        seen = talk.at(one.round)
        later = [
            model for model in talk.models if any(c.id == one.call for m in model.messages for c in m.calls)
        ]
        answered = any(call.outcome == "COMPLETED" for call in own)
        if later and answered:
            message = f"{one.leg} answered {one.call}, and the model was told no result of it"
            names = (one.call or "", later[-1].source)
            tell.breach(seen, message, cause=one.call, names=names)
        elif answered:
            tell.lacks(seen, f"no model request behind {one.call} was recorded")


def _results(talk: Conversation) -> dict[str, str]:
    """By toolCallId what the model was told last."""
    told: dict[str, str] = {}
    for model in talk.models:
        for message in model.messages:
            if message.tool_call_id and message.role in ("tool", "function"):
                told[message.tool_call_id] = message.text
    return told


class ShownDelegation(OverLegs):
    """A delegation that leaked, beside what the remote agent was asked: the proof that it is real."""

    code = "DEL104"
    slug = "leaked-delegation-on-leg"
    title = "What leaked of a delegation is named with the remote request that it belongs to"
    why = (
        "It tells whether the client saw what a remote agent was really asked, or only what the agent meant "
        "to ask. Mend the leak that is found with it; this is its evidence."
    )
    source = "seed 000, sections 6.1 and 6.5; semantics, section 3"
    severity = "info"
    PASSES = (CALLED,)
    FAILS = (LEAKING, ANOTHER, SILENT)

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        if reason := talk.no_remotes():
            tell.lacks(None, reason)
            return
        for seen in talk.rounds:
            for number, shown in enumerate(seen.round.interactions):
                if shown.kind == "delegation" and shown.exposure == "leaked":
                    cls._shown(talk, seen, shown, number, tell)

    @classmethod
    def _shown(cls, talk: Conversation, seen: Seen, shown: Interaction, number: int, tell: TellLegs) -> None:
        agent = shown.tool_name or shown.agent or "a remote agent"
        leg = talk.tools.get(shown.tool_name or "") or talk.tools.get(shown.agent or "")
        call, prompt = shown.tool_call_id, (shown.prompt or "").strip()
        what = f"{short(prompt)} of call {call}" if call else short(prompt)
        own = [one for one in talk.remotes if leg in (None, one.leg)]
        asked = [one for one in own if call and one.is_of(call)]
        asked = asked or [one for one in own if prompt and one.text.strip() == prompt]
        if not asked:
            message = f"the client was shown {what}, and no recorded request to {agent} carried it"
        elif asked[0].text.strip() == prompt:
            message = f"the client was shown {what}, which is what {asked[0].leg} was asked"
        else:
            message = f"the client was shown {what}, and {asked[0].leg} was asked {short(asked[0].text)}"
        names = tuple(one.source for one in asked[:1])
        tell.breach(seen, message, cause=number, place=shown.sightings[0].place, names=names)
