"""DEL: what the model delegates is called, together, and answered to the right call (seed 000, section 6)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from harness.rules.delegated import Delegation, delegations, open_at_once, openings
from harness.rules.delegation_examples import CALLED, MISSING, SERIAL
from harness.rules.delegation_results import FedBack, ShownDelegation
from harness.rules.legs import LLM, OverLegs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.rules.legs import Conversation, RemoteCall, Seen, TellLegs
    from harness.rules.rule import Rule


class RemoteCalls(OverLegs):
    """The model delegates and nobody is called, or more are called than it asked for."""

    code = "DEL101"
    slug = "remote-calls-differ"
    title = "Each delegation of the model is one new task of the remote agent"
    why = (
        "A result that no remote agent gave is made up, and a call that nobody asked for costs time and may "
        "act twice. Look at the coordinator: it must take every delegation of a turn, and each once."
    )
    source = "seed 000, sections 6.2 to 6.5; openJiuwen facts, section 1 (orchestrator)"
    PASSES = (CALLED,)
    FAILS = (MISSING,)

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        reason = talk.no_models() or talk.no_remotes()
        if reason:
            tell.lacks(None, reason)
            return
        made = delegations(talk)
        for tool, leg in sorted(talk.tools.items()):
            own = [one for one in made if one.tool == tool]
            opened = openings(call for call in talk.remotes if call.leg == leg)
            alike = len(own) == len(opened)
            if reason := _not_all(talk, leg) or (_hidden if alike else _uncertain)(talk, tool, leg, own):
                tell.lacks(None, reason)
            elif not alike:
                cls._differ(talk, tool, own, opened, tell)

    @classmethod
    def _differ(
        cls,
        talk: Conversation,
        tool: str,
        made: Sequence[Delegation],
        opened: Sequence[RemoteCall],
        tell: TellLegs,
    ) -> None:
        asked, called = Counter(one.round for one in made), Counter(one.round for one in opened)
        first = min(number for number in asked | called if asked[number] != called[number])
        message = f"the model delegated to {tool} {_times(len(made))}, "
        message += f"and a task was opened there {_times(len(opened))}"
        calls = tuple(one.call for one in made if one.call)
        tell.breach(talk.at(first), message, cause=tool, names=calls, sources=[one.source for one in opened])


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _not_all(talk: Conversation, leg: str) -> str | None:
    """Why some of the calls may not be known."""
    if leg not in talk.legs:
        return None
    loose = sorted(talk.loose & {leg, LLM})
    if loose:
        return f"exchanges of leg {', '.join(loose)} could not be assigned to a round"
    unknown = (one.flaw for one in talk.remotes if one.leg == leg and not one.text)
    return talk.missing(leg, LLM) or next(filter(None, unknown), None)


def _hidden(talk: Conversation, tool: str, leg: str, made: Sequence[Delegation]) -> str | None:
    """Why counts that are alike prove nothing: an answer that may delegate once more is not known."""
    if leg not in talk.legs:
        return None
    for number, one in enumerate(talk.models):
        may = one.answer_flaw and (not one.tools or tool in one.tools)
        if may and not any(later.repeats(one) for later in talk.models[number + 1 :]):
            return f"{one.source}: {one.answer_flaw}"
    return None


def _uncertain(talk: Conversation, tool: str, leg: str, made: Sequence[Delegation]) -> str | None:
    """Why counts that differ prove nothing; None: they do."""
    if leg not in talk.legs:
        return f"the leg to {tool} was not recorded"
    flaw = next((f"{one.source}: {one.answer_flaw}" for one in talk.models if one.answer_flaw), None)
    if flaw:
        return flaw
    if not made and not any(tool in one.tools for one in talk.models):
        return f"no model request offers {tool}: who delegates to it is not seen on leg llm"
    return None


class Concurrent(OverLegs):
    """Remote calls wait for one another."""

    code = "DEL102"
    slug = "remote-calls-not-concurrent"
    title = "Remote calls of one turn are open at the same time, where the scenario says so"
    why = (
        "One after the other, the calls of a turn take the sum of their times. The coordinator should submit "
        "all members of a batch before it waits for the first."
    )
    source = "seed 000, section 6.4"
    PASSES = (CALLED,)
    FAILS = (SERIAL,)

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        if talk.plan is None:
            tell.lacks(None, "no scenario says how many remote calls are open at once")
        for seen in talk.rounds:
            if seen.wanted is not None and seen.wanted.expect.concurrent is not None:
                cls._round(talk, seen, seen.wanted.expect.concurrent, tell)

    @classmethod
    def _round(cls, talk: Conversation, seen: Seen, wanted: int, tell: TellLegs) -> None:
        calls = [call for call in talk.remotes if call.round == seen.facts.round]
        most = open_at_once(calls)
        if reason := talk.no_remotes() or talk.missing(*talk.tools.values()):
            tell.lacks(seen, reason)
        elif len(calls) < wanted:
            tell.lacks(seen, f"{len(calls)} remote calls were made, {wanted} should be open at once")
        elif most is None:
            tell.lacks(seen, "the times of the remote calls are not known")
        elif most < wanted or (wanted == 1 and most > 1):
            message = f"at most {most} of {len(calls)} remote calls were open at the same time, not {wanted}"
            tell.breach(seen, message, names=tuple(call.source for call in calls))


RULES: tuple[type[Rule], ...] = (RemoteCalls, Concurrent, FedBack, ShownDelegation)
