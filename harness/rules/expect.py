"""SCN101 to SCN103: what a scenario expects of one round, against what the round showed.

Apply only to runs that are judged with scenarios. What a capture can not tell is not checked: a
text that is missing from a stream which our own side cut proves nothing. Rank 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harness.model.scenario import Wanted
from harness.rules.delegated import short
from harness.rules.example import Example, artifact, interrupt, plan, status
from harness.rules.expect_legs import Absent, KnownFindings, Order
from harness.rules.legs import OverLegs
from harness.rules.wanted import compare, phrase

if TYPE_CHECKING:
    from harness.model.interaction import Interaction
    from harness.model.scenario import Expect
    from harness.rules.legs import Conversation, Seen, TellLegs
    from harness.rules.rule import Rule

_OPEN = (status("submitted"), status("working"))
_DONE = (*_OPEN, artifact("The answer is 42."), status("completed"))
_ITEM = {"toolCallId": "call_00_Ex", "toolName": "hotel-agent", "message": "Which hotel?"}
_ASKS = (*_OPEN, interrupt({"message": "Which hotel?", "items": [_ITEM]}, "Which hotel?"))
_PROXY = Wanted("delegation", "masked", channel="control")


class Expected(OverLegs):
    """A rule about what a scenario says of each round."""

    planned: ClassVar[bool] = True

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        for seen in talk.rounds:
            if seen.wanted is not None:
                cls.round(seen, seen.wanted.expect, tell)

    @classmethod
    def round(cls, seen: Seen, expect: Expect, tell: TellLegs) -> None:
        """Look at one round."""
        raise NotImplementedError


def partial(seen: Seen) -> str | None:
    """Why what is missing from the round proves nothing; None: it was read to its end."""
    if seen.round.outcome == "INCONCLUSIVE":
        return f"how the round ended is not known (ending {seen.round.ending})"
    return "a record of the round could not be read" if seen.round.unread else None


class ExpectedOutcome(Expected):
    """The round ends otherwise than the scenario says."""

    code = "SCN101"
    slug = "outcome-not-expected"
    title = "Each round ends as the scenario says"
    why = (
        "The agent did not do what this scenario is there to show. Look at the end of the round; if the "
        "agent is right, mend `expect.outcome` of the scenario."
    )
    source = "the scenario's expect.outcome; semantics, section 2"
    PASSES = (
        Example(_DONE, plan=plan({"outcome": "COMPLETED"})),
        Example((*_OPEN, status("failed", "no")), "a failure may be right", plan=plan({"outcome": "FAILED"})),
    )
    FAILS = (Example(_ASKS, plan=plan({"outcome": "COMPLETED"})),)

    @classmethod
    def round(cls, seen: Seen, expect: Expect, tell: TellLegs) -> None:
        outcome = seen.round.outcome
        if expect.outcome is None or expect.outcome == outcome:
            return
        if outcome == "INCONCLUSIVE":
            tell.lacks(seen, partial(seen) or "")
        else:
            message = f"the round ended {outcome}, and {expect.outcome} was expected"
            tell.breach(seen, message, place=seen.facts.last, names=(expect.outcome,))


class ExpectedInteractions(Expected):
    """The round asks more, less or otherwise than the scenario says."""

    code = "SCN102"
    slug = "interactions-not-expected"
    title = "Each round shows the interactions that the scenario says, no more and no fewer"
    why = (
        "A question that is lost is never answered, one that is doubled is answered twice. Compare kind, "
        "exposure and number; what a LEAK rule reports as leaked is not told here again."
    )
    source = "the scenario's expect.interactions; semantics, section 3"
    PASSES = (
        Example(_ASKS, plan=plan({"interactions": (_PROXY,)})),
        Example(_DONE, "none wanted", plan=plan({"interactions": ()})),
    )
    FAILS = (
        Example(_DONE, "one is lost", plan=plan({"interactions": (_PROXY,)})),
        Example(_ASKS, "one too many", plan=plan({"interactions": ()})),
        Example(_ASKS, "of another exposure", plan=plan({"interactions": (Wanted("user_input", "native"),)})),
    )

    @classmethod
    def round(cls, seen: Seen, expect: Expect, tell: TellLegs) -> None:
        if expect.interactions is None:
            return
        counted, extra = compare(expect.interactions, seen.round.interactions, _leaks(seen))
        for wanted, found in zip(expect.interactions, counted, strict=True):
            cls._number(seen, wanted, found, tell)
        for one in extra:
            message = f"{phrase(one)} was not expected"
            cause = (one.kind, one.exposure, one.channel, one.tool_name)
            tell.breach(seen, message, cause=cause, place=one.sightings[0].place, names=_ids((one,)))

    @classmethod
    def _number(cls, seen: Seen, wanted: Wanted, found: tuple[Interaction, ...], tell: TellLegs) -> None:
        if len(found) == wanted.times:
            return
        reason = partial(seen) if len(found) < wanted.times else None
        if reason is not None:
            tell.lacks(seen, reason)
            return
        message = f"{phrase(wanted)}: {wanted.times} expected, {len(found)} seen"
        place = found[-1].sightings[0].place if found else seen.facts.last
        tell.breach(seen, message, cause=wanted, place=place, names=_ids(found))


def _leaks(seen: Seen) -> frozenset[int]:
    """Which interactions a LEAK rule reports as an error already."""
    told = {
        place
        for finding in seen.round.findings
        if finding.rule in ("LEAK101", "LEAK102") and finding.severity == "error"
        for place in (finding.place, *finding.also)
    }
    shown = enumerate(seen.round.interactions)
    return frozenset(number for number, one in shown if one.sightings[0].place in told)


def _ids(interactions: tuple[Interaction, ...]) -> tuple[str, ...]:
    return tuple(one.tool_call_id for one in interactions if one.tool_call_id)


class ExpectedText(Expected):
    """A text that the client must be shown is missing, or one that it must not be shown is there."""

    code = "SCN103"
    slug = "text-not-expected"
    title = "The client is shown the texts that it must be shown, and none that it must not"
    why = (
        "What the client reads is the result of the run. All that is shown counts: text and data, on control "
        "and content, JSON inside of texts, and texts that come in many tokens."
    )
    source = "the scenario's expect.text"
    PASSES = (
        Example(_DONE, plan=plan({"has": ("answer is 42",), "lacks": ("search-agent",)})),
        Example(
            (*_OPEN, artifact("The ans"), artifact("wer is 42."), status("completed")),
            "in several tokens",
            plan=plan({"has": ("The answer",)}),
        ),
    )
    FAILS = (
        Example(_DONE, "missing", plan=plan({"has": ("The answer is 43",)})),
        Example(_ASKS, "shown", plan=plan({"lacks": ("hotel-agent",)})),
    )

    @classmethod
    def round(cls, seen: Seen, expect: Expect, tell: TellLegs) -> None:
        if seen.texts is None:
            return
        missing = [text for text in expect.has if text not in seen.texts.shown]
        reason = partial(seen) if missing else None
        if reason is not None:
            tell.lacks(seen, reason)
        for text in missing if reason is None else ():
            message = f"the client was not shown {short(text)}"
            tell.breach(seen, message, cause=("has", text), place=seen.facts.last)
        for text in expect.lacks:
            if text in seen.texts.shown:
                message = f"the client was shown {short(text)}, which it must not be"
                tell.breach(seen, message, cause=("lacks", text), place=seen.texts.shown[text])


RULES: tuple[type[Rule], ...] = (
    ExpectedOutcome, ExpectedInteractions, ExpectedText, Order, Absent, KnownFindings,
)  # fmt: skip
