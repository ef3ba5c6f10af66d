"""SCN104 to SCN106: order, rounds that are absent, and the findings that a set of defects must give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.delegated import openings, short
from harness.rules.delegation_examples import CALLED
from harness.rules.example import Example, artifact, plan, status, task
from harness.rules.legs import OverLegs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.rules.legs import Conversation, RemoteCall, Seen, TellLegs

_OPEN = (status("submitted"), status("working"))
_STEPS = (*_OPEN, artifact("first"), artifact("then"), status("completed"))
_SILENT = (task(), status("working"), status("input-required"))
_CALLS = plan({"calls": ("search-agent", "search-agent")}, topology="deep-research")
_BACKWARDS = plan({"calls": ("verify-agent", "search-agent")}, topology="deep-research")


def _after() -> Example:
    """A remote call that begins when the one of `CALLED` is over."""
    one = CALLED.then[0]
    return one._replace(leg="verify-agent", at_ms=(20, 20, 21, 21))


class Order(OverLegs):
    """Texts or remote calls come in another order than the scenario says."""

    code = "SCN104"
    slug = "order-not-expected"
    title = "Texts are shown, and remote agents called, in the order that the scenario says"
    why = (
        "What builds on an earlier result came before it. Calls that are open at the same time have no order "
        "among each other; all others are compared by the time of their requests."
    )
    source = "the scenario's expect.order and expect.calls; seed 000, section 6"
    planned = True
    PASSES = (
        Example(_STEPS, "texts", plan=plan({"order": ("first", "then")})),
        CALLED._replace(note="calls that overlap", plan=_CALLS),
    )
    FAILS = (
        Example(_STEPS, "texts", plan=plan({"order": ("then", "first")})),
        CALLED._replace(note="calls", plan=_BACKWARDS, then=(CALLED.then[0], _after())),
    )

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        for seen in talk.rounds:
            if seen.wanted is not None:
                cls._texts(seen, seen.wanted.expect.order, tell)
                if seen.wanted.expect.calls:
                    cls._calls(talk, seen, seen.wanted.expect.calls, tell)

    @classmethod
    def _texts(cls, seen: Seen, order: Sequence[str], tell: TellLegs) -> None:
        if not order or seen.texts is None or seen.texts.reached == len(order):
            return
        if seen.round.outcome == "INCONCLUSIVE" or seen.round.unread:
            tell.lacks(seen, "the round is not known to its end")
            return
        late = order[seen.texts.reached]
        if seen.texts.reached:
            message = f"{short(late)} is not shown behind {short(order[seen.texts.reached - 1])}"
        else:
            message = f"{short(late)} is not shown"
        tell.breach(seen, message, cause="texts", place=seen.facts.last, names=tuple(order))

    @classmethod
    def _calls(cls, talk: Conversation, seen: Seen, wanted: Sequence[str], tell: TellLegs) -> None:
        names = {leg: tool for tool, leg in talk.tools.items()}
        calls = openings(call for call in talk.remotes if call.round == seen.facts.round)
        made = [names.get(call.leg, call.leg) for call in calls]
        unrecorded = sorted({tool for tool in wanted if talk.tools.get(tool, tool) not in talk.legs})
        if reason := talk.no_remotes() or talk.missing(*talk.tools.values()):
            tell.lacks(seen, reason)
        elif unrecorded:
            tell.lacks(seen, f"the leg to {', '.join(unrecorded)} was not recorded")
        elif sorted(made) != sorted(wanted):
            cls._others(seen, wanted, made, tell)
        elif any(call.began_ns is None or call.ended_ns is None for call in calls):
            tell.lacks(seen, "the times of the remote calls are not known")
        elif (place := _out_of_order(wanted, made, calls)) is not None:
            message = f"{wanted[place]} is not called as number {place + 1} of {', '.join(wanted)}"
            tell.breach(seen, message, cause="calls", names=tuple(call.source for call in calls))

    @classmethod
    def _others(cls, seen: Seen, wanted: Sequence[str], made: Sequence[str], tell: TellLegs) -> None:
        """Other agents or another number of calls; where DEL101 tells it, it is not told twice."""
        counts = ", ".join(f"{name} x{made.count(name)}" for name in sorted(set(made))) or "none"
        reason = f"the round calls {counts}, and the scenario names {', '.join(wanted)}"
        if tell.told("DEL101"):
            tell.lacks(seen, reason)
        else:
            tell.breach(seen, reason, cause="calls", names=tuple(wanted))


def _out_of_order(wanted: Sequence[str], made: Sequence[str], calls: Sequence[RemoteCall]) -> int | None:
    """The place in `wanted` where no call fits that another one does not wholly precede; None: all fit."""
    left = list(zip(made, calls, strict=True))
    for place, name in enumerate(wanted):
        first = min(call.ended_ns or 0 for _, call in left)
        fits = [(tool, call) for tool, call in left if tool == name and (call.began_ns or 0) < first]
        fits += [(tool, call) for tool, call in left if tool == name and call.ended_ns == first]
        if not fits:
            return place
        left.remove(min(fits, key=lambda pair: pair[1].ended_ns or 0))
    return None


class Absent(OverLegs):
    """A round of the scenario was not recorded."""

    code = "SCN105"
    slug = "round-absent"
    title = "Each round of the scenario was recorded"
    why = (
        "What was not sent was not tested. The run broke off, or these captures are of another version of "
        "the scenario."
    )
    source = "the scenario's rounds"
    planned = True
    PASSES = (Example(_STEPS, plan=plan({})),)
    FAILS = (Example(_STEPS, plan=plan({}, {"text": "and then?"})),)

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        if talk.plan is None:
            return
        known = {seen.wanted.number for seen in talk.rounds if seen.wanted}
        where = f"{talk.plan.file}:{talk.plan.line}"
        missing = [one.number for one in talk.plan.rounds if one.number not in known]
        if not talk.rounds:
            tell.breach(None, f"no round of {talk.plan.name} was recorded ({where})", cause=0)
            return
        for number in missing:
            message = f"round {number} of {talk.plan.name} was not recorded ({where})"
            tell.breach(None, message, cause=number)


class KnownFindings(OverLegs):
    """A set of defects gives other findings than the scenario says."""

    code = "SCN106"
    slug = "known-findings-differ"
    title = "A known set of defects gives the findings that the scenario names, no more and no fewer"
    why = (
        "A defect that is no longer found is a detector that went blind, and one that is found elsewhere is "
        "not understood. Look at the findings; if they are right, mend `known:` of the scenario."
    )
    source = "the scenario's known"
    planned = True
    counts = True
    PASSES = (
        Example(_SILENT, plan=plan({}, known={"END501": 1})),
        Example(_STEPS, "no set of that name", plan=plan({})),
    )
    FAILS = (
        Example(_STEPS, "not found", plan=plan({}, known={"END501": 1})),
        Example(_SILENT, "more", plan=plan({}, known={"LEAK101": 1})),
    )

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        plan, counted = talk.plan, talk.counted
        known = next((one for one in plan.known if one.defects == talk.defects), None) if plan else None
        if plan is None or counted is None or known is None or not talk.defects:
            return
        meant = plan.contract or "masked"
        if talk.contract != meant:
            tell.lacks(None, f"the known findings are those of contract {meant}")
            return
        wanted = {rule: number for rule, number in known.findings if rule in talk.codes}
        for rule in sorted({*wanted, *counted}):
            if (here := counted.get(rule, 0)) != (there := wanted.get(rule, 0)):
                message = f"{rule}: {there} known of {talk.defects}, {here} found ({plan.file}:{plan.line})"
                tell.breach(None, message, cause=rule, names=(rule,))
